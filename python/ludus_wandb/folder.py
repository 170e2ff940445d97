"""Reads a run folder (docs/run-folder.md). Whoever made it may mean harm: every file is opened
beneath the folder without following links, is a plain file, has a largest size, and what it says is
checked before it is used. Nothing is written here."""

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import re
import shutil
import stat

from .problem import BAD_DATA, FAILED, NOT_FOUND, Problem

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}\Z")  # of a run, a game, a replay
JSON_MOST = 16 << 20
ROWS_MOST = 1 << 30
LINE_MOST = 8 << 20
MODEL_MOST = 4 << 30
REPLAY_MOST = 256 << 20
# differ between two trainings that are otherwise equal bit for bit
TIMES = ("written", "wall_seconds", "steps_per_second", "seconds")


def digest(value):
    """A short name of bytes or of a JSON value."""
    if not isinstance(value, bytes):
        value = json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
    return hashlib.sha256(value).hexdigest()[:32]


def whole(value):
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53


def number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def parse(text, where):
    """A JSON object; strict about what JSON does not have."""
    def refuse(word):
        raise ValueError(f"{word} isn't JSON")

    try:
        value = json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise Problem(BAD_DATA, f"{where}: {error}") from None
    if not isinstance(value, dict):
        raise Problem(BAD_DATA, f"{where}: expected a JSON object")
    return value


class Row:
    """A row of metrics that counts, with the number of resumes before it."""

    def __init__(self, value, resumes):
        self.value, self.resumes = value, resumes
        self.window, self.steps = value["window_id"], value["env_steps"]

    def digest(self):
        return digest({key: value for key, value in self.value.items() if key not in TIMES})


class RunFolder:
    """A run folder that is open for reading; close() lets go of it."""

    def __init__(self, path):
        self.path = os.path.abspath(path)
        try:
            self.root = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise Problem(NOT_FOUND, f"cannot open the run {path}: {error.strerror}") from None
        self.facts = self.read_facts()
        self.run_id = self.facts["run_id"]

    def close(self):
        os.close(self.root)

    # ---- files ----

    @contextlib.contextmanager
    def open(self, *parts, limit):
        """A plain file beneath the folder as (file, bytes), or None when it is not there."""
        folder = os.dup(self.root)
        try:
            for part in parts[:-1]:
                flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
                inner = os.open(part, flags, dir_fd=folder)
                os.close(folder)
                folder = inner
            # without O_NONBLOCK a pipe in place of the file would hold us up
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            file = os.open(parts[-1], flags, dir_fd=folder)
        except OSError as error:
            if error.errno == errno.ENOENT:
                yield None
                return
            raise self.bad(parts, "is a link" if error.errno == errno.ELOOP else error.strerror)
        finally:
            os.close(folder)
        with os.fdopen(file, "rb") as stream:
            facts = os.fstat(file)
            if not stat.S_ISREG(facts.st_mode):
                raise self.bad(parts, "isn't a regular file")
            if facts.st_size > limit:
                raise self.bad(parts, f"has {facts.st_size} bytes, more than {limit}")
            yield stream, facts.st_size

    def read(self, *parts, limit):
        """The bytes of a file; None when it is not there."""
        with self.open(*parts, limit=limit) as found:
            if not found:
                return None
            data = found[0].read(limit + 1)
        if len(data) > limit:
            raise self.bad(parts, f"has more than {limit} bytes")
        return data

    def copy(self, target, *parts, limit, length):
        """Copies a file of `length` bytes into a stream; False when it is not there. By its
        descriptor: a path could change under us."""
        with self.open(*parts, limit=limit) as found:
            if not found:
                return False
            stream, size = found
            if length != size:
                raise self.bad(parts, f"has {size} bytes, and is said to have {length}")
            shutil.copyfileobj(stream, target)
        return True

    def has(self, *parts):
        """True when something, of whatever kind, is there."""
        try:
            os.stat(os.path.join(*parts), dir_fd=self.root, follow_symlinks=False)
            return True
        except OSError:
            return False

    def where(self, parts):
        return os.path.join(self.path, *parts)

    def bad(self, parts, why):
        return Problem(BAD_DATA, f"{self.where(parts)} {why}; it is not sent")

    # ---- what the run is ----

    def read_facts(self):
        text = self.read("run.json", limit=JSON_MOST)
        if text is None:
            raise Problem(NOT_FOUND, f"{self.path} isn't a run: it has no run.json")
        facts = parse(text, self.where(["run.json"]))
        for key in ("run_id", "game"):
            if not isinstance(facts.get(key), str) or not NAME.match(facts[key]):
                raise Problem(BAD_DATA, f"{self.where(['run.json'])}: '{key}' isn't a name of "
                                        "letters, digits, - _ and .")
        if not isinstance(facts.get("settings", {}), dict):
            raise Problem(BAD_DATA, f"{self.where(['run.json'])}: 'settings' isn't an object")
        return facts

    def refresh(self):
        """Reads run.json again: its status, notes and tags change."""
        facts = self.read_facts()
        if facts["run_id"] != self.run_id:
            raise Problem(BAD_DATA, f"{self.path} has become another run")
        self.facts = facts

    def alive(self):
        """True while a training or an evaluator holds its lock. The lock is tried for an instant
        and never kept."""
        return self.locked(".") or self.locked("replays")

    def locked(self, name):
        try:
            file = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC,
                           dir_fd=self.root)
        except OSError:
            return False
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return False
        except BlockingIOError:
            return True
        except OSError as error:
            raise Problem(FAILED, f"cannot try the lock of {self.path}: {error.strerror}") from None
        finally:
            os.close(file)

    # ---- rows ----

    def rows(self, kind):
        """Rows of metrics/KIND.jsonl that count, in order, and how many resumes there were: what a
        resume or a later row of the same window made void is left out, so is a torn last line."""
        parts = ("metrics", kind + ".jsonl")
        rows, resumes = [], 0
        lines = (self.read(*parts, limit=ROWS_MOST) or b"").split(b"\n")
        for line, text in enumerate(lines[:-1], 1):
            where = f"{self.where(parts)}: line {line}"
            if len(text) > LINE_MOST:
                raise Problem(BAD_DATA, f"{where}: longer than {LINE_MOST} bytes")
            value = parse(text, where)
            resumes += "resume" in value
            first = value.get("resume", value.get("window_id"))
            if not whole(first) or ("resume" not in value and not whole(value.get("env_steps"))):
                raise Problem(BAD_DATA, f"{where}: no whole window_id and env_steps, and no resume")
            while rows and rows[-1].window >= first:
                rows.pop()
            if "resume" not in value:
                rows.append(Row(value, resumes))
        return rows, resumes

    # ---- checkpoints ----

    def manifest(self, window):
        """Bytes and content of the manifest of a closed checkpoint that has its model; None when
        there is none."""
        parts = ("checkpoints", f"ckpt_{window:06}", "manifest.json")
        text = self.read(*parts, limit=JSON_MOST)
        if text is None or not self.has(*parts[:2], "model.safetensors"):
            return None
        content = parse(text, self.where(parts))
        return (text, content) if content.get("closed") is True else None
