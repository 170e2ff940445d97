"""The program `ludus` in the package, and commands named after its verbs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ludus import _native


def path() -> str:
    """The program built with the package; it lies beside the extension module."""
    program = Path(_native.__file__ or "").parent / "bin" / "ludus"
    if not program.exists():
        raise FileNotFoundError(f"{program} does not exist: reinstall the package")
    return str(program)


def become(verb: str | None) -> None:
    """Replaces this process with the program, passing a verb and the arguments."""
    program = path()
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(program, ["ludus", *([verb] if verb else []), *sys.argv[1:]])


def main() -> None:
    """`ludus`: the program itself."""
    become(None)
