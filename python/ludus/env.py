"""One environment for gymnasium: any variant, one learning seat, opponents in the others."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from ludus import _native
from ludus.batch import Array
from ludus.game import Settings, Spec, as_json, as_seed, put, spec
from ludus.render import picture


def observation_space(one: Spec) -> spaces.Box:
    """A Box with the range of every number; a constant gets a range too, since gymnasium's checker
    reports an empty one as a mistake.
    """
    low, high = one.bounds()
    high = np.where(high > low, high, low + 1).astype(np.float32)
    return spaces.Box(low, high, dtype=np.float32)


def action_space(one: Spec) -> spaces.Discrete[Any] | spaces.MultiDiscrete:
    """Discrete for one head, MultiDiscrete for several."""
    if len(one.heads) == 1:
        return spaces.Discrete(one.heads[0])
    return spaces.MultiDiscrete(np.array(one.heads, np.int64))


def check_render_mode(metadata: Mapping[str, Any], render_mode: str | None) -> None:
    """Refuses render modes that do not exist."""
    modes = metadata["render_modes"]
    if render_mode is not None and render_mode not in modes:
        raise ValueError(f"render_mode is {', '.join(modes)} or None, not {render_mode!r}")


class Arrays:
    """The arrays that an episode writes to, a row per seat."""

    def __init__(self, one: Spec, episode: _native.Episode) -> None:
        """Makes them and binds them."""
        seats = one.seats
        self.actions = np.zeros((seats, len(one.heads)), np.int32)
        self.observation = np.zeros((seats, one.observation_length), np.float32)
        self.mask = np.zeros((seats, one.mask_length), np.uint8)
        self.reward = np.zeros((seats,), np.float64)
        self.terms = np.zeros((seats, len(one.terms)), np.float64)
        self.info = np.zeros((seats, len(one.infos)), np.float64)
        episode.bind(vars(self))

    def info_of(self, one: Spec, seat: int, illegal: bool) -> dict[str, Any]:
        """`info` of a seat."""
        return info_of(one, self.mask[seat], self.info[seat], self.terms[seat], illegal)


def info_of(one: Spec, mask: Array, infos: Array, terms: Array, illegal: bool) -> dict[str, Any]:
    """`info` of one row: the mask, infos and terms by name, and whether the action was illegal."""
    named = zip(one.infos, one.info_kinds, infos.tolist(), strict=True)
    return {
        "action_mask": mask.astype(np.int8),
        "illegal": illegal,
        "infos": {n: int(v) if k in ("count", "flag") else v for n, k, v in named},
        "terms": dict(zip(one.terms, terms.tolist(), strict=True)),
    }


class LudusEnv(gymnasium.Env[Array, Any]):
    """A variant as a gymnasium environment: `gymnasium.make("ludus/prospector-v1")`.

    `settings` and `reset(options=...)` are those of the command line. In a multiplayer game
    `seat` is the one that learns, and `opponent` plays the others: a bot's name, a model file, a
    run (`latest`, `RUN:best`), or None for the strongest bot. `reward` takes a calculator of
    `ludus.reward` instead of the built-in sum of terms.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        *,
        settings: Settings | None = None,
        opponent: str | None = None,
        seat: int = 0,
        runs: str = "",
        reward: Any = None,
        render_mode: str | None = None,
        scale: int = 1,
    ) -> None:
        """See the class; `runs` is the folder in which runs are looked for."""
        check_render_mode(self.metadata, render_mode)
        self.game = spec(game)
        if not 0 <= seat < self.game.seats:
            raise ValueError(f"{self.game.id} has seats 0 to {self.game.seats - 1}, not {seat}")
        self.seat, self.render_mode, self.scale = seat, render_mode, scale
        self.observation_space = observation_space(self.game)
        self.action_space = action_space(self.game)
        self.calculator = reward
        self._episode = _native.Episode(self.game.id, as_json(settings), "")
        self._arrays = Arrays(self.game, self._episode)
        if self.game.seats > 1:
            if opponent == "person":
                raise ValueError("a person cannot be an opponent: `ludus play` and the site are for people")
            names = [opponent or self.game.strongest] * self.game.seats
            names[seat] = "person"
            self._episode.seat(names, runs or _native.place())
        elif opponent is not None:
            raise ValueError(f"{self.game.id} is single-player: it takes no opponent")

    def reset(
        self, *, seed: int | None = None, options: Settings | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Starts an episode, with this seed or one drawn by the environment's generator."""
        super().reset(seed=seed)
        own = seed if seed is not None else int(self.np_random.integers(2**63))
        wishes = None if options is None else as_json(options) or "{}"
        self._episode.reset(own, wishes)
        if self.calculator is not None:
            self.calculator.reset()
        return self._seen(), self._info(False)

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """One decision of the learning seat; the other seats act simultaneously."""
        if self.game.seats > 1:
            self._episode.act()
        put(self._arrays.actions[self.seat], action, f"an action of {self.game.id}")
        terminated, truncated, illegal, ticks, _ = self._episode.step()
        info = self._info(bool(illegal >> self.seat & 1))
        info["ticks"] = ticks
        reward = float(self._arrays.reward[self.seat])
        if self.calculator is not None:
            reward = float(self.calculator.calculate(info["infos"]))
        return self._seen(), reward, bool(terminated), bool(truncated), info

    def _seen(self) -> Array:
        return np.array(self._arrays.observation[self.seat])

    def _info(self, illegal: bool) -> dict[str, Any]:
        return self._arrays.info_of(self.game, self.seat, illegal)

    def action_masks(self) -> Array:
        """1 for every option that is legal before dependencies between heads, as sb3-contrib expects
        it. With one head this is exact; with several, use `legal`.
        """
        return np.array(self._arrays.mask[self.seat], np.bool_)

    def legal(self, head: int, chosen: Any) -> Array:
        """The legal options of one head, given the choices of the heads before it."""
        heads = np.zeros(len(self.game.heads), np.int32)
        if len(chosen):
            put(heads[: len(chosen)], chosen, "options that were chosen")
        return np.frombuffer(self._episode.legal(self.seat, head, heads), np.uint8) > 0

    def sample(self, seed: int) -> Any:
        """A random legal action; dependencies between heads are respected."""
        self._episode.draw(as_seed(seed))
        action = self._arrays.actions[self.seat]
        return int(action[0]) if len(action) == 1 else action.astype(np.int64)

    def state(self, everything: bool = False) -> dict[str, Any]:
        """The state as the seat sees it; with `everything`, all of it."""
        return dict(json.loads(self._episode.state(-1 if everything else self.seat)))

    def load_state(self, state: dict[str, Any]) -> Array:
        """Sets up a situation written by `state(everything=True)`; returns its observation."""
        self._episode.load(json.dumps(state))
        return self._seen()

    def story(self) -> str:
        """One line about the last step."""
        return self._episode.story()

    def render(self) -> Any:
        """The board as text (ansi) or as a picture of it (rgb_array)."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode: give one to gymnasium.make")
            return None
        board = self._episode.show(self.seat)
        return board if self.render_mode == "ansi" else picture(board, self.scale)
