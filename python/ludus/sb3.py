"""Vector environments for Stable-Baselines3 and sb3-contrib: many at once, local or on a server.

    from ludus.sb3 import make_vec
    model = MaskablePPO("MlpPolicy", make_vec("prospector-v1", 64))

`address=` uses a server of `ludus.remote`. Without this module, Stable-Baselines3 steps
environments one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv

from ludus.batch import Array
from ludus.vector import LudusVectorEnv


class LudusVecEnv(VecEnv):  # type: ignore[misc,unused-ignore]
    """A `LudusVectorEnv` with Stable-Baselines3's interface. `infos` are empty except at ends of
    episodes: `terminal_observation`, `TimeLimit.truncated` and `episode` (return `r`, length `l`).
    """

    def __init__(self, envs: LudusVectorEnv) -> None:
        """Around environments that begin anew in the step that ends them."""
        if envs.metadata["autoreset_mode"] is not AutoresetMode.SAME_STEP:
            raise ValueError('Stable-Baselines3 needs autoreset_mode="SameStep"')
        self.envs, self.render_mode = envs, envs.render_mode
        self._actions: Array = np.zeros(0)
        self._seed: int | None = None
        self._returns = np.zeros(envs.num_envs, np.float64)
        self._lengths = np.zeros(envs.num_envs, np.int64)
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seeds the next reset."""
        self._seed = seed
        return [seed] * self.num_envs

    def reset(self) -> Array:
        """Starts new episodes in all environments."""
        obs, _ = self.envs.reset(seed=self._seed)
        self._seed = None
        self._returns[:], self._lengths[:] = 0.0, 0
        return obs.copy()

    def step_async(self, actions: Array) -> None:
        """Stores the actions; `step_wait` does the step."""
        self._actions = actions

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        """One decision of every environment. Observations are copies: replay buffers keep them."""
        obs, rewards, terminated, truncated, info = self.envs.step(self._actions)
        done = terminated | truncated
        self._returns += rewards
        self._lengths += 1
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(done):
            told[row] = {
                "terminal_observation": info["final_obs"][row].copy(),
                "TimeLimit.truncated": bool(truncated[row] and not terminated[row]),
                "episode": {"r": float(self._returns[row]), "l": int(self._lengths[row])},
            }
            self._returns[row], self._lengths[row] = 0.0, 0
        return obs.copy(), rewards.copy(), done, told

    def close(self) -> None:
        """Closes the environments."""
        self.envs.close()

    def _rows(self, indices: Any) -> list[int]:
        return list(self._get_indices(indices))

    def has_attr(self, attr_name: str) -> bool:
        """Whether the environments have this attribute; sb3-contrib looks for `action_masks`."""
        return hasattr(self.envs, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The attribute, shared by all environments."""
        return [getattr(self.envs, attr_name)] * len(self._rows(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refused: environments of a vector have no attributes of their own."""
        raise NotImplementedError(f"{attr_name}: environments of a vector share their settings")

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **words: Any) -> list[Any]:
        """Calls a method that returns a row per environment, such as `action_masks`."""
        rows = getattr(self.envs, method_name)(*args, **words)
        return [rows[row] for row in self._rows(indices)]

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """Never: environments of a vector have no wrappers of their own."""
        return [False] * len(self._rows(indices))


def make_vec(game: str, num_envs: int, *, address: str = "", **words: Any) -> LudusVecEnv:
    """Environments of a game for Stable-Baselines3: local, or on the server at `address`."""
    mode = AutoresetMode.SAME_STEP
    if not address:
        return LudusVecEnv(LudusVectorEnv(game, num_envs, autoreset_mode=mode, **words))
    from ludus.remote import RemoteVectorEnv

    return LudusVecEnv(RemoteVectorEnv(game, address, num_envs, autoreset_mode=mode, **words))
