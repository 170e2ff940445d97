// The game's tables for pages, from the same files that the rules are made of.
import { rowsOf, type Row } from "ludus/lib/csv";
import anteRows from "../data/antes.csv?raw";
import blindRows from "../data/blinds.csv?raw";
import deckRows from "../data/decks.csv?raw";
import handRows from "../data/hands.csv?raw";
import jokerRows from "../data/jokers.csv?raw";
import modifierRows from "../data/modifiers.csv?raw";
import packRows from "../data/packs.csv?raw";
import planetRows from "../data/planets.csv?raw";
import spectralRows from "../data/spectrals.csv?raw";
import stakeRows from "../data/stakes.csv?raw";
import tagRows from "../data/tags.csv?raw";
import tarotRows from "../data/tarots.csv?raw";
import voucherRows from "../data/vouchers.csv?raw";

/** What has a key, a title and an effect. */
export interface Thing {
  key: string;
  title: string;
  effect: string;
}

const thing = (row: Row): Thing => ({ key: row["key"] ?? "", title: row["title"] ?? "", effect: row["effect"] ?? "" });

export interface Joker extends Thing {
  rarity: string;
}

/** In the order of their numbers. */
export const jokers: Joker[] = rowsOf(jokerRows).map((row) => ({ ...thing(row), rarity: row["rarity"] ?? "" }));

export type ConsumableSet = "Tarot" | "Planet" | "Spectral";

export interface Consumable extends Thing {
  set: ConsumableSet;
  /** cards of the hand that it is used on */
  least: number;
  most: number;
}

const consumable = (row: Row, set: ConsumableSet): Consumable => ({ ...thing(row), set, least: Number(row["choose_min"] ?? 0), most: Number(row["choose_max"] ?? 0) });

export const consumables: Consumable[] = [
  ...rowsOf(tarotRows).map((row) => consumable(row, "Tarot")),
  ...rowsOf(planetRows).map((row) => ({ ...consumable(row, "Planet"), effect: `Level up ${row["raises_hand"]}: +${row["chips_per_level"]} chips, +${row["mult_per_level"]} mult` })),
  ...rowsOf(spectralRows).map((row) => consumable(row, "Spectral")),
];

/** The hand that a Planet raises. */
export const planetHand = new Map(rowsOf(planetRows).map((row) => [row["key"] ?? "", row["raises_hand"] ?? ""]));

export const vouchers: Thing[] = rowsOf(voucherRows).map(thing);
export const tags: Thing[] = rowsOf(tagRows).map(thing);
export const decks: Thing[] = rowsOf(deckRows).map(thing);

export interface Blind extends Thing {
  kind: string;
  factor: number;
  reward: number;
}

export const blinds: Blind[] = rowsOf(blindRows).map((row) => ({ ...thing(row), kind: row["kind"] ?? "", factor: Number(row["target_factor"]), reward: Number(row["reward"]) }));

export interface Pack extends Thing {
  kind: string;
  shown: number;
  picks: number;
}

export const packs: Pack[] = rowsOf(packRows).map((row) => {
  const [shown, picks] = [Number(row["shown"]), Number(row["picks"])];
  return { ...thing(row), kind: row["kind"] ?? "", shown, picks, effect: `Choose ${picks} of ${shown} ${row["kind"]} cards` };
});

export const stakes: Thing[] = rowsOf(stakeRows).map((row) => {
  const key = row["key"] ?? "";
  return { key, title: `${key.charAt(0).toUpperCase()}${key.slice(1)} Stake`, effect: row["adds"] ?? "" };
});

const targetTables = new Map(rowsOf(stakeRows).map((row) => [row["key"] ?? "", `table${row["target_table"]}`]));
const antes = new Map(rowsOf(anteRows).map((row) => [Number(row["ante"]), row]));

/** What a blind of factor 1 asks for; null beyond the table. */
export function baseTarget(ante: number, stake: string, deck: string): number | null {
  const base = antes.get(Math.max(0, ante))?.[targetTables.get(stake) ?? "table1"];
  return base ? Number(base) * (deck === "b_plasma" ? 2 : 1) : null;
}

export interface Hand {
  title: string;
  chips: number;
  mult: number;
  chipsStep: number;
  multStep: number;
}

/** Strongest first, as states number them. */
export const hands: Hand[] = rowsOf(handRows).map((row) => ({
  title: row["title"] ?? "",
  chips: Number(row["chips"]),
  mult: Number(row["mult"]),
  chipsStep: Number(row["chips_per_level"]),
  multStep: Number(row["mult_per_level"]),
}));

/** By key, those of seals with "seal" behind: a gold card and a gold seal share their name. */
const modifiers = new Map(
  rowsOf(modifierRows).map((row) => {
    const key = (row["key"] ?? "").replace(/^m_/, "").toLowerCase();
    return [row["kind"] === "seal" ? `${key}seal` : key, { title: row["title"] ?? "", effect: row["effect"] ?? "" }];
  }),
);

/** An enhancement ("glass", "m_glass"), edition ("foil"), seal ("redseal") or sticker ("eternal") in words. */
export const modifierOf = (word: string): { title: string; effect: string } => modifiers.get(word.replace(/^m_/, "").toLowerCase()) ?? { title: word, effect: "" };

const all = new Map<string, Thing>([...jokers, ...consumables, ...vouchers, ...tags, ...decks, ...blinds, ...packs].map((one) => [one.key, one]));

/** Anything by its key. */
export const thingOf = (key: string): Thing => all.get(key) ?? { key, title: key, effect: "" };
export const jokerOf = (key: string): Joker | undefined => all.get(key) as Joker | undefined;
export const consumableOf = (key: string): Consumable | undefined => all.get(key) as Consumable | undefined;
