"""Conversations that are cut: reset, ended or left alone at every byte, of the question and of the answer; nothing of them stays."""

import base64
import json

from cli.helper import test, until
from serve.client import Server
from serve.cutting import cut_everywhere
from serve.shared import RUNS, run_path, shared


def conversations():
    """What clients may say, as bytes."""
    body = json.dumps({"game": "cartpole"}).encode()
    mask = b"\1\2\3\4"
    frame = b'{"pause":true}'
    key = base64.b64encode(bytes(16))
    yield f"GET {run_path('/models/latest')} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    yield b"POST /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
    yield (f"GET {run_path('/replays/best/frames?rate=50')} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
           "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ").encode() + key + b"\r\n\r\n" + \
        bytes([0x81, 0x80 | len(frame)]) + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(frame))


@test
def conversations_may_be_cut_at_every_byte():
    shared()
    with Server(RUNS, "--serve.requests_per_second", 0, "--serve.request_seconds", 1, "--serve.idle_seconds", 1, "--serve.sessions_per_address", 5, "--serve.session_seconds", 1,
                "--serve.log", "none") as server:
        def calm():
            until(lambda: b"\nludus_sessions 0\n" in server.get("/metrics").body, "no session")
        cut_everywhere(server, list(conversations()), calm, stays=lambda data, cut: b"Upgrade" in data and b"\r\n\r\n" in data[:cut])
