"""`python -m ludus.eval` and the command `eval`: `ludus eval` under another name."""

from __future__ import annotations

from ludus.program import become


def main() -> None:
    """Runs the verb in place of this process."""
    become("eval")


if __name__ == "__main__":
    main()
