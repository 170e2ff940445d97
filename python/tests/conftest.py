"""Where data is, and the lines that ./check reads: a test's seconds, and how many passed."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
os.environ.setdefault("LUDUS_HOME", str(ROOT))


@pytest.fixture(scope="session")
def root():
    return ROOT


def pytest_terminal_summary(terminalreporter):
    found = {"passed": [], "failed": [], "error": []}
    for kind, reports in found.items():
        reports += terminalreporter.stats.get(kind, [])
    for kind, word in (("passed", "ok"), ("failed", "FAIL"), ("error", "FAIL")):
        for report in found[kind]:
            terminalreporter.write_line(f"{word:4} {report.duration:7.3f} s  {report.nodeid}")
    bad = len(found["failed"]) + len(found["error"])
    terminalreporter.write_line(f"{len(found['passed'])} passed, {bad} failed")
