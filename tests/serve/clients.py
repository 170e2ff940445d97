"""Bad clients: malformed, slow, greedy and many at once; what the server holds stays bounded."""

import contextlib
import http.client
import json
import os
import re
import select
import socket
import threading
import time

from cli.helper import PATIENCE, WORK, test, until
from serve.client import Answer, Server, Socket, drain
from serve.cutting import reset_often
from serve.shared import RUNS, SHARED, run_path, shared, site, train


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
        run = shared() and SHARED["run"]
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
def connections_that_are_reset_leave_nothing():
    """At every moment between the question and the answer, also when a worker is done and nobody has
    taken up its file yet."""
    ask = b"GET /api/v1/models/prospector-v1 HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with Server(RUNS, "--serve.requests_per_second", 0) as server:
        assert server.get("/api/v1/models/prospector-v1").status == 200
        reset_often(server, ask, 5000)


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
