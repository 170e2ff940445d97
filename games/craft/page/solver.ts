// What the page asks of the game's tools: the modifiers of a base, a target in words, the cheapest way
// to craft it, what to do next with an item, and one use on an item.
import type { ToolCall } from "ludus/lib/tools";
import { targetText, type State, type Target } from "./state";
import { priced, priceDate } from "./tables";

/** Memory of the solver, in MB; the module's ends at 512 with all else in it. */
const memory = 400;

/** A modifier that the base can have. */
export interface Entry {
  mod: string;
  text: string;
  side: "P" | "S";
  family: string;
  ladder: string;
  tier: number;
  tiers: number;
  level: number;
  origin: "natural" | "essence" | "desecrated" | "corrupted";
  weight: number;
  /** of a draw on an empty item */
  chance: number;
  hits?: boolean;
}

/** What the target means on a base. */
export interface Pool {
  base: string;
  class: string;
  ilvl: number;
  prefixes: number;
  suffixes: number;
  target: Target;
  understood: string;
  unparsed: { text: string; nearest?: string }[];
  /** why no such item can be */
  problem?: string;
  entries: Entry[];
}

export interface Distribution {
  from: number;
  to: number;
  share: number[];
}

export interface Path {
  rank: string;
  cost_of_last_base: number;
  /** a use, and the modifiers of the item after it */
  steps: [string, string[]][];
}

export interface Sensitivity {
  item: string;
  d_cost: number;
  /** price at which the strategy changes, and to what first step */
  switch_at?: number;
  switch_to?: string;
  note?: string;
}

export interface Strategy {
  name: string;
  kind: string;
  expected_cost: number;
  cost_bounds: [number, number];
  gap?: number;
  success_probability: number;
  success_per_base?: number;
  expected_bases?: number;
  within_budget?: number;
  cost_quantiles: Record<string, number>;
  cost_distribution?: Distribution;
  uses: Record<string, number>;
  sensitivity?: Sensitivity[];
  first_action: string;
  rules?: { if: string; do: string }[];
  paths?: Path[];
  why?: string[];
  /** what the optimum costs where one rule that is not sure is another */
  spread?: { min: number; max: number; cases: { switch: string; value: string; expected_cost?: number; note?: string }[] };
}

/** The optimum whole: a use by number, -1 gives up, -2 is done. */
export interface Policy {
  uses: string[];
  /** of modifiers: from which roll on they are which sort */
  sorts: Record<string, number[]>;
  /** what is unrevealed, by its bone */
  unrevealed?: { side: "P" | "S"; floor: number; lord: string; sort: number }[];
  /** of modifiers that are of several sorts: values that their first number may have */
  rolls?: Record<string, number>;
  /** number of a state that hides something, and the cost to go of a reveal there */
  reveals?: [number, number][];
  /** rarity, use, cost to go, sorts with flags */
  states: number[][];
}

/** What becomes of a base: situations that are told alike, with the odds of what follows. */
export interface Situation {
  rarity: string;
  /** of each requirement */
  have: number[];
  do: string;
  /** by one base */
  visits: number;
  to: { at: number; chance: number }[];
}

/** A strategy that was played beside the others; no cost where nothing was finished. */
export interface Rival {
  name: string;
  model?: string;
  expected_cost: number | null;
  cost_interval?: [number, number];
  success_probability: number;
  episodes?: number;
}

export interface Result {
  base: string;
  ilvl: number;
  target: Target;
  understood: string;
  feasible: boolean;
  status: "optimal" | "best found";
  states?: number;
  prices: { date: string; unit: string };
  strategies: Strategy[];
  flow?: Situation[];
  policy?: Policy;
  baselines?: Rival[];
  agent?: Rival | null;
  without_price?: string[];
  left_out?: string[];
  dropped?: string[];
  assumptions?: string[];
}

const target = (text: string): { target_spec?: { name: string; text: string } } => (text ? { target_spec: { name: "target.json", text } } : {});

/** What the base can have, and what the target means there. */
export const poolCall = (state: State): ToolCall => ({ tool: "pool", settings: { base: state.base, ilvl: state.ilvl, ruleset: state.rules, ...target(targetText(state)) } });

/** How a target in words is read; the words may name the base too. */
export const readCall = (want: string, { base, ilvl, rules }: State, own: boolean): ToolCall => ({ tool: "pool", settings: { want, ruleset: rules, ...(own ? { base, ilvl } : {}) } });

/** The price file of the page: those of the pack, changed ones, without what is not to be used. */
function priceText(state: State): string {
  const items = [...priced.keys()].filter((item) => !state.out[item] || item === "white_base");
  const prices = Object.fromEntries(items.map((item) => [item, state.prices[item] ?? priced.get(item)]));
  const rates = { exalted: 1, chaos: state.prices["chaos_orb"] ?? priced.get("chaos_orb"), divine: state.prices["divine_orb"] ?? priced.get("divine_orb") };
  const own = Object.keys(state.prices).length > 0;
  return JSON.stringify({ unit: "exalted", date: own ? `${priceDate}, changed here` : priceDate, rates, prices });
}

/** What solver and advisor are asked alike. */
const asked = (state: State, text: string) => ({
  ruleset: state.rules,
  ...target(text),
  prices: { name: "prices.json", text: priceText(state) },
  actions: state.breadth,
  unit: state.unit,
  memory,
  ...(state.budget ? { budget: state.budget } : {}),
});

/** The solver's question; null while nothing is wanted. */
export function solveCall(state: State): ToolCall | null {
  const text = targetText(state);
  if (!text) return null;
  return {
    tool: "optimize",
    settings: {
      base: state.base,
      ilvl: state.ilvl,
      ...asked(state, text),
      policy: true,
      spread: "off",
      episodes: 0,
      ...(state.bases ? { max_bases: state.bases } : {}),
    },
  };
}

/** The same question with all that takes longer: other prices, other rules, baselines at play. */
export const closerCall = (call: ToolCall): ToolCall => ({ ...call, settings: { ...call.settings, policy: false, spread: "on", episodes: 200 } });

/** Nothing had to be left out for the page's memory. */
export const isWhole = (documents: { dropped?: string[] }[]): boolean => documents.every((one) => !one.dropped?.length);

/** A kind of outcome of an action. */
export interface Outcome {
  chance: number;
  what: string;
  hits: string[];
  loses: string[];
  blocks: string[];
  frees: string[];
  such_as: { text: string; chance: number }[];
  next: string;
  cost_to_go: number;
}

/** What to do next with an item. */
export interface Advice {
  base: string;
  ilvl: number;
  prices: { date: string; unit: string };
  item: Item & { notes: string[] };
  feasible: boolean;
  done: boolean;
  status: "optimal" | "best found";
  cost_to_go?: number;
  cost_bounds?: [number, number];
  next?: string;
  price?: number;
  outcomes?: Outcome[];
  /** that the item shows, each with its cost to go where it is kept */
  options?: { action: string; mod: string; text: string; tier: number; hits: boolean; cost_to_go: number }[];
  alternatives?: { action: string; cost_to_go: number; dearer: number }[];
  budget?: { whole: number; left: number; within: number };
  so_far?: { steps: number; spent: number; last: { action: string; how: "advised" | "told" | "unknown"; price: number; chance: number } | null };
  dropped?: string[];
  session?: string;
}

/** What the advisor is asked about an item; `did`: what was used, "" as advised. */
export function adviceCall(state: State, item: string, session: string, did: string): ToolCall {
  const settings = { ...asked(state, targetText(state)), session: { name: "the craft in this browser", text: session }, ...(did ? { did } : {}) };
  return { tool: "advise", settings, inputs: [{ name: "the item", text: item }] };
}

/** An item as the tools read and write it. */
export interface Item {
  rarity: "normal" | "magic" | "rare";
  corrupted?: boolean;
  sanctified?: boolean;
  mirrored?: boolean;
  bone_floor?: number;
  lord?: string;
  /** that a reveal shows, by id */
  options?: string[];
  echoed?: boolean;
  mods: { mod?: string; roll?: number[]; side: "P" | "S"; tier?: number; text: string; fractured?: boolean; desecrated?: boolean; crafted?: boolean; unrevealed?: boolean }[];
}

export interface Applied {
  used: boolean;
  why?: string;
  item: Item;
}

const rarities = ["normal", "magic", "rare"];
const setFlags = { fractured: 0x1000, desecrated: 0x2000, crafted: 0x4000 } as const;

/** What to do with an item, its cost to go, and that of a reveal where it hides something. */
export interface Found {
  use: number;
  cost: number;
  reveal?: number;
}

/** The item where one of the options that it shows is kept, with this first value. */
export const keeping = (item: Item, mod: string, roll: number[]): Item => ({
  ...item,
  options: undefined,
  mods: item.mods.map((slot) => (slot.unrevealed ? { mod, roll, side: slot.side, text: "", desecrated: true } : slot)),
});

/** Cost to go of an item that keeps an option, over the values that it may have; null where the policy does not tell. */
export function keptCost(policy: Policy, find: (item: Item) => Found | null, item: Item, mod: string): number | null {
  const values = policy.rolls?.[mod] ?? 1;
  const costs = Array.from({ length: values }, (_, roll) => find(keeping(item, mod, [roll]))?.cost);
  return costs.every((cost) => cost !== undefined) ? costs.reduce((sum, cost) => sum + cost! / values, 0) : null;
}

/** Finds items in a policy; null where it does not tell. */
export function finderOf(policy: Policy): (item: Item) => Found | null {
  const reveals = new Map(policy.reveals);
  const found = new Map(policy.states.map(([rarity, use = 0, cost = 0, ...sorts], at) => [`${rarity}:${sorts}`, { use, cost, reveal: reveals.get(at) }]));
  const hidden = (item: Item, side: "P" | "S") =>
    policy.unrevealed?.find((row) => row.side === side && row.floor === (item.bone_floor ?? 0) && row.lord === (item.lord ?? "none"))?.sort ?? -1;
  const codeOf = (item: Item, mod: Item["mods"][number]): number => {
    const runs = policy.sorts[mod.mod ?? ""] ?? [];
    let sort = mod.unrevealed ? hidden(item, mod.side) : -1;
    for (let k = 0; k < runs.length; k += 2) if ((mod.roll?.[0] ?? 0) >= runs[k]!) sort = runs[k + 1]!;
    return (Object.keys(setFlags) as (keyof typeof setFlags)[]).reduce((code, flag) => (mod[flag] ? code | setFlags[flag] : code), sort);
  };
  return (item) => found.get(`${rarities.indexOf(item.rarity)}:${item.mods.map((mod) => codeOf(item, mod)).sort((a, b) => a - b)}`) ?? null;
}

/** The text of a modifier without its numbers: "+# to maximum Life". */
export const plainText = (text: string): string => text.replace(/\(?[\d.]+(?:-[\d.]+\))?/g, "#");
