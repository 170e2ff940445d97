"""Tests of `ludus serve` over real sockets: every route, caching, streams, WebSockets, and what hostile
clients and files may try. Most share one server over one small run.

Usage: serve_test.py PATH_OF_LUDUS [FILTER...]
"""

import atexit
import contextlib
import gzip
import http.client
import json
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

from cli.helper import LUDUS, PATIENCE, ROOT, WORK, environment, fails, ludus, main, test, until
from serve import seats, tools  # noqa: F401: their tests
from serve.client import Answer, Server, Socket, drain, events, partial

RUNS = WORK / "serve-runs"
SMALL = ["--set", "train.environments=16", "--set", "train.horizon=32", "--set", "train.minibatch=256",
         "--set", "net.hidden=16", "--set", "net.layers=1"]
_shared = {}


def train(folder, steps="12k", game="cartpole", *words):
    lines = ludus("train", game, "--out", folder, "--json", "--steps", steps, "--set", "run.window_env_steps=2k",
                  *SMALL, *words).lines()
    return Path(lines[-1]["folder"])


def site(folder):
    """A small site."""
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>ludus</title>" + " " * 2000)
    (folder / "assets" / "app-1A2b3c4D.js").write_text("export const a = 1;\n" * 200)
    (folder / "robots.txt").write_text("none\n")
    (folder / ".secret").write_text("no")
    os.symlink("/etc/passwd", folder / "passwd.txt")
    return folder


def shared():
    """The server that most tests ask, its run and its replays."""
    if not _shared:
        run = train(RUNS)
        modules = WORK / "modules"
        modules.mkdir()
        (modules / "cartpole.wasm").write_bytes(b"\0asm\1\0\0\0" + bytes(4000))
        server = Server(RUNS, "--site", site(WORK / "site"), "--modules", modules, "--serve.requests_per_second", 0,
                        "--serve.request_seconds", 2)
        atexit.register(server.child.kill)  # where a filter leaves out its end
        _shared.update(server=server, run=run.name, folder=run)
    return _shared["server"]


def run_path(rest=""):
    return f"/api/v1/runs/{_shared['run']}{rest}"


def replays():
    return shared().json(run_path("/replays?limit=500"))["replays"]


# ---- what is there ----


@test
def it_prints_its_address_first_and_ends_cleanly_by_a_signal():
    for how in (signal.SIGINT, signal.SIGTERM):
        child = subprocess.Popen([LUDUS, "serve", "--port", "0", "--run.folder", WORK / "none"], env=environment(),
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        line = child.stdout.readline().decode()
        assert line.startswith("http://127.0.0.1:"), line
        with socket.create_connection(("127.0.0.1", int(line.rsplit(":", 1)[1]))) as sock:
            sock.sendall(b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert b"200 OK" in sock.recv(4096)
            child.send_signal(how)
            assert child.wait(5) == 0


@test
def examples_of_the_help_start():
    token = _token()
    for example in ludus("help", "serve", "--json").json()["examples"]:
        words = example["command"].replace("token.txt", str(token)).split()[1:]
        child = subprocess.Popen([LUDUS, *words, "--port", "0", "--run.folder", WORK / "none"], env=environment(),
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert child.stdout.readline().startswith(b"http://"), child.stderr.read()
        child.send_signal(signal.SIGINT)
        assert child.wait(5) == 0


@test
def a_taken_port_a_wrong_address_and_a_short_token_are_told():
    server = shared()
    fails(7, "another --port", "serve", "--port", server.port, "--run.folder", RUNS)
    fails(2, "no address", "serve", "--bind", "nowhere.example", "--token-file", _token())
    fails(2, "no origin", "serve", "--allow-origin", "https://a.example/path")
    fails(2, "no origin", "serve", "--allow-origin", "*")
    (WORK / "short").write_text("abc\n")
    fails(2, "shorter", "serve", "--token-file", WORK / "short")
    fails(3, "", "serve", "--token-file", WORK / "absent")


@test
def every_address_without_parameters_answers():
    server = shared()
    document = server.json("/api/v1/openapi.json")
    known = {"run": _shared["run"], "replay": "best", "window": "latest", "game": "cartpole", "name": "prospector-v1"}
    count = 0
    for path, methods in document["paths"].items():
        if "get" not in methods or path.endswith("/events") or "{session}" in path or "{job}" in path:
            continue
        for name, value in known.items():
            path = path.replace("{" + name + "}", value)
        answer = server.get(path)
        assert answer.status == 200, f"{path}: {answer}"
        head = server.ask("HEAD", path)
        assert head.status == 200 and not head.body, f"HEAD {path}: {head}"
        assert head.fields["content-type"] == answer.fields["content-type"]
        count += 1
    assert count >= 18, count


@test
def health_games_and_one_game():
    server = shared()
    health = server.json("/api/v1/health")
    assert health["status"] == "ok" and health["version"] and health["uptime_seconds"] >= 0
    games = server.json("/api/v1/games")["games"]
    cartpole = next(g for g in games if g["name"] == "cartpole")
    assert cartpole["id"] == "cartpole-v1" and cartpole["bots"] and cartpole["wasm"] == "/wasm/cartpole.wasm"
    assert next(g for g in games if g["name"] == "prospector")["wasm"] is None
    game, spec = server.json("/api/v1/games/cartpole"), ludus("spec", "cartpole", "--json").json()
    for key in ("id", "heads", "observation", "terms", "info", "hash", "milestones", "settings", "events"):
        assert game[key] == spec[key], key
    assert "theta" in game["options"]["properties"]
    assert server.json("/api/v1/games/cartpole-v1")["id"] == "cartpole-v1"
    server.get("/api/v1/games/none").problem("not-found")


@test
def runs_windows_and_evaluations_are_those_of_the_folder():
    server = shared()
    folder = _shared["folder"]
    listed = server.json("/api/v1/runs")["runs"]
    assert [r["run_id"] for r in listed] == [_shared["run"]]
    run = server.json(run_path())
    facts = json.loads((folder / "run.json").read_text())
    assert run["status"] == "finished" and run["settings"] == facts["settings"] and run["cpu"] == facts["cpu"]
    assert run["wandb"] is None and run["experiment"] == "" and run["best"]["low"] <= run["best"]["mean"]
    told = ludus("runs", "show", folder, "--json").json()
    assert {key: told.get(key) for key in run if key != "wandb"} == {
        key: run[key] for key in run if key != "wandb"}
    assert ludus("runs", "list", "--run.folder", folder.parent, "--json").json()["runs"] == listed
    mine = {row["replay_id"]: row for row in told["replay_rows"]}
    for replay in replays():
        extra = {"game", "metric", "env_steps"}
        assert {**replay, "file": mine[replay["replay_id"]]["file"]} == {
            **mine[replay["replay_id"]], **{key: replay[key] for key in extra}}
    for word in ("latest", "best"):
        assert server.json(f"/api/v1/runs/{word}")["run_id"] == _shared["run"]
    rows = [json.loads(line) for line in (folder / "metrics/windows.jsonl").open()]
    assert server.json(run_path("/windows"))["windows"] == rows and len(rows) == run["windows"] >= 5
    first = server.json(run_path("/windows?limit=2"))
    assert first["windows"] == rows[:2] and first["next"] == "2"
    assert server.json(run_path(f"/windows?from={first['next']}&limit=500"))["windows"] == rows[2:]
    evals = [json.loads(line) for line in (folder / "metrics/evals.jsonl").open()]
    got = server.json(run_path("/evaluations"))["evaluations"]
    assert [e["value"] for e in got] == [e["value"] for e in evals] and "report" not in got[0]
    assert server.json(run_path("/evaluations?full=true"))["evaluations"][0]["report"] == evals[0]["report"]
    assert server.json("/api/v1/runs?game=cartpole&status=finished&archived=false")["runs"]
    for query in ("game=prospector", "status=running", "tag=none", "archived=true"):
        assert server.json(f"/api/v1/runs?{query}")["runs"] == [], query


@test
def pages_by_cursor_hold_everything_once():
    folder = WORK / "many-runs"
    for index in range(7):
        run = folder / f"2026010{index // 2}T00000{index}Z-abc-cartpole"
        (run / "metrics").mkdir(parents=True)
        (run / "run.json").write_text(json.dumps({"schema": 1, "run_id": run.name, "status": "finished",
                                                  "game": "cartpole-v1", "started": f"2026-01-0{1 + index // 2}T00:00:00Z"}))
    with Server(folder) as server:
        seen, cursor = [], ""
        while cursor is not None:
            page = server.json(f"/api/v1/runs?limit=2{cursor and '&cursor=' + cursor}")
            assert 1 <= len(page["runs"]) <= 2
            seen += [r["run_id"] for r in page["runs"]]
            cursor = page["next"]
        assert seen == sorted((p.name for p in folder.iterdir() if p.is_dir()), reverse=True), seen
    server, seen, cursor = shared(), [], ""
    while cursor is not None:
        page = server.json(f"/api/v1/replays?limit=4&game=cartpole{cursor and '&cursor=' + cursor}")
        seen += [r["replay_id"] for r in page["replays"]]
        cursor = page["next"]
    assert seen == [r["replay_id"] for r in replays()] and len(set(seen)) == len(seen) > 8
    for cursor in ("00", "0a0a0a", "610a620a630a64"):
        server.get(f"/api/v1/replays?cursor={cursor}").problem("bad-parameter")
    server.get("/api/v1/runs?cursor=6161").problem("bad-parameter")


@test
def replays_by_tag_window_and_name():
    server = shared()
    all_of_them = replays()
    best = server.json(run_path("/replays/best"))
    assert "window_best" in best["tags"] and best["window_id"] == server.json(run_path())["best_window"]
    assert best["seed"].isdigit() and best["infos"]["end"] and best["metric"] == "steps"
    latest = server.json(run_path("/replays/latest"))
    assert latest["window_id"] == max(r["window_id"] for r in all_of_them) and "window_best" in latest["tags"]
    tagged = server.json(run_path("/replays?tag=window_best"))["replays"]
    assert tagged and tagged == [r for r in all_of_them if "window_best" in r["tags"]]
    for window in ("0", "latest", "best"):
        number = {"0": 0, "latest": latest["window_id"], "best": best["window_id"]}[window]
        listed = server.json(run_path(f"/replays?window={window}"))["replays"]
        assert listed == [r for r in all_of_them if r["window_id"] == number], window
    assert server.json(run_path(f"/replays/{best['replay_id']}")) == best
    assert server.json("/api/v1/replays?game=prospector")["replays"] == []
    server.get(run_path("/replays/replay-000099-00000000")).problem("not-found")


@test
def series_agree_with_the_rows():
    server = shared()
    rows = server.json(run_path("/windows"))["windows"]
    keys = server.json(run_path("/metrics"))["keys"]
    assert {"entropy", "terms.fall", "infos.steps", "eval.mean", "eval.low", "eval.high"} <= set(keys)
    answer = server.json(run_path("/metrics?key=entropy&key=eval.mean&key=absent"))
    entropy, judged, absent = answer["series"]
    assert [b["mean"] for b in entropy["buckets"]] == [r["entropy"] for r in rows] and answer["total"] == len(rows)
    assert [b["x0"] for b in entropy["buckets"]] == [r["env_steps"] for r in rows]
    assert judged["count"] == len(rows) and absent == {"key": "absent", "buckets": [], "count": 0}
    one = server.json(run_path("/metrics?key=entropy&buckets=1"))["series"][0]["buckets"]
    values = [r["entropy"] for r in rows]
    assert len(one) == 1 and one[0]["min"] == min(values) and one[0]["max"] == max(values)
    assert one[0]["count"] == len(values) and one[0]["last"] == values[-1]
    assert abs(one[0]["mean"] - sum(values) / len(values)) < 1e-12
    some = server.json(run_path(f"/metrics?key=entropy&axis=update&from={rows[1]['update']}&to={rows[2]['update']}"))
    assert [b["mean"] for b in some["series"][0]["buckets"]] == values[1:3]
    updates = [json.loads(line) for line in (_shared["folder"] / "metrics/updates.jsonl").open()]
    got = server.json(run_path("/metrics?rows=updates&key=kl&buckets=2000&axis=update"))
    assert got["total"] == len(updates) and [b["mean"] for b in got["series"][0]["buckets"]] == [r["kl"] for r in updates]
    assert "kl" in server.json(run_path("/metrics?rows=updates"))["keys"]
    fifteen = "&".join(f"key=k{i}" for i in range(17))
    server.get(run_path(f"/metrics?{fifteen}")).problem("bad-parameter")


@test
def rows_that_a_resume_made_void_are_gone():
    folder = WORK / "resumed"
    run = folder / "20260101T000000Z-abc-cartpole"
    (run / "metrics").mkdir(parents=True)
    (run / "run.json").write_text('{"schema":1,"status":"stopped","game":"cartpole-v1","started":"2026-01-01T00:00:00Z"}')
    (run / "metrics/windows.jsonl").write_text(
        "".join(f'{{"window_id":{i},"env_steps":{i},"v":1}}\n' for i in range(4)) + '{"resume":2,"update":1}\n'
        '{"window_id":2,"env_steps":2,"v":2}\n{"window_id":3,"env_')
    (run / "metrics/updates.jsonl").write_text(
        "".join(f'{{"update":{i},"env_steps":{i},"v":1}}\n' for i in range(1, 6)) + '{"resume":3}\n{"update":4,"env_steps":4,"v":2}\n')
    with Server(folder) as server:
        path = f"/api/v1/runs/{run.name}"
        assert [r["v"] for r in server.json(path + "/windows")["windows"]] == [1, 1, 2]
        series = server.json(path + "/metrics?key=v&rows=updates")["series"][0]["buckets"]
        assert [(b["x0"], b["mean"]) for b in series] == [(1, 1), (2, 1), (3, 1), (4, 2)]


@test
def replay_files_have_tags_and_parts():
    server = shared()
    best = server.json(run_path("/replays/best"))
    path = run_path(f"/replays/{best['replay_id']}/file")
    data = (_shared["folder"] / f"replays/{best['replay_id']}.ludus").read_bytes()
    whole = server.get(path)
    tag = whole.fields["etag"]
    assert whole.body == data and "immutable" in whole.fields["cache-control"] and not tag.startswith("W/")
    assert server.get(run_path("/replays/best/file")).fields["cache-control"] == "no-cache"
    assert server.get(path, If_None_Match=tag).status == 304 and server.get(path, If_None_Match=f'"x", {tag}').status == 304
    assert server.get(path, If_None_Match='"x"').status == 200
    size = len(data)
    for field, start, end in [("bytes=0-0", 0, 1), ("bytes=10-19", 10, 20), (f"bytes={size - 5}-", size - 5, size),
                              ("bytes=-7", size - 7, size), ("bytes=5-99999999999", 5, size), (f"bytes=-{10 ** 15}", 0, size)]:
        part = server.get(path, Range=field)
        assert part.status == 206 and part.body == data[start:end], (field, part)
        assert part.fields["content-range"] == f"bytes {start}-{end - 1}/{size}", (field, part)
    for field in (f"bytes={size}-", "bytes=-0", f"bytes={10 ** 17}-"):
        answer = server.get(path, Range=field)
        assert answer.status == 416 and answer.fields["content-range"] == f"bytes */{size}", (field, answer)
    bomb = "bytes=" + ",".join(f"{i}-{i}" for i in range(900))
    for field in (bomb, "bytes=0-1,3-4", "bytes=9-3", "bytes=a-b", "lines=1-2", "bytes=", "bytes=-", "bytes=1-2x",
                  "bytes=" + "9" * 40 + "-"):
        answer = server.get(path, Range=field)
        assert answer.status == 200 and answer.body == data, (field[:40], answer)
    assert server.get(path, Range="bytes=0-3", If_Range=tag).status == 206
    assert server.get(path, Range="bytes=0-3", If_Range='"old"').status == 200
    head = server.ask("HEAD", path)
    assert head.status == 200 and int(head.fields["content-length"]) == size and not head.body


@test
def models_are_published_ones_and_those_of_runs():
    server = shared()
    models = server.json("/api/v1/models")["models"]
    names = [m["name"] for m in models]
    published = sorted(path.stem for path in (ROOT / "models").glob("*.safetensors"))
    assert names[: len(published)] == published and "prospector-v1" in published
    assert [m["game"] for m in models if m["name"] == "prospector-v1"] == ["prospector-v1"]
    own = [m for m in models if m.get("run_id") == _shared["run"]]
    assert len(own) == 2 and own[0]["window_id"] >= own[1]["window_id"]
    for model in models:
        answer = server.get(model["url"])
        assert answer.status == 200 and len(answer.body) == model["bytes"] and answer.fields["etag"]
        assert server.get(model["url"], If_None_Match=answer.fields["etag"]).status == 304
    assert server.get("/api/v1/models/prospector-v1").body == (ROOT / "models/prospector-v1.safetensors").read_bytes()
    newest = server.get(run_path("/models/latest")).body
    assert newest == server.get(own[0]["url"]).body and newest != server.get(run_path("/models/0")).body
    for path in ("/api/v1/models/none", "/api/v1/models/prospector-v1.md", run_path("/models/99"), run_path("/models/x")):
        server.get(path).problem("not-found")


@test
def the_site_and_the_modules():
    server = shared()
    page = server.get("/")
    assert page.status == 200 and page.fields["content-type"].startswith("text/html") and page.fields["cache-control"] == "no-cache"
    for view in ("/runs", "/play/cartpole", "/runs/some-run", "/constellation"):
        assert server.get(view).body == page.body, view
    script = server.get("/assets/app-1A2b3c4D.js")
    assert "immutable" in script.fields["cache-control"] and script.fields["content-type"].startswith("text/javascript")
    packed = server.get("/assets/app-1A2b3c4D.js", Accept_Encoding="br, gzip")
    assert packed.fields["content-encoding"] == "gzip" and gzip.decompress(packed.body) == script.body
    assert packed.fields["etag"] != script.fields["etag"] and "Accept-Encoding" in script.fields["vary"]
    assert "content-encoding" not in server.get("/assets/app-1A2b3c4D.js", Accept_Encoding="gzip;q=0").fields
    assert server.get("/assets/app-1A2b3c4D.js", If_None_Match=script.fields["etag"]).status == 304
    module = server.get("/wasm/cartpole.wasm")
    assert module.fields["content-type"] == "application/wasm" and module.body[:4] == b"\0asm"
    assert "immutable" in server.get("/wasm/cartpole.wasm?v=123").fields["cache-control"]
    for path in ("/absent.js", "/.secret", "/passwd.txt", "/api/v2/runs", "/api", "/wasm/none.wasm", "/wasm/cartpole"):
        server.get(path).problem("not-found")
    answer = server.ask("POST", "/", body={})
    assert answer.status == 405 and answer.fields["allow"] == "GET, HEAD"


@test
def a_site_that_is_built_again_is_seen():
    folder = site(WORK / "site-again")
    with Server(RUNS, "--site", folder) as server:
        assert b"<title>ludus" in server.get("/").body
        (folder / "new.html").write_text("new")
        os.replace(folder / "new.html", folder / "index.html")
        until(lambda: server.get("/").body == b"new", "the new page")


@test
def every_answer_has_the_security_headers():
    server = shared()
    for path in ("/", "/api/v1/runs", "/api/v1/none", "/metrics", run_path("/replays/best/file")):
        fields = server.get(path).fields
        policy = fields["content-security-policy"]
        assert "unsafe-inline" not in policy and "'wasm-unsafe-eval'" in policy and "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy and fields["x-frame-options"] == "DENY"
        assert fields["x-content-type-options"] == "nosniff" and fields["referrer-policy"] == "no-referrer"
        assert fields["cross-origin-resource-policy"] == "same-origin" and "access-control-allow-origin" not in fields


@test
def metrics_count_requests_times_and_bytes():
    server = shared()
    server.json("/api/v1/health")
    text = server.get("/metrics").body.decode()
    lines = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert int(lines['ludus_requests_total{route="getHealth",status="200"}']) >= 1
    assert lines['ludus_request_seconds_count{route="getHealth"}'] == lines['ludus_request_seconds_bucket{route="getHealth",le="+Inf"}']
    assert float(lines["ludus_sent_bytes_total"]) > float(lines["ludus_received_bytes_total"]) > 0
    assert int(lines["ludus_connections"]) >= 1 and "ludus_sessions" in lines


# ---- streams ----


@test
def frames_are_those_of_ludus_replay():
    server = shared()
    best = server.json(run_path("/replays/best"))
    told = ludus("replay", _shared["folder"] / f"replays/{best['replay_id']}.ludus", "--json").lines()
    answer = server.get(run_path("/replays/best/frames"))
    assert answer.fields["content-type"] == "application/x-ndjson"
    got = [json.loads(line) for line in answer.body.decode().splitlines()]
    assert got[0]["decisions"] == best["decisions"] and got[0]["file"] == best["replay_id"]
    assert len(got) == len(told) == best["decisions"] + 2
    for mine, theirs in zip(got[1:], told[1:]):
        assert {k: v for k, v in mine.items() if k != "legal"} == {k: v for k, v in theirs.items() if k != "legal"}
    some = [json.loads(line) for line in server.get(run_path("/replays/best/frames?from=5&limit=3")).body.decode().splitlines()]
    assert some[1:] == got[6:9]
    assert len(server.get(run_path("/replays/best/frames?from=100000")).body.decode().splitlines()) == 1


@test
def a_damaged_replay_is_told():
    folder = WORK / "damaged"
    shutil.copytree(shared() and _shared["folder"], folder / _shared["run"])
    best = _shared["server"].json(run_path("/replays/best"))["replay_id"]
    path = folder / _shared["run"] / f"replays/{best}.ludus"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x55
    path.write_bytes(data)
    with Server(folder) as server:
        server.get(run_path("/replays/best/frames")).problem("damaged")
        path.unlink()
        server.get(run_path("/replays/best/frames")).problem("not-found")
        server.get(run_path("/replays/best/file")).problem("not-found")


@test
def frames_over_a_websocket():
    server = shared()
    lines = [json.loads(line) for line in server.get(run_path("/replays/best/frames")).body.decode().splitlines()]
    with Socket(server, run_path("/replays/best/frames?rate=1000")) as sock:
        assert sock.receive()["header"] == lines[0]
        for index, line in enumerate(lines[1:]):
            assert sock.receive() == {"index": index, "frame": line}
        assert sock.receive() == {"end": {"frames": len(lines) - 1}}
        sock.send({"seek": 3})
        assert sock.receive()["index"] == 3
        sock.send({"rate": 5000})
        while "problem" not in (message := sock.receive()):
            assert "frame" in message or "end" in message
        assert "rate" in message["problem"]
        sock.send(b"no json")
        while "problem" not in sock.receive():
            pass
        sock.send(b"ping", opcode=9)
        assert sock.frame() == (10, b"ping")
    with Socket(server, run_path("/replays/best/frames?rate=0.25")) as sock:
        sock.receive()
        assert sock.receive()["index"] == 0
        sock.send({"pause": True})
        sock.send({"seek": 7, "rate": 1000})
        assert sock.receive()["index"] == 7
    with Socket(server, run_path("/replays/best/frames?from=4&rate=100")) as sock:
        sock.receive()
        start = time.time()
        assert [sock.receive()["index"] for _ in range(11)] == list(range(4, 15))
        assert time.time() - start > 0.08, "faster than asked for"


@test
def websockets_refuse_what_is_none():
    server = shared()
    path = run_path("/replays/best/frames")
    for more, status in [({"Sec_WebSocket_Version": "8"}, 426), ({"Sec_WebSocket_Key": "short"}, 400),
                         ({"Sec_WebSocket_Key": None}, 400)]:
        with Socket(server, path, **more) as sock:
            assert sock.status == status, (more, sock.status)
    for other, status in [(path + "?rate=0", 400), (run_path("/replays/none/frames"), 404), ("/api/v1/runs", 400),
                          ("/", 400), (run_path("/replays/replay-000001-00000000/frames"), 404)]:
        with Socket(server, other) as sock:
            assert sock.status == status or (other == "/" and sock.status == 200), (other, sock.status)
    with Socket(server, path + "?rate=0.25") as sock:
        sock.receive()
        sock.send(b"x" * 5000)
        try:
            while True:
                sock.receive()
        except EOFError as error:
            assert error.args[0] == 1009, error
    with Socket(server, path + "?rate=0.25") as sock:
        sock.receive()
        sock.send(b"\0\1", opcode=2)
        try:
            while True:
                sock.receive()
        except EOFError as error:
            assert error.args[0] == 1003, error


@test
def events_follow_a_run_without_gaps():
    shared()
    folder = WORK / "live"
    run = folder / "20260101T000000Z-abc-cartpole"
    (run / "metrics").mkdir(parents=True)

    def tell(status):
        (run / "run.new").write_text(json.dumps({"schema": 1, "status": status, "game": "cartpole-v1", "started": "2026-01-01T00:00:00Z"}))
        os.replace(run / "run.new", run / "run.json")

    def window(number, value=0):
        with (run / "metrics/windows.jsonl").open("a") as file:
            file.write(json.dumps({"window_id": number, "env_steps": number, "v": value}) + "\n")

    tell("stopped")
    window(0)
    window(1)
    with Server(folder) as server:
        ask = f"GET /api/v1/runs/{run.name}/events HTTP/1.1\r\nHost: localhost\r\n"
        with server.connect() as sock:
            sock.sendall((ask + "\r\n").encode())
            got = events(sock, 3)
            assert [e["event"] for e in got] == ["window", "window", "status"] and got[1]["id"] == "w1.e-1"
            assert json.loads(got[2]["data"])["status"] == "stopped"
            window(2)
            with (run / "metrics/evals.jsonl").open("a") as file:
                file.write('{"window_id":1,"value":{"mean":1},"report":{"long":1},"best_window":1}\n')
            got = _more(sock, 2)
            assert [(e["event"], e["id"]) for e in got] == [("window", "w2.e-1"), ("evaluation", "w2.e1")], got
            assert "report" not in got[1]["data"]
            tell("finished")
            assert _more(sock, 1)[0]["event"] == "status"
        with server.connect() as sock:
            sock.sendall((ask + "Last-Event-ID: w1.e1\r\n\r\n").encode())
            got = events(sock, 2)
            assert [(e["event"], e["id"]) for e in got] == [("window", "w2.e1"), ("status", "w2.e1")]
            with (run / "metrics/windows.jsonl").open("a") as file:
                file.write('{"resume":1,"update":1}\n')
            window(1, 7)
            got = _more(sock, 2)
            assert [json.loads(e["data"]).get("v") for e in got[:2]] == [0, 7], "a resume gives the windows again"
        for strange in ("w9999999999999999999.e0", "x", "w1", "w-5.e-5", "w1.e1x"):
            with server.connect() as sock:
                sock.sendall((ask + f"Last-Event-ID: {strange}\r\n\r\n").encode())
                assert events(sock, 1)[0]["id"] == "w0.e-1", strange


def _more(sock, count):
    """Further events of a stream whose head was read."""
    data, found, end = b"", [], time.time() + PATIENCE
    while len(found) < count and time.time() < end:
        part = sock.recv(65536)
        assert part, "the stream ended"
        data += part
        text = b"".join(partial(data)).decode()
        found = [dict(line.split(": ", 1) for line in block.split("\n") if ": " in line)
                 for block in text.split("\n\n")[:-1] if "data: " in block]
    return found


# ---- play ----


@test
def a_session_plays_an_episode_as_ludus_does():
    server = shared()
    made = server.ask("POST", "/api/v1/sessions", body={"game": "cartpole", "seed": "18446744073709551615", "settings": {"limit": 30}})
    assert made.status == 201
    session = made.json()
    path = made.fields["location"]
    assert path.endswith(session["session"]) and session["seed"] == "18446744073709551615" and session["mask"] == [[1, 1]]
    assert server.json(path) == session
    (WORK / "actions.txt").write_text("".join(f"{i % 2}\n" for i in range(30)))
    told = ludus("trace", "cartpole", "--seed", "18446744073709551615", "--limit", "30", "--actions", WORK / "actions.txt", "--json").lines()
    steps = [row for row in told if row.get("t", -1) >= 0]
    for index in range(30):
        session = server.post(path + "/step", {"action": index % 2} if index % 3 else {"actions": [index % 2]})
        assert session["decisions"] == index + 1 and session["rewards"] == [steps[index]["reward"]], index
        assert session["info"] == steps[index]["info"] and session["terms"] == steps[index]["terms"], index
        if session["over"]:
            break
    assert session["over"] and session["to_move"] == 0 and session["mask"] == [[0, 0]]
    assert server.ask("POST", path + "/step", body={"action": 0}).problem("over")["status"] == 409
    again = server.post(path + "/reset", {"seed": 7})
    assert again["decisions"] == 0 and again["seed"] == "7" and not again["over"]
    assert server.ask("DELETE", path).status == 204
    for method, rest in (("GET", ""), ("DELETE", ""), ("GET", "/socket")):
        server.ask(method, path + rest).problem("not-found")


@test
def illegal_actions_have_reasons():
    server = shared()
    session = server.post("/api/v1/sessions", {"game": "prospector", "seed": 1}, 201)
    path = f"/api/v1/sessions/{session['session']}"
    option = session["mask"][0].index(0)
    problem = server.ask("POST", path + "/step", body={"action": option}).problem("illegal")
    assert problem["status"] == 422 and problem["pointer"] == "/actions" and len(problem["detail"]) > 10
    assert server.json(path)["decisions"] == 0
    forced = server.post(path + "/step", {"action": option, "force": True})
    assert forced["decisions"] == 1
    server.ask("DELETE", path)


@test
def bodies_are_checked_member_by_member():
    server = shared()
    path = "/api/v1/sessions"
    cases = [({}, 422, "/game"), ({"game": 3}, 422, "/game"), ({"game": "none"}, 404, "/game"), ({"game": "cartpole", "x": 1}, 422, "/x"),
             ({"game": "cartpole", "seed": -1}, 422, "/seed"), ({"game": "cartpole", "seed": 1.5}, 422, "/seed"),
             ({"game": "cartpole", "seed": "1e400"}, 422, "/seed"), ({"game": "cartpole", "seed": 2 ** 64}, 422, "/seed"),
             ({"game": "cartpole", "settings": []}, 422, "/settings"), ({"game": "cartpole", "settings": {"nolimit": 1}}, 422, "/settings"),
             ({"game": "cartpole", "settings": {"limit": 1e99}}, 422, "/settings"), ({"game": "cartpole", "options": {"theta": "x"}}, 422, "/options")]
    for body, status, pointer in cases:
        problem = server.ask("POST", path, body=body).problem()
        assert (problem["status"], problem["pointer"]) == (status, pointer), (body, problem)
    for body in (b"", b"{", b"[1", b'{"game":"cartpole","game":"cartpole"}', b"\xff\xfe", b"nul", b'{"a":1}x', b'{"game":NaN}'):
        answer = server.ask("POST", path, body=body)
        assert answer.status == (422 if body == b"" else 400), (body, answer)
    assert server.ask("POST", path, body=b"[]").problem("bad-value")
    deep = b'{"game":' + b"[" * 30000 + b"]" * 30000 + b"}"
    assert "nested" in server.ask("POST", path, body=deep).problem("bad-json")["detail"]
    assert server.ask("POST", path, body={"game": {"a": [{"b": 1}]}}).status == 422
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonx"):
        server.ask("POST", path, body={"game": "cartpole"}, Content_Type=kind).problem("media-type")
    session = server.post(path, {"game": "cartpole"}, 201)["session"]
    for body in ({}, {"actions": []}, {"actions": [0, 1]}, {"actions": [0.5]}, {"actions": ["0"]}, {"actions": [1e20]}, {"action": True},
                 {"action": 0, "actions": [0]}, {"actions": [-1]}, {"actions": [2]}, {"action": 0, "force": 1}, {"actions": {"0": 0}}):
        assert server.ask("POST", f"{path}/{session}/step", body=body).status == 422, body
    assert server.json(f"{path}/{session}")["decisions"] == 0
    server.ask("DELETE", f"{path}/{session}")


@test
def play_over_a_websocket():
    server = shared()
    session = server.post("/api/v1/sessions", {"game": "cartpole", "seed": 3}, 201)
    path = f"/api/v1/sessions/{session['session']}"
    assert server.get(path + "/socket").problem("upgrade")["status"] == 426
    with Socket(server, path + "/socket") as sock:
        assert sock.receive() == session
        sock.send({"step": {"actions": [1]}})
        stepped = sock.receive()
        assert stepped["decisions"] == 1 and stepped == server.json(path)
        for index in range(5):  # each message has its answer, though they come at once
            sock.send({"step": {"action": index % 2}})
        assert [sock.receive()["decisions"] for _ in range(5)] == [2, 3, 4, 5, 6]
        sock.send({"step": {"action": 9}})
        assert sock.receive()["problem"]["status"] == 422
        for message in (b"{", b"[]", b"{}", b'{"fly":{}}', b'{"step":{},"reset":{}}', b'{"step":1}', b"[" * 100):
            sock.send(message)
            assert sock.receive()["problem"]["status"] in (400, 422), message
        sock.send({"reset": {"seed": 3}})
        assert sock.receive() == session
        server.ask("DELETE", path)
        sock.send({"reset": {}})
        try:
            while True:
                sock.receive()
        except EOFError:
            pass


@test
def sessions_are_bounded_and_expire():
    with Server(RUNS, "--serve.sessions", 5, "--serve.sessions_per_address", 3, "--serve.session_seconds", 1) as server:
        made = [server.post("/api/v1/sessions", {"game": "cartpole"}, 201)["session"] for _ in range(3)]
        answer = server.ask("POST", "/api/v1/sessions", body={"game": "cartpole"})
        assert answer.status == 429 and int(answer.fields["retry-after"]) > 0
        answer.problem("sessions")
        server.ask("DELETE", f"/api/v1/sessions/{made[0]}")
        server.post("/api/v1/sessions", {"game": "cartpole"}, 201)
        until(lambda: b"ludus_sessions 0" in server.get("/metrics").body, "the end of idle sessions")
        assert server.get(f"/api/v1/sessions/{made[1]}").status == 404
        server.post("/api/v1/sessions", {"game": "cartpole"}, 201)


# ---- who may ask ----


def _token():
    path = WORK / "token"
    path.write_text("correct-horse-battery-staple\n")
    return path


METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]
PATHS = ["/", "/api/v1/runs", "/api/v1/sessions", "/api/v1/sessions/" + "0" * 32, "/metrics", "/none"]


@test
def foreign_origins_are_refused_on_every_method_and_upgrade():
    server = shared()
    origins = ["http://evil.example", "null", "http://localhost:1", f"http://127.0.0.1.evil.example:{server.port}",
               f"http://127.0.0.1:{server.port}.evil.example", f"https://127.0.0.1:{server.port}x", "file://", "", "*"]
    for origin in origins:
        for method in METHODS:
            for path in PATHS:
                answer = server.ask(method, path, body={} if method == "POST" else None, Origin=origin)
                assert answer.status == 403, (origin, method, path, answer)
                assert "access-control-allow-origin" not in answer.fields
        for path in (run_path("/replays/best/frames"), "/api/v1/sessions/" + "0" * 32 + "/socket"):
            with Socket(server, path, Origin=origin or " ") as sock:
                assert sock.status == 403, (origin, path)
    own = f"http://127.0.0.1:{server.port}"
    assert server.get("/api/v1/runs", Origin=own).status == 200
    with Socket(server, run_path("/replays/best/frames"), Origin=own) as sock:
        assert sock.status == 101
    assert server.ask("POST", "/api/v1/sessions", body={"game": "cartpole"}, Sec_Fetch_Site="cross-site").status == 403


@test
def foreign_hosts_are_refused_on_every_method_and_upgrade():
    server = shared()
    for host in ("evil.example", f"evil.example:{server.port}", "localhost.evil.example", "127.0.0.1.nip.io", "[::2]", "10.0.0.1",
                 "localhost:80:80", "localhost:x", "[::1", "", "user@localhost", "2130706433"):
        for method in METHODS:
            answer = server.ask(method, "/api/v1/runs", host=host or " ", body={} if method == "POST" else None)
            assert answer.status in (403, 400), (host, method, answer)
        with Socket(server, run_path("/replays/best/frames"), Host=host or " ") as sock:
            assert sock.status in (403, 400), host
    for host in ("localhost", f"localhost:{server.port}", "LOCALHOST", "[::1]:99", "127.0.0.1", "127.1.2.3:5"):
        assert server.ask("GET", "/api/v1/health", host=host).status == 200, host


@test
def another_address_needs_a_token():
    with Server(RUNS, bind="0.0.0.0") as server:
        assert len(server.token) == 32
        assert server.get("/api/v1/runs").problem("token")["status"] == 401
        assert server.get("/api/v1/runs").fields["www-authenticate"] == "Bearer"
        assert server.get("/api/v1/health").status == 200 and server.get("/metrics").status == 401
        assert server.get("/api/v1/runs", Authorization=f"Bearer {server.token}").status == 200
        for wrong in ("Bearer", "Bearer x", f"Bearer {server.token}x", f"Bearer {server.token[:-1]}", f"Basic {server.token}", server.token):
            assert server.get("/api/v1/runs", Authorization=wrong).status == 401, wrong
        own = {"Authorization": f"Bearer {server.token}"}
        ticket = server.post("/api/v1/tickets", {}, 201, **own)["ticket"]
        assert server.ask("POST", "/api/v1/tickets", body={}).status == 401
        path = f"/api/v1/runs/{shared() and _shared['run']}/replays/best/frames?ticket="
        with Socket(server, path + ticket) as sock:
            assert sock.status == 101 and sock.receive()["header"]
        with Socket(server, path + ticket) as sock:
            assert sock.status == 401, "a ticket is good once"
        with Socket(server, path + "0" * 32) as sock:
            assert sock.status == 401
        assert server.ask("GET", "/api/v1/health", host="192.168.1.5:8321").status == 200
        assert server.ask("GET", "/api/v1/health", host="rebound.example").status == 403
    with Server(RUNS, "--token-file", _token()) as server:
        assert server.token is None and server.get("/api/v1/runs").status == 401
        assert server.get("/api/v1/runs", Authorization="Bearer correct-horse-battery-staple").status == 200


@test
def allowed_origins_get_exact_cors():
    with Server(RUNS, "--allow-origin", "https://site.example", "--allow-origin", "http://localhost:5173", "--host", "api.example") as server:
        answer = server.ask("GET", "/api/v1/runs", host="api.example", Origin="https://site.example")
        assert answer.status == 200 and answer.fields["access-control-allow-origin"] == "https://site.example"
        assert "Origin" in answer.fields["vary"] and answer.fields["cross-origin-resource-policy"] == "cross-origin"
        assert "access-control-allow-credentials" not in answer.fields
        asked = server.ask("OPTIONS", "/api/v1/sessions", Origin="https://site.example", Access_Control_Request_Method="POST",
                           Access_Control_Request_Headers="content-type")
        assert asked.status == 204 and "POST" in asked.fields["access-control-allow-methods"]
        assert "Content-Type" in asked.fields["access-control-allow-headers"]
        for origin in ("https://site.example.evil", "http://site.example", "https://site.example:444", "https://sub.site.example"):
            assert server.get("/api/v1/runs", Origin=origin).status == 403, origin
        with Socket(server, f"/api/v1/runs/{shared() and _shared['run']}/replays/best/frames", Origin="https://site.example") as sock:
            assert sock.status == 101


@test
def requests_are_limited_per_second():
    with Server(RUNS, "--serve.requests_per_second", 5) as server:
        asked, refused = 0, []
        while len(refused) < 10 and asked < 5000:
            asked += 1
            refused += [a for a in [server.get("/api/v1/health")] if a.status == 429]
        assert len(refused) == 10 and asked > 10 and int(refused[0].fields["retry-after"]) >= 1
        refused[0].problem("rate")
        time.sleep(1.2)
        assert server.get("/api/v1/health").status == 200


# ---- paths that lead elsewhere ----


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
    shutil.copytree(_shared["folder"], folder / "run-a")
    best = _shared["server"].json(run_path("/replays/best"))["replay_id"]
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
def nothing_in_a_run_is_touched():
    shared()
    folder = WORK / "untouched"
    shutil.copytree(_shared["folder"], folder / _shared["run"])
    before = _stamps(folder / _shared["run"])
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
    assert _stamps(folder / _shared["run"]) == before
    document = shared().json("/api/v1/openapi.json")
    writes = {p for p, methods in document["paths"].items() if set(methods) - {"get"}}
    assert all(p.startswith(("/api/v1/sessions", "/api/v1/jobs/")) or p in ("/api/v1/tickets", "/api/v1/games/{game}/tools/{tool}", "/optimize") for p in writes), writes


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


# ---- bad clients ----


@test
def malformed_requests_are_refused():
    server = shared()
    host = b"Host: localhost\r\n"
    cases = [
        (b"GET / HTTP/1.1\n" + host + b"\n", 400), (b"GET / HTTP/1.1\r\nHost: localhost\n\r\n", 400),
        (b"GET /\r\n\r\n", 400), (b"GET / HTTP/1.1\r\n\r\n", 400), (b"GET  / HTTP/1.1\r\n" + host + b"\r\n", 400),
        (b"get / HTTP/1.1\r\n" + host + b"\r\n", 400), (b"GET / HTTP/2.0\r\n" + host + b"\r\n", 505),
        (b"GET / http/1.1\r\n" + host + b"\r\n", 400), (b"GET http://localhost/ HTTP/1.1\r\n" + host + b"\r\n", 400),
        (b"GET / HTTP/1.1\r\n" + host + host + b"\r\n", 400), (b"GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n" + host + b" folded: 1\r\n\r\n", 400), (b"GET / HTTP/1.1\r\n" + host + b"no colon\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n" + host + b"X: a\0b\r\n\r\n", 400), (b"GET / HTTP/1.1\r\n" + host + b"X: a\rb\r\n\r\n", 400),
        (b"GET /\x01 HTTP/1.1\r\n" + host + b"\r\n", 400), (b"GET /%zz HTTP/1.1\r\n" + host + b"\r\n", 400),
        (b"GET /%00 HTTP/1.1\r\n" + host + b"\r\n", 400), (b"GET /?a=% HTTP/1.1\r\n" + host + b"\r\n", 400),
        (b"GET /a#b HTTP/1.1\r\n" + host + b"\r\n", 400), (b"OPTIONS * HTTP/1.1\r\n" + host + b"\r\n", 400),
        (b"BREW / HTTP/1.1\r\n" + host + b"\r\n", 501), (b"CONNECT a:1 HTTP/1.1\r\n" + host + b"\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400), (b"\0" * 100, 400), (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        (b"POST /api/v1/sessions HTTP/1.1\r\n" + host + b"Content-Length: 5\r\nContent-Length: 5\r\n\r\nabcde", 400),
        (b"POST /api/v1/sessions HTTP/1.1\r\n" + host + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (b"POST /api/v1/sessions HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
        (b"POST /api/v1/sessions HTTP/1.1\r\n" + host + b"Content-Length: -5\r\n\r\n", 400),
        (b"POST /api/v1/sessions HTTP/1.1\r\n" + host + b"Content-Length: 5, 5\r\n\r\n", 400),
        (b"POST /api/v1/sessions HTTP/1.1\r\n" + host + b"Content-Length: 0x5\r\n\r\n", 400),
        (b"POST /api/v1/sessions HTTP/1.1\r\n" + host + b"Content-Length: 99999999999999999999\r\n\r\n", 413),
        (b"POST /api/v1/sessions HTTP/1.1\r\n" + host + b"Expect: magic\r\nContent-Length: 1\r\n\r\n", 417),
        (b"GET /" + b"a" * 3000 + b" HTTP/1.1\r\n" + host + b"\r\n", 414),
        (b"GET / HTTP/1.1\r\n" + host + b"X: " + b"a" * 9000 + b"\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\n" + host + b"X: 1\r\n" * 100 + b"\r\n", 431),
        (b"A" * 20000, 431), (b"GET / HTTP/1.1\r\n" + host + b"Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n", None),
    ]
    for data, status in cases:
        if status is None:
            data = data.replace(b"Connection: Upgrade", b"Connection: close, Upgrade")
            assert Answer(server.raw(data)).status == 200, data
            continue
        if status == 501:
            data = data.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
        answer = Answer(server.raw(data))
        assert answer.status == status, (data[:80], answer)
        answer.problem()
        assert server.json("/api/v1/health")["status"] == "ok"


@test
def connections_are_kept_and_requests_may_follow_each_other():
    server = shared()
    ask = b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with server.connect() as sock:
        for _ in range(3):
            sock.sendall(ask)
            assert b"200 OK" in sock.recv(65536)
        sock.sendall(ask * 4 + ask.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        assert drain(sock).count(b"200 OK") == 5
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)
    for path in ("/api/v1/runs", run_path("/replays/best/frames"), "/none", run_path("/replays/best/file"), "/"):
        connection.request("GET", path)
        assert connection.getresponse().read()
    connection.request("HEAD", run_path("/replays/best/frames"))
    assert connection.getresponse().read() == b""
    connection.request("GET", "/api/v1/health")
    assert connection.getresponse().status == 200
    connection.close()
    body = json.dumps({"game": "cartpole"}).encode()
    with server.connect() as sock:
        sock.sendall(b"POST /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
                     b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(body))
        assert sock.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        for byte in body:  # byte by byte
            sock.sendall(bytes([byte]))
        assert b"201 Created" in drain(sock)


@test
def bytes_may_come_in_any_pieces():
    server = shared()
    ask = b"GET /api/v1/games HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    whole = Answer(server.raw(ask)).body
    for size in (1, 2, 3, 7, 50):
        with server.connect() as sock:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for at in range(0, len(ask), size):
                sock.sendall(ask[at:at + size])
            assert Answer(drain(sock)).body == whole
    assert Answer(server.raw(ask, end=True)).body == whole, "a client that shuts its side still gets its answer"


@test
def large_answers_arrive_whole_at_any_pace():
    folder = site(WORK / "site-large")
    data = os.urandom(3 << 20)
    (folder / "big.png").write_bytes(data)
    runs = WORK / "large"
    run = runs / "20260101T000000Z-abc-cartpole"
    (run / "metrics").mkdir(parents=True)
    (run / "checkpoints/ckpt_000000").mkdir(parents=True)
    (run / "checkpoints/ckpt_000000/model.safetensors").write_bytes(data)
    (run / "run.json").write_text('{"schema":1,"status":"stopped","game":"cartpole-v1","started":"2026-01-01T00:00:00Z"}')
    rows = [{"window_id": i, "env_steps": i, "text": "x" * 1500} for i in range(600)]
    (run / "metrics/windows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    path = f"/api/v1/runs/{run.name}"
    long_run = train(WORK / "long", "1k", "prospector")
    with Server(runs, "--site", folder) as server:
        assert server.get("/big.png").body == data and server.get(path + "/models/0").body == data
        assert server.get(path + "/models/0", Range="bytes=100-3000000").body == data[100:3000001]
        page = server.json(path + "/windows?limit=500")
        assert page["windows"] == rows[:500]
        for address, body in (("/big.png", data), (path + "/models/0", data), (path + "/windows?limit=500", None)):
            with socket.socket() as sock:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
                sock.settimeout(PATIENCE)
                sock.connect(("127.0.0.1", server.port))
                sock.sendall(f"GET {address} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
                got, turns = b"", 0
                while part := sock.recv(20000):
                    got += part
                    turns += 1
                    if turns % 20 == 0:
                        time.sleep(0.002)
                answer = Answer(got)
                assert answer.body == body if body else answer.json() == page, address
    with Server(long_run.parent) as server:
        frames = server.get("/api/v1/runs/latest/replays/best/frames").body.decode().splitlines()
        told = json.loads(frames[0])
        assert len(frames) == told["decisions"] + 2 and len("".join(frames)) > 150_000, len("".join(frames))


@test
def huge_bodies_are_refused_at_once():
    server = shared()
    before = server.memory()
    with server.connect() as sock:
        sock.sendall(b"POST /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1073741824\r\n\r\n")
        sent, block = 0, b" " * (1 << 20)
        try:
            while sent < 1 << 30:
                sock.sendall(block)
                sent += len(block)
        except (BrokenPipeError, ConnectionResetError, TimeoutError):
            pass
        assert sent < 64 << 20, "it took the whole body"
    answer = Answer(server.raw(b"POST /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1073741824\r\n\r\n"))
    assert answer.status == 413 and answer.fields["connection"] == "close"
    answer.problem()
    assert server.memory() - before < 32 << 20


@test
def slow_clients_are_ended_and_others_served():
    server = shared()
    start = time.time()
    head, body, reader = server.connect(), server.connect(), server.connect()
    head.sendall(b"GET / HTTP/1.1\r\nHost: loc")
    body.sendall(b"POST /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{")
    drip = threading.Thread(target=_drip, args=(head,))
    drip.start()
    for _ in range(20):
        assert server.json("/api/v1/health")["status"] == "ok"
    for sock in (head, body):
        answer = Answer(drain(sock))
        assert answer.status == 408 and answer.problem("timeout"), answer
        sock.close()
    drip.join()
    assert 1.5 < time.time() - start < 60
    reader.close()


def _drip(sock):
    """A header that grows by a byte now and then."""
    try:
        for _ in range(100):
            sock.sendall(b"a")
            time.sleep(0.1)
    except OSError:
        pass


@test
def many_idle_and_unread_connections_leave_room_for_others():
    with Server(RUNS, "--serve.connections", 300, "--serve.connections_per_address", 250, "--serve.requests_per_second", 0,
                "--serve.idle_seconds", 3, "--serve.request_seconds", 3) as server:
        base = server.memory()
        run = shared() and _shared["run"]
        ask = f"GET /api/v1/runs/{run}/evaluations?full=true&limit=500 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        socks = []
        for index in range(240):
            sock = server.connect()
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            sock.sendall(ask * 20 if index % 2 else b"GET /")  # read nothing of it
            socks.append(sock)
        assert server.json("/api/v1/health")["status"] == "ok"
        grown = server.memory() - base
        assert grown < 150 << 20, f"{grown >> 20} MB for 240 connections"
        extra = [server.connect() for _ in range(30)]
        turned_away = []

        def ten_are_turned_away():
            for sock in select.select(extra, [], [], 0.1)[0]:
                extra.remove(sock)
                with contextlib.suppress(ConnectionResetError), sock:
                    turned_away.extend([sock] if b"503" in sock.recv(200) else [])
            return len(turned_away) >= 10

        until(ten_are_turned_away, "connections that are turned away")
        for sock in extra:
            sock.close()
        until(lambda: int(_gauge(server, "ludus_connections")) < 20, "the end of idle connections")
        for sock in socks:
            sock.close()


def _gauge(server, name):
    def value():
        with contextlib.suppress(AssertionError, OSError):
            found = re.search(rf"^{name} (\S+)", server.get("/metrics").body.decode(), re.M)
            return found and found[1]
    return until(value, name)


@test
def memory_and_descriptors_stay_flat():
    server = shared()
    paths = ["/api/v1/runs", run_path(), run_path("/windows"), run_path("/metrics?key=kl"), run_path("/replays/best/frames"),
             run_path("/replays/best/file"), "/api/v1/games/prospector", "/api/v1/models", "/", "/none", "/%zz"]

    def churn(times):
        for _ in range(times):
            for path in paths:
                server.get(path)
            session = server.post("/api/v1/sessions", {"game": "prospector"}, 201)["session"]
            with Socket(server, f"/api/v1/sessions/{session}/socket") as sock:
                sock.receive()
            server.ask("DELETE", f"/api/v1/sessions/{session}")
            with Socket(server, run_path("/replays/latest/frames?rate=1000")) as sock:
                sock.receive()

    churn(10)
    memory, descriptors = server.memory(), server.descriptors()
    churn(40)
    until(lambda: server.descriptors() <= descriptors + 4, f"descriptors as before, {descriptors}")
    assert server.memory() - memory < 6 << 20, (memory, server.memory())


@test
def two_hundred_viewers_at_once():
    server = shared()
    viewers = [Socket(server, run_path("/replays/best/frames?rate=30")) for _ in range(200)]
    try:
        assert all(v.status == 101 for v in viewers)
        for viewer in viewers:
            assert "header" in viewer.receive()
            assert [viewer.receive()["index"] for _ in range(5)] == [0, 1, 2, 3, 4]
        assert server.json("/api/v1/health")["status"] == "ok"
    finally:
        for viewer in viewers:
            viewer.sock.close()
    until(lambda: b'ludus_streams{topic="frames"} 0' in server.get("/metrics").body, "the end of streams of viewers that left")


@test
def the_openapi_file_of_the_docs_is_fresh():
    told = ludus("serve", "--openapi").out
    assert json.loads((ROOT / "docs/openapi.json").read_text()) == json.loads(told), \
        "docs/openapi.json is old: ludus serve --openapi | python3 -m json.tool --indent 1 > docs/openapi.json"
    document = json.loads(told)
    assert document["openapi"].startswith("3.1") and document == shared().json("/api/v1/openapi.json")
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert operation["operationId"] and operation["summary"] and operation["responses"], (method, path)


@test
def the_shared_server_ends_cleanly():
    if _shared:
        _shared["server"].end()


if __name__ == "__main__":
    sys.exit(main("serve", __doc__))
