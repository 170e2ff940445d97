"""`python -m ludus.train` and the command `train`: `ludus train` under another name."""

from __future__ import annotations

from ludus.program import become


def main() -> None:
    """Runs the verb in place of this process."""
    become("train")


if __name__ == "__main__":
    main()
