// Results of a league as the page shows them: who is how strong, who beats whom, and how that went.
import type { LeagueEntry, LeagueResult, RatedPlayer } from "../lib/api";
import { runName, words } from "../lib/format";

/** The published model that a file of a folder of models is; "" for other names. */
const published = (name: string): string => /(?:^|\/)models\/([A-Za-z0-9._-]+)\.(?:safetensors|zip)$/.exec(name)?.[1] ?? "";

/** A player's name for people: bots by their words, members of runs by run and window or turn; the league of a run
 * leaves out the run's own name. */
export function playerName(name: string, league: string): string {
  const [, run, kind, number, last] = /^(.+?)(?:\/exploiters\/(\w+)-(\d+))?:(\w+)$/.exec(name) ?? [];
  if (published(name)) return published(name);
  if (run === "bot" && last) return words(last);
  if (!run) return words(name.replace(/\.safetensors$/, ""));
  const of = run === league ? "" : `${runName(run)}, `;
  return of + (kind ? `${kind} exploiter ${number}, turn ${last}` : `window ${last}`);
}

/** How Play names a player whom it can seat: bots, published models and windows of runs; "" for others. */
export function seatOf(name: string): string {
  if (published(name)) return `model:${published(name)}`;
  if (/^[A-Za-z0-9._-]+:\d+$/.test(name)) return `model:${name}`;
  return /^(bot:)?\w+$/.test(name) ? `bot:${name.replace(/^bot:/, "")}` : "";
}

/** The newest first; what comes with ludus stands behind what was rated here. */
export const inOrder = (list: LeagueEntry[]): LeagueEntry[] => [...list].sort((a, b) => Number(a.shipped ?? false) - Number(b.shipped ?? false) || b.date.localeCompare(a.date));

/** The strongest first, with their places in the result. */
export const ranked = ({ players }: LeagueResult): { one: RatedPlayer; place: number }[] => players.map((one, place) => ({ one, place })).sort((a, b) => b.one.elo - a.one.elo);

/** Least and largest rating with intervals, rounded outwards. */
export function span(players: RatedPlayer[]): { low: number; high: number } {
  const low = Math.min(...players.map((one) => one.low ?? one.elo));
  const high = Math.max(...players.map((one) => one.high ?? one.elo));
  return { low: Math.floor(low / 100) * 100, high: Math.max(Math.floor(low / 100) * 100 + 100, Math.ceil(high / 100) * 100) };
}

export interface Course {
  name: string;
  /** by result; null where it was not there */
  elos: (number | null)[];
}

/** Ratings by result of those who are in the newest one, the strongest first. */
export function courses(results: LeagueResult[]): Course[] {
  const newest = results.at(-1);
  if (!newest) return [];
  return ranked(newest).map(({ one }) => ({ name: one.player.name, elos: results.map((result) => result.players.find((other) => other.player.name === one.player.name)?.elo ?? null) }));
}
