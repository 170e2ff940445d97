// The server's HTTP API as typed calls (its OpenAPI file is /api/v1/openapi.json). Every failure is
// an ApiError whose `kind` tells what a page can say about it.

import { createSignal } from "solid-js";

export const API_BASE: string = (import.meta.env.VITE_API_BASE ?? "").replace(/\/+$/, "");

export type Interval = { mean: number; low: number; high: number };
export type RunStatus = "running" | "finished" | "failed" | "crashed" | "stopped" | (string & {});

export interface Run {
  run_id: string;
  game: string;
  algorithm: string;
  status: RunStatus;
  started: string;
  written: string;
  seed: number;
  commit: string;
  version: string;
  host: string;
  notes: string;
  tags: string[];
  archived: boolean;
  update: number;
  env_steps: number;
  resumes: number;
  windows: number;
  evaluations: number;
  replays: number;
  wall_seconds: number;
  last_return: number | null;
  metric: string;
  best_window: number | null;
  best: Interval | null;
  experiment: string | null;
}

export interface RunDetail extends Run {
  settings: Record<string, { value: unknown; origin: string; where?: string }>;
  cpu: string;
  problem?: string;
  wandb?: string | null;
}

/** A row of windows.jsonl: fixed members and one number per metric. */
export interface WindowRow {
  run_id: string;
  window_id: number;
  complete: boolean;
  update: number;
  env_steps: number;
  wall_seconds: number;
  written: string;
  steps_per_second: number;
  episodes: number;
  episode_return?: number;
  episode_length?: number;
  [key: string]: unknown;
}

export interface Evaluation {
  run_id: string;
  window_id: number;
  update: number;
  env_steps: number;
  written: string;
  seconds: number;
  metric: string;
  seeds: { first: number; count: number };
  greedy: boolean;
  value: Interval & { median?: number; [key: string]: unknown };
  values?: number[];
  best: boolean;
  best_window: number;
  against_best?: Interval;
  report?: any;
}

export interface Replay {
  run_id: string;
  replay_id: string;
  game: string;
  window_id: number;
  env_steps: number;
  seed: number | string;
  tags: string[];
  return: number;
  value: number;
  metric: string;
  decisions: number;
  ticks: number;
  terminated: boolean;
  truncated: boolean;
  end: string;
  infos: Record<string, number | string | null>;
  bytes: number;
  written: string;
}

export interface GameEntry {
  id: string;
  name: string;
  title: string;
  sentence: string;
  seats: number;
  headline: string;
  bots: { name: string; sentence: string }[];
  wasm: string;
}

export interface LeagueEntry {
  name: string;
  game: string;
  /** of the newest result */
  date: string;
  players: number;
  results: number;
  /** it comes with the published models */
  shipped?: boolean;
}

export interface RatedPlayer {
  player: { name: string };
  elo: number;
  low?: number | null;
  high?: number | null;
  anchor?: boolean;
  points?: number;
  games?: number;
  /** of the points against each player of the result, null for itself */
  shares: (number | null)[];
}

export interface LeagueResult {
  date: string;
  game: string;
  games?: number;
  players: RatedPlayer[];
}

export interface ModelEntry {
  name: string;
  game: string;
  run_id?: string;
  window_id?: number;
  title: string;
  url: string;
}

export interface Bucket {
  x0: number;
  x1: number;
  min: number;
  max: number;
  mean: number;
  last: number;
  count: number;
}

export interface Metrics {
  axis: string;
  rows: string;
  total: number;
  series: { key: string; count: number; buckets: Bucket[] }[];
}

export type Axis = "env_steps" | "update" | "wall_seconds";

export type ApiErrorKind = "offline" | "missing" | "busy" | "locked" | "refused" | "broken";

export class ApiError extends Error {
  constructor(
    readonly kind: ApiErrorKind,
    message: string,
    readonly status = 0,
    readonly request = "",
    readonly pointer = "",
  ) {
    super(message);
    this.name = "ApiError";
  }
}

function kindOf(status: number): ApiErrorKind {
  if (status === 401) return "locked";
  if (status === 404 || status === 410) return "missing";
  if (status === 429 || status === 503) return "busy";
  return status >= 500 ? "broken" : "refused";
}

async function problem(response: Response): Promise<ApiError> {
  let detail = `the server answered ${response.status}`;
  let request = "";
  let pointer = "";
  try {
    const body = await response.json();
    detail = String(body.detail ?? body.title ?? detail);
    request = String(body.request_id ?? "");
    pointer = String(body.pointer ?? "");
  } catch {
    /* not a problem document: the status alone speaks */
  }
  return new ApiError(kindOf(response.status), detail, response.status, request, pointer);
}

// ---- the token, where the server asks for one: typed in, or behind # in the address it prints ----

const tokenKey = "ludus.token";
const [lockedSignal, setLocked] = createSignal(false);

/** The server asks for its token, and has not got the right one; a signal. */
export const locked = lockedSignal;

function readToken(): string {
  const given = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  try {
    if (given) {
      history.replaceState(null, "", location.pathname + location.search);
      sessionStorage.setItem(tokenKey, given);
    }
    return given ?? sessionStorage.getItem(tokenKey) ?? "";
  } catch {
    return given ?? "";
  }
}

let token = readToken();

export function setToken(text: string): void {
  token = text.trim();
  setLocked(false);
  try {
    sessionStorage.setItem(tokenKey, token);
  } catch {
    /* it holds until the page is left */
  }
}

/** True when links alone do not reach the server's files. */
export const hasToken = (): boolean => token !== "";

/** For EventSource and WebSocket, which send no headers: stands for the token once. */
export async function ticket(): Promise<{ ticket?: string }> {
  return token ? ((await (await ask(url(at("tickets")), { method: "POST" })).json()) as { ticket: string }) : {};
}

/** The address of a path of the API, e.g. url("/api/v1/runs", { limit: 5 }). Arrays repeat the key. */
export function url(path: string, query: object = {}): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") search.append(key, String(one));
    }
  }
  const text = search.toString();
  return `${API_BASE}${path}${text ? `?${text}` : ""}`;
}

export async function ask(address: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  const headers = new Headers(init.headers);
  if (token) headers.set("authorization", `Bearer ${token}`);
  try {
    response = await fetch(address, { ...init, headers });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new ApiError("offline", "the server does not answer");
  }
  if (response.status === 401) setLocked(true);
  if (!response.ok) throw await problem(response);
  return response;
}

async function get<T>(path: string, query: object = {}, signal?: AbortSignal): Promise<T> {
  const response = await ask(url(path, query), { ...(signal ? { signal } : {}), headers: { accept: "application/json" } });
  // a static host answers unknown paths with its page: that is no server
  if (!(response.headers.get("content-type") ?? "").includes("json")) {
    throw new ApiError("offline", "there is no ludus server at this address");
  }
  return (await response.json()) as T;
}

function at(...parts: (string | number)[]): string {
  return `/api/v1/${parts.map((part) => encodeURIComponent(String(part))).join("/")}`;
}

export interface Page {
  limit?: number;
  cursor?: string | null;
}

export const api = {
  health: () => get<{ status: string; version: string; commit?: string; uptime_seconds: number }>(at("health")),
  games: () => get<{ games: GameEntry[] }>(at("games")).then((answer) => answer.games),
  game: (name: string) => get<any>(at("games", name)),

  runs: (query: Page & { game?: string; status?: string; tag?: string; archived?: boolean } = {}, signal?: AbortSignal) =>
    get<{ runs: Run[]; next: string | null }>(at("runs"), query, signal),
  run: (run: string) => get<RunDetail>(at("runs", run)),
  windows: (run: string, query: { from?: number; limit?: number } = {}) =>
    get<{ windows: WindowRow[]; next: string | null }>(at("runs", run, "windows"), query),
  evaluations: (run: string, query: { from?: number; limit?: number; full?: boolean } = {}) =>
    get<{ evaluations: Evaluation[]; next: string | null }>(at("runs", run, "evaluations"), query),

  metricKeys: (run: string, rows: "windows" | "updates" = "windows") =>
    get<{ keys: string[] }>(at("runs", run, "metrics"), { rows }).then((answer) => answer.keys),
  metrics: (
    run: string,
    query: { key: string[]; rows?: "windows" | "updates"; buckets?: number; from?: number; to?: number; axis?: Axis },
    signal?: AbortSignal,
  ) => get<Metrics>(at("runs", run, "metrics"), query, signal),

  replays: (query: Page & { game?: string; tag?: string } = {}, signal?: AbortSignal) =>
    get<{ replays: Replay[]; next: string | null }>(at("replays"), query, signal),
  runReplays: (run: string, query: Page & { tag?: string; window?: number | string } = {}, signal?: AbortSignal) =>
    get<{ replays: Replay[]; next: string | null }>(at("runs", run, "replays"), query, signal),
  replay: (run: string, replay: string) => get<Replay>(at("runs", run, "replays", replay)),
  replayFileUrl: (run: string, replay: string) => url(at("runs", run, "replays", replay, "file")),
  replayFile: async (run: string, replay: string, signal?: AbortSignal) =>
    new Uint8Array(await (await ask(url(at("runs", run, "replays", replay, "file")), signal ? { signal } : {})).arrayBuffer()),

  leagues: () => get<{ leagues: LeagueEntry[] }>(at("leagues")).then((answer) => answer.leagues),
  /** oldest first */
  league: (name: string) => get<{ results: LeagueResult[] }>(at("leagues", name)).then((answer) => answer.results),
  models: () => get<{ models: ModelEntry[] }>(at("models")).then((answer) => answer.models),
  model: async (entry: { url: string }, signal?: AbortSignal) =>
    new Uint8Array(await (await ask(`${API_BASE}${entry.url}`, signal ? { signal } : {})).arrayBuffer()),
};

/** Lines of the frames of a replay as the server plays them: the header, then frames. */
export async function* serverFrames(run: string, replay: string, from = 0, limit = 0, signal?: AbortSignal): AsyncGenerator<any> {
  const address = url(at("runs", run, "replays", replay, "frames"), limit ? { from, limit } : { from });
  const body = (await ask(address, signal ? { signal } : {})).body;
  if (!body) return;
  let rest = "";
  for await (const part of body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>) as unknown as AsyncIterable<string>) {
    const lines = (rest + part).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line) yield JSON.parse(line);
  }
  if (rest) yield JSON.parse(rest);
}

export type LiveState = "connecting" | "live" | "lost";

export interface LiveHandlers {
  window?(row: WindowRow): void;
  evaluation?(row: Evaluation): void;
  status?(run: Partial<Run>): void;
  state?(state: LiveState): void;
}

const againMs = 3000;

/** Follows a run by server-sent events; the browser reconnects by itself and misses nothing. */
export function follow(run: string, handlers: LiveHandlers): () => void {
  let source: EventSource | null = null;
  let timer = 0;
  let stopped = false;
  const hear = (event: MessageEvent<string>) => {
    try {
      handlers[event.type as "window" | "evaluation" | "status"]?.(JSON.parse(event.data));
    } catch {
      /* a row that cannot be read is left out; the next look at the list has it */
    }
  };
  const open = async () => {
    const pass = await ticket().catch(() => null);
    if (stopped) return;
    if (!pass) return lost();
    source = new EventSource(url(at("runs", run, "events"), pass));
    for (const name of ["window", "evaluation", "status"]) source.addEventListener(name, hear as EventListener);
    source.onopen = () => handlers.state?.("live");
    source.onerror = lost;
  };
  const lost = () => {
    handlers.state?.("lost");
    // a ticket is good for one connection, and a refused one is not tried again by the browser
    if (source && source.readyState !== EventSource.CLOSED && !hasToken()) return;
    source?.close();
    clearTimeout(timer);
    timer = window.setTimeout(() => void open(), againMs);
  };
  handlers.state?.("connecting");
  void open();
  return () => {
    stopped = true;
    clearTimeout(timer);
    source?.close();
  };
}
