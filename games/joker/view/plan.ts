// joker-plan-v1: one list of choices, a planner plays the cards. Which deed of the board each choice
// is, and on which place.
import { briefHeads, briefIndex } from "./brief";
import { deeds } from "./state";

/** bytes of its mask */
export const planLength = 29;

/** The deed that only this variant has: the planner plays or discards. */
export const goOn = -1;

export interface PlanChoice {
  deed: number;
  index: number;
  /** as the specification has it */
  name: string;
}

const one = (deed: number, name: string): PlanChoice[] => [{ deed, index: 0, name }];
const some = (deed: number, name: string, count: number): PlanChoice[] => Array.from({ length: count }, (_, index) => ({ deed, index, name: `${name} ${index + 1}` }));

export const planChoices: PlanChoice[] = [
  ...one(goOn, "go on"),
  ...one(deeds.selectBlind, "select blind"),
  ...one(deeds.skipBlind, "skip blind"),
  ...one(deeds.cashOut, "cash out"),
  ...one(deeds.nextRound, "next round"),
  ...one(deeds.reroll, "reroll"),
  ...one(deeds.rerollBoss, "reroll boss"),
  ...one(deeds.skipPack, "skip pack"),
  ...some(deeds.buy, "buy", 4),
  ...some(deeds.buyVoucher, "buy voucher", 2),
  ...some(deeds.buyPack, "buy pack", 2),
  ...some(deeds.pick, "pick", 5),
  ...some(deeds.use, "use", 8),
];

/** The decision for a deed on a place; null when the planner decides that itself. */
export function planMove(deed: number, index: number): number[] | null {
  const option = planChoices.findIndex((choice) => choice.deed === deed && choice.index === index);
  return option < 0 ? null : [option];
}

/** What a decision of any variant does, and with which thing. */
export function deedOf(move: number[]): { deed: number; index: number } {
  const planned = move.length === 1 ? planChoices[move[0]!] : undefined;
  return planned ?? { deed: move[0] ?? 0, index: move.length === briefHeads ? briefIndex(move) : (move[1] ?? 0) };
}
