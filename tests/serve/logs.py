"""What the server tells of its requests."""

import fcntl
import json
import time

from cli.helper import test
from serve.client import Server, drain
from serve.shared import RUNS, run_path, shared, token_file


def ended(server):
    """Ends a server: its lines, the other things it said, and its sum."""
    server.child.terminate()
    out, err = server.child.communicate(timeout=300)
    assert server.child.returncode == 0, err
    lines = [line for line in err.decode().splitlines()]
    return [json.loads(line) for line in lines if line.startswith("{")], "\n".join(lines), json.loads(out.splitlines()[-1])


@test
def refusals_and_errors_leave_a_line_each():
    shared()
    server = Server(RUNS, "--token-file", token_file())
    own = {"Authorization": "Bearer correct-horse-battery-staple"}
    ids = {server.get("/api/v1/runs").fields["x-request-id"]: (401, "token"),
           server.get("/api/v1/runs", Origin="https://evil.example", **own).fields["x-request-id"]: (403, "origin"),
           server.get("/api/v1/runs/none?limit=1&ticket=" + "0" * 32, **own).fields["x-request-id"]: (400, "bad-parameter"),
           server.get("/api/v1/models/none%E2%80%AE", **own).fields["x-request-id"]: (404, "not-found")}
    session = server.ask("POST", "/api/v1/sessions", body={"game": "cartpole"}, **own).json()["session"]
    server.ask("POST", f"/api/v1/sessions/{session}/step", body={"actions": "SECRET-BODY"}, **own)
    server.ask("DELETE", f"/api/v1/sessions/{session}", **own)
    server.ask("GET", f"/api/v1/sessions/{session}", **own)
    assert server.raw(b"\x16\x03\x01 nonsense\r\n\r\n")
    assert server.raw(b"GET / HTTP/2.0\r\n\r\n").startswith(b"HTTP/1.1 505"), "which the server has not failed in"
    assert server.get("/api/v1/runs", **own).status == 200
    lines, text, total = ended(server)
    for number, (status, problem) in ids.items():
        line = next(line for line in lines if line["request_id"] == number)
        assert line["status"] == status and line["problem"] == problem and line["address"] == "127.0.0.1" and line["ms"] >= 0, line
    assert all(line["status"] >= 400 for line in lines) and len(lines) == 8, lines
    assert any(line["path"] == "/api/v1/sessions/{session}/step" for line in lines), lines
    assert any(line["problem"] == "bad-request" and line["method"] == "" for line in lines), lines
    for secret in ("correct-horse", session, "SECRET", "ticket", "\x1b", "0" * 32):
        assert secret not in text, secret
    assert total["event"] == "end" and total["requests"] == 11 and total["refused"] == 8 and total["failed"] == 0, total


@test
def all_requests_or_none_are_told_and_lines_are_bounded():
    shared()
    server = Server(RUNS, "--serve.log", "all")
    server.get(run_path("/windows?from=0"))
    server.get("/api/v1/health")
    lines, _, total = ended(server)
    told = [(line["status"], line["path"]) for line in lines]
    assert told == [(200, run_path("/windows")), (200, "/api/v1/health")] and total["refused"] == 0, (told, total)
    server = Server(RUNS, "--serve.log", "none")
    server.get("/api/v1/none")
    lines, _, total = ended(server)
    assert lines == [] and total["refused"] == 1
    server = Server(RUNS, "--serve.requests_per_second", 0)
    with server.connect() as sock:
        ask = b"GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n" % (b"a.b" * 100)
        sock.sendall(ask * 400 + ask.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        assert drain(sock).count(b"HTTP/1.1 404") == 401
    time.sleep(1.2)
    server.get("/none.x")
    lines, _, total = ended(server)
    assert total["refused"] == 402 and total["lines_left_out"] > 100 and len(lines) + total["lines_left_out"] == 402, total
    assert lines[-1]["left_out"] == total["lines_left_out"] and max(len(json.dumps(line)) for line in lines) < 500


@test
def a_log_that_nobody_reads_stops_nobody():
    server = Server(RUNS, "--serve.requests_per_second", 0)
    fcntl.fcntl(server.child.stderr, fcntl.F_SETPIPE_SZ, 16384)
    with server.connect() as sock:
        for _ in range(300):
            sock.sendall(b"GET /api/v1/nothing/" + b"x" * 400 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert sock.recv(65536)
    lines, _, total = ended(server)
    assert total["refused"] == 300 and 0 < len(lines) < 90 and total["lines_left_out"] + len(lines) == 300, total
