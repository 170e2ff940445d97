"""The server that most tests ask: over one small run, with a small site and a module."""

import atexit
import json
import os
from pathlib import Path

from cli.helper import WORK, ludus
from serve.client import Server

RUNS = WORK / "serve-runs"
SMALL = ["--set", "train.environments=16", "--set", "train.horizon=32", "--set", "train.minibatch=256",
         "--set", "net.hidden=16", "--set", "net.layers=1"]
SHARED = {}


def train(folder, steps="12k", game="cartpole", *words):
    lines = ludus("train", game, "--out", folder, "--json", "--steps", steps, "--set", "run.window_env_steps=2k",
                  *SMALL, *words).lines()
    return Path(lines[-1]["folder"])


def site(folder):
    """A small site."""
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>ludus</title>" + " " * 2000)
    (folder / "assets" / "app-1A2b3c4D.js").write_text("export const a = 1;\n" * 200)
    (folder / "robots.txt").write_text("none\n")
    (folder / ".secret").write_text("no")
    os.symlink("/etc/passwd", folder / "passwd.txt")
    return folder


def league(*elos):
    """A line of a league: players named a, b, ... of these ratings."""
    players = [{"player": {"name": chr(97 + k)}, "elo": elo, "low": elo - 50, "high": elo + 50, "anchor": False, "points": 4, "games": 8,
                "shares": [None if other == k else 0.5 for other in range(len(elos))]} for k, elo in enumerate(elos)]
    return json.dumps({"date": "2026-01-02T03:04:05Z", "schema": 1, "game": "duel-v1", "games": 4, "players": players}) + "\n"


def shared():
    """The server that most tests ask, its run, its replays and a league."""
    if not SHARED:
        run = train(RUNS)
        (RUNS / "leagues").mkdir()
        (RUNS / "leagues" / "test.jsonl").write_text(league(1600, 1400) + league(1650, 1350))
        modules = WORK / "modules"
        modules.mkdir()
        (modules / "cartpole.wasm").write_bytes(b"\0asm\1\0\0\0" + bytes(4000))
        server = Server(RUNS, "--site", site(WORK / "site"), "--modules", modules, "--serve.requests_per_second", 0,
                        "--serve.request_seconds", 2)
        atexit.register(server.child.kill)  # where a filter leaves out its end
        SHARED.update(server=server, run=run.name, folder=run)
    return SHARED["server"]


def run_path(rest=""):
    return f"/api/v1/runs/{SHARED['run']}{rest}"


def replays():
    return shared().json(run_path("/replays?limit=500"))["replays"]


def token_file():
    """A file with a token."""
    path = WORK / "token"
    path.write_text("correct-horse-battery-staple\n")
    path.chmod(0o600)
    return path
