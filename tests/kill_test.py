"""Kills a training with SIGKILL again and again, at random moments and inside of saves, and goes on
with it: it always resumes, loses at most what came after its last checkpoint, and is in the end, in
weights, rows and evaluations, the run that was never interrupted.

Usage: kill_test.py PATH_OF_LUDUS [KILLS]
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = Path(tempfile.mkdtemp(prefix="ludus-kill-"))
SAID = WORK / "said"
WORDS = ["--set", "train.environments=8", "--set", "train.horizon=16", "--set", "train.minibatch=64",
         "--set", "net.hidden=16", "--set", "net.layers=1", "--set", "run.window_env_steps=2048",
         "--steps", "100M"]
TIMED = ("wall_seconds", "seconds", "steps_per_second", "written", "run_id")


def environment():
    env = {k: v for k, v in os.environ.items() if not k.startswith("LUDUS_")}
    return {**env, "LUDUS_HOME": str(ROOT)}


def start(folder, *words, out=subprocess.PIPE):
    return subprocess.Popen([LUDUS, "train", "cartpole", "--out", str(folder), "--json",
                             *[str(word) for word in words]], stdout=out,
                            stderr=subprocess.PIPE, env=environment(), text=True)


def only_run(folder):
    return next(path for path in folder.iterdir() if path.is_dir())


def undone(folder):
    return list(folder.glob("*/checkpoints/.undone_*"))


def held_in_a_save(child, folder):
    """Stops it when a save has begun; True when the save was still going on then."""
    if not undone(folder):
        return False
    child.send_signal(signal.SIGSTOP)
    os.waitpid(child.pid, os.WUNTRACED)
    if undone(folder):
        return True
    child.send_signal(signal.SIGCONT)
    return False


def kill(child, folder, inside, wait):
    """Lets it run for a while, then kills it; the last update that it told of."""
    end = time.time() + wait
    while time.time() < end and child.poll() is None:
        time.sleep(0.001)
    limit = time.time() + 300
    met = not inside
    while not met and child.poll() is None and time.time() < limit:
        met = held_in_a_save(child, folder)
    child.kill()
    _, err = child.communicate()
    assert child.returncode == -9, f"it ended by itself ({child.returncode}): {err}"
    assert met, "no save was met in 300 s"
    told = [json.loads(line) for line in SAID.read_text().splitlines() if line.endswith("}")]
    updates = [row["update"] for row in told if row["event"] == "update"]
    return updates[-1] if updates else 0


def newest(run):
    """The manifest of the newest checkpoint, whose files are there and whole."""
    folders = sorted(path for path in (run / "checkpoints").iterdir() if path.name[0] != ".")
    if not folders:
        return {"update": 0}
    manifest = json.loads((folders[-1] / "manifest.json").read_text())
    for name, facts in manifest["files"].items():
        assert (folders[-1] / name).stat().st_size == facts["bytes"], f"{folders[-1]}/{name}"
    return manifest


def kept(folder):
    """The update that the run in a folder can go on from; 0 when there is none."""
    found = [path.parent for path in folder.glob("*/checkpoints")]
    return newest(found[0])["update"] if found else 0


def rows(run, name):
    """Rows as every reader sees them."""
    listed = {"windows": "windows", "evals": "evaluations"}[name]
    out = subprocess.run([LUDUS, "export", str(run), "--csv", "--rows", listed], check=True,
                         capture_output=True, env=environment(), text=True).stdout
    head, *lines = [line.split(",") for line in out.splitlines()]
    kept = [i for i, key in enumerate(head) if key.split(".")[0] not in TIMED]
    return [[line[i] for i in kept] for line in lines]


def models(run):
    return {p.parent.name: p.read_bytes() for p in run.glob("checkpoints/*/model.safetensors")}


def finish(folder, stop, *words):
    child = start(folder, *words, "--run.stop_update", stop)
    out, err = child.communicate(timeout=300)
    assert child.returncode == 0, err
    run = only_run(folder)
    subprocess.run([LUDUS, "eval", "--follow", str(run)], check=True, capture_output=True,
                   env=environment())
    return run, json.loads(out.splitlines()[-1])


def main():
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    dice = random.Random(20)
    folder = WORK / "killed"
    begun, inside = time.time(), 0
    for number in range(kills):
        before = kept(folder)
        fresh = before == 0
        if fresh:
            shutil.rmtree(folder, ignore_errors=True)
        words = WORDS + ["--set", "run.checkpoint_updates=1"] if fresh else ["--resume", "latest"]
        with SAID.open("w") as out:  # no pipe, which would fill up and hold it
            child = start(folder, *words, out=out)
        told = kill(child, folder, number % 2 == 1, dice.uniform(0.05, 0.4))
        inside += bool(undone(folder))
        after = kept(folder)
        # a checkpoint follows every update: at most the one that was being saved is lost
        assert after >= max(before, told - 1), f"kill {number}: told of {told}, kept {after}"
    run = only_run(folder)
    assert inside > 0, "no kill came inside of a save"
    last = newest(run)["update"]
    stop = (last // 16 + 3) * 16  # an end of a window
    run, end = finish(folder, stop, "--resume", "latest")
    left = undone(folder) + list(run.rglob(".undone_*")) + list(run.rglob(".ludus-*"))
    assert not left, f"leftovers: {left}"
    straight, whole = finish(WORK / "straight", stop, *WORDS)
    assert end["hash"] == whole["hash"], "the trainer's state differs"
    assert models(run) == models(straight), "the weights differ"
    for name in ("windows", "evals"):
        assert rows(run, name) == rows(straight, name), f"rows of {name} differ"
    resumes = json.loads((run / "run.json").read_text())["resumes"]
    print(f"ok   {time.time() - begun:8.3f} s  kill:{kills}_kills_{inside}_inside_of_a_save_"
          f"{resumes}_resumes_{stop}_updates")
    print("1 passed, 0 failed")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    LUDUS = str(Path(sys.argv[1]).resolve())
    try:
        main()
    except AssertionError as problem:
        print(f"FAIL    0.000 s  kill:kills\n    {problem}\n0 passed, 1 failed")
        sys.exit(1)
    finally:
        shutil.rmtree(WORK, ignore_errors=True)
