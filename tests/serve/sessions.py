"""Sessions of play, over HTTP and WebSockets."""

from cli.helper import WORK, ludus, test, until
from serve.client import Server, Socket
from serve.shared import RUNS, shared


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
