// A board of charts over one or several runs: what to draw and how stands in the address.
import { createEffect, createMemo, createSignal, For, onCleanup, onMount, Show } from "solid-js";
import type { Run } from "../lib/api";
import { counted, number, words } from "../lib/format";
import { IconButton } from "../lib/ui";
import { runBaselines, type Baseline } from "../lib/baselines";
import { keysOf, type Line, type Lines, type Scope } from "./series_cache";
import { axes, csv, saveFile, smooth } from "./figures";
import { loaded } from "./load";
import { MetricPicker } from "./metric_picker";
import { axisText, Plot, SLOTS, type Curve, type Level, type Range } from "./plot";
import { SMOOTHEST, type ChartState } from "./state";

/** A run on the board: its colour, and what it is called beside the others. */
export interface Shown {
  run: Run;
  slot: number;
  name: string;
}

/** The metric that stands for evaluations with their intervals. */
export const EVALUATION = "eval";
const standard = [EVALUATION, "episode_return", "episode_length", "entropy", "explained", "value_loss", "loss", "steps_per_second"];
const MOST_STANDARD = 6;
/** Counters and names of rows are no figures to draw. */
const noFigure = /^(window_id|update|env_steps|env_steps_start|ticks|wall_seconds|eval\..*)$/;

const groupWords: Record<string, string> = { infos: "at the end", terms: "reward", seconds: "seconds", endings: "ends" };

const metricWords: Record<string, string> = { explained: "explained variance" };

export const metricTitle = (key: string, runs: Run[]): string => {
  if (key !== EVALUATION) {
    const [group = "", ...rest] = key.split(".");
    return rest.length ? `${groupWords[group] ?? words(group)}: ${words(rest.join("."))}` : (metricWords[key] ?? words(key));
  }
  const names = [...new Set(runs.map((run) => run.metric).filter(Boolean))];
  return `evaluation${names.length === 1 ? `: ${words(names[0]!)}` : ""}`;
};

export function ChartBoard(props: { shown: Shown[]; lines: Lines; state: ChartState; focus: string }) {
  const state = props.state;
  const ids = createMemo(() => props.shown.map(({ run }) => run.run_id), [], { equals: (a, b) => a.join() === b.join() });
  // asked again when a run gets its first window
  const source = createMemo(() => JSON.stringify([ids(), state.rows(), props.shown.map(({ run }) => run.windows > 0)]));
  const keys = loaded(
    source,
    async () => {
      const [asked, rows] = [ids(), state.rows()];
      const lists = await Promise.all(asked.map((id) => keysOf(id, rows).catch(() => [] as string[])));
      const known = [...new Set(lists.flat())].filter((key) => !noFigure.test(key)).sort();
      return known.length ? [EVALUATION, ...known] : [];
    },
  );
  // a window that has just ended, or no answer: the names come a moment later
  createEffect(() => {
    if (keys.busy() || keys.value()?.length || !props.shown.some(({ run }) => run.windows > 0)) return;
    const timer = setTimeout(keys.again, 2000);
    onCleanup(() => clearTimeout(timer));
  });
  const known = () => keys.value() ?? [];
  const running = () => props.shown.some(({ run }) => run.status === "running");
  const metrics = createMemo(
    () => {
      const chosen = state.metrics();
      if (chosen) return chosen.filter((key) => key !== "none");
      return standard.filter((key) => known().includes(key)).slice(0, MOST_STANDARD);
    },
    [],
    { equals: (a, b) => a.join() === b.join() },
  );
  // the large one comes first: it takes the whole width
  const ordered = createMemo(() => metrics().toSorted((a, b) => Number(b === state.big()) - Number(a === state.big())));
  const toggle = (key: string) =>
    state.setMetrics(metrics().includes(key) ? metrics().filter((one) => one !== key) : [...metrics(), key]);

  return (
    <section aria-label="Charts">
      <Controls state={state} shown={props.shown}>
        <MetricPicker keys={known()} chosen={metrics()} onToggle={toggle} onNone={() => state.setMetrics([])} runs={props.shown.map(({ run }) => run)} />
      </Controls>
      <Show when={!keys.busy() && known().length === 0}>
        <p class="quiet">{running() ? "No window has ended yet: the first row of metrics comes with the first window." : "There are no metrics: no window was finished, or their file is missing."}</p>
      </Show>
      <Show when={keys.busy() || known().length}>
        <div class="chart-grid">
          <For each={ordered()}>
            {(key) => <ChartCard metric={key} shown={props.shown} lines={props.lines} state={state} focus={props.focus} onRemove={() => toggle(key)} />}
          </For>
        </div>
      </Show>
    </section>
  );
}

function Controls(props: { state: ChartState; shown: Shown[]; children: any }) {
  const state = props.state;
  const [copied, setCopied] = createSignal(false);
  let timer = 0;
  onCleanup(() => clearTimeout(timer));
  const copy = async () => {
    await navigator.clipboard?.writeText(location.href).catch(() => undefined);
    setCopied(true);
    clearTimeout(timer);
    timer = window.setTimeout(() => setCopied(false), 2000);
  };
  return (
    <div class="chart-controls" role="group" aria-label="How the charts are drawn">
      {props.children}
      <label class="field">
        <span>Axis</span>
        <select value={state.axis()} onChange={(event) => state.setAxis(event.currentTarget.value)}>
          <For each={Object.entries(axes)}>{([key, axis]) => <option value={key}>{axis.long}</option>}</For>
        </select>
      </label>
      <label class="field">
        <span>A row per</span>
        <select value={state.rows()} onChange={(event) => state.setRows(event.currentTarget.value)}>
          <option value="windows">window</option>
          <option value="updates">update</option>
        </select>
      </label>
      <label class="field smoothing">
        <span>
          Smoothing <output>{state.smooth() ? `${state.smooth()}% of the axis` : "off"}</output>
        </span>
        <input
          type="range"
          min="0"
          max={SMOOTHEST}
          step="1"
          value={state.smooth()}
          onInput={(event) => state.setSmooth(Number(event.currentTarget.value))}
        />
      </label>
      <label class="check">
        <input type="checkbox" checked={state.log()} onChange={(event) => state.setLog(event.currentTarget.checked)} />
        Log scale
      </label>
      <label class="check">
        <input type="checkbox" checked={state.bots()} onChange={(event) => state.setBots(event.currentTarget.checked)} />
        Bots
      </label>
      <span class="control-end">
        <Show when={state.zoom()}>
          {(zoom) => (
            <button type="button" class="button" onClick={() => state.setZoom(null)}>
              Show everything
              <small>
                now {axisText(state.axis(), zoom()[0])} to {axisText(state.axis(), zoom()[1])}
              </small>
            </button>
          )}
        </Show>
        <button type="button" class="button" onClick={copy}>
          {copied() ? "Copied" : "Copy link"}
        </button>
      </span>
    </div>
  );
}

/** True once the element has come near the visible part of the page. */
function seenOnce(element: () => HTMLElement): () => boolean {
  const [seen, setSeen] = createSignal(false);
  onMount(() => {
    const watch = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        setSeen(true);
        watch.disconnect();
      },
      { rootMargin: "300px" },
    );
    watch.observe(element());
    onCleanup(() => watch.disconnect());
  });
  return seen;
}

/** Where a bucket stands on the axis. */
const placeOf = (bucket: { x0: number; x1: number; count: number }) => (bucket.count > 1 ? (bucket.x0 + bucket.x1) / 2 : bucket.x1);

function lineCurve(shown: Shown, line: Line, reach: number): Curve {
  const xs = line.buckets.map(placeOf);
  const means = line.buckets.map((bucket) => bucket.mean);
  return {
    run: shown.run.run_id,
    name: shown.name,
    slot: shown.slot,
    xs,
    ys: reach > 0 ? smooth(xs, means, reach) : means,
    raw: reach > 0 ? means : null,
    low: line.buckets.map((bucket) => bucket.min),
    high: line.buckets.map((bucket) => bucket.max),
    count: line.buckets.map((bucket) => bucket.count),
  };
}

/** Evaluations with both ends of their intervals; a point that lacks one is left out. */
function intervalCurve(shown: Shown, mean: Line, low: Line, high: Line): Curve {
  const ends = (line: Line) => new Map(line.buckets.map((bucket) => [bucket.x1, bucket.mean]));
  const [lows, highs] = [ends(low), ends(high)];
  const whole = mean.buckets.filter((bucket) => lows.has(bucket.x1) && highs.has(bucket.x1));
  return {
    run: shown.run.run_id,
    name: shown.name,
    slot: shown.slot,
    xs: whole.map(placeOf),
    ys: whole.map((bucket) => bucket.mean),
    raw: null,
    low: whole.map((bucket) => lows.get(bucket.x1)!),
    high: whole.map((bucket) => highs.get(bucket.x1)!),
    count: whole.map((bucket) => bucket.count),
  };
}

interface Drawn {
  curves: Curve[];
  loading: boolean;
  problem: string;
}

/** What the bots reach on the seeds of a run's evaluations, as it becomes known. */
function createBots(judged: () => Run | undefined): () => Baseline[] {
  const run = createMemo(judged, undefined, { equals: (a, b) => a?.run_id === b?.run_id });
  const [bots, setBots] = createSignal<Baseline[]>([]);
  createEffect(() => {
    const asked = run();
    let here = true;
    const take = (found: Baseline[]) => void (here && setBots(found));
    setBots([]);
    if (asked) void runBaselines(asked, take).then(take, () => undefined);
    onCleanup(() => (here = false));
  });
  return bots;
}

function ChartCard(props: { metric: string; shown: Shown[]; lines: Lines; state: ChartState; focus: string; onRemove: () => void }) {
  let card!: HTMLElement;
  const state = props.state;
  const seen = seenOnce(() => card);
  const intervals = () => props.metric === EVALUATION;
  const title = () => metricTitle(props.metric, props.shown.map(({ run }) => run));
  const big = () => state.big() === props.metric;

  const drawn = createMemo<Drawn>((before) => {
    if (!seen()) return { curves: [], loading: true, problem: "" };
    const zoom = state.zoom();
    const scope: Scope = { axis: state.axis(), rows: state.rows(), from: zoom?.[0] ?? null, to: zoom?.[1] ?? null };
    const length = Math.max(0, ...props.shown.map(({ run }) => run[scope.axis] ?? 0));
    const reach = (state.smooth() / 100) * length;
    const out: Drawn = { curves: [], loading: false, problem: "" };
    for (const shown of props.shown) {
      const line = (key: string) => props.lines.line(scope, shown.run.run_id, key);
      const parts = intervals() ? [line("eval.mean"), line("eval.low"), line("eval.high")] : [line(props.metric)];
      const failed = parts.find((part) => part.state === "failed");
      if (failed) out.problem = failed.problem;
      if (parts.some((part) => part.state === "loading")) {
        out.loading = true;
        const old = before.curves.find((curve) => curve.run === shown.run.run_id);
        if (old) out.curves.push({ ...old, slot: shown.slot, name: shown.name });
      } else if (parts.every((part) => part.state === "ready" && part.buckets.length > 0)) {
        out.curves.push(intervals() ? intervalCurve(shown, parts[0]!, parts[1]!, parts[2]!) : lineCurve(shown, parts[0]!, reach));
      }
    }
    return out;
  }, { curves: [], loading: true, problem: "" });

  const judged = () => (intervals() && seen() && state.bots() && drawn().curves.length ? props.shown.map(({ run }) => run).find((run) => run.evaluations > 0) : undefined);
  const bots = createBots(judged);
  // bots of one game say nothing about runs of another
  const levels = createMemo<Level[]>(() => {
    const games = new Set(props.shown.map(({ run }) => `${run.game} ${run.metric}`));
    if (!intervals() || !state.bots() || games.size !== 1) return [];
    return bots().map((bot) => ({ name: words(bot.name), value: bot.mean }));
  });

  return (
    <article ref={card} class="card chart-card" classList={{ big: big() }} aria-label={`Chart: ${title()}`}>
      <header>
        <h2>{title()}</h2>
        <span class="chart-tools">
          <Show when={state.zoom()}>
            <button type="button" class="link" onClick={() => state.setZoom(null)}>
              whole axis
            </button>
          </Show>
          <IconButton
            icon="full"
            label={big() ? "Make this chart small again" : "Make this chart large"}
            pressed={big()}
            onClick={() => state.setBig(big() ? "" : props.metric)}
          />
          <IconButton icon="close" label={`Remove the chart ${title()}`} onClick={props.onRemove} />
        </span>
      </header>
      <div class="chart-body" aria-busy={drawn().loading}>
        <Show
          when={drawn().curves.length}
          fallback={
            <p class="chart-none">
              {drawn().problem || (drawn().loading ? "Loading" : intervals() ? "No evaluation yet" : "None of these runs has this figure")}
            </p>
          }
        >
          <Plot
            label={`${title()} over ${axes[state.axis()].label}, ${drawn().curves.length} ${drawn().curves.length === 1 ? "run" : "runs"}`}
            curves={drawn().curves}
            levels={levels()}
            intervals={intervals()}
            axis={state.axis()}
            log={state.log()}
            zoom={state.zoom()}
            onZoom={state.setZoom}
            height={big() ? 440 : 220}
            focus={props.focus}
          />
        </Show>
      </div>
      <ChartTable title={title()} metric={props.metric} drawn={drawn()} state={state} bots={levels().length ? bots() : []} />
    </article>
  );
}

const MOST_ROWS = 400;

/** The numbers of a chart, folded; only made when it is opened. */
function ChartTable(props: { title: string; metric: string; drawn: Drawn; state: ChartState; bots: Baseline[] }) {
  const [open, setOpen] = createSignal(false);
  const axis = () => props.state.axis();
  const intervals = () => props.metric === EVALUATION;
  const rows = createMemo(() => {
    if (!open()) return [];
    const zoom: Range = props.state.zoom() ?? [-Infinity, Infinity];
    return props.drawn.curves.flatMap((curve) =>
      curve.xs.map((x, i) => ({ curve, i, x })).filter(({ x }) => x >= zoom[0] && x <= zoom[1]),
    );
  });
  const columns = () => ["run", axes[axis()].label, "mean", intervals() ? "low" : "min", intervals() ? "high" : "max", "rows"];
  const save = () => {
    const body = rows().map(({ curve, i, x }) => [curve.run, x, (curve.raw ?? curve.ys)[i], curve.low[i], curve.high[i], curve.count[i]]);
    saveFile(`${props.metric}.csv`, csv([columns(), ...body]), "text/csv");
  };
  return (
    <details class="twin" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Data table</summary>
      <Show when={open()}>
        <div class="scroller short" tabindex="0" role="region" aria-label={`Numbers of ${props.title}`}>
          <table class="grid-table">
            <thead>
              <tr>
                <For each={columns()}>{(name, i) => <th scope="col" class={i() > 0 ? "right" : ""}>{name}</th>}</For>
              </tr>
            </thead>
            <tbody>
              <For each={rows().slice(0, MOST_ROWS)}>
                {({ curve, i, x }) => (
                  <tr>
                    <th scope="row" class="nowrap">
                      <i class={`swatch slot-${(curve.slot % SLOTS) + 1}`} aria-hidden="true" /> {curve.name}
                    </th>
                    <td class="right">{axis() === "wall_seconds" ? axisText(axis(), x) : number(x)}</td>
                    <td class="right">{number((curve.raw ?? curve.ys)[i])}</td>
                    <td class="right">{number(curve.low[i])}</td>
                    <td class="right">{number(curve.high[i])}</td>
                    <td class="right">{curve.count[i]}</td>
                  </tr>
                )}
              </For>
            </tbody>
          </table>
        </div>
        <Show when={props.bots.length}>
          <p class="quiet">
            Bots on the seeds of the evaluation:{" "}
            {props.bots.map((bot) => `${words(bot.name)} ${number(bot.mean)} (${counted(bot.count, "episode")}${bot.played ? ", played here" : ""})`).join(", ")}
          </p>
        </Show>
        <p class="quiet">
          {rows().length > MOST_ROWS ? `The first ${MOST_ROWS} of ${rows().length} rows. ` : ""}
          <button type="button" class="link" onClick={save}>
            Download as CSV
          </button>
        </p>
      </Show>
    </details>
  );
}
