// What the chosen cards would score, as a line above the hand, as soon as the tool has told it.
import type { RunTool } from "ludus/view";
import { make } from "ludus/make";
import { scoreOf, type Scored } from "./score";
import { multText, scoreText, type State } from "./state";

const waitMs = 90;

function sentenceOf(now: State, scored: Scored | null): string {
  if (!scored) return "What lies face down decides what this scores.";
  if (scored.blocked) return `${scored.hand}: the boss lets it score nothing.`;
  const { worst, mean, best } = scored.luck;
  const luck = best > worst ? `, by luck ${scoreText(worst)} to ${scoreText(best)}, on average ${scoreText(mean)}` : "";
  const enough = now.score + worst >= now.target ? " This beats the blind." : "";
  return `${scored.hand}: ${scoreText(scored.chips)} × ${multText(scored.mult)} = ${scoreText(scored.score)}${luck}.${enough}`;
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
      this.element.textContent = asks ? "Choose 1 to 5 cards." : "";
      return;
    }
    const { signal } = (this.asked = new AbortController());
    this.timer = window.setTimeout(() => void this.ask(now, chosen, signal), waitMs);
  }

  private async ask(now: State, chosen: number[], signal: AbortSignal): Promise<void> {
    if (!this.tool) return;
    try {
      const scored = await scoreOf(this.tool, now, chosen, "worst", signal);
      if (!signal.aborted) this.element.textContent = sentenceOf(now, scored);
    } catch {
      if (!signal.aborted) this.element.textContent = "";
    }
  }

  stop(): void {
    clearTimeout(this.timer);
    this.asked.abort();
  }
}
