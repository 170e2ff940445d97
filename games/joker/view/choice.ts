// What is chosen on the board and the decisions that follow from it: hand cards by place, and one thing
// that is picked out. A decision is what to do, which one, where to, and for each hand place 0 or 1; in
// joker-plan-v1 it is one choice of a list, in joker-brief-v1 cards are selected by a decision of their own.
import { briefCards, briefHeads, briefLength, briefMove } from "./brief";
import { deedOf, planLength, planMove } from "./plan";
import { cardOf, deeds, modes, money, rerollPrice, type Item, type State } from "./state";
import { consumableOf } from "./tables";

export type Zone = "hand" | "joker" | "bag" | "shop" | "voucher" | "booster" | "shown";

export interface Place {
  zone: Zone;
  index: number;
}

/** How a variant is decided on the board, by the bytes of its mask; null for others. */
export type Mode = "full" | "brief" | "plan";
const fullLength = 84;
const modesByLength: Record<number, Mode> = { [fullLength]: "full", [briefLength]: "brief", [planLength]: "plan" };
export const modeOf = (maskLength: number): Mode | null => modesByLength[maskLength] ?? null;

const playMost = 5;

export interface Choice {
  mode: Mode;
  chosen: Set<number>;
  picked: Place | null;
}

/** Where the thing lies that a deed is done with. */
export const zoneOf: Record<number, Zone> = {
  [deeds.buy]: "shop",
  [deeds.buyAndUse]: "shop",
  [deeds.buyVoucher]: "voucher",
  [deeds.buyPack]: "booster",
  [deeds.pick]: "shown",
  [deeds.sellJoker]: "joker",
  [deeds.moveJoker]: "joker",
  [deeds.moveCard]: "hand",
  [deeds.use]: "bag",
  [deeds.sellConsumable]: "bag",
};

const zoneWords: Record<Zone, string> = {
  hand: "a card of your hand",
  joker: "one of your jokers",
  bag: "one of your consumables",
  shop: "a card of the shop",
  voucher: "a voucher",
  booster: "a pack",
  shown: "a card of the pack",
};

const listsOf = (state: State): Record<Zone, unknown[]> => ({ hand: state.hand, joker: state.jokers, bag: state.consumables, shop: state.shop, voucher: state.shop_vouchers, booster: state.packs, shown: state.pack });

/** How many there are in a zone, with the places that hold something. */
export const placesOf = (state: State, zone: Zone): number[] => listsOf(state)[zone].flatMap((one, index) => (one ? [index] : []));

/** What lies at a place, to tell it from another thing there; of jokers and consumables the key alone. */
export function nameAt(state: State, { zone, index }: Place): string {
  const thing = listsOf(state)[zone][index] ?? null;
  return JSON.stringify(zone === "joker" || zone === "bag" ? ((thing as { key?: string } | null)?.key ?? null) : thing);
}

export function moveOf(deed: number, which = 0, to = 0, chosen: Iterable<number> = []): number[] {
  const move = new Array<number>(modes.full).fill(0);
  [move[0], move[1], move[2]] = [deed, which, to];
  for (const place of chosen) move[3 + place] = 1;
  return move;
}

/** The cards of a decision of any variant, by place. */
export const cardsIn = (move: number[], state: State): number[] => (move.length === briefHeads ? briefCards(move, state) : state.hand.flatMap((_, place) => (move[3 + place] === 1 ? [place] : [])));

/** Cards that must be among those that are played or discarded. */
export const forcedOf = (state: State): number[] => state.hand.flatMap((text, place) => (cardOf(text).forced ? [place] : []));

/** The consumable that a deed uses. */
function usedBy(state: State, deed: number, index: number): string {
  if (deed === deeds.use) return state.consumables[index]?.key ?? "";
  if (deed === deeds.buyAndUse) return state.shop[index]?.key ?? "";
  return deed === deeds.pick ? (state.pack[index]?.key ?? "") : "";
}

/** How many cards a deed takes: least and most; 0 and 0 for none. */
export function cardsFor(state: State, deed: number, index: number): { least: number; most: number } {
  if (deed === deeds.play || deed === deeds.discard) return { least: 1, most: playMost };
  const card = consumableOf(usedBy(state, deed, index));
  return { least: card?.least ?? 0, most: card?.most ?? 0 };
}

/** A decision for a deed on a place, with the chosen cards; or what is missing. */
export function moveFor(state: State, choice: Choice, deed: number, index: number, to?: number): number[] | string {
  if (choice.mode === "plan") return planMove(deed, index) ?? "the planner decides that";
  if (choice.mode === "brief") return briefMove(state, deed, index, choice.chosen) ?? "this variant does not offer it";
  const { least, most } = cardsFor(state, deed, index);
  if (most === 0) return moveOf(deed, index, to ?? 0);
  const { size } = choice.chosen;
  if (size < least || size > most) {
    const span = least === most ? `${least}` : `${least} to ${most}`;
    return `choose ${span} card${most === 1 ? "" : "s"} of your hand, not ${size || "none"}`;
  }
  return moveOf(deed, index, 0, choice.chosen);
}

/** One place on, and from the last place to the first. */
const onward = (count: number, index: number): number => (index + 1 < count ? index + 1 : 0);

/** The decision for an option of the first head, by what is picked out; `can` tries it. */
export function compose(state: State, choice: Choice, deed: number, can: (move: number[]) => boolean): number[] | string {
  const zone = zoneOf[deed];
  if (!zone) return moveFor(state, choice, deed, 0);
  const count = placesOf(state, zone).length;
  const make = (index: number): number[] | string => moveFor(state, choice, deed, index, deed === deeds.moveJoker || deed === deeds.moveCard ? onward(count, index) : 0);
  if (choice.picked?.zone === zone) {
    const move = make(choice.picked.index);
    return typeof move === "string" || can(move) ? move : lackOf(state, move);
  }
  const moves = placesOf(state, zone).map(make);
  const able = moves.filter((move): move is number[] => typeof move !== "string" && can(move));
  if (able.length === 1) return able[0]!;
  if (able.length === 0) return moves.map((move) => (typeof move === "string" ? move : lackOf(state, move)))[0] ?? "there is none";
  return `select ${zoneWords[zone]} on the board first`;
}

/** Whether a joker on offer finds no free place. */
export function isFull(state: State, item: Item): boolean {
  const taken = state.jokers.filter((joker) => joker.edition !== "negative").length;
  return item.joker !== undefined && item.joker.edition !== "negative" && taken >= state.joker_slots;
}

/** Why the rules refuse a decision, as far as prices and places tell. */
export function lackOf(state: State, move: number[]): string {
  const { deed, index: which } = deedOf(move);
  const item = deed === deeds.buy || deed === deeds.buyAndUse ? state.shop[which] : deed === deeds.pick ? state.pack[which] : null;
  const offer = deed === deeds.buyVoucher ? state.shop_vouchers[which] : deed === deeds.buyPack ? state.packs[which] : null;
  const price = deed === deeds.pick ? 0 : deed === deeds.reroll ? rerollPrice(state) : (item ?? offer)?.price;
  if (price && price > state.money) return `it costs $${price} and you have ${money(state.money)}`;
  if (item?.joker && isFull(state, item)) return move.length === 1 ? "no joker can be sold for it" : "there is no free place for a joker";
  if (item?.key && deed === deeds.buy && state.consumables.length >= state.bag_slots) return "there is no free place for a consumable";
  if (deed === deeds.sellJoker && state.jokers[which]?.eternal) return "it is eternal";
  return "the rules do not allow it";
}

/** Adds or takes away a card; the oldest gives way when five are chosen. */
export function toggle(choice: Choice, place: number, most = playMost): void {
  if (choice.chosen.delete(place)) return;
  if (choice.chosen.size >= most) choice.chosen.delete(choice.chosen.values().next().value!);
  choice.chosen.add(place);
}
