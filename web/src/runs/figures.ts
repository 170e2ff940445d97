// Figures of runs without any drawing: smoothing, ranges, settings as numbers, fronts, names.
import type { Run, RunDetail } from "../lib/api";
import { duration, number } from "../lib/format";

/** The axes of charts and what they count. */
export const axes = {
  env_steps: { label: "decisions", long: "decisions (env_steps)" },
  update: { label: "updates", long: "updates" },
  wall_seconds: { label: "training time", long: "training time" },
} as const;

/** Seconds, with a fraction where they are few. */
export const timeText = (seconds: number): string => (Math.abs(seconds) < 20 ? `${number(seconds, 3)} s` : duration(seconds));

/** A running mean that forgets by distance on the axis: what lies `reach` back counts 1/e. Unlike one by
 * points it does not change with the zoom or the number of buckets. */
export function smooth(xs: ArrayLike<number>, ys: ArrayLike<number>, reach: number): number[] {
  const out = new Array<number>(ys.length);
  let sum = 0;
  let weight = 0;
  for (let i = 0; i < ys.length; i++) {
    const keep = i > 0 && reach > 0 ? Math.exp(-Math.max(0, xs[i]! - xs[i - 1]!) / reach) : 0;
    sum = sum * keep + ys[i]!;
    weight = weight * keep + 1;
    out[i] = sum / weight;
  }
  return out;
}

/** Where `x` stands among rising numbers, the nearest one; -1 when there is none. */
export function nearest(xs: ArrayLike<number>, x: number): number {
  let low = 0;
  let high = xs.length - 1;
  if (high < 0) return -1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (xs[middle]! <= x) low = middle;
    else high = middle;
  }
  return Math.abs(xs[low]! - x) <= Math.abs(xs[high]! - x) ? low : high;
}

const suffixes: Record<string, number> = { k: 1e3, M: 1e6, G: 1e9, B: 1e9, T: 1e12 };

/** A setting's text as a number ("200k", "1e-5"); null when it is none. */
export function settingNumber(text: string): number | null {
  const match = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)([kMGBT]?)\s*$/.exec(text);
  if (!match) return null;
  const value = Number(match[1]) * (match[2] ? suffixes[match[2]]! : 1);
  return Number.isFinite(value) ? value : null;
}

export const settingText = (run: RunDetail, key: string): string => {
  const value = run.settings?.[key]?.value;
  if (typeof value === "number" && Math.abs(value) >= 1e300) return "none"; // a bound that is not set
  return value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
};

/** Short forms of other settings, and where files lie: they say nothing of their own. */
const silent = new Set(["steps", "seed", "threads", "resume", "out", "json", "tensorboard", "preset", "config", "run.folder"]);
export const speaks = (key: string): boolean => !silent.has(key);

/** Settings of the algorithm that a run does not use do not count as differences. */
function used(run: RunDetail, key: string): boolean {
  if (key.startsWith("dqn.")) return run.algorithm === "dqn";
  return !(key.startsWith("train.") && run.algorithm === "dqn");
}

/** Keys in which runs differ, in the order of the settings. A run that does not have a key does not count. */
export function differing(runs: RunDetail[]): string[] {
  const keys = new Set(runs.flatMap((run) => Object.keys(run.settings ?? {})));
  const texts = (key: string) => runs.filter((run) => used(run, key) && run.settings?.[key]).map((run) => settingText(run, key));
  return [...keys].filter((key) => speaks(key) && new Set(texts(key)).size > 1);
}

/** Of the keys in which runs differ, those that may change what is learned. */
export const telling = (key: string): boolean => !/^(run|eval|band)\.|\.threads$/.test(key);

/** How many decisions a training is to make; null when its settings do not tell. */
export function goal(run: RunDetail): number | null {
  return settingNumber(settingText(run, run.algorithm === "dqn" ? "dqn.steps" : "train.steps"));
}

/** The seconds without news after which a running run counts as stale: several of its windows. */
export function patience(run: Run): number {
  const window = run.windows > 0 ? run.wall_seconds / run.windows : 0;
  return Math.max(120, 5 * window);
}

export const isStale = (run: Run, now: number): boolean =>
  run.status === "running" && (now - Date.parse(run.written)) / 1000 > patience(run);

/** The command that goes on with a run. */
export const resumeCommand = (run: Run): string => `ludus train ${run.game.replace(/-v\d+$/, "")} --resume ${run.run_id}`;

export const canResume = (run: Run): boolean => run.status === "crashed" || run.status === "stopped" || run.status === "failed";

/** The time of a run's id, to the second, with its number among those of that second; other ids as they are. */
export function runTime(id: string): string {
  const match = /^\d{4}(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-.*?(-\d+)?$/.exec(id);
  return match ? `${match[1]}-${match[2]} ${match[3]}:${match[4]}:${match[5]}${match[6]?.replace("-", " #") ?? ""}` : id;
}

export const gameName = (id: string): string => id.replace(/-v\d+$/, "");

/** Points that no other point beats in both quantities, by rising x. `x` and `y`: 1 when more is better,
 * -1 when less is. */
export function paretoFront<T extends { x: number; y: number }>(points: T[], x: 1 | -1, y: 1 | -1): T[] {
  const order = [...points].sort((a, b) => x * (b.x - a.x) || y * (b.y - a.y));
  const front: T[] = [];
  for (const point of order) {
    const last = front.at(-1);
    if (!last || y * (point.y - last.y) > 0) front.push(point);
  }
  return front.sort((a, b) => a.x - b.x);
}

/** Round values for the ticks of an axis. */
export function ticks(low: number, high: number, most: number, log = false): number[] {
  if (!(high > low)) return [low];
  if (log) return logTicks(low, high, most);
  const rough = (high - low) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough) ?? 10 * power;
  const out: number[] = [];
  for (let i = Math.ceil(low / step); i <= Math.floor(high / step + 1e-9); i++) out.push(Number((i * step).toPrecision(12)));
  return out;
}

function logTicks(low: number, high: number, most: number): number[] {
  const powers = Math.log10(high / low);
  if (powers < 1) return ticks(low, high, most);
  const every = Math.max(1, Math.ceil(powers / most));
  const digits = powers * 3 <= most ? [1, 2, 5] : powers * 2 <= most ? [1, 3] : [1];
  const out: number[] = [];
  for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e += every) {
    for (const d of digits) out.push(d * 10 ** e);
  }
  return out.filter((v) => v >= low * 0.999999 && v <= high * 1.000001);
}

/** Text as a field of a CSV file (RFC 4180). A leading = + - @ of a name is not left to a spreadsheet. */
export function csvField(value: unknown): string {
  const text = value === null || value === undefined ? "" : String(value);
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csv = (rows: unknown[][]): string => rows.map((row) => row.map(csvField).join(",")).join("\r\n") + "\r\n";

/** Hands a text to the visitor as a file. */
export function saveFile(name: string, text: string, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
