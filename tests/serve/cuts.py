"""Conversations that are cut: reset, ended or left alone at every byte, of the question and of the answer; nothing of them stays."""

import base64
import concurrent.futures
import json
import socket
import struct
import time
from pathlib import Path

from cli.helper import LUDUS, test, until
from serve.client import Server
from serve.shared import RUNS, run_path, shared


ANSWER = 600  # bytes: its head and more; every answer has as many
ROOM = 64 << 20 if b"__tsan_init" in Path(LUDUS).read_bytes() else 8 << 20  # the thread sanitizer remembers who was where
TOGETHER = 250  # of the connections that one address may have


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
    with Server(RUNS, "--serve.requests_per_second", 0, "--serve.request_seconds", 1, "--serve.idle_seconds", 1, "--serve.sessions_per_address", 5, "--serve.session_seconds", 1,
                "--serve.log", "none") as server:
        def gauge(name):
            return int(float(next(line.split()[1] for line in server.get("/metrics").body.decode().splitlines() if line.startswith(name + " "))))

        def once(data, cut, how):
            sock = server.connect()
            sock.sendall(data if how == "taken" else data[:cut])
            if how == "taken":  # so much of the answer
                while cut > 0 and (part := sock.recv(cut)):
                    cut -= len(part)
                reset(sock)
            elif how == "ended":
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
        every = [(data, cut) for data in conversations() for cut in range(len(data) + 1)]
        with concurrent.futures.ThreadPoolExecutor(6) as pool:  # they mostly wait
            list(pool.map(lambda one: once(*one), [(*cut, how) for cut in every for how in ("reset", "ended", "late")]))
            list(pool.map(lambda one: once(*one), [(data, cut, "taken") for data in conversations() for cut in range(ANSWER)]))
        for first in range(0, len(every), TOGETHER):
            stalled = [(server.connect(), *cut) for cut in every[first:first + TOGETHER]]
            for sock, data, cut in stalled:
                sock.sendall(data[:cut])
            assert server.get("/api/v1/health").status == 200
            # but for those that watch, which it serves on
            watch = sum(b"Upgrade" in data and b"\r\n\r\n" in data[:cut] for _, data, cut in stalled)
            until(lambda: gauge("ludus_connections") <= 1 + watch, "the server ends those that stall", 60)
            for sock, _, _ in stalled:
                sock.close()
        until(lambda: gauge("ludus_connections") <= 1, "no connection but this one")
        until(lambda: server.descriptors() <= files + 1, f"descriptors as before: {files}")
        until(lambda: gauge("ludus_sessions") == 0, "no session")
        assert server.memory() < memory + ROOM, (memory, server.memory())
