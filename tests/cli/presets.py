"""Presets by name and by path, what they import, their sections, and the names of others for
settings."""

import json
import re
from pathlib import Path

from cli.helper import ROOT, WORK, copy_of_the_project, environment, fails, file, games, ludus, test


DUEL = ["core", "exchange", "human-like", "past-self-play-with-adversary", "prioritized-past-self-play", "reference", "test"]


def shown(*words, **more):
    """Values that do not have their default, by key; without the preset of the game."""
    none = [] if "--preset" in words else ["--preset", "none"]
    rows = ludus("config", "--training", "--json", *none, *words, **more).json()["settings"]
    return {row["key"]: row["value"] for row in rows if row["origin"] != "default"}


def presets(**files):
    """A folder of presets NAME_KIND."""
    folder = WORK / f"presets-{len(list(WORK.iterdir()))}"
    folder.mkdir()
    for name, text in files.items():
        (folder / ".".join(name.rsplit("_", 1))).write_text(text)
    return folder


@test
def a_preset_may_be_a_path():
    folder = presets(far_yml="length: 40\n", near_json='{"length": 20}', ini_ini="length = 30\n")
    for name, length in (("far.yml", 40), ("near.json", 20), ("ini.ini", 30)):
        assert shown("corridor", "--preset", folder / name) == {"length": length}
        assert shown("corridor", "--preset", name, cwd=folder) == {"length": length}
    home = copy_of_the_project("preset-paths")
    (home / "config/below").mkdir()
    (home / "config/below/x.yml").write_text("length: 50\n")
    assert shown("corridor", "--preset", "config/below/x.yml", env=environment(LUDUS_HOME=home)) == {"length": 50}
    fails(3, "there is no preset 'none.yml'", "config", "corridor", "--preset", "none.yml")
    fails(2, "ends with .ini", "config", "corridor", "--preset", folder / "far.txt")
    fails(4, "far.yml:2", "config", "corridor", "--preset", presets(far_yml="length: [1\n") / "far.yml")


@test
def presets_import_presets():
    folder = presets(
        own_yml="import: [first, second.json]\nlength: 11\n",
        first_yml="import: third\nlength: 12\nlimit: 22\neval.against: [random]\n",
        second_json='{"length": 13, "limit": 23, "net": {"hidden": 33}, "eval.against": ["walker"]}',
        third_ini="limit = 24\nnet.hidden = 34\n[train]\nhorizon = 44\n")
    got = shown("corridor", "--preset", folder / "own.yml")
    assert got == {"length": 11, "limit": 22, "net.hidden": 34, "train.horizon": 44, "eval.against": ["random"]}, got
    assert shown("corridor", "--preset", folder / "second.json", "--preset", folder / "third.ini")["net.hidden"] == 34
    assert shown("corridor", "--preset", folder / "own.yml", "--length", 7)["length"] == 7
    # the file of an error is named, and what is imported may be of the project
    broken = presets(a_yml="import: b\n", b_yml="lenght: 3\n")
    fails(2, "b.yml:1", "config", "corridor", "--preset", broken / "a.yml")
    assert shown("prospector", "--preset", presets(a_yml="import: prospector-short\n") / "a.yml")["time_max"] == 2500
    fails(3, "no preset 'nowhere'", "config", "corridor", "--preset", presets(a_yml="import: nowhere\n") / "a.yml")
    for text in ("import: a\n", "import: [b, b]\n"):
        round_trip = presets(a_yml=text, b_yml="import: [a, a]\n")
        fails(6, "import itself", "config", "corridor", "--preset", round_trip / "a.yml")


@test
def a_preset_names_its_game():
    folder = presets(nh_yml="env:\n  name: NhEnv\n  num_envs: 3\n", other_yml="import: nh\nenv: {name: corridor}\nlength: 12\n",
                     wrong_yml="env.name: Chess\n", plain_yml="net.hidden: 8\n")
    assert shown("--preset", folder / "nh.yml") == {"env.name": "NhEnv", "train.environments": 3}
    assert shown("--preset", folder / "other.yml")["length"] == 12
    assert shown("corridor", "--preset", folder / "other.yml")["length"] == 12
    assert shown("--env-name", "DharokEnv", "--ticks-max", "9") == {"env.name": "DharokEnv", "ticks_max": 9}
    fails(2, "is for duel-v1, not for cartpole-v1", "train", "cartpole", "--preset", folder / "nh.yml")
    fails(3, "there is no game 'Chess'", "config", "corridor", "--preset", folder / "wrong.yml")
    fails(2, "needs a game", "train", "--preset", folder / "plain.yml")
    fails(3, "there is no game 'Nhenv'", "train", "--env-name", "Nhenv")
    # by its plain name a game is the variant that the preset names
    assert ludus("config", "craft", "--preset", "craft-boots-life-res").out.startswith("craft-look-v1 ")
    fails(2, "is for craft-look-v1, not for craft-v1", "config", "craft-v1", "--preset", "craft-boots-life-res")
    fails(2, "is not the game named here:", "train", "corridor", "--env-name", "NhEnv")
    # a verb that does not train takes the game too
    assert "of 12" in ludus("watch", "--preset", folder / "other.yml", "--fast").out


@test
def what_trains_takes_the_preset_of_its_game():
    def settings(*words):
        return {row["key"]: row["value"] for row in ludus("config", *words, "--training", "--json").json()["settings"]}
    # config shows what train would train with, by preset and profile
    assert [settings("cartpole")[key] for key in ("train.environments", "train.epochs", "net.hidden")] == [4, 4, 64]
    assert settings("cartpole", "--preset", "none")["train.environments"] == 1024
    shown = ludus("config", "cartpole", "--training", "--show-origin").out
    assert "default: profile classic" in shown and "default: default" not in shown
    assert ludus("config", "potion", "--training").out.startswith("potion-look-v1 ")
    assert ludus("config", "potion").out.startswith("potion-v1 ")

    def told(*words):
        return ludus("train", "cartpole", *words, "--steps", 64, "--set", "eval.on=false", "--out", WORK / "runs-preset").out.split("\n")[0]
    assert told() == told("--algo", "ppo") == "preset: cartpole-classic; --preset none uses the default settings"
    assert told("--algo", "dqn") == "preset: none; cartpole-classic is for another algorithm"
    assert told("--preset", "cartpole-dqn") == "preset: cartpole-dqn" and told("--preset", "none") == "preset: none"
    start = ludus("train", "cartpole", "--preset", "cartpole-dqn", "--steps", 64, "--set", "eval.on=false", "--out",
                  WORK / "runs-preset", "--json").lines()[0]
    assert start["preset"] == "cartpole-dqn", start
    out = ludus("ablate", "cartpole", "--terms", "step", "--train-seeds", 1, "--seeds", "1..2", "--steps", 512, "--out", WORK / "ablate-preset").out
    assert out.startswith("preset: cartpole-classic;"), out


@test
def sections_are_flattened():
    folder = presets(
        a_yml="env: {num-envs: 9, length: 12}\nppo: {learning-rate: 3e-4, n_steps: 5, gae-lambda: 0.5, normalize-advantages: no}\n"
              "self_play: {}\nbatch-size: 16\n",
        b_yml="ppo: {n_steps: 5}\ntrain: {horizon: 6}\n", c_yml="ppo: {n_stepz: 5}\n")
    got = shown("corridor", "--preset", folder / "a.yml")
    assert got == {"train.environments": 9, "length": 12, "train.rate": 3e-4, "train.horizon": 5, "train.lambda": 0.5,
                   "train.normalise_advantage": "none", "train.minibatch": 16}, got
    fails(4, "given twice", "config", "corridor", "--training", "--preset", folder / "b.yml")
    fails(2, "unknown setting 'ppo.n_stepz'", "config", "corridor", "--training", "--preset", folder / "c.yml")
    # of a file of settings alone everything is asked as it is spelt
    fails(2, "unknown setting 'env.num-envs'", "config", "corridor", "--training", "--config", folder / "a.yml")


@test
def the_presets_of_nh_hold_the_numbers_of_the_brief():
    core = {"env.name": "NhEnv", "train.environments": 100, "train.rate": 3e-4, "train.horizon": 1024, "train.minibatch": 64,
            "train.epochs": 10, "self_play.strategy": "past", "league.size": 20}
    assert shown("--preset", ROOT / "config/nh/core.yml") == core
    assert shown("--preset", "config/nh/prioritized-past-self-play.yml") == {**core, "run.window_env_steps": 102400}


@test
def a_preset_of_nh_trains_as_it_stands():
    small = ["--num-envs", "8", "--n-steps", "16", "--total-timesteps", "384", "--set", "net.hidden=16", "--set", "eval.on=false",
             "--set", "run.window_env_steps=128"]
    for name in ("core", "prioritized-past-self-play"):
        end = ludus("train", "--preset", f"config/nh/{name}.yml", "--experiment", name, "--out", WORK / "nh/runs", *small, "--json").lines()[-1]
        assert end["status"] == "finished", end
        assert (WORK / "nh/experiments" / name / "config.yml").read_text().splitlines()[1] == "env.name: duel-v1"


@test
def the_presets_of_duel_train():
    small = ["--num-envs", "8", "--n-steps", "16", "--batch-size", "64", "--total-timesteps", "384", "--set", "net.hidden=16", "--set",
             "net.head_hidden=8", "--set", "eval.on=false", "--set", "run.window_env_steps=128", "--out", WORK / "duel/runs", "--json"]
    names = sorted(path.stem for path in (ROOT / "games/duel/presets").iterdir())
    assert names == DUEL, names
    for name in names:
        heads = ["--set", "net.heads=autoregressive"] if name == "exchange" else []  # the others have them in series
        lines = ludus("train", "duel", "--preset", name, *small, *heads).lines()
        assert lines[-1]["status"] == "finished" and sum(line["event"] == "update" for line in lines) == 3, lines[-1]
    core = shown("duel", "--preset", "core")
    assert [core[key] for key in ("train.environments", "train.horizon", "train.minibatch", "train.epochs", "train.rate", "train.gamma",
                                  "train.lambda", "net.hidden", "net.head_hidden", "randomize_gear", "reward.mode")] == [
        100, 1024, 2048, 1, 3e-4, 0.995, 0.95, 512, [128, 128], True, "main"], core
    # as many parameters as the reference's policy and critic
    start = ludus("train", "duel", "--preset", "core", *small[:6], "--total-timesteps", "128", "--set", "eval.on=false", "--out",
                  WORK / "duel/runs", "--json").lines()[0]
    assert start["parameters"] == 1774894, start
    exploiters = [[shown("duel", "--preset", name)[f"league.{kind}_exploiters"] for kind in ("main", "league")]
                  for name in ("prioritized-past-self-play", "past-self-play-with-adversary")]
    assert exploiters == [[1, 1], [2, 1]], exploiters
    human = shown("duel", "--preset", "human-like")
    assert (human["self_play.pure"], human["self_play.past"], human["self_play.latest"]) == (0.1, 0.8, 0.1)
    assert human["reward.protected_previous_wrong_prayer"] == -0.012 and human["train.gamma"] == 0.995


@test
def other_names_set_settings():
    values = {"normalize_advantages": ("no", "none"), "share_feature_extractor": ("yes", "shared"),
              "optimize_old_models": ("true", 1), "add_win_rate_extension": ("true", True), "stack_frames": ("0,2", [0, 2]), "autoregressive_actions": ("yes", "autoregressive"), "normalize_rewards": ("false", False),
              "normalize_observations": ("false", False), "include_target_obs_in_critic": ("false", False),
              "precision": ("bf16", "bf16"), "learning_rate": ("3e-4", 3e-4), "experiment": ("X", "X"),
              "past_self_play_experiment": ("X", "X"), "latest_self_play_experiment": ("X", "X"),
              "experiment_name": ("X", "X"), "target": ("X", ["X"]), "early_stopping": ("won > 0.9", "won > 0.9"),
              "noise_generator": ("hp:0.1", "hp:0.1"), "action_mask_override": ("X", ["X"]), "past_self_override_env_kwargs": ('{"build":"MED"}', {"build": "MED"}),
              "latest_self_override_env_kwargs": ('{"build":"MED"}', {"build": "MED"}), "main_exploiter_preset": ("X", "X"), "league_exploiter_preset": ("X", "X"),
              "experiment_description": ("X", "X"), "custom_reward_function": ("default*2", "default*2"), "eval_override_env_kwargs": ('{"build":"MED"}', {"build": "MED"}), "num_eval_agent": ("8", 8), "name": ("X", "X"), "account_build": ("MED", "MED")}
    names = [row for row in ludus("settings", "--aliases", "--json").json()["settings"]
             if row["module"] in ("other names of train", "duel-v1")]
    assert len(names) > 40 and all(row["type"] == "alias" for row in names)
    # none takes the name of a setting of duel or of training, be it with other signs between its words; to one of another game it gives way
    keys = {re.sub("[.-]", "_", row["key"]) for row in ludus("settings", "--json").json()["settings"]
            if row["type"] != "alias" and (row["module"] in ("ludus train", "ludus config") or " " not in row["module"] and not row["module"].startswith("craft"))}
    assert not [row["key"] for row in names if row["module"] != "duel-v1" and re.sub("[.-]", "_", row["key"]) in keys]
    for row in names:
        given, wanted = values.get(row["key"], ("1", 1))
        flag = "--" + re.sub("[._]", "-", row["key"])
        assert shown("duel", f"{flag}={given}") == {row["default"]: wanted}, row
        given = given if given[0] == "{" else f'"{given}"'
        assert shown("duel", "--preset", file("one.json", f'{{"{row["key"]}": {given}}}')) == {row["default"]: wanted}, row
    assert shown("duel", "--normalize-rewards", "false", "--death-match", "false") == {"train.normalise_return": False, "death_match": False}
    fails(2, "takes no value", "config", "duel", "--no-normalize-rewards", "true")
    assert shown("duel", "--no-normalize-advantages") == {"train.normalise_advantage": "none"}
    assert shown("duel", "--normalize-advantages") == {"train.normalise_advantage": "minibatch"}
    assert shown("duel", "--reward-damage-dealt", "0.1", "--reward-ko", "2") == {"reward.damage_dealt": 0.1, "reward.win": 2}
    fails(2, "under two names", "config", "duel", "--reward-ko", "2", "--win-reward", "1")
    fails(2, "did you mean '--learning_rate'", "train", "duel", "--learning-rat", "1")
    assert shown("duel", "--preset", file("camel.json", '{"env": {"deathMatch": true, "accountBuild": "MED"}}')) == {"death_match": True, "build": "MED"}
    fails(2, "unknown setting 'deathMach' in env.kwargs:1; did you mean 'death_match'?", "train", "duel", "--env-kwargs", '{"deathMatch": true, "deathMach": true}')
    fails(2, "did you mean '--n_steps'", "train", "duel", "--ppo.n_step", "1")
    fails(2, "did you mean 'n_steps'", "train", "duel", "--set", "n-step=1")
    fails(2, "did you mean 'num_envs'", "train", "duel", "--preset", file("env.json", '{"env": {"num-env": 5}}'))
    assert shown("duel", "--target", "bot:baseline") == {"self_play.targets": ["bot:baseline"]}
    assert list(shown("craft", "--target", '{"must_have_groups":["life"]}')) == ["target"]
    # as JSON and the reference write them
    assert shown("duel", "--stack-frames", "[0, 2]", "--fight-type", "LMS") == {"net.frames": [0, 2], "fight_type": "lms"}
    assert games()  # each of them still makes its table


@test
def weights_may_be_products():
    def weights(*words):
        return {key[7:]: value for key, value in shown("duel", *words).items() if key.startswith("reward.") and key != "reward.mode"}

    for given, weight in (("true", 0.25), ("false", 0), ("0.5", 0.5), ("1", 1), ("linear(1,0)", "linear(1,0)")):
        assert weights("--reward-heals", given, "--damage-received-reward-scale", "-0.25")["heals"] == weight, given
        assert weights("--preset", file("heals.json", '{"env": {"reward-heals": "%s"}}' % given), "--reward-mode", "main")["heals"] == weight
    fails(2, "'reward_heals' and 'reward.heals' set the same weight", "config", "duel", "--reward-heals", "true", "--set", "reward.heals=1")
    fails(2, "'reward.heals'", "config", "duel", "--reward-heals", "maybe")
    assert weights("--penalize-target-heals", "--damage-dealt-reward-scale", "0.25") == {"damage_dealt_scale": 0.25, "target_heals": -0.25}
    assert weights("--smite-damage-received-reward-multiplier", "0.1", "--reward-mode", "main") == {"smite_damage_received": -0.025}
    assert weights("--smite-damage-dealt-reward-multiplier", "0.5", "--damage-dealt-reward-scale", "linear(1,0)")["smite_damage_dealt"] == "1*(0.5)*(linear(1,0))"
    assert weights("--player-wasted-food-multiplier", "5", "--reward-mode", "main") == {"wasted_food": -1.25}
    assert weights("--penalize-wasted-food", "false", "--reward-mode", "main") == {"wasted_food": 0}
    assert weights("--player-died-with-food-multiplier", "2", "--penalize-food-on-death", "false", "--reward-mode", "main") == {
        "died_with_food": 0, "target_died_with_food": 0.5}
    assert weights("--preset", file("safe.json", '{"safe-penalty": 0.5}')) == {"safe": -0.5}
    fails(2, "'safe_penalty' and 'reward.safe' set the same weight", "config", "duel", "--safe-penalty", "1", "--reward-safe", "1")
    fails(2, "games with the term safe, which prospector does not have", "config", "prospector", "--safe-penalty", "1")


@test
def exploiters_are_whether_and_how_many():
    def league(*words):
        return {key[7:-11]: value for key, value in shown("duel", *words).items() if key.startswith("league.") and key.endswith("exploiters")}

    two = ["--preset", "past-self-play-with-adversary"]
    for words, number in (([], 2), (["--train-main-exploiter"], 2), (["--no-train-main-exploiter"], 0),
                          (["--train-main-exploiter", "true", "--num-main-exploiters", "3"], 3),
                          (["--num-main-exploiters", "3", "--train-main-exploiter", "false"], 0)):
        assert league(*two, *words) == {"main": number, "league": 1}, words
    assert league("--train-league-exploiter", "--train-main-exploiter", "false") == {"league": 1}
    path = file("many.yml", "train-league-exploiter: true\nnum-league-exploiters: 2\n")
    assert league("--preset", path) == {"league": 2}
    assert league("--preset", path, "--no-train-league-exploiter") == {"league": 0}


@test
def nets_may_be_given_by_layers():
    def net(*words):
        return {key[4:]: value for key, value in shown("duel", *words).items() if key.startswith("net.")}

    three = '{"layers":[{"size":64,"activation":"tanh","repeat":2},{"size":64}]}'
    trunk = {"hidden": 64, "layers": 3, "activation": "tanh"}
    assert net("--actor", three) == trunk
    assert net("--actor", three, "--critic", three, "--action-heads", '[{"size":32},16]') == {
        **trunk, "critic": "separate", "heads": "autoregressive", "head_hidden": [32, 16]}
    assert net("--feature-extractor", "[64,64]", "--actor", "[64]", "--critic", "[64]") == {"hidden": 64, "layers": 3, "critic": "separate"}
    assert net("--policy-kwargs", '{"autoregressive-actions":true,"append_future_action_masks":false}') == {"heads": "autoregressive"}
    assert shown("duel", "--preset", "core", "--action-heads", "{}", "--policy-kwargs", '{"autoregressive_actions":false}')["net.heads"] == "independent"
    assert net("--actor", "{}", "--action-heads", "{}", "--critic", '{"layers":[]}', "--feature-extractor", "{}") == {}
    for words, said in ((["--actor", "[64,32]"], "one width"), (["--actor", three, "--critic", "[64]"], "layers, 3 of 64 (tanh)"),
                        (["--actor", '[{"size":4,"dropout":0.1}]'], "'actor': 'dropout' has no counterpart"),
                        (["--actor", '[{"size":4,"activation":"gelu"}]'], "relu or tanh"), (["--actor", "[0]"], "1 to 4096"),
                        (["--actor", '[{"size":4,"repeat":17}]'], "at most 16"), (["--actor", "[64.5]"], "1 to 4096"), (["--actor", "[[64]]"], "1 to 4096"), (["--actor", "3"], "it must be"),
                        (["--action-heads", '[{"size":4,"activation":"tanh"}]'], "activation of the policy"),
                        (["--policy-kwargs", '{"normalize-autoregressive-actions":true}'], "set it to false"),
                        (["--policy-kwargs", '{"lstm":true}'], "'policy_kwargs': 'lstm' has no counterpart"),
                        (["--policy-kwargs", '{"autoregressive_actions":1}'], "is true or false")):
        fails(2, said, "config", "duel", "--training", *words)
    fails(2, "'actor' asks for 'net.hidden' = 64, and it is set to 32", "config", "duel", "--actor", "[64]", "--net.hidden", "32")
    # a file as the reference has them, down to the settings of its game
    path = presets(reference_yml="env-name: NhEnv\nnum-envs: 8\nnum-rollout-steps: 16\nbatch-size: 64\nactor:\n  layers:\n"
                                 "    - {size: 32, activation: relu, repeat: 2}\ncritic:\n  layers:\n    - size: 32\n      repeat: 2\n"
                                 "action-heads: {layers: [{size: 16}]}\nenv-kwargs:\n  reset-params: {randomizeBuild: true, randomBuildOptions: [PURE, MED], allow-smite: false}\n"
                                 "add-win-rate-extension: true\n") / "reference.yml"
    end = ludus("train", "--preset", path, "--total-timesteps", "256", "--set", "eval.on=false", "--out", WORK / "layers", "--json").lines()[-1]
    kept = json.loads((Path(end["folder"]) / "run.json").read_text())["settings"]
    assert [kept[key]["value"] for key in ("net.hidden", "net.head_hidden", "net.critic", "random_build_options", "allow_smite")] == [
        "32", "16", "separate", "PURE,MED", "false"]
    kwargs = '{"resetParams": {"randomBuildOptions": ["PURE", "MED"], "deathMatch": false}}'
    got = shown("duel", "--env-kwargs", kwargs)
    assert (got["random_build_options"], got["death_match"]) == ("PURE,MED", False), got


@test
def a_model_may_be_an_option():
    model = ROOT / "models/potion-look-v1.safetensors"
    words = ["--episodes", "1", "--json"]
    told = ludus("eval", model, *words).json()
    for option in ("--model", "--model-path"):
        assert ludus("eval", option, model, *words).json()["return"] == told["return"]
    assert ludus("eval", model, "--num-episodes", "1", "--deterministic", "--json").json()["greedy"]
    fails(2, "needs a MODEL", "eval", "--episodes", "1")
    fails(2, "given twice", "eval", model, "--model", model)


@test
def a_game_by_its_plain_name_trains_the_variant_that_learns():
    small = ["--steps", "512", "--set", "train.environments=16", "--set", "train.horizon=32", "--set", "train.minibatch=256",
             "--set", "net.hidden=16", "--set", "eval.on=false", "--out", WORK / "variants"]
    for words, game in ((["potion"], "potion-look-v1"), (["potion-v1"], "potion-v1"), (["potion", "--algo", "ppo"], "potion-v1")):
        result = ludus("train", *words, *small)
        assert f"{game} by ppo" in result.out, (words, result.out)
        assert ("this takes potion-look-v1" in result.err) == (words == ["potion"]), (words, result.err)
