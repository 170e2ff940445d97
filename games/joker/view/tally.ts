// The last hand as it was scored: its cards, chips × mult, and every step in the order of scoring. While
// it is shown for the first time the numbers count up, and what gives lights up.
import type { ViewHost } from "ludus/view";
import { cardFace } from "./face";
import { make } from "ludus/make";
import { cueOf, giftOf, giverOf, type Scored, type Step } from "./score";
import { cardOf, cardWords, multText, scoreText, type State } from "./state";

export interface TallyHost extends Pick<ViewHost, "sound"> {
  /** lights a joker, by its place before the hand */
  light(joker: number | null): void;
  /** the count is over, or was cut short */
  done(): void;
}

export interface Tally {
  element: HTMLElement;
  /** ends the count at its last number */
  finish(): void;
  stop(): void;
}

const briefest = 45; // ms a step must have to be seen

/** `ms`: how long all steps together may take; 0 shows the end at once. */
export function tally(host: TallyHost, before: State, chosen: number[], scored: Scored, total: number, ms: number): Tally {
  const cards = chosen.map((place) => {
    const card = cardOf(before.hand[place] ?? "??");
    const box = make("span", "jk-laid", cardFace(card));
    box.setAttribute("role", "img");
    box.setAttribute("aria-label", cardWords(card));
    return box;
  });
  scored.scoring.forEach((place) => cards[place]?.classList.add("jk-scores"));
  const chips = make("b", "jk-chips", "0");
  const mult = make("b", "jk-mult", "0");
  const result = make("b", "jk-result", "");
  const line = make("p", "jk-now", "");
  const steps = make("ol", "jk-steps");
  steps.tabIndex = 0;
  steps.setAttribute("aria-label", "Steps of the score");
  const sum = make("p", "jk-sum", make("span", "jk-hand", scored.hand), " ", chips, make("span", "sr-only", " chips times "), make("span", "jk-times", "×"), mult, make("span", "sr-only", " mult is "), make("span", "jk-times", "="), result);
  const fold = make("details", "jk-fold", make("summary", "", `${scored.steps.length} steps`), steps);
  const element = make("section", "jk-tally", make("div", "jk-laid-row", ...cards), make("div", "jk-sums", sum, line), fold);
  element.setAttribute("aria-label", "The last hand");

  const lines = scored.steps.map((step) => {
    const gift = giftOf(step);
    return make("li", "", make("span", "", `${giverOf(step, scored, before, chosen)}${gift ? ": " : ""}`), gift ? make("b", "", gift) : null, make("span", "jk-then", ` ${scoreText(step.chips_now)} × ${multText(step.mult_now)}`));
  });
  steps.append(...lines);

  function put(step: Step): void {
    chips.textContent = scoreText(step.chips_now);
    mult.textContent = multText(step.mult_now);
    const gift = giftOf(step);
    line.textContent = `${giverOf(step, scored, before, chosen)}${gift ? `  ${gift}` : ""}`;
  }
  function light(step: Step | null): void {
    cards.forEach((card, place) => card.classList.toggle("jk-lit", step?.played === place));
    lines.forEach((row, k) => row.classList.toggle("jk-lit", step !== null && scored.steps[k] === step));
    host.light(step?.joker ?? null);
  }
  let timer = 0;
  let counting = false;
  function finish(): void {
    clearTimeout(timer);
    chips.textContent = scoreText(scored.chips);
    mult.textContent = multText(scored.mult);
    result.textContent = scoreText(total);
    line.textContent = scored.blocked ? "The boss lets this hand score nothing" : "";
    element.classList.remove("jk-counting");
    light(null);
    if (counting) host.done();
    counting = false;
  }
  const each = scored.steps.length ? ms / scored.steps.length : 0;
  if (each < briefest) finish();
  else {
    counting = true;
    element.classList.add("jk-counting");
    let at = 0;
    const turn = (): void => {
      const step = scored.steps[at++];
      if (!step) return finish();
      put(step);
      light(step);
      host.sound(cueOf(step));
      timer = window.setTimeout(turn, each);
    };
    turn();
  }
  return {
    element,
    finish,
    stop() {
      clearTimeout(timer);
      counting = false;
      host.light(null);
    },
  };
}
