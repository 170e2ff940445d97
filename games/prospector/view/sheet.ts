// What every panel shares: what it draws from, what can be clicked, and the looks of a button.
import type { Frame, Tone } from "ludus/view";
import { round } from "ludus/canvas";
import type { Memory } from "./memory";
import { fade, type Paint, type Rect } from "./pen";
import type { State } from "./rules";

/** A part of the picture that answers to the pointer. */
export interface Hit {
  rect: Rect;
  option: number; // -1: only tells
  tip: string[];
}

/** What a panel draws from. */
export interface Sheet {
  ctx: CanvasRenderingContext2D;
  paint: Paint;
  state: State;
  frame: Frame;
  memory: Memory;
  /** gauge values on their way to the state's */
  shown: Record<GaugeKey, number>;
  hits: Hit[];
  /** a person plays: actions can be clicked; by option, whether it is legal */
  legal: ((option: number) => boolean) | null;
  hover: number; // option under the pointer, -1 none
}

export type GaugeKey = "fuel" | "hull" | "heat" | "tool" | "cargo" | "alert";

/** Tones of what is bad when low, and of what is bad when high. */
export const low = (value: number, warn: number, bad: number): Tone => (value < bad ? "bad" : value < warn ? "warn" : "good");
export const high = (value: number, warn: number, bad: number): Tone => (value > bad ? "bad" : value > warn ? "warn" : "good");

/** Whether an option is offered, and its looks; watching shows everything as it is. */
export function allowed(sheet: Sheet, option: number): boolean {
  return sheet.legal ? sheet.legal(option) : true;
}

export function face(sheet: Sheet, rect: Rect, option: number, chosen: boolean): void {
  const { ctx, paint } = sheet;
  round(ctx, rect.x + 0.5, rect.y + 0.5, rect.w - 1, rect.h - 1, 7);
  ctx.fillStyle = chosen ? fade(paint.accent, 0.18) : sheet.hover === option && option >= 0 ? paint.raised : fade(paint.raised, 0.55);
  ctx.fill();
  ctx.strokeStyle = chosen || (sheet.hover === option && option >= 0) ? paint.accent : paint.line;
  ctx.lineWidth = chosen ? 2 : 1;
  ctx.stroke();
}
