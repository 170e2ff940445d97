// The game's tables as the page needs them: bases, groups of modifiers, and what can be bought.
import { rowsOf } from "ludus/lib/csv";
import { words } from "ludus/lib/format";
import baseRows from "../data/bases.csv?raw";
import boneRows from "../data/bones.csv?raw";
import currencyRows from "../data/currencies.csv?raw";
import essenceRows from "../data/essences.csv?raw";
import groupRows from "../data/groups.csv?raw";
import omenRows from "../data/omens.csv?raw";
import packRows from "../data/packs.csv?raw";
import priceRows from "../data/prices.csv?raw";

export interface Base {
  name: string;
  kind: string;
  level: number;
  implicit: string;
}

export const bases: Base[] = rowsOf(baseRows)
  .filter((row) => row["obtainable"] === "1" && !row["tags"]?.includes("not_for_sale")) // which has no modifiers of its own
  .map((row) => ({ name: row["base"] ?? "", kind: row["class"] ?? "", level: Number(row["req_level"]), implicit: row["implicit"] ?? "" }));
export const baseOf = (name: string): Base | undefined => bases.find((one) => one.name === name);
export const kinds: string[] = [...new Set(bases.map((one) => one.kind))];

export const packs: string[] = rowsOf(packRows).map((row) => row["pack"] ?? "");

/** What targets may name: "any resistance" and the like. */
export const groups = new Map(rowsOf(groupRows).map((row) => [row["group"] ?? "", row["label"] ?? ""]));

const currencies = rowsOf(currencyRows);
const names = new Map([
  ...currencies.map((row) => [row["currency"] ?? "", row["name"] ?? ""] as const),
  ...rowsOf(essenceRows).map((row) => [row["essence"] ?? "", row["name"] ?? ""] as const),
  ...rowsOf(omenRows).map((row) => [row["omen"] ?? "", row["name"] ?? ""] as const),
  ...rowsOf(boneRows).map((row) => [row["bone"] ?? "", row["name"] ?? ""] as const),
]);

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The items of a use: "exalted_orb + omen_of_dextral_exaltation". */
export const partsOf = (use: string): string[] => use.split(/ *\+ */);

/** "Exalted Orb, Omen of Dextral Exaltation" of "exalted_orb + omen_of_dextral_exaltation". */
export const itemName = (use: string): string =>
  partsOf(use)
    .map((item) => names.get(item) ?? upper(words(item)))
    .join(", ");

export interface Priced {
  item: string;
  exalted: number;
}

export const priceDate: string = rowsOf(priceRows)[0]?.["date"] ?? "";
const essences = new Set(rowsOf(essenceRows).map((row) => row["essence"] ?? ""));
/** what a currency does to modifiers, for those that the solver can use */
const ops = new Map(currencies.map((row) => [row["currency"] ?? "", row["op"] ?? ""]));
const useful = new Set(["add", "swap", "fill4", "remove", "fracture", "restart", "reroll_values"]);

const groupOf = (item: string): string => {
  if (essences.has(item)) return "Essences";
  if (item.startsWith("omen_")) return "Omens";
  if (ops.has(item)) return /^(greater|perfect)_/.test(item) ? "Greater and Perfect" : "Basic";
  return "Bones and catalysts";
};

/** What can be bought, by group. */
export const market: { group: string; items: Priced[] }[] = ["Basic", "Greater and Perfect", "Essences", "Omens", "Bones and catalysts"].map((group) => ({
  group,
  items: rowsOf(priceRows)
    .map((row) => ({ item: row["item"] ?? "", exalted: Number(row["exalted"]) }))
    .filter(({ item }) => groupOf(item) === group && (!ops.has(item) || useful.has(ops.get(item)!))),
}));
export const priced = new Map(market.flatMap(({ items }) => items.map(({ item, exalted }) => [item, exalted])));
