"""Trained models natively and in torch, and rewards in Python against the native ones."""

import inspect
import json
import os
import subprocess
import sys

import gymnasium
import numpy as np
import pytest

import ludus
from joker_env.env import JokerEnv
from joker_env.reward import RewardCalculator
from ludus import reward
from ludus.runs import Writer

torch = pytest.importorskip("torch")
torch.set_num_threads(1)
MODELS = [
    "FineTunedNh",
    "craft-look-v1",
    "joker-plan-v1",
    "potion-look-v1-dqn",
    "potion-look-v1",
    "prospector-v1",
]


def same_answers(policy, steps=6, rows=24, tolerance=1e-4):
    from ludus.torch import module

    net = module(policy)
    vector = ludus.Vector(
        policy.game.id, rows // policy.game.seats, settings=policy.facts["settings"]["game"]
    )
    vector.reset(5)
    state = None
    for step in range(steps):
        answer = policy.answer(vector.observations, vector.masks)
        with torch.no_grad():
            logits, values, state = net(
                torch.from_numpy(vector.observations.copy()),
                actions=torch.from_numpy(answer.actions),
                state=state,
            )
        scale = max(1.0, float(np.abs(answer.logits).max()))
        legal = answer.probabilities > 0  # heads that are not asked are not told
        assert np.abs(logits.numpy() - answer.logits)[legal].max() < tolerance * scale
        if policy.facts["kind"] == "policy":
            worst = np.abs(values.numpy() - answer.values).max()
            assert worst < tolerance * max(1.0, float(np.abs(answer.values).max()))
        vector.draw(step)
        vector.step()
        if (vector.terminated | vector.truncated).any():
            break


@pytest.mark.parametrize("name", MODELS)
def test_torch_answers_as_the_library(name, root):
    policy = ludus.Policy.load(root / "models" / f"{name}.safetensors")
    bf16 = policy.facts["settings"]["net"]["net.precision"] == "bf16"
    rows = 4 if policy.game.name == "craft" else 24  # an episode of craft begins with a target
    same_answers(policy, rows=rows, tolerance=2e-2 if bf16 else 1e-4)


NETS = [
    ("cartpole-v1", "net.hidden=9 net.layers=1 net.activation=tanh"),
    ("cartpole-v1", "net.hidden=10 net.layers=3 net.critic=separate net.bias=false"),
    ("prospector-v1", "net.hidden=12 net.layers=1 net.memory=mingru net.memory_layers=2"),
    ("prospector-v1", "net.hidden=12 net.layers=1 net.memory=lstm net.critic=separate"),
    ("potion-look-v1", "net.encoder=entity net.hidden=12 net.pool=mean net.pointer=false"),
    ("joker-v1", "net.encoder=entity net.hidden=12 net.entity_width=6"),
    ("duel-v1", "net.hidden=12 net.heads=autoregressive net.head_hidden=7,5"),
    ("duel-v1", "net.hidden=12 net.critic=shared"),
    ("joker-v1", "net.encoder=entity net.hidden=12 net.heads=autoregressive net.memory=mingru"),
]


@pytest.mark.parametrize(("game", "text"), NETS)
def test_every_kind_of_net(game, text, tmp_path):
    settings = dict(pair.split("=") for pair in text.split())
    with Writer(game, algorithm="test", settings=settings, runs=str(tmp_path)) as writer:
        same_answers(ludus.Policy.of_bytes(writer.model()))


def test_predict_in_the_shape_of_the_question(root):
    policy = ludus.Policy.load(root / "models/prospector-v1.safetensors")
    own = policy.facts["settings"]["game"]
    env = gymnasium.make("ludus/prospector-v1", settings=own).unwrapped
    obs, info = env.reset(seed=3)
    total = 0.0
    for _ in range(4000):
        action = policy.predict(obs, info["action_mask"])
        assert isinstance(action, int) and info["action_mask"][action]
        obs, value, terminated, truncated, info = env.step(action)
        total += value
        if terminated or truncated:
            break
    assert total > 0, "a trained agent earns something"
    batch = policy.predict(np.stack([obs, obs]), np.stack([info["action_mask"]] * 2))
    assert batch.shape == (2,) and batch[0] == batch[1] == policy.predict(obs, info["action_mask"])
    drawn = {policy.predict(obs, info["action_mask"], deterministic=False, seed=s) for s in range(3)}
    assert all(info["action_mask"][action] for action in drawn)
    with pytest.raises(ValueError, match="260 numbers"):
        policy.predict(obs[:5])
    with pytest.raises(ludus.Error):
        ludus.Policy.of_bytes(b"nonsense")
    with pytest.raises(ludus.Error):
        ludus.Policy.load("no-such-run")


# ---- rewards ----


def test_components_of_the_guide(root):
    cases = json.loads((root / "games/joker/vectors/reward_components.json").read_text())["cases"]
    for case in cases:
        function, given = getattr(reward, case["component"]), case["in"]
        words = {
            name: -1 if given.get(name) is None else given[name]
            for name, parameter in inspect.signature(function).parameters.items()
            if name in given or parameter.default is inspect.Parameter.empty
        }
        unread = {"discards_left", "boss_blind_id", "dominant_build", "joker_slot_limit"}
        assert set(given) - set(words) <= unread, case["id"]
        assert abs(function(**words) - case["out"]) < 1e-9, case["id"]
    assert len({case["component"] for case in cases}) > 20


def test_episodes_of_the_guide(root):
    cases = json.loads((root / "games/joker/vectors/reward_episodes.json").read_text())["cases"]
    for case in cases:
        calculator = RewardCalculator(guide_ids=True)
        for step in case["steps"]:
            assert abs(calculator.calculate(step["info"]) - step["reward"]) < 1e-9, case["id"]
    assert cases


def test_the_calculator_gives_the_native_reward():
    env = gymnasium.make("ludus/joker-brief-v1", settings={"reward.mode": "guide"}).unwrapped
    calculator, steps = RewardCalculator(), 0
    for seed in range(30):
        env.reset(seed=seed)
        calculator.reset()
        played = False  # discards before it: the environment begins as after a High Card
        for step in range(1000):
            _, native, terminated, truncated, info = env.step(env.sample(1000 * seed + step))
            ours = calculator.calculate(info["infos"])
            last = info["infos"]["last_action_type"]
            if played or last != reward.DISCARD:
                assert abs(ours - native) < 1e-9, (seed, step, calculator.parts)
                steps += 1
            played = played or last == reward.PLAY or info["infos"]["blind_cleared"]
            if terminated or truncated:
                break
    assert steps > 400


def test_a_calculator_replaces_the_reward():
    env = JokerEnv()
    env.reset(seed=1)
    rewards = [env.step(env.sample(step))[1] for step in range(6)]
    assert any(rewards) and abs(sum(rewards) - env.calculator.total) < 1e-12
    own = reward.WeightedTerms({"steps": 0.5})
    env = gymnasium.make("ludus/cartpole-v1", reward=own).unwrapped
    env.reset(seed=1)
    assert [env.step(0)[1] for _ in range(3)] == [0.5, 1.0, 1.5]


def test_what_came_with_the_package_is_found_away_from_any_checkout(tmp_path):
    code = """if True:
        import ludus
        assert set(ludus.models()) >= {"prospector-v1", "duel-v1", "joker-plan-v1"}, ludus.models()
        policy = ludus.Policy.load("prospector-v1")
        settings = {"train.steps": 512, "train.environments": 4, "train.horizon": 32, "train.minibatch": 64}
        words = {"preset": "cartpole-classic", "settings": settings, "evaluate": False}
        with ludus.Training("cartpole-v1", **words) as one:
            one.run()
        print(ludus.models()["prospector-v1"])
    """
    words = {k: v for k, v in os.environ.items() if not k.startswith("LUDUS_")}
    told = {"cwd": tmp_path, "env": words, "capture_output": True, "text": True}
    done = subprocess.run([sys.executable, "-c", code], **told)
    assert done.returncode == 0, done.stderr
    assert "site-packages/ludus/share/ludus/models" in done.stdout, done.stdout
    assert list(tmp_path.glob("runs/*/run.json"))
    said = [sys.executable, "-m", "ludus.train", "--help"]
    assert subprocess.run(said, **told).returncode == 0
