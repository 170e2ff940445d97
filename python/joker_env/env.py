"""The environment of the joker brief: `joker-brief-v1`, rewarded from outside."""

from __future__ import annotations

from typing import Any

from ludus.env import LudusEnv
from ludus.reward import RewardCalculator


class JokerEnv(LudusEnv):
    """joker-brief-v1 whose reward is that of a calculator; the engine itself gives 0."""

    def __init__(self, *, reward: Any = None, settings: dict[str, Any] | None = None, **words: Any) -> None:
        """`reward`: a calculator; None takes `RewardCalculator`."""
        own = {"reward.mode": "client", **(settings or {})}
        super().__init__("joker-brief-v1", settings=own, reward=reward or RewardCalculator(), **words)


def make(**words: Any) -> JokerEnv:
    """Makes one."""
    return JokerEnv(**words)
