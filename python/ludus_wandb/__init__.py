"""Sends runs of ludus to Weights & Biases (docs/trackers.md).

folder.py   reads a run folder, which may be hostile
plan.py     what of it is to be sent, and under which names
cursor.py   what has been sent
upload.py   sends it: the only file of the project that uses the package wandb
cli.py      the command ludus-wandb
"""
