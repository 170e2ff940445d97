"""Multiplayer games as PettingZoo parallel environments: every seat is an agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.utils import seeding
from pettingzoo import ParallelEnv

from ludus import _native
from ludus.batch import Array
from ludus.env import Arrays, action_space, check_render_mode, observation_space
from ludus.game import Settings, as_json, as_seed, put, spec
from ludus.render import picture


class LudusParallelEnv(ParallelEnv[str, Array, Any]):  # type: ignore[misc,unused-ignore]
    """A multiplayer game: agents are seat_0, seat_1, ... and act simultaneously. Masks are in `infos`
    and returned by `action_mask`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["ansi", "rgb_array"],
        "name": "ludus",
        "is_parallelizable": True,
    }

    def __init__(
        self,
        game: str = "duel-v1",
        *,
        settings: Settings | None = None,
        render_mode: str | None = None,
    ) -> None:
        """See the class."""
        self.game = spec(game)
        self.metadata = {**type(self).metadata, "name": self.game.id}
        check_render_mode(self.metadata, render_mode)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{i}" for i in range(self.game.seats)]
        self.agents: list[str] = []
        self._episode = _native.Episode(self.game.id, as_json(settings), "")
        self._arrays = Arrays(self.game, self._episode)
        self._generator, _ = seeding.np_random(None)
        self.observation_spaces = {a: observation_space(self.game) for a in self.possible_agents}
        self.action_spaces = {a: action_space(self.game) for a in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """An agent's space; always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """An agent's space; always the same object."""
        return self.action_spaces[agent]

    def _seen(self) -> dict[str, Any]:
        return dict(zip(self.possible_agents, self._arrays.observation.copy(), strict=True))

    def _infos(self, illegal: int) -> dict[str, dict[str, Any]]:
        return {
            agent: self._arrays.info_of(self.game, seat, bool(illegal >> seat & 1))
            for seat, agent in enumerate(self.possible_agents)
        }

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Starts an episode, with this seed or one drawn by the environment's generator. Options that
        the game does not have are ignored, as PettingZoo's own test requires.
        """
        known = self.game.whole["options"].get("properties", {})
        wishes = {key: value for key, value in (options or {}).items() if key in known}
        if seed is not None:
            self._generator, _ = seeding.np_random(seed)
        own = seed if seed is not None else int(self._generator.integers(2**63))
        self._episode.reset(own, as_json(wishes) if wishes else None)
        self.agents = list(self.possible_agents)
        return self._seen(), self._infos(0)

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """One decision of every agent."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        for seat, agent in enumerate(self.possible_agents):
            if agent not in actions:
                raise ValueError(f"the action of {agent} is missing")
            put(self._arrays.actions[seat], actions[agent], f"the action of {agent}")
        terminated, truncated, illegal, _, _ = self._episode.step()
        rewards = dict(zip(self.possible_agents, self._arrays.reward.tolist(), strict=True))
        ended = {agent: bool(terminated) for agent in self.possible_agents}
        cut = {agent: bool(truncated) for agent in self.possible_agents}
        if terminated or truncated:
            self.agents = []
        return self._seen(), rewards, ended, cut, self._infos(illegal)

    def action_mask(self, agent: str) -> Array:
        """An agent's options that are legal before dependencies between heads."""
        return np.array(self._arrays.mask[self.possible_agents.index(agent)], np.int8)

    def sample(self, seed: int) -> dict[str, Any]:
        """Random legal actions; dependencies between heads are respected."""
        self._episode.draw(as_seed(seed))
        rows = self._arrays.actions.astype(np.int64)
        one = len(self.game.heads) == 1
        return {a: int(r[0]) if one else r for a, r in zip(self.possible_agents, rows, strict=True)}

    def render(self) -> Any:
        """The board of the first seat."""
        if self.render_mode is None:
            return None
        board = self._episode.show(0)
        return board if self.render_mode == "ansi" else picture(board)

    def close(self) -> None:
        """Ends the episode."""
        self.agents = []


def parallel_env(game: str = "duel-v1", **words: Any) -> LudusParallelEnv:
    """Makes one, under PettingZoo's usual name."""
    return LudusParallelEnv(game, **words)
