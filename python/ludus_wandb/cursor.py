"""What has been sent of a run: RUN/wandb/cursor.json, replaced at once or not at all. A target is a
server with entity and project, or the offline folder; each has its own state."""

import contextlib
import copy
import fcntl
import json
import os
import stat

from .folder import JSON_MOST, parse
from .problem import BAD_DATA, BUSY, FAILED, Problem

EMPTY = {"step": 0, "facts": None, "best": None, "index": None,
         "windows": {}, "evals": {}, "models": {}, "replays": {}}
ARTIFACTS = ("best", "index", "models", "replays")


def check(state, path):
    """Refuses a state of another shape."""
    for key, empty in EMPTY.items():
        value = state.get(key) if isinstance(state, dict) else None
        fine = {"step": isinstance(value, int), "best": value is None or isinstance(value, int)}
        if not fine.get(key, isinstance(value, dict) if isinstance(empty, dict)
                        else value is None or isinstance(value, str)):
            raise Problem(BAD_DATA, f"{path}: '{key}' is not as ludus-wandb wrote it; remove the "
                                    "file to send everything again")


class Cursor:
    """The state of one target. `state` is what was handed over; it counts when commit() says so."""

    def __init__(self, folder, target):
        self.folder, self.target = folder, target
        self.path = folder.where(["wandb", "cursor.json"])
        text = folder.read("wandb", "cursor.json", limit=JSON_MOST)
        self.all = parse(text, self.path) if text is not None else {"schema": 1, "targets": {}}
        targets = self.all.get("targets")
        if self.all.get("schema") != 1 or not isinstance(targets, dict):
            raise Problem(BAD_DATA, f"{self.path}: not a cursor of this version; remove it to send "
                                    "everything again")
        if target in targets:
            check(targets[target], self.path)
        self.state = copy.deepcopy(targets.get(target, EMPTY))
        self.kept = copy.deepcopy(self.state)

    def commit(self, keys=tuple(EMPTY)):
        """Writes the members `keys` of the state; the others stay as they were written last."""
        for key in keys:
            self.kept[key] = copy.deepcopy(self.state[key])
        self.all["targets"][self.target] = self.kept
        try:
            self.write((json.dumps(self.all, separators=(",", ":")) + "\n").encode())
        except OSError as error:
            raise Problem(FAILED, f"cannot write {self.path}: {error.strerror}") from None

    def write(self, data):
        """Through a new file beside it; a link of that name is removed and not followed."""
        undone = "cursor.json.undone"
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
        folder = os.open("wandb", flags, dir_fd=self.folder.root)
        try:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(undone, dir_fd=folder)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            with os.fdopen(os.open(undone, flags, 0o666, dir_fd=folder), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(undone, "cursor.json", src_dir_fd=folder, dst_dir_fd=folder)
        finally:
            os.close(folder)


@contextlib.contextmanager
def only_one(folder):
    """Makes RUN/wandb and holds its lock: one sync of a run at a time."""
    path = folder.where(["wandb"])
    try:
        with contextlib.suppress(FileExistsError):
            os.mkdir("wandb", dir_fd=folder.root)
        if not stat.S_ISDIR(os.stat("wandb", dir_fd=folder.root, follow_symlinks=False).st_mode):
            raise Problem(BAD_DATA, f"{path} isn't a folder; remove it")
        if folder.has("wandb", "settings"):  # the client obeys such a file in the current folder
            raise Problem(BAD_DATA, f"{path}/settings: settings of W&B have no place in a run; "
                                    "remove it")
        lock = os.open("wandb", os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder.root)
    except OSError as error:
        raise Problem(FAILED, f"cannot make {path}: {error.strerror}") from None
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Problem(BUSY, f"{folder.run_id} is being sent by another ludus-wandb; wait until "
                                "it ends") from None
        yield
    finally:
        os.close(lock)
