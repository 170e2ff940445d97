"""Runs every command in the docs: each line of each ```sh block of README.md, docs/*.md and the
READMEs of games, python and bench, in a copy of the tree, with the built program first on the PATH.
Also checks that docs/settings.md and docs/TRAIN_OPTIONS.md are fresh, that relative links lead somewhere, and that the functions
of docs/an-update.md are there.

Usage: docs_test.py PATH_OF_LUDUS
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# run by CI itself, or by tests/new_game_test
ELSEWHERE = ("./check", "./run", "git clone", "cd ", "ludus new lantern", "cmake --preset release",
             "cmake --build --preset release", "build/release/ludus conform lantern",
             "build/release/ludus watch lantern")
INTERACTIVE = re.compile(r"\bludus play\b")
PAGES = ["README.md", "docs/*.md", "games/*/README.md", "python/reference/README.md",
         "bench/results/README.md"]

passed = failed = 0


def report(name, problem, seconds):
    global passed, failed
    if problem:
        failed += 1
        print(f"FAIL {seconds:8.3f} s  docs:{name}\n    {problem}")
    else:
        passed += 1
        print(f"ok   {seconds:8.3f} s  docs:{name}")


def pages():
    for pattern in PAGES:
        yield from sorted(ROOT.glob(pattern))


def commands(text):
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.S | re.M):
        joined = block.replace("\\\n", " ")
        for line in joined.splitlines():
            line = line.split("  #")[0].strip()
            if line and not line.startswith("#"):
                yield line


def run_commands(ludus):
    work = Path(tempfile.mkdtemp(prefix="ludus-docs-"))
    tree = work / "ludus"
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT,
                           capture_output=True, check=True).stdout.decode().split("\0")
    for name in filter(None, files):
        source = ROOT / name
        if source.is_file():
            target = tree / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    (tree / "build/release").mkdir(parents=True)
    for program in ("ludus", "ludus-grpc"):
        os.symlink(Path(ludus).parent / program, tree / "build/release" / program)
    env = dict(os.environ, PATH=f"{tree}/build/release:{os.environ['PATH']}", LUDUS_HOME=str(tree),
               NO_COLOR="1")
    seen = set()
    for page in pages():
        for line in commands(page.read_text()):
            if line in seen or line.startswith(ELSEWHERE):
                continue
            seen.add(line)
            start = time.time()
            result = subprocess.run(["bash", "-c", line], cwd=tree, env=env, text=True, timeout=300,
                                    input="q\n" if INTERACTIVE.search(line) else "",
                                    capture_output=True)
            problem = None
            if result.returncode != 0:
                problem = f"exit {result.returncode}: {(result.stderr or result.stdout)[-300:]}"
            report(f"{page.relative_to(ROOT)}:{line}", problem, time.time() - start)
    shutil.rmtree(work)


def check_links():
    for page in pages():
        start = time.time()
        missing = []
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text()):
            if "://" not in target and not (page.parent / target).exists():
                missing.append(target)
        report(f"links of {page.relative_to(ROOT)}", missing and f"dead links: {missing}",
               time.time() - start)


def check_functions():
    start = time.time()
    text = "".join(p.read_text() for p in [*ROOT.glob("src/*/*.[ch]"), *ROOT.glob("include/ludus/*.h")])
    named = set(re.findall(r"`([a-z]+_[a-z_]+)`", (ROOT / "docs/an-update.md").read_text()))
    missing = sorted(n for n in named if not re.search(rf"\b{n}\(", text))
    problem = not named and "no function is named" or missing and f"no such functions: {missing}"
    report("functions of an-update.md", problem, time.time() - start)


def check_settings(ludus):
    for name, words in (("settings.md", "settings --markdown"),
                        ("TRAIN_OPTIONS.md", "settings --aliases --markdown")):
        start = time.time()
        made = subprocess.run([ludus, *words.split()], capture_output=True, text=True)
        kept = ROOT / "docs" / name
        stale = not kept.exists() or kept.read_text() != made.stdout
        report(f"{name} is fresh", stale and f"docs/{name} is stale: ludus {words} > docs/{name}",
               time.time() - start)


def main():
    ludus = str(Path(sys.argv[1]).resolve())
    check_links()
    check_functions()
    check_settings(ludus)
    run_commands(ludus)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
