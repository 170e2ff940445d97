"""The joker brief under its own names: `joker_env.env` and `joker_env.reward`."""
