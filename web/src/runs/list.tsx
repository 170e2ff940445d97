// The table of runs, and the charts of those that are chosen in it.
import { createEffect, createMemo, createSignal, For, onCleanup, Show } from "solid-js";
import { createStore, produce, reconcile } from "solid-js/store";
import { api, type Run, type RunDetail } from "../lib/api";
import { ago, compact, counted, number } from "../lib/format";
import { href, param, setQuery } from "../lib/router";
import { Command, Failed, IconButton, Notice, Options, SortHeader, Tags } from "../lib/ui";
import { ChartBoard, type Shown } from "./charts";
import { allRuns } from "./connection";
import { differing, gameName, runTime, settingText, telling } from "./figures";
import { clock, every, followAll, judged, MOST_FOLLOWED, progress } from "./live";
import { loaded } from "./load";
import { Best, OfflineBar, StatusMark } from "./run_status";
import { Lines } from "./series_cache";
import { SLOTS } from "./plot";
import { SettingsDiff } from "./settings";
import { chartState, list } from "./state";

const MOST_CHOSEN = 16;
const FIRST_CHOSEN = 3;
const statuses = ["running", "finished", "stopped", "crashed", "failed", "damaged"];

const details = new Map<string, RunDetail>();

/** All about runs; what never changes is asked for once. */
async function detailsOf(ids: string[]): Promise<RunDetail[]> {
  const answers = await Promise.all(ids.map(async (id) => details.get(id) ?? (await api.run(id).catch(() => null))));
  const found = answers.filter((detail) => detail !== null);
  for (const detail of found) details.set(detail.run_id, detail);
  return found;
}

const sorts: Record<string, (run: Run) => number | string> = {
  status: (run) => run.status,
  game: (run) => run.game,
  steps: (run) => run.env_steps,
  windows: (run) => run.windows,
  last: (run) => run.last_return ?? -Infinity,
  best: (run) => run.best?.mean ?? -Infinity,
  started: (run) => run.started,
};

function sorted(runs: Run[], sort: string): Run[] {
  const name = sort.replace(/^-/, "");
  const value = Object.hasOwn(sorts, name) ? sorts[name] : undefined;
  if (!value) return runs;
  const sign = sort.startsWith("-") ? 1 : -1;
  return [...runs].sort((a, b) => {
    const [x, y] = [value(a), value(b)];
    return x < y ? -sign : x > y ? sign : 0;
  });
}

function matches(run: Run): boolean {
  const wanted = param("q").toLowerCase();
  const text = [run.run_id, run.game, run.algorithm, run.notes, run.commit, run.experiment ?? "", ...run.tags].join(" ").toLowerCase();
  return (
    (!param("game") || run.game === param("game")) &&
    (!param("status") || run.status === param("status")) &&
    (!param("tag") || run.tags.includes(param("tag"))) &&
    (!wanted || wanted.split(/\s+/).every((word) => text.includes(word)))
  );
}

export function RunList() {
  const now = clock();
  const [store, setStore] = createStore<{ runs: Run[] }>({ runs: [] });
  const archived = createMemo(() => param("archived") === "1");
  const answer = loaded(archived, allRuns);
  createEffect(() => {
    const runs = answer.value();
    if (runs) setStore("runs", reconcile(runs, { key: "run_id" }));
  });
  every(8, answer.again);
  return (
    <div class="runs-page">
      <h1 class="sr-only">Runs</h1>
      <Show when={answer.value()}>
        <OfflineBar now={now()} />
      </Show>
      <Show when={answer.value()} fallback={<Start error={answer.error()} again={answer.again} />}>
        <Show when={store.runs.length} fallback={<NoRuns archived={archived()} />}>
          <Browser runs={store.runs} change={(id, change) => setStore("runs", (run) => run.run_id === id, produce(change))} now={now()} />
        </Show>
      </Show>
    </div>
  );
}

function Start(props: { error: Error | null; again: () => void }) {
  return (
    <Show when={props.error} fallback={<Notice title="Loading the runs" busy />}>
      {(error) => (
        <Failed what="The runs cannot be read" error={error()} again={props.again}>
          <p>The server is started with</p>
          <Command text="ludus serve" />
        </Failed>
      )}
    </Show>
  );
}

function NoRuns(props: { archived: boolean }) {
  return (
    <Notice title={props.archived ? "No run is archived" : "There is no run yet"}>
      <Show
        when={!props.archived}
        fallback={
          <button type="button" class="button" onClick={() => setQuery({ archived: null })}>
            Show the others
          </button>
        }
      >
        <p>Train an agent: it takes seconds, and its curves appear here by themselves.</p>
        <Command text="ludus train cartpole" />
        <p>
          Meanwhile you can <a href="/watch">watch an agent</a> that comes with ludus.
        </p>
      </Show>
    </Notice>
  );
}

/** Places in the palette: a run keeps its own while it is chosen. */
function slots(): (ids: string[]) => Map<string, number> {
  let kept = new Map<string, number>();
  return (ids) => {
    const next = new Map([...kept].filter(([id]) => ids.includes(id)));
    for (const id of ids) {
      if (next.has(id)) continue;
      const taken = new Set(next.values());
      let slot = 0;
      while (taken.has(slot)) slot++;
      next.set(id, slot);
    }
    kept = next;
    return next;
  };
}

function Browser(props: { runs: Run[]; now: number; change: (id: string, change: (run: Run) => void) => void }) {
  const state = chartState();
  const lines = new Lines();
  onCleanup(() => lines.close());
  const [focus, setFocus] = createSignal("");

  const visible = createMemo(() => sorted(props.runs.filter(matches), param("sort") || "started"));
  const standard = createMemo(
    () => {
      const first = visible().find((run) => run.windows > 0) ?? visible()[0];
      return visible().filter((run) => run.game === first?.game).slice(0, FIRST_CHOSEN).map((run) => run.run_id);
    },
    [],
    { equals: (a, b) => a.join() === b.join() },
  );
  const chosen = createMemo(() => (param("runs") ? list(param("runs")).filter((id) => id !== "none") : standard()), [], {
    equals: (a, b) => a.join() === b.join(),
  });
  const choose = (ids: string[]) => setQuery({ runs: ids.slice(0, MOST_CHOSEN).join(",") || "none" });
  const toggle = (id: string) => choose(chosen().includes(id) ? chosen().filter((one) => one !== id) : [...chosen(), id]);

  const place = slots();
  const shown = createMemo<Shown[]>(() => {
    const there = chosen().flatMap((id) => props.runs.find((run) => run.run_id === id) ?? []);
    const where = place(there.map((run) => run.run_id));
    const mixed = new Set(there.map((run) => run.game)).size > 1;
    return there.map((run) => ({ run, slot: where.get(run.run_id)!, name: `${mixed ? `${gameName(run.game)} ` : ""}${runTime(run.run_id)}` }));
  });
  const full = loaded(
    createMemo(() => chosen().join(), "", { equals: (a, b) => a === b }),
    (ids) => detailsOf(list(ids)),
  );
  const compared = createMemo(() =>
    shown().flatMap(({ run, slot }) => {
      const detail = full.value()?.find((one) => one.run_id === run.run_id);
      return detail ? [{ detail: { ...detail, ...run }, slot }] : [];
    }),
  );

  const running = createMemo(() => shown().filter(({ run }) => run.status === "running").map(({ run }) => run.run_id), [], {
    equals: (a, b) => a.join() === b.join(),
  });
  const live = followAll(running, {
    windows: (id, rows) => {
      for (const row of rows) lines.window(id, row);
      props.change(id, (run) => progress(run, rows));
    },
    evaluations: (id, rows) => {
      for (const row of rows) lines.evaluation(id, row);
      props.change(id, (run) => judged(run, rows));
    },
    status: (id, news) => props.change(id, (run) => Object.assign(run, news)),
    rewound: (id) => lines.renew(id),
  });
  // what is not followed is asked for again when the table says that it has grown
  const counts = new Map<string, number>();
  createEffect(() => {
    for (const { run } of shown()) {
      const known = counts.get(run.run_id);
      const mark = run.windows * 1e6 + run.evaluations;
      counts.set(run.run_id, mark);
      if (known !== undefined && known !== mark && !running().slice(0, MOST_FOLLOWED).includes(run.run_id)) lines.renew(run.run_id);
    }
  });

  return (
    <>
      <Filters runs={props.runs} count={visible().length} />
      <RunTable runs={visible()} chosen={chosen()} shown={shown()} now={props.now} onToggle={toggle} />
      <Legend shown={shown()} details={compared().map(({ detail }) => detail)} live={live()} onRemove={toggle} onClear={() => choose([])} onFocus={setFocus} />
      <Show when={shown().length} fallback={<p class="quiet centre">Choose runs in the table to see their curves.</p>}>
        <ChartBoard shown={shown()} lines={lines} state={state} focus={focus()} />
        <Show when={compared().length > 1}>
          <SettingsDiff runs={compared()} />
        </Show>
      </Show>
    </>
  );
}

function Filters(props: { runs: Run[]; count: number }) {
  const games = createMemo(() => [...new Set(props.runs.map((run) => run.game))].sort());
  const tags = createMemo(() => [...new Set(props.runs.flatMap((run) => run.tags))].sort());
  const pick = (key: string) => (event: Event) => setQuery({ [key]: (event.currentTarget as HTMLSelectElement).value });
  return (
    <form class="filters" role="search" aria-label="Which runs are listed" onSubmit={(event) => event.preventDefault()}>
      <label class="field wide-field">
        <span>Find</span>
        <input type="search" placeholder="name, note, tag, commit" value={param("q")} onInput={(event) => setQuery({ q: event.currentTarget.value })} />
      </label>
      <label class="field">
        <span>Game</span>
        <select value={param("game")} onChange={pick("game")}>
          <Options values={games()} all="All games" text={gameName} />
        </select>
      </label>
      <label class="field">
        <span>Status</span>
        <select value={param("status")} onChange={pick("status")}>
          <Options values={statuses} all="Any status" />
        </select>
      </label>
      <Show when={tags().length}>
        <label class="field">
          <span>Tag</span>
          <select value={param("tag")} onChange={pick("tag")}>
            <Options values={tags()} all="Any tag" />
          </select>
        </label>
      </Show>
      <label class="check">
        <input type="checkbox" checked={param("archived") === "1"} onChange={(event) => setQuery({ archived: event.currentTarget.checked ? 1 : null })} />
        Archived
      </label>
      <output class="muted">
        {props.count} of {counted(props.runs.length, "run")}
      </output>
    </form>
  );
}

function RunTable(props: { runs: Run[]; chosen: string[]; shown: Shown[]; now: number; onToggle: (id: string) => void }) {
  const sort = () => param("sort") || "started";
  const onSort = (next: string) => setQuery({ sort: next });
  const header = (column: string, label: string, right = false) => <SortHeader column={column} label={label} sort={sort()} right={right} onSort={onSort} />;
  const slot = (id: string) => props.shown.find(({ run }) => run.run_id === id)?.slot;
  return (
    <div class="scroller runs-table" tabindex="0" role="region" aria-label="Table of runs">
      <table class="grid-table">
        <thead>
          <tr>
            <th scope="col">
              <span class="sr-only">Chosen</span>
            </th>
            <th scope="col">Run</th>
            {header("status", "Status")}
            {header("game", "Game")}
            <th scope="col">Algorithm</th>
            {header("steps", "Decisions", true)}
            {header("windows", "Windows", true)}
            {header("last", "Last return", true)}
            {header("best", "Best evaluation", true)}
            <th scope="col">Tags</th>
            {header("started", "Started", true)}
          </tr>
        </thead>
        <tbody>
          <For each={props.runs} fallback={<tr><td colspan="11" class="quiet">No run matches these filters.</td></tr>}>
            {(run) => (
              <tr classList={{ chosen: props.chosen.includes(run.run_id) }}>
                <td class="pick">
                  <label>
                    <input
                      type="checkbox"
                      checked={props.chosen.includes(run.run_id)}
                      disabled={!props.chosen.includes(run.run_id) && props.chosen.length >= MOST_CHOSEN}
                      onChange={() => props.onToggle(run.run_id)}
                      aria-label={`Compare ${run.run_id}`}
                    />
                    <Show when={slot(run.run_id) !== undefined}>
                      <i class={`swatch slot-${(slot(run.run_id)! % SLOTS) + 1}`} aria-hidden="true" />
                    </Show>
                  </label>
                </td>
                <th scope="row">
                  <a href={`/runs/${encodeURIComponent(run.run_id)}`} title={run.run_id}>
                    {runTime(run.run_id)}
                  </a>
                  <For each={[run.experiment, run.notes].flatMap((line) => line || [])}>
                    {(line) => (
                      <small class="note" title={line}>
                        {line}
                      </small>
                    )}
                  </For>
                </th>
                <td>
                  <StatusMark run={run} now={props.now} />
                </td>
                <td>{gameName(run.game)}</td>
                <td>{run.algorithm}</td>
                <td class="right">{compact(run.env_steps)}</td>
                <td class="right">{run.windows}</td>
                <td class="right">{number(run.last_return)}</td>
                <td class="right">
                  <Best best={run.best} />
                </td>
                <td>
                  <Tags tags={run.tags} />
                </td>
                <td class="right nowrap" title={run.started}>
                  {ago(run.started, props.now)}
                </td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </div>
  );
}

const MOST_TOLD = 3;

/** Which colour is which run, with the settings that tell them apart. */
function Legend(props: {
  shown: Shown[];
  details: RunDetail[];
  live: Record<string, string>;
  onRemove: (id: string) => void;
  onClear: () => void;
  onFocus: (id: string) => void;
}) {
  const keys = createMemo(() => (props.details.length > 1 ? differing(props.details).filter(telling) : []));
  const told = (id: string) => {
    const detail = props.details.find((one) => one.run_id === id);
    if (!detail) return "";
    const parts = keys().map((key) => `${key.replace(/^(train|dqn)\./, "")} ${settingText(detail, key) || "unset"}`);
    return parts.slice(0, MOST_TOLD).join(" · ") + (parts.length > MOST_TOLD ? " …" : "");
  };
  return (
    <Show when={props.shown.length}>
      <ul class="legend" aria-label="Selected runs">
        <For each={props.shown}>
          {(one) => (
            <li
              class="chip"
              onMouseEnter={() => props.onFocus(one.run.run_id)}
              onMouseLeave={() => props.onFocus("")}
              onFocusIn={() => props.onFocus(one.run.run_id)}
              onFocusOut={() => props.onFocus("")}
            >
              <i class={`swatch slot-${(one.slot % SLOTS) + 1}`} aria-hidden="true" />
              <span class="chip-text">
                <a href={href(`/runs/${encodeURIComponent(one.run.run_id)}`)}>{one.name}</a>
                <Show when={props.live[one.run.run_id] === "live"}>
                  <span class="live-word">live</span>
                </Show>
                <Show when={props.shown.length > 1}>
                  <small title={told(one.run.run_id)}>{told(one.run.run_id)}</small>
                </Show>
              </span>
              <IconButton icon="close" label={`Remove ${one.name} from the comparison`} onClick={() => props.onRemove(one.run.run_id)} />
            </li>
          )}
        </For>
        <Show when={props.shown.length > 1}>
          <li>
            <button type="button" class="link" onClick={() => props.onClear()}>
              Clear
            </button>
          </li>
        </Show>
      </ul>
    </Show>
  );
}
