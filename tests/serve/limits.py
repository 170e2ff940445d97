"""What the server does when the system gives it no more: descriptors, memory, time of a worker."""

import json
import resource
import shutil
import threading
import time

from cli.helper import WORK, test, until
from serve.client import Answer, Server, drain
from serve.shared import RUNS, SHARED, run_path, shared

NOFILE, AS = resource.RLIMIT_NOFILE, resource.RLIMIT_AS


def ask_on(sock, path):
    """An answer over a connection that is open already and stays so."""
    sock.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    data = sock.recv(65536)
    head, _, body = data.partition(b"\r\n\r\n")
    length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length"))
    while len(body) < length:
        body += sock.recv(65536)
    return Answer(head + b"\r\n\r\n" + body)


@test
def few_descriptors_mean_few_connections():
    shared()
    with Server(RUNS, limits={NOFILE: 64}, env=None) as server:
        open_ones = [server.connect() for _ in range(60)]
        kept, turned = [], []
        for sock in open_ones:
            sock.settimeout(0.2)
            try:
                data = drain(sock)
                turned.append(Answer(data))
            except TimeoutError:
                sock.settimeout(60)
                kept.append(sock)
        assert 8 <= len(kept) <= 30 and turned and all(a.status == 503 and int(a.fields["retry-after"]) > 0 for a in turned), (len(kept), turned)
        for sock in kept:
            for path in ("/api/v1/runs", run_path("/replays/best/file"), run_path("/models/latest")):
                assert ask_on(sock, path).status == 200, path
        for sock in open_ones:
            sock.close()
        until(lambda: server.get("/api/v1/health").status == 200, "a server that is well again")


@test
def without_a_descriptor_files_are_not_missing():
    shared()
    with Server(RUNS) as server, server.connect() as sock:
        assert ask_on(sock, run_path("/models/latest")).status == 200
        resource.prlimit(server.child.pid, NOFILE, (3, 4096))  # none is left
        for path in (run_path("/models/latest"), run_path("/replays/best/file"), "/api/v1/models/none"):
            answer = ask_on(sock, path)
            assert answer.problem("busy")["status"] == 503 and int(answer.fields["retry-after"]) > 0, (path, answer)
        resource.prlimit(server.child.pid, NOFILE, (1024, 4096))
        assert ask_on(sock, run_path("/models/latest")).status == 200 and ask_on(sock, "/api/v1/models/none").status == 404


@test
def short_memory_refuses_requests_and_ends_nothing():
    shared()
    with Server(RUNS, "--serve.requests_per_second", 0, "--serve.sessions_per_address", 200) as server:
        first = server.post("/api/v1/sessions", {"game": "cartpole"}, 201)["session"]
        assert server.get(run_path("/replays/best/frames")).status == 200
        with open(f"/proc/{server.child.pid}/status") as file:
            size = next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmSize"))
        resource.prlimit(server.child.pid, AS, (size, resource.RLIM_INFINITY))
        statuses = []
        for _ in range(150):
            for method, path, body in (("POST", "/api/v1/sessions", {"game": "joker"}), ("GET", run_path("/replays/best/frames"), None), ("GET", "/api/v1/runs", None)):
                answer = server.ask(method, path, body=body)
                statuses.append(answer.status)
                assert answer.status in (200, 201, 500, 503), answer
                if answer.status == 503 and "sessions" not in answer.json()["type"]:
                    assert int(answer.fields["retry-after"]) > 0
            if statuses.count(503) > 20:
                break
        assert server.get("/api/v1/health").status == 200
        resource.prlimit(server.child.pid, AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert server.json(f"/api/v1/sessions/{first}")["session"] == first, "sessions are still there"
        assert server.get("/api/v1/runs").status == 200 and server.get(run_path("/replays/best/frames")).status == 200


@test
def nobody_waits_behind_long_files_of_rows():
    shared()
    folder = WORK / "long-series"
    shutil.copytree(SHARED["folder"], folder / "run-a")
    shutil.copytree(SHARED["folder"], folder / "run-b")
    row = (folder / "run-a/metrics/updates.jsonl").read_text().splitlines()[-1]
    with open(folder / "run-a/metrics/updates.jsonl", "w") as file:
        for update in range(40000):
            file.write(json.dumps({**json.loads(row), "update": update, "env_steps": update}) + "\n" if update < 2 else row + "\n")
    result = {"game": "cartpole-v1", "date": "", "players": [{"player": {"name": "a"}, "elo": 1, "shares": [0.5] * 2}] * 2}
    (folder / "leagues").mkdir()
    (folder / "leagues/long.jsonl").write_text((json.dumps([result] * 1000) + "\n") * 150 + json.dumps(result) + "\n")
    with Server(folder) as server:
        assert server.get("/api/v1/runs").status == 200
        for long in ("/api/v1/runs/run-a/metrics?rows=updates&key=kl&axis=env_steps", "/api/v1/leagues/long"):
            ends = {}

            def ask_long():
                assert server.get(long).status == 200
                ends["long"] = time.time()

            thread = threading.Thread(target=ask_long)
            thread.start()
            time.sleep(0.05)
            for path in ("/api/v1/runs", "/api/v1/runs/run-a/windows", "/api/v1/runs/run-a",
                         "/api/v1/runs/run-b/metrics?rows=updates&key=kl&axis=env_steps"):
                assert server.get(path).status == 200
            ends["others"] = time.time()
            thread.join()
            assert ends["others"] < ends["long"], f"they waited behind {long}"
