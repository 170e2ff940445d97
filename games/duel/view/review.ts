// What a whole fight comes to, side by side: damage against what was to be expected, protections, luck.
// Damage is counted when an attack is made; its mean is told by the game for what both wore, drank and
// prayed at that tick.
import type { Frame, Thought } from "ludus/view";
import { hitpointsOf, stateOf, type Fighter } from "./state";

export interface Side {
  attacks: number;
  /** attacks that no protection matched */
  open: number;
  /** damage of all attacks, what was to be expected, and the sum of squares of the differences */
  dealt: number;
  expected: number;
  squares: number;
  specials: number;
  specialDealt: number;
  specialExpected: number;
  best: number;
  /** pieces and doses that heal */
  meals: number;
  frozen: number;
  hitpoints: number[];
}

export interface Review {
  sides: [Side, Side];
  /** by tick: the chance of the first side to win as the values say, null without thoughts */
  estimates: (number | null)[];
}

const side = (): Side => ({ attacks: 0, open: 0, dealt: 0, expected: 0, squares: 0, specials: 0, specialDealt: 0, specialExpected: 0, best: 0, meals: 0, frozen: 0, hitpoints: [] });

const bloodOption = 2;
const mageHead = 3;

/** Mean damage of a fighter's attacks in a frame; a spell is what was chosen. */
function expectedOf(fighter: Fighter, seat: number, action: number[] | null): number {
  const [first = 0, blood = first] = fighter.turn_expected ?? [];
  const heads = (action?.length ?? 0) / 2;
  return action?.[seat * heads + mageHead] === bloodOption && heads === 12 ? blood : first;
}

function add(to: Side, fighter: Fighter, seat: number, action: number[] | null): void {
  to.hitpoints.push(hitpointsOf(fighter) ?? 0);
  to.meals += fighter.turn_meals ?? 0;
  to.frozen += fighter.freeze ? 1 : 0;
  if (!fighter.turn_style) return;
  const [dealt, expected] = [fighter.turn_decided ?? 0, expectedOf(fighter, seat, action)];
  to.attacks++;
  to.open += fighter.turn_blocked ? 0 : 1;
  to.dealt += dealt;
  to.expected += expected;
  to.squares += (dealt - expected) ** 2;
  to.best = Math.max(to.best, dealt);
  if (!fighter.turn_special) return;
  to.specials++;
  to.specialDealt += dealt;
  to.specialExpected += expected;
}

/** Whether a model tells itself how likely it wins. */
export const predicts = (thoughts: (Thought | null)[] | undefined): boolean => thoughts?.some((one) => typeof one?.win === "number") ?? false;

/** The chance of the first side: by the predictors of models that have one, else by what models expect to get, where
 * a win is worth 1 and a loss -1. */
export function estimateOf(thoughts: (Thought | null)[] | undefined): number | null {
  const aheadOf = predicts(thoughts) ? (one: Thought) => (one.win === null ? null : 2 * one.win - 1) : (one: Thought) => one.value;
  const [a, b] = [0, 1].map((seat) => (thoughts?.[seat] ? aheadOf(thoughts[seat]) : null));
  if (typeof a !== "number" && typeof b !== "number") return null;
  const ahead = typeof a !== "number" ? -b! : typeof b !== "number" ? a : (a - b) / 2;
  return Math.max(0, Math.min(1, (1 + ahead) / 2));
}

export async function review(frames: AsyncIterable<Frame>, signal: AbortSignal): Promise<Review | null> {
  const sides: [Side, Side] = [side(), side()];
  const estimates: (number | null)[] = [];
  for (let since = performance.now(), it = frames[Symbol.asyncIterator](), next = await it.next(); !next.done; next = await it.next()) {
    if (signal.aborted) return null;
    const frame = next.value;
    stateOf(frame).fighters.forEach((fighter, seat) => add(sides[seat]!, fighter, seat, frame.action));
    estimates.push(estimateOf(frame.thoughts));
    if (performance.now() - since > 12) {
      await new Promise((done) => setTimeout(done));
      since = performance.now();
    }
  }
  return { sides, estimates };
}

/** Damage above what was to be expected, and how far from it so many attacks usually end. */
export const luckOf = ({ dealt, expected, squares }: Side): { points: number; usual: number } => ({ points: dealt - expected, usual: Math.sqrt(squares) });

export function luckWords(one: Side): string {
  const { points, usual } = luckOf(one);
  const far = usual > 0 ? Math.abs(points) / usual : 0;
  const much = far < 0.5 ? "" : far < 1 ? "a little " : far < 2 ? "" : "very ";
  return far < 0.5 ? "as expected" : `${much}${points > 0 ? "lucky" : "unlucky"}`;
}
