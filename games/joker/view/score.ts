// How a hand scores, step by step: what the state and the chosen cards say goes to `joker score`, which
// runs in the page. Luck is not known beforehand: the steps shown are those of no luck or of all luck,
// whichever gives what the hand really gave, and the rest is told as luck.
import type { RunTool } from "ludus/view";
import { cardOf, cardShort, jokerTitle, multText, owned, scoreText, sellValue, storeOf, type State } from "./state";
import { consumableOf, hands, planetHand } from "./tables";

/** A step as the tool tells it. */
export interface Step {
  step: string;
  /** place among the played or held cards */
  played?: number;
  held?: number;
  joker?: number;
  as?: number;
  chips?: number;
  mult?: number;
  x?: number;
  money?: number;
  chips_now: number;
  mult_now: number;
}

export interface Scored {
  hand: string;
  level: number;
  scoring: number[];
  chips: number;
  mult: number;
  score: number;
  blocked: boolean;
  luck: { worst: number; mean: number; best: number; exact: boolean };
  steps: Step[];
}

const plainCard = (text: string): string => {
  const [face = "", mods = ""] = text.split(":");
  const kept = mods.split(",").filter((word) => word && !["down", "played", "forced", "hit"].includes(word));
  return kept.length ? `${face}:${kept.join(",")}` : face;
};

function deckFacts(state: State): { size: number; left: number; stone: number; steel: number; enhanced: number } {
  const hidden = state.hand.filter((text) => text === "??").length;
  const all = [...state.hand.filter((text) => text !== "??"), ...state.draw_pile, ...state.discard_pile].map(cardOf);
  const count = (enhancement: string): number => all.filter((card) => card.enhancement === enhancement).length;
  return { size: all.length, left: state.draw_pile.length - hidden, stone: count("stone"), steel: count("steel"), enhanced: all.filter((card) => card.enhancement).length };
}

/** The case of `joker score` for the cards at these places; null when something counts that is not seen. */
export function caseOf(state: State, chosen: number[]): object | null {
  if (state.hand.includes("??") || state.jokers.some((joker) => !joker.key)) return null;
  const deck = deckFacts(state);
  const negatives = state.jokers.filter((joker) => joker.edition === "negative").length;
  const taken = state.consumables.filter((one) => !one.negative).length;
  const titles = (list: number[]): [string, number][] => hands.map((hand, h) => [hand.title, list[h] ?? 0]);
  const planets: Record<string, number> = {};
  if (owned(state, "v_observatory")) {
    for (const { key } of state.consumables) {
      const hand = consumableOf(key)?.set === "Planet" ? planetHand.get(key) : undefined;
      if (hand) planets[hand] = (planets[hand] ?? 0) + 1;
    }
  }
  return {
    played: chosen.map((place) => plainCard(state.hand[place]!)),
    held: state.hand.filter((_, place) => !chosen.includes(place)).map(plainCard),
    jokers: state.jokers.map((joker) => ({
      key: joker.key,
      ...(joker.edition ? { ed: joker.edition } : {}),
      ...(joker.debuffed ? { debuffed: true } : {}),
      sell: Math.max(0, sellValue(joker)),
      state: storeOf(state, joker),
    })),
    levels: Object.fromEntries(titles(state.level)),
    plays: Object.fromEntries(hands.map((hand, h) => [hand.title, [state.plays[h] ?? 0, state.plays_round[h] ?? 0]])),
    ctx: {
      hands_left: Math.max(0, state.hands - 1),
      discards_left: state.discards,
      money: state.money,
      deck_size: deck.size,
      deck_left: deck.left,
      start_deck: state.start_deck,
      joker_slots: state.joker_slots + negatives,
      tarots_used: state.tarots,
      skips: state.skips,
      stone_in_deck: deck.stone,
      steel_in_deck: deck.steel,
      enhanced_in_deck: deck.enhanced,
      blind: state.blind < 2 || state.disabled ? "bl_small" : state.boss_key,
      hands_played_round: state.played_round,
      deck: state.deck_key,
      free_slots: Math.max(0, state.bag_slots - taken),
      ox_hand: hands[state.ox_hand]?.title ?? "High Card",
      ...(hands[state.first_hand] ? { first_hand: hands[state.first_hand]!.title } : {}),
      ...(Object.keys(planets).length ? { observatory: planets } : {}),
    },
  };
}

/** What the chosen cards would score; null when that is not known. */
export async function scoreOf(tool: RunTool, state: State, chosen: number[], luck: "worst" | "best", signal?: AbortSignal): Promise<Scored | null> {
  const hand = caseOf(state, chosen);
  if (!hand) return null;
  const [answer] = await tool({ tool: "score", settings: { luck, outcomes: 4096 }, inputs: [{ name: "hand", text: JSON.stringify(hand) }] }, signal ? { signal } : {});
  return (answer as Scored) ?? null;
}

const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));

/** The steps of a hand that was played: `before` is the state it was played from, `after` what came of it.
 * `guessed`: the cards are not known for certain, so that only steps with the very sum are told. */
export async function stepsOf(tool: RunTool, before: State, after: State, chosen: number[], guessed: boolean, signal: AbortSignal): Promise<Scored | null> {
  const worst = await scoreOf(tool, before, chosen, "worst", signal);
  if (!worst || (near(worst.chips, after.last_chips) && near(worst.mult, after.last_mult))) return worst;
  const best = await scoreOf(tool, before, chosen, "best", signal);
  if (best && near(best.chips, after.last_chips) && near(best.mult, after.last_mult)) return best;
  if (guessed) return null;
  const end: Step = { step: "luck", chips_now: after.last_chips, mult_now: after.last_mult };
  return { ...worst, chips: after.last_chips, mult: after.last_mult, score: after.last_score, steps: [...worst.steps, end] };
}

/** Who gives in a step: "K♥", "Baron on K♥". */
export function giverOf(step: Step, scored: Scored, state: State, chosen: number[]): string {
  const fixed: Record<string, string> = {
    base: `${scored.hand}, level ${scored.level}`,
    blocked: "The boss lets this hand score nothing",
    boss: "The boss acts",
    observatory: "Observatory",
    plasma: "Plasma Deck evens out",
    luck: "Luck",
  };
  if (fixed[step.step]) return fixed[step.step]!;
  const heldPlaces = state.hand.map((_, place) => place).filter((place) => !chosen.includes(place));
  const place = step.played !== undefined ? chosen[step.played] : step.held !== undefined ? heldPlaces[step.held] : undefined;
  const card = place === undefined ? "" : `${cardShort(state.hand[place] ?? "")}${step.held === undefined ? "" : " in hand"}`;
  const joker = step.joker === undefined ? undefined : state.jokers[step.joker];
  const as = step.as === undefined ? undefined : state.jokers[step.as];
  const who = joker ? `${jokerTitle(joker)}${step.step === "joker_edition" ? " (edition)" : as ? ` as ${jokerTitle(as)}` : ""}` : "";
  const end = step.step === "break" ? " breaks" : step.step === "edition" ? " (edition)" : "";
  return (who && card ? `${who} on ${card}` : who || card) + end;
}

/** What is given: "+10 chips, ×1.5". */
export function giftOf(step: Step): string {
  const parts: string[] = [];
  if (step.chips) parts.push(`+${scoreText(step.chips)} chips`);
  if (step.mult) parts.push(`+${multText(step.mult)} mult`);
  if (step.x) parts.push(`×${multText(step.x)}`);
  if (step.money) parts.push(`$${step.money}`);
  return parts.join(", ");
}

/** The cue of a step. */
export const cueOf = (step: Step): string => (step.x ? "times" : step.mult ? "mult" : "chips");
