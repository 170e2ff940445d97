// What of the charts stands in the address, so that a link keeps it.
import { createMemo } from "solid-js";
import type { Axis } from "../lib/api";
import { param, setQuery } from "../lib/router";
import type { Rows } from "./series_cache";
import type { Range } from "./plot";
import { axes } from "./figures";

export const list = (text: string): string[] => [...new Set(text.split(",").filter(Boolean))];

export const SMOOTHEST = 30;

/** Keys of the query: x, rows, smooth, log, from, to, m (metrics), big, bots. */
export function chartState() {
  const axis = createMemo<Axis>(() => (Object.hasOwn(axes, param("x")) ? (param("x") as Axis) : "env_steps"));
  const rows = createMemo<Rows>(() => (param("rows") === "updates" ? "updates" : "windows"));
  const smooth = createMemo(() => {
    const percent = Number(param("smooth") || 0);
    return Number.isFinite(percent) ? Math.max(0, Math.min(SMOOTHEST, percent)) : 0;
  });
  const log = createMemo(() => param("log") === "1");
  const zoom = createMemo<Range | null>(
    () => {
      const [from, to] = [param("from"), param("to")];
      return from !== "" && to !== "" && Number(from) < Number(to) ? [Number(from), Number(to)] : null;
    },
    null,
    { equals: (a, b) => a?.[0] === b?.[0] && a?.[1] === b?.[1] },
  );
  const metrics = createMemo(() => (param("m") ? list(param("m")) : null), null, { equals: (a, b) => a?.join() === b?.join() });
  const big = createMemo(() => param("big"));
  const bots = createMemo(() => param("bots") !== "0");
  const round = (value: number) => Number(value.toPrecision(6));
  return {
    axis,
    rows,
    smooth,
    log,
    zoom,
    metrics,
    big,
    bots,
    setAxis: (next: string) => setQuery({ x: next === "env_steps" ? null : next, from: null, to: null }),
    setRows: (next: string) => setQuery({ rows: next === "windows" ? null : next }),
    setSmooth: (next: number) => setQuery({ smooth: next || null }),
    setLog: (next: boolean) => setQuery({ log: next ? 1 : null }),
    setZoom: (next: Range | null) => setQuery({ from: next ? round(next[0]) : null, to: next ? round(next[1]) : null }),
    setMetrics: (next: string[]) => setQuery({ m: next.length ? next.join(",") : "none" }),
    setBig: (next: string) => setQuery({ big: next || null }),
    setBots: (next: boolean) => setQuery({ bots: next ? null : 0 }),
  };
}

export type ChartState = ReturnType<typeof chartState>;
