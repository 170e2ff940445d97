"""Tests of the verbs that train and judge: train, eval, and watch and play with a model. Runs,
exact resume, locks, Ctrl-C, names of models, bad input.

Usage: train_cli_test.py PATH_OF_LUDUS [FILTER...] [-LEFT_OUT...]
"""

import fcntl
import json
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

from cli.helper import (LUDUS, PROBES, ROOT, WORK, Terminal, copy_of_the_project, environment, fails, file, ludus,
                        main, test)

SMALL = ["--set", "train.environments=8", "--set", "train.horizon=16", "--set", "train.minibatch=64",
         "--set", "net.hidden=16", "--set", "net.layers=1", "--set", "eval.on=false"]
DQN = ["--algo", "dqn", "--set", "dqn.environments=8", "--set", "dqn.rounds=4", "--set",
       "dqn.minibatch=32", "--set", "dqn.buffer=2k", "--set", "dqn.warmup=100", "--set",
       "net.hidden=16", "--set", "net.layers=1", "--set", "eval.on=false"]


def runs(name):
    """A fresh folder of runs."""
    return WORK / f"runs-{name}"


def train(game, folder, *words, code=0):
    """Trains and returns start, rows and end."""
    result = ludus("train", game, "--out", folder, "--json", *words, code=code)
    lines = result.lines()
    assert lines[0]["event"] == "start" and lines[-1]["event"] == "end", result
    return lines[0], [line for line in lines if line["event"] == "update"], lines[-1]


def run_json(end):
    return json.loads((Path(end["folder"]) / "run.json").read_text())


def checkpoints(end):
    return sorted(p.name for p in (Path(end["folder"]) / "checkpoints").iterdir())


def only_run(folder):
    """The one run in a folder of runs."""
    return next(path for path in folder.iterdir() if path.is_dir())


def trained(name="shared"):
    """A small run of cartpole, made once."""
    folder = runs(name)
    if not folder.exists():
        train("cartpole", folder, "--steps", "4096", *SMALL)
    return folder


# ---- runs ----

@test
def dqn_learns_under_rules_that_need_the_state():
    """The mask in force is kept with the step: no illegal action, more than by chance, and exact resume."""
    words = ["train", "chain", "--algo", "dqn", "--threads", "1", "--json", "--set", "dqn.warmup=4k", "--set", "net.hidden=32", "--set", "eval.on=false",
             "--out", runs("chain"), "--steps", "40k"]
    rows = ludus(*words, program=PROBES).lines()
    updates = [row for row in rows if row["event"] == "update"]
    assert updates[-1]["reward"] > 1.5 * updates[0]["reward"], (updates[0]["reward"], updates[-1]["reward"])
    assert not any(row["illegal"] for row in updates)
    part = ludus(*words, "--run.stop_update", "9", program=PROBES).lines()[-1]
    rest = ludus("train", "chain", "--resume", part["folder"], "--json", program=PROBES).lines()[-1]
    assert rest["hash"] == rows[-1]["hash"]
    brief = train("joker-brief-v1", runs("brief"), "--steps", "4096", "--set", "reward.mode=guide", *DQN)
    assert not any(row["illegal"] for row in brief[1])
    assert ludus("eval", brief[2]["folder"], "--episodes", "2", "--json").json()["illegal"]["mean"] == 0


@test
def a_run_says_what_it_is():
    start, rows, end = train("cartpole", runs("what"), "--steps", "1280", "--seed", "7", *SMALL,
                             "--set", "run.window_env_steps=384", "--set", "run.keep=2")
    assert start["memory"]["total"] >= start["memory"]["rollout"] > 0
    assert len(rows) == 10 and rows[-1]["update"] == 10 and rows[-1]["env_steps"] == 1280
    assert end["status"] == "finished" and re.fullmatch(r"[0-9a-f]{16}", end["hash"])
    assert re.fullmatch(r"\d{8}T\d{6}Z-[0-9a-z]+-cartpole", end["run"]), end
    about = run_json(end)
    assert about["status"] == "finished" and about["seed"] == "7" and about["game"] == "cartpole-v1"
    assert about["settings"]["train.seed"] == {"value": "7", "origin": "flag", "where": "--seed"}
    assert about["settings"]["train.gamma"]["origin"] == "default"
    assert about["settings"]["net.hidden"]["where"] == "--set"
    assert about["cpu"] and about["commit"] and about["version"] and about["started"]
    assert re.fullmatch(r"[0-9a-f]{16}", about["binary"]) and about["host"]
    assert about["notes"] == "" and about["tags"] == [] and about["archived"] is False
    assert checkpoints(end) == [f"ckpt_00000{i}" for i in range(4)]
    whole = [p.parent.name for p in Path(end["folder"]).glob("checkpoints/*/state.bin")]
    assert sorted(whole) == ["ckpt_000002", "ckpt_000003"]
    point = Path(end["folder"]) / "checkpoints/ckpt_000003"
    manifest = json.loads((point / "manifest.json").read_text())
    assert manifest["hash"] == end["hash"] and manifest["env_steps"] == 1280 and manifest["closed"]
    for name, facts in manifest["files"].items():
        assert (point / name).stat().st_size == facts["bytes"], name
    kept = [json.loads(line) for line in (Path(end["folder"]) / "metrics/updates.jsonl").open()]
    assert [row["update"] for row in kept] == list(range(1, 11))
    assert kept[-1]["seconds"]["learn"] > 0 and "kl" in kept[-1] and "terms" in kept[-1]


@test
def text_tells_memory_first():
    out = ludus("train", "corridor", "--out", runs("text"), "--steps", "256", *SMALL).out
    assert out.startswith("preset: corridor; --preset none uses the default settings\nmemory: ") and "rollout" in out.splitlines()[1]
    assert "ludus eval" in out.splitlines()[-1]


@test
def what_does_not_fit_names_the_settings():
    fails(6, "lower train.environments, train.horizon or net.hidden", "train", "prospector", "--out",
          runs("large"), "--set", "train.environments=1M", "--set", "train.horizon=1000")
    assert not runs("large").exists()


@test
def a_profile_changes_defaults_only():
    _, rows, end = train("cartpole", runs("profile"), "--steps", "1024", "--set",
                         "train.profile=classic", "--set", "train.epochs=2")
    settings = run_json(end)["settings"]
    assert settings["train.environments"]["value"] == "4" and settings["train.epochs"]["value"] == "2"
    assert settings["train.gamma"] == {"value": "0.99", "origin": "default", "where": "profile classic"}
    assert rows[-1]["epochs"] == 2 and rows[-1]["env_steps"] == 1024


@test
def short_names_are_the_same_setting():
    fails(2, "are the same setting", "train", "cartpole", "--steps", "10", "--train.steps", "20")
    fails(2, "'train.steps'", "train", "cartpole", "--steps", "none")
    fails(2, "'train.steps'", "train", "cartpole", "--steps", "0")
    fails(2, "under two names", "train", "cartpole", "--out", "here", "--runs", "there")
    folder = runs("names")
    run = train("cartpole", folder, "--steps", "256", *SMALL)[2]["run"]
    assert [r["run_id"] for r in ludus("runs", "--runs", folder, "--json").json()["runs"]] == [run]
    assert run in ludus("train", "--runs", folder, "--resume", "latest").err


@test
def auto_precision_is_settled_when_a_training_begins():
    _, _, end = train("cartpole", runs("auto"), "--steps", "256", *SMALL, "--set", "net.precision=auto")
    settled = run_json(end)["settings"]["net.precision"]["value"]
    level = next(f["found"] for f in ludus("doctor", "--json").json()["findings"] if f["name"] == "network kernels")
    assert (settled == "bf16tile") == level.startswith("amx; ") and settled in ("fp32", "bf16", "bf16tile")
    model = ludus("model", "show", end["folder"], "--json").json()
    assert model["settings"]["net"]["net.precision"] == settled
    _, _, same = train("cartpole", runs("auto-same"), "--steps", "256", *SMALL, "--set", f"net.precision={settled}")
    assert same["hash"] == end["hash"]
    # tiles give the same weights at every level
    hashes = {ludus("train", "cartpole", "--out", runs("tiles-" + isa), "--json", "--steps", "256", *SMALL, "--set",
                    "net.precision=bf16tile", env=environment(LUDUS_ISA=isa)).lines()[-1]["hash"]
              for isa in ("base", "v3", "v4", "amx")}
    assert len(hashes) == 1


@test
def bad_calls_of_train():
    fails(2, "needs a game", "train")
    fails(2, "ppo", "train", "cartpole", "--algo", "sarsa")
    fails(2, "did you mean 'train.gamma'", "train", "cartpole", "--set", "train.gama=1")
    fails(3, "no preset", "train", "cartpole", "--preset", "never-heard-of-it")
    fails(3, "name the game for one of its own", "train", "--preset", "core")
    fails(1, "cannot make folder", "train", "cartpole", "--out", "/proc/none", *SMALL)
    fails(2, "multiple of", "train", "cartpole", "--out", runs("bad"), "--set", "train.segment=7")
    fails(2, "multiplies in fp32", "train", "cartpole", "--out", runs("bad"), "--set",
          "net.products=strassen", "--set", "net.precision=bf16")
    fails(2, "'train.rate' isn't a setting of dqn", "train", "cartpole", "--out", runs("bad"), *DQN,
          "--set", "train.rate=1e-3")
    assert not runs("bad").exists()


@test
def empty_names_are_no_choice():
    fails(2, "'resume' is empty", "train", "cartpole", "--out", runs("empty"), "--resume", "")
    fails(2, "'model' is empty", "watch", "cartpole", "--model", "", "--fast")
    fails(2, "'model' is empty", "play", "cartpole", "--model", "", "--json")
    assert not runs("empty").exists()


@test
def a_run_that_cannot_begin_leaves_nothing():
    def full():
        """Every write to a file fails, as on a full disk."""
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    done = subprocess.run([LUDUS, "train", "cartpole", "--out", str(runs("full")), *SMALL],
                          capture_output=True, env=environment(), cwd=WORK, preexec_fn=full)
    assert done.returncode == 1 and b"cannot write" in done.stderr, done
    assert not any(runs("full").iterdir())


@test
def a_stack_of_64_kib_is_enough():
    def small(*words):
        return ludus("-c", 'ulimit -s 64; exec "$@"', "sh", LUDUS, *words, program="sh").out
    folder = runs("stack")
    assert "finished" in small("train", "prospector", "--steps", "256", "--out", folder, *SMALL)
    model, = folder.glob("*-prospector")
    assert "true_profit" in small("eval", model, "--episodes", "2")
    assert "undecided" in small("compare", model, model, "--episodes", "4")


@test
def numbers_that_are_none_end_a_run():
    folder = runs("nan")
    result = fails(8, "saved", "train", "cartpole", "--out", folder, "--steps", "100k", *SMALL,
                   "--set", "train.decay=1", "--set", "train.rate=10")
    assert "failed.safetensors" in result.err
    only = only_run(folder)
    assert json.loads((only / "run.json").read_text())["status"] == "failed"
    assert (only / "failed.safetensors").exists()


# ---- resume ----

@test
def a_resumed_run_is_the_uninterrupted_one():
    for kind, words in {"ppo": SMALL, "dqn": DQN}.items():
        _, whole, straight = train("cartpole", runs(f"straight-{kind}"), "--steps", "1280", *words)
        total = whole[-1]["update"]
        _, _, part = train("cartpole", runs(f"part-{kind}"), "--steps", "1280", *words,
                           "--run.stop_update", total // 2)
        assert part["status"] == "stopped" and part["hash"] != straight["hash"]
        _, rest, end = train("cartpole", runs(f"part-{kind}"), "--resume", "latest", "--threads", "1")
        assert end["hash"] == straight["hash"] and end["status"] == "finished", kind
        assert rest[0]["update"] == total // 2 + 1
        timed = ("wall_seconds", "seconds", "steps_per_second")
        clean = [[{k: v for k, v in row.items() if k not in timed} for row in rows]
                 for rows in (whole[total // 2:], rest)]
        assert clean[0] == clean[1], "the rows differ"
        _, _, cold = train("cartpole", runs(f"cold-{kind}"), "--steps", "1280", *words, "--seed", "2")
        assert cold["hash"] != straight["hash"]
        lines = [json.loads(x) for x in (Path(end["folder"]) / "metrics/updates.jsonl").open()]
        assert {"resume": total // 2} in lines and run_json(end)["resumes"] == 1


@test
def a_run_goes_on_only_as_it_was():
    folder = runs("refuse")
    _, _, end = train("cartpole", folder, "--steps", "1280", *SMALL, "--run.stop_update", "2")
    go = ["train", "cartpole", "--out", folder, "--resume", end["run"]]
    fails(2, "'train.gamma' = '0.5', but the run was started with", *go, "--set", "train.gamma=0.5")
    fails(4, "is a run of cartpole-v1, not of acrobot-v1", "train", "acrobot", "--out", folder, "--resume",
          end["folder"])
    fails(3, "did you mean", *go[:-1], end["run"][:-1] + "x")
    fails(3, "no run", "train", "acrobot", "--out", folder, "--resume", "latest")
    train("cartpole", folder, "--resume", end["run"])
    _, none, again = train("cartpole", folder, "--resume", end["run"])  # nothing left: told, and no error
    assert not none and again["status"] == "finished" and "steps; a larger --steps N trains on" in ludus(*go).err
    _, rows, more = train("cartpole", folder, "--resume", end["run"], "--steps", "1536")
    assert more["update"] == 12 and len(rows) == 2
    # the run names its game, where none is named
    for name, place in ((end["run"], ["--out", folder]), (end["folder"], []), ("latest", ["--run.folder", folder])):
        done = ludus("train", "--resume", name, *place)
        assert done.code == 0 and "a larger --steps N trains on" in done.err, done.err
    fails(3, "did you mean", "train", "--resume", end["run"][:-1] + "x", "--out", folder)
    fails(2, "needs a game", "train", "--resume", "")


@test
def a_damaged_checkpoint_is_refused():
    folder = runs("damaged")
    _, _, end = train("cartpole", folder, "--steps", "640", *SMALL, "--run.stop_update", "2")
    state = Path(end["folder"]) / "checkpoints/ckpt_000000/state.bin"
    whole = state.read_bytes()
    for bad in (whole[:-1], whole[:100] + bytes([whole[100] ^ 1]) + whole[101:], b""):
        state.write_bytes(bad)
        fails(4, "manifest", "train", "cartpole", "--out", folder, "--resume", "latest")
    state.unlink()
    fails(4, "--fall-back", "train", "cartpole", "--out", folder, "--resume", "latest")
    state.write_bytes(whole)
    manifest = state.with_name("manifest.json")
    told = manifest.read_text()
    for bad in ("{}", told.replace('"bytes"', '"byts"'), told[:-5], ""):
        manifest.write_text(bad)
        refused = fails(4, "--fall-back", "train", "cartpole", "--out", folder, "--resume", "latest")
        assert "manifest.json" in refused.err, refused
    manifest.write_text(told)
    train("cartpole", folder, "--resume", "latest")


@test
def a_run_falls_back_to_the_checkpoint_before():
    folder = runs("fall-back")
    words = [*SMALL, "--steps", "1280", "--set", "run.window_env_steps=256", "--set", "eval.on=false"]
    _, _, whole = train("cartpole", runs("fall-back-straight"), *words)
    _, _, end = train("cartpole", folder, *words, "--run.stop_update", "7")
    run = Path(end["folder"])
    points = sorted(path.name for path in run.glob("checkpoints/ckpt_*"))
    newest = run / "checkpoints" / points[-1]
    state = bytearray((newest / "state.bin").read_bytes())
    state[len(state) // 2] ^= 1
    (newest / "state.bin").write_bytes(state)
    go = ["train", "cartpole", "--out", folder, "--json"]
    fails(4, "--fall-back", *go, "--resume", "latest")
    fails(4, "no checkpoint to resume from", *go, "--resume", f"{run.name}:{int(points[-1][-6:])}")
    fails(3, "no checkpoint", *go, "--resume", f"{run.name}:99")
    fails(2, "window", *go, "--resume", f"{run.name}:x")
    fails(2, "--resume RUN", *go, "--fall-back")
    assert sorted(path.name for path in run.glob("checkpoints/*")) == points, "what is refused changes nothing"
    done = ludus(*go, "--resume", "latest", "--fall-back")
    assert f"is kept as aside_{points[-1][-6:]}" in done.err and "is not what its manifest says" in done.err, done
    assert "--fall-back" not in done.err, f"it is told to do what it does: {done}"
    assert done.lines()[-1]["hash"] == whole["hash"], "other bits"
    assert bytes((run / f"checkpoints/aside_{points[-1][-6:]}/state.bin").read_bytes()) == bytes(state)
    # from a chosen window on, again to the same end
    _, _, again = train("cartpole", folder, "--resume", f"{run.name}:{int(points[-2][-6:])}")
    assert again["hash"] == whole["hash"] and len(list(run.glob("checkpoints/aside_*"))) > 1
    ludus("runs", "show", run)


@test
def a_damaged_run_file_is_named():
    folder = runs("damaged-run")
    _, _, end = train("cartpole", folder, "--steps", "640", *SMALL, "--run.stop_update", "2")
    about = Path(end["folder"]) / "run.json"
    whole = json.loads(about.read_text())
    go = ["train", "cartpole", "--out", folder, "--resume", end["run"]]
    for change in ({"game": 3}, {"algorithm": None},
                   {"settings": {"net.hidden": {"value": "99999"}}}):
        about.write_text(json.dumps({**whole, **change}))
        fails(4, "run.json is damaged", *go)
    about.unlink()
    result = fails(3, "no run", *go)
    assert "did you mean" not in result.err, result


@test
def a_torn_row_is_dropped():
    folder = runs("torn")
    _, _, end = train("cartpole", folder, "--steps", "640", *SMALL, "--run.stop_update", "2")
    metrics = Path(end["folder"]) / "metrics/updates.jsonl"
    with metrics.open("a") as rows:
        rows.write('{"wall_sec')
    train("cartpole", folder, "--resume", "latest")
    kept = [json.loads(line) for line in metrics.open()]
    assert [row.get("update", "resume") for row in kept] == [1, 2, "resume", 3, 4, 5], kept


@test
def leftovers_of_a_crash_are_removed():
    folder = runs("crash")
    _, _, end = train("cartpole", folder, "--steps", "640", *SMALL, "--run.stop_update", "2")
    undone = Path(end["folder"]) / "checkpoints/.undone_4"
    undone.mkdir()
    (undone / "state.bin").write_bytes(b"half")
    train("cartpole", folder, "--resume", "latest")
    assert not undone.exists() and checkpoints(end) == ["ckpt_000000"]


@test
def killed_runs_resume():
    folder, words = runs("killed"), ["--steps", "10M", *SMALL, "--set", "run.checkpoint_updates=1"]
    child = start_training(folder, *words)
    for _ in range(3):
        for _ in range(20):
            child.stdout.readline()
        child.kill()
        child.wait()
        child = start_training(folder, "--resume", "latest")
        row = json.loads(child.stdout.readline())
        assert row["update"] > 0, row
    child.kill()
    child.wait()


# ---- locks and Ctrl-C ----

@test
def a_finished_training_leaves_its_model_and_is_compared():
    folder, zipped, plain = runs("saved"), WORK / "saved.zip", WORK / "saved.safetensors"
    words = ["train", "cartpole", "--preset", "none", "--out", folder, "--steps", "1024", "--set", "train.environments=16"]
    out = ludus(*words, "--save", zipped, "--set", "eval.against=random", "--set", "eval.with=limit=40", "--json").out
    told = json.loads(out.splitlines()[-1])
    assert list(told["against"]) == ["random"] and told["return"]["max"] <= 40, told
    assert ludus("model", "show", zipped, "--json").json()["step"] == 1024
    text = ludus(*words, "--save", plain, "--set", "eval.on=false", "--set", "eval.against=random")
    assert "against random" not in text.out and f"wrote {plain}" in text.err
    assert ludus("model", "show", plain, "--json").json()["step"] == 1024
    fails(1, "the folder does not exist", *words, "--save", WORK / "nowhere" / "model.zip")


def start_training(folder, *words):
    return subprocess.Popen([LUDUS, "train", "cartpole", "--out", str(folder), "--json",
                             *[str(w) for w in words]], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, env=environment(), cwd=WORK, text=True)


@test
def one_writer_per_run():
    folder = runs("lock")
    _, _, end = train("cartpole", folder, "--steps", "640", *SMALL, "--run.stop_update", "1")
    held = os.open(end["folder"], os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    fails(7, "another ludus", "train", "cartpole", "--out", folder, "--resume", "latest")
    os.close(held)
    train("cartpole", folder, "--resume", "latest")


@test
def control_c_keeps_what_was_learned():
    folder, words = runs("interrupt"), ["--steps", "50M", *SMALL]
    child = start_training(folder, *words)
    for _ in range(5):
        child.stdout.readline()
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=300)
    assert child.returncode == 130 and "--resume" in err, (child.returncode, err)
    end = json.loads(out.splitlines()[-1])
    assert end["status"] == "stopped" and run_json(end)["status"] == "stopped"
    stop = end["update"] + 3
    _, rows, later = train("cartpole", folder, "--resume", "latest", "--run.stop_update", stop)
    assert len(rows) == 3
    _, _, straight = train("cartpole", runs("interrupt2"), *words, "--run.stop_update", stop)
    assert later["hash"] == straight["hash"]


@test
def a_stop_before_the_first_update_can_go_on():
    folder = runs("early")
    _, rows, end = train("cartpole", folder, "--steps", "640", *SMALL, "--run.stop_minutes", "1e-9")
    assert not rows and end["update"] == 0 and checkpoints(end) == ["ckpt_000000"]
    _, rows, end = train("cartpole", folder, "--resume", "latest")
    _, _, straight = train("cartpole", runs("early2"), "--steps", "640", *SMALL)
    assert len(rows) == 5 and end["hash"] == straight["hash"]


@test
def a_time_limit_measures_trainings_with_a_league_too():
    # measured without a run, of whose checkpoints the league is made
    _, rows, _ = train("duel", runs("league_limit"), *SMALL, "--set", "self_play.strategy=past", "--run.stop_minutes", "0.02")
    assert rows


@test
def a_second_control_c_stops_at_once():
    folder, words = runs("twice"), ["--steps", "50M", *SMALL, "--set", "train.environments=512", "--set",
                                    "train.epochs=500", "--set", "run.checkpoint_updates=1"]
    child = start_training(folder, *words)
    next(line for line in child.stdout if '"event":"update"' in line)
    child.send_signal(signal.SIGINT)
    told = next(line for line in child.stderr if "stopping" in line)
    assert re.search(r"stopping after this update.* a second Ctrl-C ends at once \(update \d+ is kept\)", told), told
    child.send_signal(signal.SIGINT)
    began = time.monotonic()
    _, err = child.communicate(timeout=300)
    assert child.returncode == 130 and time.monotonic() - began < 2, (child.returncode, err)
    assert "ended at once" in err and "--resume" in err and "last checkpoint" in err, err
    _, _, later = train("cartpole", folder, "--resume", "latest", "--run.stop_update", 3)
    _, _, straight = train("cartpole", runs("twice2"), *words, "--run.stop_update", 3)
    assert later["hash"] == straight["hash"]


@test
def a_checkpoint_is_never_old():
    words = ["--steps", "50M", *SMALL, "--set", "train.environments=256", "--set", "train.epochs=200"]
    for minutes, least in (("0", 0), ("0.0001", 2)):
        folder = runs(f"minutes{least}")
        child = start_training(folder, *words, "--set", f"run.checkpoint_minutes={minutes}")
        for update in range(least + 1):
            next(line for line in child.stdout if '"event":"update"' in line)
        child.kill()
        child.communicate()
        kept = [json.loads(path.read_text())["update"] for path in folder.glob("*/checkpoints/*/manifest.json")]
        assert (max(kept) >= least) if least else not kept, (minutes, kept)


@test
def a_long_update_is_shown():
    t = Terminal("train", "cartpole", "--out", runs("long"), "--steps", "50M", *SMALL, "--set",
                 "train.environments=2048", "--set", "train.epochs=1000")
    t.wait_for("this update: learning")
    t.child.send_signal(signal.SIGINT)
    t.wait_for("Ctrl-C again ends at once")
    assert all(len(line) < 80 for line in re.findall(r"(?:this|last) update: [^\r\x1b]*", t.seen)), t.seen
    t.child.send_signal(signal.SIGINT)
    t.end(130)
    assert "before any checkpoint" in t.seen, t.seen


@test
def the_panel_fits_the_terminal():
    for columns in (80, 46):
        t = Terminal("train", "cartpole", "--out", runs("panel"), "--steps", "3M", *SMALL, columns=columns)
        t.wait_for("checkpoint none yet")
        t.wait_for("learns")
        t.child.send_signal(signal.SIGINT)
        t.end(130)
        panel = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", re.split(r"\x1b\[\d+A", t.seen)[-1])
        lines = panel.replace("\r", "").split("\n")
        assert "entropy" in panel and "learn" in panel and ("left" in panel or columns < 80), panel
        assert all(len(line) <= columns for line in lines[:10]), panel
        figures = next(line for line in lines if line.startswith("learns")).split()[1:]
        assert len(figures) % 2 == 0 and set(figures[::2]) <= {"entropy", "kl", "policy_loss", "value_loss"}, figures


# ---- models by name ----

@test
def latest_is_what_was_written_last():
    folder = runs("latest")
    _, _, old = train("cartpole", folder, "--steps", "1280", *SMALL, "--run.stop_update", "2")
    _, _, other = train("corridor", folder, "--steps", "256", *SMALL)
    place = ["--run.folder", folder, "--episodes", "2", "--json"]
    assert ludus("eval", "latest", *place).json()["game"] == "corridor-v1"
    assert ludus("eval", "latest", "--game", "cartpole", *place).json()["game"] == "cartpole-v1"
    train("cartpole", folder, "--resume", old["run"])
    assert ludus("eval", "latest", *place).json()["game"] == "cartpole-v1"
    assert ludus("eval", "latest", *place, env=environment()).json()["env_steps"] == 1280
    assert ludus("eval", "latest", *place[:-1]).out.startswith(f"cartpole-v1: latest ({old['run']}), 2 episodes")
    assert ludus("eval", "latest", "--episodes", "2", "--json",
                 env=environment(LUDUS_RUN_FOLDER=folder)).json()["env_steps"] == 1280
    fails(3, "no run of acrobot", "eval", "latest", "--game", "acrobot", "--run.folder", folder)
    _, _, begun = train("cartpole", folder, "--steps", "128", *SMALL)
    shutil.rmtree(Path(begun["folder"]) / "checkpoints")
    assert ludus("eval", "latest", *place).json()["env_steps"] == 1280


@test
def a_model_has_many_names():
    folder = trained()
    run = only_run(folder)
    model = sorted((run / "checkpoints").iterdir())[-1] / "model.safetensors"
    ludus("model", "export", model, "--zip", WORK / "policy.zip")
    results = []
    for name in [model, WORK / "policy.zip", run, f"{run}/", run.name, "latest"]:
        got = ludus("eval", name, "--run.folder", folder, "--episodes", "30", "--json").json()
        got.pop("model")
        results.append(got)
    assert all(result == results[0] for result in results)
    assert ludus("model", "show", "latest", "--run.folder", folder).out.startswith("latest: a policy")


@test
def bad_names_of_models():
    folder = trained()
    fails(3, "no model file", "eval", "nothing.safetensors")
    fails(3, "no file and no run", "eval", "qqqqqq", "--run.folder", folder)
    fails(4, "pickle", "eval", file("net.pt", b"\x80\x02}q\x00."))
    fails(4, "", "eval", file("text.safetensors", "hello"))
    fails(4, "plays cartpole-v1, not corridor-v1", "eval", only_run(folder), "--game",
          "corridor")
    fails(4, "plays cartpole-v1", "watch", "corridor", "--model", only_run(folder))
    fails(2, "needs a MODEL", "eval")
    (runs("empty") / "x").mkdir(parents=True)
    fails(3, "no run", "eval", "latest", "--run.folder", runs("empty"))


@test
def a_model_of_other_rules_is_refused():
    model = sorted(only_run(trained()).glob("checkpoints/*/model.safetensors"))[-1]
    whole = model.read_bytes()
    length = int.from_bytes(whole[:8], "little")
    head = json.loads(whole[8:8 + length])
    notes = head["__metadata__"]
    notes["ludus.spec"] = "0123456789abcdef"
    del notes["ludus.hash"], notes["ludus.build"]  # as another program would write it
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)
    other = file("other.safetensors", len(text).to_bytes(8, "little") + text + whole[8 + length:])
    fails(4, "specification", "eval", other)


# ---- eval ----

@test
def judging_does_not_depend_on_threads():
    words = ["eval", "latest", "--run.folder", trained(), "--seeds", "5..80", "--json"]
    assert ludus(*words, "--threads", "1").out == ludus(*words, "--threads", "3").out
    assert ludus(*words).json()["seeds"] == [5, 80]
    assert ludus(*words[:4], "--json").json()["seeds"] == [30000, 30015]  # as its evaluator
    # seed by seed: episodes alone are those of the whole
    alone = ludus(*words[:4], "--seeds", "7..7", "--json").json()
    both = ludus(*words[:4], "--seeds", "6..7", "--json").json()
    six = ludus(*words[:4], "--seeds", "6..6", "--json").json()
    assert both["return"]["mean"] == (alone["return"]["mean"] + six["return"]["mean"]) / 2


@test
def memory_of_recurrent_nets_is_kept():
    folder = runs("memory")
    train("cartpole", folder, "--steps", "1024", *SMALL, "--set", "net.memory=mingru")
    words = ["eval", "latest", "--run.folder", folder, "--json"]
    one = [ludus(*words, "--seeds", f"{s}..{s}").json()["return"]["mean"] for s in (1, 2, 3)]
    all_three = ludus(*words, "--seeds", "1..3").json()["return"]["mean"]
    assert abs(all_three - sum(one) / 3) < 1e-9


@test
def manner_of_playing():
    words = ["eval", "latest", "--run.folder", trained(), "--episodes", "40", "--json"]
    sample, greedy = ludus(*words).json(), ludus(*words, "--greedy").json()
    assert not sample["greedy"] and greedy["greedy"] and sample["return"] != greedy["return"]
    assert ludus(*words, "--sample").json() == sample
    fails(2, "cannot be combined", *words, "--greedy", "--sample")
    train("cartpole", runs("q"), "--steps", "1280", *DQN)
    fails(2, "Q-network", "eval", "latest", "--run.folder", runs("q"), "--sample")
    assert ludus("eval", "latest", "--run.folder", runs("q"), "--episodes", "2", "--json").json()["greedy"]


@test
def against_a_bot_on_the_same_seeds():
    words = ["eval", "latest", "--run.folder", trained(), "--seeds", "1..50", "--against", "random"]
    got = ludus(*words, "--json").json()
    bot = ludus("watch", "cartpole", "--bot", "random", "--seeds", "1..50", "--json").json()
    field = got["against"]["random"]["return"]
    assert field["theirs"]["mean"] == bot["return"]["mean"]
    assert abs(field["difference"]["mean"] - (got["return"]["mean"] - bot["return"]["mean"])) < 1e-9
    assert field["difference"]["low"] < field["difference"]["mean"] < field["difference"]["high"]
    assert "against random on the same seeds" in ludus(*words).out
    fails(3, "no bot", *words[:-1], "nobody")


@test
def settings_of_the_game_come_from_the_training():
    folder = runs("settings")
    train("prospector", folder, "--steps", "512", *SMALL, "--time_max", "300")
    words = ["eval", "latest", "--run.folder", folder, "--episodes", "3", "--json"]
    assert ludus(*words).json()["settings"]["time_max"] == 300
    assert ludus(*words, "--with", "time_max=500").json()["settings"]["time_max"] == 500
    fails(2, "unknown setting", *words, "--with", "tim=3")
    fails(2, "unknown setting", *words, "--with", "net.hidden=3")
    watch = ["watch", "prospector", "--model", "latest", "--run.folder", folder, "--json"]
    assert ludus(*watch).json()["settings"]["time_max"] == 300
    assert ludus(*watch, "--time_max", "400").json()["settings"]["time_max"] == 400


@test
def replays_keep_what_the_agent_thought():
    folder = WORK / "replays"
    ludus("eval", "latest", "--run.folder", trained(), "--episodes", "3", "--record", folder)
    assert sorted(p.name for p in folder.iterdir()) == ["30000.ludus", "30001.ludus", "30002.ludus"]
    frames = ludus("replay", folder / "30001.ludus", "--json").lines()
    assert frames[0]["thoughts"] and frames[0]["seed"] == 30001
    thought = frames[2]["thought"]
    assert abs(sum(t["probability"] for t in thought["top"]) - 1) < 1e-5
    assert [t["probability"] for t in thought["top"]] == sorted(
        (t["probability"] for t in thought["top"]), reverse=True)
    ludus("watch", "cartpole", "--model", "latest", "--run.folder", trained(), "--seed", "30001",
          "--fast", "--record", WORK / "one.ludus")
    assert (WORK / "one.ludus").read_bytes() == (folder / "30001.ludus").read_bytes()


@test
def replays_keep_the_settings_of_the_training():
    folder = runs("weights")
    train("prospector", folder, "--steps", "256", "--preset", "none", *SMALL, "--set", "reward.stranded=0.5", "--set",
          "mask.tight=true")
    place = ["--model", "latest", "--run.folder", folder]
    ludus("watch", "prospector", *place, "--fast", "--record", WORK / "weights.ludus")
    head = ludus("replay", WORK / "weights.ludus", "--json").lines()[0]
    assert head["settings"] == {"mask.tight": True, "reward.stranded": 0.5}, head


@test
def a_model_plays_and_advises():
    place = ["--model", "latest", "--run.folder", trained()]
    out = ludus("watch", "cartpole", *place, "--fast").out
    assert "return" in out
    many = ludus("watch", "cartpole", *place, "--seeds", "1..5", "--json").json()
    assert many["model"] == "latest" and many["episodes"] == 5
    fails(2, "cannot be combined", "watch", "cartpole", *place, "--bot", "random")
    fails(2, "--greedy is for agents", "watch", "cartpole", "--greedy")
    out = ludus("play", "cartpole", *place, "--seed", "3", stdin="h\n\nq\n").out
    assert re.search(r"the agent advises: (left|right) \((left|right) \d+%, (left|right) \d+%; value",
                     out), out


# ---- examples and presets ----

@test
def examples_of_help_work_when_pasted():
    """Shortened where they would take long; train first, since the others use what it leaves."""
    home = copy_of_the_project("train-examples")
    (home / "bin").mkdir()
    os.symlink(LUDUS, home / "bin/ludus")
    env = environment(LUDUS_HOME=home, HOME=home, PATH=f"{home}/bin:{os.environ['PATH']}")
    verbs = {v["verb"]: v for v in ludus("help", "--json").json()["verbs"]}

    def paste(command):
        done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=home, env=env,
                              input=b"q\n", capture_output=True, timeout=300)
        assert done.returncode == 0, (command, done.returncode, done.stderr[-300:])

    for game in ("prospector", "cartpole"):
        paste(f"ludus train {game} --steps 1024 {' '.join(SMALL)} --run.stop_update 2")
    shutil.copy(next(home.glob("runs/*cartpole/checkpoints/*/model.safetensors")),
                home / "policy.safetensors")
    for example in verbs["train"]["examples"]:
        resumes, kind = "--resume" in example["command"], "dqn" if "dqn" in example["command"] else "train"
        paste(example["command"] + (" --run.stop_update 8" if resumes else
                                    f" --run.stop_update 1 --set {kind}.environments=4"))
    for name in ("eval", "watch", "play", "model", "config"):
        for example in verbs[name]["examples"]:
            if name in ("eval", "model") or "--model" in example["command"]:
                short = " --episodes 2" if name == "eval" and "--seeds" not in example["command"] else ""
                paste(example["command"].replace(" --episodes 4", "") + short)


@test
def a_preset_may_hold_settings_of_training():
    home = copy_of_the_project("train-presets")
    env = environment(LUDUS_HOME=home)
    (home / "config/cartpole-tiny.ini").write_text(
        "[train]\nenvironments = 8\nhorizon = 16\nsteps = 512\n[net]\nhidden = 16\n"
        "[band]\nmetric = return\nlow = 1\nhigh = 500\n")
    (home / "config/cartpole-wrong.ini").write_text("[train]\nenvironmints = 8\n")
    ludus("watch", "cartpole", "--preset", "cartpole-tiny", "--fast", env=env)
    fails(2, "train.environments", "watch", "cartpole", "--preset", "cartpole-wrong", env=env)
    result = ludus("train", "cartpole", "--preset", "cartpole-tiny", "--json", env=env)
    end = result.lines()[-1]
    assert end["env_steps"] == 512 and Path(end["folder"]).parent == home / "runs"
    assert run_json(end)["settings"]["net.hidden"]["origin"] == "preset"
    rows = ludus("config", "cartpole", "--preset", "cartpole-tiny", "--training", "--json",
                 env=env).json()["settings"]
    assert {r["key"]: r["value"] for r in rows}["band.low"] == 1


@test
def a_model_whose_net_overflows_is_told_as_such():
    data = next(trained().glob("*/checkpoints/*/model.safetensors")).read_bytes()
    length = 8 + struct.unpack("<Q", data[:8])[0]
    header, numbers = json.loads(data[8:length]), bytearray(data[length:])
    for key in ("ludus.hash", "ludus.build"):
        del header["__metadata__"][key]
    for name, about in header.items():
        if name.endswith((".weight", ".bias")):
            first, last = about["data_offsets"]
            numbers[first:last] = struct.pack("<f", 3e38) * ((last - first) // 4)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    huge = WORK / "huge.safetensors"
    huge.write_bytes(struct.pack("<Q", len(text)) + text + numbers)
    for manner in ([], ["--greedy"]):
        fails(4, ": this model's net gives NaN or infinite logits; use an earlier model", "eval", huge, "--episodes", "3", *manner)
        fails(4, ": this model's net gives NaN or infinite logits; use an earlier model", "watch", "cartpole", "--model", huge, "--fast", "--record",
              WORK / "huge.ludus", *manner)
        assert not (WORK / "huge.ludus").exists()
    hint = ludus("play", "cartpole", "--seed", "1", "--model", huge, "--json", stdin="h\nq\n").lines()[1]
    assert ": this model's net gives NaN or infinite logits; use an earlier model" in hint["message"], hint


@test
def a_folder_of_runs_that_is_none_is_told():
    fails(1, "cannot read the folder", "eval", "latest", "--run.folder", "/dev/null")
    fails(3, "there is no run in", "eval", "latest", "--run.folder", WORK / "nowhere")


@test
def bots_are_listed_once():
    result = fails(3, "it has", "eval", "latest", "--run.folder", trained(), "--against", "xyzzy")
    assert result.err.count("random") == 1, result


DUELS = {"train": SMALL, "dqn": DQN}


def duel(folder, prefix, opponents, *words):
    """Trains duet against opponents, with the settings of PREFIX; the last line."""
    return ludus("train", "duet", "--out", folder, "--json", "--steps", "8192", *DUELS[prefix], "--set",
                 f"{prefix}.opponents={opponents}", *words, program=PROBES).lines()[-1]


def goes_on(folder, run):
    return ludus("train", "duet", "--resume", run, "--out", folder, "--json", program=PROBES).lines()[-1]


@test
def a_training_plays_against_bots_and_earlier_models():
    for prefix in DUELS:
        folder = runs(f"duel-{prefix}")
        first = duel(folder, prefix, "self:1, bot:answer:2, random:1")
        name = Path(first["folder"]).name
        opponents = f"{name}:0:3, self:1"
        whole = duel(folder, prefix, opponents)
        assert whole["hash"] != first["hash"], whole
        # for any number of threads, and after a resume
        assert duel(folder, prefix, opponents, "--set", f"{prefix}.threads=3")["hash"] == whole["hash"]
        part = duel(folder, prefix, opponents, "--run.stop_update", "20")
        assert part["update"] == 20, part
        rest = goes_on(folder, part["folder"])
        assert rest["hash"] == whole["hash"], rest


@test
def a_killed_training_goes_on_against_the_same_opponents():
    for prefix in DUELS:
        folder, words = runs(f"kill-{prefix}"), ["--steps", "16k", "--set", "run.checkpoint_updates=10"]
        opponents = "self:1, bot:answer:2, random:1"
        whole = duel(folder / "whole", prefix, opponents, *words)
        child = subprocess.Popen([PROBES, "train", "duet", "--out", folder / "part", "--json",
                                  *DUELS[prefix], "--set", f"{prefix}.opponents={opponents}", *words],
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment())
        next(line for line in child.stdout if json.loads(line).get("update", 0) > 12)
        child.kill()
        child.communicate()
        run = next((folder / "part").glob("*-duet"))
        assert run_json({"folder": run})["status"] == "running", run
        rest = goes_on(folder / "part", run)
        assert (rest["update"], rest["hash"]) == (whole["update"], whole["hash"]), (rest, whole)


@test
def opponents_that_do_not_fit_are_told():
    folder = runs("duel-wrong")
    for code, part, opponents in ((2, "NAME:SHARE", "answer"), (2, "NAME:SHARE", "bot:answer:0"),
                                  (3, "has no bot", "bot:answers:1"), (3, "xyzzy", "xyzzy:7:1")):
        fails(code, part, "train", "duet", "--out", folder, *SMALL, "--set",
              f"train.opponents={opponents}", program=PROBES)
    for prefix, words in DUELS.items():
        fails(2, f"leave '{prefix}.opponents' empty", "train", "cartpole", "--out", folder, *words, "--set",
              f"{prefix}.opponents=random:1")
    assert not folder.exists(), list(folder.iterdir())


@test
def a_league_is_shown_with_ratings_and_exploiters():
    folder = runs("league")
    small = [word for word in SMALL if word != "eval.on=false"][:-1]
    words = ["--set", "self_play.strategy=past", "--set", "self_play.pure=0.5", "--set", "run.window_env_steps=256",
             "--set", "league.main_exploiters=1", "--set", "league.exploiter_updates=4",
             "--set", "eval.anchors=bot:random=1400", "--set", "eval.anchors=bot:answer=1700"]
    lines = ludus("train", "duet", "--out", folder, "--json", "--steps", "1536", *small, *words, program=PROBES).lines()
    assert {"exploiter", "update", "evaluation"} <= {line["event"] for line in lines}, lines
    turns = [line["update"] for line in lines if line["event"] == "exploiter"]
    assert turns == [1, 2, 3, 4] * 2, turns
    name = Path(lines[-1]["folder"]).name
    shown = ludus("league", "show", "latest", "--run.folder", folder, "--json", program=PROBES).json()
    names = [member["name"] for member in shown["members"]]
    assert names == [f"{name}:0", f"{name}:1", f"{name}/exploiters/main-1:0", f"{name}:2", f"{name}:3",
                     f"{name}/exploiters/main-1:1", f"{name}:4", f"{name}:5"], names
    assert abs(sum(member["chance"] for member in shown["members"]) - 1) < 1e-9
    rated = shown["rated"]
    assert rated["window_id"] == 5 and len(rated["players"]) == 10 and len(rated["meetings"]) == 45, rated
    held = [(player["player"]["name"], player["elo"], player["low"]) for player in rated["players"] if player["anchor"]]
    assert held == [("bot:random", 1400, 1400), ("bot:answer", 1700, 1700)], held
    for member, player in zip(shown["members"], rated["players"]):
        assert member["name"] == player["player"]["name"] and member["low"] <= member["elo"] <= member["high"], (member, player)
    text = ludus("league", "show", name, "--run.folder", folder, program=PROBES).out
    assert "8 members after update 12" in text and "exploiters: 2 turns" in text and "95% interval" in text and text.count("anchor\n") == 2, text
    fails(3, "nobody", "train", "duet", "--out", folder, "--set", "eval.anchors=bot:nobody=1400", program=PROBES)
    ludus("match", f"{name}/exploiters/main-1:1", "random", "--games", "4", "--run.folder", folder, program=PROBES)
    fails(2, "takes one run", "league", "show", "--run.folder", folder, program=PROBES)
    alone = train("cartpole", folder / "alone", *SMALL, "--steps", "256")[2]
    fails(3, "has no league", "league", "show", alone["folder"])


@test
def a_best_response_is_a_lower_bound():
    folder = runs("exploit")
    words = ["--out", folder, "--steps", "256", *SMALL]
    ludus("train", "duet", *words, program=PROBES)
    place, small = ["--run.folder", folder], ["--set", "train.environments=8", "--set", "train.horizon=16"]
    found = ludus("exploit", "latest", "--budget", "8k", "--games", "40", "--json", "--save", folder / "found.safetensors",
                  *small, *place, program=PROBES).json()
    assert found["steps"] == 7936 and not found["fresh"] and found["games"] == 40, found
    assert found["meaning"] == "lower bound on exploitability" and found["win_rate"]["low"] <= found["win_rate"]["mean"]
    again = ludus("match", folder / "found.safetensors", "latest", "--games", "40", "--json", *place, program=PROBES).json()
    assert (again["wins"], again["losses"]) == (found["wins"], found["losses"]), again
    text = ludus("exploit", "latest", "--budget", "1k", "--games", "4", "--fresh", *small, *place, program=PROBES).out
    assert "lower bound on exploitability" in text and "fresh weights" in text
    plain = ludus("exploit", "latest", "--budget", "16k", "--games", "4", "--json", "--training", "default", *place, program=PROBES).json()
    assert plain["steps"] == 8192, plain  # batches of 256 environments and 32 steps
    fails(2, "single-player game", "exploit", ROOT / "models/prospector-v1.safetensors", "--budget", "1k")


@test
def weights_of_rewards_are_no_rules_of_a_match():
    said = ludus("match", ROOT / "models/duel-v1.safetensors", ROOT / "models/FineTunedNh.safetensors", "--games", "2").err
    assert "reward." not in said, said


@test
def an_exploiter_that_nobody_waits_for_ends_inside_its_update():
    folder = runs("impatient")
    ludus("train", "duet", "--out", folder, "--steps", "256", *SMALL, program=PROBES)
    child = subprocess.Popen([PROBES, "exploit", "latest", "--run.folder", folder, "--budget", "10M", "--set", "train.epochs=1000",
                              "--set", "train.environments=2048"], stderr=subprocess.PIPE, env=environment(), cwd=WORK, text=True)
    time.sleep(1)
    child.send_signal(signal.SIGINT)
    began = time.monotonic()
    _, err = child.communicate(timeout=300)
    assert child.returncode == 130 and "interrupted" in err and time.monotonic() - began < 2, (child.returncode, err)


@test
def replays_keep_how_likely_a_seat_wins():
    folder, file = runs("wins"), runs("wins") / "game.ludus"
    for predictor in ("true", "false"):
        ludus("train", "duel", "--out", folder, "--steps", "512", *SMALL, "--set", f"train.win_rate={predictor}")
        ludus("watch", "duel", "--model", "latest", "--run.folder", folder, "--seed", "3", "--fast", "--record", file)
        thoughts = [t for frame in ludus("replay", file, "--json").lines()[1:] for t in [frame.get("thought")]]
        thoughts = [t for many in thoughts for t in (many if isinstance(many, list) else [many]) if t]
        assert thoughts and all(("win" in t) == (predictor == "true") for t in thoughts), thoughts
        assert all(0 <= t.get("win", 0) <= 1 for t in thoughts), thoughts
        file.unlink()


@test
def a_training_stops_by_its_figures_and_takes_settings_as_json():
    words = ["--out", runs("figures"), *SMALL, "--steps", "6400"]
    lines = ludus("train", "cartpole", *words, "--json", "--early-stopping", "update >= 2 and entropy > 0").lines()
    assert lines[-1]["update"] == 2, lines[-1]
    fails(2, "', which updates of this training do not have; the rows of", "train", "cartpole", *words, "--early-stopping", "luck > 3")
    fails(2, "must be followed by a comparison", "train", "cartpole", *words, "--early-stopping", "luck")
    fails(2, "unknown setting", "train", "cartpole", *words, "--env-kwargs", '{"luck": 3}')
    fails(2, "must be a JSON object", "train", "cartpole", *words, "--env-kwargs", "[3]")
    fails(2, "'build' is given in env.kwargs too: keep one", "train", "duel", *words, "--env-kwargs", '{"build": "MED"}', "--build", "PURE")


@test
def a_training_begins_with_a_model():
    folder = runs("load")
    first = train("cartpole", folder, *SMALL, "--preset", "none", "--steps", "512")[2]
    second = train("cartpole", folder, *SMALL, "--preset", "none", "--steps", "512", "--load", first["folder"])[2]
    assert second["update"] == first["update"] and second["hash"] != first["hash"]
    third = train("cartpole", folder, "--preset", "none", "--steps", "512", *SMALL[:6], "--set", "eval.on=false", "--load", "latest")[0]
    assert third["parameters"] == 16 * 5 + 17 * 3, third  # the net of the model
    fails(4, "its net has a different shape from net.* and", "train", "cartpole", "--out", folder / "other", "--preset", "none", *SMALL, "--set", "net.hidden=8", "--load", first["folder"])
    fails(3, "nobody", "train", "cartpole", "--out", folder / "none", *SMALL, "--load", "nobody")
    assert not (folder / "none").exists()


@test
def every_game_learns_by_its_own_preset():
    few = ["--set", "train.environments=8", "--set", "train.horizon=16", "--set", "train.minibatch=64", "--steps", "256"]
    for game in ludus("games", "--json").json()["games"]:
        folder = runs("own-" + game["id"])
        start, *_, end = train(game["id"], folder, *few, "--set", "eval.on=false", "--set", "targets=8"
                               if game["name"] == "craft" else "eval.on=false")
        preset = ludus("spec", game["id"], "--json").json()["preset"]
        assert start["preset"] == (preset or None) and end["status"] == "finished", start
        going = ludus("train", game["id"], "--out", folder, "--resume", "latest", "--steps", "512", "--json").lines()
        assert going[0]["preset"] is None and going[-1]["update"] > end["update"], going


if __name__ == "__main__":
    sys.exit(main("train", __doc__))
