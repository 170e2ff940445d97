// The view of a fight: arena between the cards of both fighters; in Play the bar of choices below.
import { round, Stage } from "ludus/canvas";
import { make } from "ludus/make";
import type { BoardKey, Frame, Theme, ViewHost, ViewInstance } from "ludus/view";
import { drawArena } from "./arena";
import { Bar } from "./bar";
import "./board.css";
import { Card } from "./card";
import { manifest } from "./effects";
import { leftOf, wordsOf } from "./state";

const stepMs = 420;
const columns = 720; // pixels from which on the arena stands between the cards, and is about as high

class Board implements ViewInstance {
  readonly keys?: BoardKey[];
  readonly stance?: (seat: number) => number[];
  readonly suggest?: (actions: number[]) => void;
  private readonly grid = make("div", "du-grid");
  private readonly root = make("div", "du", this.grid);
  private readonly cards = [new Card(), new Card()] as const;
  private readonly stage: Stage;
  private readonly bar: Bar | null;
  private frame: Frame | null = null;
  private before: Frame | null = null;
  private begun = 0;
  private ms = 0;
  private look: Theme;
  private narrow: boolean | null = null;

  constructor(private readonly host: ViewHost) {
    this.look = host.theme;
    const box = make("div", "du-arena");
    this.grid.append(this.cards[0].element, box, this.cards[1].element);
    this.cards[0].element.classList.add("du-left");
    this.cards[1].element.classList.add("du-right");
    this.bar = host.choose ? new Bar(host) : null;
    const { bar } = this;
    if (bar) {
      (host.controls ?? this.grid).append(bar.element);
      this.keys = bar.keys;
      this.stance = (seat) => bar.decision(seat);
      this.suggest = (actions) => bar.suggest(actions);
    }
    host.element.append(this.root);
    this.stage = new Stage({ ...host, element: box }, (width) => Math.max(host.element.clientWidth < columns ? 250 : 380, Math.min(430, width * 0.7)), (now) => this.paint(now));
    this.fold();
  }

  /** Where there is little room a person needs it for the choices. */
  private fold(): void {
    const narrow = this.host.element.clientWidth < 500;
    if (narrow === this.narrow) return;
    this.narrow = narrow;
    for (const card of this.cards) card.unfold(!narrow || !this.bar);
  }

  private paint(now: number): boolean {
    const { frame, before, ms, stage } = this;
    if (!frame) return false;
    const t = ms ? Math.max(0, Math.min(1, (now - this.begun) / ms)) : 1;
    const { ctx, width, height } = stage;
    ctx.clearRect(0, 0, width, height);
    ctx.save();
    round(ctx, 0, 0, width, height, 10);
    ctx.clip();
    drawArena({ ctx, width, height, theme: this.look, frame, before, t });
    ctx.restore();
    return t < 1;
  }

  show(frame: Frame, near: { before: Frame | null; animate: boolean; speed: number }): void {
    const passed = !this.frame || frame.index !== this.frame.index || frame.seed !== this.frame.seed;
    this.frame = frame;
    this.before = near.before;
    this.ms = near.animate && !this.host.reduced && near.before ? Math.min(stepMs, 800 / near.speed) : 0;
    this.begun = performance.now();
    if (near.animate) for (const event of frame.events) this.host.sound(manifest.events[event]?.cue ?? "none");
    const left = leftOf(frame);
    this.cards[0].show(frame, left);
    this.cards[1].show(frame, 1 - left);
    this.bar?.show(frame, passed);
    this.stage.describe(wordsOf(frame));
    this.stage.draw();
  }

  resize(): void {
    this.stage.fit();
    this.fold();
  }

  theme(theme: Theme): void {
    this.look = theme;
    this.stage.draw();
  }

  destroy(): void {
    this.stage.destroy();
    this.root.remove();
    this.bar?.element.remove();
  }
}

export const mount = (host: ViewHost): ViewInstance => new Board(host);
