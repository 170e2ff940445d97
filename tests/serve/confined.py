"""What the server gives up before it serves: other files, connections, programs, privileges."""

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

from cli.helper import LUDUS, WORK, environment, ludus, test
from serve.client import Server
from serve.shared import SHARED, run_path, shared


def status_of(pid, key):
    return re.search(rf"^{key}:\s*(\S+)", Path(f"/proc/{pid}/status").read_text(), re.M)[1]


def kernel():
    found = {row["name"]: row["verdict"] for row in ludus("doctor", "--json").json()["findings"]}
    return found["Landlock"] == "ok", found["seccomp"] == "ok"


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


@test
def doctor_tells_what_the_kernel_has_and_root_is_told():
    told = {row["name"] for row in ludus("doctor", "--json").json()["findings"]}
    assert {"Landlock", "seccomp"} <= told
    child = subprocess.Popen([LUDUS, "serve", "--port", "0", "--run.folder", WORK / "none"], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    child.stdout.readline()
    child.terminate()
    err = child.communicate(timeout=300)[1].decode()
    assert ("runs as root" in err) == (os.geteuid() == 0), err
