"""Who may ask: origins, hosts, tokens, and how often."""

import time

from cli.helper import test
from serve.client import Server, Socket
from serve.shared import RUNS, SHARED, run_path, shared, token_file

METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]
PATHS = ["/", "/api/v1/runs", "/api/v1/sessions", "/api/v1/sessions/" + "0" * 32, "/metrics", "/none"]


@test
def foreign_origins_are_refused_on_every_method_and_upgrade():
    server = shared()
    origins = ["http://evil.example", "null", "http://localhost:1", f"http://127.0.0.1.evil.example:{server.port}",
               f"http://127.0.0.1:{server.port}.evil.example", f"https://127.0.0.1:{server.port}x", "file://", "", "*"]
    for origin in origins:
        for method in METHODS:
            for path in PATHS:
                answer = server.ask(method, path, body={} if method == "POST" else None, Origin=origin)
                assert answer.status == 403, (origin, method, path, answer)
                assert "access-control-allow-origin" not in answer.fields
        for path in (run_path("/replays/best/frames"), "/api/v1/sessions/" + "0" * 32 + "/socket"):
            with Socket(server, path, Origin=origin or " ") as sock:
                assert sock.status == 403, (origin, path)
    own = f"http://127.0.0.1:{server.port}"
    assert server.get("/api/v1/runs", Origin=own).status == 200
    with Socket(server, run_path("/replays/best/frames"), Origin=own) as sock:
        assert sock.status == 101
    assert server.ask("POST", "/api/v1/sessions", body={"game": "cartpole"}, Sec_Fetch_Site="cross-site").status == 403


@test
def foreign_hosts_are_refused_on_every_method_and_upgrade():
    server = shared()
    for host in ("evil.example", f"evil.example:{server.port}", "localhost.evil.example", "127.0.0.1.nip.io", "[::2]", "10.0.0.1",
                 "localhost:80:80", "localhost:x", "[::1", "", "user@localhost", "2130706433"):
        for method in METHODS:
            answer = server.ask(method, "/api/v1/runs", host=host or " ", body={} if method == "POST" else None)
            assert answer.status in (403, 400), (host, method, answer)
        with Socket(server, run_path("/replays/best/frames"), Host=host or " ") as sock:
            assert sock.status in (403, 400), host
    for host in ("localhost", f"localhost:{server.port}", "LOCALHOST", "[::1]:99", "127.0.0.1", "127.1.2.3:5"):
        assert server.ask("GET", "/api/v1/health", host=host).status == 200, host


@test
def another_address_needs_atoken_file():
    with Server(RUNS, bind="0.0.0.0") as server:
        assert len(server.token) == 32
        assert server.get("/api/v1/runs").problem("token")["status"] == 401
        assert server.get("/api/v1/runs").fields["www-authenticate"] == "Bearer"
        assert server.get("/api/v1/health").status == 200 and server.get("/metrics").status == 401
        assert server.get("/api/v1/runs", Authorization=f"Bearer {server.token}").status == 200
        for wrong in ("Bearer", "Bearer x", f"Bearer {server.token}x", f"Bearer {server.token[:-1]}", f"Basic {server.token}", server.token):
            assert server.get("/api/v1/runs", Authorization=wrong).status == 401, wrong
        own = {"Authorization": f"Bearer {server.token}"}
        ticket = server.post("/api/v1/tickets", {}, 201, **own)["ticket"]
        assert server.ask("POST", "/api/v1/tickets", body={}).status == 401
        path = f"/api/v1/runs/{shared() and SHARED['run']}/replays/best/frames?ticket="
        with Socket(server, path + ticket) as sock:
            assert sock.status == 101 and sock.receive()["header"]
        with Socket(server, path + ticket) as sock:
            assert sock.status == 401, "a ticket is good once"
        with Socket(server, path + "0" * 32) as sock:
            assert sock.status == 401
        tickets = [server.post("/api/v1/tickets", {}, 201, **own)["ticket"] for _ in range(66)]
        answer = server.ask("POST", f"/api/v1/tickets?ticket={tickets[-1]}", body={})
        assert answer.status == 401, "a ticket makes no ticket"
        assert server.get(f"/api/v1/runs?ticket={tickets[-1]}").status == 200, "which does not use it up"
        assert server.get(f"/api/v1/runs?ticket={tickets[0]}").status == 401, "the oldest has made room"
        assert server.ask("GET", "/api/v1/health", host="192.168.1.5:8321").status == 200
        assert server.ask("GET", "/api/v1/health", host="rebound.example").status == 403
    with Server(RUNS, "--token-file", token_file()) as server:
        assert server.token is None and server.get("/api/v1/runs").status == 401
        assert server.get("/api/v1/runs", Authorization="Bearer correct-horse-battery-staple").status == 200


@test
def allowed_origins_get_exact_cors():
    with Server(RUNS, "--allow-origin", "https://site.example", "--allow-origin", "http://localhost:5173", "--host", "api.example") as server:
        answer = server.ask("GET", "/api/v1/runs", host="api.example", Origin="https://site.example")
        assert answer.status == 200 and answer.fields["access-control-allow-origin"] == "https://site.example"
        assert "Origin" in answer.fields["vary"] and answer.fields["cross-origin-resource-policy"] == "cross-origin"
        assert "access-control-allow-credentials" not in answer.fields
        asked = server.ask("OPTIONS", "/api/v1/sessions", Origin="https://site.example", Access_Control_Request_Method="POST",
                           Access_Control_Request_Headers="content-type")
        assert asked.status == 204 and "POST" in asked.fields["access-control-allow-methods"]
        assert "Content-Type" in asked.fields["access-control-allow-headers"]
        for origin in ("https://site.example.evil", "http://site.example", "https://site.example:444", "https://sub.site.example"):
            assert server.get("/api/v1/runs", Origin=origin).status == 403, origin
        with Socket(server, f"/api/v1/runs/{shared() and SHARED['run']}/replays/best/frames", Origin="https://site.example") as sock:
            assert sock.status == 101


@test
def requests_are_limited_per_second():
    with Server(RUNS, "--serve.requests_per_second", 5) as server:
        asked, refused = 0, []
        while len(refused) < 10 and asked < 5000:
            asked += 1
            refused += [a for a in [server.get("/api/v1/health")] if a.status == 429]
        assert len(refused) == 10 and asked > 10 and int(refused[0].fields["retry-after"]) >= 1
        refused[0].problem("rate")
        time.sleep(1.2)
        assert server.get("/api/v1/health").status == 200
