"""Tests of the command line program: every verb, every exit code, every kind of error sentence,
hostile input, streams, colour, precedence of settings, and play in a terminal of 80 x 24. They stand
in cli/, one file per theme.

Usage: cli_test.py PATH_OF_LUDUS [FILTER...] [-LEFT_OUT...]
"""

import shutil
import sys
import time

from cli import ablate, data, evaluate, models, options, play, presets, project, replays, runs, sweep  # noqa: F401  each adds its tests
from cli.helper import TESTS, WORK


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    filters = [word for word in sys.argv[2:] if not word.startswith("-")]
    left_out = [word[1:] for word in sys.argv[2:] if word.startswith("-")]
    passed = failed = 0
    for function in TESTS:
        if filters and not any(f in function.__name__ for f in filters) or any(f in function.__name__ for f in left_out):
            continue
        start = time.time()
        problem = None
        try:
            function()
        except Exception as error:  # a test may fail in any way; the others still run
            problem = f"{type(error).__name__}: {error}"
        took = time.time() - start
        word = "FAIL" if problem else "ok  "
        print(f"{word} {took:8.3f} s  cli:{function.__name__}", flush=True)
        if problem:
            failed += 1
            print("    " + problem[:3000].replace("\n", "\n    "), flush=True)
        else:
            passed += 1
    shutil.rmtree(WORK, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
