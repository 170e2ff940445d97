// joker-brief-v1: cards are selected first and then played, discarded or used on; within reach are the first eight
// cards, five jokers, two consumables and two cards of the shop, and a pack is resolved by itself. Where a decision
// has the number of its thing.
import { deeds, type State } from "./state";

/** bytes of its mask */
export const briefLength = 46;

/** heads of its decisions: what to do, eight cards, then a head for each kind of thing */
export const briefHeads = 17;
const reach = 8;

const heads: Record<number, { head: number; count: number }> = {
  [deeds.selectBlind]: { head: 9, count: 3 },
  [deeds.buy]: { head: 10, count: 2 },
  [deeds.sellJoker]: { head: 11, count: 5 },
  [deeds.reroll]: { head: 12, count: 1 },
  [deeds.skipBlind]: { head: 13, count: 1 },
  [deeds.use]: { head: 14, count: 2 },
  [deeds.buyVoucher]: { head: 15, count: 1 },
  [deeds.buyPack]: { head: 16, count: 2 },
};
const withoutThing: number[] = [deeds.select, deeds.play, deeds.discard, deeds.cashOut, deeds.nextRound];

/** Places of the hand that are selected in the game. */
export const selectedOf = (state: State): number[] => state.hand.flatMap((_, place) => (state.selected & (1 << place) ? [place] : []));

/** The decision for a deed on a place; null where this variant does not have it. */
export function briefMove(state: State, deed: number, index: number, chosen: Iterable<number>): number[] | null {
  const known = heads[deed];
  const which = deed === deeds.selectBlind ? state.blind : index;
  if (known ? which >= known.count : !withoutThing.includes(deed)) return null;
  const move = new Array<number>(briefHeads).fill(0);
  move[0] = deed;
  if (known) move[known.head] = which;
  if (deed === deeds.select) for (const place of chosen) if (place < reach) move[1 + place] = 1;
  return move;
}

/** Which thing a decision is about. */
export const briefIndex = (move: number[]): number => move[heads[move[0] ?? 0]?.head ?? -1] ?? 0;

/** Cards that a decision is about: those it selects, and else those that are selected. */
export const briefCards = (move: number[], state: State): number[] => (move[0] === deeds.select ? state.hand.flatMap((_, place) => (place < reach && move[1 + place] === 1 ? [place] : [])) : selectedOf(state));
