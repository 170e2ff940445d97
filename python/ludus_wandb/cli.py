"""The command ludus-wandb: see docs/trackers.md."""

import argparse
import contextlib
import json
import os
import re
import signal
import sys
import time

from . import upload
from .cursor import ARTIFACTS, Cursor, only_one
from .folder import NAME, RunFolder, number
from .plan import Plan, project_of
from .problem import FAILED, INTERRUPTED, NOT_FOUND, Problem

EXAMPLES = """examples:
  ludus-wandb sync latest                    everything new of the newest run
  ludus-wandb sync latest --follow           follows a training until it ends
  ludus-wandb sync RUN --dry-run             shows what would be sent
  ludus-wandb sync RUN --offline             writes files for `wandb sync`, sends nothing

exit codes: 0 done, 1 failed, 2 usage error or not logged in, 3 no such run, 4 bad data in the run,
7 another ludus-wandb is sending this run, 130 interrupted (what was sent is recorded)
"""
SERVER_NAME = re.compile(r"[^/\\#?%:\s][^/\\#?%:\r\n]{0,127}\Z")


def arguments(words):
    parser = argparse.ArgumentParser(
        prog="ludus-wandb", description="Sends runs of ludus to Weights & Biases.",
        epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="sync")
    sync = verbs.add_parser(
        "sync", help="sends what has not been sent yet",
        description="Sends what has not been sent yet: metrics, checkpoints, replays.",
        epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    sync.add_argument("run", metavar="RUN", help="id or folder of a run, `latest` or `best`")
    sync.add_argument("--follow", action="store_true", help="follows the run until its training has ended")
    sync.add_argument("--every", type=float, default=5.0, metavar="SECONDS",
                      help="with --follow: seconds between checks (default 5)")
    sync.add_argument("--project", help="project; default asteroid-prospector or ludus-GAME")
    sync.add_argument("--entity", help="user or team; default: that of your login")
    sync.add_argument("--offline", action="store_true",
                      help="writes files into the run for `wandb sync`; sends nothing")
    sync.add_argument("--runs", metavar="FOLDER", help="runs folder (default: runs)")
    sync.add_argument("--no-artifacts", action="store_true", help="metrics only")
    sync.add_argument("--dry-run", action="store_true", help="shows what would be sent")
    sync.add_argument("--json", action="store_true", help="the result as JSON on stdout")
    call = parser.parse_args(words)
    if not 0.05 <= call.every <= 3600:
        parser.error("--every is from 0.05 to 3600 seconds")
    for name in (call.project, call.entity):
        if name is not None and not SERVER_NAME.match(name):
            parser.error(f"'{name}' isn't a name on W&B: at most 128 letters, none of / \\ # ? % :")
    return call


# ---- which run ----


def runs_folder(call):
    given = call.runs or os.environ.get("LUDUS_RUN_FOLDER")
    if given:
        return given
    home = os.environ.get("LUDUS_HOME")
    return os.path.join(home, "runs") if home else "runs"


def written(path):
    """When run.json was written last; "" for what is no run."""
    try:
        folder = RunFolder(path)
    except Problem:
        return ""
    folder.close()
    return str(folder.facts.get("written", ""))


def best_of(path):
    """Game, metric and mean of a run's best evaluation; None when it has none."""
    try:
        folder = RunFolder(path)
    except Problem:
        return None
    with contextlib.closing(folder):
        try:
            rows = [row.value for row in folder.rows("evals")[0] if row.value.get("best") is True]
        except Problem:
            return None
        value = rows[-1].get("value") if rows else None
        mean = value.get("mean") if isinstance(value, dict) else None
        archived = folder.facts.get("archived") is True
        if archived or not number(mean):
            return None
        return folder.facts.get("game"), rows[-1].get("metric"), mean


def find_newest(runs, names):
    """Name of the run that was written last; "" when there is none."""
    found = [(written(os.path.join(runs, name)), name) for name in names]
    newest = max(found, default=("", ""))
    return newest[1] if newest[0] else ""


def find_best(runs, names):
    """Name of the run with the best evaluation, among those of the game and metric judged last."""
    judged = {name: best for name in names if (best := best_of(os.path.join(runs, name)))}
    newest = find_newest(runs, judged)
    alike = [(best[2], name) for name, best in judged.items() if best[:2] == judged[newest][:2]] \
        if newest else []
    return max(alike)[1] if alike else ""


def find_run(call):
    """Path of the run that was named."""
    runs = runs_folder(call)
    if call.run in ("latest", "best"):
        try:
            names = [name for name in os.listdir(runs) if NAME.match(name)]
        except OSError:
            names = []
        name = (find_newest if call.run == "latest" else find_best)(runs, names)
        if not name:
            kind = "no run" if call.run == "latest" else "no run that was evaluated"
            raise Problem(NOT_FOUND, f"there is {kind} in {runs}; --runs names another folder")
        return os.path.join(runs, name)
    if "/" not in call.run and NAME.match(call.run) and os.path.isdir(os.path.join(runs, call.run)):
        return os.path.join(runs, call.run)
    if os.path.isdir(call.run):
        return call.run
    raise Problem(NOT_FOUND, f"there is no run {call.run}, neither as a folder nor in {runs}")


# ---- what a person sees ----


def note(sentence):
    print(f"ludus-wandb: {sentence}", file=sys.stderr, flush=True)


class Ticker:
    """A line of progress on a terminal, from the third second on."""

    def __init__(self):
        self.start, self.shown = time.monotonic(), False

    def __call__(self, text):
        if sys.stderr.isatty() and time.monotonic() - self.start > 2:
            self.shown = True
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)

    def clear(self):
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
            self.shown = False


def counted(number, word):
    return f"{number} {word}" + ("" if number == 1 else "s")


def sentence_of(answer):
    parts = ", ".join([counted(answer["windows"], "window"), counted(answer["evals"], "evaluation"),
                       counted(answer["artifacts"], "artifact")])
    if answer["dry_run"]:
        return f"{answer['run_id']}: would send {parts} to {answer['to']}"
    if answer["place"] is None:
        return f"{answer['run_id']}: nothing new for {answer['to']}"
    text = f"{answer['run_id']}: sent {parts} to {answer['to']}\n{answer['place']}"
    return f"{text}\nNext: wandb sync {answer['place']}" if answer["mode"] == "offline" else text


# ---- the work ----


def answer_of(folder, call, project, server, plan):
    windows = sum(point.kind == "windows" for point in plan.points)
    return {"run_id": folder.run_id, "project": project, "entity": call.entity,
            "group": plan.about["group"], "mode": "offline" if server.offline else "online",
            "to": f"{server.url}: {call.entity + '/' if call.entity else ''}{project}",
            "resumes": plan.resumes, "dry_run": call.dry_run, "windows": windows,
            "evals": len(plan.points) - windows, "artifacts": len(plan.parcels), "again": 0,
            "place": None}


def batches(folder, call, cursor):
    """Plans, one after the other, until there is no more to come."""
    while True:
        # first whether it lives, then what there is: what comes in between is seen next time
        more = call.follow and not call.dry_run and folder.alive()
        folder.refresh()
        yield Plan(folder, cursor.state, not call.no_artifacts)
        if not more:
            return
        time.sleep(call.every)


def transfer(folder, call, project, server, cursor):
    """Sends batch after batch and gives the answer."""
    session, place, answer, plan, tell = None, None, None, None, Ticker()
    try:
        for plan in batches(folder, call, cursor):
            answer = answer or answer_of(folder, call, project, server, plan)
            if call.dry_run:
                return answer
            if plan.empty():
                continue
            if not session:
                server.check_login()
                if not server.offline:
                    note(f"{folder.run_id}: asking {server.url}")
                session = upload.Session(server, folder, project, call.entity, plan, cursor)
            session.send(plan, tell, not call.no_artifacts)
            if not server.offline:
                cursor.commit(ARTIFACTS)  # confirmed one by one; rows are at the end
            tell.clear()
            if call.follow:
                note(f"{folder.run_id}: {counted(session.sent['windows'], 'window')}, "
                     f"{counted(session.sent['evals'], 'evaluation')}, "
                     f"{counted(session.sent['artifacts'], 'artifact')} so far")
    finally:
        tell.clear()
        if session:
            place = session.place()
            session.close(plan.failed)
            cursor.commit()
    answer.update(session.sent if session else {"windows": 0, "evals": 0, "artifacts": 0})
    answer["place"] = place
    answer["resumes"] = plan.resumes
    if answer["again"]:
        note(f"{counted(answer['again'], 'row')} sent beside earlier ones of the same window that "
             "differ (the training was resumed); W&B keeps both, told apart by `resumes`")
    return answer


def sync(call):
    folder = RunFolder(find_run(call))
    try:
        server = upload.Server(upload.load(), call.offline)
        project = call.project or project_of(folder.facts["game"])
        target = f"{server.url} {call.entity or ''}/{project}"
        if call.dry_run:
            return transfer(folder, call, project, server, Cursor(folder, target))
        with only_one(folder):
            return transfer(folder, call, project, server, Cursor(folder, target))
    finally:
        folder.close()


def stop(*_):
    raise KeyboardInterrupt


def main(words=None):
    call = arguments(words)
    signal.signal(signal.SIGTERM, stop)
    try:
        answer = sync(call)
        print(json.dumps(answer) if call.json else sentence_of(answer), flush=True)
        return 0
    except Problem as problem:
        note(str(problem))
        return problem.code
    except KeyboardInterrupt:
        note("interrupted; what was sent is recorded, and the same command continues")
        return INTERRUPTED
    except BrokenPipeError:
        sys.stdout = None
        return FAILED
