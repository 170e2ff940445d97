"""gymnasium and PettingZoo by their own checkers, vectors in all modes, masks, pictures."""

import subprocess
import sys
import threading
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import parallel_api_test, parallel_seed_test

import ludus
from ludus.render import picture
from ludus.zoo import parallel_env

ONE_HEAD = [game for game in ludus.games() if len(ludus.spec(game).heads) == 1]
SEVERAL = [game for game in ludus.games() if ludus.spec(game).seats > 1]


@pytest.mark.parametrize("game", ludus.games())
def test_check_env_without_a_warning(game):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(f"ludus/{game}")
        check_env(env.unwrapped)


@pytest.mark.parametrize("game", SEVERAL)
def test_pettingzoo_checks(game):
    parallel_api_test(parallel_env(game), num_cycles=100)
    parallel_seed_test(lambda: parallel_env(game), num_cycles=50)


def test_a_name_may_say_what_to_import(tmp_path):
    """Where the name of an environment is all that can be given: gymnasium then imports ludus itself."""
    for kind in ("make", "make_vec"):
        code = f"import gymnasium; gymnasium.{kind}('ludus:ludus/cartpole-v1').reset(seed=1)"
        words = [sys.executable, "-W", "error", "-c", code]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")


def play(env, steps, seed=0):
    seen = [env.reset(seed=seed)[0]]
    for step in range(steps):
        obs, reward, terminated, truncated, info = env.step(env.unwrapped.sample(step))
        seen.append(obs)
        if terminated or truncated:
            break
    return np.array(seen), reward, info


def test_the_same_seed_is_the_same_episode():
    a, b = (gymnasium.make("ludus/prospector-v1") for _ in range(2))
    first, second, other = play(a, 50, 7), play(b, 50, 7), play(a, 50, 8)
    assert np.array_equal(first[0], second[0])
    assert not np.array_equal(first[0][0], other[0][0])


@pytest.mark.parametrize("game", ONE_HEAD)
def test_masks_are_exact_for_one_head(game):
    env = gymnasium.make(f"ludus/{game}").unwrapped
    _, info = env.reset(seed=3)
    rng = np.random.default_rng(1)
    for _ in range(60):
        mask = env.action_masks()
        assert np.array_equal(mask, info["action_mask"] > 0)
        *_, terminated, truncated, info = env.step(rng.choice(np.flatnonzero(mask)))
        assert not info["illegal"]
        if terminated or truncated:
            _, info = env.reset()


@pytest.mark.parametrize("game", ["prospector-v1", "duel-v1"])
def test_what_is_made_has_its_own_methods_and_asks_for_a_reset(game):
    env = gymnasium.make(f"ludus/{game}", render_mode="ansi")
    too_early = [lambda: env.step(env.action_space.sample()), lambda: env.sample(1), lambda: env.legal(0, [])]
    for call in (*too_early, env.render, env.state, lambda: env.load_state({})):
        with pytest.raises(RuntimeError, match="reset first"):
            call()
    env.reset(seed=1)
    assert env.action_masks().any() and env.legal(0, []).any() and env.render()
    over = False
    for step in range(100_000):
        *_, terminated, truncated, _ = env.step(env.sample(step))
        over = terminated or truncated
        if over:
            break
    assert over
    with pytest.raises(RuntimeError, match="reset first"):
        env.step(env.action_space.sample())


def test_legal_narrows_later_heads():
    env = gymnasium.make("ludus/duel-v1", opponent="baseline")
    env.reset(seed=2)
    illegal = 0
    for step in range(40):
        chosen = []
        for head in range(len(env.game.heads)):
            legal = np.flatnonzero(env.legal(head, chosen))
            chosen.append(int(legal[step % len(legal)]) if len(legal) else 0)
        *_, terminated, truncated, info = env.step(np.array(chosen))
        illegal += info["illegal"]
        if terminated or truncated:
            break
    assert illegal == 0


def test_opponents_sit_in_the_other_seats(root):
    for opponent in ("noop", "bot:baseline", str(root / "models/FineTunedNh.safetensors")):
        env = gymnasium.make("ludus/duel-v1", opponent=opponent)
        _, _, info = play(env, 3000)
        assert info["infos"]["ticks"] > 0
    with pytest.raises(ludus.Error, match="noop"):
        gymnasium.make("ludus/duel-v1", opponent="bot:nop")
    with pytest.raises(ValueError, match="person"):
        gymnasium.make("ludus/duel-v1", opponent="person")
    with pytest.raises(ValueError, match="single-player"):
        gymnasium.make("ludus/cartpole-v1", opponent="random")


def test_settings_options_and_what_is_refused():
    env = gymnasium.make("ludus/prospector-v1", settings={"time_max": 2000})
    env.reset(seed=1)
    assert "2000 ticks" in env.unwrapped._episode.show(0)
    with pytest.raises(ludus.Error, match="time_max") as caught:
        gymnasium.make("ludus/prospector-v1", settings={"time_mx": 1})
    assert caught.value.status == "LU_UNKNOWN_KEY" and caught.value.exit_code == 2
    with pytest.raises(ludus.Error, match="option"):
        env.reset(options={"nonsense": 1})
    with pytest.raises(ValueError, match="none of its 69 options"):
        env.unwrapped.step(69)
    with pytest.raises(ludus.Error, match="prospector"):
        ludus.spec("prospectr-v1")


@pytest.mark.parametrize("kind", [gymnasium.make, gymnasium.make_vec])
def test_options_hold_until_others_are_given(kind):
    env = kind("ludus/cartpole-v1")
    usual = env.reset(seed=1)[0].copy()
    held = [env.reset(seed=1, **words)[0].copy() for words in ({"options": {"x": 0.5}}, {})]
    assert np.array_equal(*held) and not np.array_equal(held[0], usual)
    assert np.array_equal(env.reset(seed=1, options={})[0], usual)


def test_a_state_is_told_and_set_up():
    env = gymnasium.make("ludus/cartpole-v1").unwrapped
    env.reset(seed=1)
    env.step(1)
    state = env.state(everything=True)
    seen = env._arrays.observation[0].copy()
    env.reset(seed=9)
    assert np.array_equal(env.load_state(state), seen)


def test_what_cannot_be_drawn_is_refused():
    made = (
        lambda: gymnasium.make("ludus/duel-v1", render_mode="human"),
        lambda: gymnasium.make_vec("ludus/duel-v1", num_envs=2, render_mode="human"),
        lambda: parallel_env("duel-v1", render_mode="human"),
    )
    for make in made:
        with pytest.raises(ValueError, match="ansi, rgb_array or None, not 'human'"):
            make()


def test_render_modes():
    env = gymnasium.make("ludus/prospector-v1", render_mode="ansi")
    env.reset(seed=1)
    assert "fuel" in env.render()
    image = picture(env.render(), scale=2)
    assert image.shape == (324, 960, 3) and image.dtype == np.uint8 and len(np.unique(image)) == 2
    assert not np.array_equal(picture("A"), picture("B"))
    glyphs = {picture(chr(code)).tobytes() for code in range(33, 127)}
    assert len(glyphs) == 94, "two letters look alike"


# ---- vectors ----


def singles(game, vector, steps, mode):
    """The same play by single environments, by the seeds that the vector tells."""
    envs = [gymnasium.make(f"ludus/{game}").unwrapped for _ in range(vector.num_envs)]
    for i, env in enumerate(envs):
        env.reset(seed=vector.vector.place(i)[1])
    return envs


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_vectors_are_single_environments(mode):
    game, count = "cartpole-v1", 8
    vector = gymnasium.make_vec(f"ludus/{game}", num_envs=count, autoreset_mode=mode)
    assert vector.metadata["autoreset_mode"] is mode
    seen, info = vector.reset(seed=5)
    envs = singles(game, vector, 0, mode)
    ended = np.zeros(count, bool)
    rng = np.random.default_rng(2)
    ends = 0
    for _ in range(120):
        actions = rng.integers(0, 2, count)
        before = seen.copy()
        seen, reward, terminated, truncated, info = vector.step(actions)
        for i, env in enumerate(envs):
            if ended[i] and mode is AutoresetMode.NEXT_STEP:
                own = env.reset(seed=vector.vector.place(i)[1])[0]
                assert np.array_equal(own, seen[i]) and reward[i] == 0 and not terminated[i]
                continue
            own, value, over, cut, _ = env.step(actions[i])
            assert value == reward[i] and over == terminated[i] and cut == truncated[i]
            if (over or cut) and mode is AutoresetMode.SAME_STEP:
                assert info["_final_obs"][i] and np.array_equal(info["final_obs"][i], own)
                own = env.reset(seed=vector.vector.place(i)[1])[0]
            assert np.array_equal(own, seen[i])
        ended = terminated | truncated
        ends += int(ended.sum())
        if mode is AutoresetMode.DISABLED and ended.any():
            done = ended.copy()
            seen, _ = vector.reset(options={"reset_mask": done})
            for i in np.flatnonzero(done):
                envs[i].reset(seed=vector.vector.place(i)[1])
        assert not np.array_equal(before, seen)
    assert ends > 10


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_equal_seeds_of_environments_are_equal_play_behind_the_first_end(mode):
    def played(seed):
        vector = gymnasium.make_vec("ludus/cartpole-v1", num_envs=3, autoreset_mode=mode, copy=True)
        seen = [vector.reset(seed=seed)[0]]
        seen += [vector.step(np.full(3, step % 3 == 0))[0] for step in range(60)]
        assert vector.vector.place(0)[0] > 1, "no episode ended"
        return np.array(seen)

    own = played([3, 1, 2])
    assert np.array_equal(own, played(np.array([3, 1, 2]))) and not np.array_equal(own, played([3, 1, 4]))
    single = gymnasium.make("ludus/cartpole-v1")
    for row, seed in enumerate([3, 1, 2]):
        assert np.array_equal(own[0, row], single.reset(seed=seed)[0])
    vector = gymnasium.make_vec("ludus/cartpole-v1", num_envs=3)
    first = vector.reset(seed=[3, None, 2])[0]
    assert np.array_equal(first[[0, 2]], own[0, [0, 2]]) and not np.array_equal(first[1], own[0, 1])
    for wrong in ([1, 2], [1, 2, 3, 4]):
        with pytest.raises(ValueError, match="a number or 3 of them"):
            vector.reset(seed=wrong)
    for wrong in ([True], [False] * 3, [True] * 4):
        with pytest.raises(ValueError, match="must hold 3 flags"):
            vector.reset(options={"reset_mask": np.array(wrong)})


def test_vectors_copy_nothing():
    vector = ludus.Vector("prospector-v1", 16)
    vector.reset(1)
    address, shown = vector.observations.ctypes.data, vector.observations
    vector.draw(1)
    vector.step()
    assert vector.observations is shown and shown.ctypes.data == address
    assert shown.base is not None and not shown.flags.writeable
    own = np.zeros((16, 260), np.float32)
    other = ludus.Vector("prospector-v1", 16, buffers={"observation": own})
    other.reset(1)
    assert other.observations.ctypes.data == own.ctypes.data and own.any()


def test_threads_give_the_same_and_let_others_run():
    hashes = []
    for threads in (1, 3):
        vector = ludus.Vector("prospector-v1", 64, threads=threads)
        vector.reset(3)
        for step in range(20):
            vector.draw(step)
            vector.step()
        hashes.append(vector.hash())
    assert hashes[0] == hashes[1]
    big = ludus.Vector("prospector-v1", 4096)
    big.reset(1)
    refused = []

    def step():
        for _ in range(100):
            try:
                big.step()
            except RuntimeError:
                refused.append(1)

    workers = [threading.Thread(target=step) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert refused, "the lock of the interpreter was held while stepping"


def test_seats_are_rows_of_a_vector():
    vector = gymnasium.make_vec("ludus/duel-v1", num_envs=6)
    obs, info = vector.reset(seed=1)
    assert obs.shape == (6, 176) and info["action_mask"].shape == (6, 45)
    _, reward, terminated, _, _ = vector.step(vector.action_space.sample())
    assert reward.shape == terminated.shape == (6,)
    with pytest.raises(ValueError, match="multiple"):
        gymnasium.make_vec("ludus/duel-v1", num_envs=5)


def test_arrays_of_another_shape_are_refused():
    vector = ludus.Vector("cartpole-v1", 4)
    with pytest.raises(RuntimeError, match="reset first"):
        vector.step()
    vector.reset(0)
    with pytest.raises(ValueError, match="actions must hold 4 numbers"):
        vector.step(np.zeros(5, np.int32))
    with pytest.raises(ValueError, match="none of its 2 options"):
        vector.step(np.full(4, 7, np.int32))
    with pytest.raises(ValueError, match="must rise"):
        vector.reset_some([2, 1])
    with pytest.raises(ValueError):
        ludus.Vector("cartpole-v1", 4, buffers={"observation": np.zeros((4, 4))})
