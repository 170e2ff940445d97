"""What the server tells: its start and end, every address, runs, rows, replays, models, the site, headers and counts,
and the description of all this."""

import gzip
import json
import os
import signal
import socket
import subprocess

from cli.helper import LUDUS, ROOT, WORK, environment, fails, ludus, test, until
from serve.client import Server
from serve.shared import RUNS, SHARED, league, replays, run_path, shared, site, token_file


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
    token = token_file()
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
    fails(2, "an address", "serve", "--bind", "nowhere.example", "--token-file", token_file())
    fails(2, "isn't an origin", "serve", "--allow-origin", "https://a.example/path")
    fails(2, "isn't an origin", "serve", "--allow-origin", "*")
    (WORK / "short").write_text("abc\n")
    (WORK / "short").chmod(0o600)
    fails(2, "shorter", "serve", "--token-file", WORK / "short")
    fails(3, "", "serve", "--token-file", WORK / "absent")
    (WORK / "open-token").write_text("correct-horse-battery-staple\n")
    (WORK / "open-token").chmod(0o644)
    fails(2, ", the file with the token, is readable by everyone: `chmod 600` it", "serve", "--token-file", WORK / "open-token")


@test
def runs_and_leagues_with_dots_have_their_page():
    server = shared()
    for path in ("/runs/exp.1", "/runs/a.b.c", "/league/ladder.2", "/runs", "/play/cartpole"):
        answer = server.get(path)
        assert answer.status == 200 and b"<title>ludus" in answer.body, (path, answer)
    for path in ("/runs/exp.1/x.js", "/none.js", "/assets/none.css", "/api/runs/exp.1"):
        assert server.get(path).status == 404, path


@test
def every_address_without_parameters_answers():
    server = shared()
    document = server.json("/api/v1/openapi.json")
    known = {"run": SHARED["run"], "replay": "best", "window": "latest", "game": "cartpole", "name": "prospector-v1", "league": "test"}
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
    folder = SHARED["folder"]
    listed = server.json("/api/v1/runs")["runs"]
    assert [r["run_id"] for r in listed] == [SHARED["run"]]
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
        assert server.json(f"/api/v1/runs/{word}")["run_id"] == SHARED["run"]
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
    updates = [json.loads(line) for line in (SHARED["folder"] / "metrics/updates.jsonl").open()]
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
    data = (SHARED["folder"] / f"replays/{best['replay_id']}.ludus").read_bytes()
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
    own = [m for m in models if m.get("run_id") == SHARED["run"]]
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
def leagues_are_the_lines_that_are_results():
    server = shared()
    comes = {"name": "duel", "game": "duel-v1", "players": 13, "results": 1, "shipped": True}
    listed = server.json("/api/v1/leagues")["leagues"]
    assert listed == [{"name": "test", "game": "duel-v1", "date": "2026-01-02T03:04:05Z", "players": 2, "results": 2, "shipped": False},
                      {**comes, "date": listed[1]["date"]}], listed
    assert server.json("/api/v1/leagues/duel")["results"] == [json.loads((ROOT / "models/leagues/duel.jsonl").read_text())]
    results = server.json("/api/v1/leagues/test")["results"]
    assert [[p["elo"] for p in r["players"]] for r in results] == [[1600, 1400], [1650, 1350]]
    for name in ("none", "..", "test.jsonl", "%2e%2e%2fcatalogue", "a" * 101):
        server.get("/api/v1/leagues/" + name).problem("not-found")
    folder = WORK / "many-leagues" / "leagues"
    folder.mkdir(parents=True)
    good = league(1500, 1500, 1500)
    bad = ["not json\n", "[1]\n", "{}\n", good.replace("duel-v1", "x", 1).replace('"game"', '"gams"'), good.replace('"elo": 1500', '"elo": null', 1),
           good.replace("[null, 0.5, 0.5]", "[null, 0.5]"), "\0" * 40 + "\n", "[" * 4000 + "\n"]
    (folder / "duel.jsonl").write_text(league(1700, 1300))  # before the one that comes with the models
    (folder / "mixed.jsonl").write_text("".join(bad) + good + "\n" + good[:50])
    (folder / "empty.jsonl").write_text("")
    (folder / "bad name.jsonl").write_text(good)
    (folder / "other.json").write_text(good)
    os.symlink(folder / "mixed.jsonl", folder / "link.jsonl")
    (folder / "folder.jsonl").mkdir()
    (folder / "long.jsonl").write_text("".join(league(1000 + k, 1500) for k in range(130)))
    rated = folder.parent / "run-1" / "metrics"
    rated.mkdir(parents=True)
    (rated / "league.jsonl").write_text(league(1510, 1490) + "half of a li")
    with Server(folder.parent) as own:
        found = [(entry["name"], entry["results"], entry["shipped"]) for entry in own.json("/api/v1/leagues")["leagues"]]
        assert found == [("duel", 1, False), ("long", 100, False), ("mixed", 1, False), ("run-1", 1, False)], found
        assert own.json("/api/v1/leagues/duel")["results"] == [json.loads(league(1700, 1300))]
        assert own.json("/api/v1/leagues/run-1")["results"] == [json.loads(league(1510, 1490))]
        assert own.json("/api/v1/leagues/mixed")["results"] == [json.loads(good)]
        assert [r["players"][0]["elo"] for r in own.json("/api/v1/leagues/long")["results"]] == list(range(1030, 1130))
        for name in ("link", "folder", "empty"):
            own.get("/api/v1/leagues/" + name).problem("not-found")
    with Server(WORK / "no-leagues") as own:
        assert [entry["name"] for entry in own.json("/api/v1/leagues")["leagues"]] == ["duel"]


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
