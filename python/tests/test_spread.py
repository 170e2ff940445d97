"""A training whose batches are played by players elsewhere: the bits of the whole, whoever is lost."""

import json

import pytest

import ludus
import ludus.runs
from ludus import _native

SETTINGS = {
    "train.environments": 16,
    "train.horizon": 16,
    "train.minibatch": 64,
    "train.parts": 4,
    "train.steps": 2048,
    "train.threads": 1,
    "net.hidden": 16,
}


class Players:
    """Two players in this process; the second is lost before every third update."""

    def __init__(self):
        self.players, self.updates = {}, 0

    def collect(self, training):
        if self.updates % 3 == 2:
            self.players.pop(1)
        self.updates += 1
        weights = training.weights()
        for rank in range(2):
            if rank not in self.players:
                self.players[rank] = self.made(training, rank)
            for part, batch, place in self.players[rank].collect(weights):
                training.take(part, batch, place)

    def made(self, training, rank):
        player = _native.Player(training.facts["game"], json.dumps(training.settings()), rank, 2, 1)
        first, count = player.parts()
        for part in range(first, first + count):
            player.stand(part, training.place(part))
        return player


def ended(tmp_path, name, **words):
    words.setdefault("settings", SETTINGS)
    with ludus.Training("cartpole-v1", runs=str(tmp_path), name=name, evaluate=False, **words) as training:
        training.run()
        return training.facts


def test_players_elsewhere_give_the_bits_of_the_whole(tmp_path):
    players = Players()
    spread = ended(tmp_path, "spread", collect=players.collect)
    assert spread["done"] and players.updates == spread["updates"] == 8
    assert spread["hash"] == ended(tmp_path, "whole")["hash"]


def test_a_training_goes_on_in_either_way(tmp_path):
    half = {**SETTINGS, "run.stop_update": 4}
    ended(tmp_path, "first", settings=half, collect=Players().collect)
    ended(tmp_path, "second", settings=half)
    alone = ended(tmp_path, "", resume="first", settings={})
    spread = ended(tmp_path, "", resume="second", settings={}, collect=Players().collect)
    assert alone["done"] and spread["done"] and alone["hash"] == spread["hash"]


def test_what_cannot_be_spread_is_refused(tmp_path):
    for settings, said in (
        ({"algo": "dqn"}, "only ppo trains"),
        ({"train.parts": 4, "train.opponents": "self:1,bot:random:1"}, "there are no opponents"),
    ):
        game = "duel-v1" if "train.opponents" in settings else "cartpole-v1"
        with pytest.raises(ludus.Error, match=said):
            ludus.Training(game, settings=settings, runs=str(tmp_path), evaluate=False, collect=print)
    with pytest.raises(ValueError, match="no rank 2 of 2"):
        _native.Player("cartpole-v1", "{}", 2, 2, 1)
    training = ludus.Training("cartpole-v1", settings=SETTINGS, runs=str(tmp_path), evaluate=False)
    with pytest.raises(RuntimeError, match="only the callback"):
        training.weights()
    training.close()
    player = _native.Player("cartpole-v1", json.dumps(SETTINGS), 0, 2, 1)
    with pytest.raises(ludus.Error, match="aren't a block of weights"):
        player.collect(b"nonsense")
    with pytest.raises(ludus.Error, match="part 3 is not one of this"):
        player.stand(3, b"nonsense")


def test_an_error_of_a_player_ends_the_training(tmp_path):
    def fails(training):
        raise KeyError("gone")

    with pytest.raises(KeyError, match="gone"):
        ended(tmp_path, "fails", collect=fails)
    assert ludus.runs.listed(str(tmp_path))[0]["status"] == "failed"
