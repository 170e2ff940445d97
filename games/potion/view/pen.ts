// Colours of both themes, shapes of the fourteen kinds of ingredients, and what all panels share.
import type { Frame, Theme } from "ludus/view";
import { inksOf, round, text, type Inks } from "ludus/canvas";
import type { State } from "./rules";
import { magimins, type Ingredient } from "./tables";

export interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Paint extends Inks {
  wall: [top: string, bottom: string];
  wood: string;
  jar: string;
  glass: string;
  shine: string;
  flame: [outer: string, inner: string];
  gold: string;
  smoke: string;
  card: string;
}

const extras: Record<Theme, Omit<Paint, keyof Inks>> = {
  dark: {
    wall: ["#191a2c", "#261c24"],
    wood: "#4a3427",
    jar: "#2d2e44",
    glass: "#aebfdc",
    shine: "#ffffff",
    flame: ["#ff8a3c", "#ffd873"],
    gold: "#ffcf5c",
    smoke: "#6b6f7a",
    card: "#0c1017e6",
  },
  light: {
    wall: ["#f0e7dc", "#e6d6c6"],
    wood: "#b08b66",
    jar: "#d8c9b8",
    glass: "#64758f",
    shine: "#ffffff",
    flame: ["#e8691c", "#ffc64a"],
    gold: "#b97900",
    smoke: "#7c7f88",
    card: "#fffffff0",
  },
};

export const paintOf = (theme: Theme): Paint => ({ ...inksOf(theme), ...extras[theme] });

/** A part of the picture that answers to the pointer. */
export interface Hit {
  rect: Rect;
  option: number;
}

/** What everything is drawn from. */
export interface Sheet {
  ctx: CanvasRenderingContext2D;
  paint: Paint;
  frame: Frame;
  state: State;
  before: State | null;
  /** 0..1 from the frame before to this one; 1 when nothing moves */
  t: number;
  /** seconds for what goes on by itself; 0 while the picture stands */
  clock: number;
  hits: Hit[];
  /** a person plays: by option, whether it is legal */
  legal: ((option: number) => boolean) | null;
  hover: number;
}

/** A colour with an opacity. */
export const fade = (color: string, alpha: number): string =>
  `${color.slice(0, 7)}${Math.round(255 * Math.max(0, Math.min(1, alpha))).toString(16).padStart(2, "0")}`;

export const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));

/** A number of both states on its way; it moves in the second half, when the piece has fallen. */
export function between(sheet: Sheet, of: (state: State) => number): number {
  const now = of(sheet.state);
  if (!sheet.before || sheet.t >= 1) return now;
  const was = of(sheet.before);
  const part = clamp((sheet.t - 0.5) * 2, 0, 1);
  return was + (now - was) * part * (2 - part);
}

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
export const gold = (value: number): string => whole.format(value).replace("-", "−");
export const percent = (share: number, digits = 1): string => `${(100 * share).toFixed(digits)}%`;

/** A panel with a heading; returns the room inside. */
export function panel({ ctx, paint }: Sheet, rect: Rect, heading: string): Rect {
  round(ctx, rect.x + 0.5, rect.y + 0.5, rect.w - 1, rect.h - 1, 10);
  ctx.fillStyle = paint.panel;
  ctx.fill();
  ctx.strokeStyle = paint.line;
  ctx.lineWidth = 1;
  ctx.stroke();
  text(ctx, heading.toUpperCase(), rect.x + 12, rect.y + 17, { size: 11, weight: 700, color: paint.dim, room: rect.w - 24 });
  return { x: rect.x + 12, y: rect.y + 30, w: rect.w - 24, h: rect.h - 38 };
}

const circle = (x: number, y: number, r: number): string => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0 ${r} ${r} 0 1 0 ${-2 * r} 0Z`;
const ring = (count: number, x: number, y: number, far: number, r: number): string =>
  Array.from({ length: count }, (_, k) => circle(x + far * Math.sin((k * 2 * Math.PI) / count), y - far * Math.cos((k * 2 * Math.PI) / count), r)).join("");

/** Shapes in a box of 24. */
const shapes: Record<string, string> = {
  bone: `M8.2 6.4 17.6 15.8 15.8 17.6 6.4 8.2Z${circle(5, 7.4, 2.7)}${circle(7.4, 5, 2.7)}${circle(19, 16.6, 2.7)}${circle(16.6, 19, 2.7)}`,
  bug: `${circle(12, 6, 3.2)}M6 14C6 9 18 9 18 14S15 22 12 22 6 19 6 14ZM2 9 7 12 6.4 13.2 1.4 10.2ZM22 9 17 12 17.6 13.2 22.6 10.2ZM1 17 6.4 15.6 6.8 17 1.4 18.4ZM23 17 17.6 15.6 17.2 17 22.6 18.4Z`,
  essence: "M12 2C16 8 19 11 19 15A7 7 0 0 1 5 15C5 11 8 8 12 2Z",
  fish: "M2 12C5 6 13 5 17 11L22 7V17L17 13C13 19 5 18 2 12Z",
  flesh: "M5 9C6 4 13 3 16 6 20 8 21 14 18 18 14 21 7 20 5 16 4 14 4 11 5 9Z",
  flower: `${ring(5, 12, 12, 5.6, 4)}${circle(12, 12, 3)}`,
  fruit: `${circle(12, 14.5, 7.3)}M12 7.5C12 4 14 2 18 2 18 6 15.5 7.5 12 7.5Z`,
  fungus: "M2.5 12.5C2.5 6 7 3 12 3S21.5 6 21.5 12.5ZM9 12.5H15L16 20.5Q12 22.5 8 20.5Z",
  gem: "M7 4H17L22 10 12 21 2 10Z",
  mineral: "M8.5 21.5 4.5 11 7.5 2.5 11.5 10 11 21.5ZM12.6 21.5 12.6 13 16 6.5 20 12.5 17 21.5Z",
  ore: "M3.5 15 7 7 13 4 19 8 21.5 15 16.5 20.5H8Z",
  plant: "M11 22V12.6C5 12.6 2.6 9 2.6 4.4 8.6 4.4 11.2 7 12 10 13 6 16 3.4 21.4 3.4 21.4 9.8 18 13.4 13 13.4V22Z",
  pure_mana: "M12 1.5C13 9 15 11 22.5 12 15 13 13 15 12 22.5 11 15 9 13 1.5 12 9 11 11 9 12 1.5Z",
  slime: "M3 19C3 10 7 5 12 5S21 10 21 19C21 21.4 3 21.4 3 19Z",
};
const paths = new Map<string, Path2D>();

function pathOf(kind: string): Path2D {
  let path = paths.get(kind);
  if (!path) {
    path = new Path2D(shapes[kind] ?? shapes["ore"]!);
    paths.set(kind, path);
  }
  return path;
}

/** Bands of the magimins of something, from left to right. */
function bands(ctx: CanvasRenderingContext2D, amounts: number[], x0: number, x1: number): CanvasGradient {
  const fill = ctx.createLinearGradient(x0, 0, x1, 0);
  const total = amounts.reduce((sum, one) => sum + one, 0) || 1;
  let at = 0;
  amounts.forEach((amount, k) => {
    if (amount <= 0) return;
    fill.addColorStop(at, magimins[k]!.color);
    at = Math.min(1, at + amount / total);
    fill.addColorStop(Math.max(0, at - 0.001), magimins[k]!.color);
  });
  return fill;
}

/** An ingredient with its middle at a place, in the colours of its magimins. */
export function glyph({ ctx, paint }: Sheet, piece: Ingredient, x: number, y: number, size: number, turn = 0): void {
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(turn);
  ctx.scale(size / 24, size / 24);
  ctx.translate(-12, -12);
  const path = pathOf(piece.kind);
  ctx.fillStyle = bands(ctx, piece.amounts, 3, 21);
  ctx.fill(path);
  ctx.save();
  ctx.clip(path);
  ctx.fillStyle = "#ffffff38";
  ctx.beginPath();
  ctx.ellipse(8, 6, 9, 6, -0.5, 0, 7);
  ctx.fill();
  ctx.restore();
  ctx.strokeStyle = fade(paint.ink, 0.75);
  ctx.lineWidth = 1.1;
  ctx.lineJoin = "round";
  ctx.stroke(path);
  ctx.restore();
}

/** A magimin's letter in its colour. */
export function badge({ ctx }: Sheet, k: number, x: number, y: number, r: number): void {
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 7);
  ctx.fillStyle = magimins[k]!.color;
  ctx.fill();
  text(ctx, magimins[k]!.letter, x, y, { size: r * 1.3, part: true, weight: 800, color: k === 1 || k === 2 ? "#10151c" : "#ffffff", align: "center" });
}

/** Badges with amounts, "A 12 C 4", as far as there is room. */
export function amounts(sheet: Sheet, list: number[], x: number, y: number, room: number, size = 11): void {
  let at = x;
  list.forEach((amount, k) => {
    if (amount <= 0 || at + 2 * size + 14 > x + room) return;
    badge(sheet, k, at + size * 0.55, y, size * 0.6);
    at += size * 1.35;
    at += text(sheet.ctx, `${amount}`, at, y, { size, color: sheet.paint.dim }) + 7;
  });
}

/** A star with its middle at a place. */
export function star(ctx: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  ctx.beginPath();
  for (let k = 0; k < 10; k++) {
    const far = k % 2 ? r * 0.44 : r;
    ctx.lineTo(x + far * Math.sin((k * Math.PI) / 5), y - far * Math.cos((k * Math.PI) / 5));
  }
  ctx.closePath();
}

/** The stars of a grade, those it has filled. */
export function stars({ ctx, paint }: Sheet, grade: number, x: number, y: number, r: number): number {
  const has = grade % 6;
  for (let k = 0; k < 5; k++) {
    star(ctx, x + r + k * 2.3 * r, y, r);
    ctx.fillStyle = k < has ? paint.gold : fade(paint.dim, 0.25);
    ctx.fill();
  }
  return 5 * 2.3 * r;
}
