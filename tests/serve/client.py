"""What the tests of the server share: the server as a process, requests as plain bytes (so that they
may be wrong), and a WebSocket client."""

import base64
import hashlib
import json
import os
import resource
import socket
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from cli.helper import LUDUS, PATIENCE, ROOT, environment  # noqa: E402


class Server:
    """`ludus serve` at a port of its own; ends with its block."""

    def __init__(self, runs, *words, bind="127.0.0.1", env=None, program=LUDUS, limits=None):
        command = [program, "serve", "--port", "0", "--bind", bind, "--json", "--run.folder", str(runs), *map(str, words)]
        self.child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env or environment(),
                                      preexec_fn=limits and (lambda: [resource.setrlimit(kind, (most, most)) for kind, most in limits.items()]))
        line = self.child.stdout.readline()
        assert line, self.child.stderr.read().decode()
        self.hello = json.loads(line)
        self.port = self.hello["port"]
        self.token = self.hello.get("token")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        if self.child.poll() is None:
            self.child.terminate()
        code = self.child.wait(PATIENCE)
        assert code == 0, f"the server ended with {code}: {self.child.stderr.read().decode()[-2000:]}"

    def connect(self, timeout=PATIENCE):
        return socket.create_connection(("127.0.0.1", self.port), timeout)

    def memory(self):
        """Resident bytes."""
        with open(f"/proc/{self.child.pid}/status") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmRSS"))

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.child.pid}/fd"))

    def raw(self, data, timeout=PATIENCE, end=False):
        """All that comes for these bytes until the server closes."""
        with self.connect(timeout) as sock:
            sock.sendall(data)
            if end:
                sock.shutdown(socket.SHUT_WR)
            return drain(sock)

    def ask(self, method, path, body=None, host=None, **headers):
        """One request; returns an Answer."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{self.port}'}"]
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        if body is not None:
            headers = {"Content_Type": "application/json", "Content_Length": len(body), **headers}
        lines += [f"{key.replace('_', '-')}: {value}" for key, value in headers.items()]
        data = "\r\n".join([*lines, "Connection: close", "", ""]).encode("utf-8", "surrogateescape") + (body or b"")
        return Answer(self.raw(data))

    def get(self, path, **headers):
        return self.ask("GET", path, **headers)

    def json(self, path, status=200, **headers):
        answer = self.get(path, **headers)
        assert answer.status == status, f"GET {path}: {answer}"
        return answer.json()

    def post(self, path, body, status=200, **headers):
        answer = self.ask("POST", path, body=body, **headers)
        assert answer.status == status, f"POST {path} {body}: {answer}"
        return answer.json()


def drain(sock):
    parts = []
    try:
        while part := sock.recv(65536):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


class Answer:
    def __init__(self, data):
        head, _, rest = data.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        assert lines[0].startswith("HTTP/1.1 "), f"no answer: {data[:200]}"
        self.status = int(lines[0].split()[1])
        self.fields = {}
        for line in lines[1:]:
            key, _, value = line.partition(":")
            self.fields[key.lower()] = value.strip()
        self.body = rest
        if rest and self.fields.get("transfer-encoding") == "chunked":
            self.body = chunks(rest)

    def json(self):
        return json.loads(self.body)

    def problem(self, name=None):
        """The body as a problem, checked."""
        assert self.fields["content-type"] == "application/problem+json", str(self)
        problem = self.json()
        assert problem["status"] == self.status and problem["type"].startswith("urn:ludus:problem:"), problem
        assert problem["request_id"] == self.fields["x-request-id"] and problem["detail"], problem
        assert not name or problem["type"] == f"urn:ludus:problem:{name}", problem
        assert str(ROOT) not in self.body.decode() and "/tmp" not in self.body.decode(), problem
        return problem

    def __str__(self):
        return f"{self.status} {self.fields} {self.body[:300]}"


def chunks(data):
    """A chunked body, which must be whole."""
    out = b""
    while True:
        size, _, data = data.partition(b"\r\n")
        length = int(size, 16)
        if length == 0:
            assert data == b"\r\n", "no end of the chunks"
            return out
        out += data[:length]
        assert data[length:length + 2] == b"\r\n"
        data = data[length + 2:]


class Socket:
    """A WebSocket client that knows text, ping and close."""

    def __init__(self, server, path, **headers):
        self.sock = server.connect()
        key = base64.b64encode(os.urandom(16)).decode()
        headers = {"Host": f"127.0.0.1:{server.port}", "Upgrade": "websocket", "Connection": "Upgrade",
                   "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": key,
                   **{name.replace("_", "-"): value for name, value in headers.items()}}
        lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items() if value)]
        self.sock.sendall("\r\n".join([*lines, "", ""]).encode())
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            part = self.sock.recv(65536)
            assert part, "closed before the handshake"
            self.rest += part
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        self.status = int(head.split()[1])
        if self.status == 101:
            accept = base64.b64encode(hashlib.sha1(key.encode() + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
            assert b"sec-websocket-accept: " + accept.lower() in head.lower(), head
        else:
            self.answer = Answer(head + b"\r\n\r\n" + self.rest + drain(self.sock)
                                 if b"close" in head.lower() else head + b"\r\n\r\n" + self.rest)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.sock.close()

    def _take(self, count):
        while len(self.rest) < count:
            part = self.sock.recv(65536)
            if not part:
                raise EOFError("the WebSocket was closed")
            self.rest += part
        part, self.rest = self.rest[:count], self.rest[count:]
        return part

    def frame(self):
        """Opcode and payload of the next frame."""
        first, length = self._take(2)
        if length == 126:
            length = struct.unpack(">H", self._take(2))[0]
        elif length == 127:
            length = struct.unpack(">Q", self._take(8))[0]
        return first & 15, self._take(length)

    def receive(self):
        """The next message as JSON."""
        text = b""
        while True:
            opcode, payload = self.frame()
            if opcode == 8:
                raise EOFError(struct.unpack(">H", payload[:2])[0] if payload else 1005)
            if opcode in (0, 1):
                text += payload
                try:
                    return json.loads(text)
                except ValueError:
                    continue  # a message in several frames

    def send(self, message, opcode=1):
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        mask = os.urandom(4)
        length = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0xFE]) + struct.pack(">H", len(data)) \
            if len(data) < 65536 else bytes([0xFF]) + struct.pack(">Q", len(data))
        self.sock.sendall(bytes([0x80 | opcode]) + length + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))


def events(sock, count, timeout=PATIENCE):
    """Server-sent events of an open answer: dictionaries with event, id and data."""
    sock.settimeout(timeout)
    data, found = b"", []
    end = time.time() + timeout
    while len(found) < count and time.time() < end:
        part = sock.recv(65536)
        assert part, f"the stream ended after {len(found)} events"
        data += part
        body = data.partition(b"\r\n\r\n")[2]
        text = b"".join(partial(body)).decode()
        found = [dict(line.split(": ", 1) for line in block.split("\n") if ": " in line)
                 for block in text.split("\n\n")[:-1] if "data: " in block]
    return found


def partial(data):
    """Whole chunks of a body that is still coming."""
    while b"\r\n" in data:
        size, _, rest = data.partition(b"\r\n")
        length = int(size, 16)
        if len(rest) < length + 2:
            return
        yield rest[:length]
        data = rest[length + 2:]
