"""Environments for PufferLib that write directly to its buffers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pufferlib

from ludus.batch import Array, Vector
from ludus.env import action_space, observation_space
from ludus.game import Settings, spec


class PufferEnv(pufferlib.PufferEnv):  # type: ignore[misc,unused-ignore]
    """Many environments of a variant as one PufferLib environment, for its vectorisation and trainer.

    Every seat is an agent. An environment that ends is reset in the same step. The log of an
    episode has its return, its length and the game's numeric infos.
    """

    def __init__(
        self,
        game: str = "prospector-v1",
        num_envs: int = 1,
        *,
        settings: Settings | None = None,
        threads: int = 1,
        log_interval: int = 128,
        render_mode: str = "ansi",
        buf: Any = None,
        seed: int = 0,
    ) -> None:
        """`buf` and `seed` are what PufferLib's vectorisation gives."""
        self.game = spec(game)
        self.single_observation_space = observation_space(self.game)
        self.single_action_space = action_space(self.game)
        self.num_agents = num_envs * self.game.seats
        self.render_mode, self.log_interval, self.tick = render_mode, log_interval, 0
        super().__init__(buf)
        shared = {"observation": self.observations, "reward": self.rewards}
        self.vector = Vector(game, num_envs, settings=settings, threads=threads, seed=seed, buffers=shared)
        self.returns = np.zeros(self.num_agents, np.float64)
        self.lengths = np.zeros(self.num_agents, np.int64)
        self.ended: list[dict[str, float]] = []

    def reset(self, seed: int | None = None) -> tuple[Array, list[dict[str, float]]]:
        """Starts episode 0 of every environment."""
        self.vector.reset(seed)
        self.returns[:], self.lengths[:] = 0.0, 0
        return self.observations, []

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, list[dict[str, float]]]:
        """One decision of every agent."""
        vector, seats = self.vector, self.game.seats
        vector.step(np.asarray(actions).reshape(vector.actions.shape))
        self.terminals[:] = vector.terminated.repeat(seats)
        self.truncations[:] = vector.truncated.repeat(seats)
        self.returns += self.rewards
        self.lengths += 1
        for row in np.flatnonzero(self.terminals | self.truncations):
            log = {
                "episode_return": float(self.returns[row]),
                "episode_length": float(self.lengths[row]),
            }
            log.update(self._infos(int(row)))
            self.ended.append(log)
            self.returns[row], self.lengths[row] = 0.0, 0
        self.tick += 1
        given: list[dict[str, float]] = []
        if self.tick % self.log_interval == 0 and self.ended:
            names = self.ended[0].keys()
            given = [{n: float(np.mean([one[n] for one in self.ended])) for n in names}]
            given[0]["n"] = float(len(self.ended))
            self.ended = []
        return self.observations, self.rewards, self.terminals, self.truncations, given

    def _infos(self, row: int) -> dict[str, float]:
        kinds = zip(self.game.infos, self.game.info_kinds, strict=True)
        values = self.vector.final_infos[row].tolist()
        return {
            name: value
            for (name, kind), value in zip(kinds, values, strict=True)
            if kind in ("real", "count", "flag")
        }

    def render(self) -> str:
        """The board of the first environment."""
        return self.vector.show(0)

    def close(self) -> None:
        """Nothing to close."""


def env_creator(game: str = "prospector-v1") -> Any:
    """A function that makes the environment, for PufferLib's configuration files."""

    def make(**words: Any) -> PufferEnv:
        return PufferEnv(game, **words)

    return make
