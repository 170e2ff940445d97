"""The program `ludus` that comes with the package, and the thin names of its verbs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ludus import _native


def path() -> str:
    """Where the program is that was built with the package: beside its extension."""
    program = Path(_native.__file__ or "").parent / "bin" / "ludus"
    if not program.exists():
        raise FileNotFoundError(f"{program} does not exist: reinstall the package")
    return str(program)


def become(verb: str | None) -> None:
    """Runs the program with a verb and the words of this call, in place of this process."""
    program = path()
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(program, ["ludus", *([verb] if verb else []), *sys.argv[1:]])


def main() -> None:
    """`ludus`: the program itself."""
    become(None)
