// Quantities of a run that a sweep is looked at by: its figures, its settings, its metrics; and scales
// that place them between 0 and 1.
import type { Run, RunDetail } from "../lib/api";
import { ago, compact, number, words } from "../lib/format";
import { settingNumber, settingText, ticks, timeText } from "./figures";

export type Value = number | string | null;
export type Wish = 1 | -1 | 0;

/** One run of the sweep with all that is known of it. */
export interface Star {
  run: Run;
  detail: RunDetail | null;
  /** figures of metrics: "entropy@last" */
  metrics: Record<string, number>;
}

interface Figure {
  label: string;
  value: (run: Run) => Value;
  text: (value: number) => string;
  /** 1 when more is better, -1 when less is */
  wish: Wish;
}

const sinceNow = (seconds: number) => ago(new Date(seconds * 1000).toISOString());

export const figures: Record<string, Figure> = {
  best: { label: "best evaluation", value: (run) => run.best?.mean ?? null, text: number, wish: 1 },
  last: { label: "last return", value: (run) => run.last_return, text: number, wish: 1 },
  wall: { label: "training time", value: (run) => run.wall_seconds, text: timeText, wish: -1 },
  steps: { label: "decisions", value: (run) => run.env_steps, text: compact, wish: -1 },
  updates: { label: "updates", value: (run) => run.update, text: compact, wish: -1 },
  pace: { label: "decisions per second", value: (run) => (run.wall_seconds > 0 ? run.env_steps / run.wall_seconds : null), text: compact, wish: 1 },
  best_at: { label: "window of the best", value: (run) => run.best_window, text: number, wish: -1 },
  started: { label: "started", value: (run) => Date.parse(run.started) / 1000 || null, text: sinceNow, wish: 0 },
  seed: { label: "seed", value: (run) => settingNumber(String(run.seed)), text: number, wish: 0 },
};

/** A figure by its name; names come from the address. */
const figure = (key: string): Figure | undefined => (Object.hasOwn(figures, key) ? figures[key] : undefined);

export const aggregates: Record<string, string> = { last: "at the end", max: "highest", min: "lowest", mean: "mean" };

/** A quantity is a figure's name, `set:KEY`, or `met:KEY@AGGREGATE`. */
export const isSetting = (key: string): boolean => key.startsWith("set:");
export const isMetric = (key: string): boolean => key.startsWith("met:");

export function label(key: string): string {
  if (isSetting(key)) return key.slice(4);
  if (!isMetric(key)) return figure(key)?.label ?? key;
  const [name = "", aggregate = "last"] = key.slice(4).split("@");
  return `${words(name)}, ${aggregates[aggregate] ?? aggregate}`;
}

export const wishOf = (key: string): Wish => figure(key)?.wish ?? 0;

export function valueOf(star: Star, key: string): Value {
  if (isMetric(key)) return star.metrics[key.slice(4)] ?? null;
  if (!isSetting(key)) return figure(key)?.value(star.run) ?? null;
  if (!star.detail) return null;
  const text = settingText(star.detail, key.slice(4));
  return text === "" ? null : (settingNumber(text) ?? text);
}

export interface Scale {
  key: string;
  kind: "linear" | "log" | "words";
  /** in the scale's own numbers: values, or places of words */
  low: number;
  high: number;
  names: string[];
  /** a value in the scale's own numbers; null when it has no place */
  own: (value: Value) => number | null;
  /** between 0 and 1 */
  at: (own: number) => number;
  /** back from 0..1 */
  back: (share: number) => number;
  text: (value: Value) => string;
  ticks: (most: number) => { own: number; text: string }[];
}

const shown = (key: string) => figure(key)?.text ?? ((value: number) => (Math.abs(value) >= 10000 ? compact(value) : number(value)));

/** The scale of a quantity over stars. Settings that span powers of ten are drawn by powers. */
export function scaleOf(stars: Star[], key: string, log: boolean | null): Scale {
  const values = stars.map((star) => valueOf(star, key)).filter((value) => value !== null);
  return values.some((value) => typeof value === "string") ? wordScale(key, values) : numberScale(key, values as number[], log);
}

function wordScale(key: string, values: Value[]): Scale {
  // numbers among the words come first, by their size
  const size = (name: string) => settingNumber(name) ?? Infinity;
  const names = [...new Set(values.map(String))].sort((a, b) => (size(a) !== size(b) ? size(a) - size(b) : a.localeCompare(b, "en")));
  const high = Math.max(1, names.length - 1);
  return {
    key,
    kind: "words",
    low: 0,
    high,
    names,
    own: (value) => (value === null ? null : names.indexOf(String(value)) < 0 ? null : names.indexOf(String(value))),
    at: (own) => (names.length === 1 ? 0.5 : own / high),
    back: (share) => share * high,
    text: (value) => (value === null ? "–" : String(value)),
    ticks: () => names.map((name, own) => ({ own, text: name })),
  };
}

function numberScale(key: string, values: number[], wanted: boolean | null): Scale {
  const finite = values.filter(Number.isFinite);
  let [low, high] = finite.length ? [Math.min(...finite), Math.max(...finite)] : [0, 1];
  const log = low > 0 && (wanted ?? (isSetting(key) && high / low >= 20));
  if (low === high) [low, high] = log ? [low / 2, high * 2] : [low - (Math.abs(low) * 0.1 || 1), high + (Math.abs(high) * 0.1 || 1)];
  const [a, b] = log ? [Math.log(low), Math.log(high)] : [low, high];
  const text = shown(key);
  return {
    key,
    kind: log ? "log" : "linear",
    low,
    high,
    names: [],
    own: (value) => (typeof value === "number" && Number.isFinite(value) && (!log || value > 0) ? value : null),
    at: (own) => ((log ? Math.log(own) : own) - a) / (b - a),
    back: (share) => (log ? Math.exp(a + share * (b - a)) : a + share * (b - a)),
    text: (value) => (typeof value === "number" ? text(value) : "–"),
    ticks: (most) => ticks(low, high, most, log).map((own) => ({ own, text: text(own) })),
  };
}

/** A range that stars must lie in, in the scale's own numbers. */
export type Brush = [number, number];

export function inside(star: Star, brushes: Record<string, Brush>, scales: Record<string, Scale>): boolean {
  return Object.entries(brushes).every(([key, [low, high]]) => {
    const own = scales[key]?.own(valueOf(star, key));
    return scales[key] === undefined || (own !== null && own !== undefined && own >= low && own <= high);
  });
}
