"""ludus sweep: a search that goes on after any end, and the preset made of it."""

import fcntl
import json
import os
import signal
import subprocess
import time
from pathlib import Path

from cli.helper import (LUDUS, WORK, copy_of_the_project, environment, fails, file, ludus,
                        test, until)

SPACE = """\
[train.rate]
min = 1e-4
max = 1e-1
scale = log
form = linear({},0)
[train.epochs]
min = 1
max = 3
[net.activation]
options = relu
options = tanh
"""
SMALL = ["--set", "train.environments=8", "--set", "train.horizon=16", "--set", "net.hidden=8",
         "--threads", "1", "--cost", "steps"]


def sweep(folder, trials, *more, code=0):
    space = file("space.ini", SPACE)
    return ludus("sweep", "cartpole", "--space", space, "--out", folder, "--trials", trials, "--steps",
                 4000, "--start", 3, *SMALL, *more, code=code)


def trials_of(folder):
    rows = [json.loads(line) for line in (Path(folder) / "trials.jsonl").read_text().splitlines()]
    for row in rows:
        del row["seconds"]
    return rows


@test
def a_sweep_goes_on_as_if_it_had_not_stopped():
    whole, parts = WORK / "sweep-whole", WORK / "sweep-parts"
    lines = sweep(whole, 7, "--json").lines()
    assert [x["event"] for x in lines] == ["trial"] * 7 + ["best"], lines
    best = max(x["score"] for x in lines[:7] if x["state"] == "done")
    assert lines[7]["score"] == best and lines[7]["trials"] == 7
    sweep(parts, 3)
    with open(parts / "trials.jsonl", "a", encoding="utf-8") as out:
        out.write('{"trial":3,"se')
    sweep(parts, 7)
    assert trials_of(whole) == trials_of(parts)
    again = sweep(whole, 7, "--json").lines()
    assert [x["event"] for x in again] == ["best"], "nothing is left to do"
    assert ludus("sweep", "best", whole, "--json").json()["score"] == best


@test
def ctrl_c_gives_up_the_running_trial_only():
    folder = WORK / "sweep-stopped"
    space = file("space.ini", SPACE)
    words = [LUDUS, "sweep", "cartpole", "--space", space, "--out", folder, "--steps", "3M", *SMALL]
    child = subprocess.Popen([str(w) for w in words], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, env=environment())
    until((folder / "trials.jsonl").exists, "a first trial")
    time.sleep(0.2)  # into the second
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=300)
    assert child.returncode == 130 and b"repeat the command to resume" in err, (child.returncode, err)
    assert (folder / "trials.jsonl").read_bytes().count(b"\n") == out.count(b" steps")


@test
def the_best_becomes_a_preset():
    folder = WORK / "sweep-preset"
    env = environment(LUDUS_HOME=copy_of_the_project("sweep-home"))
    best = sweep(folder, 4, "--json").lines()[-1]
    told = ludus("sweep", "best", folder, "--write-preset", "swept", "--json", env=env).json()
    text = Path(told["preset"]).read_text()
    assert "algo = ppo\n" in text
    for key, value in {**best["settings"], **best["values"]}.items():
        assert f"{key} = {value}\n" in text, (key, text)
    trained = ludus("train", "cartpole", "--preset", "swept", "--steps", 500, "--out",
                    WORK / "sweep-runs", "--json", env=env).lines()
    assert trained[0]["batch"] == 8 * 16, trained[0]
    fails(2, "already exists; choose another name", "sweep", "best", folder, "--write-preset", "swept", env=env)
    fails(2, "isn't a name", "sweep", "best", folder, "--write-preset", "../x", env=env)


@test
def a_sweep_is_read_where_it_is_written():
    home = copy_of_the_project("sweep-place")
    space = file("space.ini", SPACE)
    ludus("sweep", "cartpole", "--space", space, "--trials", 1, "--steps", 1000, *SMALL,
          env=environment(LUDUS_HOME=home))
    assert (home / "sweeps/cartpole/sweep.json").exists()
    for cwd in WORK, home:
        told = ludus("sweep", "best", "sweeps/cartpole", "--json", env=environment(LUDUS_HOME=home), cwd=cwd)
        assert told.json()["trials"] == 1
    fails(3, "no sweep", "sweep", "best", "sweeps/none", env=environment(LUDUS_HOME=home))


@test
def bad_sweeps_are_told_in_a_sentence():
    space = file("space.ini", SPACE)
    folder = WORK / "sweep-bad"
    fails(2, "--space", "sweep", "cartpole")
    fails(2, "needs a game", "sweep")
    fails(2, "`ludus sweep best` needs a sweep's folder", "sweep", "best")
    fails(3, "no sweep", "sweep", "best", WORK)
    fails(2, "did you mean 'return'", "sweep", "cartpole", "--space", space, "--metric", "retur")
    fails(2, "use --steps instead", "sweep", "cartpole", "--space", space, "--set",
          "train.steps=5", "--out", folder)
    fails(3, "nope.ini", "sweep", "cartpole", "--space", "nope.ini", "--out", folder)
    fails(2, "did you mean 'train.rate.min'", "sweep", "cartpole", "--space",
          file("typo.ini", "train.rat.min = 1\n"), "--out", folder)
    fails(2, "set by the sweep", "sweep", "cartpole", "--space",
          file("seed.ini", "train.seed.min = 1\ntrain.seed.max = 9\n"), "--out", folder)
    fails(2, "no setting varies", "sweep", "cartpole", "--space", file("empty.ini", ""), "--out",
          folder)
    assert not os.path.exists(folder), "a refused sweep leaves nothing"
    sweep(folder, 1)
    sweep(folder, 2, "--seed", 2, code=4)
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        sweep(folder, 2, code=7)
    finally:
        os.close(held)
    broken = file("broken.ini", "[train.segment]\noptions = 5\noptions = 7\n")
    done = ludus("sweep", "cartpole", "--space", broken, "--out", WORK / "sweep-broken", "--steps",
                 1000, *SMALL, code=1)
    assert "all 5 trials failed" in done.err and "train.segment" in done.err, done.err
