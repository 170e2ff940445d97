"""Paths, links and names that would lead elsewhere, and what stays untouched."""

import json
import os
import shutil
import sqlite3
from pathlib import Path

from cli.helper import WORK, fails, ludus, test
from serve.client import Server
from serve.shared import SHARED, run_path, shared


def traversals(target):
    """Ways to write ../ in a path, each several levels deep."""
    ups = ["..", "%2e%2e", "%2E.", ".%2e", "%252e%252e", "..%00", "..%c0%af", "....", "..;", "%c0%ae%c0%ae", "%uff0e%uff0e"]
    slashes = ["/", "%2f", "%252f", "\\", "%5c", "//", "/./", "%255c"]
    for up in ups:
        for slash in slashes:
            yield (up + slash) * 6 + target
    for odd in (f"/{target}", f"//{target}", f"file:///{target}", f"%2f{target}", f"C:\\{target}", f"{target}%00", f"{target}%00.ludus",
                f"~/{target}", f"./{target}", f"%00/{target}", "a/../../../" + target):
        yield odd


@test
def no_path_leads_out():
    server = shared()
    secret = WORK / "secret.txt"
    secret.write_text("TOP-SECRET-CONTENT")
    root_of = Path("/etc/passwd").read_text().splitlines()[0]
    prefixes = ["/", "/assets/", "/wasm/", "/api/v1/runs/", "/api/v1/models/", "/api/v1/games/", run_path("/replays/"), run_path("/models/"),
                "/api/v1/sessions/"]
    count = 0
    for prefix in prefixes:
        for way in [*traversals("etc/passwd"), *traversals("secret.txt")]:
            for end in ("", "/file", "/frames"):
                if end and "replays" not in prefix:
                    continue
                answer = server.get(prefix + way + end)
                text = answer.body.decode("latin-1")
                assert answer.status in (400, 404) or (answer.status == 200 and "<title>ludus" in text), (prefix + way, answer)
                assert root_of not in text and "TOP-SECRET" not in text, prefix + way
                count += 1
    assert count > 1000
    for query in ("run=..", "file=/etc/passwd", "window=../../x", "tag=../..", "cursor=../../etc"):
        server.get(run_path(f"/replays?{query}")).problem("bad-parameter")


@test
def links_and_names_inside_a_run_lead_nowhere():
    folder = WORK / "linked"
    secret = WORK / "outside.ludus"
    secret.write_bytes(b"TOP-SECRET-CONTENT")
    shared()
    shutil.copytree(SHARED["folder"], folder / "run-a")
    best = SHARED["server"].json(run_path("/replays/best"))["replay_id"]
    own = folder / "run-a" / f"replays/{best}.ludus"
    own.unlink()
    os.symlink(secret, own)
    model = folder / "run-a/checkpoints/ckpt_000000/model.safetensors"
    model.unlink()
    os.symlink(secret, model)
    updates = folder / "run-a/metrics/updates.jsonl"
    updates.unlink()
    os.symlink("/dev/zero", updates)
    os.symlink("/", folder / "run-b")
    os.mkfifo(folder / "run-a/replays/replay-000000-00000000.ludus")
    rows = (folder / "run-a/metrics/evals.jsonl").read_text().splitlines()
    row = json.loads(rows[-1])
    row["replays"] = [dict(row["replays"][0], replay_id="../../outside", file="../../outside.ludus"),
                      dict(row["replays"][0], replay_id="replay-000000-00000000")]
    (folder / "run-a/metrics/evals.jsonl").write_text("\n".join([*rows[:-1], json.dumps(row)]) + "\n")
    with Server(folder) as server:
        path = "/api/v1/runs/run-a"
        assert server.json(path)["run_id"] == "run-a"
        for rest in (f"/replays/{best}/file", f"/replays/{best}/frames", "/models/0", "/replays/replay-000000-00000000/file",
                     "/replays/replay-000000-00000000/frames", "/replays/..%2f..%2foutside/file"):
            answer = server.get(path + rest)
            assert answer.status == 404 and b"TOP-SECRET" not in answer.body, (rest, answer)
        assert server.json(path + "/metrics?rows=updates&key=kl")["total"] == 0
        assert server.get("/api/v1/runs/run-b").status == 404


@test
def run_json_and_rows_that_are_links_are_not_read():
    folder, elsewhere = WORK / "linked-rows", WORK / "linked-rows-elsewhere"
    shared()
    shutil.copytree(SHARED["folder"], elsewhere)
    elsewhere.joinpath("rows.jsonl").write_text('{"window_id":0,"password":"CANARY","env_steps":1,"pin":471142017114}\n')
    facts = json.loads(elsewhere.joinpath("run.json").read_text())
    elsewhere.joinpath("facts.json").write_text(json.dumps({**facts, "notes": "CANARY"}))
    runs = {name: folder / name for name in ("windows", "evals", "facts", "metrics")}
    for path in runs.values():
        shutil.copytree(SHARED["folder"], path)
    for path, target in ((runs["windows"] / "metrics/windows.jsonl", "rows.jsonl"), (runs["evals"] / "metrics/evals.jsonl", "rows.jsonl"),
                         (runs["evals"] / "metrics/league.jsonl", "rows.jsonl"), (runs["facts"] / "run.json", "facts.json")):
        path.unlink(missing_ok=True)
        os.symlink(elsewhere / target, path)
    (elsewhere / "metrics/windows.jsonl").write_text((elsewhere / "rows.jsonl").read_text())
    shutil.rmtree(runs["metrics"] / "metrics")
    os.symlink(elsewhere / "metrics", runs["metrics"] / "metrics")
    os.symlink(elsewhere, folder / "whole")
    with Server(folder) as server:
        assert {run["run_id"] for run in server.json("/api/v1/runs")["runs"]} == {"windows", "evals", "metrics"}
        for name in (*runs, "whole"):
            for rest in ("", "/windows", "/evaluations?full=true", "/metrics?key=pin", "/metrics?key=pin&rows=updates", "/replays"):
                answer = server.get(f"/api/v1/runs/{name}{rest}")
                assert b"CANARY" not in answer.body and b"471142017114" not in answer.body, (name, rest, answer)
                assert answer.status == (404 if name in ("facts", "whole") else 200), (name, rest, answer)
        assert server.json("/api/v1/runs/latest")["run_id"] in ("windows", "evals", "metrics")
        assert server.get("/api/v1/leagues/evals").status == 404
    for words in (["runs", "show", "whole"], ["runs", "show", "facts"], ["eval", "whole:0"]):
        fails(3, "", *words, "--run.folder", folder)


@test
def a_planted_catalogue_leads_nowhere():
    above = WORK / "planted"
    shared()
    shutil.copytree(SHARED["folder"], above)
    above.joinpath("metrics/windows.jsonl").write_text('{"window_id":0,"password":"CANARY"}\n')
    folder = above / "runs"
    shutil.copytree(SHARED["folder"], folder / "run-a")
    ludus("runs", "reindex", "--run.folder", folder)
    with sqlite3.connect(folder / "catalogue.sqlite") as base:
        for table in [row[0] for row in base.execute("select name from sqlite_master where type = 'table'")]:
            base.execute(f"update {table} set run_id = '..'")
        base.execute("delete from stamps")  # nothing says any more when it was read
    base.close()
    with Server(folder) as server:
        for path in ("/api/v1/runs/%2e%2e", "/api/v1/runs/%2e%2e/windows", "/api/v1/runs/%2e%2e/models/latest", "/api/v1/models/.x", "/api/v1/runs/%2e"):
            answer = server.get(path)
            assert answer.status == 404 and b"CANARY" not in answer.body, (path, answer)
        assert [run["run_id"] for run in server.json("/api/v1/runs")["runs"]] == ["run-a"], "the catalogue is that of the folders"


@test
def nothing_in_a_run_is_touched():
    shared()
    folder = WORK / "untouched"
    shutil.copytree(SHARED["folder"], folder / SHARED["run"])
    before = _stamps(folder / SHARED["run"])
    os.chmod(folder, 0o555)
    try:
        with Server(folder) as server:
            for rest in ("", "/windows", "/evaluations", "/metrics?key=kl&rows=updates", "/replays", "/replays/best/file",
                         "/replays/best/frames", "/models/latest"):
                assert server.get(run_path(rest)).status == 200, rest
            for method in ("PUT", "POST", "DELETE", "PATCH"):
                answer = server.ask(method, run_path(), body={} if method in ("PUT", "POST", "PATCH") else None)
                assert answer.status == 405 and "GET" in answer.fields["allow"], answer
    finally:
        os.chmod(folder, 0o755)
    assert _stamps(folder / SHARED["run"]) == before
    document = shared().json("/api/v1/openapi.json")
    writes = {p for p, methods in document["paths"].items() if set(methods) - {"get"}}
    assert all(p.startswith(("/api/v1/sessions", "/api/v1/jobs/")) or p in ("/api/v1/tickets", "/api/v1/act", "/api/v1/games/{game}/tools/{tool}", "/optimize") for p in writes), writes


def _stamps(folder):
    return sorted((str(p), p.stat().st_mtime_ns, p.stat().st_size) for p in folder.rglob("*"))


@test
def hostile_names_and_notes_stay_data():
    folder = WORK / "hostile"
    text = "<script>alert(1)</script>\r\nSet-Cookie: a=b\u202e"
    run = folder / "ok-run"
    (run / "metrics").mkdir(parents=True)
    (run / "run.json").write_text(json.dumps({"schema": 1, "status": text, "game": text, "notes": text, "tags": ["<b>"], "started": text, "settings": 7}))
    (run / "metrics/windows.jsonl").write_text('{"window_id":0,"<script>":1,"a":{"b":{"c":{"d":{"e":1}}}}}\nnot json\n')
    (folder / "<script>alert(1)<").mkdir()
    (folder / "<script>alert(1)<" / "run.json").write_text("{}")
    (folder / "deep").mkdir()
    (folder / "deep" / "run.json").write_text("[" * 5000)
    with Server(folder) as server:
        answer = server.get("/api/v1/runs")
        assert answer.status == 200 and answer.fields["content-type"] == "application/json" and "set-cookie" not in answer.fields
        assert {r["run_id"] for r in answer.json()["runs"]} >= {"ok-run", "deep"}
        detail = server.get("/api/v1/runs/ok-run")
        assert detail.json()["settings"] == {} and "/tmp" not in detail.body.decode() and str(WORK) not in detail.body.decode()
        assert "<script>" not in json.dumps(server.json("/api/v1/runs/ok-run/metrics").get("keys"))
        assert server.get("/api/v1/runs/deep").status == 200
        for path in ("/api/v1/models", "/api/v1/replays"):
            assert server.get(path).status == 200
