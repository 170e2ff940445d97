// What the planner played: its decision does not name the cards, so they are told by where they went.
import type { JokerState, State } from "./state";

/** A card without what only says where it has been. */
const faceOf = (text: string): string => {
  const [face = "", mods = ""] = text.split(":");
  const kept = mods.split(",").filter((word) => word && !["played", "forced", "hit", "down"].includes(word));
  return kept.length ? `${face}:${kept.join(",")}` : face;
};
const isMarked = (text: string): boolean => (text.split(":")[1] ?? "").split(",").includes("played");

/** What is in `now` and not in `before`, with how often. */
function added(before: string[], now: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of now) counts.set(faceOf(text), (counts.get(faceOf(text)) ?? 0) + 1);
  for (const text of before) counts.set(faceOf(text), (counts.get(faceOf(text)) ?? 0) - 1);
  return counts;
}

/** Places of the hand that were played: cards that went to the discards, or, where the blind is beaten and all
 * cards are back in the deck, those that are newly marked as played. Who shows them compares the sum. */
export function plannedPlay(before: State, after: State): number[] {
  const back = after.hand.length === 0 && after.discard_pile.length === 0;
  const all = (state: State): string[] => [...state.hand, ...state.draw_pile, ...state.discard_pile];
  const gone = back ? added(all(before).filter(isMarked), all(after).filter(isMarked)) : added(before.discard_pile, after.discard_pile);
  return before.hand.flatMap((text, place) => {
    const left = gone.get(faceOf(text)) ?? 0;
    if (left < 1 || (back && isMarked(text))) return [];
    gone.set(faceOf(text), left - 1);
    return [place];
  });
}

/** The state with its jokers in the order in which they scored: the planner orders them first. */
export function ordered(before: State, after: State): State {
  const rest = [...before.jokers];
  const jokers: JokerState[] = [];
  for (const { key } of after.jokers) {
    const at = rest.findIndex((joker) => joker.key === key);
    if (at >= 0) jokers.push(...rest.splice(at, 1));
  }
  return { ...before, jokers: [...jokers, ...rest] };
}
