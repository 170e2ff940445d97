// The state of joker as its JSON has it, and what follows from it for people: cards, prices, what a joker
// stores.
import { hands, jokerOf, modifierOf, vouchers } from "./tables";

export interface JokerState {
  /** absent when it lies face down */
  key?: string;
  title?: string;
  edition?: string;
  eternal?: boolean;
  perishable?: boolean;
  rental?: boolean;
  debuffed?: boolean;
  perished?: boolean;
  down?: boolean;
  rounds?: number;
  price?: number;
  bonus?: number;
  a?: number;
  b?: number;
  x?: number;
}

export interface ConsumableState {
  key: string;
  title: string;
  negative?: boolean;
  price: number;
  bonus: number;
}

/** On sale or in an open pack: a joker, a consumable or a playing card. */
export interface Item {
  joker?: JokerState;
  key?: string;
  title?: string;
  card?: string;
  price: number;
  free: boolean;
}

export interface Offer {
  key: string;
  title: string;
  price: number;
  free: boolean;
}

export interface State {
  phase: number;
  blind: number;
  boss_key: string;
  boss_title: string;
  boss_effect: string;
  deck_key: string;
  stake_key: string;
  tag_small_key: string;
  tag_big_key: string;
  disabled: number;
  ante: number;
  round: number;
  score: number;
  target: number;
  money: number;
  owed: number;
  hands: number;
  discards: number;
  round_hands: number;
  round_discards: number;
  hand_size: number;
  joker_slots: number;
  bag_slots: number;
  free_rerolls: number;
  reroll_base: number;
  reroll_paid: number;
  run_hands: number;
  played_round: number;
  tarots: number;
  skips: number;
  start_deck: number;
  ox_hand: number;
  first_hand: number;
  last_chips: number;
  last_mult: number;
  last_score: number;
  best: number;
  vouchers: number;
  visible: number;
  level: number[];
  plays: number[];
  plays_round: number[];
  pack_open: number;
  pack_picks: number;
  won: number;
  lost: number;
  selected: number;
  idol_rank: number;
  idol_suit: number;
  mail_rank: number;
  ancient_suit: number;
  castle_suit: number;
  hand: string[];
  draw_pile: string[];
  discard_pile: string[];
  jokers: JokerState[];
  consumables: ConsumableState[];
  tags: { key: string; hand: number }[];
  shop: (Item | null)[];
  packs: (Offer | null)[];
  shop_vouchers: (Offer | null)[];
  pack: (Item | null)[];
}

export const phases = { select: 0, play: 1, cashOut: 2, shop: 3, end: 4 } as const;

/** What to do, by its number in the first head. */
export const deeds = {
  select: 0, play: 1, discard: 2, selectBlind: 3, cashOut: 4, buy: 5, nextRound: 6, reroll: 7, sellJoker: 8, skipBlind: 9,
  use: 10, buyVoucher: 11, buyPack: 12, pick: 13, skipPack: 14, sellConsumable: 15, moveJoker: 16, moveCard: 17, rerollBoss: 18, buyAndUse: 19,
} as const;

/** Heads of a decision, by variant. */
export const modes = { full: 19 } as const;

export const ranks = "23456789TJQKA";
export const suits = "SHCD";
const rankNames = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "Jack", "Queen", "King", "Ace"];
export const suitNames = ["Spades", "Hearts", "Clubs", "Diamonds"];
const enhancements = ["bonus", "mult", "wild", "glass", "steel", "stone", "gold", "lucky"];
const editions = ["foil", "holo", "polychrome", "negative"];

/** A playing card: "KH:glass,redseal,+5". */
export interface Card {
  /** index of `ranks` and `suits`; -1 when it lies face down */
  rank: number;
  suit: number;
  enhancement: string;
  edition: string;
  seal: string;
  bonus: number;
  debuffed: boolean;
  forced: boolean;
  text: string;
}

export function cardOf(text: string): Card {
  const [face = "", mods = ""] = text.split(":");
  const words = mods ? mods.split(",") : [];
  const found = (list: string[]): string => words.find((word) => list.includes(word)) ?? "";
  return {
    rank: ranks.indexOf(face[0] ?? "?"),
    suit: suits.indexOf(face[1] ?? "?"),
    enhancement: found(enhancements),
    edition: found(editions),
    seal: words.find((word) => word.endsWith("seal")) ?? "",
    bonus: Number(words.find((word) => word.startsWith("+")) ?? 0),
    debuffed: words.includes("debuffed"),
    forced: words.includes("forced"),
    text,
  };
}

export const rankName = (rank: number): string => rankNames[rank] ?? "?";
export const suitName = (suit: number): string => suitNames[suit] ?? "?";

/** "King of Hearts, Glass, Red seal" */
export function cardWords(card: Card): string {
  if (card.rank < 0) return "a card face down";
  const face = card.enhancement === "stone" ? "Stone card" : `${rankName(card.rank)} of ${suitName(card.suit)}`;
  const more = [card.enhancement === "stone" ? "" : card.enhancement, card.edition, card.seal].filter(Boolean).map((word) => modifierOf(word).title);
  if (card.bonus) more.push(`+${card.bonus} chips`);
  if (card.debuffed) more.push("debuffed");
  if (card.forced) more.push("must be chosen");
  return [face, ...more].join(", ");
}

/** "K♥" */
export const cardShort = (text: string): string => {
  const card = cardOf(text);
  return card.rank < 0 ? "?" : `${rankName(card.rank).slice(0, card.rank === 8 ? 2 : 1)}${"♠♥♣♦"[card.suit]}`;
};

/** "K♥ Glass" */
export function cardNamed(text: string): string {
  const card = cardOf(text);
  const stone = card.enhancement === "stone";
  const more = [stone ? "" : card.enhancement, card.edition, card.seal].filter(Boolean).map((word) => modifierOf(word).title);
  return [stone ? "Stone card" : cardShort(text), ...more].join(" ");
}

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** A score: whole with commas, above 10^11 by powers of ten. */
export function scoreText(value: number): string {
  if (!Number.isFinite(value)) return "∞";
  return Math.abs(value) < 1e11 ? whole.format(value) : value.toExponential(3).replace("e+", "e");
}

/** Mult and factors: at most two places. */
export const multText = (value: number): string => (Math.abs(value) >= 1e11 ? scoreText(value) : `${Math.round(value * 100) / 100}`);

export const money = (dollars: number): string => (dollars < 0 ? `−$${-dollars}` : `$${dollars}`);

export const sellValue = (item: { price?: number; bonus?: number }): number => Math.max(1, Math.floor((item.price ?? 0) / 2)) + (item.bonus ?? 0);

export const rerollPrice = (state: State): number => (state.free_rerolls > 0 ? 0 : Math.max(0, state.reroll_base) + state.reroll_paid);

export const blindTitle = (state: State): string => (["Small Blind", "Big Blind"][state.blind] ?? state.boss_title);

export const owned = (state: State, key: string): boolean => {
  const row = vouchers.findIndex((voucher) => voucher.key === key);
  return row >= 0 && Math.floor(state.vouchers / 2 ** row) % 2 === 1;
};

export const itemTitle = (item: Item): string => item.joker?.title ?? item.title ?? (item.card ? cardWords(cardOf(item.card)) : "");

/** Which numbers a joker stores, in the words of scored cases (`ludus joker score`). */
const stores: Record<string, string[]> = {
  j_ceremonial: ["mult"], j_ride_the_bus: ["mult"], j_green_joker: ["mult"], j_red_card: ["mult"], j_flash: ["mult"], j_popcorn: ["mult"], j_trousers: ["mult"],
  j_runner: ["chips"], j_ice_cream: ["chips"], j_square: ["chips"], j_wee: ["chips"], j_castle: ["chips", "suit"],
  j_constellation: ["x"], j_madness: ["x"], j_vampire: ["x"], j_hologram: ["x"], j_obelisk: ["x"], j_lucky_cat: ["x"], j_ramen: ["x"], j_campfire: ["x"],
  j_glass: ["x"], j_hit_the_road: ["x"], j_caino: ["x"], j_yorick: ["x", "countdown"],
  j_selzer: ["hands"], j_rocket: ["dollars"], j_turtle_bean: ["size"], j_invisible: ["rounds"], j_loyalty_card: ["ready"], j_todo_list: ["hand"],
  j_idol: ["rank", "suit"], j_ancient: ["suit"], j_mail: ["rank"],
};

const loyalty = 6;

/** What a joker stores now, by those words. */
export function storeOf(state: State, joker: JokerState): Record<string, string | number | boolean> {
  const { key = "", a = 0, b = 0, x = 0 } = joker;
  const suit = { j_idol: state.idol_suit, j_ancient: state.ancient_suit, j_castle: state.castle_suit }[key] ?? 0;
  const rank = key === "j_idol" ? state.idol_rank : state.mail_rank;
  const value = (word: string): string | number | boolean => {
    if (word === "x") return x;
    if (word === "countdown") return b;
    if (word === "ready") return (((state.run_hands - a) % loyalty) + loyalty) % loyalty === loyalty - 1;
    if (word === "hand") return hands[a]?.title ?? "";
    if (word === "rank") return ranks[rank - 2] ?? "2";
    if (word === "suit") return suits[suit] ?? "S";
    return a;
  };
  return Object.fromEntries((stores[key] ?? []).map((word) => [word, value(word)]));
}

/** The same for people: "+12 mult now". */
export function storedText(state: State, joker: JokerState): string {
  const now = storeOf(state, joker);
  const words: Record<string, (value: any) => string> = {
    mult: (n) => `+${n} mult now`,
    chips: (n) => `+${n} chips now`,
    x: (n) => `×${multText(n)} now`,
    countdown: (n) => `${n} more discards`,
    hands: (n) => `${n} hands left`,
    dollars: (n) => `$${n} per round`,
    size: (n) => `+${n} hand size now`,
    rounds: (n) => `${n} of 2 rounds`,
    ready: (yes) => (yes ? "ready" : "not ready"),
    hand: (title) => String(title),
    rank: (letter) => rankName(ranks.indexOf(letter)),
    suit: (letter) => suitName(suits.indexOf(letter)),
  };
  return Object.entries(now).map(([word, value]) => words[word]?.(value) ?? "").join(", ");
}

/** Stickers and state of a joker in words. */
export function marksOf(joker: JokerState): string[] {
  const marks: string[] = [];
  if (joker.edition) marks.push(modifierOf(joker.edition).title);
  if (joker.eternal) marks.push("Eternal");
  if (joker.perishable) marks.push(joker.perished ? "Perished" : `Perishable, ${joker.rounds ?? 0} rounds left`);
  if (joker.rental) marks.push("Rental");
  if (joker.debuffed) marks.push("Debuffed");
  return marks;
}

export const jokerTitle = (joker: JokerState): string => joker.title ?? jokerOf(joker.key ?? "")?.title ?? "a joker face down";

/** Whether hands, discards and score are those of a blind under way; before one they are those that it begins with. */
export const underWay = (state: State): boolean => state.phase === phases.play || state.phase === phases.cashOut || state.phase === phases.end;
export const handsOf = (state: State): number => (underWay(state) ? state.hands : Math.max(1, state.round_hands));
export const discardsOf = (state: State): number => (underWay(state) ? state.discards : Math.max(0, state.round_discards));
