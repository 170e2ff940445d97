"""Tools over HTTP: the list, answers that are the command line's, jobs with their progress and end,
limits, and what hostile clients and tools may try. `house strain` of the probes does what it is told."""

import contextlib
import gzip
import json
import os
import signal
import socket
import struct
import subprocess
import time
from pathlib import Path

from cli.helper import LUDUS, PROBES, ROOT, WORK, environment, ludus, probes, test, until
from serve.client import Answer, Server, drain, events
from serve.bounds import FREE, bounds

STRAIN = "/api/v1/games/house/tools/strain"
NO_RUNS = WORK / "no-runs"


def server(*words, program=PROBES, **more):
    return Server(NO_RUNS, "--serve.requests_per_second", 0, *words, program=program, **more)


def ask(s, status=200, wait=60, **settings):
    answer = s.ask("POST", f"{STRAIN}?wait={wait}", body={"settings": settings})
    assert answer.status == status, f"{settings}: {answer}"
    return answer


def running_job(s, **settings):
    """The address of a job that a worker is at."""
    path = ask(s, 202, wait=0, **settings).fields["location"]
    until(lambda: s.json(path)["state"] == "running", "a worker")
    return path


def jobs(s):
    line = next(line for line in s.get("/metrics").body.decode().splitlines() if line.startswith("ludus_jobs "))
    return int(line.split()[1])


def children(pid):
    return [int(p) for p in open(f"/proc/{pid}/task/{pid}/children").read().split()]


def workers(s):
    """The forker and its workers; both are there."""
    keeper, = children(s.child.pid)
    forker, = until(lambda: children(keeper), "a forker")
    return forker, children(forker)


def write(name, text):
    path = WORK / name
    path.write_text(text)
    path.chmod(0o600)
    return path


@test
def tools_are_listed_from_the_registry():
    with server(program=LUDUS) as s:
        tools = {tool["name"]: tool for tool in s.json("/api/v1/games/potion/tools")["tools"]}
        assert {"solve", "advise", "verify"} <= set(tools)
        advise = {tool["name"]: tool for tool in s.json("/api/v1/games/joker/tools")["tools"]}["advise"]
        assert advise["agent"] == "joker-plan-v1" and "agent" in advise["settings"]["properties"]
        assert advise["inputs"] != bool(advise["argument"]) and advise["sentence"].endswith(".")
        assert s.json("/api/v1/games/corridor/tools") == {"tools": []}
        s.get("/api/v1/games/nosuch/tools").problem("not-found")
    with server() as s:
        strain, = s.json("/api/v1/games/house-v1/tools")["tools"]
        assert strain["address"] == "/strain" and strain["settings"]["properties"]["rounds"]["x-aliases"] == ["old.rounds"]
        assert strain["settings"]["properties"]["data"]["required"] == ["name", "text"]


def unpacked(name):
    path = ROOT / "games" / name
    return write(name.replace("/", "-").removesuffix(".gz"), gzip.open(path, "rt").read())


def questions():
    """At least one for every tool of every game: game, tool, settings, files."""
    games = ROOT / "games"
    report = write("report.json", ludus("eval", ROOT / "models/potion-look-v1.safetensors", "--json", "--each", "--episodes", "2").out)
    return [
        ("acrobot", "verify", {}, [unpacked("acrobot/vectors/edges.jsonl.gz")]),
        ("cartpole", "verify", {}, [unpacked("cartpole/vectors/edges.jsonl.gz")]),
        ("craft", "advise", {"want": "T4 life, T3 move speed", "actions": "plain", "session": {"name": "s.json", "text": ""}}, [games / "craft/data/item_boots.txt"]),
        ("craft", "advise", {"want": "T4 life, T3 move speed, T3 fire res", "actions": "orb_of_transmutation,regal_orb,exalted_orb"}, [games / "craft/data/item_options.txt"]),
        ("craft", "apply", {"action": "exalted_orb", "seed": 3}, [games / "craft/data/item_boots.json"]),
        ("craft", "measure", {"bot": "essence_spam", "episodes": 20}, []),
        ("craft", "optimize", {"base": "belt", "ilvl": 60, "want": "life", "actions": "plain"}, []),
        ("craft", "pack", {}, [games / "craft/tools/fixtures/plain_mods.json"]),
        ("craft", "pool", {"base": "belt", "ilvl": 60}, []),
        ("craft", "prices", {"now": "2026-07-05"}, [games / "craft/tools/fixtures/scout_leagues.json", games / "craft/tools/fixtures/scout_items.json"]),
        ("craft", "prompt", {"want": "fast boots"}, []),
        ("craft", "score", {"target": {"need": [{"any_of": [{"group": "life"}]}]}}, [games / "craft/data/item_boots.json"]),
        ("craft", "verify", {}, [games / "craft/vectors/P1.json", games / "craft/vectors/P9.json"]),
        ("duel", "build", {}, [games / "duel/data/build.json"]),
        ("duel", "exchange", {"attacker.build": "MED"}, []),
        ("duel", "odds", {"attacker.set": "spec", "special": True}, []),
        ("duel", "verify", {}, [games / "duel/vectors/formulas.json", games / "duel/vectors/extras.json"]),
        ("joker", "advise", {}, [games / "joker/data/shop.json", games / "joker/data/state.json"]),
        ("joker", "advise", {"agent": "none"}, [games / "joker/data/shop.json"]),
        ("joker", "find", {"want": "joker blueprint shop 4 ante 1", "seeds": 20000}, []),
        ("joker", "score", {"played": "AS KS QS JS TS"}, []),
        ("joker", "seed", {"seed": "ABC", "antes": 3}, []),
        ("joker", "verify", {}, [games / "joker/vectors/seeds.json"]),
        ("potion", "advise", {"cauldron": "Mudpack"}, [games / "potion/data/inventory.txt"]),
        ("potion", "inventory", {}, [games / "potion/data/inventory.txt"]),
        ("potion", "measure", {"tasks": True}, [report]),
        ("potion", "solve", {"recipe": "10", "cauldron": "19", "stock": "shop:3"}, []),
        ("potion", "verify", {}, [games / "potion/vectors/cases.json"]),
        ("prospector", "verify", {}, [unpacked("prospector/vectors/01_greedy_miner.jsonl.gz")]),
    ]


@test
def answers_are_those_of_the_command_line():
    cases = questions()
    with server(program=LUDUS) as s:
        games = {game["name"] for game in s.json("/api/v1/games")["games"]}
        tools = {(game, tool["name"]) for game in games for tool in s.json(f"/api/v1/games/{game}/tools")["tools"]}
        assert tools == {case[:2] for case in cases}
        for game, tool, settings, files in cases:
            flags = [word for key, value in settings.items() for word in ("--set", f"{key}={value if isinstance(value, str) else json.dumps(value)}")]
            flags = ["--agent", settings["agent"]] if "agent" in settings else flags
            want = ludus("tool", game, tool, *files, *flags, "--json")
            inputs = [{"name": str(name), "text": name.read_text()} for name in files]
            answer = s.ask("POST", f"/api/v1/games/{game}/tools/{tool}?wait=60", body={"settings": settings, "inputs": inputs})
            assert answer.status == 200 and answer.body == want.bytes and answer.body, f"{game} {tool}: {answer}"
            assert answer.fields["content-type"] == ("application/json" if want.out.count("\n") == 1 else "application/x-ndjson")
            if tool == "advise" and game == "joker":
                models = {(document.get("agent") or {}).get("model") for document in want.lines()}
                assert ("joker-plan-v1" in models) == (not settings), f"{settings}: {models}"


@test
def what_a_tool_keeps_comes_back_as_text():
    path = "/api/v1/games/craft/tools/advise?wait=60"
    belt = "Rarity: Magic\nHeavy Belt\n--------\nItem Level: 82\n--------\n+91 to maximum Life\n"
    settings = {"want": "T4 life, T3 fire resistance", "actions": "orb_of_augmentation,orb_of_transmutation,regal_orb,exalted_orb"}
    with server(program=LUDUS) as s:
        assert {tool["name"]: tool["keeps"] for tool in s.json("/api/v1/games/craft/tools")["tools"]}["advise"] == "session"
        session, spent = "", []
        for text in (belt, belt + "+12% to Fire Resistance\n"):
            body = {"settings": {**settings, "session": {"name": "kept.json", "text": session}}, "inputs": [{"name": "item.txt", "text": text}]}
            answer = s.ask("POST", path, body=body).json()
            session, settings = answer["session"], {}
            spent.append(answer["so_far"]["spent"])
        assert spent[0] == 0 < spent[1] and json.loads(session)["done"][0]["how"] == "advised", f"{spent}: {session}"
        body["settings"]["session"]["text"] = session[:-9]
        assert "is damaged" in s.ask("POST", path, body=body).problem()["detail"]
    assert not list(NO_RUNS.parent.glob("kept.json")), "the server wrote a session"


@test
def a_tool_has_a_short_address():
    with server() as s:
        want = probes("house", "strain", "--rounds", "2k", "--json").bytes
        for path in ("/strain", STRAIN, "/api/v1/games/house-v1/tools/strain"):
            assert s.ask("POST", path, body={"settings": {"rounds": 2000}}).body == want, path
        assert s.ask("POST", "/strain").status == 200
        assert s.get("/strain").status == 405
        assert "/strain" in s.json("/api/v1/openapi.json")["paths"]


@test
def files_are_texts_and_never_paths():
    with server() as s:
        assert ask(s, data={"name": "../../p", "text": "price 1"}).json()["data"] == "price 1"
        for data in ("/etc/passwd", {"name": "/etc/passwd", "hash": "0123456789abcdef"}):
            assert "no path is read here" in ask(s, 422, data=data).problem("bad-value")["detail"]
        assert "more than 4096" in ask(s, 422, data={"name": "p", "text": "x" * 5000}).problem()["detail"]
    with server(program=LUDUS) as s:
        play = {"game": "potion", "seed": "3", "settings": {"ingredients.inventory": {"name": "mine.txt", "text": "3 Feyberry\nMandrake Root 4"}}}
        session = s.ask("POST", "/api/v1/sessions", body=play)
        assert session.status == 201 and sorted(session.json()["state"]["stock"].values()) == [3, 4], session
        play["settings"]["ingredients.inventory"] = "games/potion/data/inventory.txt"
        assert "no path is read here" in s.ask("POST", "/api/v1/sessions", body=play).problem()["detail"]


@test
def a_body_may_be_the_settings_alone():
    target = {"base": "Heavy Belt", "ilvl": 60, "need": [{"id": "life", "any_of": [{"group": "life"}]}]}
    prices = {"unit": "exalted", "date": "2026-11-18", "prices": {"white_base": 1, "orb_of_transmutation": 0.5, "regal_orb": 0.1}}
    with server(program=LUDUS) as s:
        def cheapest(**settings):
            answer = s.ask("POST", "/optimize?wait=60", body=settings)
            assert answer.status == 200, answer
            return answer.json()
        words = cheapest(base="belt", ilvl=60, want="life", actions="plain", episodes=0)
        assert words == cheapest(settings={"base": "belt", "ilvl": 60, "want": "life", "actions": "plain", "episodes": 0})
        # a file as the JSON that it holds
        own = cheapest(target=target, prices=prices, actions="plain", episodes=0)
        assert own["prices"]["date"] == "2026-11-18" and own["target"]["need"] == words["target"]["need"], own
        assert set(own["strategy"]["uses"]) <= set(prices["prices"]), own["strategy"]["uses"]


@test
def what_is_wrong_is_told():
    with server() as s:
        for body, status, part in (
                (b"{", 400, "expected a key"), (b"[]", 422, "must be a JSON object"), (b'{"a":1}', 422, "unknown setting 'a'"), (b'{"a":1,"settings":{}}', 422, "has 'a' next to"),
                (b'{"settings":[]}', 422, "must be an object"), (b'{"settings":{"nosuch":1}}', 422, "unknown setting 'nosuch'"),
                (b'{"settings":{"rounds":-1}}', 422, "below the smallest"), (b'{"inputs":{}}', 422, "must be a list"),
                (b'{"inputs":[{"name":"a"}]}', 422, "an input is"), (b'{"inputs":[{"name":"a\\u0000","text":""}]}', 422, "has a NUL"), (b'{"inputs":[{"name":"a","text":1}]}', 422, "an input is"),
                (b'{"inputs":[' + b",".join([b'{"name":"a","text":""}'] * 1025) + b"]}", 422, "at most 1024 inputs"),
                (b"[" * 4000, 400, "nested deeper"), (b'{"settings":{"rounds":1,"old.rounds":2}}', 422, "given twice"),
                (b'{"settings":{"agent":"/etc/passwd"}}', 422, "is not one of none"), (b"\xff\xfe", 400, "")):
            answer = s.ask("POST", STRAIN, body=body)
            assert answer.status == status and part in answer.problem()["detail"], f"{body[:60]}: {answer}"
        assert ask(s, 422, fate="refuse").problem("refused")["detail"].startswith("'fate' = refuse")
        assert ask(s, 500, fate="fail").problem("failed")["detail"] == "it failed as it was asked to"
        for path in ("/api/v1/games/house/tools/nosuch", "/api/v1/games/nosuch/tools/strain", "/api/v1/games/duet/tools/strain"):
            s.ask("POST", path, body={}).problem("not-found")
        for wait in ("-1", "61", "x", "1e9", ""):
            assert s.ask("POST", f"{STRAIN}?wait={wait}", body={}).status == 400, wait
        assert s.ask("POST", STRAIN, body=b"{}", Content_Type="text/plain").status == 415
        for path in ("/api/v1/jobs/" + "0" * 32, "/api/v1/jobs/" + "0" * 32 + "/events", "/api/v1/jobs/x"):
            assert s.get(path).status == 404


@test
def a_job_goes_on_after_the_wait():
    with server() as s:
        answer = ask(s, 202, wait=0.1, seconds=1.0)
        job = answer.json()
        path = answer.fields["location"]
        assert path == f"/api/v1/jobs/{job['id']}" and job["state"] in ("queued", "running") and set(job) == {"id", "state", "share", "what"}
        until(lambda: s.json(path)["share"] > 0.2, "progress")
        assert s.json(path)["what"] == "passing time"
        until(lambda: s.json(path)["state"] == "done", "the end")
        done = s.json(path)
        assert done["answer"] == [probes("house", "strain", "--json").json()] and "problem" not in done
        assert s.ask("DELETE", path).status == 204 and s.get(path).status == 404
        failed = ask(s, 202, wait=0, fate="refuse", seconds=1).fields["location"]
        until(lambda: s.json(failed)["state"] == "failed", "the failure")
        problem = s.json(failed)["problem"]
        assert problem["status"] == 422 and problem["type"].endswith("refused") and "answer" not in s.json(failed)
        many = ask(s, 202, wait=0, documents=3, seconds=1).fields["location"]
        until(lambda: len(s.json(many).get("answer", [])) == 3, "the answers")
        assert ask(s, documents=3).body.count(b"\n") == 3 and ask(s, documents=0).body == b""


@test
def progress_comes_as_events():
    with server() as s:
        path = ask(s, 202, wait=0, seconds=2).fields["location"]
        with s.connect() as sock:
            sock.sendall(f"GET {path}/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            text = Answer(drain(sock)).body.decode()
        found = [dict(line.split(": ", 1) for line in block.split("\n")) for block in text.strip().split("\n\n")]
        shares = [json.loads(event["data"])["share"] for event in found]
        assert [event["event"] for event in found[:-1]] == ["progress"] * (len(found) - 1) and len(found) > 3
        assert shares == sorted(shares) and found[-1]["event"] == "end" and json.loads(found[-1]["data"])["state"] == "done"


@test
def a_job_ends_by_delete():
    with server("--serve.job_workers", 1) as s:
        for deaf in (False, True):
            running = running_job(s, seconds=60, deaf=deaf)
            queued = ask(s, 202, wait=0, seconds=60).fields["location"]
            assert s.json(queued)["state"] == "queued"
            with s.connect() as sock:
                sock.sendall(f"GET {running}/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
                assert s.ask("DELETE", queued).status == 204 and s.json(queued)["state"] == "cancelled"
                assert s.ask("DELETE", running).status == 204
                assert '"state":"cancelled"' in Answer(drain(sock)).body.decode()
            until(lambda: s.json(running)["state"] == "cancelled", "the end of the job")
            assert jobs(s) == 0 and ask(s).status == 200
            # once more forgets it, and then there is none
            assert [s.ask("DELETE", path).status for path in (running, running, queued, queued)] == [204, 404] * 2


def half_open(s, wait=30, **settings):
    """A client that waits for a job."""
    body = json.dumps({"settings": settings}).encode()
    sock = s.connect()
    sock.sendall(f"POST {STRAIN}?wait={wait} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                 f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
    return sock


@test
def who_waits_and_goes_away_ends_the_job():
    with server() as s:
        for how in ("reset", "close", "half"):
            sock = half_open(s, seconds=60)
            until(lambda: jobs(s) == 1, "the job")
            if how == "reset":
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            if how == "half":
                sock.shutdown(socket.SHUT_WR)
                assert sock.recv(100) == b""
            sock.close()
            until(lambda: jobs(s) == 0, f"the end of the job after {how}")
        path = ask(s, 202, wait=0, seconds=1).fields["location"]
        until(lambda: s.json(path)["state"] == "done", "the end of a job that nobody waits for")


@test
def who_goes_away_in_the_queue_ends_the_job():
    with server("--serve.job_workers", 1) as s:
        first = running_job(s, seconds=60)
        queue = [half_open(s) for _ in range(10)]
        until(lambda: jobs(s) == 11, "the queue")
        for i, sock in enumerate(queue):
            if i % 2:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            sock.close()
        until(lambda: jobs(s) == 1, "the end of all that waited")
        # one that sends on and on is not listened to, and could go away unheard
        with half_open(s) as sock, contextlib.suppress(OSError):
            for _ in range(100):
                sock.sendall(b"x" * 10000)
        until(lambda: jobs(s) == 1, "the end of the job of who sends on")
        assert s.json(first)["state"] == "running"


@test
def many_jobs_leave_nothing_behind():
    with server() as s:
        until(lambda: len(workers(s)[1]) == 2, "workers")

        def load(rounds):
            for i in range(rounds):
                sock = half_open(s, seconds=60)
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                sock.close()
                ask(s, rounds=i, threads=2)
                ask(s, 422, fate="refuse")
            until(lambda: jobs(s) == 0, "the end of the jobs")

        load(20)
        family, memory, descriptors = workers(s), s.memory(), s.descriptors()
        inside = [len(os.listdir(f"/proc/{pid}/fd")) for pid in family[1]]
        load(200)
        assert s.memory() < memory + (2 << 20) and s.descriptors() <= descriptors + 1
        # no request has started a process, and workers hold no more than before
        assert workers(s) == family and [len(os.listdir(f"/proc/{pid}/fd")) for pid in family[1]] == inside


@test
def a_job_stays_within_its_limits():
    with server("--serve.job_seconds", 1, "--serve.job_memory", 200, "--serve.job_bytes", "100k", "--serve.job_workers", 1) as s:
        for status, name, settings in (
                (422, "too-long", {"seconds": 60}), (422, "too-long", {"seconds": 60, "deaf": True}),
                (422, "too-long", {"rounds": 10**12}), (422, "too-large", {"answer": 200000}),
                (422, "too-large", {"documents": 10**9}), (422, "too-large", {"memory": 1000}),
                (500, "failed", {"fate": "crash"}), (500, "failed", {"fate": "exit"})):
            start = time.time()
            ask(s, status, **settings).problem(name)
            assert time.time() - start < 50, settings
            assert ask(s, rounds=10).status == 200  # by the next worker
        assert len(ask(s, answer=90000).body) > 90000
        until(lambda: s.ask("POST", f"{STRAIN}?wait=60", body={"settings": {"memory": 100}}).status == 200, "100 MiB within a second")
        assert len(workers(s)[1]) == 1


@test
def jobs_are_bounded_in_number():
    with server("--serve.job_workers", 1, "--serve.jobs", 6, "--serve.jobs_per_address", 4) as s:
        paths = [ask(s, 202, wait=0, seconds=60).fields["location"] for _ in range(4)]
        memory = s.memory()
        for _ in range(300):
            answer = s.ask("POST", f"{STRAIN}?wait=0", body={"settings": {"seconds": 60}, "inputs": [{"name": "a", "text": "x" * 20000}]})
            assert answer.status == 429 and answer.problem("jobs") and answer.fields["retry-after"]
        assert s.memory() < memory + (8 << 20)
        for path in paths:
            s.ask("DELETE", path)
        until(lambda: jobs(s) == 0, "the end of the jobs")
        assert ask(s).status == 200
    with server("--serve.job_workers", 1, "--serve.jobs", 3) as s:
        paths = [ask(s, 202, wait=0, seconds=60).fields["location"] for _ in range(3)]
        for _ in range(50):
            ask(s, 503, wait=0).problem("busy")
        s.ask("DELETE", paths[2])
        assert ask(s, 202, wait=0, seconds=60).status == 202  # in place of one that has ended
        assert s.get(paths[2]).status == 404
    with server("--serve.job_workers", 0) as s:
        ask(s, 503).problem("no-workers")
        assert s.json(STRAIN.removesuffix("/strain"))["tools"] and not children(s.child.pid)


@test
def bodies_are_bounded():
    with server("--serve.job_bytes", "4Mi", "--serve.request_seconds", 4) as s:
        text = "x" * (3 << 20)
        assert s.ask("POST", f"{STRAIN}?wait=30", body={"inputs": [{"name": "a", "text": text}]}).json()["inputs"] == [text]
        head = "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        for path, length in ((STRAIN, (4 << 20) + 1), (STRAIN, 64 << 20), (STRAIN, 10**15), ("/api/v1/sessions", 65537),
                             ("/api/v1/games/house/tools", 65537), ("/nosuch", 65537)):
            answer = Answer(s.raw((head % (path, length)).encode() + b"{"))
            assert answer.status == 413 and answer.fields["connection"] == "close", f"{path} {length}: {answer}"
        assert Answer(s.raw((head % (STRAIN, 1 << 20)).encode() + b"{")).status == 408
        # many that announce much and send little take little
        memory = s.memory()
        lazy = [s.connect() for _ in range(60)]
        for sock in lazy:
            sock.sendall((head % (STRAIN, 4 << 20)).encode() + b"{" * 1000)
        time.sleep(0.3)
        assert s.memory() < memory + (16 << 20) and s.json("/api/v1/health")["status"] == "ok"
        for sock in lazy:
            sock.close()
    with server("--token-file", write("token.txt", "a" * 20)) as s:
        for path in (STRAIN, "/strain"):
            answer = Answer(s.raw((head % (path, 1 << 20)).encode() + b"{"))
            assert answer.status == 401, f"a stranger may send a large body: {answer}"


@test
def access_is_as_everywhere():
    token = "t" * 20
    with server("--token-file", write("tool-token.txt", token)) as s:
        for path in (STRAIN, "/strain"):
            assert s.ask("POST", path, body={}).status == 401
            assert s.ask("POST", path, body={}, Authorization=f"Bearer {token}").status == 200
            assert s.ask("POST", path, body={}, Authorization=f"Bearer {token}", Origin="https://evil.example").status == 403
            assert s.ask("POST", path, body={}, host="evil.example", Authorization=f"Bearer {token}").status == 403
            assert s.ask("POST", path, body={}, Authorization=f"Bearer {token}", Sec_Fetch_Site="cross-site").status == 403
        large = {"inputs": [{"name": "a", "text": "x" * 100000}]}
        assert s.ask("POST", STRAIN, body=large, Authorization=f"Bearer {token}").status == 200
        job = s.ask("POST", f"{STRAIN}?wait=0", body={"settings": {"seconds": 5}}, Authorization=f"Bearer {token}").json()["id"]
        assert s.get(f"/api/v1/jobs/{job}").status == 401 and s.ask("DELETE", f"/api/v1/jobs/{job}").status == 401
    with Server(NO_RUNS, "--serve.requests_per_second", 2, program=PROBES) as s:
        assert 429 in [s.ask("POST", STRAIN, body={}).status for _ in range(12)]


@test
def workers_that_are_killed_are_replaced():
    with server("--serve.job_workers", 2) as s:
        until(lambda: len(workers(s)[1]) == 2, "workers")
        forker, before = workers(s)
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        until(lambda: len(workers(s)[1]) == 2 and not set(workers(s)[1]) & set(before), "other workers")
        assert ask(s).status == 200
        path = running_job(s, seconds=60)
        for pid in workers(s)[1]:
            os.kill(pid, signal.SIGKILL)
        until(lambda: s.json(path)["state"] == "failed", "the end of a job without its worker")
        assert s.json(path)["problem"]["detail"] == "the tool's process has ended (signal 9)"
        until(lambda: ask(s).status == 200, "other workers again")
        # in place of a forker comes another, and all else goes on
        path = running_job(s, seconds=60)
        forker, before = workers(s)
        os.kill(forker, signal.SIGKILL)
        until(lambda: s.json(path)["state"] == "failed", "the end of a job without its forker")
        assert s.json(path)["problem"]["detail"] == "the tool's process has ended (signal 9)"
        until(lambda: ask(s).status == 200, "another forker")
        assert workers(s)[0] != forker and not set(workers(s)[1]) & set(before)
        # without both there are no tools
        forker, _ = workers(s)
        os.kill(*children(s.child.pid), signal.SIGKILL)
        assert ask(s).status == 200, "a keeper that is gone changes nothing"
        path = running_job(s, seconds=60)
        os.kill(forker, signal.SIGKILL)
        until(lambda: s.json(path)["state"] == "failed", "the end of a job without workers")
        assert "this server runs no tools: serve.job_workers is 0, or their processes" in ask(s, 503).problem("no-workers")["detail"]
        assert s.json("/api/v1/health")["status"] == "ok"


@test
def workers_can_do_nothing_but_their_work():
    for words, could in (((), bounds()), (("--serve.confine=false",), FREE)):
        with server(*words) as s:
            assert ask(s, 422, fate="break_out").problem("refused")["detail"] == could
    (Path("/tmp") / "ludus-break-out").unlink(missing_ok=True)


@test
def no_process_outlives_the_server():
    for how in (signal.SIGTERM, signal.SIGKILL):
        child = subprocess.Popen([PROBES, "serve", "--port", "0", "--json", "--run.folder", NO_RUNS], env=environment(),
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        port = json.loads(child.stdout.readline())["port"]
        with socket.create_connection(("127.0.0.1", port)) as sock:
            body = b'{"settings":{"seconds":60,"deaf":true}}'
            sock.sendall(f"POST {STRAIN}?wait=0 HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                         f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
            assert b"202" in sock.recv(4096)
        keeper, = children(child.pid)
        forker, = until(lambda: children(keeper), "a forker")
        all_of_them = [keeper, forker, *until(lambda: len(children(forker)) == 2 and children(forker), "two workers")]
        child.send_signal(how)
        child.communicate(timeout=10)
        until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in all_of_them), "the end of all processes")


@test
def slow_readers_of_events_cost_little():
    with server("--serve.idle_seconds", 3) as s:
        path = ask(s, 202, wait=0, seconds=6).fields["location"]
        memory, slow = s.memory(), []
        for _ in range(50):
            sock = s.connect()
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            sock.sendall(f"GET {path}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            slow.append(sock)
        with s.connect() as sock:
            sock.sendall(f"GET {path}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            assert len(events(sock, 5)) >= 5
        assert s.memory() < memory + (8 << 20)
        for sock in slow:
            sock.close()
        until(lambda: s.json(path)["state"] == "done", "the end")


@test
def many_clients_share_the_workers():
    with server("--serve.jobs_per_address", 100, "--serve.jobs", 100) as s:
        socks = [half_open(s, seconds=0.05, rounds=100 + i) for i in range(40)]
        answers = [Answer(read_answer(sock)) for sock in socks]
        assert all(answer.status == 200 for answer in answers)
        sums = [answer.json()["sum"] for answer in answers]
        assert len(set(sums)) == 40 and sums[7] == probes("house", "strain", "--rounds", "107", "--json").json()["sum"]


def read_answer(sock):
    data = b""
    sock.settimeout(20)
    while b"\r\n\r\n" not in data or not data.endswith(b"\n"):
        data += sock.recv(65536)
    sock.close()
    return data
