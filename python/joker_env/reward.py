"""The rewards of the joker brief: those of `ludus.reward`."""

from ludus.reward import *  # noqa: F403
from ludus.reward import RewardCalculator as RewardCalculator
