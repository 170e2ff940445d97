"""Tools, matches, trainings, runs, clients of lines and thin names, against the program itself."""

import asyncio
import json
import os
import subprocess
import sys

import numpy as np
import pytest

import ludus
import ludus.craft
import ludus.duel
import ludus.joker
import ludus.potion
from ludus import runs, tools
from ludus.line import EnvLine, LineError, PolicyLine
from ludus.program import path


def program(*words, root, **more):
    """What the program prints as JSON."""
    done = subprocess.run([path(), *map(str, words)], capture_output=True, text=True, cwd=root, **more)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


# ---- tools ----


def test_every_game_with_tools_has_a_module():
    for game, found in tools.registry().items():
        module = __import__(f"ludus.{game}", fromlist=["x"])
        assert dir(module) == sorted(found)
        for name in found:
            one = getattr(module, name)
            assert one.__doc__.startswith(one.facts["sentence"]) and one.__signature__
    with pytest.raises(AttributeError, match="odds"):
        ludus.duel.nonsense  # noqa: B018


def test_modules_come_with_their_first_use(tmp_path):
    code = "import ludus; print(ludus.craft.optimize.name, ludus.runs.rows.__name__, hasattr(ludus, 'crft'))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.split() == ["optimize", "rows", "False"], done


def test_tools_give_the_command_lines_json(root):
    state = root / "games/joker/data/state.json"
    boots = ("--base", "STR/DEX boots", "--want", "T4 life", "--spread", "off")
    pairs = [
        (ludus.potion.solve(recipe=10, cauldron=19, stock="shop:3"),
         ("potion", "solve", "--recipe", 10, "--cauldron", 19, "--stock", "shop:3")),
        (ludus.joker.advise(state, agent="none"), ("joker", "advise", state, "--agent", "none")),
        (ludus.duel.odds(), ("duel", "odds")),
        (ludus.craft.optimize(base="STR/DEX boots", want="T4 life", spread="off"),
         ("craft", "optimize", *boots)),
        (ludus.joker.seed("TUTORIAL"), ("joker", "seed", "TUTORIAL")),
    ]  # fmt: skip
    for ours, words in pairs:
        theirs = program(*words, "--json", root=root)
        assert untimed(ours) == untimed(theirs), words


def untimed(value):
    """Without what differs from run to run: seconds."""
    if isinstance(value, dict):
        return {key: untimed(one) for key, one in value.items() if "seconds" not in key and key != "words"}
    return [untimed(one) for one in value] if isinstance(value, list) else value


def test_tools_refuse_in_a_sentence_and_tell_progress():
    with pytest.raises(ludus.Error, match="cauldron"):
        ludus.potion.solve(cauldrn=3)
    told = []
    ludus.potion.solve(recipe=10, cauldron=19, stock="shop:3", progress=lambda *one: told.append(one))
    assert told and all(0 <= share <= 1 for share, _ in told)

    def stop(share, what):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ludus.potion.solve(recipe=10, cauldron=19, stock="shop:3", progress=stop)


def test_a_provider_gives_prices():
    class Provider:
        """Twice what the pack's own prices are, or as they are."""

        def __init__(self, factor):
            self.factor, self.asked = factor, []

        def prices(self, league):
            self.asked.append(league)
            known = ludus.craft.prices()
            return {**known, "prices": {k: self.factor * v for k, v in known["prices"].items()}}

    plain, dear = Provider(1.0), Provider(2.0)
    words = {"base": "STR/DEX boots", "want": "T4 life", "spread": "off"}
    costs = [
        ludus.craft.optimize(prices=one, **words)["strategies"][0]["expected_cost"] for one in (plain, dear)
    ]
    assert plain.asked == dear.asked == [""]
    assert abs(costs[1] / costs[0] - 2) < 1e-6 and costs[0] > 0


# ---- matches ----


def test_matches_are_the_command_lines(root):
    ours = ludus.match("bot:baseline", "bot:noop", game="duel-v1", games=20)
    theirs = program(
        "match", "bot:baseline", "bot:noop", "--game", "duel-v1", "--games", 20, "--json", root=root
    )
    assert ours == theirs
    alone = ludus.evaluate("bot:balancer", game="cartpole-v1", episodes=20, each=True)
    assert len(alone["each"]) == 20 and alone["decisions"]["mean"] > 100
    with pytest.raises(ludus.Error, match="baseline"):
        ludus.match("bot:baselin", "bot:noop", game="duel-v1")


# ---- trainings and runs ----

SHORT = {
    "train.steps": 4096,
    "train.environments": 8,
    "train.horizon": 64,
    "train.threads": 1,
    "net.hidden": 16,
    "run.window_env_steps": 1024,
    "eval.episodes": 16,
}


def test_a_training_tells_and_leaves_a_run(tmp_path, root):
    told = {"update": [], "window": [], "evaluation": []}
    words = {"preset": "none", "settings": SHORT, "runs": str(tmp_path)}
    with ludus.Training("cartpole-v1", **words, name="first") as training:
        training.on_update = told["update"].append
        training.on_window = told["window"].append
        training.on_evaluation = told["evaluation"].append
        assert training.run()
        facts = training.facts
        training.save(str(tmp_path / "model.safetensors"))
    assert facts["done"] and facts["steps"] == 4096 and len(told["update"]) == facts["updates"]
    assert len(told["window"]) == 4 and told["evaluation"]
    ran = [row["env_steps"] for row in runs.rows("first", runs=str(tmp_path))]
    assert ran == [1024, 2048, 3072, 4096]
    columns = runs.columns("first", "updates", runs=str(tmp_path))
    assert columns["env_steps"][-1] == 4096 and len(columns["episode_return"]) == facts["updates"]
    policy = ludus.Policy.load("first", runs=str(tmp_path))
    assert policy.facts["step"] == 4096
    assert (tmp_path / "model.safetensors").stat().st_size > 1000
    assert runs.listed(str(tmp_path))[0]["status"] == "finished"


def test_a_training_is_the_programs(tmp_path, root):
    words = [f"--set={key}={value}" for key, value in SHORT.items()]
    command = [
        path(),
        "train",
        "cartpole",
        "--preset=none",
        *words,
        "--out",
        str(tmp_path),
        "--set=eval.on=false",
        "--json",
    ]
    subprocess.run(command, check=True, capture_output=True, cwd=root)
    with ludus.Training(
        "cartpole-v1", settings=SHORT, runs=str(tmp_path), name="ours", evaluate=False
    ) as training:
        training.run()
    other = next(one.parent for one in tmp_path.glob("*/run.json") if one.parent.name != "ours")
    folders = [one / "checkpoints" for one in (tmp_path / "ours", other)]
    models = [sorted(folder.rglob("*.safetensors"))[-1] for folder in folders]
    a, b = (ludus.Policy.load(model).parameters() for model in models)
    assert all(np.array_equal(a[name], b[name]) for name in a)


def test_a_training_stops_and_goes_on(tmp_path):
    words = {"settings": SHORT, "runs": str(tmp_path), "evaluate": False}
    with ludus.Training("cartpole-v1", name="whole", **words) as training:
        training.run()
        whole = training.facts["hash"]
    with ludus.Training("cartpole-v1", name="cut", **words) as training:
        training.stop_when = lambda: training.facts["updates"] == 3
        assert not training.run() and training.facts["updates"] == 3
    with ludus.Training("cartpole-v1", resume="cut", **{**words, "settings": {}}) as training:
        while not training.update():
            pass
        assert training.facts["hash"] == whole

    with pytest.raises(ZeroDivisionError), ludus.Training("cartpole-v1", name="bad", **words) as training:
        training.on_update = lambda row: 1 / 0
        training.run()
    with pytest.raises(ludus.Error, match="hidden"):
        ludus.Training("cartpole-v1", settings={"net.hiden": 3}, runs=str(tmp_path))


def test_single_updates_leave_a_run_that_ended(tmp_path):
    words = {"runs": str(tmp_path), "evaluate": False}

    def status():
        return [row["status"] for row in sorted(runs.listed(str(tmp_path)), key=lambda row: row["run_id"])]

    with ludus.Training("cartpole-v1", settings=SHORT, name="a", **words) as whole:
        while not whole.update():
            pass
        assert status() == ["finished"]
    with ludus.Training("cartpole-v1", settings=SHORT, name="b", **words):
        pass
    for sitting in range(3):
        with ludus.Training("cartpole-v1", resume="b", **words) as training:
            assert training.facts["updates"] == sitting
            training.update()
        assert status() == ["finished", "stopped"]
    with ludus.Training("cartpole-v1", resume="b", **words) as training:
        training.run()
        last = training.facts["hash"]
    with ludus.Training("cartpole-v1", settings=SHORT, name="c", **words) as again:
        again.run()
        assert last == again.facts["hash"]


def test_a_writer_leaves_a_run_that_the_program_judges(tmp_path, root):
    torch = pytest.importorskip("torch")
    from ludus.torch import module

    settings = {"net.hidden": 8, "net.layers": 1, "eval.episodes": 16}
    with runs.Writer(
        "cartpole-v1", algorithm="mine", settings=settings, runs=str(tmp_path), name="w"
    ) as writer:
        net = module(ludus.Policy.of_bytes(writer.model()))
        for update in (1, 2, 3):
            with torch.no_grad():
                for parameter in net.parameters():
                    parameter.add_(0.01)
            writer.update(
                updates=update,
                steps=1000 * update,
                episodes=5,
                episode_return=20.0 + update,
                figures={"policy_loss": 0.1},
                parameters=net.flat_parameters(),
                closes=True,
            )
        with pytest.raises(ludus.Error, match="rise"):
            writer.update(updates=3, steps=3000)
    for game, said in (
        ("cartpole-v1", "was trained by 'mine', not by ludus"),
        ("acrobot-v1", "is a run of cartpole-v1"),
    ):
        with pytest.raises(ludus.Error, match=said) as caught:
            ludus.Training(game, resume="w", runs=str(tmp_path), evaluate=False)
        assert caught.value.exit_code == 4
    rows = runs.rows("w", runs=str(tmp_path))
    assert [row["episode_return"] for row in rows] == [21.0, 22.0, 23.0]
    last = ludus.Policy.load("w", runs=str(tmp_path)).parameters()
    assert np.allclose(last["encoder.bias"], 0.03)
    report = program(
        "eval",
        "w",
        "--episodes",
        4,
        "--json",
        root=root,
        env={**os.environ, "LUDUS_RUN_FOLDER": str(tmp_path)},
    )
    assert report["game"] == "cartpole-v1" and report["episodes"] == 4
    done = subprocess.run([path(), "eval", "--follow", str(tmp_path / "w")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(runs.rows("w", "evals", runs=str(tmp_path))) == 3


# ---- lines ----


def serve(*words, root):
    server = subprocess.Popen([path(), *words], stdout=subprocess.PIPE, text=True, cwd=root)
    host, port = server.stdout.readline().strip().rsplit(":", 1)
    return server, host, int(port)


def test_clients_of_lines(root):
    async def ask(host, port):
        async with await PolicyLine.connect(host, port) as line:
            assert (await line.models())[0]["game"] == "prospector-v1"
            answer = await line.act([0.0] * 260, [[True] * 69], deterministic=True, values=True)
            assert 0 <= answer["action"][0] < 69 and answer["values"] is not None
            with pytest.raises(LineError, match="260") as caught:
                await line.act([0.0] * 3)
            assert caught.value.code == "bad-value" and caught.value.field == "obs"

    async def play(host, port):
        async with await EnvLine.connect(host, port) as line:
            assert (await line.login("me"))["game"] == "cartpole-v1"
            seen = await line.reset(seed=7)
            steps = 0
            while "terminalState" not in seen:
                seen = await line.step([steps % 2])
                steps += 1
            assert 5 < steps < 500 and len(seen["obs"]) == 4
            await line.logout()

    model = "models/prospector-v1.safetensors"
    for words, client in (
        (("serve-policy", "--port", "0", "--model", model), ask),
        (("serve-env", "cartpole", "--port", "0"), play),
    ):
        server, host, port = serve(*words, root=root)
        try:
            asyncio.run(client(host, port))
        finally:
            server.terminate()
            server.wait()
            server.stdout.close()


def test_clients_know_the_usual_ports():
    for verb, client in (("serve-policy", PolicyLine), ("serve-env", EnvLine)):
        done = subprocess.run([path(), verb, "--help"], capture_output=True, text=True)
        assert f"[{client.port}]" in done.stdout


# ---- names ----


def test_thin_names_are_the_verbs(root):
    for module, verb in (("train", "train"), ("eval", "eval"), ("serve_api", "serve-policy")):
        words = [sys.executable, "-m", f"ludus.{module}", "--help"]
        done = subprocess.run(words, capture_output=True, text=True, cwd=root)
        assert done.returncode == 0 and f"ludus {verb}" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("module", ["ludus.ray", "ludus.train"])
def test_without_ray_a_sentence_says_so(module, tmp_path):
    code = "import runpy, sys; sys.modules['ray'] = None; sys.argv[1:] = ['--distributed'];"
    code += f"runpy.run_module('{module}', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith(f"{module}: Ray is not installed")
