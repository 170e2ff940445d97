"""Conversations that are cut: reset, ended or left alone at every byte; nothing of them stays."""

import base64
import json
import os
import socket
import struct
import time

from cli.helper import test, until
from serve.client import Server
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


def reset(sock):
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


@test
def conversations_may_be_cut_at_every_byte():
    shared()
    with Server(RUNS, "--serve.requests_per_second", 0, "--serve.request_seconds", 1, "--serve.sessions_per_address", 5, "--serve.session_seconds", 1,
                "--serve.log", "none") as server:
        def gauge(name):
            return int(float(next(line.split()[1] for line in server.get("/metrics").body.decode().splitlines() if line.startswith(name + " "))))

        def once(data, cut, how):
            sock = server.connect()
            sock.sendall(data[:cut])
            if how == "ended":
                sock.shutdown(socket.SHUT_WR)
                sock.settimeout(0.005)
                try:
                    while sock.recv(65536):
                        pass
                except (TimeoutError, ConnectionResetError):
                    pass
                sock.close()
            elif how == "late":  # the answer is on its way
                time.sleep(0.002)
                reset(sock)
            else:
                reset(sock)
        for data in conversations():  # once before it is measured: caches fill
            once(data, len(data), "ended")
        until(lambda: gauge("ludus_sessions") == 0, "no session")
        files, memory = server.descriptors(), server.memory()
        step = 1 if os.environ.get("LUDUS_TEST_LONG") else 3
        cuts = 0
        for data in conversations():
            for cut in [*range(0, len(data), step), len(data)]:
                for how in ("reset", "ended", "late"):
                    once(data, cut, how)
                    cuts += 1
        stalled = [server.connect() for _ in range(60)]
        for number, sock in enumerate(stalled):
            data = list(conversations())[number % 3]
            sock.sendall(data[:number * len(data) // 61])
        assert server.get("/api/v1/health").status == 200 and cuts > 400
        until(lambda: gauge("ludus_connections") <= 1 + len(stalled), "no connection but those that stall")
        for sock in stalled:
            sock.close()
        until(lambda: server.descriptors() <= files + 1, f"descriptors as before: {files}")
        until(lambda: gauge("ludus_sessions") == 0, "no session")
        assert server.memory() < memory + (8 << 20), (memory, server.memory())
