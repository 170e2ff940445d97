"""`python -m ludus.train` and the command `train`: `ludus train` under another name; with
`--distributed` it is `python -m ludus.ray train`.
"""

from __future__ import annotations

import sys

from ludus.program import become


def main() -> None:
    """Replaces this process with the program."""
    words = sys.argv[1:]
    if "--distributed" in words:
        try:
            from ludus.ray import main as spread
        except ModuleNotFoundError:
            sys.exit('ludus.train: Ray is not installed; `pip install "./python[ray]"` installs it')
        words.remove("--distributed")
        sys.exit(spread(["train", *words]))
    become("train")


if __name__ == "__main__":
    main()
