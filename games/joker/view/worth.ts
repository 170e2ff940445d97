// What the chosen cards would score, as a line above the hand, as soon as the tool has told it.
import type { RunTool } from "ludus/view";
import { make } from "ludus/make";
import { scoreOf, type Scored } from "./score";
import { multText, scoreText, type State } from "./state";

const waitMs = 90;

const product = (chips: string, mult: string): (Node | string)[] => [make("b", "jk-would jk-blue", chips), " × ", make("b", "jk-would jk-red", mult)];

function partsOf(now: State, scored: Scored | null): (Node | string)[] {
  if (!scored) return ["Face-down cards decide what this scores."];
  if (scored.blocked) return [`${scored.hand}: the boss makes it score nothing.`];
  const { worst, mean, best } = scored.luck;
  const luck = best > worst ? `, ${scoreText(worst)} to ${scoreText(best)} depending on luck, ${scoreText(mean)} on average` : "";
  const enough = now.score + worst >= now.target ? " This beats the blind." : "";
  return [`${scored.hand}: `, ...product(scoreText(scored.chips), multText(scored.mult)), ` = ${scoreText(scored.score)}${luck}.${enough}`];
}

export class Worth {
  readonly element = make("p", "jk-worth");
  private asked = new AbortController();
  private timer = 0;

  constructor(private readonly tool: RunTool | undefined) {
    this.element.setAttribute("role", "status");
  }

  /** `asks`: a hand is to be chosen now. */
  show(now: State, chosen: number[], asks: boolean): void {
    this.stop();
    this.element.hidden = !asks;
    if (!asks || chosen.length === 0) {
      this.element.replaceChildren(...(asks ? [...product("0", "0"), " Select 1 to 5 cards."] : []));
      return;
    }
    const { signal } = (this.asked = new AbortController());
    this.timer = window.setTimeout(() => void this.ask(now, chosen, signal), waitMs);
  }

  private async ask(now: State, chosen: number[], signal: AbortSignal): Promise<void> {
    if (!this.tool) return;
    try {
      const scored = await scoreOf(this.tool, now, chosen, "worst", signal);
      if (!signal.aborted) this.element.replaceChildren(...partsOf(now, scored));
    } catch {
      if (!signal.aborted) this.element.textContent = "";
    }
  }

  stop(): void {
    clearTimeout(this.timer);
    this.asked.abort();
  }
}
