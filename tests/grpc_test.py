"""ludus-grpc by Python clients with stubs made from proto/: what is answered, what is refused, sessions,
limits, streams, the service of the joker brief, health, and the end by a signal.

Usage: grpc_test.py PATH_OF_LUDUS_GRPC [FILTER...]
"""

import json
import os
import random
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

import grpc
import numpy as np

from cli.helper import LUDUS as GRPC
from cli.helper import PATIENCE, ROOT, WORK, Result, environment, main, test, until
from serve.bounds import FREE, LAYER, bounds, status_of, tried
from serve.client import Server
from serve.cutting import ROOM, cut_everywhere, reset_often

STUBS = WORK / "stubs"
subprocess.run([ROOT / "tools/proto-stubs", STUBS], check=True)
sys.path.insert(0, str(STUBS))
grpc.__path__.append(str(STUBS / "grpc"))  # where the stubs of the health service are
import joker_guide_pb2 as jk  # noqa: E402
import joker_guide_pb2_grpc  # noqa: E402
from grpc.health.v1 import health_pb2 as health  # noqa: E402
from grpc.health.v1 import health_pb2_grpc  # noqa: E402
from ludus.v1 import env_pb2 as pb  # noqa: E402
from ludus.v1 import env_pb2_grpc  # noqa: E402

LUDUS = str(ROOT / "build/release/ludus")  # the same games by the command line
SANITIZED = "/asan/" in GRPC
LONG = bool(os.environ.get("LUDUS_TEST_LONG"))
CODE = grpc.StatusCode
LARGE = [("grpc.max_receive_message_length", -1)]


class Grpc(Server):
    """`ludus-grpc serve` at a port of its own, and stubs; ends with its block."""

    def __init__(self, *words, bind="127.0.0.1", under=(), env=None, limits=None):
        command = [*under, GRPC, "serve", "--port", "0", "--bind", bind, "--json", *map(str, words)]
        self.child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env or environment(),
                                      preexec_fn=limits and (lambda: [resource.setrlimit(kind, (most, most)) for kind, most in limits.items()]))
        line = self.child.stdout.readline()
        assert line, self.child.stderr.read().decode()
        hello = json.loads(line)
        self.port, self.token = hello["port"], hello.get("token")
        self.channel = grpc.insecure_channel(f"127.0.0.1:{self.port}", options=LARGE)
        self.env = env_pb2_grpc.EnvStub(self.channel)
        self.joker = joker_guide_pb2_grpc.JokerEnvStub(self.channel)
        self.health = health_pb2_grpc.HealthStub(self.channel)

    def end(self):
        self.channel.close()
        super().end()
        self.child.stdout.close()
        self.child.stderr.close()


class Session:
    """A session of one game with its arrays as numpy."""

    def __init__(self, server, game, **wish):
        self.env = server.env
        self.spec = self.env.GetSpec(pb.GetSpecRequest(game=game), timeout=PATIENCE)
        answer = self.env.Reset(pb.ResetRequest(game=game, **wish), timeout=PATIENCE)
        self.id, self.seeds = answer.session, np.frombuffer(answer.seeds, np.uint64)
        self.environments = len(self.seeds)
        self.rows = self.environments * self.spec.seats
        self.take(answer.state)

    def take(self, state):
        self.observation = np.frombuffer(state.observation, np.float32).reshape(-1, self.spec.observation)
        self.mask = np.frombuffer(state.mask, np.uint8).reshape(-1, sum(self.spec.heads))
        self.reward = np.frombuffer(state.reward, np.float32)
        self.over = np.frombuffer(state.terminated, np.uint8) | np.frombuffer(state.truncated, np.uint8)
        self.info = np.frombuffer(state.info, np.float64).reshape(-1, len(self.spec.infos)) if state.info else None
        self.last = state

    def request(self, actions):
        return pb.StepRequest(session=self.id, actions=np.asarray(actions, np.int32).tobytes())

    def step(self, actions):
        self.take(self.env.Step(self.request(actions), timeout=PATIENCE))
        return self

    def draw(self, rng):
        """Options that the masks allow, before dependencies."""
        found = np.zeros((self.rows, len(self.spec.heads)), np.int32)
        for r in range(self.rows):
            at = 0
            for h, options in enumerate(self.spec.heads):
                legal = np.flatnonzero(self.mask[r, at:at + options])
                found[r, h] = rng.choice(legal) if len(legal) else 0
                at += options
        return found


def refused(code, part, call):
    try:
        call()
    except grpc.RpcError as error:
        assert error.code() == code and part in error.details(), f"{error.code()}: {error.details()}"
        assert len(error.details()) < 1100 and "\n" not in error.details(), error.details()
        return error
    raise AssertionError(f"answered, and not refused as {code}")


def trace(game, seed, lines, *words):
    """What `ludus trace` gives for the same episode; the first line is the reset."""
    text = "\n".join(" ".join(map(str, line)) for line in lines) + "\n"
    done = subprocess.run([LUDUS, "trace", game, "--seed", str(seed), "--actions", "-", "--json", *words],
                          input=text.encode(), capture_output=True, env=environment(), timeout=PATIENCE)
    result = Result([game], done)
    assert result.code == 0, str(result)
    return result.lines()


# ---- games ----


@test
def every_game_is_served_by_its_specification():
    with Grpc() as server:
        games = server.env.ListGames(pb.ListGamesRequest()).games
        assert "prospector-v1" in games and "joker-brief-v1" in games and len(games) >= 15, games
        for game in games:
            session = Session(server, game, environments=2, seed=5, parts=[pb.INFO, pb.TERMS, pb.CRITIC, pb.TICKS, pb.ILLEGAL])
            spec, whole = session.spec, json.loads(session.spec.json)
            assert spec.game == game == whole["id"] and len(spec.hash) == 16 and spec.seats == whole["seats"]
            assert [len(h["options"]) for h in whole["heads"]] == list(spec.heads)
            rng = np.random.default_rng(1)
            for _ in range(3):
                state = session.step(session.draw(rng)).last
            rows = session.rows
            assert session.observation.shape == (rows, spec.observation) and np.isfinite(session.observation).all()
            assert session.mask.shape == (rows, sum(spec.heads)) and session.reward.shape == (rows,)
            assert len(state.terms) == 4 * rows * len(spec.terms) and len(state.critic) == 4 * rows * spec.critic
            assert len(state.ticks) == 8 and len(state.illegal) == 2 and len(state.to_move) == 2
            assert session.info.shape == (rows, len(spec.infos))
        assert server.env.GetSpec(pb.GetSpecRequest(game="prospector")).game == "prospector-v1"


@test
def steps_are_those_of_the_command_line():
    with Grpc() as server:
        for game, length in (("prospector-v1", 60), ("duel-v1", 40), ("joker-brief-v1", 60)):
            rng = np.random.default_rng(7)
            session = Session(server, game, seeds=[77], autoreset=pb.DISABLED, parts=[pb.INFO])
            seen, lines = [(session.observation.copy(), session.mask.copy(), np.zeros(session.rows, np.float32))], []
            while len(lines) < length and not session.over.any():
                actions = session.draw(rng)
                lines.append(actions.reshape(-1).tolist())
                session.step(actions)
                seen.append((session.observation.copy(), session.mask.copy(), session.reward.copy()))
            for line, (observation, mask, reward) in zip(trace(game, 77, lines), seen, strict=True):
                assert np.array_equal(np.array(line["obs"], np.float32).reshape(observation.shape), observation), game
                assert np.array_equal(np.concatenate([np.ravel(h) for h in flat(line["mask"])]).astype(np.uint8), mask.reshape(-1)), game
                if line["t"] >= 0:
                    assert np.allclose(np.ravel(line["reward"]), reward, rtol=1e-6), game


def flat(mask):
    """Masks of a line of trace as a list of lists of numbers."""
    return [mask] if not isinstance(mask[0], list) else [m for part in mask for m in flat(part)]


@test
def settings_and_options_are_read_and_checked():
    with Grpc() as server:
        one = Session(server, "prospector", settings='{"time_max": 2500}', seeds=[1])
        other = Session(server, "prospector", seeds=[1])
        assert not np.array_equal(one.step([[6]]).observation, other.step([[6]]).observation)
        blind = [[3] + [0] * 16]  # deals the cards of the seed
        named = Session(server, "joker-brief-v1", options='{"seed": "ABCDEFGH"}', seeds=[1])
        first = named.step(blind).observation
        assert np.array_equal(first, Session(server, "joker-brief-v1", options='{"seed": "abcdefgh"}', seeds=[2]).step(blind).observation)
        server.env.Reset(pb.ResetRequest(session=named.id, options='{"seed": "QQQQ"}'))
        assert not np.array_equal(first, named.step(blind).observation)

        def ask(**wish):
            return lambda: server.env.Reset(pb.ResetRequest(**wish))
        refused(CODE.NOT_FOUND, "prospector", ask(game="prospecter"))
        refused(CODE.INVALID_ARGUMENT, "time_max", ask(game="prospector", settings='{"time_maxx": 1}'))
        refused(CODE.INVALID_ARGUMENT, "time_max", ask(game="prospector", settings='{"time_max": -1}'))
        refused(CODE.INVALID_ARGUMENT, "settings", ask(game="prospector", settings="no json"))
        refused(CODE.INVALID_ARGUMENT, "seed", ask(game="joker-brief-v1", options='{"seed": "#"}'))
        refused(CODE.INVALID_ARGUMENT, "autoreset", ask(game="cartpole", autoreset=7))
        refused(CODE.INVALID_ARGUMENT, "parts", ask(game="cartpole", parts=[99]))
        refused(CODE.INVALID_ARGUMENT, "seeds", ask(game="cartpole", environments=3, seeds=[1, 2]))
        refused(CODE.INVALID_ARGUMENT, "which", ask(game="cartpole", which=[0]))
        refused(CODE.INVALID_ARGUMENT, "keeps its own", ask(session=one.id, game="prospector"))
        refused(CODE.INVALID_ARGUMENT, "actions", lambda: server.env.Step(pb.StepRequest(session=one.id, actions=b"abc")))


@test
def the_example_of_the_docs_runs():
    code = re.search(r"```python\n(.*?)```", (ROOT / "docs/grpc.md").read_text(), re.S)[1]
    with Grpc() as server:
        names = {}
        exec(code.replace("50051", str(server.port)).replace("build/stubs", str(STUBS)), names)
        assert names["observation"].shape == (256, 260) and names["reward"].shape == (256,)


@test
def files_of_the_server_are_out_of_reach():
    with Grpc() as server:
        for game, key in (("craft", "pack"), ("craft", "prices"), ("duel", "build.file"), ("potion", "ingredients.inventory")):
            for value in ("/etc/passwd", {"name": "/etc/passwd", "hash": "0" * 16}):
                wish = pb.ResetRequest(game=game, settings=json.dumps({key: value}))
                assert "root" not in refused(CODE.INVALID_ARGUMENT, key, lambda: server.env.Reset(wish)).details()


# ---- vectors ----


@test
def ended_episodes_are_told_and_replay_alone():
    with Grpc() as server:
        rng = np.random.default_rng(3)
        session = Session(server, "cartpole", environments=8, seed=9)
        seeds, actions, played = list(session.seeds), [[] for _ in range(8)], 0
        for _ in range(80):
            chosen = rng.integers(0, 2, (8, 1))
            for i in range(8):
                actions[i].append(int(chosen[i, 0]))
            session.step(chosen)
            final = np.frombuffer(session.last.final_observation, np.float32).reshape(-1, 4)
            ended = np.frombuffer(session.last.final_seed, np.uint64)
            assert list(session.last.ended) == list(np.flatnonzero(session.over)), "the ends are not those told"
            for at, i in enumerate(session.last.ended):
                if played < 6:
                    line = trace("cartpole-v1", int(ended[at]), [[a] for a in actions[i]])[-1]
                    assert line["terminated"] and np.array_equal(np.array(line["obs"], np.float32), final[at])
                    played += 1
                assert seeds[i] is None or seeds[i] == ended[at]
                seeds[i], actions[i] = None, []  # the next one's comes with its end
        assert played == 6


@test
def the_three_ways_of_autoreset():
    with Grpc() as server:
        sessions = {way: Session(server, "cartpole", environments=3, seed=2, autoreset=way) for way in (pb.SAME_STEP, pb.NEXT_STEP, pb.DISABLED)}
        left = [[0]] * 3
        for _ in range(30):
            for session in sessions.values():
                session.step(left)
            if sessions[pb.SAME_STEP].over.any():
                break
        same, next_step, waits = (sessions[way] for way in (pb.SAME_STEP, pb.NEXT_STEP, pb.DISABLED))
        i = int(np.flatnonzero(same.over)[0])
        final = np.frombuffer(same.last.final_observation, np.float32)[:4]
        assert np.array_equal(next_step.observation[i], final) and np.array_equal(waits.observation[i], final)
        assert list(next_step.last.ended) == list(waits.last.ended) == list(same.last.ended)
        assert np.array_equal(next_step.step(left).observation[i], same.observation[i]) and not next_step.over[i]
        waits.step(left)
        assert waits.over[i] and i not in waits.last.ended and np.array_equal(waits.observation[i], final)
        answer = server.env.Reset(pb.ResetRequest(session=waits.id, which=[i], seeds=[5]))
        assert np.frombuffer(answer.seeds, np.uint64)[0] == 5 and len(answer.state.observation) == 16
        assert not waits.step(left).over[i]


@test
def chosen_environments_are_reset():
    with Grpc() as server:
        session = Session(server, "prospector", environments=5, seed=4, parts=[pb.INFO])
        answer = server.env.Reset(pb.ResetRequest(session=session.id, which=[3, 1], seeds=[30, 10]))
        rows = np.frombuffer(answer.state.observation, np.float32).reshape(2, -1)
        for row, seed in zip(rows, (30, 10)):
            assert np.array_equal(row, Session(server, "prospector", seeds=[seed]).observation[0])
        assert len(np.frombuffer(answer.state.info, np.float64)) == 2 * len(session.spec.infos)
        assert len(server.env.Reset(pb.ResetRequest(session=session.id)).seeds) == 40
        for which in ([5], [1, 1]):
            refused(CODE.INVALID_ARGUMENT, "which", lambda: server.env.Reset(pb.ResetRequest(session=session.id, which=which)))


@test
def a_batch_steps_all_sessions_or_none():
    with Grpc() as server:
        pairs = [[Session(server, game, environments=n, seed=n) for game, n in (("cartpole", 3), ("prospector", 1), ("duel", 2))] for _ in range(2)]
        rng = np.random.default_rng(5)
        for _ in range(10):
            actions = [session.draw(rng) for session in pairs[0]]
            batch = pb.StepBatchRequest(steps=[s.request(a) for s, a in zip(pairs[0], actions)])
            for one, other, action, state in zip(*pairs, actions, server.env.StepBatch(batch).steps, strict=True):
                one.take(state)
                assert state == other.step(action).last
        first = pairs[0][0].request(actions[0])
        refused(CODE.INVALID_ARGUMENT, "twice", lambda: server.env.StepBatch(pb.StepBatchRequest(steps=[first, first])))
        refused(CODE.NOT_FOUND, "session 12345", lambda: server.env.StepBatch(pb.StepBatchRequest(steps=[first, pb.StepRequest(session=12345)])))
        assert pairs[0][0].step(actions[0]).last == pairs[1][0].step(actions[0]).last, "a refused batch has stepped"
        assert len(server.env.StepBatch(pb.StepBatchRequest()).steps) == 0


@test
def a_stream_answers_in_turn():
    with Grpc() as server:
        alone = Session(server, "cartpole", environments=2, seed=6)
        asked, box = [], []

        def requests():
            yield pb.StreamRequest(reset=pb.ResetRequest(game="cartpole", environments=2, seed=6))
            step = pb.StepRequest(session=until(lambda: box, "the reset's answer")[0], actions=alone.request([[1], [0]]).actions)
            yield pb.StreamRequest(step=step)
            yield pb.StreamRequest(step_batch=pb.StepBatchRequest(steps=[step]))
            yield pb.StreamRequest(close=pb.CloseRequest(session=step.session))
        for answer in server.env.Stream(requests(), timeout=PATIENCE):
            asked.append(answer)
            box.append(answer.reset.session) if answer.HasField("reset") else None
        assert [a.WhichOneof("kind") for a in asked] == ["reset", "step", "step_batch", "close"]
        assert asked[1].step == alone.step([[1], [0]]).last and asked[2].step_batch.steps[0] == alone.step([[1], [0]]).last
        refused(CODE.NOT_FOUND, "session", lambda: server.env.Close(pb.CloseRequest(session=box[0])))
        refused(CODE.INVALID_ARGUMENT, "reset, step", lambda: list(server.env.Stream(iter([pb.StreamRequest()]))))
        assert list(server.env.Stream(iter([]))) == []


# ---- limits ----


@test
def sessions_expire():
    with Grpc("--grpc.idle_seconds", 0.5, "--grpc.sessions", 2) as server:
        first = Session(server, "cartpole")
        Session(server, "cartpole")
        refused(CODE.RESOURCE_EXHAUSTED, "2 sessions", lambda: Session(server, "cartpole"))
        until(lambda: gone(server, first), "a session that expires", 60)
        Session(server, "cartpole")


def gone(server, session):
    time.sleep(0.6)
    try:
        session.step([[0]])
    except grpc.RpcError as error:
        assert error.code() == CODE.NOT_FOUND, error
        return True
    return False


@test
def numbers_and_sizes_are_limited():
    with Grpc("--grpc.environments", 64, "--grpc.memory_mib", 1, "--grpc.message_mib", 1) as server:
        refused(CODE.RESOURCE_EXHAUSTED, "1 and 64", lambda: Session(server, "cartpole", environments=65))
        refused(CODE.RESOURCE_EXHAUSTED, "MiB", lambda: Session(server, "joker-brief-v1", environments=64))
        refused(CODE.RESOURCE_EXHAUSTED, "", lambda: server.env.Step(pb.StepRequest(session=1, actions=b"x" * (1 << 21))))
        for _ in range(40):  # what is closed makes room
            session = Session(server, "cartpole", environments=64)
            server.env.Close(pb.CloseRequest(session=session.id))
    with Grpc("--grpc.calls", 2) as server:
        hold = threading.Event()
        watches = [server.health.Watch(health.HealthCheckRequest()) for _ in range(2)]
        for watch in watches:
            next(watch)
        refused(CODE.RESOURCE_EXHAUSTED, "too many concurrent calls: try again later", lambda: Session(server, "cartpole"))
        watches[0].cancel()
        until(lambda: server.env.ListGames(pb.ListGamesRequest()) if not hold.wait(0.2) and answers(server) else None, "room for a call")
        watches[1].cancel()


def answers(server):
    try:
        return server.env.ListGames(pb.ListGamesRequest())
    except grpc.RpcError:
        return None


@test
def deadlines_hold():
    with Grpc("--grpc.call_seconds", 0.6, "--grpc.stream_seconds", 0.6) as server:
        session = Session(server, "cartpole")
        end = threading.Event()

        def silence():
            end.wait(PATIENCE)
            yield from ()
        start = time.time()
        ask = server.channel.stream_unary("/ludus.v1.Env/Step", pb.StepRequest.SerializeToString, pb.StepResponse.FromString)
        for call in (lambda: ask(silence(), timeout=PATIENCE), lambda: list(server.env.Stream(silence(), timeout=PATIENCE))):
            try:
                call()
                raise AssertionError("a silent client was answered")
            except grpc.RpcError as error:
                assert error.code() in (CODE.CANCELLED, CODE.DEADLINE_EXCEEDED), error
        assert time.time() - start < 60
        end.set()
        session.step([[0]])
    with Grpc("--grpc.call_seconds", 0.001, "--grpc.threads", 4) as server:
        # calls for one session wait for each other: what has not begun in time is not done
        session = Session(server, "joker-brief-v1", environments=1024, settings='{"rng": "fast"}', parts=[pb.INFO], autoreset=pb.DISABLED)
        answers_ = [server.env.Step.future(session.request([[3] + [0] * 16] * 1024)) for _ in range(16)]
        codes = [a.code() for a in answers_]
        late = [a.details() for a in answers_ if a.code() == CODE.DEADLINE_EXCEEDED]
        assert late and "this call ran out of time" in late[0] and set(codes) == {CODE.OK, CODE.DEADLINE_EXCEEDED}, codes
        steps = max(np.frombuffer(a.result().info, np.float64)[0] for a in answers_ if a.code() == CODE.OK)
        assert steps == codes.count(CODE.OK), "a call that was refused has stepped"


@test
def what_is_unknown_or_broken_is_refused():
    with Grpc() as server:
        def raw(path):
            return server.channel.unary_unary(path, lambda m: m, lambda m: m)
        for path in ("/ludus.v1.Env/Nope", "/nobody.v1.Knows/It", "/x", "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"):
            refused(CODE.UNIMPLEMENTED, path, lambda: raw(path)(b"", timeout=PATIENCE))
        refused(CODE.INVALID_ARGUMENT, "ludus.v1.StepRequest", lambda: raw("/ludus.v1.Env/Step")(b"\xff\xff\xff", timeout=PATIENCE))
        session = Session(server, "cartpole", environments=4)
        good = [session.request([[0]] * 4).SerializeToString(), pb.ResetRequest(game="cartpole", seeds=[1]).SerializeToString(),
                jk.StepRequest(session_id=session.id, action=jk.Action(action_id=1)).SerializeToString()]
        draw, before = random.Random(1), None
        methods = ["ludus.v1.Env/" + m for m in ("GetSpec", "Reset", "Step", "StepBatch", "Close")] + ["joker_guide.v1.JokerEnv/" + m for m in ("Reset", "Step", "StepBatch")]
        for turn in range(300):
            bytes_ = bytearray(draw.choice(good) if turn % 3 else draw.randbytes(draw.randrange(40)))
            for _ in range(draw.randrange(3)):
                if bytes_:
                    bytes_[draw.randrange(len(bytes_))] = draw.randrange(256)
            try:
                raw("/" + draw.choice(methods))(bytes(bytes_), timeout=PATIENCE)
            except grpc.RpcError as error:
                assert error.code() in (CODE.INVALID_ARGUMENT, CODE.NOT_FOUND, CODE.RESOURCE_EXHAUSTED), error
            before = before or (server.memory() if turn == 150 else None)
        assert SANITIZED or server.memory() < before + (200 << 20), "memory grows"
        Session(server, "cartpole").step([[0]])


@test
def a_token_is_asked_for_off_loopback():
    with Grpc(bind="0.0.0.0") as server:
        assert len(server.token) >= 32
        ask = server.env.ListGames
        refused(CODE.UNAUTHENTICATED, "Bearer", lambda: ask(pb.ListGamesRequest()))
        refused(CODE.UNAUTHENTICATED, "Bearer", lambda: ask(pb.ListGamesRequest(), metadata=[("authorization", "Bearer " + "x" * len(server.token))]))
        assert ask(pb.ListGamesRequest(), metadata=[("authorization", f"Bearer {server.token}")]).games


def spoken(server, call):
    """What a client sends for a call, as bytes."""
    said, ended = bytearray(), threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as between:
        def relay():
            inner = between.accept()[0]
            with inner, server.connect() as outer:
                for sock in (inner, outer):
                    sock.settimeout(0.02)
                while not ended.is_set():
                    for one, other in ((inner, outer), (outer, inner)):
                        try:
                            part = one.recv(65536)
                        except TimeoutError:
                            continue
                        other.sendall(part)
                        if one is inner:
                            said.extend(part)
        thread = threading.Thread(target=relay)
        thread.start()
        with grpc.insecure_channel("127.0.0.1:%d" % between.getsockname()[1]) as channel:
            call(env_pb2_grpc.EnvStub(channel))
        ended.set()
        thread.join()
    return bytes(said)


def play(env):
    answer = env.Reset(pb.ResetRequest(game="cartpole"))
    env.Step(pb.StepRequest(session=answer.session, actions=np.zeros(1, np.int32).tobytes()))


@test
def conversations_may_be_cut_at_every_byte():
    with Grpc("--grpc.idle_seconds", 1) as server:
        talks = [spoken(server, play), spoken(server, lambda env: env.ListGames(pb.ListGamesRequest()))]
        assert all(talk.startswith(b"PRI * HTTP/2.0") and len(talk) > 200 for talk in talks)
        cut_everywhere(server, talks, lambda: server.env.ListGames(pb.ListGamesRequest()), answer=100, ends=False, room=4 * ROOM)


@test
def connections_that_are_reset_leave_nothing():
    with Grpc("--grpc.idle_seconds", 1) as server:
        reset_often(server, spoken(server, play), 10000 if LONG else 1000, room=4 * ROOM)


@test
def without_descriptors_connections_wait():
    """More connections than there are descriptors; it hears again when some have ended."""
    few = {resource.RLIMIT_NOFILE: 128}
    with Grpc(limits=few) as server:
        idle = [server.connect() for _ in range(200)]
        until(lambda: server.descriptors() == 128, "no descriptor left")
        for sock in idle:
            sock.close()
        assert server.env.ListGames(pb.ListGamesRequest(), timeout=PATIENCE).games


@test
def who_does_not_speak_http2_is_turned_away():
    with Grpc() as server:
        assert server.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") == b"" == server.raw(b"PRI * HTTP/2.0\r\n\r\nSM", end=True)
        silent = [server.connect() for _ in range(300)]  # of which 256 may wait: the oldest go
        assert all(sock.recv(1) == b"" for sock in silent[:44])
        assert server.env.ListGames(pb.ListGamesRequest(), timeout=PATIENCE).games
        for sock in silent:
            sock.close()


@test
def malformed_frames_leave_no_lines_and_hold_nobody():
    """Nobody reads what it says, and what clients say is none of it."""
    head = b"\x08\x20" + b"\x1b]0;evil\x07".ljust(32, b"x")  # :status, which no request has
    frames = b"".join(struct.pack(">I", len(head))[1:] + struct.pack(">BBI", 1, 5, 2 * k + 1) + head for k in range(400))
    with Grpc() as server:
        for _ in range(5):
            with server.connect() as sock:
                sock.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0" + frames)
                time.sleep(0.05)
        assert server.env.ListGames(pb.ListGamesRequest(), timeout=PATIENCE).games
        os.set_blocking(server.child.stderr.fileno(), False)
        assert b"evil" not in (server.child.stderr.read() or b"")


@test
def without_threads_it_says_so():
    def few():
        if os.geteuid() == 0:  # whom the limit does not concern
            os.setuid(65534)
        resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
    done = subprocess.run([GRPC, "serve", "--port", "0"], capture_output=True, env=environment(), timeout=PATIENCE, preexec_fn=few)
    assert done.returncode == 1 and b"no thread" in done.stderr, done


@test
def it_gives_up_what_it_does_not_need():
    for words, could in (((), FREE if SANITIZED else bounds()), (("--confine=false",), FREE)):
        with Grpc(*words, env=None if SANITIZED else environment(LD_PRELOAD=LAYER)) as server:
            Session(server, "cartpole").step([[0]])
            assert status_of(server.child.pid, "NoNewPrivs") == str(int(not words)), words
            assert SANITIZED or tried(server) == could, words
    Path("/tmp/ludus-break-out").unlink(missing_ok=True)


# ---- joker ----

NAMES = [field.name for field in jk.EnvInfo.DESCRIPTOR.fields]


def choose(state, rng, tries):
    """A legal action of the brief, as type and id: a few selections, of which the best hand is played; else any."""
    mask, hand = np.array(state.observation.action_mask.data), np.array(state.observation.features.data[208:221])
    ranges = {5: (32, 34), 8: (34, 39), 10: (41, 43), 12: (44, 46)}
    kinds = [int(kind) for kind in np.flatnonzero(mask[:13])]
    if 0 in kinds:
        places = np.flatnonzero(mask[14:29:2])
        if 1 in kinds and (len(tries) > 12 and hand.argmax() >= max(tries) or len(tries) > 60):
            tries.clear()
            return (10 if 10 in kinds else 2 if 2 in kinds and hand.argmax() < 2 else 1), 0
        tries.append(int(hand.argmax()) if hand.any() else -1)
        some = rng.choice(places, min(len(places), 5), replace=False)
        return 0, int(sum(1 << int(p) for p in some))
    kind = int(rng.choice(kinds))
    if kind in ranges:
        low, high = ranges[kind]
        return kind, int(rng.choice(np.flatnonzero(mask[low:high])))
    return kind, 0


@test
def joker_is_the_game_of_the_brief():
    with Grpc() as server:
        spec = server.joker.GetSpec(jk.GetSpecRequest())
        assert (list(spec.observation.shape), list(spec.action_mask.shape), spec.action_space, spec.observation.dtype) == ([1556], [46], 46, "f32")
        rng, kinds, ends = np.random.default_rng(2), set(), 0
        session = 0
        for seed in range(6):
            state = server.joker.Reset(jk.ResetRequest(seed=seed, session_id=session))
            session = state.session_id
            same = Session(server, "joker-brief-v1", seeds=[seed], autoreset=pb.DISABLED, parts=[pb.INFO, pb.ILLEGAL])
            check_joker(state, same)
            done, tries = False, []
            for _ in range(400):
                mask = np.array(state.observation.action_mask.data)
                kind, at = choose(state, rng, tries)
                kinds.add(kind)
                state = server.joker.Step(jk.StepRequest(session_id=session, action=jk.Action(action_type=kind, action_id=at)))
                same.step([heads_of(kind, at, mask)])
                assert same.last.illegal == b"\0" and state.reward == 0.0
                check_joker(state, same)
                done = state.done
                assert done == bool(same.over[0])
                if done:
                    ends += 1
                    break
            if done:  # it stays ended until its reset
                again = server.joker.Step(jk.StepRequest(session_id=session, action=jk.Action(action_type=1)))
                assert again.done and again.info == state.info
        assert ends >= 2 and len(kinds) >= 10, (ends, kinds)


def heads_of(kind, at, mask):
    heads = [kind] + [0] * 16
    if kind == 0:
        heads[1:9] = [at >> i & 1 for i in range(8)]
    elif kind == 3:
        heads[9] = int(np.flatnonzero(mask[29:32])[0])
    elif kind in (5, 8, 10, 12):
        heads[{5: 10, 8: 11, 10: 14, 12: 16}[kind]] = at
    return heads


def check_joker(state, same):
    assert np.array_equal(np.array(state.observation.features.data, np.float32), same.observation[0])
    assert np.array_equal(np.array(state.observation.action_mask.data), same.mask[0].astype(float))
    for name in NAMES:
        want, got = same.info[0, list(same.spec.infos).index(name)], getattr(state.info, name)
        assert got == int(want) if isinstance(got, int) else np.float32(want) == np.float32(got), (name, want, got)


@test
def joker_takes_seeds_settings_params_batches_and_streams():
    with Grpc() as server:
        joker = server.joker
        named = [joker.Reset(jk.ResetRequest(seed=i, game_seed="ABCDEFGH")) for i in (1, 2)]
        blue = joker.Reset(jk.ResetRequest(seed=1, settings='{"deck": "blue", "reward.mode": "engine"}'))
        assert blue.observation != joker.Reset(jk.ResetRequest(seed=1)).observation
        refused(CODE.INVALID_ARGUMENT, "deck", lambda: joker.Reset(jk.ResetRequest(settings='{"deck": "pink"}')))
        refused(CODE.INVALID_ARGUMENT, "seed", lambda: joker.Reset(jk.ResetRequest(game_seed="?")))
        refused(CODE.INVALID_ARGUMENT, "keeps its own", lambda: joker.Reset(jk.ResetRequest(session_id=blue.session_id, settings="{}")))
        refused(CODE.NOT_FOUND, "session", lambda: joker.Step(jk.StepRequest(session_id=99)))
        other = Session(server, "cartpole")
        refused(CODE.NOT_FOUND, "JokerEnv", lambda: joker.Step(jk.StepRequest(session_id=other.id)))

        def step(session, kind, **more):
            return jk.StepRequest(session_id=session, action=jk.Action(action_type=kind, **more))
        a, b = (state.session_id for state in named)
        one, two = joker.StepBatch(jk.StepBatchRequest(requests=[step(a, 3), step(b, 3)])).responses
        assert one == two != joker.Step(step(joker.Reset(jk.ResetRequest(seed=1)).session_id, 3))
        heads = [1, 0, 1, 0, 0, 0, 0, 1] + [0] * 8
        one, two = joker.StepBatch(jk.StepBatchRequest(requests=[step(a, 0, action_id=0b10000101), step(b, 0, params=heads)])).responses
        assert one == two and list(one.observation.features.data[32:40]) == [1, 0, 1, 0, 0, 0, 0, 1]
        refused(CODE.INVALID_ARGUMENT, "params", lambda: joker.Step(step(a, 0, params=[1, 2])))
        # not legal: nothing changes but the counter
        for kind, more in ((7, {}), (99, {}), (-1, {}), (0, {"action_id": 255}), (0, {"action_id": 256}), (5, {"action_id": 1 << 30})):
            before, after = one, joker.Step(step(a, kind, **more))
            assert after.info.episode_step == before.info.episode_step + 1, (kind, more)
            assert list(after.observation.features.data[32:]) == list(before.observation.features.data[32:]), (kind, more)
            one = after
        stream = iter(joker.TrainingStream(iter([jk.TrainingRequest(reset=jk.ResetRequest(seed=3, session_id=a)), jk.TrainingRequest(step=step(a, 3))])))
        assert next(stream).reset.session_id == a and next(stream).step.info.stage == 1
        assert list(stream) == []


# ---- health, signals ----


@test
def health_is_told():
    with Grpc() as server:
        for name in ("", "ludus.v1.Env", "joker_guide.v1.JokerEnv", "grpc.health.v1.Health"):
            assert server.health.Check(health.HealthCheckRequest(service=name)).status == health.HealthCheckResponse.SERVING
        refused(CODE.NOT_FOUND, "nobody", lambda: server.health.Check(health.HealthCheckRequest(service="nobody")))
        watch = server.health.Watch(health.HealthCheckRequest(service="ludus.v1.Env"))
        assert next(watch).status == health.HealthCheckResponse.SERVING
        assert next(server.health.Watch(health.HealthCheckRequest(service="nobody"))).status == health.HealthCheckResponse.SERVICE_UNKNOWN


@test
def it_ends_cleanly_by_a_signal_whatever_is_open():
    for how in (signal.SIGINT, signal.SIGTERM):
        server = Grpc()
        session, end = Session(server, "cartpole"), threading.Event()

        def requests():
            yield pb.StreamRequest(step=session.request([[0]]))
            end.wait(PATIENCE)
        stream, watch = server.env.Stream(requests()), server.health.Watch(health.HealthCheckRequest())
        next(stream), next(watch)
        server.child.send_signal(how)
        for call in (stream, watch):
            try:
                next(call)
                raise AssertionError("a call outlives its server")
            except grpc.RpcError as error:
                assert error.code() in (CODE.UNAVAILABLE, CODE.CANCELLED), error
        end.set()
        code = server.child.wait(PATIENCE)
        assert code == 0, f"exit {code}: {server.child.stderr.read()}"
        server.end()


@test
def calls_in_work_are_answered_before_the_end():
    server = Grpc()
    wish = pb.ResetRequest(game="joker-brief-v1", environments=1024)
    future = server.env.Reset.future(wish)
    until(lambda: server.memory() > 40 << 20 or future.done(), "a reset at work")
    server.child.send_signal(signal.SIGTERM)
    try:
        assert len(future.result(PATIENCE).seeds) == 8 * 1024
    except grpc.RpcError as error:  # the signal may come before the call
        assert error.code() in (CODE.UNAVAILABLE, CODE.CANCELLED), error
    assert server.child.wait(PATIENCE) == 0
    server.end()


@test
def wrong_use_is_told_in_a_sentence():
    with Grpc() as server:
        for words, code, part in ((["serve", "--port", server.port], 7, "port"), (["serve", "--port", "x"], 2, "port"), (["nope"], 2, "unknown verb"),
                                  (["serve", "--bind", "8.8.8.8", "--port", "0"], 1, "cannot listen"), (["bench", "nope"], 3, "nope")):
            done = subprocess.run([GRPC, *map(str, words)], capture_output=True, env=environment(), timeout=PATIENCE, text=True)
            lines = [line for line in done.stderr.splitlines() if line.startswith("ludus-grpc: ")]
            assert done.returncode == code and len(lines) == 1 and part in lines[0], (words, done)
    for words in (["help", "serve"], ["manual"], ["completion", "bash"], ["serve", "--help", "--json"]):
        assert subprocess.run([GRPC, *words], capture_output=True, env=environment(), timeout=PATIENCE).stdout


@test
def many_clients_at_once_change_nothing():
    with Grpc("--grpc.threads", 4) as server:
        rng = np.random.default_rng(8)
        actions = rng.integers(0, 69, (25, 16, 1))
        wanted, found = play_alone(server, actions), {}

        def client(i):
            found[i] = play_alone(server, actions, grpc.insecure_channel(f"127.0.0.1:{server.port}", options=[("grpc.use_local_subchannel_pool", 1), *LARGE]))
        threads = [threading.Thread(target=client, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        assert len(found) == 8 and all(f == wanted for f in found.values())
        shared = Session(server, "prospector", environments=16, seed=1)
        results = [server.env.Step.future(shared.request(actions[i % 25])) for i in range(60)]
        assert all(len(r.result(PATIENCE).observation) == 16 * 260 * 4 for r in results)


def play_alone(server, actions, channel=None):
    env = env_pb2_grpc.EnvStub(channel) if channel else server.env
    session = env.Reset(pb.ResetRequest(game="prospector", environments=16, seed=1)).session
    answers_ = [env.Step(pb.StepRequest(session=session, actions=a.astype(np.int32).tobytes())).observation for a in actions]
    env.Close(pb.CloseRequest(session=session))
    if channel:
        channel.close()
    return answers_


# ---- speed and memory ----


@test
def a_batch_costs_what_its_messages_cost():
    """By the processor's time, which foreign load moves little; it takes caches away, so one try of five is enough."""
    for _ in range(5):
        done = subprocess.run([GRPC, "bench", "--seconds", "1.5", "--json"], capture_output=True, env=environment(), timeout=PATIENCE)
        games = json.loads(done.stdout)["games"]
        print("    " + ", ".join(f"{g['game']} {g['steps_per_second']:.0f}/s, {g['ratio']:.2f} of empty steps by the clock, {g['processor_ratio']:.2f} by the processor" for g in games))
        if SANITIZED or all(g["processor_ratio"] >= 0.7 for g in games):
            return
    raise AssertionError(games)


@test
def a_python_client_steps_batches():
    with Grpc() as server:
        said = []
        for game, options in (("prospector", 69), ("cartpole", 2)):
            session = Session(server, game, environments=256, seed=1)
            request = session.request(np.random.default_rng(1).integers(0, options, (256, 1)))
            best = max(steps_in(server, request, 0.2) for _ in range(5))
            said.append(f"{game} {best:.0f}/s")
        print("    a Python client, one call at a time: " + ", ".join(said))
        assert SANITIZED or best > 100_000, "a Python client is slower than any figure of the docs"


def steps_in(server, request, seconds):
    start, steps = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        assert len(server.env.Step(request).terminated) == 256
        steps += 256
    return steps / (time.perf_counter() - start)


@test
def valgrind_finds_nothing():
    if SANITIZED:
        return
    # what is shown is what counts: the rest, now and then, is more than a pipe takes that nobody reads
    kinds = "definite,indirect"
    under = ["valgrind", "-q", "--leak-check=full", f"--show-leak-kinds={kinds}", f"--errors-for-leak-kinds={kinds}", "--error-exitcode=9"]
    # valgrind signals threads by a call that a confined process has given up
    with Grpc("--confine=false", under=under, env=environment(LUDUS_ISA="base")) as server:
        session = Session(server, "cartpole", environments=3, seed=1, parts=[pb.INFO, pb.TERMS])
        for _ in range(15):
            session.step([[1]] * 3)
        server.env.StepBatch(pb.StepBatchRequest(steps=[session.request([[0]] * 3)]))
        list(server.env.Stream(iter([pb.StreamRequest(step=session.request([[0]] * 3))])))
        server.env.Reset(pb.ResetRequest(session=session.id, which=[1], seeds=[3]))
        state = server.joker.Reset(jk.ResetRequest(seed=1))
        server.joker.Step(jk.StepRequest(session_id=state.session_id, action=jk.Action(action_type=3)))
        refused(CODE.INVALID_ARGUMENT, "deck", lambda: server.joker.Reset(jk.ResetRequest(settings='{"deck": "pink"}')))
        refused(CODE.NOT_FOUND, "session", lambda: server.env.Step(pb.StepRequest(session=5)))
        refused(CODE.UNIMPLEMENTED, "Nope", lambda: server.channel.unary_unary("/ludus.v1.Env/Nope")(b""))
        watch = server.health.Watch(health.HealthCheckRequest())
        next(watch)
        server.env.Close(pb.CloseRequest(session=session.id))


if __name__ == "__main__":
    sys.exit(main("grpc", __doc__))
