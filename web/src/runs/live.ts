// Runs that are still written: their news by server-sent events, and the clock that tells how old
// they are. A browser opens few connections to one server, so only some runs are followed; the
// others are looked at with the table.
import { createEffect, createSignal, mapArray, onCleanup, type Accessor } from "solid-js";
import { follow, type Evaluation, type LiveState, type Run, type WindowRow } from "../lib/api";

export const MOST_FOLLOWED = 3;

export interface News {
  /** rows that came together; a first connection brings all that there are */
  windows(run: string, rows: WindowRow[]): void;
  evaluations(run: string, rows: Evaluation[]): void;
  status(run: string, news: Partial<Run>): void;
  /** the training went on from an earlier window: rows that were sent no longer hold */
  rewound(run: string): void;
}

const GATHER_MS = 60;

/** Follows one run; its rows are gathered for a moment. */
function followOne(run: string, news: News, state: (state: LiveState) => void): () => void {
  let windows: WindowRow[] = [];
  let evaluations: Evaluation[] = [];
  let newest = -1;
  let timer = 0;
  const flush = () => {
    timer = 0;
    const [rows, judged] = [windows, evaluations];
    [windows, evaluations] = [[], []];
    if (rows.length) news.windows(run, rows);
    if (judged.length) news.evaluations(run, judged);
  };
  const soon = () => {
    if (!timer) timer = window.setTimeout(flush, GATHER_MS);
  };
  const stop = follow(run, {
    window: (row) => {
      if (row.window_id <= newest) news.rewound(run);
      newest = row.window_id;
      windows.push(row);
      soon();
    },
    evaluation: (row) => {
      evaluations.push(row);
      soon();
    },
    status: (row) => news.status(run, row),
    state,
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

/** Follows the runs of a list while they are on it. Gives the state of each connection. */
export function followAll(runs: Accessor<string[]>, news: News): Accessor<Record<string, LiveState>> {
  const [states, setStates] = createSignal<Record<string, LiveState>>({});
  const each = mapArray(
    () => runs().slice(0, MOST_FOLLOWED),
    (run) => {
      const stop = followOne(run, news, (state) => setStates((old) => ({ ...old, [run]: state })));
      onCleanup(() => {
        stop();
        setStates(({ [run]: _, ...rest }) => rest);
      });
    },
  );
  createEffect(each);
  return states;
}

/** What a run's newest rows say about the run itself. */
export function progress(run: Run, rows: WindowRow[]): void {
  const row = rows.at(-1);
  if (!row || row.env_steps < run.env_steps) return;
  run.windows = row.window_id + 1;
  run.env_steps = row.env_steps;
  run.update = row.update;
  run.wall_seconds = row.wall_seconds;
  run.written = row.written;
  run.last_return = row.episode_return ?? run.last_return;
}

/** What its newest evaluations say about it. */
export function judged(run: Run, rows: Evaluation[]): void {
  const best = rows.findLast((row) => row.best);
  run.evaluations = Math.max(run.evaluations, (rows.at(-1)?.window_id ?? -1) + 1);
  if (!best || best.window_id < (run.best_window ?? 0)) return;
  run.best = { mean: best.value.mean, low: best.value.low, high: best.value.high };
  run.best_window = best.window_id;
}

/** The time, every few seconds. */
export function clock(seconds = 5): Accessor<number> {
  const [now, setNow] = createSignal(Date.now());
  const timer = setInterval(() => setNow(Date.now()), seconds * 1000);
  onCleanup(() => clearInterval(timer));
  return now;
}

/** Calls while the page is looked at, and at once when it is looked at again. */
export function every(seconds: number, act: () => void): void {
  const turn = () => {
    if (document.visibilityState === "visible") act();
  };
  const timer = setInterval(turn, seconds * 1000);
  document.addEventListener("visibilitychange", turn);
  onCleanup(() => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", turn);
  });
}
