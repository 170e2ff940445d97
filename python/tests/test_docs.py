"""Every code block of docs/python.md, in one interpreter, from the project's folder."""

import importlib.util
import os
import re
import subprocess
import sys

import pytest


def missing(block, root):
    """What a block needs that is not here; None where all of it is."""
    for word, module in (("remote", "grpc"), ("import torch", "torch"), ("gymnasium", "gymnasium")):
        if word in block and importlib.util.find_spec(module) is None:
            return module
    program = re.search(r'"(build/[^"]*)"', block)
    return program[1] if program and not (root / program[1]).exists() else None


def test_the_page_runs(root, tmp_path):
    text = (root / "docs/python.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.S | re.M)
    assert len(blocks) > 8
    left = [(block, missing(block, root)) for block in blocks]
    code = "import warnings\nwarnings.simplefilter('error', DeprecationWarning)\n"
    code += "\n".join(block for block, none in left if none is None)
    words = {**os.environ, "LUDUS_RUN_FOLDER": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], cwd=root, env=words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "from-python" in done.stdout
    lacking = sorted({none for _, none in left if none is not None})
    if lacking:
        pytest.skip(f"the rest of the page ran: {', '.join(lacking)} not installed")
