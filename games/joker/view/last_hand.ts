// The hand that was played last: its sum, and the steps of scoring once the tool has told them.
import type { ViewHost } from "ludus/view";
import { make } from "ludus/make";
import { stepsOf } from "./score";
import { cardShort, multText, phases, scoreText, type State } from "./state";
import { tally, type Tally, type TallyHost } from "./tally";

const stepMs = 330;

export class LastHand {
  readonly element = make("div", "jk-place");
  private steps = new AbortController();
  private last: Tally | null = null;

  /** `board.done` hears that the score is all there. */
  constructor(
    private readonly host: ViewHost,
    private readonly board: Pick<TallyHost, "light" | "done">,
  ) {}

  stop(): void {
    this.steps.abort();
    this.last?.stop();
    this.last = null;
  }

  /** Counts the steps up within `ms`; 0 shows the end at once. `guessed`: the planner chose the cards. */
  async count(before: State, after: State, chosen: number[], guessed: boolean, ms: number): Promise<void> {
    const { signal } = (this.steps = new AbortController());
    try {
      const scored = this.host.tool ? await stepsOf(this.host.tool, before, after, chosen, guessed, signal) : null;
      if (signal.aborted) return;
      if (!scored) return this.board.done();
      this.last = tally({ sound: this.host.sound, ...this.board }, before, chosen, scored, after.last_score, Math.min(ms, stepMs * scored.steps.length));
      this.element.replaceChildren(this.last.element);
      if (!this.last.element.classList.contains("jk-counting")) this.board.done();
    } catch {
      if (!signal.aborted) this.board.done(); // without the tool the sum stands alone
    }
  }

  /** Only the sum, where the steps are not known. */
  sum(now: State, chosen: number[], before: State | null): void {
    this.element.replaceChildren();
    const fresh = now.phase === phases.play ? now.played_round > 0 : now.phase === phases.cashOut || now.phase === phases.end;
    if (now.last_score <= 0 || !fresh) return;
    const cards = before ? chosen.map((place) => cardShort(before.hand[place] ?? "?")).join(" ") : "";
    this.element.append(
      make(
        "p",
        "jk-sum",
        make("span", "jk-hand", cards || "Last hand"),
        " ",
        make("b", "jk-chips", scoreText(now.last_chips)),
        make("span", "jk-times", "×"),
        make("b", "jk-mult", multText(now.last_mult)),
        make("span", "jk-times", "="),
        make("b", "jk-result", scoreText(now.last_score)),
      ),
    );
  }
}
