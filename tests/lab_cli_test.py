"""Tests of the laboratory: windows, the evaluator beside a training, replays, exact resume of all of
them, names of runs and windows, failing disks and failing evaluators.

Usage: lab_cli_test.py PATH_OF_LUDUS [FILTER...]
"""

import fcntl
import json
import os
import re
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from cli.helper import LUDUS, WORK, Terminal, environment, fails, ludus, main, test, until

SMALL = ["--set", "train.environments=8", "--set", "train.horizon=16", "--set", "train.minibatch=64",
         "--set", "net.hidden=16", "--set", "net.layers=1"]
WINDOWS = ["--steps", "1280", "--set", "run.window_env_steps=384", *SMALL]  # 3, 3, 3 and 1 update
TIMED = ("wall_seconds", "seconds", "steps_per_second", "written", "run_id")


def runs(name):
    return WORK / f"lab-{name}"


def train(game, folder, *words, **more):
    """Trains; returns the folder of the run and the events."""
    lines = ludus("train", game, "--out", folder, "--json", *words, **more).lines()
    return Path(lines[-1]["folder"]), lines


def rows(run, name):
    return [json.loads(line) for line in (run / "metrics" / f"{name}.jsonl").open()]


def timeless(list_of_rows):
    return [{k: v for k, v in row.items() if k not in TIMED} for row in list_of_rows]


def judged(run):
    """Evaluations without what tells time or the run."""
    return timeless(rows(run, "evals"))


def models(run):
    return {p.parent.name: p.read_bytes() for p in run.glob("checkpoints/*/model.safetensors")}


def shared():
    """A small run with four windows, made once."""
    folder = runs("shared")
    if not folder.exists():
        train("cartpole", folder, *WINDOWS)
    return next(p for p in folder.iterdir() if p.is_dir())


def only(folder):
    """The one run of a folder."""
    return next(p for p in folder.iterdir() if p.is_dir())


def start(*words):
    return subprocess.Popen([LUDUS, *[str(w) for w in words]], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, env=environment(), cwd=WORK, text=True)


# ---- the acceptance of the whole ----

@test
def three_windows_of_prospector():
    run, events = train("prospector", runs("prospector"), "--preset", "prospector-short", "--steps",
                        "12288", "--set", "run.window_env_steps=4096", "--set",
                        "train.environments=64", "--set", "train.horizon=32", "--set",
                        "train.minibatch=512", "--set", "net.hidden=32")
    assert sorted(p.name for p in (run / "checkpoints").iterdir()) == [
        f"ckpt_00000{i}" for i in range(3)]
    table = rows(run, "windows")
    assert [row["window_id"] for row in table] == [0, 1, 2]
    assert [row["env_steps"] for row in table] == [4096, 8192, 12288]
    assert all(row["complete"] for row in table)
    evaluations = rows(run, "evals")
    assert [row["window_id"] for row in evaluations] == [0, 1, 2]
    assert [e["row"]["window_id"] for e in events if e["event"] == "evaluation"] == [0, 1, 2]
    replays = [replay for row in evaluations for replay in row["replays"]]
    assert len(replays) >= 3
    for replay in replays:
        file = run / replay["file"]
        assert file.stat().st_size == replay["bytes"]
        header, last = [json.loads(line) for line in
                        ludus("replay", file, "--json").out.splitlines()[::replay["decisions"] + 1]]
        assert header["seed"] == replay["seed"] and header["thoughts"]
        assert header["decisions"] == replay["decisions"] and header["ended"]
        assert last["info"] == replay["infos"], "the last frame is not what the index tells"
    index = sqlite3.connect(run / "replay_index.sqlite")
    kept = dict(index.execute("select replay_id, tags from replays").fetchall())
    assert set(kept) == {replay["replay_id"] for replay in replays}
    assert all(" every_window " in tags for tags in kept.values())
    assert any(" best_so_far " in tags for tags in kept.values())
    assert list((run / "tensorboard/train").iterdir()) and list((run / "tensorboard/eval").iterdir())
    catalogue = sqlite3.connect(run.parent / "catalogue.sqlite")
    assert catalogue.execute("select run_id, windows, evaluations, replays from runs").fetchall() == [
        (run.name, 3, 3, len(replays))]
    again = ludus("eval", "latest", "--run.folder", run.parent, "--json").json()
    told = evaluations[-1]["report"]
    assert {k: again[k] for k in told} == told, "eval does not reproduce the evaluator's figures"
    assert told["episodes"] == 16 and again["seeds"] == [30000, 30015]


# ---- windows ----

@test
def a_row_of_a_window_is_the_sum_of_its_updates():
    run = shared()
    table, updates = rows(run, "windows"), rows(run, "updates")
    assert [row["complete"] for row in table] == [True, True, True, False]
    for row in table:
        own = [u for u in updates if u["window_id"] == row["window_id"]]
        assert row["updates"] == len(own) and row["update"] == own[-1]["update"]
        assert row["env_steps"] == own[-1]["env_steps"]
        assert row["env_steps_start"] == own[0]["env_steps"] - 128
        for key in ("episodes", "endings", "truncated", "illegal"):
            assert row[key] == sum(u[key] for u in own), key
        episodes = [u for u in own if u["episodes"]]
        for key in ("episode_return", "episode_length"):
            mean = sum(u[key] * u["episodes"] for u in episodes) / row["episodes"]
            assert abs(row[key] - mean) < 1e-9 * abs(mean), key
        for key in ("entropy", "kl", "policy_loss", "value_loss", "clipped"):
            mean = sum(u[key] for u in own) / len(own)
            assert abs(row[key] - mean) < 1e-9 * max(abs(mean), 1e-12), key
        for key, value in row["infos"].items():
            mean = sum(u["infos"][key] * u["endings"] for u in own if u["endings"]) / row["endings"]
            assert abs(value - mean) <= 1e-9 * max(abs(mean), 1e-12), key
        assert abs(row["seconds"]["learn"] - sum(u["seconds"]["learn"] for u in own)) < 1e-9
        for key in ("run_id", "written", "wall_seconds", "ticks", "terms", "steps_per_second"):
            assert key in row, key
    assert table[-1]["ticks"] == sum(u["ticks"] for u in updates)
    assert [e["window_id"] for e in rows(run, "evals")] == [0, 1, 2, 3]


@test
def a_window_may_be_shorter_than_an_update():
    run, _ = train("cartpole", runs("short"), "--steps", "640", "--set", "run.window_env_steps=50",
                   *SMALL, "--set", "eval.on=false")
    table = rows(run, "windows")
    assert [row["window_id"] for row in table] == [0, 1, 2, 3, 4]
    assert all(row["updates"] == 1 and row["complete"] for row in table)


# ---- exact resume ----

@test
def a_resumed_run_leaves_what_an_uninterrupted_one_does():
    whole = shared()
    for stop in (2, 3, 7):  # inside a window, at the end of one, later
        folder = runs(f"resume-{stop}")
        run, _ = train("cartpole", folder, *WINDOWS, "--run.stop_update", stop)
        assert len(models(run)) == (stop + 2) // 3
        train("cartpole", folder, "--resume", "latest", "--threads", "1")
        assert models(run) == models(whole), "the weights differ"
        kept = [row for row in rows(run, "windows") if "resume" not in row]
        assert timeless(kept) == timeless(rows(whole, "windows")), "the rows differ"
        assert {"resume": stop // 3, "update": stop} in rows(run, "windows")
        assert judged(run) == judged(whole), "the evaluations differ"
    cold, _ = train("cartpole", runs("cold"), *WINDOWS, "--seed", "2")
    assert models(cold) != models(whole)
    assert timeless(rows(cold, "windows")) != timeless(rows(whole, "windows"))


@test
def a_finished_run_that_goes_on_opens_its_last_window():
    folder = runs("more")
    run, _ = train("cartpole", folder, *WINDOWS)
    train("cartpole", folder, "--resume", "latest", "--steps", "1664")
    lines = rows(run, "windows")
    assert [row.get("window_id", "resume") for row in lines] == [0, 1, 2, 3, "resume", 3, 4]
    assert lines[3]["updates"] == 1 and lines[5]["updates"] == 3
    assert [row["window_id"] for row in rows(run, "evals")] == [0, 1, 2, 3, 3, 4]
    shown = ludus("export", run, "--csv", "--rows", "windows").out.splitlines()
    assert len(shown) == 6, "a reader shows rows that no longer count"


@test
def a_run_killed_before_it_was_called_finished_is_finished_by_a_resume():
    folder, whole = runs("unsaid"), shared()
    run, _ = train("cartpole", folder, *WINDOWS, "--set", "eval.on=false")
    facts = json.loads((run / "run.json").read_text())  # as a kill behind the last checkpoint leaves it
    (run / "run.json").write_text(json.dumps({**facts, "status": "running"}))
    assert ludus("runs", "list", "--run.folder", folder, "--json").json()["runs"][0]["status"] == "crashed"
    train("cartpole", folder, "--resume", "latest", "--set", "eval.on=true")
    assert json.loads((run / "run.json").read_text())["status"] == "finished"
    assert models(run) == models(whole) and judged(run) == judged(whole)
    assert timeless(rows(run, "windows")) == timeless(rows(whole, "windows"))
    # as a kill behind that leaves it, while caches are written
    assert "steps; a larger --steps N trains on" in ludus("train", "cartpole", "--out", folder, "--resume", "latest").err
    assert models(run) == models(whole) and judged(run) == judged(whole)


@test
def a_failing_disk_leaves_a_checkpoint():
    folder, wide = runs("full"), [*WINDOWS, "--set", "net.hidden=128", "--set", "eval.on=false"]
    run, _ = train("cartpole", folder, *wide, "--run.stop_update", "4")
    before = models(run)
    limit = max(p.stat().st_size for p in run.glob("checkpoints/*/state.bin")) - 100

    def full():
        """Writes of files beyond the limit fail, as on a full disk."""
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    done = subprocess.run([LUDUS, "train", "cartpole", "--out", str(folder), "--resume", "latest"],
                          capture_output=True, env=environment(), cwd=WORK, preexec_fn=full)
    assert done.returncode == 1 and b"cannot write" in done.stderr, done
    assert models(run) == before and not list((run / "checkpoints").glob(".*"))
    assert json.loads((run / "run.json").read_text())["status"] == "failed"
    train("cartpole", folder, "--resume", "latest")
    straight, _ = train("cartpole", runs("not-full"), *wide)
    assert models(run) == models(straight)


# ---- the evaluator ----

@test
def the_evaluator_never_stops_a_training():
    folder = runs("broken")
    run, _ = train("cartpole", folder, *WINDOWS, "--run.stop_update", "1", "--set", "eval.on=false")
    (run / "replays").write_text("not a folder")
    result = ludus("train", "cartpole", "--out", folder, "--resume", "latest", "--set",
                   "eval.on=true", "--json")
    assert result.lines()[-1]["status"] == "finished" and "evaluator" in result.err
    assert "replays" in (run / "evaluator.log").read_text()
    (run / "replays").unlink()
    out = ludus("eval", "--follow", run).out  # makes good what is missing
    assert len(out.splitlines()) == 4
    assert judged(run) == judged(shared())
    assert ludus("eval", "--follow", run).out == ""  # nothing is left to do


@test
def a_window_that_is_trained_anew_is_judged_anew():
    folder = runs("anew")
    run, _ = train("cartpole", folder, *WINDOWS)
    old = judged(run)
    shutil.rmtree(run / "checkpoints/ckpt_000003")
    shutil.rmtree(run / "checkpoints/ckpt_000002")
    train("cartpole", folder, "--resume", "latest", "--steps", "2560", "--set", "eval.on=false")
    ludus("eval", "--follow", run)
    kept = {row["window_id"]: row for row in judged(run)}
    assert sorted(kept) == list(range(7))
    for window in range(7):
        answer = ludus("eval", f"{run}:{window}", "--json").json()
        assert {k: answer[k] for k in kept[window]["report"]} == kept[window]["report"], window
    assert kept[1] == old[1] and kept[2] != old[2], "schedules go on to more steps"


@test
def a_reader_that_goes_away_ends_nothing():
    folder = runs("reader")
    child = start("train", "cartpole", "--out", folder, "--json", *WINDOWS)
    child.stdout.readline()
    child.stdout.close()
    assert child.wait(60) == 0
    run = next(p for p in folder.iterdir() if p.is_dir())
    assert json.loads((run / "run.json").read_text())["status"] == "finished"
    assert models(run) == models(shared())


@test
def an_evaluator_that_hangs_is_ended():
    folder = runs("hangs")
    child = start("train", "cartpole", "--out", folder, "--json", "--steps", "50M", "--set",
                  "run.window_env_steps=384", *SMALL)
    run = Path(json.loads(child.stdout.readline())["folder"])
    until((run / "replays").exists, "an evaluator")
    found = subprocess.run(["pgrep", "-f", f"eval --follow {run}"], capture_output=True, text=True)
    evaluator = int(found.stdout.split()[0])
    os.kill(evaluator, signal.SIGSTOP)
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=300)
    assert child.returncode == 130 and not Path(f"/proc/{evaluator}").exists()


@test
def what_cannot_be_judged_is_refused_at_once():
    fails(2, "'eval.metric' = 'nosuch'", "train", "cartpole", "--out", runs("metric"), *SMALL,
          "--set", "eval.metric=nosuch")
    assert not runs("metric").exists()


@test
def links_in_a_run_lead_nowhere():
    folder, other = runs("links"), WORK / "elsewhere"
    run, _ = train("cartpole", folder, *WINDOWS, "--run.stop_update", "4", "--set", "eval.on=false")
    other.mkdir()
    (other / "rows").write_text("precious")
    for name in ("metrics/windows.jsonl", "evaluator.log"):
        path = run / name
        kept = path.read_bytes() if path.exists() else None
        path.unlink(missing_ok=True)
        path.symlink_to(other / "rows")
        ludus("train", "cartpole", "--out", folder, "--resume", "latest", "--run.stop_update", "5",
              "--set", "eval.on=true", code=0 if name == "evaluator.log" else 1)
        assert (other / "rows").read_text() == "precious", name
        path.unlink()
        if kept is not None:
            path.write_bytes(kept)
    os.rename(run / "checkpoints", other / "checkpoints")
    (run / "checkpoints").symlink_to(other / "checkpoints")
    fails(4, "is a link", "train", "cartpole", "--out", folder, "--resume", run)


@test
def rows_that_nobody_would_read_end_a_training():
    folder = runs("taken-away")
    child = start("train", "cartpole", "--out", folder, "--json", "--steps", "50M", "--set", "run.window_env_steps=4096", *SMALL,
                  "--set", "eval.on=false", "--set", "run.checkpoint_updates=1")
    run = Path(json.loads(child.stdout.readline())["folder"])
    until((run / "checkpoints/ckpt_000000").exists, "a checkpoint")
    shutil.rmtree(run / "metrics")
    _, err = child.communicate(timeout=300)
    assert child.returncode == 1 and "a metrics file was removed while being written: rows would be lost" in err, (child.returncode, err)
    assert json.loads((run / "run.json").read_text())["status"] == "failed"
    ludus("train", "cartpole", "--out", folder, "--resume", run, "--run.stop_update", "5")


@test
def one_evaluator_per_run():
    run = shared()
    held = os.open(run / "replays", os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    fails(7, "another evaluator", "eval", "--follow", run)
    os.close(held)


@test
def the_evaluator_ends_with_its_training():
    folder = runs("killed")
    child = start("train", "cartpole", "--out", folder, "--json", "--steps", "50M", "--set",
                  "run.window_env_steps=384", *SMALL)
    line = json.loads(child.stdout.readline())
    replays = Path(line["folder"]) / "replays"
    until(replays.exists, "an evaluator")
    child.kill()
    child.communicate()

    def alone():
        held = os.open(replays, os.O_RDONLY)
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        finally:
            os.close(held)
        return True
    until(alone, "the end of the evaluator")
    listed = ludus("runs", "list", "--run.folder", folder, "--json").json()
    assert listed["runs"][0]["status"] == "crashed"


@test
def the_best_window_is_found_by_a_paired_test():
    run, _ = train("cartpole", runs("best"), "--preset", "cartpole-classic", "--steps", "60k",
                   "--set", "run.window_env_steps=20k", "--set", "eval.episodes=24")
    table = rows(run, "evals")
    assert table[0]["best"] and "against_best" not in table[0]
    best = 0
    for row in table[1:]:
        pair = row["against_best"]
        diff = [a - b for a, b in zip(row["values"], table[best]["values"])]
        assert abs(pair["mean"] - sum(diff) / len(diff)) < 1e-9
        assert row["best"] == (pair["low"] > 0 and pair["p"] <= 0.05)
        best = row["window_id"] if row["best"] else best
        assert row["best_window"] == best
        tags = [tag for replay in row["replays"] for tag in replay["tags"]]
        assert ("best_so_far" in tags) == row["best"]
    values = {row["window_id"]: row["value"]["mean"] for row in table}
    for name, window in (("latest", 2), ("latest:best", best), ("best", best), ("latest:0", 0),
                         (f"{run.name}:1", 1), (f"{run}:best", best)):
        got = ludus("eval", name, "--run.folder", run.parent, "--json").json()
        assert got["infos"][0]["mean"] == values[window], name
    milestones = [tag for row in table for r in row["replays"] for tag in r["tags"]
                  if tag.startswith("milestone:")]
    assert len(milestones) == len(set(milestones)) > 0, "a milestone is reached once"


@test
def names_of_windows_that_are_none():
    run = shared()
    place = ["--run.folder", run.parent]
    fails(3, "no checkpoint of window 99", "eval", "latest:99", *place)
    fails(2, "give a number, `best` or `latest`", "eval", "latest:x", *place)
    fails(3, "no file and no run", "eval", "nobody:best", *place)
    fresh, _ = train("cartpole", runs("unjudged"), *WINDOWS, "--set", "eval.on=false")
    fails(3, "has been evaluated yet", "eval", f"{fresh}:best")


@test
def a_model_that_answers_otherwise_is_told():
    folder = runs("otherwise")
    run, _ = train("cartpole", folder, *WINDOWS, "--set", "eval.on=false")
    first, last = run / "checkpoints/ckpt_000000", run / "checkpoints/ckpt_000003"
    shutil.copy(first / "model.safetensors", last / "model.safetensors")
    fails(5, "the net answers differently after loading", "eval", "--follow", run)
    assert [row["window_id"] for row in rows(run, "evals")] == [0, 1, 2]
    fails(5, "the net answers differently after loading", "eval", "latest", "--run.folder", folder)


@test
def evaluations_come_in_on_the_panel():
    t = Terminal("train", "cartpole", "--out", runs("panel"), "--steps", "20M", "--set",
                 "run.window_env_steps=20k", *SMALL)
    t.wait_for("eval     window")
    t.wait_for("ludus replay replay-")
    t.child.send_signal(signal.SIGINT)
    t.end(130)
    last = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", t.seen)
    assert re.search(r"eval     window \d+: steps [\d.]+ \(95%: [\d.]+ .. [\d.]+\); random [\d.]+, balancer 500", last) and "return" in last


@test
def a_reward_that_never_changes_is_warned_of():
    words = []
    for term in ludus("spec", "corridor", "--json").json()["terms"]:
        words += ["--set", f"reward.{term}=0"]
    result = ludus("train", "corridor", "--out", runs("dull"), "--steps", "512", *SMALL, *words,
                   "--set", "eval.on=false")
    assert "every reward in this window was the same, so there is nothing to" in result.err


# ---- experiments and the site ----

def processes(word):
    """Ids of processes of ours whose command line holds the word."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if word.encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            pass
    return found


@test
def an_experiment_leads_to_its_newest_run():
    base = runs("experiment")
    words = [*WINDOWS, "--experiment", "Mine"]
    first, _ = train("cartpole", base / "runs", *words)
    link, board = base / "experiments/Mine", base / "tensorboard/Mine"
    assert os.readlink(link) == f"../runs/{first.name}" and list(board.glob("train/events*"))
    assert (link / "model.zip").exists() and sorted(p.name for p in (link / "logs").iterdir()) == [
        "evals.jsonl", "evaluator.log", "updates.jsonl", "windows.jsonl"]
    assert all(p.exists() for p in (link / "logs").iterdir())
    told = ludus("eval", link / "model.zip", "--episodes", "2", "--json").json()
    assert told["return"] == ludus("eval", link, "--episodes", "2", "--json").json()["return"]
    # its settings train the same again, under the same name
    again = ludus("train", "--preset", link / "config.yml", "--out", base / "runs", "--json")
    second = Path(again.lines()[-1]["folder"])
    assert f"experiments/Mine leads to this run, in place of {first.name}" in again.err
    assert again.lines()[-1]["hash"] == json.loads((first / "checkpoints/ckpt_000003/manifest.json").read_text())["hash"]
    assert link.resolve() == second.resolve() and board.resolve().parent == second.resolve()
    more = ludus("train", "cartpole", "--resume", link, "--steps", "1664", "--out", base / "runs")
    assert "in place of" not in more.err and "leads to this run" in more.err
    assert json.loads((second / "run.json").read_text())["run_id"] == second.name
    begun, _ = train("cartpole", base / "runs", "--preset", link / "config.yml", "--bootstrap-from-experiment", "Mine", "--experiment", "Begun")
    assert 'needs --load "Mine" too' in (begun / "config.yml").read_text()
    shown = ludus("runs", "show", "Mine", "--run.folder", base / "runs", "--json").json()
    assert shown["run_id"] == second.name
    fails(3, "there is no file and no run 'Mime'", "runs", "show", "Mime", "--run.folder", base / "runs")
    ludus("runs", "rm", second.name, "--yes", "--run.folder", base / "runs")
    assert not link.is_symlink() and not board.is_symlink()


@test
def an_experiment_goes_on_by_its_name():
    base = runs("continued")
    words = ["train", "cartpole", *WINDOWS, "--set", "eval.on=false", "--out", base / "runs", "--continue-training", "--json"]
    fails(2, "name it with --experiment", *words)
    begun = ludus(*words, "--experiment", "Mine", "--experiment-description", "with a low rate", "--set", "run.stop_update=2")
    assert "there is no run of Mine yet" in begun.err
    done = ludus(*words, "--experiment", "Mine")
    first, last = (result.lines()[-1] for result in (begun, done))
    assert (first["status"], last["status"], last["folder"]) == ("stopped", "finished", first["folder"])
    assert json.loads((Path(last["folder"]) / "run.json").read_text())["notes"] == "with a low rate"
    whole = ludus(*words[:-2], "--json").lines()[-1]
    assert whole["hash"] == last["hash"] and whole["folder"] != last["folder"]


@test
def evaluations_may_play_by_other_settings_and_partly_by_the_best():
    words = ["train", "duel", "--steps", "2048", "--num-envs", "16", "--n-steps", "16", "--set", "net.hidden=16", "--set",
             "run.window_env_steps=512", "--num-eval-agent", "8", "--out", runs("other")]
    for bad, said in (('{"bild":"MED"}', "did you mean 'build'"), ("[3]", "'eval.game': it must be a JSON object"),
                      ('{"build":"X"}', "is not one of MAXED"), ("{", "is not JSON")):
        fails(2, said, *words, "--eval-override-env-kwargs", bad)
    end = ludus(*words, "--eval-override-env-kwargs", '{"reset-params":{"build":"MED","randomize-build":false,"ticks-max":50}}',
                "--eval-deterministic-percent", "min(1,u/8)", "--json").lines()[-1]
    rows = [json.loads(line) for line in (Path(end["folder"]) / "metrics/evals.jsonl").read_text().splitlines()]
    assert [row["best_share"] for row in rows] == [0.25, 0.5, 0.75, 1]
    assert all(row["report"]["settings"]["build"] == "MED" and row["report"]["decisions"]["max"] <= 50 for row in rows)
    again = ludus("eval", "latest", "--run.folder", runs("other"), "--json").json()
    assert {key: again[key] for key in rows[-1]["report"]} == rows[-1]["report"]
    # the whole share is what --greedy plays
    best = ludus("eval", "latest", "--run.folder", runs("other"), "--greedy", "--json").json()
    drawn = ludus("eval", "latest", "--run.folder", runs("other"), "--sample", "--json").json()
    assert best["return"] == again["return"] != drawn["return"] and best["decisions"]["max"] <= 50


@test
def an_experiment_does_not_take_what_is_not_its_own():
    base = runs("taken")
    (base / "experiments/Mine").mkdir(parents=True)
    done = ludus("train", "cartpole", *WINDOWS, "--set", "eval.on=false", "--out", base / "runs", "--name", "Mine")
    assert "isn't a link and was left alone: choose another name" in done.err
    for name in ("../away", "a b", ".hidden"):
        done = ludus("train", "cartpole", *WINDOWS, "--set", "eval.on=false", "--out", base / "runs", "--name", name)
        assert "no experiments folder was created" in done.err, done
    assert [p.name for p in (base / "experiments").iterdir()] == ["Mine"]


@test
def a_training_serves_its_site_and_leaves_no_orphan():
    words = ["train", "cartpole", *SMALL, "--steps", "100M", "--serve"]
    for end, code in ((signal.SIGINT, 130), (signal.SIGKILL, -9)):
        folder = runs(f"serve-{end}")
        child = start(*words, "--out", folder)
        said = until(lambda: re.search(r"site: (http://\S+)", child.stderr.readline()), "the address")
        with urllib.request.urlopen(f"{said[1]}/api/v1/runs", timeout=60) as answer:
            assert [run["run_id"] for run in json.load(answer)["runs"]] == [only(folder).name]
        assert processes(str(folder))
        child.send_signal(end)
        child.communicate(timeout=60)
        assert child.returncode == code, child.returncode
        until(lambda: not processes(str(folder)), "the end of all processes")


@test
def a_site_takes_another_port_where_its_own_is_taken():
    taken = socket.socket()
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind(("127.0.0.1", 8321))
        taken.listen()
    except OSError:
        pass  # by somebody else, which is as good
    done = ludus("train", "cartpole", *WINDOWS, "--set", "eval.on=false", "--out", runs("port"), "--serve")
    address = re.search(r"site: http://127.0.0.1:(\d+)", done.err)
    taken.close()
    assert address and address[1] != "8321", done.err


@test
def a_catalogue_that_another_holds_delays_nobody_for_long():
    folder = runs("held")
    train("cartpole", folder, *WINDOWS, "--set", "eval.on=false")
    held = sqlite3.connect(folder / "catalogue.sqlite", isolation_level=None)
    held.execute("pragma locking_mode = exclusive")
    held.execute("begin exclusive")
    begun = time.time()
    assert len(ludus("runs", "list", "--run.folder", folder, "--json").json()["runs"]) == 1
    assert train("cartpole", folder, *WINDOWS, "--set", "eval.on=false")[1][-1]["status"] == "finished"
    assert time.time() - begun < 60, "nobody was told to wait that long"
    held.close()
    assert len(ludus("runs", "list", "--run.folder", folder, "--json").json()["runs"]) == 2


if __name__ == "__main__":
    sys.exit(main("lab", __doc__))
