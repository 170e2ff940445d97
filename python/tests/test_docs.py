"""Every code block of docs/python.md, in one interpreter, from the project's folder."""

import os
import re
import subprocess
import sys


def test_the_page_runs(root, tmp_path):
    text = (root / "docs/python.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.S | re.M)
    assert len(blocks) > 8
    code = "import warnings\nwarnings.simplefilter('error', DeprecationWarning)\n" + "\n".join(blocks)
    words = {**os.environ, "LUDUS_RUN_FOLDER": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], cwd=root, env=words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "from-python" in done.stdout
