"""environment.yml, read strictly, and what it asks of pip done: in an environment of its own, with the
sources in place. conda itself is not asked.
"""

import os
import re
import subprocess
import sys
import sysconfig
import tomllib

import pytest

ITEM = r"([a-z][a-z0-9-]*)(?:>=([0-9]+(?:\.[0-9]+)*))?"


def read(text):
    """Packages of conda and lines for pip, with the least version of each; no other layout is known."""
    head = "name: ludus\nchannels:\n  - conda-forge\ndependencies:\n"
    found = re.fullmatch(rf"(?:#.*\n)+{head}((?:  - .*\n)+)  - pip:\n((?:      - .*\n)+)", text)
    assert found, "another layout"
    lists = [re.findall(r"- (.*)\n", part) for part in found.groups()]
    packages, lines = ([re.fullmatch(ITEM, line) for line in part] for part in lists)
    assert all(packages) and lists[1].pop() == "./python" and all(lines[:-1])
    return [dict(one.groups() for one in part) for part in (packages, lines[:-1])]


def test_the_file_asks_for_what_the_package_asks_for(root):
    conda, pip = read((root / "environment.yml").read_text())
    project = tomllib.loads((root / "python/pyproject.toml").read_text())
    facts, extras = project["project"], project["project"]["optional-dependencies"]
    known = {name: least for name, least in (re.fullmatch(ITEM, one).groups() for one in extras["test"])}
    assert conda.keys() == {"python", "pip", "cmake", "ninja", "numpy", "pandas", "pytest"}
    assert f">={conda['python']}" == facts["requires-python"]
    assert f">={conda['cmake']}" == project["tool"]["scikit-build"]["cmake"]["version"]
    assert pip == {name: least for name, least in known.items() if name not in conda}
    asked = {re.match(r"[a-z-]+", one)[0] for one in facts["dependencies"]} | known.keys()
    assert asked <= conda.keys() | pip.keys(), "a package of ours is missing"


def test_what_it_asks_of_pip_installs_in_place(root, tmp_path):
    """The build's requirements and the packages of others are those of this environment."""
    pytest.importorskip("scikit_build_core")
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    python = tmp_path / "env/bin/python"
    site = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    outer = [sysconfig.get_path("purelib"), *(path for path in sys.path if path.endswith("-packages"))]
    with open(f"{site}/outer.pth", "w") as file:
        file.write("\n".join(dict.fromkeys(outer)))
    _, pip = read((root / "environment.yml").read_text())
    lines = [f"{name}>={least}" for name, least in pip.items()]
    built = root / "build/release"
    words = {**os.environ, "PATH": f"{sysconfig.get_path('scripts')}:{os.environ['PATH']}"}
    if (built / "libludus.a").exists():
        words["CMAKE_ARGS"] = f"-DLUDUS_BUILD={built}"
    install = [
        python,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-index",
        "--no-build-isolation",
        *lines,
        "-e",
        "./python",
    ]
    done = subprocess.run(install, cwd=root, env=words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    code = (
        "import gymnasium, ludus, ludus.program; env = gymnasium.make('ludus/prospector-v1');"
        "env.reset(seed=1); env.step(0); print(ludus.__file__); print(ludus.program.path())"
    )
    bare = {key: value for key, value in os.environ.items() if key != "LUDUS_HOME"}
    done = subprocess.run([python, "-c", code], cwd=tmp_path, env=bare, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    module, program = done.stdout.split()
    assert module == str(root / "python/ludus/__init__.py")
    assert subprocess.run([program, "--version"], capture_output=True, cwd=tmp_path).returncode == 0
    assert (tmp_path / "env/bin/train").exists()
