"""`python -m ludus.serve_api` and the command `serve-api`: `ludus serve-api` under another name."""

from __future__ import annotations

from ludus.program import become


def main() -> None:
    """Runs the verb in place of this process."""
    become("serve-api")


if __name__ == "__main__":
    main()
