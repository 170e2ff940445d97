// What views that draw on one canvas share: a canvas as wide as its box and sharp on any screen,
// colours of both themes, and a loop that draws only while something moves.
import type { Theme, ViewHost } from "./view";

/** Colours of a theme, those of the site's style sheet; `ink` is text, `dim` lesser text. */
export interface Inks {
  page: string;
  panel: string;
  raised: string;
  line: string;
  ink: string;
  dim: string;
  accent: string;
  good: string;
  warn: string;
  bad: string;
}

const inks: Record<Theme, Inks> = {
  dark: {
    page: "#0c1017",
    panel: "#141a24",
    raised: "#1e2735",
    line: "#2c3748",
    ink: "#e8edf4",
    dim: "#a3b0c2",
    accent: "#6db3ff",
    good: "#6fd8a2",
    warn: "#ffc45c",
    bad: "#ff8f87",
  },
  light: {
    page: "#f5f6f8",
    panel: "#ffffff",
    raised: "#e9edf3",
    line: "#d3dae4",
    ink: "#16202c",
    dim: "#4d5a6b",
    accent: "#1460c4",
    good: "#11703f",
    warn: "#8a5200",
    bad: "#b3261e",
  },
};

export const inksOf = (theme: Theme): Inks => inks[theme];

export const face = "Inter, system-ui, sans-serif";

/** The six sizes of type of the site (web/src/app.css), in pixels. */
const sizes = [12, 13, 15, 17, 22, 30];

/** The size of the scale that is nearest to one asked for. */
const scaled = (size: number): number => sizes.reduce((a, b) => (Math.abs(b - size) < Math.abs(a - size) ? b : a));

/** A font of the site for a canvas; `part`: the letter is a part of a drawing and may have any size. */
export const fontOf = (size: number, weight = 400, part = false): string => `${weight} ${part ? size : scaled(size)}px ${face}`;

export class Stage {
  readonly canvas = document.createElement("canvas");
  readonly ctx: CanvasRenderingContext2D;
  width = 0;
  height = 0;
  private asked = 0;
  private scale = 0;

  /** `heightOf` gives the height for a width; `paint` draws and says whether something still moves. */
  constructor(
    private readonly host: ViewHost,
    private readonly heightOf: (width: number) => number,
    private readonly paint: (now: number) => boolean,
  ) {
    const ctx = this.canvas.getContext("2d");
    if (!ctx) throw new Error("this browser has no canvas");
    this.ctx = ctx;
    this.canvas.style.display = "block";
    this.canvas.style.width = "100%";
    this.canvas.setAttribute("role", "img");
    host.element.append(this.canvas);
    this.fit();
  }

  /** Asks for the height anew: what is shown is another. */
  refit(): void {
    this.scale = 0;
    this.fit();
  }

  /** Follows the box's width and the screen's density, then draws. */
  fit(): void {
    const width = Math.max(280, Math.round(this.host.element.clientWidth || 640));
    const scale = Math.min(3, Math.max(1, globalThis.devicePixelRatio || 1));
    if (width === this.width && scale === this.scale) return;
    this.width = width;
    this.scale = scale;
    this.height = Math.round(this.heightOf(width));
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(this.height * scale);
    this.canvas.style.height = `${this.height}px`;
    this.ctx.setTransform(scale, 0, 0, scale, 0, 0);
    this.draw();
  }

  /** Draws with the next picture of the screen, and on while `paint` says so. */
  draw(): void {
    if (this.asked) return;
    this.asked = requestAnimationFrame((now) => {
      this.asked = 0;
      if (this.paint(now)) this.draw();
    });
  }

  /** What people who cannot see the canvas are told. */
  describe(text: string): void {
    this.canvas.setAttribute("aria-label", text);
  }

  destroy(): void {
    cancelAnimationFrame(this.asked);
    this.canvas.remove();
  }
}

export interface TextStyle {
  size?: number;
  weight?: number;
  color?: string;
  align?: CanvasTextAlign;
  /** widest allowed; longer text is cut with an ellipsis */
  room?: number;
  /** part of a drawing, e.g. a letter in a badge: of any size */
  part?: boolean;
}

/** Text with its middle at y; returns its width. */
export function text(ctx: CanvasRenderingContext2D, words: string, x: number, y: number, style: TextStyle): number {
  ctx.font = fontOf(style.size ?? 13, style.weight, style.part);
  ctx.fillStyle = style.color ?? "#888";
  ctx.textAlign = style.align ?? "left";
  ctx.textBaseline = "middle";
  const shown = style.room === undefined ? words : shorten(ctx, words, style.room);
  ctx.fillText(shown, x, y + (style.size ?? 13) * 0.04);
  return ctx.measureText(shown).width;
}

/** Words cut with an ellipsis to what fits. */
export function shorten(ctx: CanvasRenderingContext2D, words: string, room: number): string {
  if (ctx.measureText(words).width <= room) return words;
  let end = words.length;
  while (end > 1 && ctx.measureText(`${words.slice(0, end)}…`).width > room) end--;
  return `${words.slice(0, end).trimEnd()}…`;
}

/** Lines of at most `room` pixels; the last of `most` lines is cut with an ellipsis. */
export function wrap(ctx: CanvasRenderingContext2D, words: string, size: number, weight: number, room: number, most: number): string[] {
  ctx.font = fontOf(size, weight);
  const lines: string[] = [];
  let line = "";
  const rest = words.split(" ");
  while (rest.length) {
    const word = rest.shift() ?? "";
    const next = line ? `${line} ${word}` : word;
    if (ctx.measureText(next).width <= room || !line) line = next;
    else if (lines.length + 1 === most) return [...lines, shorten(ctx, [line, word, ...rest].join(" "), room)];
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, shorten(ctx, line, room)];
}

/** A rectangle with round corners as the current path. */
export function round(ctx: CanvasRenderingContext2D, x: number, y: number, w: number, h: number, r: number): void {
  ctx.beginPath();
  ctx.roundRect(x, y, Math.max(0, w), Math.max(0, h), Math.min(r, Math.max(0, w) / 2, Math.max(0, h) / 2));
}

/** Numbers in [0, 1) from a seed; the same seed gives the same picture. */
export function dice(seed: number): () => number {
  let state = (seed * 2654435761 + 97) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const ease = (t: number): number => 1 - (1 - t) * (1 - t) * (1 - t);
