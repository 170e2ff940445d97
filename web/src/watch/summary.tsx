// The window that the replay is of: how well the agent did over the evaluation's seeds, beside the
// best window, this very episode, and the game's bots on the same seeds.
import { createEffect, createMemo, createSignal, For, onCleanup, Show } from "solid-js";
import type { Evaluation, Replay, RunDetail } from "../lib/api";
import { compact, counted, duration, endWords, number, words } from "../lib/format";
import { href } from "../lib/router";
import { isShipped } from "../lib/shipped";
import { StatusBadge } from "../lib/ui";
import { playedBaselines, type PlayedBaseline, type Question } from "../lib/baselines";
import { canResume, resumeCommand } from "../runs/figures";
import type { Track } from "./track";

interface SummaryProps {
  replay: Replay;
  run: RunDetail | null;
  evaluations: Evaluation[];
  track: Track;
}

interface Row {
  name: string;
  hint: string;
  mean: number;
  low: number;
  high: number;
  kind: "this" | "agent" | "bot";
}

/** The bots on the seeds of a question, as they finish; null before the first. */
function createBots(question: () => Question | null) {
  const [bots, setBots] = createSignal<PlayedBaseline[] | null>(null);
  const [done, setDone] = createSignal(false);
  createEffect(() => {
    const ask = question();
    let gone = false;
    setBots(null);
    setDone(false);
    onCleanup(() => (gone = true));
    const tell = (found: PlayedBaseline[]) => void (gone || setBots(found));
    if (ask) void playedBaselines(ask, tell).then((found) => gone || (setBots(found), setDone(true)));
  });
  return { bots, done };
}

/** Where figures lie on one line, as shares; on a logarithmic axis (linear around 0) when they lie too far
 * apart to be seen otherwise. */
function createLine(rows: () => Row[]) {
  const far = createMemo(() => {
    const sizes = rows().map((row) => Math.abs(row.mean)).filter((size) => size > 0);
    return sizes.length > 1 && Math.max(...sizes) > 12 * Math.min(...sizes);
  });
  const range = createMemo(() => {
    const all = rows().flatMap((row) => [row.low, row.high]);
    const unit = Math.max(1e-9, ...rows().map((row) => Math.abs(row.mean))) / 1000;
    const bend = (value: number) => (far() ? Math.sign(value) * Math.log1p(Math.abs(value) / unit) : value);
    const low = bend(Math.min(0, ...all));
    return { bend, low, span: Math.max(1e-9, bend(Math.max(...all, 0)) - low) };
  });
  const at = (value: number) => `${(100 * (range().bend(value) - range().low)) / range().span}%`;
  return { at, far };
}

function Dots(props: { row: Row; at: (value: number) => string }) {
  const { row, at } = props;
  return (
    <li class={`dots-${row.kind}`} title={row.hint}>
      <span class="dots-name">{row.name}</span>
      <span class="dots-value">
        {number(row.mean, 3)}
        <Show when={row.high > row.low}>
          <span class="sr-only">
            , 95% between {number(row.low)} and {number(row.high)}
          </span>
        </Show>
      </span>
      <span class="dots-line" aria-hidden="true">
        <i class="dots-zero" ref={(mark) => createEffect(() => (mark.style.left = at(0)))} />
        <i
          class="dots-range"
          ref={(mark) =>
            createEffect(() => {
              mark.style.left = at(row.low);
              mark.style.right = `calc(100% - ${at(row.high)})`;
            })
          }
        />
        <i class="dots-mean" ref={(mark) => createEffect(() => (mark.style.left = at(row.mean)))} />
      </span>
    </li>
  );
}

export function Summary(props: SummaryProps) {
  const evaluation = () => props.evaluations.find((row) => row.window_id === props.replay.window_id);
  const trouble = () => {
    const run = props.run;
    if (run?.status === "damaged") return "Files of this run are damaged.";
    if (run?.problem) return `The run stopped: ${run.problem}.`;
    return run?.status === "crashed" ? "The run ended unexpectedly: it crashed or was killed." : "";
  };
  const question = createMemo(() => {
    const row = evaluation();
    return row && props.track.by === "page" && props.track.checked()
      ? { id: props.replay.game, settings: props.track.settings, options: props.track.options, metric: row.metric, first: row.seeds.first, count: Math.min(16, row.seeds.count) }
      : null;
  });
  const { bots, done } = createBots(question);

  const rows = createMemo((): Row[] => {
    const now = evaluation();
    const list: Row[] = [];
    if (now) list.push({ name: `window ${now.window_id}`, hint: `mean over ${counted(now.seeds.count, "seed")}`, ...now.value, kind: "agent" });
    const best = props.evaluations.find((row) => row.window_id === now?.best_window);
    if (best && best !== now) list.push({ name: `window ${best.window_id}, proven best`, hint: "", ...best.value, kind: "agent" });
    const { value } = props.replay;
    if (Number.isFinite(value)) list.push({ name: "this episode", hint: `seed ${props.replay.seed}`, mean: value, low: value, high: value, kind: "this" });
    for (const bot of bots() ?? []) list.push({ ...bot, name: words(bot.name), hint: bot.sentence, kind: "bot" });
    return list.sort((a, b) => b.mean - a.mean);
  });
  const { at, far } = createLine(rows);

  return (
    <section class="card summary">
      <h2>{isShipped(props.replay) ? "This episode" : `Window ${props.replay.window_id}`}</h2>
      <Show when={isShipped(props.replay) && props.replay}>
        {(one) => (
          <p class="summary-run">
            Seed {one().seed}:{" "}
            <Show when={one().metric !== "won"}>
              {words(one().metric)} <b>{number(one().value)}</b>,{" "}
            </Show>
            return <b>{number(one().return)}</b>
            <Show when={one().end || one().metric === "won"}>, ended: {endWords({ end: one().end, [one().metric]: one().value })}</Show>. Train an agent of your own and its replays appear here.
          </p>
        )}
      </Show>
      <Show when={props.run}>
        {(run) => (
          <p class="summary-run">
            <a href={href(`/runs/${encodeURIComponent(run().run_id)}`)}>{run().run_id}</a> <StatusBadge status={run().status} />
            <br />
            <small>
              {compact(props.replay.env_steps)} of {compact(run().env_steps)} decisions learned from · {counted(run().windows, "window")} · {duration(run().wall_seconds)}
            </small>
          </p>
        )}
      </Show>
      <Show when={trouble()}>
        <p class="trouble">
          {trouble()}{" "}
          <Show when={props.run && canResume(props.run)} fallback={<code>ludus runs show {props.replay.run_id}</code>}>
            Resume it with <code>{resumeCommand(props.run!)}</code>
          </Show>
        </p>
      </Show>
      <Show when={!isShipped(props.replay) && rows().length > 0} fallback={<Show when={!isShipped(props.replay)}><p class="muted">This window has not been evaluated yet.</p></Show>}>
        <h3>{words(evaluation()?.metric ?? props.replay.metric)}</h3>
        <ul class="dots">
          <For each={rows()}>{(row) => <Dots row={row} at={at} />}</For>
        </ul>
        <p class="muted summary-note">
          <Show when={evaluation()} fallback="The line is the episode's own figure.">
            {(row) => (
              <>
                Seeds {row().seeds.first} to {row().seeds.first + row().seeds.count - 1}; lines are 95% intervals of the mean{far() ? ", on a logarithmic axis" : ""}.
                <Show when={question() && !done()}> The bots are playing them now …</Show>
                <Show when={done() && (bots() ?? []).length > 0}> Bots played the same seeds in this page.</Show>
              </>
            )}
          </Show>
        </p>
      </Show>
    </section>
  );
}
