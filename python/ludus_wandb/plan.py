"""What of a run is to be sent, and under which names. No part of this touches the network."""

import json
import re

from .folder import MODEL_MOST, NAME, REPLAY_MOST, digest, number, whole
from .problem import BAD_DATA, Problem

METRIC = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./ -]{0,127}\Z")
PROJECTS = {"prospector": "asteroid-prospector"}
# settings of one sitting or of this machine; values that are paths are left out as well
PRIVATE = ("out", "resume", "run.folder", "train.save_failed", "dqn.save_failed")
PATH = re.compile(r"(~|\.{0,2}/)")
FACTS = ("game", "spec", "algorithm", "seed", "commit", "version")
# members of a window's row that have another name here; None: another column holds it
RENAMED = {"episode_return": "episode_reward", "env_steps_start": None}
GROUPS = ("terms", "infos", "seconds")


def project_of(game):
    """asteroid-prospector for prospector-v1, ludus-cartpole for cartpole-v1."""
    name = re.sub(r"-v\d+\Z", "", game)
    return PROJECTS.get(name, "ludus-" + name)


def plain(text):
    """A setting's text as number or bool, where it is one."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            value = kind(text)
        except (ValueError, TypeError):
            continue
        return value if abs(value) < 1e300 else text
    return text


def config_of(facts):
    """Facts and settings, without what tells of this machine."""
    config = {key: facts[key] for key in FACTS if isinstance(facts.get(key), (str, int, float))}
    for key, setting in facts.get("settings", {}).items():
        value = setting.get("value") if isinstance(setting, dict) else None
        if isinstance(value, list):
            value = [word for word in value if isinstance(word, str) and not PATH.match(word)]
        elif not isinstance(value, str):
            continue
        if METRIC.match(key) and key not in PRIVATE and not PATH.match(str(value)):
            config[key] = plain(value) if isinstance(value, str) else value
    return config


def about(facts):
    """What the run on the server is: the arguments of wandb.init that describe it."""
    settings = facts.get("settings", {})
    group = settings.get("run.experiment")
    group = group.get("value") if isinstance(group, dict) else None
    tags = facts.get("tags", [])
    notes = facts.get("notes")
    return {
        "group": group[:128] if isinstance(group, str) and group else None,
        "job_type": "train",
        "tags": [tag[:64] for tag in tags if isinstance(tag, str) and tag][:100]
        if isinstance(tags, list) else [],
        "notes": notes[:16000] if isinstance(notes, str) and notes else None,
        "config": config_of(facts),
    }


# ---- rows ----


def add(metrics, name, value):
    if not METRIC.match(name):
        raise Problem(BAD_DATA, f"'{name[:60]}' isn't the name of a metric: letters, digits, _ . - / "
                                "and blanks, at most 128")
    if number(value):
        metrics[name] = value


def window_metrics(row):
    """Every figure of a window, by the names that the event files of TensorBoard have."""
    metrics = {}
    for name, value in row.value.items():
        if number(value) and RENAMED.get(name, name):
            add(metrics, RENAMED.get(name, name), value)
    for group in GROUPS:
        members = row.value.get(group)
        for name, value in members.items() if isinstance(members, dict) else ():
            add(metrics, f"{group}/{name}", value)
    metrics["resumes"] = row.resumes
    return metrics


def mean_of(value):
    return value.get("mean") if isinstance(value, dict) else None


def eval_metrics(row):
    metric, value = row.value.get("metric"), row.value.get("value")
    report = row.value.get("report")
    if not isinstance(metric, str) or not isinstance(value, dict):
        raise Problem(BAD_DATA, f"the evaluation of window {row.window} has no metric and value")
    metrics = {"env_steps": row.steps, "eval/window_id": row.window, "resumes": row.resumes}
    add(metrics, "eval/return", mean_of(report.get("return")) if isinstance(report, dict) else None)
    add(metrics, f"eval/{metric}", value.get("mean"))
    add(metrics, "eval/low", value.get("low"))
    add(metrics, "eval/high", value.get("high"))
    return metrics


class Point:
    """Metrics at a number of env_steps."""

    def __init__(self, kind, row, metrics):
        self.kind, self.row, self.metrics = kind, row, metrics
        self.digest = row.digest()


def points(rows, kind, sent):
    """Rows that were not sent, or that were and have changed: a window that was cut off and is now
    complete, a training that went on with other settings. A resumed training repeats its windows
    bit for bit; those are equal to what was sent and are not sent again."""
    make = window_metrics if kind == "windows" else eval_metrics
    return [Point(kind, row, make(row)) for row in rows
            if sent.get(str(row.window)) != row.digest()]


# ---- artifacts ----


class Parcel:
    """An artifact: `files` are pairs of a name and a function that writes the file into a stream
    (False: it has gone meanwhile)."""

    def __init__(self, name, kind, key, mark, files, aliases, metadata):
        if len(name) > 128:
            raise Problem(BAD_DATA, f"the artifact name {name[:140]} is longer than 128 letters")
        self.name, self.kind, self.files, self.aliases = name, kind, files, aliases
        self.key, self.mark, self.metadata = key, mark, metadata


def text_source(text):
    return lambda target: target.write(text) is not None


def file_source(folder, parts, limit, length):
    return lambda target: folder.copy(target, *parts, limit=limit, length=length)


def model_parcel(folder, window, manifest, aliases):
    text, content = manifest
    files = content.get("files")
    facts = files.get("model.safetensors") if isinstance(files, dict) else None
    length = facts.get("bytes") if isinstance(facts, dict) else None
    return Parcel(f"model-{folder.run_id}", "model", str(window), digest(text),
                  [("manifest.json", text_source(text)),
                   ("model.safetensors", file_source(
                       folder, ("checkpoints", f"ckpt_{window:06}", "model.safetensors"),
                       MODEL_MOST, length))],
                  [f"window-{window}", *aliases],
                  {key: content[key] for key in ("window_id", "update", "env_steps", "probe")
                   if isinstance(content.get(key), (str, int))})


def models(folder, windows, evals, best, sent):
    """A version of model-RUN per window. While an evaluator is at work a model waits for its
    verdict, so that it is sent once and with the alias it deserves. Whatever is sent becomes
    `latest` on the server; the newest one is therefore the last, if need be once more: equal bytes
    make no new version."""
    judged = evals[-1].window if evals else -1
    waits = folder.locked("replays")
    found = [(row.window, folder.manifest(row.window)) for row in windows
             if not waits or row.window <= judged]
    found = [(window, manifest) for window, manifest in found if manifest]
    due = [(window, manifest) for window, manifest in found
           if sent["models"].get(str(window)) != digest(manifest[0])
           or (window == best and sent["best"] != best)]
    if due and due[-1][0] != found[-1][0]:
        due.append(found[-1])
    return [model_parcel(folder, window, manifest,
                         ["latest"] * (window == found[-1][0]) + ["best"] * (window == best))
            for window, manifest in due]


def replays_of(row):
    """The replays of an evaluation, each with a name that can be trusted."""
    found = row.value.get("replays", [])
    for replay in found if isinstance(found, list) else ():
        name = replay.get("replay_id") if isinstance(replay, dict) else None
        if not isinstance(name, str) or not NAME.match(name):
            raise Problem(BAD_DATA, f"a replay of window {row.window} has no replay_id of letters, "
                                    "digits, - _ and .")
        yield name, replay


def replays(folder, evals, sent):
    parcels = []
    for row in evals:
        for name, replay in replays_of(row):
            if name in sent["replays"] or not folder.has("replays", name + ".ludus"):
                continue
            tags = replay.get("tags")
            best = isinstance(tags, list) and "best_so_far" in tags
            parcels.append(Parcel(
                f"replay-{folder.run_id}-{row.window}-{name}", "replay", name, digest(replay),
                [(name + ".ludus", file_source(folder, ("replays", name + ".ludus"), REPLAY_MOST,
                                               replay.get("bytes")))],
                ["latest"] + ["best"] * best,
                {"env_steps": row.steps, **{key: value for key, value in replay.items()
                                            if key != "file"}}))
    return parcels


def index(folder, evals, best, sent):
    """The index of all replays, a JSON object per line; `best`: as it was when the best came."""
    lines = [json.dumps({"run_id": folder.run_id, "env_steps": row.steps, **replay}, sort_keys=True)
             for row in evals for _, replay in replays_of(row)]
    text = "".join(line + "\n" for line in lines).encode()
    if not lines or sent["index"] == digest(text):
        return []
    return [Parcel(f"replay_index-{folder.run_id}", "replay_index", "index", digest(text),
                   [("replay_index.jsonl", text_source(text))],
                   ["latest"] + ["best"] * (sent["best"] != best), {"replays": len(lines)})]


class Plan:
    """All that is to be sent now."""

    def __init__(self, folder, sent, artifacts=True):
        windows, self.resumes = folder.rows("windows")
        evals, _ = folder.rows("evals")
        best = evals[-1].value.get("best_window") if evals else None
        self.best = best if whole(best) and best in {row.window for row in windows} else None
        self.about = about(folder.facts)
        self.failed = folder.facts.get("status") == "failed"
        self.facts = digest([self.about, self.failed])
        self.changed = self.facts != sent["facts"]
        self.points = points(windows, "windows", sent["windows"])
        self.points += points(evals, "evals", sent["evals"])
        self.parcels = []
        if artifacts:
            self.parcels = models(folder, windows, evals, self.best, sent)
            self.parcels += replays(folder, evals, sent)
            self.parcels += index(folder, evals, self.best, sent)

    def empty(self):
        return not (self.changed or self.points or self.parcels)
