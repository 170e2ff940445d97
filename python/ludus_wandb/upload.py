"""Hands a plan to the official client. Nothing but this file imports wandb, and only a command that
is to send something gets here."""

import os

from .problem import FAILED, USAGE, Problem

# what the client would tell about this machine and this program on its own
QUIET = {"silent": True, "console": "off", "host": "ludus", "disable_git": True,
         "disable_code": True, "save_code": False, "x_disable_meta": True, "x_disable_stats": True,
         "x_disable_machine_info": True, "x_save_requirements": False, "use_dot_wandb": False}


def load():
    """The client, with its reports of errors to its maker off unless they were asked for."""
    os.environ.setdefault("WANDB_ERROR_REPORTING", "false")
    os.environ.setdefault("WANDB_SILENT", "true")
    try:
        import wandb
    except ImportError:
        raise Problem(USAGE, "the package wandb is not installed: `pip install wandb` in the "
                             "Python that runs this") from None
    return wandb


class Server:
    """Where things go: a W&B server, or with offline mode a folder of the run."""

    def __init__(self, wandb, offline):
        from wandb.sdk import wandb_setup

        settings = wandb_setup.singleton().settings  # as wandb.setup, without starting anything
        if settings.mode == "disabled":
            raise Problem(USAGE, "W&B is disabled, by WANDB_MODE or `wandb disabled`: nothing is "
                                 "sent")
        self.wandb = wandb
        self.offline = offline or settings.mode in ("offline", "dryrun")
        self.url = "offline" if self.offline else settings.base_url

    def check_login(self):
        if self.offline:
            return
        if not self.wandb.login(prompt=False, verify=False):
            raise Problem(USAGE, "not logged in to W&B: `wandb login` or WANDB_API_KEY does that; "
                                 "--offline writes files that can be sent later")


class Session:
    """One run of the client. Points and parcels that were handed over are noted in the cursor; they
    count when the client has confirmed them."""

    def __init__(self, server, folder, project, entity, plan, cursor):
        self.server, self.folder, self.cursor = server, folder, cursor
        self.sent = {"windows": 0, "evals": 0, "artifacts": 0, "again": 0}
        wandb = server.wandb
        try:
            self.run = wandb.init(
                project=project, entity=entity, id=folder.run_id, name=folder.run_id,
                resume="allow", mode="offline" if server.offline else "online", dir=folder.path,
                settings=wandb.Settings(**QUIET), **plan.about)
        except (wandb.Error, OSError, ValueError) as error:
            raise Problem(FAILED, f"W&B does not take the run: {first_line(error)}") from None
        self.run.define_metric("env_steps", hidden=True)
        self.run.define_metric("*", step_metric="env_steps")
        # the server drops rows below its own count, a second offline file must go on with it
        self.step = max(cursor.state["step"], self.run.step)

    def place(self):
        """Where to look: the address of the run, or the folder that `wandb sync` takes."""
        return os.path.dirname(self.run.dir) if self.server.offline else self.run.url

    def describe(self, plan):
        """Tags, notes and settings that have changed since the start of the session."""
        self.run.tags = tuple(plan.about["tags"])
        self.run.notes = plan.about["notes"]
        self.run.config.update(plan.about["config"], allow_val_change=True)

    def send(self, plan, tell, artifacts):
        wandb, waiting = self.server.wandb, []
        try:
            if plan.changed:
                self.describe(plan)
            for point in plan.points:
                self.send_point(point)
            for count, parcel in enumerate(plan.parcels, 1):
                tell(f"artifact {count} of {len(plan.parcels)}")
                logged = self.send_parcel(parcel)
                if logged and self.server.offline:
                    self.mark(parcel)
                elif logged:
                    waiting.append((parcel, logged))
            for count, (parcel, logged) in enumerate(waiting, 1):
                tell(f"artifact {count} of {len(waiting)}: waiting for the server")
                logged.wait()
                self.mark(parcel)
        except (wandb.Error, OSError, ValueError) as error:
            raise Problem(FAILED, f"W&B does not take it: {first_line(error)}") from None
        self.cursor.state["facts"] = plan.facts
        if artifacts:
            self.cursor.state["best"] = plan.best

    def send_point(self, point):
        sent = self.cursor.state[point.kind]
        self.run.log(point.metrics, step=self.step)
        self.step += 1
        self.cursor.state["step"] = self.step
        self.sent["again"] += str(point.row.window) in sent
        sent[str(point.row.window)] = point.digest
        self.sent[point.kind] += 1

    def send_parcel(self, parcel):
        """The logged artifact; None when one of its files has gone meanwhile."""
        artifact = self.server.wandb.Artifact(parcel.name, type=parcel.kind,
                                              metadata=parcel.metadata)
        for name, source in parcel.files:
            with artifact.new_file(name, mode="wb") as target:
                if not source(target):
                    return None
        return self.run.log_artifact(artifact, aliases=parcel.aliases)

    def mark(self, parcel):
        """Notes an artifact as sent."""
        state = self.cursor.state
        if parcel.kind == "replay_index":
            state["index"] = parcel.mark
        else:
            state["models" if parcel.kind == "model" else "replays"][parcel.key] = parcel.mark
        self.sent["artifacts"] += 1

    def close(self, failed):
        """Waits until the client has passed on everything."""
        self.run.finish(exit_code=1 if failed else 0)


def first_line(error):
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
