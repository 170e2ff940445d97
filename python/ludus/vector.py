"""Vector environments for gymnasium: `ludus.Vector` with gymnasium's interface, all three autoreset
modes, and no copies unless asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from ludus.batch import Array, Autoreset, Vector
from ludus.env import action_space, check_render_mode, observation_space
from ludus.game import Settings, as_seed, spec
from ludus.render import picture

_MODES: dict[AutoresetMode, Autoreset] = {
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.DISABLED: "disabled",
}


class LudusVectorEnv(gymnasium.vector.VectorEnv[Array, Array, Array]):
    """Many environments of a variant: `gymnasium.make_vec("ludus/prospector-v1", num_envs=1024)`.

    In a multiplayer game every seat is an environment (self-play): `num_envs` is a multiple of
    the seats. `reset` and `step` return the environments' own arrays, which the next call
    overwrites; `copy=True` returns copies. `info` has `action_mask` and, for an episode that ended
    in this step under SAME_STEP, `final_obs` and `final_info` (rows where `_final_obs` is true);
    with `infos=True` also `infos` and `terms`, rows x names of `self.game.infos` and `.terms`.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        settings: Settings | None = None,
        threads: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = False,
        infos: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """See the class; `threads` 0 is one per processor."""
        mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": ["ansi", "rgb_array"], "autoreset_mode": mode}
        check_render_mode(self.metadata, render_mode)
        self.render_mode, self.copy = render_mode, copy
        self.game = spec(game)
        if num_envs < 1 or num_envs % self.game.seats:
            raise ValueError(f"{game}: num_envs must be a positive multiple of {self.game.seats}, its seats")
        self.num_envs = num_envs
        self._mode = mode
        self._ends = mode is AutoresetMode.SAME_STEP
        self.vector: Any = self._make(
            game, num_envs // self.game.seats, settings, threads, _MODES[mode], infos
        )
        self.single_observation_space = observation_space(self.game)
        self.single_action_space = action_space(self.game)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._infos = infos

    def _make(
        self,
        game: str,
        environments: int,
        settings: Settings | None,
        threads: int,
        mode: Autoreset,
        infos: bool,
    ) -> Any:
        """What is stepped: a `Vector`, or what has its names (`ludus.remote`)."""
        return Vector(
            game,
            environments,
            settings=settings,
            threads=threads,
            autoreset=mode,
            infos=infos,
            terms=infos,
            finals=mode == "same_step",
        )

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | Array | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Array, dict[str, Any]]:
        """Starts new episodes: all, or those where `options["reset_mask"]` is true. A number seeds
        the vector, a list gives each environment its seed (None: drawn).
        """
        wishes = dict(options or {})
        mask = wishes.pop("reset_mask", None)
        given: Settings | None = wishes if wishes or (options is not None and mask is None) else None
        own, each = self._seeds_of(seed)
        if mask is None:
            self.vector.reset(own, given)
            if each:
                self.vector.reset_some(range(len(each)), each)
        else:
            chosen = np.asarray(mask, np.bool_)
            if chosen.shape != (self.num_envs,) or not chosen.any():
                raise ValueError(f"reset_mask must hold {self.num_envs} flags, and not all of them false")
            which = np.flatnonzero(chosen.reshape(-1, self.game.seats).any(1)).tolist()
            first = None if seed is None else [own + i for i in which]
            self.vector.reset_some(which, [each[i] for i in which] if each else first, given)
        return self._given(self.vector.observations), self._info()

    def _seeds_of(self, seed: Any) -> tuple[int, list[int]]:
        """The seed of the vector, and those of its environments where a list gives them."""
        if seed is None or isinstance(seed, (int, np.integer)):
            if seed is None:
                return int(self.np_random.integers(2**63)), []
            super().reset(seed=int(seed))
            return int(seed), []
        given = list(seed)
        if len(given) != self.num_envs:
            raise ValueError(f"seed is a number or {self.num_envs} of them, not {len(given)}")
        if None not in given:  # equal lists are equal play, the episodes behind the first ones included
            words = np.random.SeedSequence([as_seed(one) for one in given]).generate_state(1)
            super().reset(seed=int(words[0]))
        each = given[:: self.game.seats]
        each = [int(self.np_random.integers(2**63)) if one is None else int(one) for one in each]
        return int(self.np_random.integers(2**63)), each

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """One decision of every environment."""
        vector = self.vector
        vector.step(actions)
        ended, cut = vector.terminated, vector.truncated
        if self.game.seats > 1:
            ended, cut = ended.repeat(self.game.seats), cut.repeat(self.game.seats)
        info = self._info()
        if self._ends:
            done = ended | cut
            if done.any():
                info["final_obs"] = self._given(vector.final_observations)
                info["_final_obs"] = done
                if len(vector.final_infos):
                    info["final_info"] = {"infos": self._given(vector.final_infos)}
                    info["_final_info"] = done
        give = self._given
        return give(vector.observations), give(vector.rewards), give(ended), give(cut), info

    def _given(self, array: Array) -> Array:
        return array.copy() if self.copy else array

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self._given(self.vector.masks)}
        if self._infos:
            info["infos"] = self._given(self.vector.infos)
            info["terms"] = self._given(self.vector.terms)
            info["illegal"] = self._given(self.vector.illegal)
        return info

    def action_masks(self) -> Array:
        """Options that are legal before dependencies between heads, a row per environment."""
        return np.array(self.vector.masks, np.bool_)

    def render(self) -> Any:
        """A board per environment."""
        if self.render_mode is None:
            return None
        boards = [self.vector.show(i // self.game.seats, i % self.game.seats) for i in range(self.num_envs)]
        return tuple(boards if self.render_mode == "ansi" else map(picture, boards))
