// What a searched seed must have, as chips of the page and as the text that `joker find` reads.
import { blinds, consumables, jokers, tags, vouchers } from "../view/tables";

export type WantKind = "joker" | "tarot" | "planet" | "spectral" | "tag" | "voucher" | "boss";

/** Something that can be wanted. */
export interface Wanted {
  kind: WantKind;
  key: string;
  title: string;
  /** of a joker */
  rarity: string;
  /** typed before the name of a joker */
  edition?: string;
}

export interface Want extends Wanted {
  /** of a joker, "" for any */
  edition: string;
  /** shop and pack of cards, small and big of tags, "" for anywhere */
  place: string;
  from: number;
  to: number;
  /** in place of the one before, not beside it */
  or: boolean;
}

export const editions = ["foil", "holo", "polychrome", "negative"];
export const lastAnte = 8;
const anyJoker: Wanted = { kind: "joker", key: "any", title: "Any joker", rarity: "" };

export const wanted: Wanted[] = [
  ...jokers.map(({ key, title, rarity }) => ({ kind: "joker" as const, key, title, rarity })),
  ...consumables.map(({ key, title, set }) => ({ kind: set.toLowerCase() as WantKind, key, title, rarity: "" })),
  ...vouchers.map(({ key, title }) => ({ kind: "voucher" as const, key, title, rarity: "" })),
  ...tags.map(({ key, title }) => ({ kind: "tag" as const, key, title, rarity: "" })),
  ...blinds.filter(({ key }) => key !== "bl_small" && key !== "bl_big").map(({ key, title }) => ({ kind: "boss" as const, key, title, rarity: "" })),
  anyJoker,
];

export const kindWords: Record<WantKind, string> = { joker: "joker", tarot: "Tarot", planet: "Planet", spectral: "Spectral", tag: "tag", voucher: "voucher", boss: "boss" };

const places: Record<string, [string, string][]> = {
  card: [["", "anywhere"], ["shop 4", "first shop"], ["shop 6", "shop, 6 cards"], ["pack 2", "first 2 packs"], ["pack 4", "first 4 packs"]],
  tag: [["", "either blind"], ["small", "Small Blind"], ["big", "Big Blind"]],
  none: [],
};
export const placesOf = (kind: WantKind): [string, string][] => places[kind === "tag" ? "tag" : kind === "boss" || kind === "voucher" ? "none" : "card"]!;

/** A chip as it begins: what comes late is wanted in the first ante that it may come in. */
export const wantOf = (thing: Wanted): Want => ({ ...thing, edition: thing.edition ?? (thing.key === "any" ? "negative" : ""), place: "", from: 1, to: thing.kind === "tag" || thing.kind === "boss" ? 2 : 1, or: false });

const prefix = /^(j|c|v|tag|bl)_/;
const term = (want: Want): string =>
  [want.kind, want.edition || (want.key === "any" ? "negative" : ""), want.key.replace(prefix, ""), want.place, `ante ${want.from}${want.to > want.from ? `-${want.to}` : ""}`].filter(Boolean).join(" ");

/** "joker blueprint shop 4 ante 1; tag negative ante 2" */
export const wantText = (wants: Want[]): string => wants.map((want, k) => `${k ? (want.or ? " or " : "; ") : ""}${term(want)}`).join("");

const plain = (word: string): string => word.toLowerCase().replace(prefix, "").replace(/[ '-]/g, "_");

function readTerm(text: string, or: boolean): Want | null {
  const words = text.trim().replace(/\s+/g, " ");
  const [, before = "", from = "1", to = from] = /^(.*?)(?: ante (\d+)(?:-(\d+))?)?$/i.exec(words) ?? [];
  const [, named = "", place = ""] = /^(.*?)(?: (shop \d+|pack \d+|small|big))?$/i.exec(before) ?? [];
  const [kind = "", ...rest] = named.split(" ");
  const of = (name: string): Wanted | undefined => wanted.find((one) => one.kind === kind.toLowerCase() && (plain(one.key) === plain(name) || plain(one.title) === plain(name)));
  const whole = of(rest.join(" ")); // the Negative Tag is no edition
  const edition = whole ? "" : (rest[0] ?? "").toLowerCase();
  const thing = whole ?? (editions.includes(edition) ? of(rest.slice(1).join(" ")) : undefined);
  return thing ? { ...thing, edition, place: place.toLowerCase(), from: Number(from), to: Number(to), or } : null;
}

/** The chips of a text; null where the page has no chip for it. */
export function readWants(text: string): Want[] | null {
  const wants: Want[] = [];
  for (const clause of text.split(/[;,]/).filter((part) => part.trim())) {
    for (const [k, part] of clause.split(/ or /i).entries()) {
      const want = readTerm(part, k > 0);
      if (!want) return null;
      wants.push(want);
    }
  }
  return wants;
}

/** Letters that must be changed to make one text the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, k) => k);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let k = 1; k <= b.length; k++) next.push(Math.min(row[k]! + 1, next[k - 1]! + 1, row[k - 1]! + (a[i - 1] === b[k - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}

const plainTitle = (text: string): string => text.trim().toLowerCase();

/** Things whose titles begin with or have a text, the best first, jokers before others; "negative blueprint" has an edition. */
export function suggest(text: string, most = 8): Wanted[] {
  const sought = plainTitle(text);
  if (!sought) return [];
  const edition = editions.find((one) => sought.startsWith(`${one} `));
  const named = suggestNamed(edition ? sought.slice(edition.length).trim() : sought).filter(({ kind }) => !edition || kind === "joker");
  const whole = edition ? wanted.filter(({ title }) => plainTitle(title).startsWith(sought)) : [];
  return [...whole, ...named.map((one) => (edition ? { ...one, edition } : one))].slice(0, most);
}

function suggestNamed(sought: string): Wanted[] {
  const rank = ({ title }: Wanted): number => (plainTitle(title).startsWith(sought) ? 0 : plainTitle(title).split(" ").some((word) => word.startsWith(sought)) ? 1 : plainTitle(title).includes(sought) ? 2 : 9);
  const other = ({ kind }: Wanted): number => (kind === "joker" ? 0 : 1);
  const fitting = wanted.filter((one) => rank(one) < 9).sort((a, b) => rank(a) - rank(b) || other(a) - other(b) || a.title.localeCompare(b.title));
  if (fitting.length || sought.length < 4) return fitting;
  // nothing has these letters: perhaps they are mistyped
  const near = wanted.map((one) => ({ one, off: distance(sought, plainTitle(one.title)) })).filter(({ off }) => off <= Math.max(2, sought.length / 3));
  return near.sort((a, b) => a.off - b.off).slice(0, 3).map(({ one }) => one);
}
