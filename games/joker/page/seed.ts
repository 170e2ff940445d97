// What is asked of a seed, in the address and of the tool `joker seed`, and its answer.
import { runTool } from "ludus/lib/tools";
import { decks, stakes } from "../view/tables";

export interface Ask {
  seed: string;
  /** key of the deck */
  deck: string;
  /** 1 white to 8 gold */
  stake: number;
  antes: number;
  cards: number;
}

export interface SeedItem {
  key?: string;
  card?: string;
  ed?: string;
  enh?: string;
  seal?: string;
  /** E eternal, P perishable, R rental */
  stickers?: string;
}

export interface SeedAnswer {
  seed: string;
  start: Record<string, number>;
  /** the joker that the first The Soul of the run makes */
  soul: string;
  antes: { ante: number; boss: string; voucher: string; small_tag: string; big_tag: string }[];
  queues: { ante: number; shop_queue: SeedItem[]; pack_queue: { pack: string; contents: SeedItem[] }[] }[];
}

export const mostAntes = 16;
export const mostCards = 40;
export const packsShown = 6;

/** A seed as the game writes it; "" for what is none. */
export const cleanSeed = (text: string): string => (/^[A-Z0-9]{1,8}$/i.test(text.trim()) ? text.trim().toUpperCase().replaceAll("0", "O") : "");

const whole = (text: string | null, low: number, high: number, other: number): number => {
  const value = Number(text);
  return text && Number.isInteger(value) && value >= low && value <= high ? value : other;
};

/** What an address asks for; what is not understood is left out. */
export function readAsk(query: URLSearchParams): Ask {
  const deck = query.get("deck") ?? "";
  return {
    seed: cleanSeed(query.get("seed") ?? ""),
    deck: decks.some((one) => one.key === `b_${deck}`) ? `b_${deck}` : decks[0]!.key,
    stake: whole(query.get("stake"), 1, stakes.length, 1),
    antes: whole(query.get("antes"), 1, mostAntes, 8),
    cards: whole(query.get("cards"), 1, mostCards, 12),
  };
}

/** The keys of an address, without what is as usual. */
export function askQuery(ask: Ask): Record<string, string | number | null> {
  return {
    seed: ask.seed || null,
    deck: ask.deck === decks[0]!.key ? null : ask.deck.replace(/^b_/, ""),
    stake: ask.stake === 1 ? null : ask.stake,
    antes: ask.antes === 8 ? null : ask.antes,
    cards: ask.cards === 12 ? null : ask.cards,
  };
}

export async function lookUp(ask: Ask, signal?: AbortSignal): Promise<SeedAnswer> {
  const { seed, deck, stake, antes, cards } = ask;
  const settings = { seed, deck, stake, antes, queues: antes, cards, packs: packsShown, rounds: 0, rerolls: 0 };
  const [answer] = await runTool<SeedAnswer>("joker", { tool: "seed", settings }, signal ? { signal } : {});
  if (!answer) throw new Error("the tool gave no answer");
  return answer;
}

/** The address that plays this seed. */
export function playLink(ask: Ask): string {
  const settings = {
    ...(ask.deck === decks[0]!.key ? {} : { deck: ask.deck.replace(/^b_/, "") }),
    ...(ask.stake === 1 ? {} : { stake: stakes[ask.stake - 1]!.key }),
  };
  const query = new URLSearchParams({ seed: "0", opt: JSON.stringify({ seed: ask.seed }) });
  if (Object.keys(settings).length) query.set("set", JSON.stringify(settings));
  return `/play/joker?${query}`;
}

// ---- the search for seeds ----

/** A thing of a seed that was found, and where it is. */
export interface FoundThing {
  kind: string;
  name: string;
  edition?: string;
  ante: number;
  place?: "shop" | "pack";
  /** of a tag */
  blind?: "small" | "big";
  at?: number;
}

export interface FoundSeed {
  seed: string;
  /** where each thing that was wanted is */
  why: FoundThing[];
  /** what else is good in its first antes */
  also: FoundThing[];
}

export interface Found {
  seeds: FoundSeed[];
  tried: number;
  /** "": the tool draws where it begins */
  next: string;
}

const slice = 1_000_000;
const most = 500_000_000;

export const noneFound: Found = { seeds: [], tried: 0, next: "" };

/** Goes on from what was found until there are `count` more seeds that have what is wanted (`joker find`),
 * or many were gone through; slice by slice, so that what is found is told and a stop keeps it. */
export async function search(want: string, found: Found, count: number, ask: Ask, tell: (found: Found) => void, signal: AbortSignal): Promise<void> {
  const goal = found.seeds.length + count;
  for (const end = found.tried + most; found.seeds.length < goal && found.tried < end; tell(found)) {
    const settings = { want, ...(found.next ? { from: found.next } : {}), count: goal - found.seeds.length, seeds: slice, deck: ask.deck, stake: ask.stake };
    const answer = await runTool("joker", { tool: "find", settings }, { signal });
    const last = answer.find((one) => one.next !== undefined);
    if (!last || Number(last.tried) < 1) return;
    const seeds = answer.flatMap((one) => (one.seed ? [{ seed: String(one.seed), why: one.why ?? [], also: one.also ?? [] } as FoundSeed] : []));
    found = { seeds: [...found.seeds, ...seeds], tried: found.tried + Number(last.tried), next: String(last.next) };
  }
}
