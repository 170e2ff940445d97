#!/usr/bin/env python3
"""Sends runs with python/ludus_wandb through the official client, offline, and reads back what the
client wrote. Nothing may reach the network: the address of the server is a port of this test, at
which nobody may knock.

Usage: wandb_test.py
Needs the package wandb. Ends with a line "N passed, N failed".
"""

import contextlib
import fcntl
import io
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import tomllib
import types
from pathlib import Path
from unittest import mock

from wandb.proto import wandb_internal_pb2

ROOT = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "python"))
from ludus_wandb import upload
from ludus_wandb.cli import arguments, find_run
from ludus_wandb.cursor import EMPTY, Cursor, only_one
from ludus_wandb.folder import RunFolder
from ludus_wandb.plan import Plan
from ludus_wandb.problem import Problem

RUN = "20260131T123456Z-1b5890c-prospector"
SERVER = socket.create_server(("127.0.0.1", 0))
SERVER.setblocking(False)


# ---- a run folder, as docs/run-folder.md has it ----


def window(number, value=None, steps=None):
    value = 10.0 * number if value is None else value
    return {"run_id": RUN, "window_id": number, "complete": steps is None, "update": 4 * number + 4,
            "env_steps": steps or 1000 * (number + 1), "env_steps_start": 1000 * number,
            "ticks": 5 * (number + 1), "wall_seconds": 1.5, "written": "2026-01-31T12:34:56Z",
            "steps_per_second": 1e5, "episodes": 3, "episode_return": value, "episode_length": 12.5,
            "policy_loss": -0.25, "value_loss": 0.5, "entropy": 0.75, "kl": None, "endings": 3,
            "terms": {"gain": 0.125}, "infos": {"true_profit": 7}, "seconds": {"update": 1.5}}


def replay(number, name="1a2b3c4d", tags=("every_window",)):
    name = f"replay-{number:06}-{name}"
    return {"replay_id": name, "file": f"replays/{name}.ludus", "bytes": 9, "window_id": number,
            "seed": 30000, "tags": list(tags), "return": 1.5, "decisions": 20}


def evaluation(number, best, replays=(), value=50.0):
    return {"run_id": RUN, "window_id": number, "update": 4, "env_steps": 1000 * (number + 1),
            "written": "2026-01-31T12:35:00Z", "metric": "true_profit", "best": number == best,
            "best_window": best,
            "value": {"mean": value, "low": value - 1, "high": value + 1},
            "report": {"return": {"mean": 1.25}}, "replays": list(replays)}


class Run:
    """A run folder in a folder `runs`, with a home of its own for the client."""

    def __init__(self, base, name=RUN):
        self.base, self.name, self.path = Path(base), name, Path(base, "runs", name)
        for part in ("metrics", "checkpoints", "replays"):
            (self.path / part).mkdir(parents=True)
        self.facts(status="finished")

    def facts(self, **changes):
        text = {"value": "study one", "origin": "flag", "where": "--set"}
        facts = {"schema": 1, "run_id": self.name, "status": "running", "game": "prospector-v1",
                 "algorithm": "ppo", "seed": "7", "host": "secret-host", "commit": "1b5890c",
                 "written": "2026-01-31T12:34:56Z", "notes": "a first try", "tags": ["keep"],
                 "settings": {"run.experiment": text, "run.folder": {"value": "place"},
                              "train.start": {"value": "/secret/place"},
                              "train.rate": {"value": "0.001"}, "net.hidden": {"value": "64"},
                              "algo": {"value": "ppo"}, "mask.tight": {"value": "true"}}}
        (self.path / "run.json").write_text(json.dumps({**facts, **changes}))

    def rows(self, kind, *rows):
        with open(self.path / "metrics" / f"{kind}.jsonl", "a", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)

    def checkpoint(self, number, model=b"weights", closed=True):
        folder = self.path / "checkpoints" / f"ckpt_{number:06}"
        folder.mkdir(exist_ok=True)
        (folder / "model.safetensors").write_bytes(model + b"%d" % number)
        (folder / "state.bin").write_bytes(b"large")
        (folder / "manifest.json").write_text(json.dumps(
            {"schema": 1, "window_id": number, "closed": closed, "env_steps": 1000 * (number + 1),
             "files": {"model.safetensors": {"bytes": len(model) + 1, "hash": "00"}}}))

    def window(self, number, **changes):
        self.rows("windows", window(number, **changes))
        self.checkpoint(number)

    def evaluate(self, number, best, *tags, name="1a2b3c4d"):
        made = replay(number, name, ("every_window", *tags))
        (self.path / made["file"]).write_bytes(b"replay %02d" % number)
        self.rows("evals", evaluation(number, best, [made]))

    def plan(self):
        """What a first sync would send."""
        return Plan(RunFolder(str(self.path)), EMPTY)

    # ---- the command ----

    def environment(self):
        keep = {key: value for key, value in os.environ.items() if not key.startswith(("WANDB_", "LUDUS_"))}
        return {**keep, "HOME": str(self.base), "PYTHONPATH": str(ROOT / "python"),
                "WANDB_DATA_DIR": str(self.base / "data"),
                "WANDB_CACHE_DIR": str(self.base / "cache"),
                "WANDB_CONFIG_DIR": str(self.base / "config"), "PYTHONDONTWRITEBYTECODE": "1",
                "WANDB_BASE_URL": "http://127.0.0.1:%d" % SERVER.getsockname()[1]}

    def start(self, *words, **variables):
        return subprocess.Popen(
            [sys.executable, "-m", "ludus_wandb", "sync", *words], cwd=self.base,
            env={**self.environment(), **variables}, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def sync(self, *words, code=0, run=None, **variables):
        """(answer, what stood on stderr)"""
        child = self.start(run or self.name, "--offline", "--json", *words, **variables)
        out, said = child.communicate(timeout=300)
        assert child.returncode == code, (child.returncode, out, said)
        return (json.loads(out) if out else None), said

    def sessions(self):
        """What each session of the client left, oldest first."""
        found = sorted(self.path.glob("wandb/offline-run-*/run-*.wandb"),
                       key=lambda file: file.stat().st_mtime_ns)
        return [Session(file) for file in found]


# ---- the client's file: records in blocks of 32 KiB, as the log of LevelDB has them ----


def records(data):
    at, part = 7, b""
    while at + 7 <= len(data):
        left = 32768 - at % 32768
        if left < 7:
            at += left
            continue
        length, kind = struct.unpack_from("<HB", data, at + 4)
        if kind == 0:
            return
        part += data[at + 7 : at + 7 + length]
        at += 7 + length
        if kind in (1, 4):  # whole, or the last piece
            record = wandb_internal_pb2.Record()
            record.ParseFromString(part)
            yield record
            part = b""


class Session:
    def __init__(self, file):
        self.data = file.read_bytes()
        self.run, self.history, self.artifacts, self.metrics, self.exit = None, [], [], [], None
        for record in records(self.data):
            kind = record.WhichOneof("record_type")
            if kind == "run" and not self.run:
                self.run = record.run
            elif kind == "history":
                row = {item.key or "/".join(item.nested_key): json.loads(item.value_json)
                       for item in record.history.item}
                self.history.append({"_step": record.history.step.num, **row})
            elif kind == "artifact":
                self.artifacts.append(record.artifact)
            elif kind == "metric":
                self.metrics.append(record.metric)
            elif kind == "exit":
                self.exit = record.exit.exit_code

    def config(self):
        return {item.key: json.loads(item.value_json) for item in self.run.config.update}

    def aliases(self, kind):
        """Without `latest`, which the client gives to whatever it sends."""
        return [(artifact.name, sorted(set(artifact.aliases) - {"latest"}))
                for artifact in self.artifacts if artifact.type == kind]

    def files(self, kind):
        found = [artifact for artifact in self.artifacts if artifact.type == kind]
        return {entry.path: Path(entry.local_path).read_bytes()
                for entry in found[-1].manifest.contents}


def column(session, name):
    return [(row["env_steps"], row[name]) for row in session.history if name in row]


# ---- tests ----


def whole_run(base):
    run = Run(base)
    for number in range(3):
        run.window(number)
    run.evaluate(0, 0, "best_so_far")
    run.evaluate(1, 1, "best_so_far")
    return run


def test_the_run_is_described(base):
    run = whole_run(base)
    answer, _ = run.sync()
    assert (answer["project"], answer["group"]) == ("asteroid-prospector", "study one"), answer
    (session,) = run.sessions()
    got = session.run
    assert (got.project, got.run_id, got.display_name) == ("asteroid-prospector", RUN, RUN), got
    assert (got.run_group, got.job_type, got.notes) == ("study one", "train", "a first try"), got
    assert list(got.tags) == ["keep"] and session.exit == 0
    config = session.config()
    assert config["train.rate"] == 0.001 and config["net.hidden"] == 64, config
    assert config["mask.tight"] is True and config["algo"] == "ppo" and config["seed"] == "7"
    assert got.host == "ludus" and not got.git.remote_url, got
    assert "run.folder" not in config and "train.start" not in config, config
    for private in (b"secret-host", b"/secret/place", b"wandb_test.py"):
        assert private not in session.data, private


def test_metrics_stand_on_env_steps(base):
    run = whole_run(base)
    answer, _ = run.sync()
    assert (answer["windows"], answer["evals"], answer["again"]) == (3, 2, 0), answer
    (session,) = run.sessions()
    assert column(session, "episode_reward") == [(1000, 0.0), (2000, 10.0), (3000, 20.0)]
    assert column(session, "terms/gain") == [(1000, 0.125), (2000, 0.125), (3000, 0.125)]
    assert column(session, "eval/true_profit") == [(1000, 50.0), (2000, 50.0)]
    assert column(session, "eval/low") == [(1000, 49.0), (2000, 49.0)]
    assert column(session, "eval/return") == [(1000, 1.25), (2000, 1.25)]
    assert [row["_step"] for row in session.history] == [0, 1, 2, 3, 4]
    first = session.history[0]
    for name in ("episode_length", "policy_loss", "value_loss", "entropy", "infos/true_profit",
                 "seconds/update", "window_id", "update", "wall_seconds"):
        assert name in first, name
    assert "kl" not in first and "run_id" not in first
    axes = {(metric.name or metric.glob_name): metric.step_metric for metric in session.metrics}
    assert axes["*"] == "env_steps", axes


def test_artifacts_have_names_and_aliases(base):
    run = whole_run(base)
    answer, _ = run.sync()
    assert answer["artifacts"] == 6, answer
    (session,) = run.sessions()
    model = f"model-{RUN}"
    sent = session.aliases("model")
    assert [name for name, _ in sent] == [model] * 3, sent
    aliases = [["window-0"], ["best", "window-1"], ["window-2"]]
    assert [found for _, found in sent] == aliases, sent
    assert session.aliases("replay") == [
        (f"replay-{RUN}-0-replay-000000-1a2b3c4d", ["best"]),
        (f"replay-{RUN}-1-replay-000001-1a2b3c4d", ["best"])], session.aliases("replay")
    assert session.aliases("replay_index") == [(f"replay_index-{RUN}", ["best"])]
    assert all("latest" in artifact.aliases for artifact in session.artifacts)
    files = session.files("model")
    assert set(files) == {"model.safetensors", "manifest.json"}, files
    assert files["model.safetensors"] == b"weights2"
    assert session.files("replay") == {"replay-000001-1a2b3c4d.ludus": b"replay 01"}
    lines = session.files("replay_index")["replay_index.jsonl"].splitlines()
    assert [json.loads(line)["window_id"] for line in lines] == [0, 1]


def test_a_second_sync_sends_only_what_is_new(base):
    run = whole_run(base)
    run.sync()
    cursor = (run.path / "wandb/cursor.json").read_bytes()
    answer, _ = run.sync()
    assert (answer["windows"], answer["evals"], answer["artifacts"]) == (0, 0, 0), answer
    assert answer["place"] is None and len(run.sessions()) == 1
    assert (run.path / "wandb/cursor.json").read_bytes() == cursor
    # a later best: the model was sent before it was known to be the best
    run.evaluate(2, 2, "best_so_far")
    answer, _ = run.sync()
    assert (answer["windows"], answer["evals"], answer["artifacts"]) == (0, 1, 3), answer
    second = run.sessions()[1]
    assert second.aliases("model") == [(f"model-{RUN}", ["best", "window-2"])]
    assert [row["_step"] for row in second.history] == [5]
    assert len(json.loads((run.path / "wandb/cursor.json").read_text())["targets"]) == 1
    # notes of people are news as well
    run.facts(status="finished", notes="it learned")
    run.sync()
    assert run.sessions()[2].run.notes == "it learned" and not run.sessions()[2].history


def test_the_newest_model_stays_latest(base):
    run = whole_run(base)
    run.sync()
    run.rows("evals", evaluation(2, 0))  # the best of all is found to be an old one
    run.sync()
    sent = run.sessions()[1].aliases("model")
    assert sent == [(f"model-{RUN}", ["best", "window-0"]), (f"model-{RUN}", ["window-2"])], sent


def test_a_model_waits_for_its_evaluation(base):
    run = whole_run(base)
    with locked(run.path / "replays"):  # the evaluator is at work on window 2
        run.sync()
        run.evaluate(2, 2, "best_so_far")
        run.sync()
    sent = [session.aliases("model") for session in run.sessions()]
    model = f"model-{RUN}"
    assert sent == [[(model, ["window-0"]), (model, ["best", "window-1"])],
                    [(model, ["best", "window-2"])]], sent


def test_other_targets_have_their_own_cursor(base):
    run = whole_run(base)
    run.sync("--no-artifacts")
    answer, _ = run.sync("--project", "elsewhere", "--entity", "team", "--no-artifacts")
    assert (answer["windows"], answer["artifacts"]) == (3, 0), answer
    session = run.sessions()[1]
    assert (session.run.project, session.run.entity) == ("elsewhere", "team")
    assert not session.artifacts
    answer, _ = run.sync()  # what was left out can come later
    assert (answer["windows"], answer["artifacts"]) == (0, 6), answer


class StandIn:
    """A client that is online, whose server takes everything but replays."""

    Error, Settings = RuntimeError, dict

    class Artifact:
        def __init__(self, name, type, metadata):
            self.name, self.kind = name, type

        @contextlib.contextmanager
        def new_file(self, _name, mode):
            yield io.BytesIO()

        def wait(self):
            if self.kind == "replay":
                raise ValueError("no room for replays\nmore")

    class Started:
        step, config = 40, {}

        def __init__(self):
            self.steps = []

        def define_metric(self, *_words, **_more):
            pass

        def log(self, _metrics, step):
            self.steps.append(step)

        def log_artifact(self, artifact, aliases):
            return artifact

    def init(self, **_facts):
        self.started = self.Started()
        return self.started


def test_online_only_what_is_confirmed_counts(base):
    run, server = whole_run(base), types.SimpleNamespace(wandb=StandIn(), offline=False)
    folder = RunFolder(str(run.path))
    with only_one(folder):
        cursor, plan = Cursor(folder, "t"), run.plan()
        session = upload.Session(server, folder, "p", None, plan, cursor)
        try:
            session.send(plan, lambda _: None, True)
        except Problem as problem:
            assert problem.code == 1 and str(problem).endswith("no room for replays"), problem
        cursor.commit()
    assert server.wandb.started.steps == [40, 41, 42, 43, 44]  # behind those of the server
    again = Plan(folder, Cursor(folder, "t").state)
    assert not again.points, again.points
    kinds = [parcel.kind for parcel in again.parcels]
    assert kinds.count("replay") == 2 and "replay_index" in kinds, kinds
    assert [parcel.key for parcel in again.parcels if parcel.kind == "model"] == ["1", "2"], kinds


def test_a_resumed_run_is_not_sent_twice(base):
    run = Run(base)
    run.window(0)
    run.window(1)
    run.window(2, steps=2500)  # cut off
    run.sync("--no-artifacts")
    # on from window 1: it comes again bit for bit, but for its times; window 2 is now complete
    run.rows("windows", {"resume": 1, "update": 4}, {**window(1), "wall_seconds": 9.0,
             "written": "2026-02-01T00:00:00Z", "seconds": {"update": 2.0}}, window(2))
    answer, said = run.sync("--no-artifacts")
    assert (answer["windows"], answer["again"], answer["resumes"]) == (1, 1, 1), answer
    assert "resumed" in said, said
    (row,) = run.sessions()[1].history
    assert (row["window_id"], row["env_steps"], row["resumes"]) == (2, 3000, 1), row


def test_a_torn_line_waits(base):
    run = Run(base)
    run.window(0)
    with open(run.path / "metrics/windows.jsonl", "a", encoding="utf-8") as file:
        file.write(json.dumps(window(1))[:40])
    assert [point.row.window for point in run.plan().points] == [0]


def test_only_closed_checkpoints_are_sent(base):
    run = Run(base)
    run.window(0)
    run.rows("windows", window(1))
    run.checkpoint(1, closed=False)
    assert [parcel.key for parcel in run.plan().parcels] == ["0"]


def test_follow_goes_with_the_training_and_ends(base):
    run = Run(base)
    run.facts(status="running")
    run.window(0)
    with locked(run.path) as training:
        child = run.start(RUN, "--offline", "--json", "--follow", "--every", "0.1")
        try:
            wait_for_line(child, "1 window,")
            run.window(1)
            wait_for_line(child, "2 windows,")
            assert child.poll() is None
            run.evaluate(1, 1, "best_so_far")
            run.facts(status="finished")
            os.close(training)  # lets go of the lock
            out, said = child.communicate(timeout=300)
        finally:
            child.kill()
    assert child.returncode == 0, said
    answer = json.loads(out)
    assert (answer["windows"], answer["evals"], answer["artifacts"]) == (2, 1, 5), answer
    assert len(run.sessions()) == 1
    answer, _ = run.sync("--follow")
    assert (answer["windows"], answer["artifacts"]) == (0, 0), answer


def test_an_interrupted_follow_is_noted(base):
    run = Run(base)
    run.window(0)
    with locked(run.path):
        child = run.start(RUN, "--offline", "--follow", "--every", "0.1")
        wait_for_line(child, "1 window,")
        child.send_signal(signal.SIGTERM)
        _, said = child.communicate(timeout=300)
    assert child.returncode == 130 and "interrupted" in said, (child.returncode, said)
    answer, _ = run.sync()
    assert (answer["windows"], answer["artifacts"]) == (0, 0), answer


def test_one_sync_at_a_time(base):
    run = whole_run(base)
    (run.path / "wandb").mkdir()
    with locked(run.path / "wandb"):
        _, said = run.sync(code=7)
    assert "another ludus-wandb" in said, said


def test_dry_run_writes_nothing(base):
    run = whole_run(base)
    answer, _ = run.sync("--dry-run")
    assert (answer["windows"], answer["evals"], answer["artifacts"]) == (3, 2, 6), answer
    assert answer["dry_run"] and not (run.path / "wandb").exists()


def test_without_login_one_sentence(base):
    run = whole_run(base)
    child = run.start(RUN)
    out, said = child.communicate(timeout=300)
    assert child.returncode == 2 and not out, (child.returncode, out, said)
    assert "not logged in to W&B" in said and "--offline" in said and said.count("\n") == 1, said
    assert not list(run.path.glob("wandb/*run-*"))


def test_the_mode_of_the_client_counts(base):
    run = whole_run(base)
    child = run.start(RUN, "--json", "--no-artifacts", WANDB_MODE="offline")
    out, said = child.communicate(timeout=300)
    assert child.returncode == 0 and json.loads(out)["mode"] == "offline", said
    child = run.start(RUN, WANDB_MODE="disabled")
    assert "disabled" in child.communicate(timeout=300)[1] and child.returncode == 2


def test_runs_are_found(base):
    def find(*words):
        return find_run(arguments(["sync", *words, "--runs", str(run.path.parent)]))

    def missing(*words):
        try:
            return f"found {find(*words)}"
        except Problem as problem:
            assert problem.code == 3, problem
            return str(problem)

    run = whole_run(base)
    old = Run(base, "20250101T000000Z-1b5890c-cartpole")
    old.facts(written="2025-01-01T00:00:00Z", game="cartpole-v1")
    assert find("latest") == find("best") == find(RUN) == str(run.path)
    assert find(str(old.path)) == str(old.path)
    with mock.patch.dict(os.environ, LUDUS_RUN_FOLDER=str(run.path.parent), LUDUS_HOME="elsewhere"):
        assert find_run(arguments(["sync", "latest"])) == str(run.path)
    assert "no run nothing" in missing("nothing")
    _, said = run.sync(run=str(run.path.parent), code=3)
    assert "no run.json" in said, said
    assert run.sync("--dry-run", run=str(old.path))[0]["project"] == "ludus-cartpole"


# ---- folders that mean harm ----


def refused(base, harm, sentence):
    """With that harm a run's plan or its files end with one sentence."""
    run = whole_run(base)
    harm(run)
    try:
        for parcel in run.plan().parcels:
            for _, source in parcel.files:
                stream = io.BytesIO()
                source(stream)
                assert b"top secret" not in stream.getvalue()
    except Problem as problem:
        assert problem.code == 4 and sentence in str(problem), problem
        assert str(problem).isprintable(), problem
        return
    raise AssertionError(f"not refused: {sentence}")


def secret(run):
    path = run.base / "secret"
    path.write_bytes(b"top secret")
    return path


def swap(path, target):
    """Puts a link in the place of a file or folder."""
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    path.symlink_to(target)


def test_links_are_not_followed(base):
    model = "checkpoints/ckpt_000001/model.safetensors"
    refused(base + "/1", lambda run: swap(run.path / model, secret(run)), "is a link")
    refused(base + "/2", lambda run: swap(
        run.path / "replays/replay-000001-1a2b3c4d.ludus", secret(run)), "is a link")
    refused(base + "/3", lambda run: swap(run.path / "metrics", run.base), "metrics/windows.jsonl")
    # the command: one sentence; what came before is sent, and counted
    run = whole_run(base + "/4")
    swap(run.path / model, secret(run))
    _, said = run.sync(code=4)
    assert said.startswith("ludus-wandb: ") and "is a link" in said and said.count("\n") == 1, said
    (session,) = run.sessions()
    assert session.files("model")["model.safetensors"] == b"weights0" and len(session.history) == 5
    assert run.sync("--no-artifacts")[0]["windows"] == 0


def test_wandb_as_a_link_is_refused(base):
    run = whole_run(base)
    (run.path / "wandb").symlink_to(run.base)
    assert "isn't a folder" in run.sync(code=4)[1]
    (run.path / "wandb").unlink()
    (run.path / "wandb").mkdir()
    (run.path / "wandb/settings").write_text("[default]\nbase_url = http://127.0.0.1:1\n")
    assert "no place in a run" in run.sync(code=4)[1]


def test_pipes_and_sizes_are_refused(base):
    def pipe(run):
        path = run.path / "replays/replay-000000-1a2b3c4d.ludus"
        path.unlink()
        os.mkfifo(path)

    refused(base + "/1", pipe, "isn't a regular file")
    refused(base + "/2", lambda run: os.truncate(
        run.path / "replays/replay-000000-1a2b3c4d.ludus", 1 << 40), "more than")
    refused(base + "/3", lambda run: os.truncate(
        run.path / "checkpoints/ckpt_000000/model.safetensors", 100), "is said to have 8")


def test_bad_names_are_refused(base):
    def bad_replay(run):
        run.rows("evals", evaluation(2, 0, [{**replay(2), "replay_id": "../../secret"}]))

    refused(base + "/1", bad_replay, "replay_id")
    refused(base + "/2", lambda run: run.facts(run_id="../other"), "'run_id'")
    refused(base + "/3", lambda run: run.facts(game="a/b"), "'game'")
    refused(base + "/4", lambda run: run.rows("windows", {**window(3), "terms": {"\n": 1}}),
            "metric")


def test_bad_rows_are_refused(base):
    def line(text):
        def harm(run):
            with open(run.path / "metrics/windows.jsonl", "a", encoding="utf-8") as file:
                file.write(text + "\n")
        return harm

    for number, text in enumerate(("nonsense", "[" * 100000, "[1]", '{"window_id":-1}',
                                   '{"window_id":3,"env_steps":NaN}', '{"resume":"x"}')):
        refused(f"{base}/{number}", line(text), "line 4")


def test_a_bad_cursor_is_told(base):
    run = whole_run(base)
    (run.path / "wandb").mkdir()
    for text in ("{", '{"schema":1,"targets":[]}', '{"schema":1,"targets":{"t":{"step":"x"}}}'):
        (run.path / "wandb/cursor.json").write_text(text)
        try:
            Cursor(RunFolder(str(run.path)), "t")
        except Problem as problem:
            assert problem.code == 4 and "cursor.json" in str(problem), problem
        else:
            raise AssertionError(f"taken: {text}")


def test_the_package_has_its_command(_base):
    project = tomllib.loads((ROOT / "python/pyproject.toml").read_text())
    module, name = project["project"]["scripts"]["ludus-wandb"].split(":")
    assert callable(getattr(__import__(module, fromlist=[name]), name))
    files = [ROOT / "python" / package for package in project["tool"]["scikit-build"]["wheel"]["packages"]]
    users = [path.name for folder in files for path in folder.glob("*.py")
             if "import wandb" in path.read_text()]
    assert users == ["upload.py"], users


# ---- helpers ----


@contextlib.contextmanager
def locked(path):
    """Holds the lock of a folder, as a training does."""
    file = os.open(path, os.O_RDONLY)
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield file
    finally:
        with contextlib.suppress(OSError):
            os.close(file)


def wait_for_line(child, part):
    """Reads lines of stderr until one has `part`; the end of the stream is a failure."""
    for line in child.stderr:
        if part in line:
            return
    raise AssertionError(f"ended without '{part}'")


def left_behind(base):
    """Processes whose environment names the folder of a test."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if base.encode() in (folder / "environ").read_bytes():
                found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode())
    return found


def wait_for_end(base):
    """The client's own process ends a moment after the command."""
    for _ in range(3000):
        if not left_behind(base):
            return
        time.sleep(0.1)
    raise AssertionError(f"left behind: {left_behind(base)}")


def nobody_knocked():
    with contextlib.suppress(BlockingIOError):
        visitor, _ = SERVER.accept()
        visitor.close()
        raise AssertionError("the client asked the server")


def main():
    if sys.argv[1:]:
        print(__doc__)
        return 0 if sys.argv[1:] in (["-h"], ["--help"]) else 2
    passed = failed = 0
    for name, test in list(globals().items()):
        if not name.startswith("test_"):
            continue
        start = time.monotonic()
        base = tempfile.mkdtemp(prefix="ludus-wandb-")
        try:
            test(base)
            wait_for_end(base)
            nobody_knocked()
            passed += 1
            print(f"ok   {time.monotonic() - start:8.3f} s  wandb:{name[5:]}", flush=True)
        except Exception as error:  # a test that fails must not hide the ones after it
            failed += 1
            print(f"    {type(error).__name__}: {error}")
            print(f"FAIL {time.monotonic() - start:8.3f} s  wandb:{name[5:]}", flush=True)
        finally:
            shutil.rmtree(base, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
