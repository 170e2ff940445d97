// Numbers, times and names for people.
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const compactForm = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

/** A number with about four digits that matter: 12,345 / 123.4 / 0.0123. */
export function number(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 1e7) return compact(value);
  if (size >= 1000 || Number.isInteger(value)) return minus(whole.format(value));
  if (size === 0) return "0";
  const places = Math.max(0, Math.min(6, digits - 1 - Math.floor(Math.log10(size))));
  return minus(value.toFixed(Math.min(places, size < 1 ? 4 : 2)).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, ""));
}

const minus = (text: string) => text.replace(/^-/, "−");

/** With a sign: +12, −3.5. */
export const signed = (value: number, digits = 4): string => (value > 0 ? `+${number(value, digits)}` : number(value, digits));

/** 1,200,000 as 1.2M, 12,000 as 12k. */
export const compact = (value: number | null | undefined): string =>
  value === null || value === undefined || !Number.isFinite(value) ? "–" : minus(compactForm.format(value)).replace("K", "k");

export const percent = (share: number): string =>
  share > 0 && share < 0.005 ? "<1%" : share < 1 && share > 0.995 ? ">99%" : `${Math.round(share * 100)}%`;

export function duration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return "–";
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 100) return `${Math.round(seconds)} s`;
  if (seconds < 6000) return `${Math.round(seconds / 60)} min`;
  if (seconds < 200000) return `${(seconds / 3600).toFixed(1)} h`;
  return `${Math.round(seconds / 86400)} d`;
}

/** "3 minutes ago" for a time as the files have it. */
export function ago(written: string, now = Date.now()): string {
  const seconds = (now - Date.parse(written)) / 1000;
  if (!Number.isFinite(seconds)) return "–";
  if (seconds < 10) return "just now";
  if (seconds < 100) return `${Math.round(seconds)} s ago`;
  if (seconds < 6000) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 130000) return `${Math.round(seconds / 3600)} h ago`;
  return `${Math.round(seconds / 86400)} days ago`;
}

export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  return count < 1e6 ? `${(count / 1e3).toFixed(1)} kB` : `${(count / 1e6).toFixed(1)} MB`;
}

/** "1 run", "3 runs". */
export const counted = (count: number, one: string, many = `${one}s`): string => `${number(count)} ${count === 1 ? one : many}`;

/** true_profit as "true profit". */
export const words = (name: string): string => name.replace(/[_.]+/g, " ");

/** A game's line about a step, as a sentence begins: "moves 2 -> -1" becomes "Moves 2 → −1". */
export function sentence(story: string): string {
  const text = story.replaceAll("->", "→").replace(/(?<=^|[\s(])-(?=[\d.])/g, "−");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A game's words with seats as the page calls them: "seat 0 has won" becomes "Player 1 has won". */
export const byPlayers = (text: string): string => text.replace(/\bseat (\d+)\b/gi, (_, seat) => `Player ${Number(seat) + 1}`);

/** A cause of an end in words; an episode that a limit has cut off still runs by the game's own. */
export const endName = (own: unknown): string => (/^runs$|^running$/.test(String(own)) ? "time limit" : byPlayers(words(String(own ?? ""))));

/** How an episode ended, in words: its own, else whether it was won. */
export function endWords(info: Record<string, any>): string {
  const own = endName(info["end"]);
  if (own) return own;
  return typeof info["won"] === "number" ? (info["won"] ? "won" : "lost") : "over";
}

/** A tag of a replay in words. */
export function tagWords(tag: string): string {
  const fixed: Record<string, string> = {
    every_window: "every window",
    window_best: "best of its window",
    window_median: "median of its window",
    window_worst: "worst of its window",
    best_so_far: "best so far",
  };
  if (fixed[tag]) return fixed[tag];
  const [kind, name, value] = tag.split(":");
  if (kind !== "milestone" || !name || !value) return words(tag);
  return value === "1" ? `first time: ${words(name)}` : `first ${words(name)} of ${number(Number(value))}`;
}

/** The time part and the game of a run id, short enough for a list. */
export function runName(id: string): string {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-([0-9a-f]+)-(.+)$/.exec(id);
  return match ? `${match[8]} · ${match[1]}-${match[2]}-${match[3]} ${match[4]}:${match[5]}` : id;
}

/** The folder of a game by how an address or a replay names it: joker of joker-plan-v1. */
export const folderOf = (name: string): string => name.split("-")[0] ?? name;
