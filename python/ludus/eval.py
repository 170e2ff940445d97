"""`python -m ludus.eval` and the command `eval`: `ludus eval` under another name."""

from __future__ import annotations

from ludus.program import become


def main() -> None:
    """Replaces this process with the program."""
    become("eval")


if __name__ == "__main__":
    main()
