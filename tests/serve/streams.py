"""Streams: frames of replays, over HTTP and WebSockets, and the events of a run."""

import json
import os
import shutil
import struct
import time

from cli.helper import PATIENCE, WORK, ludus, test
from serve.client import Server, Socket, drain, events, partial
from serve.shared import SHARED, run_path, shared


@test
def frames_are_those_of_ludus_replay():
    server = shared()
    best = server.json(run_path("/replays/best"))
    told = ludus("replay", SHARED["folder"] / f"replays/{best['replay_id']}.ludus", "--json").lines()
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
    shutil.copytree(shared() and SHARED["folder"], folder / SHARED["run"])
    best = SHARED["server"].json(run_path("/replays/best"))["replay_id"]
    path = folder / SHARED["run"] / f"replays/{best}.ludus"
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
def websockets_that_err_are_closed_and_get_nothing_more():
    server = shared()
    mask = b"\x01\x02\x03\x04"
    def masked(first, payload=b"", length=None):
        size = length if length is not None else bytes([0x80 | len(payload)])
        return bytes([first]) + size + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload))
    cases = [
        (b"\x81\x02{}", 1002),  # not masked
        (masked(0xC1, b"{}"), 1002), (masked(0x83, b"{}"), 1002), (masked(0x8B), 1002),  # reserved
        (masked(0x80, b"{}"), 1002), (masked(0x01, b"{") + masked(0x81, b"}"), 1002),  # fragments
        (masked(0x09, b"x"), 1002), (masked(0x89, b"", b"\xFE\x00\x7E") + b"x" * 126, 1002),  # controls
        (masked(0x81, b"", b"\xFE\x00\x05") + b"x" * 5, 1002),  # not the shortest form
        (masked(0x81, b"\xC3\x28"), 1007), (masked(0x82, b"{}"), 1003),
        (masked(0x81, b"", b"\xFF" + struct.pack(">Q", 1 << 40)), 1009), (masked(0x88, b"\x03"), 1002), (masked(0x88, b"\x03\xED"), 1002),
        (masked(0x88, b"\x03\xE8bye"), 1000), (masked(0x88), 1000),
    ]
    for data, status in cases:
        with Socket(server, run_path("/replays/best/frames?rate=1000")) as sock:
            sock.receive()
            sock.sock.sendall(data)
            closed = None
            while closed is None:
                opcode, payload = sock.frame()
                closed = struct.unpack(">H", payload[:2])[0] if opcode == 8 else None
            assert closed == status, (data[:20], closed)
            assert sock.rest + drain(sock.sock) == b"", f"bytes after the close of {data[:20]}"
    made = server.post("/api/v1/sessions", {"game": "cartpole"}, 201)["session"]
    with Socket(server, f"/api/v1/sessions/{made}/socket") as sock:
        sock.receive()
        step = b'{"step":{"actions":[[0]]}}'
        sock.sock.sendall(bytes([0x81, len(step)]) + step)
        assert sock.frame() == (8, b"\x03\xea")
    assert server.json(f"/api/v1/sessions/{made}")["decisions"] == 0, "a frame without a mask does nothing"
    with Socket(server, run_path("/replays/best/frames?rate=0.25")) as sock:  # pieces, pings and fragments are fine
        sock.receive()
        for byte in masked(0x01, b'{"pau') + masked(0x89, b"hello") + masked(0x80, b'se":true}'):
            sock.sock.sendall(bytes([byte]))
        opcodes = {}
        while 10 not in opcodes:
            opcode, payload = sock.frame()
            opcodes[opcode] = payload
        assert opcodes[10] == b"hello"


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
