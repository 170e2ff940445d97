"""`python -m ludus.serve_api` and the command `serve-api`: `ludus serve-api` under another name."""

from __future__ import annotations

from ludus.program import become


def main() -> None:
    """Replaces this process with the program."""
    become("serve-api")


if __name__ == "__main__":
    main()
