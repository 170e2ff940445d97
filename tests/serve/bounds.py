"""What a confined process can do, asked from outside and tried from inside (tests/faults/break_out.c)."""

import os
import re
import signal
from pathlib import Path

from cli.helper import LUDUS, ludus, until

LAYER = Path(LUDUS).parent / "break_out.so"
FREE = "it could: read write connect signal change fork"
SAID = re.compile(r"(it could:.*)\n")  # in the midst of a line that was being written, too


def status_of(pid, key):
    return re.search(rf"^{key}:\s*(\S+)", Path(f"/proc/{pid}/status").read_text(), re.M)[1]


def kernel():
    found = {row["name"]: row["verdict"] for row in ludus("doctor", "--json", program=Path(LUDUS).with_name("ludus")).json()["findings"]}
    return found["Landlock"] == "ok", found["seccomp"] == "ok"


def bounds(read="", write=""):
    """What a confined process can do: what the kernel does not keep it from, and what it needs."""
    landlock, seccomp = kernel()
    return "it could:" + (f"{read}{write}" if landlock else " read write") + ("" if seccomp else " connect signal change fork")


def tries(pid, said):
    """What a process says it could do, by the layer; `said` gives what it has said so far."""
    before = len(said())
    os.kill(pid, signal.SIGUSR1)
    return until(lambda: SAID.search(said(), before), "what it could do")[1]


def tried(server):
    """The same of a server that a test has started."""
    os.kill(server.child.pid, signal.SIGUSR1)
    while not (found := SAID.search(line := server.child.stderr.readline().decode())):
        assert line, "it said nothing"
    return found[1]
