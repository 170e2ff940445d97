// The frame of a small game's view: one picture, which moves from the frame before to the one shown.
import { inksOf, round, Stage, text, wrap, type Inks } from "./canvas";
import type { Effect, Frame, Manifest, Theme, ViewHost, ViewInstance } from "./view";

/** What a picture is drawn from; `t` runs from 0, the frame before, to 1, the one shown. */
export interface Scene {
  ctx: CanvasRenderingContext2D;
  width: number;
  height: number;
  inks: Inks;
  theme: Theme;
  frame: Frame;
  before: Frame | null;
  t: number;
  /** 1 right after an event, falling to 0; stays 1 while nothing moves */
  flash: number;
}

export interface SmallView {
  effects: Manifest;
  height(width: number): number;
  draw(scene: Scene): void;
  words(frame: Frame): string;
  /** what a click or touch at a place of the picture means, in play */
  at?(x: number, y: number, width: number, height: number): number;
}

const stepMs = 160;
const flashMs = 700;

export function mountSmall(host: ViewHost, view: SmallView): ViewInstance {
  let theme = host.theme;
  let frame: Frame | null = null;
  let before: Frame | null = null;
  let begun = 0;
  let ms = 0;
  const stage = new Stage(host, view.height, (now) => {
    if (!frame) return false;
    const t = ms ? Math.min(1, (now - begun) / ms) : 1;
    const flash = ms ? Math.max(0, 1 - (now - begun) / flashMs) : 1;
    const { ctx, width, height } = stage;
    ctx.clearRect(0, 0, width, height);
    ctx.save();
    round(ctx, 0, 0, width, height, 10);
    ctx.clip();
    view.draw({ ctx, width, height, inks: inksOf(theme), theme, frame, before, t: Math.max(0, t), flash });
    ctx.restore();
    return ms > 0 && (t < 1 || flash > 0);
  });

  stage.canvas.classList.add("edged");

  const effects = (now: Frame): Effect[] =>
    [view.effects.actions[now.actionName], ...now.events.map((event) => view.effects.events[event])].filter((effect) => effect !== undefined);

  const click = (event: PointerEvent): void => {
    const box = stage.canvas.getBoundingClientRect();
    const option = view.at?.(event.clientX - box.left, event.clientY - box.top, stage.width, stage.height) ?? -1;
    if (option >= 0) host.choose?.([option]);
  };
  stage.canvas.addEventListener("pointerup", click);
  if (host.choose && view.at) stage.canvas.style.cursor = "pointer";

  return {
    show(now, near) {
      frame = now;
      before = near.before;
      ms = near.animate && !host.reduced && before ? Math.min(stepMs, 1000 / near.speed) : 0;
      begun = performance.now();
      if (near.animate) for (const effect of effects(now)) host.sound(effect.cue);
      stage.describe(view.words(now));
      stage.draw();
    },
    resize: () => stage.fit(),
    theme(next) {
      theme = next;
      stage.draw();
    },
    destroy() {
      stage.canvas.removeEventListener("pointerup", click);
      stage.destroy();
    },
  };
}

/** A number with its sign; what rounds to 0 has none. */
export function signed(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 ? text : `${value < 0 ? "−" : "+"}${text}`;
}

/** A number of the state between the two frames. */
export function between(scene: Scene, key: string): number {
  const now = Number(scene.frame.state[key]);
  if (!scene.before || scene.t >= 1) return now;
  const was = Number(scene.before.state[key]);
  return was + (now - was) * scene.t;
}

/** An angle of the state between the two frames, by the shorter way round. */
export function angleBetween(scene: Scene, key: string): number {
  const now = Number(scene.frame.state[key]);
  if (!scene.before || scene.t >= 1) return now;
  const was = Number(scene.before.state[key]);
  let turn = now - was;
  if (turn > Math.PI) turn -= 2 * Math.PI;
  if (turn < -Math.PI) turn += 2 * Math.PI;
  return was + turn * scene.t;
}

/** A ground that fades from one colour to another. */
export function ground(scene: Scene, top: string, bottom: string): void {
  const { ctx, width, height } = scene;
  const fill = ctx.createLinearGradient(0, 0, 0, height);
  fill.addColorStop(0, top);
  fill.addColorStop(1, bottom);
  ctx.fillStyle = fill;
  ctx.fillRect(0, 0, width, height);
}

/** Name and figure, at the left or the right of the upper edge; `row` counts from the top. */
export function figure(scene: Scene, name: string, value: string, side: "left" | "right", row: number, color?: string): void {
  const { ctx, width, inks } = scene;
  const x = side === "left" ? 16 : width - 16;
  text(ctx, name, x, 20 + row * 44, { size: 12, color: inks.dim, align: side });
  text(ctx, value, x, 40 + row * 44, { size: 20, weight: 700, color: color ?? inks.ink, align: side });
}

/** How it ended, as a band across the picture with its middle at a share of the height. */
export function banner(scene: Scene, good: boolean, at: number): void {
  const { ctx, width, height, inks, theme } = scene;
  const h = 54;
  const y = height * at - h / 2;
  const words = scene.frame.story.slice(0, 1).toUpperCase() + scene.frame.story.slice(1);
  const color = good ? inks.good : inks.bad;
  ctx.fillStyle = theme === "dark" ? "#0c1017e6" : "#ffffffe6";
  ctx.fillRect(0, y, width, h);
  ctx.fillStyle = color;
  ctx.fillRect(0, y, width, 3);
  ctx.fillRect(0, y + h - 3, width, 3);
  const size = width < 480 ? 15 : 17;
  const lines = wrap(ctx, words, size, 800, width - 24, 2);
  lines.forEach((line, k) => text(ctx, line, width / 2, y + h / 2 + (k - (lines.length - 1) / 2) * 21, { size, weight: 800, color, align: "center" }));
}

/** A straight arrow with its head at the end. */
export function arrow(ctx: CanvasRenderingContext2D, x: number, y: number, dx: number, color: string): void {
  const way = Math.sign(dx);
  ctx.strokeStyle = ctx.fillStyle = color;
  ctx.lineWidth = 5;
  ctx.lineCap = "round";
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.lineTo(x + dx - way * 8, y);
  ctx.stroke();
  ctx.beginPath();
  ctx.moveTo(x + dx, y);
  ctx.lineTo(x + dx - way * 13, y - 8);
  ctx.lineTo(x + dx - way * 13, y + 8);
  ctx.fill();
}
