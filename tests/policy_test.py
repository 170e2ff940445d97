"""Tests of `ludus serve-policy` and `ludus serve-env` by plain sockets: what is answered, what is refused,
what clients may do to a server, and that it stays as large as it was.

Usage: policy_test.py PATH_OF_LUDUS [FILTER...]
"""

import functools
import json
import math
import os
import random
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

from cli.helper import LUDUS, PATIENCE, PROBES, ROOT, WORK, environment, fails, ludus, main, probes, test, until
from serve.bounds import kernel
from serve.client import Server
from serve.cutting import cut_everywhere, reset_often
from serve.lines import Client, LineServer

PROSPECTOR = ROOT / "models/prospector-v1.safetensors"
DUEL = ROOT / "models/duel-v1.safetensors"
SMALL = ["--set", "train.environments=16", "--set", "train.horizon=32", "--set", "train.minibatch=256", "--set", "net.hidden=16",
         "--set", "net.layers=1", "--set", "eval.on=false"]
ALL = {"returnLogProb": True, "returnEntropy": True, "returnValue": True, "returnProbs": True}
LONG = bool(os.environ.get("LUDUS_TEST_LONG"))


@functools.cache
def untrained(game):
    """A model file of a game with its first weights."""
    folder = WORK / "untrained"
    folder.mkdir(exist_ok=True)
    subprocess.run([Path(LUDUS).parent / "make_model", folder, game], check=True, capture_output=True)
    return folder / f"{game}.safetensors"


@functools.cache
def trained(game, *words, program=None):
    """A model file of a small run."""
    runs = WORK / f"runs-{game}-{len(words)}"
    (probes if program else ludus)("train", game, "--out", runs, "--steps", "2k", *SMALL, *words)
    return next(runs.glob("*/checkpoints/*/model.safetensors"))


@functools.cache
def spec(game):
    return ludus("spec", game, "--json").json()


def observations(game, count, seed=1):
    """Observations and masks of random play, as `ludus serve-env` tells them."""
    draw = random.Random(seed)
    with LineServer("serve-env", game, "--seed", seed) as server, server.client() as client:
        found = []
        say = functools.partial(env_line, client, "one")
        say("login")
        body = say("reset", {"target": "random"})
        while len(found) < count:
            found.append({"obs": [body["obs"]], "actionMasks": body["actionMasks"]})
            action = [draw.choice([i for i, legal in enumerate(head) if legal] or [0]) for head in body["actionMasks"]]
            body = say("step", {"action": action})
            if "terminalState" in body:
                body = say("reset", {"target": "random"})
        return found


def env_line(client, agent, action, body=None):
    answer = client.ask({"action": action, "body": body, "meta": {"id": agent}})
    assert "error" not in answer, answer
    return answer["body"]


# ---- what is answered ----


@test
def the_two_lines_of_the_brief():
    with LineServer("serve-api", "--model", PROSPECTOR) as server:
        sock = socket.create_connection(("127.0.0.1", server.port))
        sock.sendall(json.dumps({"obs": [[0.0] * 260], "actionMasks": [[True] * 69]}).encode() + b"\n")
        answer = json.loads(sock.makefile().readline())
        assert len(answer["action"]) == 1 and 0 <= answer["action"][0] < 69, answer
        sock.close()


@test
def it_prints_its_address_first_and_ends_cleanly_by_a_signal():
    for words in (["serve-policy", "--model", PROSPECTOR], ["serve-env", "cartpole"]):
        for how in (signal.SIGINT, signal.SIGTERM):
            child = subprocess.Popen([LUDUS, *words, "--port", "0"], env=environment(), stdout=subprocess.PIPE)
            line = child.stdout.readline().decode()
            assert line.startswith("127.0.0.1:"), line
            with Client(int(line.rsplit(":", 1)[1])) as client:
                client.ask({"ping": True})
                child.send_signal(how)
                assert child.wait(PATIENCE) == 0


@test
def extra_answers_fit_each_other():
    with LineServer("serve-policy", "--model", PROSPECTOR, "--model", untrained("joker-brief-v1")) as server, server.client() as client:
        for model, game in (("prospector-v1", "prospector-v1"), ("joker-brief-v1", "joker-brief-v1")):
            heads = [len(h["options"]) for h in spec(game)["heads"]]
            for question in observations(game, 30):
                plain = client.ask({"model": model, **question})
                assert set(plain) == {"action", "logProb", "entropy", "values", "probs", "extensionResults"}, plain
                assert plain["logProb"] is plain["entropy"] is plain["values"] is plain["probs"] is None
                got = client.ask({"model": model, **question, **ALL, "extensions": ["names"]})
                assert isinstance(got["values"], (int, float)) and [len(p) for p in got["probs"]] == heads
                likelihood = 0.0
                for head, (p, choice, mask) in enumerate(zip(got["probs"], got["action"], question["actionMasks"])):
                    entropy = -sum(x * math.log(x) for x in p if x > 0)
                    assert abs(entropy - got["entropy"][head]) < 1e-4
                    if sum(p) > 0:
                        assert abs(sum(p) - 1) < 1e-4 and mask[choice] and not any(x for x, m in zip(p, mask) if not m)
                        likelihood += math.log(p[choice])
                    else:
                        assert choice == 0
                assert abs(likelihood - got["logProb"]) < 1e-3, (likelihood, got["logProb"])
                names = [spec(game)["heads"][h]["options"][c] for h, c in enumerate(got["action"])]
                assert got["extensionResults"] == [names], got["extensionResults"]


@test
def an_episode_by_lines_is_the_one_of_the_evaluator():
    report = ludus("eval", PROSPECTOR, "--greedy", "--seeds", "30000..30000", "--json").json()
    settings = [word for key, value in report["settings"].items() for word in ("--set", f"{key}={json.dumps(value)}")]
    with LineServer("serve-policy", "--model", PROSPECTOR) as policy, LineServer("serve-env", "prospector", *settings) as env:
        with policy.client() as asks, env.client() as plays:
            env_line(plays, "a", "login", {"agentType": "prospector-v1"})
            body = env_line(plays, "a", "reset", {"seed": "30000"})
            decisions = 0
            while "terminalState" not in body:
                question = {"obs": body["obs"], "actionMasks": body["actionMasks"], "deterministic": True}
                body = env_line(plays, "a", "step", {"action": asks.ask(question)["action"]})
                decisions += 1
                assert not body["meta"]["illegal"] and body["meta"]["episodeTicks"] == decisions
            assert body["meta"]["return"] == report["return"]["mean"] and decisions == report["decisions"]["mean"], body["meta"]


@test
def without_masks_all_options_are_legal():
    with LineServer("serve-policy", "--model", untrained("cartpole-v1")) as server, server.client() as client:
        question = {"obs": [[0.1, 0.2, -0.1, 0.3]], "returnProbs": True, "seed": 5}
        plain, open_masks = client.ask(question), client.ask({**question, "actionMasks": [[True, True]]})
        assert plain == open_masks and all(p > 0 for p in plain["probs"][0]), plain
        # null is as good as absent
        unset = ("model", "actionMasks", "deterministic", "returnLogProb", "returnEntropy", "returnValue", "extensions", "session", "start")
        assert client.ask({**question, **dict.fromkeys(unset)}) == plain
        for option in (0, 1):
            one = client.ask({**question, "actionMasks": [[option == 0, option == 1]]})
            assert one["action"] == [option] and one["probs"] == [[float(option == 0), float(option == 1)]], one


@test
def draws_follow_the_probabilities_and_the_seed():
    question = {"obs": [[0.1, 0.2, -0.1, 0.3]], "returnProbs": True}
    drawn = []
    for seed in (7, 7, 8):
        with LineServer("serve-policy", "--model", untrained("cartpole-v1"), "--seed", seed) as server, server.client() as client:
            answers = [client.ask(question) for _ in range(400)]
            drawn.append([a["action"][0] for a in answers])
            again = [client.ask({**question, "seed": 3})["action"] for _ in range(20)]
            assert all(a == again[0] for a in again)
            share, p = sum(drawn[-1]) / 400, answers[0]["probs"][0][1]
            assert abs(share - p) < 5 * math.sqrt(p * (1 - p) / 400), (share, p)
    assert drawn[0] == drawn[1] != drawn[2]


@test
def heads_are_deterministic_one_by_one():
    with LineServer("serve-policy", "--model", untrained("joker-brief-v1")) as server, server.client() as client:
        question = observations("joker-brief-v1", 1)[0]
        del question["actionMasks"]  # so that several heads are asked
        heads = len(spec("joker-brief-v1")["heads"])
        best = client.ask({**question, "deterministic": True})["action"]
        assert all(client.ask({**question, "deterministic": True})["action"] == best for _ in range(5))
        some = [tuple(client.ask({**question, "deterministic": [h > 0 for h in range(heads)]})["action"]) for _ in range(60)]
        # the first head is drawn, and with its choice all others are known
        assert len({a[0] for a in some}) > 1 and len({a[0] for a in some}) == len(set(some)), some


@test
def batches_answer_as_one_at_a_time():
    questions = [{**q, **ALL, "seed": i} for i, q in enumerate(observations("prospector-v1", 128))]
    with LineServer("serve-policy", "--model", PROSPECTOR) as server:
        with server.client() as client:
            alone = [client.ask(q) for q in questions]
            client.send(*questions)  # in one piece: a batch of its own
            assert [client.take() for _ in questions] == alone
        clients = [server.client() for _ in range(64)]
        for client, question in zip(clients, questions):
            client.send(question)
        assert [client.take() for client in clients] == alone[:64]
        for client in clients:
            client.close()


@test
def sessions_remember():
    model = trained("cartpole", "--set", "net.memory=mingru")
    question = {"obs": [[0.1, 0.2, -0.1, 0.3]], "deterministic": True, "returnProbs": True}
    with LineServer("serve-policy", "--model", model) as server, server.client() as client:
        def probs(**more):
            return client.ask({**question, **more})["probs"]
        first = probs()
        assert probs() == first, "nothing is remembered without a session"
        assert probs(session="a") == first and probs(session="b") == first
        second = probs(session="a")
        assert second != first and probs(session="b") == second
        assert probs(session="a", start=True) == first
        client.send(*[{**question, "session": "c"}] * 3)
        together = [client.take()["probs"] for _ in range(3)]
        assert together[:2] == [first, second] and together[2] not in (first, second)
        with server.client() as other:
            assert other.ask({**question, "session": "a"})["probs"] == first, "a session is its connection's"


@test
def values_of_a_critic_that_sees_more():
    model = trained("oracle", program=PROBES)
    with LineServer("serve-policy", "--model", model, program=PROBES) as server, server.client() as client:
        message = client.ask({"obs": []})["message"]
        own, both = [int(word) for word in message.replace(",", "").split() if word.isdigit()]
        assert both > own and client.ask({"obs": [0] * own})["action"]
        refused = client.ask({"obs": [0] * own, "returnValue": True})
        assert refused["error"] == "bad-value" and refused["field"] == "returnValue", refused
        values = [client.ask({"obs": [0] * own + [x] * (both - own), "returnValue": True})["values"] for x in (0, 1, 0)]
        assert values[0] == values[2] != values[1], values


# ---- models ----


@test
def models_by_name_and_by_folder():
    folder = WORK / "models"
    folder.mkdir()
    shutil.copy(PROSPECTOR, folder / "Generalised.safetensors")
    ludus("model", "export", PROSPECTOR, "--zip", folder / "FineTuned.zip")
    ludus("model", "export", PROSPECTOR, "--zip", folder / "Generalised.zip")  # the same model twice: told once
    question = {"obs": [[0.0] * 260], "deterministic": True}
    with LineServer("serve-policy", "--model", folder, "--model", untrained("cartpole-v1")) as server, server.client() as client:
        assert client.ask({"ping": True}) == {"pong": True}
        models = client.ask({"list": True})["models"]
        assert [m["name"] for m in models] == ["FineTuned", "Generalised", "cartpole-v1"], models
        assert models[0]["hash"] == spec("prospector-v1")["hash"] and models[0]["steps"] > 1e8 and "rating" in models[0]
        assert client.ask({**question, "model": "FineTuned"}) == client.ask({**question, "model": "Generalised"})
        assert client.ask(question)["error"] == "missing-field"
        assert client.ask({**question, "model": "FineTuned.zip"})["error"] == "unknown-model"
        assert client.ask({"model": f"bot:{spec('cartpole')['strongest']}", "obs": [0, 0, 0.1, 0]})["action"] == [1], "it catches the pole"
        assert client.ask({**question, "model": "random"})["logProb"] is None
        assert client.ask({**question, "model": "random", "returnProbs": True})["field"] == "model"


@test
def a_rating_is_written_into_the_card_and_told():
    file = WORK / "rated.safetensors"
    shutil.copy(DUEL, file)
    words = ("league", "rate", file, "bot:baseline", "bot:ace", "--games", 4, "--anchor", "bot:baseline", "--anchor",
             "bot:ace=1948", "--write", "--json")
    told, *held = ludus(*words).json()["players"]
    assert [(player["elo"], player["moved"], player["anchor"]) for player in held] == [(1500, 1500, True), (1948, 1948, True)], held
    fails(2, "' is not one of the players, or is repeated; name each once, as among", *words, "--anchor", "bot:ace=1900")
    card = ludus("model", "show", file, "--json").json()["card"]
    assert card["rating"] == round(told["elo"]) and card["rated"]["low"] == round(told["low"]), (card, told)
    assert card["rated"]["anchors"] == {"bot:baseline": 1500, "bot:ace": 1948}, card
    with LineServer("serve-policy", "--model", file) as server, server.client() as client:
        assert client.ask({"list": True})["models"][0]["rating"] == card["rating"]
        # of bots that look at the state the one for clients answers
        seen = [{"model": name, "obs": [[0.0] * 176], "seed": 7} for name in ("baseline", "baseline_client", "stayalive", "noop")]
        actions = [client.ask(question)["action"] for question in seen]
        assert actions[0] == actions[1] != actions[2] and actions[3] == [0] * 12, actions


@test
def wrong_models_are_told_before_anything_is_served():
    fails(2, "--model", "serve-policy", "--port", "0")
    fails(3, "", "serve-policy", "--port", "0", "--model", WORK / "absent.safetensors")
    fails(2, "two models", "serve-policy", "--port", "0", "--model", PROSPECTOR, "--model", PROSPECTOR)
    damaged = bytearray(PROSPECTOR.read_bytes())
    damaged[-4:] = struct.pack("<f", math.inf)
    (WORK / "damaged.safetensors").write_bytes(damaged)
    fails(4, "", "serve-policy", "--port", "0", "--model", WORK / "damaged.safetensors")
    (WORK / "empty").mkdir()
    fails(3, "no model", "serve-policy", "--port", "0", "--model", WORK / "empty")


@test
def models_are_read_anew_without_dropping_a_question():
    path = WORK / "changing/model.safetensors"
    path.parent.mkdir()
    others = [PROSPECTOR.read_bytes(), (ROOT / "models/prospector-v1-thrifty.safetensors").read_bytes()]
    path.write_bytes(others[0])
    question = {**observations("prospector-v1", 40)[-1], "returnProbs": True, "deterministic": True}
    with LineServer("serve-policy", "--model", path) as server:
        ended, failures, seen = threading.Event(), [], set()

        def keep_asking():
            try:
                with server.client() as client:
                    while not ended.is_set():
                        seen.add(json.dumps(client.ask(question)))
            except Exception as fault:  # noqa: BLE001: told below
                failures.append(fault)

        threads = [threading.Thread(target=keep_asking) for _ in range(4)]
        for thread in threads:
            thread.start()
        with server.client() as client:
            wanted = [json.loads(json.dumps(client.ask(question)))]
            for round in range(1, 5):
                (WORK / "next").write_bytes(others[round % 2])
                os.replace(WORK / "next", path)
                server.child.send_signal(signal.SIGHUP)
                before = wanted[-1]
                until(lambda: client.ask(question) != before, "the other model")
                wanted.append(client.ask(question))
            elsewhere = WORK / "elsewhere"
            elsewhere.mkdir()
            (elsewhere / "model.safetensors").write_bytes(others[round % 2 ^ 1])
            outside = [lambda: path.symlink_to(elsewhere / "model.safetensors")] if kernel()[0] else []
            for make in (lambda: path.write_bytes(b"no model"), lambda: os.mkfifo(path), *outside):
                path.unlink()
                make()
                server.child.send_signal(signal.SIGHUP)
                time.sleep(1)
                assert client.ask(question) == wanted[-1], "a model that cannot be read changes nothing"
        ended.set()
        for thread in threads:
            thread.join(PATIENCE)
        assert not failures, failures
        assert seen == {json.dumps(w) for w in wanted} and len(seen) == 2
        server.end()
        said = server.child.stderr.read().decode()
        assert said.count("were reloaded") == 4 and said.count("stay as they are") == 2 + len(outside), said


# ---- what is refused ----


@test
def a_wrong_line_gets_one_line_and_the_connection_lives_on():
    good = {"obs": [[0.1, 0.2, -0.1, 0.3]], "deterministic": True}
    with LineServer("serve-policy", "--model", untrained("cartpole-v1")) as server, server.client() as client:
        right = client.ask(good)
        for line, code, field in [(b"this is not JSON\n", "bad-json", None), (b"\n", "bad-json", None), (b"\xff\xfe\0\n", "bad-json", None),
                                  (b"[1,2]\n", "bad-json", None), (b'{"obs":[[1,2,3,4]]\n', "bad-json", None),
                                  (b'{"obs":1,"obs":2}\n', "bad-json", None), (b"[" * 5000 + b"\n", "bad-json", None),
                                  ({}, "missing-field", "obs"), ({**good, "obs": [[1, 2]]}, "bad-value", "obs"),
                                  ({**good, "obs": [[1, 2, 3, 4]] * 2}, "bad-value", "obs"),
                                  ({**good, "model": "none"}, "unknown-model", "model"), ({**good, "actionMasks": [[True]]}, "bad-value", "actionMasks"),
                                  ({**good, "extensions": ["winrate"]}, "unknown-extension", "extensions"),
                                  ({**good, "surprise": 1}, "unknown-field", "surprise")]:
            answer = client.ask(line)
            assert (answer["error"], answer["field"]) == (code, field) and answer["message"], (line, answer)
            assert client.ask(good) == right


@test
def only_a_line_over_a_mebibyte_ends_the_connection():
    good = {"obs": [[0.1, 0.2, -0.1, 0.3]], "deterministic": True}
    with LineServer("serve-policy", "--model", untrained("cartpole-v1")) as server:
        with server.client() as client:
            padded = json.dumps(good).encode()
            line = padded + b" " * ((1 << 20) - len(padded)) + b"\n"
            assert client.ask(line)["action"] and client.ask(good)["action"]
            client.send(good, b" " + line)
            assert client.take()["action"] and client.take()["error"] == "too-long" and client.at_end()
        with server.client() as client, server.client() as endless:
            try:
                for _ in range(64):
                    endless.send(b"x" * 65536)
            except OSError:
                pass
            assert client.ask(good)["action"]


@test
def a_full_queue_says_busy_and_answers_in_order():
    good = {"obs": [[0.1, 0.2, -0.1, 0.3]], "deterministic": True}
    with LineServer("serve-policy", "--model", untrained("cartpole-v1"), "--queue", 4) as server, server.client() as client:
        marks = [{**good, "extensions": ["names"] * (i % 8)} for i in range(60)]
        client.send(*marks)
        answers = [client.take() for _ in marks]
        busy = [a for a in answers if a.get("error") == "busy"]
        assert busy and len(busy) < len(marks), len(busy)
        for mark, answer in zip(marks, answers):
            assert answer.get("error") == "busy" or len(answer["extensionResults"]) == len(mark["extensions"])
        assert client.ask(good)["action"]


@test
def the_last_line_needs_no_end_and_the_end_answers_what_it_has():
    good = {"obs": [[0.1, 0.2, -0.1, 0.3]], "deterministic": True}
    with LineServer("serve-policy", "--model", untrained("cartpole-v1")) as server:
        with server.client() as client:
            client.send(good, json.dumps(good).encode())
            client.sock.shutdown(socket.SHUT_WR)
            assert client.take() == client.take() and client.at_end()
        with server.client() as client:
            client.ask(good)
            client.send(*[good] * 50)
            server.child.terminate()
            assert len([client.take() for _ in range(50)]) == 50 and client.at_end()
            assert server.child.wait(PATIENCE) == 0


@test
def half_lines_and_idle_connections_end():
    with LineServer("serve-policy", "--model", untrained("cartpole-v1"), "--line.request_seconds", 0.5, "--line.idle_seconds", 2,
                    "--line.connections", 3) as server:
        with server.client() as half, server.client() as idle, server.client() as third:
            assert third.ask({"ping": True}) and idle.ask({"ping": True})
            with server.client() as fourth:
                assert fourth.take()["error"] == "busy" and fourth.at_end()
            half.send(b'{"obs":')
            assert half.take()["error"] == "timeout" and half.at_end()
            assert idle.take()["error"] == "idle" and idle.at_end()


@test
def other_machines_need_the_token():
    model = untrained("cartpole-v1")
    fails(2, "an address", "serve-policy", "--model", model, "--bind", "nowhere.example", "--token-file", _token())
    for words in (["serve-policy", "--model", model], ["serve-env", "cartpole"]):
        with LineServer(*words, "--bind", "0.0.0.0") as server, server.client() as client:
            assert len(server.token) == 32
            first = client.ask({"ping": True, "action": "debug", "meta": {"id": "a"}})
            assert first["error"] in ("token", True) and "token" in first["message"], first
            assert client.ask({"token": "0" * 32})["error"] in ("token", True)
            assert client.ask({"token": server.token}) == {"token": True}
            assert "token" not in str(client.ask({"ping": True}))
        fails(7, "another --port", *words, "--port", _busy_port())


@functools.cache
def _token():
    path = WORK / "token.txt"
    path.write_text("0123456789abcdef0123\n")
    path.chmod(0o600)
    return path


_held = []


def _busy_port():
    if not _held:
        _held.append(socket.create_server(("127.0.0.1", 0)))
    return _held[0].getsockname()[1]


# ---- over HTTP ----


@test
def the_same_over_http():
    questions = [{**q, **ALL, "model": "prospector-v1", "seed": str(i), "extensions": ["names"]}
                 for i, q in enumerate(observations("prospector-v1", 10))]
    with LineServer("serve-policy", "--model", PROSPECTOR) as lines, lines.client() as client, \
            Server(WORK / "none", "--serve.requests_per_second", 0) as server:
        for question in questions:
            assert server.post("/api/v1/act", question) == client.ask(question)
        for wrong, status, pointer in [({"obs": []}, 422, "/model"), ({"model": "none", "obs": []}, 404, "/model"),
                                       ({**questions[0], "obs": [1]}, 422, "/obs"), ({**questions[0], "session": "a"}, 422, "/session"),
                                       ({**questions[0], "model": "../prospector-v1"}, 404, "/model")]:
            answer = server.ask("POST", "/api/v1/act", body=wrong)
            assert answer.status == status and answer.problem()["pointer"] == pointer, answer


# ---- remote environments ----


@test
def a_match_of_two_clients():
    with LineServer("serve-env", "duet", "--rounds", "6", program=PROBES) as server:
        with server.client() as first, server.client() as second:
            told = env_line(first, "a", "login", {"agentType": "duet-v1"})
            assert told["game"] == "duet-v1" and told["seats"] == 2 and told["heads"] == [3], told
            env_line(second, "b", "login")
            for match in range(3):
                reset = {"target": "b", "training": True, "maintainTargetEnvironment": True, "deathMatch": True,
                         "resetParams": {"agent": "a", "target": "b", "episodeId": f"match {match}"}}
                first.send({"action": "reset", "body": reset, "meta": {"id": "a"}})
                second.send({"action": "reset", "body": {"target": "a"}, "meta": {"id": "b"}})
                views = [first.take()["body"], second.take()["body"]]
                assert views[0]["meta"]["episodeId"] == f"match {match}" and views[0]["meta"]["targetObs"] == views[1]["obs"]
                assert views[0]["meta"]["seed"] == views[1]["meta"]["seed"]
                totals = [0, 0]
                for step in range(6):
                    assert all("terminalState" not in view for view in views)
                    # rock, paper, scissors: the first seat is one ahead, the second may repeat itself twice
                    second.send({"action": "step", "body": {"action": [step % 3]}, "meta": {"id": "b"}})
                    first.send({"action": "step", "body": {"action": [(step + 1 + (match == 1)) % 3]}, "meta": {"id": "a"}})
                    views = [first.take()["body"], second.take()["body"]]
                    totals = [t + view["meta"]["reward"] for t, view in zip(totals, views)]
                assert totals[0] == -totals[1] and [view["meta"]["return"] for view in views] == totals
                states = [view["terminalState"] for view in views]
                assert states == (["LOST", "WON"] if match == 1 else ["WON", "LOST"]), states
                assert first.ask({"action": "step", "body": {"action": [0]}, "meta": {"id": "a"}})["code"] == "over"
            env_line(first, "a", "logout")
            env_line(second, "b", "logout")


@test
def who_loses_its_target_is_told():
    def meet(first, second):
        first.send({"action": "reset", "body": {"target": "b"}, "meta": {"id": "a"}})
        second.send({"action": "reset", "body": {"target": "a"}, "meta": {"id": "b"}})
        first.take(), second.take()
        first.send({"action": "step", "body": {"action": [0]}, "meta": {"id": "a"}})

    with LineServer("serve-env", "duet", program=PROBES) as server, server.client() as first:
        env_line(first, "a", "login")
        with server.client() as second:
            env_line(second, "b", "login")
            meet(first, second)
        assert first.take()["body"]["terminalState"] == "TARGET_LOST", "its connection has ended"
        with server.client() as second, server.client() as elsewhere:
            env_line(second, "b", "login")
            meet(first, second)
            env_line(elsewhere, "b", "logout")  # by another connection, as remote learners do
            assert first.take()["body"]["terminalState"] == "TARGET_LOST"
            assert second.ask({"action": "step", "body": {"action": [0]}, "meta": {"id": "b"}})["code"] == "unknown-agent"
            env_line(second, "b", "login")
            second.send({"action": "reset", "body": {"target": "a"}, "meta": {"id": "b"}})
            time.sleep(0.1)
            env_line(first, "a", "logout")
            assert second.take()["code"] == "target-lost"
            env_line(first, "a", "login")
            meet(first, second)
            second.send({"action": "reset", "body": {"target": "random"}, "meta": {"id": "b"}})
            assert second.take()["body"]["obs"] and first.take()["body"]["terminalState"] == "TARGET_LOST"


@test
def a_game_against_a_bot_and_alone():
    for program, game in ((LUDUS, "cartpole"), (LUDUS, "joker-brief-v1"), (PROBES, "duet"), (PROBES, "turns"), (PROBES, "house")):
        with LineServer("serve-env", game, "--seed", 4, program=program) as server, server.client() as client:
            told = env_line(client, "a", "login")
            returns = []
            for _ in range(2):
                body = env_line(client, "a", "reset", {"target": "baseline", "seed": 11})
                while "terminalState" not in body:
                    assert len(body["obs"]) == told["observation"] and [len(m) for m in body["actionMasks"]] == told["heads"]
                    action = [mask.index(True) if True in mask else 0 for mask in body["actionMasks"]]
                    body = env_line(client, "a", "step", {"action": action})
                returns.append(body["meta"]["return"])
                assert body["terminalState"] in ("WON", "LOST", "TIED", "ENDED"), body
            assert returns[0] == returns[1], "equal seeds and actions, equal episodes"
            assert env_line(client, "a", "debug")["agents"] == 1
            env_line(client, "a", "logout")


@test
def matches_to_the_death_are_what_was_asked_for():
    for said, asked, fine in (("true", True, True), ("true", False, False), ("false", False, True)):
        with LineServer("serve-env", "duel", "--death-match", said) as server, server.client() as client:
            env_line(client, "a", "login")
            answer = client.ask({"action": "reset", "body": {"target": "noop", "deathMatch": asked}, "meta": {"id": "a"}})
            assert ("error" not in answer) == fine, answer
            assert fine or (answer["field"] == "deathMatch" and "--set death_match=false" in answer["message"]), answer


@test
def wrong_lines_to_an_environment():
    with LineServer("serve-env", "cartpole") as server, server.client() as client:
        def wrong(line):
            answer = client.ask(line)
            assert answer["error"] is True and answer["message"], answer
            return answer["code"], answer["field"]

        def of(action, body=None, agent="a"):
            return {"action": action, "body": body, "meta": {"id": agent}}

        assert wrong(b"nonsense\n")[0] == "bad-json"
        assert wrong({"action": "login"}) == ("missing-field", "meta.id")
        assert wrong(of("jump")) == ("bad-value", "action")
        assert wrong(of("step", {"action": [0]})) == ("unknown-agent", "meta.id")
        assert wrong(of("login", {"agentType": "prospector"})) == ("bad-value", "agentType")
        env_line(client, "a", "login")
        assert wrong(of("login")) == ("bad-value", "meta.id")
        assert wrong(of("step", {"action": [0]}))[0] == "over"
        assert wrong(of("reset", {"target": 5})) == ("bad-value", "target")
        assert wrong(of("reset", {"resetParams": {"gravity": 1}})) == ("bad-value", "resetParams")
        told = client.ask({"action": "reset", "body": {"resetParams": {"reward.mode": "gym"}}, "meta": {"id": "a"}})["message"]
        assert "start it with --set reward.mode=" in told, told
        assert wrong(of("reset", {"resetParams": []})) == ("bad-value", "resetParams")
        assert env_line(client, "a", "reset", {"resetParams": {"theta": 0.01}})["obs"][2] != 0
        for action in ([], [0, 1], [2], [-1], [0.5], ["0"], 0, None):
            assert wrong(of("step", {"action": action})) == ("bad-value", "action"), action
        for body in ({"target": "nobody", "seed": "x"}, {"target": "random", "resetParams": {"episodeId": "b", "gravity": 1}}):
            assert wrong(of("reset", body))[0] == "bad-value", "and the match goes on as it was"
        told = env_line(client, "a", "step", {"action": [1]})["meta"]
        assert (told["reward"], told["target"], told["episodeId"]) == (1, "", ""), told
        client.send(json.dumps(of("debug")).encode().ljust(8192) + b"\n" + b"x" * 9000 + b"\n")
        assert client.take()["body"]["loggedIn"] and client.take()["code"] == "too-long" and client.at_end()
    with LineServer("serve-env", "duet", program=PROBES) as server, server.client() as client:
        env_line(client, "a", "login")
        assert client.ask(of("reset", {"target": "attacker"}))["field"] == "target"
        assert client.ask(of("reset", {"target": "a"}))["field"] == "target"


# ---- what clients may do to it ----


@test
def a_page_elsewhere_cannot_say_a_line():
    line = json.dumps({"action": "login", "meta": {"id": "a"}})
    head = f"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://elsewhere.example\r\nContent-Type: text/plain\r\nContent-Length: {len(line) + 1}\r\n\r\n"
    with LineServer("serve-env", "cartpole") as server, server.client() as page, server.client() as client:
        page.send((head + line + "\n").encode())
        assert "not HTTP" in page.take()["message"] and page.at_end()
        assert client.ask({"action": "debug", "meta": {"id": "b"}})["body"]["agents"] == 0


@test
def who_says_nothing_gives_its_place_to_another():
    with LineServer("serve-env", "cartpole", "--line.connections", 20, "--line.request_seconds", 0.5) as server:
        with server.client() as first:
            env_line(first, "a", "login")
            silent = [server.client() for _ in range(19)]
            with server.client() as late:
                assert late.take()["error"] == "busy" and late.at_end()
            time.sleep(0.6)
            with server.client() as late:
                env_line(late, "b", "login")
                assert env_line(first, "a", "debug")["agents"] == 2
            for client in silent:
                client.close()


def _misbehave(port, lines, ended, failures, seed):
    """One rude client after the other: resets, half lines, junk, questions that nobody waits for."""
    draw = random.Random(seed)
    linger = struct.pack("ii", 1, 0)
    try:
        while not ended.is_set():
            with socket.create_connection(("127.0.0.1", port), PATIENCE) as sock:
                kind = draw.randrange(5)
                if kind == 0:
                    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                    sock.sendall(b"".join(lines[:20]))
                elif kind == 1:
                    sock.sendall(draw.choice(lines)[:-draw.randrange(2, 40)])
                elif kind == 2:
                    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                    sock.sendall(os.urandom(draw.randrange(1, 2000)))
                elif kind == 3:
                    sock.sendall(b"".join(draw.choices(lines, k=50)))
                    sock.recv(100)
                else:
                    question = draw.choice(lines)
                    file = sock.makefile("rb")
                    for _ in range(10):
                        sock.sendall(question)
                        answer = file.readline()
                        assert answer.startswith(b'{"action"') or answer.startswith(b'{"error"') or answer.startswith(b'{"body"'), answer
    except (ConnectionResetError, BrokenPipeError):
        pass
    except Exception as fault:  # noqa: BLE001: told by the test
        failures.append(fault)


def _soak(server, lines, seconds):
    failures, ended = [], threading.Event()
    threads = [threading.Thread(target=_misbehave, args=(server.port, lines, ended, failures, i)) for i in range(8)]
    quiet = [server.client() for _ in range(100)]
    for thread in threads:
        thread.start()
    time.sleep(seconds / 3)
    memory = server.memory()
    time.sleep(2 * seconds / 3)
    grown = server.memory() - memory
    ended.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert not failures, failures
    for client in quiet:
        client.close()
    with server.client() as client:
        assert client.ask(lines[0])
        until(lambda: server.descriptors() <= server.began + 1, "descriptors as at the start")
    assert grown < 8 << 20, f"{grown >> 10} KiB more"


@test
def a_policy_server_stays_as_it_was_under_rude_clients():
    lines = [json.dumps({**q, **ALL}).encode() + b"\n" for q in observations("prospector-v1", 30)]
    with LineServer("serve-policy", "--model", PROSPECTOR) as server:
        server.began = server.descriptors()
        _soak(server, lines, 240 if LONG else 4)


@test
def an_environment_stays_as_it_was_under_rude_clients():
    lines = [json.dumps({"action": action, "body": body, "meta": {"id": name}}).encode() + b"\n"
             for name in ("a", "b", "c") for action, body in
             (("login", None), ("reset", {"target": "a"}), ("reset", {"target": "b"}), ("reset", {"target": "random"}),
              ("step", {"action": [1]}), ("step", {"action": [2]}), ("logout", None))]
    # two agents may wait for each other: what waits for an answer is no fault
    rude = [line for line in lines if b'"target": "a"' not in line and b'"target": "b"' not in line]
    with LineServer("serve-env", "duet", program=PROBES) as server:
        server.began = server.descriptors()
        _soak(server, rude, 120 if LONG else 3)


SHORT = ["--line.request_seconds", 1, "--line.idle_seconds", 1]


def _policy():
    question = {"obs": [[0.1, 0.2, -0.1, 0.3]], "session": "a", "deterministic": True}
    return LineServer("serve-policy", "--model", untrained("cartpole-v1"), *SHORT), [json.dumps(question).encode() + b"\n"]


def _env():
    lines = ({"action": action, "body": body, "meta": {"id": "a"}} for action, body in
             (("login", None), ("reset", {"target": "random"}), ("step", {"action": [1]})))
    return LineServer("serve-env", "cartpole", *SHORT), [b"".join(json.dumps(line).encode() + b"\n" for line in lines)]


@test
def conversations_may_be_cut_at_every_byte():
    for of in (_policy, _env):
        server, talks = of()
        with server:
            def calm():
                with server.client() as client:
                    assert client.ask({"ping": True, "action": "debug", "meta": {"id": "b"}}), "it answers"
            cut_everywhere(server, talks, calm, answer=100)
            with server.client() as client:
                told = client.ask({"action": "debug", "meta": {"id": "b"}})
                assert of is _policy or told["body"]["agents"] == 0, told


@test
def connections_that_are_reset_leave_nothing():
    for of in (_policy, _env):
        server, talks = of()
        with server:
            reset_often(server, talks[0], 10000 if LONG else 2000)


@test
def the_bench_tells_its_figures():
    told = ludus("bench", "policy", "--seconds", "0.6", "--json").json()
    assert [load["clients"] for load in told["loads"]] == [1, 8, 64] and told["parameters"] == 58950, told
    for load in told["loads"]:
        assert load["answers"] > 0 and 0 < load["p50_ms"] <= load["p99_ms"] <= load["longest_ms"], load
    fails(3, "", "bench", "policy", "--model", WORK / "absent.safetensors")


if __name__ == "__main__":
    sys.exit(main("policy", __doc__))
