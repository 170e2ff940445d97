// What the charts draw: buckets of metrics as the server makes them, asked for in batches, kept per
// scope (axis, rows, zoom), and lengthened by the rows that a running run sends.
import { createSignal } from "solid-js";
import { api, ApiError, type Axis, type Bucket, type Evaluation, type WindowRow } from "../lib/api";
import { heard } from "./connection";

export type Rows = "windows" | "updates";

export interface Scope {
  axis: Axis;
  rows: Rows;
  /** the zoom on the axis; null: everything */
  from: number | null;
  to: number | null;
}

export interface Line {
  state: "loading" | "ready" | "missing" | "failed";
  buckets: Bucket[];
  /** rows that the buckets were made from */
  count: number;
  problem: string;
}

interface Kept {
  scope: Scope;
  run: string;
  key: string;
  line: Line;
  read: () => Line;
  write: (line: Line) => void;
}

const blank = (state: Line["state"], problem = ""): Line => ({ state, buckets: [], count: 0, problem });
const nameOf = (scope: Scope) => `${scope.axis} ${scope.rows} ${scope.from} ${scope.to}`;

/** How many rows of news are added by hand before the server's buckets are asked for again. */
const MOST_ADDED = 100;
const MOST_KEYS = 16;

/** The number at a dotted path of a row. */
export function numberAt(row: unknown, path: string): number | null {
  let value: any = row;
  for (const part of path.split(".")) value = value !== null && typeof value === "object" ? value[part] : undefined;
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

const keyLists = new Map<string, Promise<string[]>>();

/** Names of the metrics of a run. */
export function keysOf(run: string, rows: Rows): Promise<string[]> {
  const name = `${rows} ${run}`;
  let keys = keyLists.get(name);
  if (!keys) {
    keys = heard(api.metricKeys(run, rows));
    keyLists.set(name, keys);
    // none yet, or no answer: ask again the next time
    keys.then(
      (list) => list.length === 0 && keyLists.delete(name),
      () => keyLists.delete(name),
    );
  }
  return keys;
}

export class Lines {
  private readonly kept = new Map<string, Kept>();
  private readonly waiting = new Set<Kept>();
  private readonly added = new Map<string, number>();
  private readonly wall = new Map<string, number>();
  private readonly later = new Map<string, number>();
  private flushing = 0;
  private retry = 0;
  private closed = false;

  /** A metric of a run; tracked, and asked for when it is not known yet. */
  line(scope: Scope, run: string, key: string): Line {
    // evaluations come by windows only
    const own: Scope = key.startsWith("eval.") ? { ...scope, rows: "windows" } : scope;
    const name = `${nameOf(own)} ${run} ${key}`;
    let kept = this.kept.get(name);
    if (!kept) {
      const [read, set] = createSignal(blank("loading"), { equals: false });
      kept = { scope: own, run, key, line: blank("loading"), read, write: () => undefined };
      const mine = kept;
      kept.write = (line) => {
        mine.line = line;
        set(line);
      };
      this.kept.set(name, kept);
      this.ask(kept);
    }
    return kept.read();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.retry);
    for (const timer of this.later.values()) clearTimeout(timer);
  }

  private ask(kept: Kept): void {
    this.waiting.add(kept);
    if (!this.flushing) this.flushing = window.setTimeout(() => this.flush(), 0);
  }

  private flush(): void {
    this.flushing = 0;
    const groups = new Map<string, Kept[]>();
    for (const kept of this.waiting) {
      const name = `${nameOf(kept.scope)} ${kept.run}`;
      groups.set(name, [...(groups.get(name) ?? []), kept]);
    }
    this.waiting.clear();
    for (const group of groups.values()) void this.load(group);
  }

  /** Metrics of one run and one scope. */
  private async load(group: Kept[]): Promise<void> {
    const { scope, run } = group[0]!;
    try {
      const known = new Set(await keysOf(run, scope.rows));
      const [there, gone] = [group.filter((kept) => known.has(kept.key)), group.filter((kept) => !known.has(kept.key))];
      for (const kept of gone) kept.write(blank("missing"));
      for (let i = 0; i < there.length; i += MOST_KEYS) await this.fetch(scope, run, there.slice(i, i + MOST_KEYS));
    } catch (cause) {
      if (this.closed) return;
      const offline = cause instanceof ApiError && (cause.kind === "offline" || cause.kind === "busy");
      for (const kept of group) {
        if (offline) this.waiting.add(kept);
        else kept.write(blank("failed", cause instanceof Error ? cause.message : String(cause)));
      }
      if (offline) this.again();
    }
  }

  private async fetch(scope: Scope, run: string, group: Kept[]): Promise<void> {
    const answer = await heard(
      api.metrics(run, {
        key: group.map((kept) => kept.key),
        rows: scope.rows,
        axis: scope.axis,
        buckets: 300,
        ...(scope.from === null ? {} : { from: scope.from }),
        ...(scope.to === null ? {} : { to: scope.to }),
      }),
    );
    for (const kept of group) {
      const series = answer.series.find((one) => one.key === kept.key);
      const buckets = (series?.buckets ?? []).filter((bucket) => Number.isFinite(bucket.mean));
      kept.write({ state: series ? "ready" : "missing", buckets, count: series?.count ?? 0, problem: "" });
    }
  }

  private again(): void {
    clearTimeout(this.retry);
    this.retry = window.setTimeout(() => this.flush(), 4000);
  }

  /** A new window: its figures go to the end of the lines at once. */
  window(run: string, row: WindowRow): void {
    this.wall.set(`${run} ${row.window_id}`, row.wall_seconds);
    this.append(run, (kept) => (kept.key.startsWith("eval.") ? null : [Number(row[kept.scope.axis]), numberAt(row, kept.key)]));
  }

  /** A new evaluation. Its training time is that of its window. */
  evaluation(run: string, row: Evaluation): void {
    const wall = this.wall.get(`${run} ${row.window_id}`) ?? NaN;
    this.append(run, (kept) => {
      if (!kept.key.startsWith("eval.")) return null;
      const x = kept.scope.axis === "wall_seconds" ? wall : row[kept.scope.axis];
      return [x, numberAt(row.value, kept.key.slice(5))];
    });
  }

  private append(run: string, point: (kept: Kept) => [number, number | null] | null): void {
    let stale = false;
    let grown = false;
    for (const kept of this.kept.values()) {
      if (kept.run !== run) continue;
      const news = point(kept);
      if (!news) continue;
      const [x, y] = news;
      const { scope, line } = kept;
      if ((scope.from !== null && x < scope.from) || (scope.to !== null && x > scope.to)) continue;
      // an answer under way may lack the row, a first row brings new keys, updates are not sent, and
      // a late row belongs in the middle
      if (line.state !== "ready") stale ||= y !== null;
      else if (!Number.isFinite(x)) stale = true;
      else if (line.buckets.some((bucket) => x >= bucket.x0 && x <= bucket.x1)) continue;
      else if (scope.rows === "updates" || x < (line.buckets.at(-1)?.x1 ?? -Infinity)) stale = true;
      else if (y !== null) {
        this.lengthen(kept, x, y);
        grown = true;
      }
    }
    if (grown) this.added.set(run, (this.added.get(run) ?? 0) + 1);
    if (stale || (this.added.get(run) ?? 0) > MOST_ADDED) this.renew(run);
  }

  private lengthen(kept: Kept, x: number, y: number): void {
    const bucket: Bucket = { x0: x, x1: x, min: y, max: y, mean: y, last: y, count: 1 };
    kept.write({ ...kept.line, buckets: [...kept.line.buckets, bucket], count: kept.line.count + 1 });
  }

  /** Asks for all lines of a run again, soon, and not more than every 3 seconds. */
  renew(run: string): void {
    if (this.later.has(run)) return;
    const timer = window.setTimeout(() => {
      this.later.delete(run);
      this.added.set(run, 0);
      keyLists.delete(`windows ${run}`);
      keyLists.delete(`updates ${run}`);
      for (const kept of this.kept.values()) if (kept.run === run) this.ask(kept);
    }, 3000);
    this.later.set(run, timer);
  }
}
