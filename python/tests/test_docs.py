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


def test_the_puffer_example_leaves_no_link_behind(root, tmp_path):
    """PufferLib links to its resources from the current folder when it is imported."""
    pytest.importorskip("torch")
    (tmp_path / "lib/pufferlib").mkdir(parents=True)
    (tmp_path / "here").mkdir()
    (tmp_path / "lib/pufferlib/__init__.py").write_text(
        "import os\nos.symlink(__path__[0], 'resources')\nraise ImportError('a stand-in')\n"
    )
    words = {**os.environ, "PYTHONPATH": str(tmp_path / "lib")}
    example = [sys.executable, root / "python/examples/puffer_train.py"]
    done = subprocess.run(example, cwd=tmp_path / "here", env=words, capture_output=True, text=True)
    assert done.stdout.startswith("skipped: ") and "a stand-in" in done.stdout, done
    assert list((tmp_path / "here").iterdir()) == []
