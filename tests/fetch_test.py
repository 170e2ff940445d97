"""ludus-fetch against a server of this test on 127.0.0.1, which answers in the shapes that the real
services have, or badly: prices with cache, ages and failures; targets by a model; hostile answers.
Nothing leaves the machine.

Usage: fetch_test.py PATH_OF_LUDUS PATH_OF_LUDUS_FETCH [NAME...]
Ends with a line "N passed, N failed".
"""

import gzip
import http.server
import json
import os
import pty
import re
import resource
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "games/craft/tools/fixtures"
LEAGUE = "Made Up League"
TOKEN = "tok-123-secret"
LUDUS, FETCH = (str(Path(path).resolve()) for path in sys.argv[1:3])
WORK = Path(tempfile.mkdtemp(prefix="ludus-fetch-"))


def fixture(name):
    return (FIXTURES / name).read_text()


# ---- the server ----


class Answer:
    """What is sent for one address: code, body, headers, and how."""

    def __init__(self, body="", code=200, headers=None, slow=0.0, cut=0):
        self.body = body.encode() if isinstance(body, str) else body
        self.code, self.headers, self.slow, self.cut = code, headers or {}, slow, cut


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers, self.seen = {}, []
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    def handle_error(self, request, address):
        """A client that hangs up early isn't an error here."""

    def asked(self, category):
        return sum(seen["key"] == category for seen in self.seen)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def key(self):
        """The category that is asked for, or the path."""
        parts = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(parts.query)
        return query.get("type", query.get("Category", [parts.path]))[0], query

    def answer(self, body=None):
        key, query = self.key()
        self.server.seen.append({"key": key, "query": query, "path": self.path, "body": body,
                                 "headers": {k.lower(): v for k, v in self.headers.items()}})
        answer = self.server.answers.get(key) or self.server.answers.get("*") or Answer("{}", 404)
        time.sleep(answer.slow)
        self.send_response(answer.code)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body) + answer.cut))
        self.end_headers()
        self.wfile.write(answer.body)
        if answer.cut:
            self.close_connection = True

    def do_GET(self):
        self.answer()

    def do_POST(self):
        self.answer(self.rfile.read(int(self.headers["Content-Length"])).decode())


# ---- calls ----


class Bench:
    """A server, a folder and the program."""

    def __init__(self, name):
        self.server, self.folder = Server(), WORK / name
        self.folder.mkdir()
        self.cache, self.out = self.folder / "cache", self.folder / "prices.json"

    def command(self, *words, out=None):
        return [FETCH, words[0], "--url", self.server.url, "--out", str(out or self.out), *words[1:]]

    def prices(self, *words, code=0, env=None):
        words = self.command("prices", "--league", LEAGUE, "--cache", str(self.cache), "--json",
                             "--timeout", "5", *words)
        return self.run(words, code, env)

    def run(self, words, code=0, env=None):
        done = subprocess.run(words, capture_output=True, text=True, timeout=120,
                              env={**environment(), **(env or {})}, cwd=self.folder)
        assert done.returncode == code, f"exit {done.returncode}: {done.stderr}{done.stdout[:300]}"
        assert code == 0 or done.stderr.count("\n") == 1, f"no single sentence: {done.stderr}"
        assert TOKEN not in done.stdout + done.stderr
        self.said = done.stderr
        try:
            return json.loads(done.stdout) if done.stdout else {}
        except ValueError:
            return done.stdout

    def file(self):
        return json.loads(self.out.read_text())

    def age(self, seconds):
        """Makes every answer of the cache older."""
        for path in self.cache.glob("*.json"):
            then = time.time() - seconds
            os.utime(path, (then, then))


def environment():
    env = {k: v for k, v in os.environ.items() if not k.startswith(("LUDUS_", "POE_"))}
    return {**env, "LUDUS_HOME": str(ROOT), "NO_COLOR": "1", "http_proxy": "http://192.0.2.1:9"}


def near(a, b):
    return abs(a - b) < 1e-9


def states(answer):
    return {c["category"]: c["state"] for c in answer["categories"]}


def trade_id(item):
    return "exalted" if item == "exalted_orb" else item.replace("_", "-")


def ninja_of(prices, divine=200.0):
    """Prices by item as an answer of poe.ninja."""
    names = {item: item.replace("_", " ").title() for item in prices}
    return json.dumps({
        "core": {"items": [], "rates": {"exalted": divine}, "primary": "divine", "secondary": "chaos"},
        "lines": [{"id": trade_id(item), "primaryValue": price / divine,
                   "volumePrimaryValue": 500, "sparkline": {"totalChange": 0, "data": []}}
                  for item, price in prices.items()],
        "items": [{"id": trade_id(item), "name": name, "category": "Currency"}
                  for item, name in names.items()]})


def ninja(bench):
    bench.server.answers = {"Currency": Answer(fixture("ninja.json")),
                            "Essences": Answer(ninja_of({"greater_essence_of_the_body": 4.0}))}
    return ["--categories", "Currency,Essences"]


# ---- prices ----


def test_ninja_is_asked_once_an_hour(b):
    words = ninja(b)
    first = b.prices(*words)
    assert states(first) == {"Currency": "fetched", "Essences": "fetched"}, first
    assert first["failed"] == 0 and first["league"] == LEAGUE
    file = b.file()
    assert file["schema"] == "ludus.prices/1" and file["league"] == LEAGUE
    assert near(file["prices"]["regal_orb"], 4.0)
    assert near(file["prices"]["greater_essence_of_the_body"], 4.0)
    assert file["prices"]["white_base"] == 1 and file["rates"]["divine"] == 200
    assert re.match(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$", file["date"])
    seen = b.server.seen[0]
    assert seen["query"]["league"] == [LEAGUE] and seen["path"].startswith("/poe2/api/economy/")
    assert seen["headers"]["user-agent"].startswith("ludus-fetch/") and "cookie" not in seen["headers"]
    again = b.prices(*words)
    assert states(again) == {"Currency": "cached", "Essences": "cached"}
    assert again["categories"][0]["age_seconds"] < 60 and len(b.server.seen) == 2
    b.age(2 * 3600)
    assert states(b.prices(*words, "--max-age", "3h")) == {"Currency": "cached", "Essences": "cached"}
    assert b.file()["date"] < file["date"]
    assert states(b.prices(*words)) == {"Currency": "fetched", "Essences": "fetched"}
    assert states(b.prices(*words, "--force"))["Currency"] == "fetched"
    assert b.server.asked("Currency") == 3


def test_default_categories_are_those_of_crafting(b):
    b.server.answers = {"*": Answer(fixture("ninja.json"))}
    assert list(states(b.prices())) == ["Currency", "Essences", "Ritual", "Abyss", "Breach"]


def test_words_tell_ages_and_what_is_next(b):
    words = ninja(b)
    b.prices(*words)
    b.age(1800)
    text = b.run([w for w in b.command("prices", "--league", LEAGUE, "--cache", str(b.cache), *words)])
    assert re.search(r"^Currency: \d+ prices, 30 min old, from the cache$", text, re.M), text
    assert "cheaper than Regal Orb" in text and "A white base counts as 1 exalted" in text
    assert f"next: ludus craft optimize --prices {b.out}" in text


def test_scout_asks_for_leagues_first(b):
    b.server.answers = {"/api/poe2/Leagues": Answer(fixture("scout_leagues.json")),
                        "currency": Answer(fixture("scout_items.json"))}
    words = b.command("prices", "--source", "scout", "--cache", str(b.cache), "--json",
                      "--categories", "currency")
    answer = b.run(words)
    assert answer["league"] == LEAGUE and states(answer) == {"leagues": "fetched", "currency": "fetched"}
    assert b.server.seen[1]["path"].startswith("/api/poe2/Leagues/Made%20Up%20League/Currencies/")
    assert b.file()["prices"]["orb_of_augmentation"] == 0.5
    assert b.file()["date"] == "2026-07-04T12:00:00" and b.file()["rates"]["chaos"] == 25
    b.run(words)
    assert len(b.server.seen) == 2
    b.run([*words, "--league", "Tea"], code=4)
    assert "0 leagues have the name 'Tea'" in b.said


def test_scout_follows_the_current_league(b):
    leagues = json.loads(fixture("scout_leagues.json"))
    b.server.answers = {"/api/poe2/Leagues": Answer(json.dumps(leagues)),
                        "currency": Answer(fixture("scout_items.json"))}
    words = b.command("prices", "--source", "scout", "--cache", str(b.cache), "--json",
                      "--categories", "currency")
    assert b.run(words)["league"] == LEAGUE
    b.age(2 * 3600)
    for league in leagues:
        league["IsCurrent"] = not league["IsCurrent"]
    b.server.answers["/api/poe2/Leagues"] = Answer(json.dumps(leagues))
    assert b.run(words)["league"] == "Older League" and "Older%20League" in b.server.seen[-1]["path"]


def test_scout_tells_of_pages(b):
    items = json.loads(fixture("scout_items.json")) | {"Pages": 3}
    b.server.answers = {"/api/poe2/Leagues": Answer(fixture("scout_leagues.json")),
                        "currency": Answer(json.dumps(items))}
    text = b.run(b.command("prices", "--source", "scout", "--cache", str(b.cache), "--categories",
                           "currency"))
    assert "the first of 3 pages" in text


def test_exchange_takes_a_token(b):
    b.server.answers = {"*": Answer(fixture("digest.json"))}
    words = ["--source", "exchange"]
    b.prices(*words, code=2)
    assert "POE_TOKEN" in b.said and not b.server.seen
    b.prices(*words, env={"POE_TOKEN": TOKEN})
    seen = b.server.seen[0]
    assert seen["headers"]["authorization"] == f"Bearer {TOKEN}"
    hour = int(seen["path"].removeprefix("/currency-exchange/poe2/"))
    assert hour % 3600 == 0 and 3600 <= time.time() - hour < 7260
    assert b.file()["prices"]["perfect_chaos_orb"] == 100 and b.file()["date"] == "2026-07-04T12:00Z"
    secret = b.folder / "token"
    secret.write_text(f"  {TOKEN}\n")
    b.prices(*words, "--token-file", str(secret), "--force")
    assert b.server.seen[1]["headers"]["authorization"] == f"Bearer {TOKEN}"
    b.prices(*words, "--token-file", str(b.folder / "none"), code=3)
    secret.write_text("two words")
    b.prices(*words, "--token-file", str(secret), code=4)
    assert "two" not in b.said and len(b.server.seen) == 2
    b.prices(*words, "--categories", "Currency", code=2, env={"POE_TOKEN": TOKEN})
    kept = "".join(path.read_text() for path in b.folder.rglob("*.json"))
    assert TOKEN not in kept


def test_the_token_goes_to_no_other_source(b):
    b.prices(*ninja(b), env={"POE_TOKEN": TOKEN})
    assert all("authorization" not in seen["headers"] for seen in b.server.seen)


def test_a_refused_token_is_told(b):
    b.server.answers = {"*": Answer("{}", 401)}
    b.prices("--source", "exchange", code=1, env={"POE_TOKEN": TOKEN})
    assert ": it rejects the token" in b.said and not b.out.exists()


# ---- failures ----


def test_one_category_fails_and_the_rest_is_written(b):
    words = ninja(b)
    b.server.answers["Essences"] = Answer("oops", 500)
    answer = b.prices(*words, code=5)
    assert states(answer) == {"Currency": "fetched", "Essences": "failed"}
    assert "answers 500" in answer["categories"][1]["error"]
    assert "1 of 2 categories failed" in b.said and "regal_orb" in b.file()["prices"]


def test_an_old_answer_counts_where_a_new_one_fails(b):
    words = ninja(b)
    b.prices(*words)
    b.age(5 * 3600)
    b.server.answers["Essences"] = Answer("oops", 500)
    answer = b.prices(*words, code=5)
    assert states(answer) == {"Currency": "fetched", "Essences": "old"}
    assert 17990 < answer["categories"][1]["age_seconds"] < 18100
    assert near(b.file()["prices"]["greater_essence_of_the_body"], 4.0)


def test_nothing_good_replaces_nothing(b):
    words = ninja(b)
    b.prices(*words)
    before = b.out.read_bytes()
    shutil.rmtree(b.cache)
    empty = json.loads(ninja_of({}))
    for body, code, exits in (("oops", 500, 1), ("[]", 200, 4), (json.dumps(empty), 200, 4),
                              ("", 200, 4), ("{}", 404, 3)):
        b.server.answers = {"*": Answer(body, code)}
        answer = b.prices(*words, code=exits)
        assert b.out.read_bytes() == before and answer["out"] is None
        assert "nothing was written" in b.said
    assert not list(b.cache.glob("*.json"))


def test_patience_is_kept(b):
    words = ninja(b)[:1] + ["Currency"]
    b.server.answers = {"*": Answer("slow down", 429, {"Retry-After": "120"})}
    b.prices(*words, code=7)
    assert "left alone for 120 s" in b.said
    b.server.answers = {"*": Answer(fixture("ninja.json"))}
    b.prices(*words, "--force", code=7)
    assert "another 1" in b.said and len(b.server.seen) == 1
    for path in b.cache.glob("*.wait"):
        path.write_text(str(int(time.time()) - 1))
    b.prices(*words)
    assert len(b.server.seen) == 2 and not list(b.cache.glob("*.wait"))


def test_no_server_and_a_slow_one(b):
    words = ninja(b)[:1] + ["Currency"]
    b.server.answers = {"*": Answer(fixture("ninja.json"), slow=3.0)}
    began = time.time()
    b.prices(*words, "--timeout", "1", code=1)
    assert time.time() - began < 2.5 and "within 1 s" in b.said
    b.server.shutdown()
    b.server.server_close()
    b.prices(*words, code=1)
    assert not b.out.exists()


def test_long_calls_show_progress(b):
    b.server.answers = {"*": Answer(fixture("ninja.json"), slow=3.0)}
    seen, shown = pty.openpty()
    child = subprocess.Popen(b.command("prices", "--league", LEAGUE, "--cache", str(b.cache),
                                       "--categories", "Currency"), stdout=subprocess.DEVNULL,
                             stderr=shown, env={**environment(), "TERM": "xterm"})
    assert child.wait() == 0
    os.set_blocking(seen, False)
    assert "asking poe.ninja for Currency" in os.read(seen, 65536).decode()


def hostile(b, answer, code, sentence):
    b.server.answers = {"*": answer}
    began = time.time()
    b.prices("--categories", "Currency", code=code)
    assert sentence in b.said, b.said
    assert time.time() - began < 10 and not b.out.exists() and not list(b.cache.glob("*.json"))


def test_hostile_answers_are_bounded(b):
    good = fixture("ninja.json")
    hostile(b, Answer(good[:200], cut=500), 4, "broke off after 200 bytes")
    hostile(b, Answer(good[:200]), 4, "Currency:")
    hostile(b, Answer("{" * 100), 4, "Currency:")
    hostile(b, Answer("[" * 1000000), 4, "Currency:")
    hostile(b, Answer('{"lines":[{"id":1}],"core":3}'), 4, "Currency:")
    hostile(b, Answer('{"core":{"rates":{"exalted":NaN}},"lines":[]}'), 4, "Currency:")
    hostile(b, Answer('{"core":{"primary":"exalted"},"lines":[{"id":"regal","primaryValue":"many"}]}'),
            4, "no")
    hostile(b, Answer(b"\xff\xfe{}"), 4, "Currency:")
    hostile(b, Answer(b" " * (5 << 20)), 6, "larger than 4194304 bytes")


def test_bombs_do_not_grow(b):
    packer = zlib.compressobj(9, wbits=31)
    bomb = b"".join(packer.compress(b" " * (1 << 20)) for _ in range(256)) + packer.flush()
    hostile(b, Answer(bomb, headers={"Content-Encoding": "gzip"}), 6, "larger than 4194304 bytes")
    hostile(b, Answer(b"no gzip", headers={"Content-Encoding": "gzip"}), 4, "damaged")
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 200 << 10 or sanitized()
    lines = ",".join('{"id":"a"}' for _ in range(180000))
    items = ",".join('{"id":"b"}' for _ in range(180000))
    hostile(b, Answer('{"core":{"primary":"exalted"},"lines":[%s],"items":[%s]}' % (lines, items)), 4,
            "'lines' has 180000 entries")


def sanitized():
    return "asan" in FETCH


def test_gzip_is_read(b):
    b.server.answers = {"*": Answer(gzip.compress(fixture("ninja.json").encode()),
                                    headers={"Content-Encoding": "gzip"})}
    assert b.prices("--categories", "Currency")["failed"] == 0


def test_redirects_stay_on_https(b):
    for place in ("file:///etc/passwd", b.server.url + "/other", "ftp://127.0.0.1/", "gopher://x/",
                  "http://192.0.2.1/"):
        hostile(b, Answer("", 302, {"Location": place}), 4, "redirects")
    assert len(b.server.seen) == 5
    b.server.answers = {"*": Answer("", 302, {"Location": "https://127.0.0.1:1/"})}
    b.prices("--source", "exchange", code=1, env={"POE_TOKEN": TOKEN})
    assert "answers 302" in b.said


def test_addresses_that_are_not_asked(b):
    for url in ("http://192.0.2.1", "http://127.0.0.1.example.com", "file:///etc/passwd", "nothing",
                "https://me:secret@127.0.0.1", "ftp://127.0.0.1", "http://[::2]/", ""):
        words = [FETCH, "prices", "--league", "x", "--cache", str(b.cache), "--url", url]
        if url:
            b.run(words, code=2)
            assert "secret" not in b.said.replace("put secrets", "")
    assert not b.cache.exists()


def test_a_certificate_that_nobody_signed_is_refused(b):
    key, certificate = b.folder / "key.pem", b.folder / "certificate.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj",
                    "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out",
                    certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    b.server.socket = context.wrap_socket(b.server.socket, server_side=True)
    b.server.url = f"https://localhost:{b.server.server_port}"
    b.server.answers = {"*": Answer(fixture("ninja.json"))}
    b.prices("--categories", "Currency", code=1)
    assert "certificate" in b.said.lower() and not b.server.seen, b.said


def test_wrong_use_is_told(b):
    for words, sentence in ((["--max-age", "10m"], "--force asks now"), (["--max-age", "soon"], "90m"),
                            (["--max-age", "-1h"], "max_age"), (["--source", "google"], "google"),
                            (["--categories", "a,,b"], "separated by commas"),
                            (["--leage", "x"], "did you mean '--league'")):
        b.prices(*words, code=2)
        assert sentence in b.said, b.said
    b.run([FETCH, "prices"], code=2)
    assert "needs a league" in b.said and not b.server.seen


def test_two_at_once_do_not_share_a_cache(b):
    words = ninja(b)
    b.server.answers["Currency"].slow = 1.5
    first = subprocess.Popen(b.command("prices", "--league", LEAGUE, "--cache", str(b.cache), *words),
                             stdout=subprocess.DEVNULL, env=environment())
    wait(lambda: b.server.seen)
    b.prices(*words, code=7)
    assert "; wait for it or choose another --cache" in b.said and first.wait() == 0


def wait(condition):
    end = time.time() + 20
    while not condition():
        assert time.time() < end, "waited in vain"
        time.sleep(0.01)


def test_kills_leave_the_old_file_or_the_new_one(b):
    words = ninja(b)
    b.prices(*words)
    for kill in range(25):
        price = 10.0 + kill
        b.server.answers["Essences"] = Answer(ninja_of({"greater_essence_of_the_body": price}))
        asked = b.server.asked("Essences")
        child = subprocess.Popen(b.command("prices", "--league", LEAGUE, "--cache", str(b.cache),
                                           "--force", *words), stdout=subprocess.DEVNULL,
                                 env=environment())
        wait(lambda: b.server.asked("Essences") > asked or child.poll() is not None)
        time.sleep(kill * 0.0015)
        child.kill()
        child.wait()
        found = b.file()["prices"]["greater_essence_of_the_body"]
        assert near(found, 4.0) or 9.99 <= found <= price + 0.01, found
        for path in b.cache.glob("*.json"):
            json.loads(path.read_text())
    b.prices(*words, "--force")
    assert near(b.file()["prices"]["greater_essence_of_the_body"], price)
    assert not list(b.cache.glob(".ludus-*"))


def test_interrupted_it_ends_at_once(b):
    words = ninja(b)
    b.server.answers["Currency"].slow = 10.0
    child = subprocess.Popen(b.command("prices", "--league", LEAGUE, "--cache", str(b.cache), *words),
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment(),
                             text=True)
    wait(lambda: b.server.seen)
    began = time.time()
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=20)[1].endswith("interrupted\n") and child.returncode == 130
    assert time.time() - began < 3 and not b.out.exists()


# ---- what it is for ----


def ludus(*words):
    done = subprocess.run([LUDUS, *words], capture_output=True, text=True, env=environment())
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_optimize_takes_the_fetched_file(b):
    pack = ludus("craft", "prices", "--json")
    prices = {k: v if k == "exalted_orb" else 2.0 * v for k, v in pack["prices"].items()
              if k not in ("white_base", "bench")}
    b.server.answers = {"*": Answer(ninja_of(prices))}
    b.prices("--categories", "Currency", "--base-price", "2")
    fetched = b.file()["prices"]
    assert all(abs(fetched[k] / v - 1.0) < 1e-9 for k, v in prices.items())
    words = ["craft", "optimize", "--base", "STR/DEX boots", "--want", "life", "--actions", "plain",
             "--json"]
    answer = ludus(*words, "--prices", str(b.out))
    assert answer["prices"]["date"] == b.file()["date"]
    assert answer["expected_cost_chaos"] > 0 and answer["strategy"]
    flags = ludus("craft", "prices", str(b.out), "--json")
    assert flags["prices"] == fetched and not [f for f in flags["flags"] if f["flag"] == "old"]


# ---- targets ----

GOOD = {"base": "STR/DEX boots", "ilvl": 85,
        "need": [{"id": "life", "any_of": [{"group": "life", "max_tier": 1}], "count": 1}]}


def chat(content):
    return Answer(json.dumps({"id": "x", "object": "chat.completion", "choices": [
        {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}]}))


def target(b, wish, *words, code=0):
    return b.run([FETCH, "target", wish, "--model", "tiny", "--url", b.server.url + "/v1/chat",
                  "--out", str(b.folder / "target.json"), "--json", *words], code)


def test_a_model_fills_a_target(b):
    secret = b.folder / "key"
    secret.write_text(TOKEN)
    b.server.answers = {"/v1/chat": chat(f"Here it is:\n```json\n{json.dumps(GOOD)}\n```")}
    answer = target(b, "STR/DEX boots ilvl 85, T1 life", "--key-file", str(secret))
    assert answer["understood"].endswith("item level 85: maximum life tier 1"), answer
    assert answer["without_model"] == answer["understood"] and answer["target"] == GOOD
    seen = b.server.seen[0]
    body = json.loads(seen["body"])
    assert body["model"] == "tiny" and body["temperature"] == 0 and body["stream"] is False
    system, user = (m["content"] for m in body["messages"])
    assert user == "STR/DEX boots ilvl 85, T1 life" and "move_speed: movement speed" in system
    assert seen["headers"]["authorization"] == f"Bearer {TOKEN}"
    assert json.loads((b.folder / "target.json").read_text()) == GOOD
    pool = ludus("craft", "pool", "--target-spec", str(b.folder / "target.json"), "--json")
    assert "problem" not in pool and pool["understood"] == "maximum life tier 1"


def test_the_parser_is_told_beside_the_model(b):
    b.server.answers = {"/v1/chat": chat(json.dumps(GOOD))}
    text = b.run([FETCH, "target", "STR/DEX boots ilvl 85, T1 mana", "--model", "tiny", "--url",
                  b.server.url + "/v1/chat", "--out", str(b.folder / "target.json")])
    assert "tiny took it as:" in text and "The built-in parser reads:" in text and "mana" in text


def test_answers_that_are_no_target(b):
    bad = [({**GOOD, "need": [{"any_of": [{"group": "lifes"}]}]}, "knows no group 'lifes'"),
           ({**GOOD, "hack": 1}, "'hack' is unknown"), ({**GOOD, "base": "Tea"}, "no base 'Tea'"),
           ({**GOOD, "need": []}, "asks for nothing"),
           ({**GOOD, "ilvl": 1}, "item level"), ({**GOOD, "ilvl": 1e9}, "ilvl"),
           ({"need": GOOD["need"]}, "name a base"), ([GOOD, GOOD], "object"), ("sorry, no", "isn't a JSON object"),
           ('{"need":NaN}', "object"), ("{" * 500 + "}" * 500, "object"), ("", "isn't a JSON object"),
           ('{"base":"STR/DEX boots","need":[{"any_of":[{"group":"life","min_value":1e400}]}]}', "")]
    for content, sentence in bad:
        text = content if isinstance(content, str) else json.dumps(content)
        b.server.answers = {"/v1/chat": chat(text)}
        target(b, "boots", code=4)
        assert "nothing was written" in b.said and sentence in b.said, (content, b.said)
    for answer, code, sentence in ((Answer('{"choices":[]}'), 4, "choices[0]"), (Answer("<html>"), 4, ""),
                                   (Answer('{"choices":[{"message":{"content":[1]}}]}'), 4, ""),
                                   (Answer('{"error":{"message":"bad key \\u001b[31m"}}', 401), 1, "bad key"),
                                   (Answer("", 429), 7, "429"), (Answer("x", 404), 3, "404"),
                                   (Answer(b"x" * (5 << 20)), 6, "larger")):
        b.server.answers = {"/v1/chat": answer}
        target(b, "boots", code=code)
        assert sentence in b.said and "\x1b" not in b.said, b.said
    assert not (b.folder / "target.json").exists()


def test_no_model_is_asked_unasked(b):
    b.run([FETCH, "target", "boots"], code=2)
    b.run([FETCH, "target", "boots", "--model", "tiny"], code=2)
    b.run([FETCH, "target", "--model", "tiny", "--url", b.server.url], code=2)
    b.run([FETCH, "target", "boots", "--model", "tiny", "--url", "http://192.0.2.1/v1"], code=2)
    b.run([FETCH, "target", "boots"], code=2, env={"LUDUS_MODEL": "tiny", "LUDUS_URL": b.server.url})
    assert not b.server.seen


# ---- the programs ----


def test_help_and_docs_agree(b):
    help_ = b.run([FETCH, "help", "--json"])
    page = (ROOT / "docs/fetch.md").read_text()
    for verb in help_["verbs"]:
        for option in verb["options"]:
            name = "--" + option["key"].replace("_", "-")
            assert f"`{name}" in page, f"docs/fetch.md does not tell {name} of {verb['verb']}"
    for code in help_["exit_codes"]:
        assert code["sentence"]
    assert b.run([FETCH, "--version"]).startswith("ludus-fetch ")
    b.run([FETCH, "craft"], code=2)


def test_completion_and_manual(b):
    script = b.folder / "completion.bash"
    script.write_text(b.run([FETCH, "completion", "bash"]))
    text = (f"source {script}; COMP_WORDS=({FETCH} prices --so); COMP_CWORD=2; _ludus-fetch; "
            'printf "%s\\n" "${COMPREPLY[@]}"')
    assert b.run(["bash", "-c", text]) == "--source\n"
    assert b.run([FETCH, "completion", "zsh"]).startswith("#compdef ludus-fetch\n")
    assert "complete -c ludus-fetch -f -a " in b.run([FETCH, "completion", "fish"])
    assert b.run([FETCH, "completion", "words", "--", "he"]).startswith("help\t")
    page = b.run([FETCH, "manual"])
    assert page.startswith(".TH ludus-fetch 1") and "POE_TOKEN" in page and "prospector" not in page
    assert "prospector" not in script.read_text()


def test_ludus_has_no_network_library(b):
    linked = subprocess.run(["ldd", LUDUS], capture_output=True, text=True, check=True).stdout
    assert "libcurl" not in linked


def main():
    passed = failed = 0
    only = sys.argv[3:]
    for name, test in sorted(globals().items()):
        if not name.startswith("test_") or (only and not any(word in name for word in only)):
            continue
        began, problem = time.time(), None
        bench = Bench(name)
        try:
            test(bench)
        except (AssertionError, subprocess.TimeoutExpired, KeyError, OSError) as error:
            problem = f"{type(error).__name__} in line {error.__traceback__.tb_next.tb_lineno}: {error}"
        bench.server.shutdown()
        passed, failed = passed + (not problem), failed + bool(problem)
        print(f"{'FAIL' if problem else 'ok  '} {time.time() - began:8.3f} s  fetch:{name[5:]}"
              + (f"\n    {problem}" if problem else ""), flush=True)
    shutil.rmtree(WORK)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
