"""Conversations with a server that end too early: cut, reset or left alone at a byte; nothing of them stays."""

import concurrent.futures
import heapq
import random
import socket
import struct
import sys
import time
from pathlib import Path

from cli.helper import LUDUS, until

ANSWER = 600  # bytes: its head and more; every answer has as many
PROGRAM = Path(LUDUS).read_bytes()
# bytes of memory: the thread sanitizer remembers who was where, that of addresses keeps what was freed
ROOM = sys.maxsize if b"__asan_init" in PROGRAM else 64 << 20 if b"__tsan_init" in PROGRAM else 8 << 20
TOGETHER = 250  # of the connections that one address may have


def reset(sock):
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


def exchange(server, data, cut, how):
    """One conversation that ends at a byte: of the question, or of the answer where it is `taken`."""
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


def cut_everywhere(server, talks, calm, answer=ANSWER, stays=lambda data, cut: False, room=ROOM, ends=True):
    """Every conversation is cut at every byte, in every way, and left alone there. Afterwards descriptors and memory are as before;
    `calm` waits until nothing of a conversation is left, `stays` tells which of those that stall are served on, `ends` whether the
    server ends the others within seconds."""
    for data in talks:  # once before it is measured: caches fill
        exchange(server, data, len(data), "ended")
    calm()
    files, memory = server.descriptors(), server.memory()
    every = [(data, cut) for data in talks for cut in range(len(data) + 1)]
    with concurrent.futures.ThreadPoolExecutor(6) as pool:  # they mostly wait
        list(pool.map(lambda one: exchange(server, *one), [(*cut, how) for cut in every for how in ("reset", "ended", "late")]))
        list(pool.map(lambda one: exchange(server, *one), [(data, cut, "taken") for data in talks for cut in range(answer)]))
    for first in range(0, len(every), TOGETHER):
        stalled = [(server.connect(), *cut) for cut in every[first:first + TOGETHER]]
        for sock, data, cut in stalled:
            sock.sendall(data[:cut])
        watch = sum(stays(data, cut) for _, data, cut in stalled)
        calm()
        until(lambda: not ends or server.descriptors() <= files + 1 + watch, "the server ends those that stall", 60)
        for sock, _, _ in stalled:
            sock.close()
    calm()
    until(lambda: server.descriptors() <= files + 1, f"descriptors as before: {files}")
    assert server.memory() < memory + room, (memory, server.memory())


def reset_often(server, ask, count, room=ROOM):
    """Connections that are reset at every moment between the question and the answer; descriptors and memory are as before."""
    exchange(server, ask, len(ask), "ended")
    descriptors, memory, asked, rng, live = server.descriptors(), server.memory(), 0, random.Random(2), []
    while asked < count or live:
        while asked < count and len(live) < 60:
            sock = server.connect()
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            sock.sendall(ask)
            heapq.heappush(live, (time.time() + rng.choice([0.0005, 0.002, 0.03]) * rng.random(), asked, sock))
            asked += 1
        while live and live[0][0] <= time.time():
            heapq.heappop(live)[2].close()
    until(lambda: server.descriptors() <= descriptors + 4, f"descriptors as before, {descriptors}")
    assert server.memory() < memory + room, (memory, server.memory())
