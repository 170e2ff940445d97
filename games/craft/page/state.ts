// What the crafting page shows. All of it stands in the address: base, target, prices that were changed,
// what is not to be used, and the item that is being crafted.
import { reconcile, unwrap } from "solid-js/store";
import { addressed, linkWith, within, type Keys } from "ludus/lib/address";
import type { Item } from "./solver";
import { bases, groups, market, packs, priced } from "./tables";

export const matchKinds = ["group", "family", "ladder", "mod"] as const;
export type MatchKind = (typeof matchKinds)[number];

/** A kind of modifier, as good as asked. */
export interface Matcher {
  kind: MatchKind;
  name: string;
  /** worst tier, 0: any */
  tier: number;
  /** least value, 0: any */
  value: number;
}

export interface Need {
  any: Matcher[];
  count: number;
}

export const units = ["exalted", "chaos", "divine"] as const;
export const breadths = ["plain", "all"] as const;

export interface State {
  base: string;
  ilvl: number;
  rules: string;
  needs: Need[];
  /** free prefixes, suffixes */
  open: [number, number];
  breadth: (typeof breadths)[number];
  unit: (typeof units)[number];
  /** in the unit, 0: none */
  budget: number;
  /** most bases on average, 0: any number */
  bases: number;
  /** changed prices, exalted */
  prices: Record<string, number>;
  /** not to be used */
  out: Record<string, boolean>;
  /** that is being crafted, as in the address; "": none */
  item: string;
}

export const mostNeeds = 8;
const mostAny = 12;

/** The target of a tool's answer, or of a file. */
export interface Target {
  need?: { any_of: Record<string, unknown>[]; count?: number }[];
  open_prefix?: number;
  open_suffix?: number;
}

export function needsOf(target: Target): Need[] {
  return (target.need ?? []).slice(0, mostNeeds).map(({ any_of: list, count = 1 }) => ({
    count,
    any: list.map((one) => {
      const kind = matchKinds.find((key) => typeof one[key] === "string") ?? "group";
      return { kind, name: String(one[kind]), tier: Number(one["max_tier"] ?? 0), value: Number(one["min_value"] ?? 0) };
    }),
  }));
}

/** The target as the tools read it; "" when nothing is wanted yet. */
export function targetText({ needs, open }: Pick<State, "needs" | "open">): string {
  if (needs.length === 0 && !open[0] && !open[1]) return "";
  const need = needs.map(({ any, count }, k) => ({
    id: `need ${k + 1}`,
    any_of: any.map(({ kind, name, tier, value }) => ({ [kind]: name, ...(tier ? { max_tier: tier } : {}), ...(value ? { min_value: value } : {}) })),
    count,
  }));
  return JSON.stringify({ need, open_prefix: open[0], open_suffix: open[1] });
}

// ---- the address ----

/** "2*g-resistance-t2": two of the group resistance of tier 2 or better. */
const needText = ({ any, count }: Need): string => `${count}*${any.map(({ kind, name, tier, value }) => [kind[0], name, ...(tier ? [`t${tier}`] : []), ...(value ? [`v${value}`] : [])].join("-")).join("|")}`;

function readMatcher(text: string): Matcher[] {
  const [, letter, name, tier = "0", value = "0"] = /^([gflm])-(\w{1,80})(?:-t(\d{1,2}))?(?:-v(\d{1,6}(?:\.\d{1,2})?))?$/.exec(text) ?? [];
  const kind = matchKinds.find((one) => one[0] === letter);
  return kind && name && (kind !== "group" || groups.has(name)) ? [{ kind, name, tier: Number(tier), value: Number(value) }] : [];
}

function readNeed(text: string): Need[] {
  const [, count, list] = /^([1-6])\*(.*)$/.exec(text) ?? [];
  const any = (list ?? "").split("|").slice(0, mostAny).flatMap(readMatcher);
  return any.length ? [{ any, count: Number(count) }] : [];
}

const mostPrice = 1e9;
const readPrices = (text: string): Record<string, number> =>
  Object.fromEntries(
    text.split("~").flatMap((part) => {
      const [item = "", price = ""] = part.split(":");
      return priced.has(item) && Number(price) > 0 && Number(price) <= mostPrice ? [[item, Number(price)]] : [];
    }),
  );

// a group of which nothing is used is one word: an address has room for 2048 bytes
const groupWord = (group: string): string => `*${group.split(" ")[0]!.toLowerCase()}`;
const readOut = (text: string): Record<string, boolean> =>
  Object.fromEntries(
    text.split("~").flatMap((word) => {
      const group = market.find((one) => groupWord(one.group) === word);
      return (group?.items ?? (priced.has(word) ? [{ item: word }] : [])).map(({ item }) => [item, true]);
    }),
  );
const outText = (out: Record<string, boolean>): string =>
  market.flatMap(({ group, items }) => (items.every(({ item }) => out[item]) ? [groupWord(group)] : items.flatMap(({ item }) => (out[item] ? [item] : [])))).join("~");

// ---- the item ----

const slotFlags = { f: "fractured", d: "desecrated", c: "crafted" } as const;
const itemFlags = ["corrupted", "sanctified", "mirrored"] as const;
const itemForm = /^(normal|magic|rare)(?:!(?:corrupted|sanctified|mirrored))*(?:~\w{1,80}(?:\.\d{1,3}){0,3}(?:\.[fdc]){0,3}){0,6}$/;

/** "rare~IncreasedLife7.6~FireResist2.1.f": modifiers with their rolls and flags. What is unrevealed has no such form. */
export function itemWord(item: Item): string {
  const mods = item.mods.map((mod) => [mod.mod ?? "", ...(mod.roll ?? []), ...Object.entries(slotFlags).flatMap(([letter, flag]) => (mod[flag] ? [letter] : []))].join("."));
  const word = [[item.rarity, ...itemFlags.filter((flag) => item[flag])].join("!"), ...mods].join("~");
  return itemForm.test(word) ? word : "";
}

/** The item of an address as the tools read it. */
export function itemText({ item, base, ilvl }: Pick<State, "item" | "base" | "ilvl">): string {
  const [head = "", ...mods] = item.split("~");
  const [rarity, ...flags] = head.split("!");
  const slots = mods.map((text) => {
    const [mod, ...rest] = text.split(".");
    const given = Object.entries(slotFlags).filter(([letter]) => rest.includes(letter));
    return { mod, roll: rest.filter((one) => /^\d/.test(one)).map(Number), ...Object.fromEntries(given.map(([, flag]) => [flag, true])) };
  });
  return JSON.stringify({ base, ilvl, rarity, mods: slots, ...Object.fromEntries(flags.map((flag) => [flag, true])) });
}

const firstBase = "Blacksteel Sabatons";

function read(keys: URLSearchParams): State {
  const get = (key: string): string => keys.get(key) ?? "";
  const named = get("base");
  return {
    base: bases.some((one) => one.name === named) ? named : firstBase,
    ilvl: within(get("ilvl"), 1, 100, 82),
    rules: packs.includes(get("rules")) ? get("rules") : packs[0]!,
    needs: get("want").slice(0, 1500).split(",").slice(0, mostNeeds).flatMap(readNeed),
    open: [within(get("op"), 0, 3, 0), within(get("os"), 0, 3, 0)],
    breadth: get("use") === "all" ? "all" : "plain",
    unit: units.find((one) => one === get("unit")) ?? "exalted",
    budget: within(get("budget"), 0, mostPrice, 0),
    bases: within(get("bases"), 0, 1e6, 0),
    prices: readPrices(get("p").slice(0, 3000)),
    out: readOut(get("no").slice(0, 6000)),
    item: itemForm.test(get("item")) ? get("item") : "",
  };
}

const chosen = (out: Record<string, boolean>): string[] => Object.keys(out).filter((item) => out[item]);

function keysOf(state: State): Keys {
  return {
    base: state.base,
    ilvl: state.ilvl,
    rules: state.rules === packs[0] ? null : state.rules,
    want: state.needs.map(needText).join(","),
    op: state.open[0] || null,
    os: state.open[1] || null,
    use: state.breadth === "plain" ? null : state.breadth,
    unit: state.unit === "exalted" ? null : state.unit,
    budget: state.budget || null,
    bases: state.bases || null,
    p: Object.entries(state.prices).map(([item, price]) => `${item}:${price}`).join("~"),
    no: outText(state.out),
    item: state.item || null,
  };
}

export function createCrafting() {
  const [state, set] = addressed(read, keysOf);
  const add = (need: Need): void => {
    if (state.needs.length < mostNeeds) set("needs", (needs) => [...needs, need]);
  };
  const drop = (index: number): void => set("needs", (needs) => needs.filter((_, k) => k !== index));
  return {
    state,
    set,
    link: (): string => linkWith(keysOf(unwrap(state))),
    /** A whole target, as read from words. */
    want(target: Target): void {
      set("needs", reconcile(needsOf(target)));
      set("open", [target.open_prefix ?? 0, target.open_suffix ?? 0]);
    },
    add,
    drop,
    /** Wants a ladder of this tier or better; 0 wants it no longer. */
    ladder(name: string, tier: number): void {
      const at = state.needs.findIndex(({ any }) => any.length === 1 && any[0]!.kind === "ladder" && any[0]!.name === name);
      if (at >= 0 && tier === 0) drop(at);
      else if (at >= 0) set("needs", at, "any", 0, "tier", tier);
      else if (tier > 0) add({ any: [{ kind: "ladder", name, tier, value: 0 }], count: 1 });
    },
    price(item: string, price: number): void {
      const { [item]: _, ...rest } = state.prices;
      set("prices", reconcile(price > 0 && price !== priced.get(item) ? { ...rest, [item]: Math.min(mostPrice, price) } : rest));
    },
    use(items: string[], used: boolean): void {
      const left = chosen(state.out).filter((item) => !items.includes(item));
      set("out", reconcile(Object.fromEntries([...left, ...(used ? [] : items)].map((item) => [item, true]))));
    },
    priceOf: (item: string): number => state.prices[item] ?? priced.get(item) ?? 0,
  };
}

export type Crafting = ReturnType<typeof createCrafting>;
