// One run: how it stands, its curves, evaluations, replays and settings.
import { createEffect, createMemo, createSignal, For, Match, on, onCleanup, Show, Switch, type JSX, type ParentProps } from "solid-js";
import { createStore, produce, reconcile } from "solid-js/store";
import { api, ApiError, url, type Evaluation, type Replay, type RunDetail, type WindowRow } from "../lib/api";
import { ago, compact, counted, duration, endName, number, percent, signed, tagWords } from "../lib/format";
import { href, param, setQuery } from "../lib/router";
import { Badge, Failed, Notice, Options, Tags } from "../lib/ui";
import { ChartBoard } from "./charts";
import { everything } from "./connection";
import { csv, gameName, goal, runTime, saveFile } from "./figures";
import { clock, every, followAll, judged, progress } from "./live";
import { loaded } from "./load";
import { Best, OfflineBar, RunAdvice, StatusMark } from "./run_status";
import { Lines } from "./series_cache";
import { SettingsTable } from "./settings";
import { chartState } from "./state";

const watch = (run: string, more: Record<string, string | number>) => href("/watch", { run, ...more });

export function OneRun(props: { run: string }) {
  const now = clock();
  const answer = loaded(
    () => props.run,
    (id) => api.run(id),
  );
  const [store, setStore] = createStore<{ run: RunDetail | null }>({ run: null });
  createEffect(() => {
    const run = answer.value();
    if (run) setStore("run", reconcile(run));
  });
  // a run that has finished does not change, apart from its tags and note; others may go on
  every(8, () => store.run?.status !== "finished" && answer.again());
  every(60, () => answer.again());
  const change = (act: (run: RunDetail) => void) => setStore("run", produce((run) => run && act(run)));
  return (
    <div class="runs-page">
      <Show when={store.run} fallback={<Opening run={props.run} error={answer.error()} again={answer.again} />}>
        {(run) => <RunView run={run()} now={now()} change={change} />}
      </Show>
    </div>
  );
}

function Opening(props: { run: string; error: Error | null; again: () => void }) {
  const missing = () => props.error instanceof ApiError && props.error.kind === "missing";
  return (
    <Switch fallback={<Notice title="Loading the run" busy />}>
      <Match when={missing()}>
        <Notice title="There is no such run" tone="warn">
          <p>Nothing on this server has this name.</p>
          <p>
            <a class="button primary" href="/runs">
              All runs
            </a>
          </p>
        </Notice>
      </Match>
      <Match when={props.error}>{(error) => <Failed what="The run cannot be read" error={error()} again={props.again} />}</Match>
    </Switch>
  );
}

function RunView(props: { run: RunDetail; now: number; change: (act: (run: RunDetail) => void) => void }) {
  const id = props.run.run_id;
  const state = chartState();
  const lines = new Lines();
  onCleanup(() => lines.close());
  const [fresh, setFresh] = createSignal<Evaluation[]>([]);
  const running = createMemo(() => (props.run.status === "running" ? [id] : []), [], { equals: (a, b) => a.length === b.length });
  const live = followAll(running, {
    windows: (_, rows) => {
      for (const row of rows) lines.window(id, row);
      props.change((run) => progress(run, rows));
    },
    evaluations: (_, rows) => {
      for (const row of rows) lines.evaluation(id, row);
      setFresh((old) => [...old, ...rows]);
      props.change((run) => judged(run, rows));
    },
    status: (_, news) => props.change((run) => Object.assign(run, news)),
    rewound: () => lines.renew(id),
  });
  // rows that were written after the events had ended are asked for
  const ended = createMemo(() => running().length === 0 && `${props.run.windows} ${props.run.evaluations}`);
  createEffect(on(ended, (now) => void (now && lines.renew(id)), { defer: true }));
  const shown = createMemo(() => [{ run: props.run, slot: 0, name: runTime(id) }]);
  return (
    <>
      <Head run={props.run} now={props.now} live={live()[id] === "live"}>
        <OfflineBar now={props.now} />
        <RunAdvice run={props.run} now={props.now} />
      </Head>
      <ChartBoard shown={shown()} lines={lines} state={state} focus="" />
      <div class="two-columns">
        <Evaluations run={props.run} fresh={fresh()} />
        <Replays run={props.run} />
      </div>
      <section class="card" aria-label="Settings">
        <h2>Settings</h2>
        <SettingsTable run={props.run} />
      </section>
      <Downloads run={props.run} />
    </>
  );
}

function Fact(props: { name: string; children: JSX.Element }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

/** Only addresses of the web are made a link. */
const webAddress = (text: string | null | undefined): string | null => (text && /^https?:\/\//i.test(text) ? text : null);

/** What stands under the title comes before the figures. */
function Head(props: ParentProps<{ run: RunDetail; now: number; live: boolean }>) {
  const run = () => props.run;
  const end = () => goal(run());
  const share = () => (end() && run().status !== "finished" ? Math.min(1, run().env_steps / end()!) : null);
  const left = () => {
    const pace = run().wall_seconds > 0 ? run().env_steps / run().wall_seconds : 0;
    return run().status === "running" && end() && pace > 0 ? duration(Math.max(0, end()! - run().env_steps) / pace) : null;
  };
  return (
    <>
      <header class="page-head">
        <nav aria-label="Way back" class="crumbs">
          <a href="/runs">Runs</a> <span aria-hidden="true">/</span>
        </nav>
        <h1>
          {gameName(run().game)} <span class="muted">{runTime(run().run_id)}</span>
        </h1>
        <StatusMark run={run()} now={props.now} />
        <Show when={props.live}>
          <Badge tone="good">live</Badge>
        </Show>
        <Tags tags={run().tags} />
        <span class="head-end">
          <a class="button primary" href={watch(run().run_id, {})}>
            Watch
          </a>
          <a class="button" href={href("/runs", { runs: run().run_id, game: run().game })}>
            Compare
          </a>
          <Show when={webAddress(run().wandb)}>
            {(address) => (
              <a class="button" href={address()} target="_blank" rel="noopener noreferrer">
                Weights &amp; Biases
              </a>
            )}
          </Show>
        </span>
      </header>
      {props.children}
      <section class="card" aria-label="About the run">
        <Show when={share() !== null}>
          <div class="progress-row">
            <progress max="1" value={share()!} aria-label="Share of the training that is done" />
            <span>
              <b>{percent(share()!)}</b> of {compact(end())} decisions
              <Show when={left()}>, about {left()} left</Show>
            </span>
          </div>
        </Show>
        <Show when={run().notes}>
          <p class="note-line">{run().notes}</p>
        </Show>
        <dl class="run-facts">
          <Fact name="Best by paired test">
            <Best best={run().best} />
            <Show when={run().best_window !== null && run().best_window !== undefined}>
              {" "}
              <a href={watch(run().run_id, { replay: "best" })}>window {run().best_window}</a>
            </Show>
          </Fact>
          <Fact name="Last return">{number(run().last_return)}</Fact>
          <Fact name="Decisions">{number(run().env_steps)}</Fact>
          <Fact name="Updates">{number(run().update)}</Fact>
          <Fact name="Windows">{run().windows}</Fact>
          <Fact name="Training time">
            {duration(run().wall_seconds)}
            <Show when={run().resumes > 0}> in {run().resumes + 1} sessions</Show>
          </Fact>
          <Fact name="Pace">{run().wall_seconds > 0 ? `${compact(run().env_steps / run().wall_seconds)} / s` : "–"}</Fact>
          <Fact name="Algorithm">{run().algorithm || "–"}</Fact>
          <Fact name="Seed">{String(run().seed) || "–"}</Fact>
          <Fact name="Started">
            <time datetime={run().started}>{ago(run().started, props.now)}</time>
          </Fact>
          <Fact name="Last update">
            <time datetime={run().written}>{ago(run().written, props.now)}</time>
          </Fact>
          <Fact name="Commit">
            <span class="mono">{run().commit || "–"}</span>
          </Fact>
          <Fact name="Machine">
            {run().host || "–"} <small>{run().cpu}</small>
          </Fact>
          <Show when={run().experiment}>
            <Fact name="Experiment">{run().experiment}</Fact>
          </Show>
          <Fact name="Run">
            <span class="mono small-text">{run().run_id}</span>
          </Fact>
        </dl>
      </section>
    </>
  );
}

const FIRST_ROWS = 12;

/** The best is found by a paired test; where another window has the highest mean, both are told. */
function higherMean(rows: Evaluation[], bestWindow: number | null): string {
  const best = rows.find((row) => row.window_id === bestWindow);
  const highest = rows.reduce((one, row) => (row.value.mean > one.value.mean ? row : one), rows[0]!);
  if (!best || highest.value.mean <= best.value.mean) return "";
  const said = (row: Evaluation): string => `window ${row.window_id} (${number(row.value.mean)})`;
  const than = highest.window_id > best.window_id ? "" : " than the best before it";
  return `Best by paired test: ${said(best)}; highest mean: ${said(highest)}, not significantly better${than}.`;
}

function Evaluations(props: { run: RunDetail; fresh: Evaluation[] }) {
  const [all, setAll] = createSignal(false);
  // asked again for what came after the events had ended
  const answer = loaded(
    () => `${props.run.run_id} ${props.run.status === "running" ? "" : props.run.evaluations}`,
    () =>
      everything(async (cursor) => {
        const page = await api.evaluations(props.run.run_id, { limit: 500, ...(cursor ? { from: Number(cursor) } : {}) });
        return { rows: page.evaluations, next: page.next };
      }, 5000),
  );
  const rows = createMemo(() => {
    const byWindow = new Map([...(answer.value() ?? []), ...props.fresh].map((row) => [row.window_id, row]));
    return [...byWindow.values()].sort((a, b) => b.window_id - a.window_id);
  });
  const higher = createMemo(() => higherMean(rows(), props.run.best_window));
  return (
    <section class="card" aria-label="Evaluations">
      <h2>Evaluations</h2>
      <Show
        when={rows().length}
        fallback={<p class="quiet">{answer.error()?.message ?? (answer.busy() ? "Loading" : "No window has been evaluated yet.")}</p>}
      >
        <div class="scroller" tabindex="0" role="region" aria-label="Table of evaluations">
          <table class="grid-table">
            <thead>
              <tr>
                <th scope="col">Window</th>
                <th scope="col" class="right">
                  Decisions
                </th>
                <th scope="col" class="right">
                  {rows()[0]!.metric.replaceAll("_", " ")} <small>95% interval</small>
                </th>
                <th scope="col" class="right">
                  Median
                </th>
                <th scope="col" class="right">
                  Against the previous best
                </th>
              </tr>
            </thead>
            <tbody>
              <For each={all() ? rows() : rows().slice(0, FIRST_ROWS)}>
                {(row) => (
                  <tr>
                    <th scope="row" class="nowrap">
                      <button type="button" class="link" title="Replays of this window" onClick={() => setQuery({ window: row.window_id })}>
                        {row.window_id}
                      </button>{" "}
                      <Show when={row.window_id === props.run.best_window}>
                        <Badge tone="accent">best</Badge>
                      </Show>
                    </th>
                    <td class="right">{compact(row.env_steps)}</td>
                    <td class="right">
                      <Best best={row.value} />
                    </td>
                    <td class="right">{number(row.value.median)}</td>
                    <td class="right nowrap">
                      <Show when={row.against_best} fallback={<span class="muted">–</span>}>
                        {(pair) => (
                          <>
                            {signed(pair().mean)}{" "}
                            <small>
                              {signed(pair().low)} to {signed(pair().high)}
                            </small>
                          </>
                        )}
                      </Show>
                    </td>
                  </tr>
                )}
              </For>
            </tbody>
          </table>
        </div>
        <Show when={higher()}>{(said) => <p class="quiet">{said()}</p>}</Show>
        <p class="quiet">
          {counted(rows()[0]!.seeds.count, "episode")} each, seeds from {number(rows()[0]!.seeds.first)},{" "}
          {rows()[0]!.greedy ? "always the likeliest action" : "actions sampled from the policy"}.{" "}
          <Show when={rows().length > FIRST_ROWS}>
            <button type="button" class="link" onClick={() => setAll(!all())}>
              {all() ? "Show the newest only" : `Show all ${rows().length}`}
            </button>
          </Show>
        </p>
      </Show>
    </section>
  );
}

const replayTags = ["best_so_far", "window_best", "window_median", "window_worst", "every_window"];

function Replays(props: { run: RunDetail }) {
  const [more, setMore] = createSignal<Replay[]>([]);
  const [cursor, setCursor] = createSignal<string | null>(null);
  const tag = createMemo(() => param("tag"));
  const window = createMemo(() => param("window"));
  const only = () => ({ ...(tag() ? { tag: tag() } : {}), ...(window() ? { window: window() } : {}) });
  // asked again when a window was evaluated
  const source = createMemo(() => `${tag()} ${window()} ${props.run.evaluations}`);
  const answer = loaded(source, async () => {
    const page = await api.runReplays(props.run.run_id, { limit: FIRST_ROWS, ...only() });
    setMore([]);
    setCursor(page.next);
    return page.replays;
  });
  const next = async () => {
    const page = await api.runReplays(props.run.run_id, { limit: 50, cursor: cursor(), ...only() }).catch(() => null);
    if (!page) return;
    setMore((old) => [...old, ...page.replays]);
    setCursor(page.next);
  };
  const rows = () => [...(answer.value() ?? []), ...more()];
  const tags = createMemo(() => [...new Set([...replayTags, ...rows().flatMap((row) => row.tags), ...(tag() ? [tag()] : [])])]);
  return (
    <section class="card" aria-label="Replays">
      <header class="card-head">
        <h2>Replays</h2>
        <Show when={window()}>
          <button type="button" class="button" onClick={() => setQuery({ window: null })}>
            Window {window()} only <span aria-hidden="true">✕</span>
            <span class="sr-only">, show all</span>
          </button>
        </Show>
        <label class="field inline">
          <span>Tag</span>
          <select value={tag()} onChange={(event) => setQuery({ tag: event.currentTarget.value })}>
            <Options values={tags()} all="Any" text={tagWords} />
          </select>
        </label>
      </header>
      <Show
        when={rows().length}
        fallback={<p class="quiet">{answer.error()?.message ?? (answer.busy() ? "Loading" : "No replay. The evaluator keeps some of every window.")}</p>}
      >
        <div class="scroller" tabindex="0" role="region" aria-label="Table of replays">
          <table class="grid-table">
            <thead>
              <tr>
                <th scope="col">Replay</th>
                <th scope="col" class="right">
                  Return
                </th>
                <th scope="col" class="right">
                  {rows()[0]!.metric.replaceAll("_", " ")}
                </th>
                <th scope="col" class="right">
                  Decisions
                </th>
                <th scope="col">End</th>
                <th scope="col">Tags</th>
              </tr>
            </thead>
            <tbody>
              <For each={rows()}>
                {(row) => (
                  <tr>
                    <th scope="row" class="nowrap">
                      <a href={watch(row.run_id, { replay: row.replay_id })} aria-label={`Watch window ${row.window_id}, seed ${row.seed}`}>
                        window {row.window_id}
                      </a>{" "}
                      <small>seed {String(row.seed)}</small>
                    </th>
                    <td class="right">{number(row.return)}</td>
                    <td class="right">{number(row.value)}</td>
                    <td class="right">{number(row.decisions)}</td>
                    <td class="nowrap">{endName(row.end) || (row.truncated ? "time limit" : "–")}</td>
                    <td>
                      <Tags tags={row.tags.length > 1 ? row.tags.filter((one) => one !== "every_window") : row.tags} />
                    </td>
                  </tr>
                )}
              </For>
            </tbody>
          </table>
        </div>
        <Show when={cursor()}>
          <p class="quiet">
            <button type="button" class="link" onClick={next}>
              Show more
            </button>
          </p>
        </Show>
      </Show>
    </section>
  );
}

/** A row with its inner objects as dotted columns. */
function flat(row: object, before = ""): Record<string, unknown> {
  return Object.entries(row).reduce<Record<string, unknown>>((out, [key, value]) => {
    if (value !== null && typeof value === "object" && !Array.isArray(value)) return { ...out, ...flat(value, `${before}${key}.`) };
    return { ...out, [before + key]: Array.isArray(value) ? JSON.stringify(value) : value };
  }, {});
}

async function windowsOf(run: string): Promise<WindowRow[]> {
  return everything(async (cursor) => {
    const page = await api.windows(run, { limit: 500, ...(cursor ? { from: Number(cursor) } : {}) });
    return { rows: page.windows, next: page.next };
  }, 100000);
}

const asLines = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

function Downloads(props: { run: RunDetail }) {
  const id = () => props.run.run_id;
  const [busy, setBusy] = createSignal("");
  const [problem, setProblem] = createSignal("");
  const models = loaded(() => id(), () => api.models());
  const own = () => (models.value() ?? []).filter((model) => model.run_id === id());
  const files: [string, string, () => Promise<string>][] = [
    ["windows.csv", "text/csv", async () => {
      const rows = (await windowsOf(id())).map((row) => flat(row));
      const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
      return csv([columns, ...rows.map((row) => columns.map((column) => row[column]))]);
    }],
    ["windows.jsonl", "application/x-ndjson", async () => asLines(await windowsOf(id()))],
    ["evaluations.jsonl", "application/x-ndjson", async () =>
      asLines(
        await everything(async (cursor) => {
          const page = await api.evaluations(id(), { limit: 500, ...(cursor ? { from: Number(cursor) } : {}) });
          return { rows: page.evaluations, next: page.next };
        }, 100000),
      )],
    ["run.json", "application/json", async () => `${JSON.stringify(await api.run(id()), null, 2)}\n`],
  ];
  const save = async ([name, type, make]: (typeof files)[number]) => {
    setBusy(name);
    setProblem("");
    try {
      saveFile(`${id()}-${name}`, await make(), type);
    } catch (cause) {
      setProblem(cause instanceof Error ? cause.message : String(cause));
    }
    setBusy("");
  };
  return (
    <section class="card" aria-label="Downloads">
      <h2>Downloads</h2>
      <div class="downloads">
        <For each={files}>
          {(file) => (
            <button type="button" class="button" disabled={busy() !== ""} onClick={() => save(file)}>
              {busy() === file[0] ? "Reading" : file[0]}
            </button>
          )}
        </For>
        <For each={own()}>
          {(model) => (
            <a class="button" href={url(model.url)} download="">
              {`model: ${model.name.split(":").at(-1)}, window ${model.window_id}`}
            </a>
          )}
        </For>
      </div>
      <Show when={problem()}>
        <p class="quiet" role="alert">
          {problem()}
        </p>
      </Show>
      <p class="quiet">
        {counted(props.run.replays, "replay")}, {counted(props.run.evaluations, "evaluation")}, {counted(props.run.windows, "window")}. Replay files are on the Watch page.
      </p>
    </section>
  );
}
