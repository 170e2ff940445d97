"""What the server gives up before it serves: other files, connections, programs, privileges."""

import os
import shutil
import subprocess
import time
from pathlib import Path

from cli.helper import LUDUS, ROOT, WORK, environment, ludus, test, until
from serve.bounds import FREE, LAYER, bounds, kernel, status_of, tried, tries
from serve.client import Server
from serve.lines import LineServer
from serve.shared import SHARED, SMALL, run_path, shared


@test
def the_server_gives_up_what_it_does_not_need():
    server = shared()
    _, seccomp = kernel()
    threads = [int(name) for name in os.listdir(f"/proc/{server.child.pid}/task")]
    assert len(threads) >= 4
    for thread in threads:
        assert status_of(thread, "NoNewPrivs") == "1", thread
        assert not seccomp or status_of(thread, "Seccomp") == "2", thread
    with Server(SHARED["folder"].parent, "--serve.confine=false") as free:
        assert status_of(free.child.pid, "NoNewPrivs") == "0"


@test
def every_server_gives_up_what_it_does_not_need():
    env = environment(LD_PRELOAD=LAYER)
    policy = ["serve-policy", "--model", ROOT / "models/prospector-v1.safetensors", "--run.folder", WORK / "none"]
    try:
        for words in (["serve", "--run.folder", WORK / "none"], policy, ["serve-env", "cartpole"]):
            off = "--serve.confine=false" if words[0] == "serve" else "--confine=false"
            for more, could in (((), bounds()), ((off,), FREE)):
                with LineServer(*words, *more, env=env) as server:
                    assert tried(server) == could, words
                    assert status_of(server.child.pid, "NoNewPrivs") == str(int(not more)), words
    finally:
        Path("/tmp/ludus-break-out").unlink(missing_ok=True)


def children(pid):
    """By their verbs; those that are not what they are to be yet have that of their parent, or none."""
    return {Path(f"/proc/{child}/cmdline").read_bytes().decode().partition("\0")[2].split("\0")[0]: int(child)
            for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}


@test
def what_a_training_starts_is_confined():
    folder = WORK / "beside"
    child = subprocess.Popen([LUDUS, "train", "cartpole", "--out", folder, "--serve", "--steps", "100M", *SMALL], env=environment(LD_PRELOAD=LAYER),
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        def said(name):
            return lambda: next(folder.glob(f"*/{name}")).read_text()
        beside = until(lambda: {"eval", "serve"} <= (found := children(child.pid)).keys() and found, "evaluator and server")
        until(lambda: list(folder.glob("*/metrics/evals.jsonl")), "a judged window")
        until(lambda: not kernel()[1] or status_of(beside["serve"], "Seccomp") == "2", "a server that is confined")
        assert tries(beside["eval"], said("evaluator.log")) == bounds(read=" read")
        assert tries(beside["serve"], said("server.log")) == bounds()
    finally:
        child.terminate()
        child.wait()


@test
def no_program_is_started_and_nothing_is_written_but_the_catalogue():
    shared()
    folder = WORK / "confined"
    shutil.copytree(SHARED["folder"], folder / SHARED["run"])
    marks = WORK / "confined-bin"
    marks.mkdir()
    for name in ("git", "sh"):
        (marks / name).write_text(f"#!/bin/sh\ntouch {marks}/ran-{name}\n")
        (marks / name).chmod(0o755)
    with Server(folder, env=environment(PATH=f"{marks}:{os.environ['PATH']}")) as server:
        for rest in ("", "/windows", "/replays/best/file", "/replays/best/frames", "/models/latest"):
            assert server.get(run_path(rest)).status == 200, rest
        # the catalogue goes on without a file when it is taken away: none can be made
        for path in folder.glob("catalogue.sqlite*"):
            path.unlink()
        assert server.json("/api/v1/runs")["runs"][0]["run_id"] == SHARED["run"]
        if kernel()[0]:
            assert not list(folder.glob("catalogue*")), "a file was made"
    assert not list(marks.glob("ran-*"))
    with Server(folder) as server:
        assert server.get(run_path()).status == 200
    assert sorted(path.name.split("-")[0] for path in folder.glob("catalogue*"))[:1] == ["catalogue.sqlite"]


@test
def a_site_and_runs_that_are_made_later_are_served():
    shared()
    later = WORK / "later"
    later.mkdir()
    with Server(later / "runs", "--site", later / "web/dist") as server:
        assert server.json("/api/v1/runs")["runs"] == []
        shutil.copytree(SHARED["folder"], later / "runs" / SHARED["run"])
        (later / "web/dist").mkdir(parents=True)
        (later / "web/dist/index.html").write_text("<title>later</title>")
        time.sleep(2.2)
        assert server.json("/api/v1/runs")["runs"][0]["run_id"] == SHARED["run"]
        assert b"later" in server.get("/").body
    with Server(later / "runs") as server:
        assert server.json("/api/v1/runs")["runs"]
        shutil.rmtree(later / "runs")
        shutil.copytree(SHARED["folder"], later / "runs" / SHARED["run"])
        time.sleep(1.2)
        answer = server.get("/api/v1/runs")
        assert kernel()[0] and "started again" in answer.problem("failed")["detail"] or answer.status == 200, answer


@test
def doctor_tells_what_the_kernel_has_and_root_is_told():
    told = {row["name"] for row in ludus("doctor", "--json").json()["findings"]}
    assert {"Landlock", "seccomp"} <= told
    child = subprocess.Popen([LUDUS, "serve", "--port", "0", "--run.folder", WORK / "none"], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    child.stdout.readline()
    child.terminate()
    err = child.communicate(timeout=300)[1].decode()
    assert ("running as root" in err) == (os.geteuid() == 0), err
