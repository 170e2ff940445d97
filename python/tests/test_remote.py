"""Environments over gRPC: bit for bit those of this process, refusals, and the messages' tables."""

import os
import re

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import ludus

pytest.importorskip("grpc")

from ludus import remote, wire

FIELD = re.compile(r"^\s*(repeated )?(\w+) (\w+) = (\d+);", re.M)


@pytest.fixture(scope="module")
def address(root):
    program = os.environ.get("LUDUS_GRPC", str(root / "build/release/ludus-grpc"))
    if not os.path.exists(program):
        pytest.skip(f"{program} is not built")
    with remote.server(program) as at:
        yield at


def test_tables_are_those_of_the_proto(root):
    text = (root / "proto/ludus/v1/env.proto").read_text()
    for name, fields in wire.MESSAGES.items():
        body = re.search(rf"^message {name} \{{(.*?)\}}", text, re.M | re.S)[1]
        found = {key: (int(number), (many or "") + kind) for many, kind, key, number in FIELD.findall(body)}
        assert found == dict(fields), name


def test_messages_keep_their_values_and_bad_ones_are_refused():
    values = {"session": 2**64 - 1, "game": "é", "which": [0, 300], "seeds": [2**63], "options": "{}"}
    data = wire.encode("ResetRequest", **values)
    assert wire.decode("ResetRequest", data) == values
    assert wire.encode("ResetRequest", session=0, game="", which=[]) == b""
    assert wire.decode("CloseResponse", b"\x08\x07\x12\x01x") == {}
    for cut in range(1, len(data)):
        try:
            wire.decode("ResetRequest", data[:cut])
        except ValueError:
            pass
    with pytest.raises(ValueError, match="no StepResponse"):
        wire.decode("StepResponse", b"\x0f")
    with pytest.raises(ValueError, match="truncated"):
        wire.decode("StepResponse", b"\x0a\x05x")


def test_a_reset_without_a_seed_takes_that_of_before(address):
    here, there = ludus.Vector("cartpole", 3), remote.RemoteVector(remote.Connection(address), "cartpole", 3)
    for seed in (5, None, 6, None):
        here.reset(seed)
        there.reset(seed)
        np.testing.assert_array_equal(here.observations, there.observations)


@pytest.mark.parametrize("game", ["prospector-v1", "duel-v1", "joker-brief-v1"])
@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
def test_vectors_are_those_of_this_process(address, game, mode):
    rows = 4 * ludus.spec(game).seats
    settings = {"time_max": 60} if game.startswith("prospector") else {}
    words = {"num_envs": rows, "autoreset_mode": mode, "settings": settings, "infos": True}
    here = gymnasium.make_vec(f"ludus/{game}", **words)
    there = remote.make_vec(game, address, **words)
    ends = 0
    for env in (here, there):
        env.reset(seed=1)
    for seed in ([7] * rows, 7):
        got, want = there.reset(seed=seed), here.reset(seed=seed)
        np.testing.assert_array_equal(got[0], want[0])
        np.testing.assert_array_equal(got[1]["action_mask"], want[1]["action_mask"])
    for step in range(60):
        actions = here.vector.draw(step).copy()
        got, want = there.step(actions), here.step(actions)
        for ours, theirs in zip(want[:4], got[:4], strict=True):
            np.testing.assert_array_equal(ours, theirs)
        for key in ("action_mask", "infos", "terms", "illegal"):
            np.testing.assert_array_equal(want[4][key], got[4][key])
        assert ("final_obs" in want[4]) == ("final_obs" in got[4])
        if "final_obs" in want[4]:
            done = want[4]["_final_obs"]
            ends += int(done.sum())
            np.testing.assert_array_equal(want[4]["final_obs"][done], got[4]["final_obs"][done])
            final = want[4]["final_info"]["infos"], got[4]["final_info"]["infos"]
            np.testing.assert_array_equal(final[0][done], final[1][done])
    assert ends or mode == "NextStep" or not game.startswith("prospector")
    there.close()


def test_one_environment_passes_the_checker_and_equals_ours(address):
    env = remote.make("cartpole-v1", address)
    check_env(env, skip_render_check=True)
    ours = gymnasium.make("ludus/cartpole-v1")
    np.testing.assert_array_equal(env.reset(seed=3)[0], ours.reset(seed=3)[0])
    assert env.action_masks().all()
    over = False
    while not over:
        got, want = env.step(1), ours.step(1)
        np.testing.assert_array_equal(got[0], want[0])
        assert got[1:4] == want[1:4] and got[4]["infos"] == want[4]["infos"]
        over = want[2] or want[3]
    env.close()


def test_refusals_are_sentences(address):
    with pytest.raises(remote.RemoteError, match=r"no server of ludus answers at 127\.0\.0\.1:1"):
        remote.make_vec("cartpole-v1", "127.0.0.1:1", num_envs=2)
    with pytest.raises(remote.RemoteError, match="time_max") as problem:
        remote.make_vec("prospector-v1", address, num_envs=2, settings={"time_max": -4}).reset()
    assert problem.value.code == "INVALID_ARGUMENT"
    with pytest.raises(ValueError, match=r"remote\.make_vec"):
        remote.make("duel-v1", address)
    with pytest.raises(ValueError, match="render_mode"):
        remote.make_vec("cartpole-v1", address, num_envs=2, render_mode="ansi")
    envs = remote.make_vec("cartpole-v1", address, num_envs=2)
    envs.reset(seed=1)
    with pytest.raises(ValueError, match="actions must hold 2 numbers, not 3"):
        envs.step(np.zeros(3, np.int32))
    envs.connection.ask("Close", session=envs.vector._session)
    with pytest.raises(remote.RemoteError) as problem:
        envs.step(np.zeros(2, np.int32))
    assert problem.value.code == "NOT_FOUND"
    with pytest.raises(FileNotFoundError, match="no-such-program"), remote.server("no-such-program"):
        pass
