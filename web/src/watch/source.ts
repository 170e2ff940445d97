// Which replay is watched: what the address names, else the newest of the game or of all, else the one that
// comes with the site; and whether a newer one has come. States that a page must tell apart: loading, nothing
// yet, no server, gone, ready.
import { createEffect, createMemo, createSignal, on, onCleanup, untrack } from "solid-js";
import { folderOf } from "../lib/format";
import { api, ApiError, type Evaluation, type Replay, type RunDetail } from "../lib/api";
import { go, href, param } from "../lib/router";
import { isShipped, shippedOf } from "../lib/shipped";
import { followAll } from "../runs/live";

export type SourceState =
  | { kind: "loading" }
  | { kind: "empty"; runs: number; running: boolean }
  | { kind: "failed"; offline: boolean; missing: boolean; message: string }
  | { kind: "ready"; replay: Replay };

const pollMs = 15_000;
const emptyPollMs = 3_000;

const isNewer = (a: Replay, b: Replay) => a.written > b.written || (a.run_id === b.run_id && a.window_id > b.window_id);

/** Of the newest window, of a run, of a game with all its variants or of all, the best episode; null when nothing
 * was evaluated yet. */
async function newestOf(run: string, game = ""): Promise<Replay | null> {
  const query = { tag: "window_best", limit: 1 };
  if (run) return (await api.runReplays(run, query)).replays[0] ?? null;
  if (!game) return (await api.replays(query)).replays[0] ?? null;
  const variants = (await api.games()).filter(({ name }) => name === folderOf(game));
  if (!variants.length) throw new ApiError("missing", `there is no game called ${game}`);
  const lists = await Promise.all(variants.map(({ id }) => api.replays({ ...query, game: id })));
  return lists.flatMap(({ replays }) => replays).reduce<Replay | null>((best, one) => (best && isNewer(best, one) ? best : one), null);
}

async function find(run: string, replay: string, game: string): Promise<SourceState> {
  const named = run === "shipped" && shippedOf(replay);
  if (named) return { kind: "ready", replay: named };
  if (run && replay) return { kind: "ready", replay: await api.replay(run, replay) };
  const comes = run ? undefined : shippedOf(game);
  const newest = await newestOf(run, game).catch((cause: unknown) => {
    if (!comes) throw cause;
    return null;
  });
  if (newest ?? comes) return { kind: "ready", replay: (newest ?? comes)! };
  const { runs } = await api.runs({ limit: 5 });
  return { kind: "empty", runs: runs.length, running: runs.some((entry) => entry.status === "running") };
}

/** What stands beside a replay: its run, the run's evaluations, the other episodes of its window. */
function createSurroundings(replay: () => Replay | null) {
  const [run, setRun] = createSignal<RunDetail | null>(null);
  const [evaluations, setEvaluations] = createSignal<Evaluation[]>([]);
  const [siblings, setSiblings] = createSignal<Replay[]>([]);
  const refresh = async (entry: Replay) => {
    if (isShipped(entry)) return;
    const [detail, rows, same] = await Promise.allSettled([
      api.run(entry.run_id),
      api.evaluations(entry.run_id, { limit: 500 }),
      api.runReplays(entry.run_id, { window: entry.window_id, limit: 12 }),
    ]);
    if (untrack(replay) !== entry) return;
    if (detail.status === "fulfilled") setRun(detail.value);
    if (rows.status === "fulfilled") setEvaluations(rows.value.evaluations);
    if (same.status === "fulfilled") setSiblings(same.value.replays);
  };
  createEffect(
    on(replay, (entry) => {
      if (!entry) return;
      if (untrack(run)?.run_id !== entry.run_id) {
        setRun(null);
        setEvaluations([]);
      }
      setSiblings([]);
      void refresh(entry);
    }),
  );
  return { run, setRun, evaluations, setEvaluations, siblings, refresh };
}

export function createSource(game: () => string) {
  const [state, setState] = createSignal<SourceState>({ kind: "loading" });
  const [newer, setNewer] = createSignal<Replay | null>(null);
  const [offline, setOffline] = createSignal(false);
  const replay = () => {
    const now = state();
    return now.kind === "ready" ? now.replay : null;
  };

  let asked = 0;
  const load = async (quiet = false) => {
    const turn = ++asked;
    if (!quiet) setState({ kind: "loading" });
    try {
      const found = await find(param("run"), param("replay"), game());
      if (turn !== asked) return;
      setOffline(false);
      setState((old) => (old.kind === "empty" && found.kind === "empty" && old.running === found.running ? old : found));
    } catch (cause) {
      if (turn !== asked) return;
      const kind = cause instanceof ApiError ? cause.kind : "broken";
      setState({ kind: "failed", offline: kind === "offline", missing: kind === "missing", message: cause instanceof Error ? cause.message : String(cause) });
    }
  };
  createEffect(
    on([() => param("run"), () => param("replay"), game], ([wantedRun, wantedReplay]) => {
      const now = untrack(replay);
      // the page itself wrote what it shows into the address
      if (now && now.run_id === wantedRun && now.replay_id === wantedReplay) return;
      void load();
    }),
  );

  const { run, setRun, evaluations, setEvaluations, siblings, refresh } = createSurroundings(replay);
  createEffect(
    on(replay, (entry) => {
      const waiting = untrack(newer);
      if (entry && waiting && !isNewer(waiting, entry)) setNewer(null);
    }),
  );

  // newer replays: at once by events of a running run, else by asking now and then
  const look = async () => {
    const entry = untrack(replay);
    if (!entry) return void load(true);
    try {
      const newest = await newestOf("", isShipped(entry) ? game() : "");
      setOffline(false);
      if (newest && newest.replay_id !== entry.replay_id && isNewer(newest, entry)) setNewer(newest);
      if (untrack(run)?.status === "running") void refresh(entry);
    } catch (cause) {
      setOffline(cause instanceof ApiError && cause.kind === "offline");
    }
  };
  createEffect(() => {
    const waits = state().kind === "empty" || state().kind === "failed" || offline();
    const timer = setInterval(() => document.visibilityState === "visible" && void look(), waits ? emptyPollMs : pollMs);
    onCleanup(() => clearInterval(timer));
  });
  // its state and figures change all the time: what is followed changes with the run alone
  const running = createMemo(() => (run()?.status === "running" ? run()!.run_id : ""));
  const nothing = () => undefined;
  followAll(() => (running() ? [running()] : []), {
    windows: nothing,
    evaluations: (_, rows) => {
      const fresh = new Set(rows.map((row) => row.window_id));
      setEvaluations((old) => [...old.filter((row) => !fresh.has(row.window_id)), ...rows]);
      void look();
    },
    status: (id, fresh) => setRun((old) => (old && old.run_id === id ? { ...old, ...fresh } : old)),
    rewound: nothing,
  });

  /** Shows a replay at once and names it in the address; `push`: back leads to the one before. */
  const open = (entry: Replay, push = true) => {
    asked++;
    setState({ kind: "ready", replay: entry });
    go(href(`/watch/${encodeURIComponent(folderOf(entry.game))}`, { run: entry.run_id, replay: entry.replay_id, speed: param("speed") }), { replace: !push, keepScroll: true });
  };

  return { state, replay, run, evaluations, siblings, newer, offline, open, retry: () => void load() };
}

export type Source = ReturnType<typeof createSource>;
