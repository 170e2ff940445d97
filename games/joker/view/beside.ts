// The adviser beside an episode: `joker advise` runs in the page on what the player sees, and says the
// best play, the best discard, what offers are worth, what the trained agent would choose, and why. It
// knows no more than the player does.
import type { BesideHost, BesideInstance, Episode, Frame } from "ludus/view";
import "./beside.css";
import { moveOf } from "./choice";
import { button, make } from "ludus/make";
import { giftOf, giverOf, type Scored, type Step } from "./score";
import { cardNamed, cardShort, deeds, multText, phases, scoreText, type State } from "./state";

const pauseMs = 300;
const samples = 100;
export const agentVariant = "joker-plan-v1"; // of the agent that is asked
const choicesShown = 5;

/** What the trained agent thinks: legal choices, likeliest first. */
interface Opinion {
  label: string;
  /** steps that it was trained for */
  step: number;
  /** the reward that it still expects */
  value: number;
  choices: { choice: string; words: string; probability: number; first?: { type: number; index: number; to: number; positions: number[] } }[];
}

export interface Plan {
  label?: string;
  cards: string[];
  positions: number[];
  hand: string;
  worst: number;
  mean: number;
  best: number;
  /** chance that it wins the blind at once; null where it is not known */
  wins: number | null;
  move_cards: boolean;
  move_jokers: boolean;
  jokers?: string[];
}

interface RoundAdvice {
  phase: "round";
  advice: "play" | "discard" | "none";
  play?: Plan & { label: string; steps: Step[] };
  others?: Plan[];
  discard?: { label: string; draws: number; cards: string[]; positions: number[]; mean: number; error: number; wins: number } | null;
  round?: { label: string; play_wins: number; discard_wins?: number; samples: number };
  agent?: Opinion | null;
  unknown: string[];
}

interface ShopAdvice {
  phase: "shop" | "pack" | "blind" | "cash out" | "end";
  advice: string;
  label?: string;
  /** whether agent and search agree, in words */
  reason?: string;
  agent?: Opinion | null;
  round_score?: number;
  boss_target?: number;
  offers?: { kind: string; title: string; price: number; possible: boolean; score_gain?: number; worth?: number; label?: string; instead_of?: string }[];
  unknown: string[];
}

export type Advice = RoundAdvice | ShopAdvice;

const percent = (share: number): string => (share > 0 && share < 0.005 ? "<1%" : share < 1 && share > 0.995 ? ">99%" : `${Math.round(100 * share)}%`);
const listed = (cards: string[]): string => cards.map(cardShort).join(" ");

const firstUp = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Cards, which the tool names as a state does, as they are drawn; those that a consumable is used on in short. */
const cardsDrawn = (words: string): string =>
  words
    .replace(/ on ((?:[2-9TJQKA][SHCD](?::\S+)? ?)+)$/, (_, cards: string) => ` on ${listed(cards.split(" "))}`)
    .replace(/\b[2-9TJQKA][SHCD]\b(?::[a-z_]+(?:,[a-z_]+)*)?/g, cardNamed);

function rows(list: [string, string][]): HTMLElement {
  return make("dl", "adv-facts", ...list.map(([name, value]) => make("div", "", make("dt", "", name), make("dd", "", value))));
}

const range = (plan: Plan): string => (plan.best > plan.worst ? `${scoreText(plan.mean)} on average, ${scoreText(plan.worst)} to ${scoreText(plan.best)}` : scoreText(plan.mean));

/** Order of cards and jokers that a plan counts on. */
const firstDo = (plan: Plan): string[] => [
  ...(plan.move_jokers && plan.jokers ? [`First put the jokers into this order: ${plan.jokers.join(", ")}.`] : []),
  ...(plan.move_cards ? [`First put the cards into this order: ${listed(plan.cards)}.`] : []),
];

/** Why a play scores what it scores: every step. */
function why(plan: Plan & { steps: Step[] }, state: State): HTMLElement {
  const order = plan.jokers ? plan.jokers.map((title) => state.jokers.find((joker) => joker.title === title) ?? {}) : state.jokers;
  const scored = { hand: plan.hand, level: 0 } as Scored;
  const seen = { ...state, jokers: order };
  const lines = plan.steps.map((step) => {
    const who = step.step === "base" ? plan.hand : giverOf(step, scored, seen, plan.positions);
    const gift = giftOf(step);
    return make("li", "", `${who}${gift ? ": " : ""}`, gift ? make("b", "", gift) : null, make("span", "adv-then", ` ${scoreText(step.chips_now)} × ${multText(step.mult_now)}`));
  });
  const list = make("ol", "adv-steps", ...lines);
  list.tabIndex = 0;
  list.setAttribute("aria-label", "Steps of the best play");
  return make("details", "", make("summary", "", "Why: every step of its score"), list);
}

function others(plans: Plan[]): HTMLElement | null {
  if (!plans.length) return null;
  const list = plans.map((plan) => make("li", "", make("b", "", listed(plan.cards)), ` ${plan.hand}: ${range(plan)}`));
  return make("details", "", make("summary", "", `${plans.length} other plays`), make("ul", "adv-list", ...list));
}

/** The agent's choices; nothing where it was not asked or has none. */
function opinion(agent: Opinion | null | undefined): HTMLElement | null {
  if (!agent || agent.choices.length < 2) return null;
  const list = agent.choices.slice(0, choicesShown).map((one) => make("li", "", make("b", "", percent(one.probability)), ` ${cardsDrawn(one.words)}`));
  return make("section", "adv-option",
    make("h3", "", "The trained agent would"),
    make("ol", "adv-list", ...list),
    make("p", "adv-note", `It expects a further return of ${agent.value.toPrecision(3)} (${agent.label}).`));
}

function roundParts(advice: RoundAdvice, state: State, show: ((move: number[]) => void) | undefined): (HTMLElement | null)[] {
  const { play, discard, round } = advice;
  if (!play) return [make("p", "", "No card is visible, so no plays can be compared.")];
  const plays = advice.advice === "play";
  const onBoard = (text: string, deed: number, places: number[]): HTMLElement | null => (show ? button("button small", text, () => show(moveOf(deed, 0, 0, places))) : null);
  const missing = state.target - state.score;
  return [
    make("p", "adv-do", make("b", "", plays ? `Play ${listed(play.cards)}` : `Discard ${listed(discard?.cards ?? [])}`)),
    make("section", plays ? "adv-option adv-best" : "adv-option",
      make("h3", "", "Best play"),
      rows([
        ["Cards", `${listed(play.cards)}, ${play.hand}`],
        ["Expected score", `${range(play)} of the ${scoreText(Math.max(0, missing))} you still need`],
        ["Wins at once", play.wins === null ? "not known" : percent(play.wins)],
        ...(round ? ([["Wins the round", percent(round.play_wins)]] as [string, string][]) : []),
      ]),
      ...firstDo(play).map((line) => make("p", "adv-note", line)),
      why(play, state),
      onBoard("Choose these cards", deeds.play, play.positions)),
    discard
      ? make("section", plays ? "adv-option" : "adv-option adv-best",
          make("h3", "", "Best discard"),
          rows([
            ["Cards", listed(discard.cards)],
            ["Next hand then", `${scoreText(discard.mean)}${discard.error > 0 ? ` ± ${scoreText(discard.error)}` : ""} (${discard.label})`],
            ["Wins with it", percent(discard.wins)],
            ...(round?.discard_wins !== undefined ? ([["Wins the round", percent(round.discard_wins)]] as [string, string][]) : []),
          ]),
          onBoard("Choose these cards", deeds.discard, discard.positions))
      : make("p", "adv-note", "No discard is left."),
    opinion(advice.agent),
    others(advice.others ?? []),
    make("p", "adv-note", `Best play: ${play.label}. ${round ? `Round: ${round.label}${round.samples ? `, ${round.samples} samples` : ""}.` : ""}`),
  ];
}

function shopParts(advice: ShopAdvice): (HTMLElement | null)[] {
  if (advice.phase === "end" || advice.advice === "none") return [make("p", "", "The run is over.")];
  const offers = (advice.offers ?? []).map((offer) => {
    const gain = offer.possible ? `${(offer.score_gain ?? 0) >= 0 ? "+" : "−"}${Math.abs(Math.round(100 * (offer.score_gain ?? 0)))}%` : "–";
    const name = make("th", "", cardsDrawn(offer.title), make("small", "", ` ${offer.kind}${offer.price ? `, $${offer.price}` : ""}${offer.instead_of ? `, instead of ${offer.instead_of}` : ""}`));
    name.scope = "row";
    return make("tr", (offer.worth ?? 0) > 0 ? "adv-worth" : "", name, make("td", "", gain), make("td", "", offer.possible ? (offer.label ?? "") : "not now"));
  });
  const head = make("tr", "", ...["Offer", "Score", "By"].map((word) => make("th", "", word)));
  for (const cell of head.querySelectorAll("th")) cell.scope = "col";
  return [
    make("p", "adv-do", make("b", "", firstUp(cardsDrawn(advice.advice))), advice.label ? make("small", "", ` ${advice.label}`) : null),
    advice.agent && advice.reason ? make("p", "adv-note", `${firstUp(cardsDrawn(advice.reason))}.`) : null,
    opinion(advice.agent),
    offers.length ? make("table", "adv-offers", make("thead", "", head), make("tbody", "", ...offers)) : null,
    advice.round_score !== undefined ? make("p", "adv-note", `This build scores about ${scoreText(advice.round_score)} in a round; the boss of this ante asks for ${scoreText(advice.boss_target ?? 0)}.`) : null,
  ];
}

export function beside(host: BesideHost, _episode: Episode): BesideInstance {
  const heading = make("h2", "", "Advice");
  const place = make("div", "adv");
  let abort = new AbortController();
  let timer = 0;
  let missing = false;
  host.element.append(heading, place);
  /** While an answer is on its way, what stands there is that of the frame before. */
  const stale = (yes: boolean): void => {
    heading.textContent = yes ? "Advice …" : "Advice";
    place.classList.toggle("adv-stale", yes);
    place.setAttribute("aria-busy", String(yes));
  };

  async function ask(frame: Frame): Promise<void> {
    const { signal } = (abort = new AbortController());
    const state = frame.state as State;
    const began = performance.now();
    try {
      const [answer] = (await host.tool({ tool: "advise", agent: agentVariant, settings: { samples }, inputs: [{ name: "state", text: JSON.stringify(state) }] }, { signal })) as Advice[];
      if (signal.aborted || !answer) return;
      const parts = answer.phase === "round" ? roundParts(answer, state, host.suggest) : shopParts(answer);
      const unknown = answer.unknown.length ? make("details", "", make("summary", "", "Assumptions"), make("ul", "adv-list", ...answer.unknown.map((line) => make("li", "", line)))) : null;
      const time = make("p", "adv-note", `Found in ${Math.max(1, Math.round(performance.now() - began))} ms on this page.`);
      place.replaceChildren(...[...parts, unknown, time].filter((one) => one !== null));
    } catch (cause) {
      if (signal.aborted) return;
      const { status = "", message = "" } = cause as { status?: string; message?: string };
      missing = status === "LU_NOT_FOUND";
      host.element.hidden = missing;
      place.replaceChildren(make("p", "adv-note", `There is no advice here: ${message}.`));
    } finally {
      if (!signal.aborted) stale(false);
    }
  }

  return {
    show(frame) {
      abort.abort();
      clearTimeout(timer);
      if (missing) return;
      const over = frame.over || (frame.state as State).phase === phases.end;
      stale(!over);
      if (over) return place.replaceChildren(make("p", "adv-note", "The run is over."));
      timer = window.setTimeout(() => void ask(frame), pauseMs);
    },
    destroy() {
      abort.abort();
      clearTimeout(timer);
      heading.remove();
      place.remove();
    },
  };
}
