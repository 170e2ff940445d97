"""What the tests of servers of lines share: the server as a process, and a client on a plain socket."""

import json
import socket
import subprocess

from cli.helper import LUDUS, PATIENCE, environment
from serve.client import Server


class LineServer(Server):
    """`ludus VERB ...` at a port of its own; ends with its block."""

    def __init__(self, *words, program=LUDUS, env=None):
        command = [program, *map(str, words), "--port", "0", "--json"]
        self.child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env or environment())
        line = self.child.stdout.readline()
        assert line, self.child.stderr.read().decode()
        self.hello = json.loads(line)
        self.port = self.hello["port"]
        self.token = self.hello.get("token")

    def client(self):
        return Client(self.port)


class Client:
    """A connection: a line out, a line in."""

    def __init__(self, port):
        self.sock = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.file = self.sock.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.file.close()
        self.sock.close()

    def send(self, *lines):
        self.sock.sendall(b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines))

    def take(self):
        line = self.file.readline()
        assert line.endswith(b"\n"), f"no answer: {line!r}"
        return json.loads(line)

    def ask(self, line):
        self.send(line)
        return self.take()

    def at_end(self):
        return self.file.readline() == b""
