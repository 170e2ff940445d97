"""Tests of the command line program: every verb, every exit code, every kind of error sentence,
hostile input, streams, colour, precedence of settings, and play in a terminal of 80 x 24. They stand
in cli/, one file per theme.

Usage: cli_test.py PATH_OF_LUDUS [FILTER...] [-LEFT_OUT...]
"""

import sys

from cli import ablate, data, evaluate, models, options, play, presets, project, replays, runs, sweep  # noqa: F401  each adds its tests
from cli.helper import main

if __name__ == "__main__":
    sys.exit(main("cli", __doc__))
