// Questions to the game's solver (ludus potion solve) in a worker: asked anew whenever they change,
// after a pause.
import type { Accessor } from "solid-js";
import { asking as askTool, type Asked } from "ludus/lib/asking";
import { entriesOf, type Pieces } from "./rules";
import { exact, type Wishes } from "./state";

/** Tables and searches, in MB; the module's memory ends at 512 with all else in it. */
export const memory = 480;

/** A potion as the solver gives it. */
export interface Found {
  /** "none found": the search ended before it found one, and the rest is missing */
  proof: "optimal" | "best found" | "none found";
  profit_bound?: number;
  total_bound?: number;
  stability?: string;
  total: number;
  items: number;
  brewed: number;
  grade: number;
  unit_price: number;
  cost: number;
  /** where what one owns costs nothing: for the rest */
  paid?: number;
  profit: number;
  trait_sum?: number;
  mix: Record<string, number>;
  /** what has to be bought beyond the stock */
  buy?: { name: string; pieces: number; gold: number }[];
  buy_gold?: number;
}

export interface Answer {
  best_total: Found | null;
  best_profit: Found | null;
  best_traits?: Found | null;
  least_purchase?: Found | null;
  front?: Found[];
  [key: string]: unknown;
}

/** What counts as its cost. */
export const costOf = (found: Found): number => found.paid ?? found.cost;

/** The front of an answer, the cheapest first. */
export const frontOf = (answer: Answer | null): Found[] => (answer?.front ?? []).filter((found) => found.mix).sort((a, b) => costOf(a) - costOf(b));

export type Settings = Record<string, string | number | boolean>;

/** Pieces as the solver reads them. */
export const piecesJson = (pieces: Pieces): string => JSON.stringify(Object.fromEntries(entriesOf(pieces).map(([action, count]) => [action, Math.min(99, count)])));

/** Classes of stability as the solver names them, by the wish: 5 exactly the ratio, 4 perfect to 1 unstable. */
const classNames = ["", "unstable", "stable", "very_stable", "perfect", "exact"];

/** The settings of a question; null while nothing is owned and nothing may be bought. */
export function settingsOf(recipe: number, cauldron: number, stock: Pieces, wishes: Wishes): Settings | null {
  const forbid = entriesOf(wishes.forbid).map(([action]) => action);
  const must = entriesOf(wishes.must);
  if (entriesOf(stock).length === 0 && wishes.shop === 0) return null;
  return {
    recipe: String(recipe),
    cauldron: String(cauldron),
    stock: piecesJson(stock),
    memory,
    ...(wishes.budget ? { budget: wishes.budget } : {}),
    ...(wishes.least ? { least_grade: String(wishes.least) } : {}),
    ...(wishes.stability < exact ? { stability: classNames[wishes.stability]! } : {}),
    ...(wishes.shop ? { shop: wishes.shop } : {}),
    ...(wishes.free ? { free: true } : {}),
    ...(must.length ? { must: piecesJson(wishes.must) } : {}),
    ...(forbid.length ? { forbid: JSON.stringify(forbid) } : {}),
  };
}

/** No potion of the answer waits for its proof, as where the memory ended. */
const isProven = (documents: unknown[]): boolean => !/"proof":"(best|none) found"/.test(JSON.stringify(documents));

/** Asks whenever `question` changes and stays so for `pauseMs`; null asks nothing. */
export function asking<T = Answer>(question: Accessor<Settings | null>, pauseMs: number): Asked<T> {
  const call = () => {
    const settings = question();
    return settings && { tool: "solve", settings };
  };
  return askTool<T>("potion", call, { pauseMs, enough: isProven });
}
