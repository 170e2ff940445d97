"""Registration with gymnasium: `import ludus` registers every variant as ludus/ID."""

from __future__ import annotations

from typing import Any

from ludus.game import games


def make_vector(game: str, num_envs: int = 1, **words: Any) -> Any:
    """The vector environment of a variant."""
    from ludus.vector import LudusVectorEnv

    return LudusVectorEnv(game, num_envs, **words)


def make_env(game: str, **words: Any) -> Any:
    """The environment of a variant."""
    from ludus.env import LudusEnv

    return LudusEnv(game, **words)


def register_envs() -> None:
    """Registers every variant, once."""
    from gymnasium.envs.registration import register, registry

    for game in games():
        if f"ludus/{game}" not in registry:
            register(
                id=f"ludus/{game}",
                entry_point="ludus.register:make_env",
                vector_entry_point="ludus.register:make_vector",
                kwargs={"game": game},
                # no wrappers, behind which its own methods (action_masks, legal) would not be seen; it
                # checks the order of calls itself
                order_enforce=False,
                disable_env_checker=True,
            )
