"""Compares what the server answers with its OpenAPI document, by schemathesis: for every operation
requests that fit the document and requests that do not, one after the other and in sequences over
sessions. To be run by the Python that has schemathesis.

Usage: openapi_test.py PATH_OF_LUDUS SECONDS
"""

import subprocess
import sys
import time
from pathlib import Path

from cli.helper import ROOT, WORK, ludus
from serve.client import Server

SMALL = ["--set", "train.environments=16", "--set", "train.horizon=32", "--set", "train.minibatch=256",
         "--set", "net.hidden=16", "--set", "net.layers=1"]


def main():
    seconds = int(sys.argv[2])
    runs = WORK / "openapi-runs"
    ludus("train", "cartpole", "--out", runs, "--steps", "8k", "--set", "run.window_env_steps=2k", *SMALL)
    start = time.time()
    with Server(runs, "--serve.requests_per_second", 0, "--serve.sessions", 5000, "--serve.sessions_per_address", 5000) as server:
        # events have no end, and are asked by serve_test.py
        done = subprocess.run([str(Path(sys.executable).parent / "schemathesis"), "--config-file", ROOT / "tests/schemathesis.toml",
                               "run", "--url", f"http://127.0.0.1:{server.port}", ROOT / "docs/openapi.json", "--exclude-path-regex",
                               "events$", "-n", "20", "--seed", "1", "--max-time", str(seconds), "--request-timeout", "120", "--no-color",
                               "--warnings", "off"], cwd=WORK, capture_output=True, text=True)
    word = "ok  " if done.returncode == 0 else "FAIL"
    print(f"{word} {time.time() - start:8.3f} s  openapi:answers_are_as_the_document_says")
    print(done.stdout[-12000:], done.stderr[-2000:])
    print("1 passed, 0 failed" if done.returncode == 0 else "0 passed, 1 failed")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
