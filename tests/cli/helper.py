"""What the tests of the command line share: calls of the program, files in a scratch folder, and a
pseudo terminal. The path of the program is the first argument of cli_test.py."""

import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LUDUS = str(Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else ""
PROBES = os.path.join(os.path.dirname(LUDUS), "probes_ludus")
WORK = Path(tempfile.mkdtemp(prefix="ludus-cli-"))
VERBS = ["games", "spec", "play", "watch", "train", "eval", "compare", "runs", "export", "sweep", "ablate", "serve", "serve-policy", "serve-env", "replay", "trace", "verify", "conform", "golden", "bench",
         "model", "new", "config", "tool", "settings", "doctor", "completion", "manual", "help"]
GAME_VERBS = ["spec", "play", "watch", "train", "trace", "verify", "conform", "golden", "bench", "config"]
TESTS = []
# Longest wait for anything, in seconds: no test depends on an idle machine.
PATIENCE = 300


def test(function):
    TESTS.append(function)
    return function


def environment(**more):
    env = {k: v for k, v in os.environ.items() if not k.startswith("LUDUS_")}
    env.pop("NO_COLOR", None)
    env.update(LUDUS_HOME=str(ROOT), TERM="xterm-256color", LC_ALL="C.UTF-8")
    env.update({k: str(v) for k, v in more.items()})
    return env


class Result:
    def __init__(self, words, done):
        self.words, self.code = words, done.returncode
        self.bytes = done.stdout
        self.out = done.stdout.decode("utf-8", "replace")
        self.err = done.stderr.decode("utf-8", "replace")

    def lines(self):
        return [json.loads(line) for line in self.out.splitlines()]

    def json(self):
        return json.loads(self.out)

    def __str__(self):
        return f"ludus {' '.join(self.words)}: exit {self.code}\n{self.out[-400:]}\n{self.err[-400:]}"


def ludus(*words, code=0, stdin=b"", env=None, cwd=None, timeout=PATIENCE, program=LUDUS):
    words = [str(w) for w in words]
    stdin = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run([program, *words], input=stdin, capture_output=True, timeout=timeout,
                          env=env or environment(), cwd=cwd or WORK)
    result = Result(words, done)
    assert result.code == code, f"expected exit {code}: {result}"
    if code not in (0,):
        assert result.err.startswith("ludus: "), f"no sentence: {result}"
    assert "\x1b" not in result.out, f"escape codes in a pipe: {result}"
    return result


def probes(*words, **more):
    """The command line over the probe games, for what no game of games/ has."""
    return ludus(*words, program=PROBES, **more)


def fails(code, part, *words, **more):
    """The call ends with this code and one sentence that holds `part`."""
    result = ludus(*words, code=code, **more)
    assert part in result.err, f"'{part}' is not in: {result}"
    assert len(result.err.strip().splitlines()) == 1, f"more than one sentence: {result}"
    assert len(result.err) < 1200, f"an endless sentence: {result}"
    return result


def file(name, content):
    path = WORK / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def games():
    return [g["id"] for g in ludus("games", "--json").json()["games"]]


def ludus_any(*words, **more):
    """A call whose exit code the caller checks."""
    done = subprocess.run([LUDUS, *[str(w) for w in words]], capture_output=True,
                          env=environment(), cwd=WORK, timeout=PATIENCE, **more)
    return Result([str(w) for w in words], done)


def vectors():
    for folder in (ROOT / "games/prospector/vectors", ROOT.parent / "shared/vectors/prospector"):
        found = sorted(folder.glob("*.jsonl.gz"))
        if found:
            return found
    return []


def until(condition, what, seconds=PATIENCE):
    """Waits for a condition; returns what it gives."""
    end = time.time() + seconds
    while True:
        found = condition()
        if found:
            return found
        assert time.time() < end, f"waited in vain for: {what}"
        time.sleep(0.02)


def interrupt(child):
    """Ctrl-C, a moment after the program listens to it."""
    def listens():
        caught = re.search(r"SigCgt:\s*(\w+)", Path(f"/proc/{child.pid}/status").read_text())
        return int(caught[1], 16) >> (signal.SIGINT - 1) & 1
    until(listens, "a program that listens to Ctrl-C")
    time.sleep(0.2)
    child.send_signal(signal.SIGINT)


class Terminal:
    """ludus in a pseudo terminal of 80 x 24."""

    def __init__(self, *words, env=None, columns=80, lines=24, program=LUDUS):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        self.child = subprocess.Popen([program, *[str(w) for w in words]], stdin=slave, stdout=slave,
                                      stderr=slave, env=env or environment(), cwd=WORK,
                                      start_new_session=True)
        self.seen = ""

    def wait_for(self, part, seconds=PATIENCE):
        start = len(self.seen)
        end = time.time() + seconds
        while time.time() < end:
            if part in self.seen[start:]:
                return self.seen[start:]
            ready, _, _ = select.select([self.master], [], [], 0.1)
            if ready:
                try:
                    self.seen += os.read(self.master, 65536).decode("utf-8", "replace")
                except OSError:
                    break
            if part in self.seen[max(0, start - len(part)):]:
                return self.seen[start:]
        raise AssertionError(f"'{part}' did not appear in {self.seen[start:][-800:]!r}")

    def type(self, text):
        os.write(self.master, text.encode())

    def screen(self):
        """The lines of the last drawing, once it has come whole, without escape codes."""
        start = self.seen.rfind("\x1b[?25l\x1b[H")
        if "\x1b[J" not in self.seen[start:]:
            self.wait_for("\x1b[J")
        last = self.seen.rsplit("\x1b[?25l\x1b[H", 1)[-1]
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", last).replace("\r", "").split("\n")

    def end(self, code):
        deadline = time.time() + PATIENCE
        while self.child.poll() is None and time.time() < deadline:
            ready, _, _ = select.select([self.master], [], [], 0.1)
            if ready:
                self.seen += os.read(self.master, 65536).decode("utf-8", "replace")
        while select.select([self.master], [], [], 0.1)[0]:
            self.seen += os.read(self.master, 65536).decode("utf-8", "replace")
        assert self.child.poll() == code, (self.child.poll(), self.seen[-500:])
        assert termios.tcgetattr(self.slave) == self.before, "the terminal is not as it was"
        if "\x1b[?1049h" in self.seen:
            assert self.seen.count("\x1b[?1049l") == self.seen.count("\x1b[?1049h"), "screen not left"
            assert self.seen.rindex("\x1b[?25h") > self.seen.rindex("\x1b[?25l"), "cursor hidden"
        os.close(self.master)
        os.close(self.slave)


def copy_of_the_project(name):
    home = WORK / name
    home.mkdir()
    for part in ["games", "config", "docs"]:
        shutil.copytree(ROOT / part, home / part)
    (home / "CMakeLists.txt").write_text("")
    return home


def main(label, usage):
    """Runs every test that was declared, or those whose names hold a word of the command line, and none whose name holds a -WORD."""
    if len(sys.argv) < 2:
        sys.exit(usage)
    filters = [word for word in sys.argv[2:] if not word.startswith("-")]
    left_out = [word[1:] for word in sys.argv[2:] if word.startswith("-")]
    passed = failed = 0
    for function in TESTS:
        if filters and not any(f in function.__name__ for f in filters) or any(f in function.__name__ for f in left_out):
            continue
        start, problem = time.time(), None
        try:
            function()
        except Exception as error:  # a test may fail in any way; the others still run
            problem = f"{type(error).__name__}: {error}"
        word = "FAIL" if problem else "ok  "
        print(f"{word} {time.time() - start:8.3f} s  {label}:{function.__name__}", flush=True)
        failed, passed = failed + bool(problem), passed + (not problem)
        if problem:
            print("    " + problem[:3000].replace("\n", "\n    "), flush=True)
    shutil.rmtree(WORK, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0
