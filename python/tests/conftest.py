"""Where data is, and the lines that ./check reads: a test's seconds, and how many passed."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
os.environ.setdefault("LUDUS_HOME", str(ROOT))
# `python -m pytest` in python/ would find the sources in place of what is installed
sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != ROOT / "python"]


@pytest.fixture(scope="session")
def root():
    return ROOT


def pytest_terminal_summary(terminalreporter):
    found = {"passed": [], "failed": [], "error": []}
    for kind, reports in found.items():
        reports += terminalreporter.stats.get(kind, [])
    for kind, word in (("passed", "ok"), ("failed", "FAIL"), ("error", "FAIL")):
        for report in found[kind]:
            seconds = getattr(report, "duration", 0.0)  # what cannot be collected took none
            terminalreporter.write_line(f"{word:4} {seconds:7.3f} s  {report.nodeid}")
    bad = len(found["failed"]) + len(found["error"])
    terminalreporter.write_line(f"{len(found['passed'])} passed, {bad} failed")
