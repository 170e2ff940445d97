// How a run stands, in marks and words: its state, its best figure, what to do about it.
import { Show } from "solid-js";
import type { Run } from "../lib/api";
import { ago, duration, number } from "../lib/format";
import { Command, StatusBadge } from "../lib/ui";
import { lost } from "./connection";
import { canResume, isStale, resumeCommand } from "./figures";

/** How a run stands; one that has not been heard of for long is stale. */
export function StatusMark(props: { run: Run; now: number }) {
  const state = () => (isStale(props.run, props.now) ? "stale" : props.run.status);
  return (
    <span title={state() === "stale" ? `running, but the last update was ${ago(props.run.written, props.now)}` : undefined}>
      <StatusBadge status={state()} />
    </span>
  );
}

/** A mean with its interval, or a dash. */
export function Best(props: { best: Run["best"] }) {
  return (
    <Show when={props.best} fallback={<span class="muted">–</span>}>
      {(best) => (
        <span class="interval">
          <b>{number(best().mean)}</b>{" "}
          <small>
            {number(best().low)} to {number(best().high)}
          </small>
        </span>
      )}
    </Show>
  );
}

/** Said while the server does not answer; what was known stays on the page. */
export function OfflineBar(props: { now: number }) {
  return (
    <div role="status">
      <Show when={lost()}>
        {(since) => (
          <p class="advice warn">
            The server has not answered for {duration(Math.max(1, (props.now - since()) / 1000))}. What is shown may be old; it is asked again every few seconds.
          </p>
        )}
      </Show>
    </div>
  );
}

/** What to know and to do about a run that is not simply running or finished. */
export function RunAdvice(props: { run: Run & { problem?: string }; now: number }) {
  const run = () => props.run;
  return (
    <>
      <Show when={isStale(run(), props.now)}>
        <p class="advice warn" role="status">
          The run counts as running, but its last news came {ago(run().written, props.now)}. If its process is gone, resume it with <Command text={resumeCommand(run())} />
        </p>
      </Show>
      <Show when={run().status === "damaged"}>
        <p class="advice bad" role="status">
          Files of this run are damaged; what can be read is shown. This names them: <Command text={`ludus runs show ${run().run_id}`} />
        </p>
      </Show>
      <Show when={canResume(run())}>
        <div class={`advice ${run().status === "stopped" ? "warn" : "bad"}`} role="status">
          <p>
            {run().status === "stopped"
              ? "This training was stopped before its end."
              : run().status === "crashed"
                ? "This training ended unexpectedly: its process was killed, or the machine went down."
                : "This training failed."}{" "}
            {run().problem ?? ""} Everything up to its last checkpoint is kept. Resume it with
          </p>
          <Command text={resumeCommand(run())} />
        </div>
      </Show>
    </>
  );
}
