"""Who sits in a session: persons beside bots, chance and models, over HTTP and WebSockets."""

import functools
import threading

from cli.helper import PROBES, WORK, ludus, probes, test, until
from serve.client import Server, Socket

PLACE = "/api/v1/sessions"
RUNS = WORK / "seat-runs"
SMALL = ["--set", "train.environments=16", "--set", "train.horizon=32", "--set", "train.minibatch=256", "--set", "net.hidden=16",
         "--set", "net.layers=1", "--set", "eval.on=false"]


def with_server(function):
    """A test that is given a server of the probes and the id of a small run of `turns`."""
    @functools.wraps(function)
    def run():
        if not RUNS.exists():
            probes("train", "turns", "--out", RUNS, "--steps", "2k", *SMALL)
        with Server(RUNS, "--serve.requests_per_second", 0, program=PROBES) as server:
            function(server, next(RUNS.glob("*/run.json")).parent.name)
    return test(run)


def begin(server, game, seats, seed=5):
    session = server.post(PLACE, {"game": game, "seed": seed, "seats": seats}, 201)
    assert session["seats"] == seats, session
    return session, f"{PLACE}/{session['session']}"


def first_legal(session, seat):
    return session["mask"][seat][0].index(1)


def watched(game, seed, *words):
    path = WORK / "seats.ludus"
    probes("watch", game, "--fast", "--seed", str(seed), "--record", path, *words)
    return [row for row in probes("replay", path, "--json").lines() if row.get("t", -1) >= 0]


@with_server
def players_alone_play_as_watch_does(server, run):
    for game, first, second in (("turns", "random", "bot:expert"), ("turns", f"{run}:latest", "random"),
                                ("duet", "bot:answer", "random")):
        session, path = begin(server, game, [first, second])
        frames = watched(game, 5, *(["--model", f"{RUNS}/{first.split(':')[0]}"] if "latest" in first else ["--bot", first.removeprefix("bot:")]),
                         "--opponent", second)
        assert session["over"] and session["played"] == session["decisions"] == len(frames), session
        assert session["info"] == frames[-1]["info"] and session["story"] == frames[-1]["story"]
        assert all(session["state"]) and not session["pending"]
        assert server.post(path + "/reset", {"seed": 5})["returns"] == session["returns"]
        server.ask("DELETE", path)


@with_server
def a_person_meets_a_bot_in_turns_on_either_seat(server, run):
    for own in (0, 1):
        seats = ["bot:expert", "bot:expert"]
        seats[own] = "person"
        told = []
        for _ in range(2):  # the same both times
            session, path = begin(server, "turns", seats)
            assert session["decisions"] == own == session["played"], session
            told.append(session["decisions"])
            while not session["over"]:
                assert session["to_move"] == 1 << own and not session["pending"], session
                for part in ("state", "terms", "mask", "info"):
                    assert session[part][1 - own] is None and session[part][own] is not None, (part, session)
                before = session["decisions"]
                session = server.post(path + "/step", {"action": first_legal(session, own)})
                assert session["played"] == session["decisions"] - before <= 2, session
                told.append([session["story"], session["returns"], session["state"]])
            assert server.json(path) == session
            server.ask("DELETE", path)
        half = len(told) // 2
        assert told[:half] == told[half:]


@with_server
def a_person_meets_a_model_at_once_and_by_websocket(server, run):
    session, path = begin(server, "duet", ["person", "random"])
    with Socket(server, path + "/socket") as sock:
        assert sock.receive() == session
        for index in range(3):  # each has its answer, though they come at once
            sock.send({"step": {"actions": [index]}})
        answers = [sock.receive() for _ in range(3)]
        assert [a["decisions"] for a in answers] == [1, 2, 3] and answers[-1] == server.json(path)
        sock.send({"step": {"actions": [0, 0]}})
        assert "list of 1 " in sock.receive()["problem"]["detail"]
        sock.send({"reset": {"seed": 5}})
        assert sock.receive() == session
    server.ask("DELETE", path)
    model = f"model:{run}:latest"
    session, path = begin(server, "turns", ["person", model])
    again = server.post(path + "/step", {"actions": [first_legal(session, 0)]})
    assert again["decisions"] == 2 and again["mask"][1] is None
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(server.ask("POST", path + "/reset", body={"seed": 5}).status)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(answers) <= {200, 409} and 200 in answers, answers
    assert server.json(path) == session
    assert server.ask("DELETE", path).status == 204 and server.get(path).status == 404


@with_server
def seats_that_the_game_drives_are_told(server, run):
    session, path = begin(server, "house", ["person", "person"])
    assert session["drives"] == [False, True] and all(session["mask"])
    server.ask("DELETE", path)
    session, path = begin(server, "house", ["person", "random"])
    assert session["drives"] == [False, True] and session["mask"][1] is None
    while not session["over"]:
        assert session["to_move"] & 1, session
        session = server.post(path + "/step", {"action": 0})
    server.ask("DELETE", path)
    plain = server.post(PLACE, {"game": "house", "seed": 1}, 201)
    assert plain["seats"] == ["person", "person"] and plain["drives"] == [False, True]
    server.ask("DELETE", f"{PLACE}/{plain['session']}")


@with_server
def seats_are_checked(server, run):
    (WORK / "outside.safetensors").write_bytes(b"x" * 100)
    for seats in ([], ["person"], ["person"] * 3, "person", None, ["person", ""], ["person", 3], ["person", "bot:nobody"],
                  ["person", "nobody"], ["person", "model:nobody"], ["person", f"{run}:77"], ["person", "none:latest"],
                  ["person", "../outside"], ["person", str(WORK / "outside.safetensors")], ["person", f"{run}:../x"],
                  ["person", "person\0"], ["person", "x" * 101], ["person", f"..:{run}"]):
        problem = server.ask("POST", PLACE, body={"game": "turns", "seats": seats}).problem("bad-value")
        assert problem["status"] == 422 and problem["pointer"] == "/seats", (seats, problem)
        assert str(WORK) not in problem["detail"], problem
    problem = server.ask("POST", PLACE, body={"game": "duet", "seats": ["person", f"{run}:latest"]}).problem("bad-value")
    assert "plays turns-v1, not duet-v1" in problem["detail"], problem
    assert b"ludus_sessions 0" in server.get("/metrics").body  # those that failed are gone
    with Server(RUNS, "--serve.sessions_per_address", 1, program=PROBES) as small:
        assert small.ask("POST", PLACE, body={"game": "turns", "seats": ["person", "none"]}).status == 422
        small.post(PLACE, {"game": "turns", "seats": ["person", "random"]}, 201)
        small.ask("POST", PLACE, body={"game": "turns", "seats": ["person", "random"]}).problem("sessions")


@test
def long_turns_come_in_parts_and_models_are_bounded():
    with Server(RUNS, "--serve.session_models", 1) as server:
        told = ludus("watch", "prospector", "--bot", "ace", "--seeds", "4..4", "--json").json()
        session, path = begin(server, "prospector", ["bot:ace"], seed=4)
        assert session["pending"] and 0 < session["played"] <= 1000, session["played"]
        while not session["over"]:
            assert session["pending"]
            before = session["decisions"]
            session = server.post(path + "/step", {"actions": []})
            assert session["decisions"] == before + session["played"] and session["played"] <= 1000
        assert not session["pending"] and abs(session["returns"][0] - told["return"]["mean"]) < 1e-6
        server.ask("DELETE", path)
        # one model of 0.8 MiB fits, two do not
        model = {"game": "joker-plan-v1", "seats": ["joker-plan-v1"]}
        plays = server.post(PLACE, model, 201)
        assert server.ask("POST", PLACE, body=model).problem("sessions")["status"] == 503
        server.ask("DELETE", f"{PLACE}/{plays['session']}")
        server.post(PLACE, model, 201)


@test
def a_session_that_plays_can_be_left_and_ended():
    with Server(RUNS, "--serve.requests_per_second", 0) as server:
        wish = b'{"game":"joker","seats":["bot:search"],"seed":3}'  # half a second for each request
        head = b"POST /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        for _ in range(3):
            with server.connect() as sock:
                sock.sendall(head % len(wish) + wish)
        until(lambda: b"ludus_sessions 0" in server.get("/metrics").body, "the end of sessions whose clients left")
        _, path = begin(server, "joker", ["bot:search"], seed=3)
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(server.ask("POST", path + "/step", body={"actions": []}).status))
                   for _ in range(3)]
        for thread in threads:
            thread.start()
        until(lambda: answers, "a step that is refused while another plays, or is done before")
        assert server.ask("DELETE", path).status == 204
        for thread in threads:
            thread.join()
        assert set(answers) <= {200, 404, 409}, answers
        until(lambda: b"ludus_sessions 0" in server.get("/metrics").body, "the end of a session that played")
        begin(server, "joker", ["bot:search"], seed=3)
        with server.connect() as sock:  # the server ends while it plays
            sock.sendall(head % len(wish) + wish)
            server.end()
