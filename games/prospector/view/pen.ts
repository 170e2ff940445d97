// Colours of the goods and of the scene, icons, bars and panels.
import type { Theme } from "ludus/view";
import { inksOf, round, text, type Inks } from "ludus/canvas";

export interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Paint extends Inks {
  /** tones of bars, which need less contrast than text */
  fill: { good: string; warn: string; bad: string };
  goods: string[];
  sky: [top: string, bottom: string];
  star: string;
  rock: [light: string, dark: string];
  hullLight: string;
  hullDark: string;
  glass: string;
  flame: string;
  beam: string;
  shade: string;
}

const extras: Record<Theme, Omit<Paint, keyof Inks>> = {
  dark: {
    fill: { good: "#6fd8a2", warn: "#ffc45c", bad: "#ff8f87" },
    goods: ["#d98e6f", "#a9bccf", "#6fd3ff", "#f3dd8b", "#98ec74", "#d3a0ff"],
    sky: ["#0a0f1d", "#16142b"],
    star: "#dfe9ff",
    rock: ["#8b8f9c", "#3a3d49"],
    hullLight: "#e7edf5",
    hullDark: "#7d8ba1",
    glass: "#57c7ff",
    flame: "#7fd4ff",
    beam: "#ffd479",
    shade: "#05070dcc",
  },
  light: {
    fill: { good: "#1d9a55", warn: "#c77f00", bad: "#d5392f" },
    goods: ["#b0532f", "#5c7188", "#0f7fb8", "#97760d", "#34861a", "#8443cc"],
    sky: ["#cfdcf0", "#f0e8ea"],
    star: "#5d6f8f",
    rock: ["#b9b4b0", "#777379"],
    hullLight: "#ffffff",
    hullDark: "#6d7d95",
    glass: "#1d86d0",
    flame: "#2a86e0",
    beam: "#d06a00",
    shade: "#ffffffd9",
  },
};

export const paintOf = (theme: Theme): Paint => ({ ...inksOf(theme), ...extras[theme] });

// ---- icons: paths in a box of 24, drawn for this game ----

const paths: Record<string, string> = {
  fuel: "M12 2.5c3.6 4.6 6 7.9 6 11.1a6 6 0 1 1-12 0C6 10.4 8.4 7.1 12 2.5Zm-2.8 11c-.2 2 .9 3.6 2.7 4l.3-1.7c-1-.2-1.5-1-1.4-2.2Z",
  hull: "M12 2.5 20 5.4v6.1c0 4.8-3.2 8.3-8 10-4.8-1.7-8-5.2-8-10V5.4ZM12 5v14c3.4-1.5 5.5-4 5.5-7.5V7.1Z",
  heat: "M12 2a3 3 0 0 0-3 3v8.2a5 5 0 1 0 6 0V5a3 3 0 0 0-3-3Zm-1.2 3a1.2 1.2 0 0 1 2.4 0v9.1l.6.4a3.2 3.2 0 1 1-3.6 0l.6-.4Zm.5 4h1.4v6.1a2 2 0 1 1-1.4 0Z",
  tool: "M20.6 6.7a5.3 5.3 0 0 1-7 6.4l-7 7a2.1 2.1 0 0 1-3-3l7-7a5.3 5.3 0 0 1 6.4-7l-3 3 .6 2.5 2.5.6Z",
  hold: "M12 2 21 6.6v10.6L12 22l-9-4.8V6.6Zm0 2.3L6.2 7.2 12 10.2l5.8-3ZM5 8.9v7.2l6 3.2v-7.3Zm14 0-6 3.1v7.3l6-3.2Z",
  alert: "M12 2.8 22.4 21H1.6Zm-1.1 6.6.3 6h1.6l.3-6Zm1.1 7.2a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4Z",
  kit: "M9 3h6a2 2 0 0 1 2 2v1h3a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h3V5a2 2 0 0 1 2-2Zm0 2v1h6V5Zm2 4v2.8H8.2v2.4H11V17h2v-2.8h2.8v-2.4H13V9Z",
  clamp: "M3 4h5v3.5H6.5v9H8V20H3Zm18 0h-5v3.5h1.5v9H16V20h5ZM12 8l3.5 2v4L12 16l-3.5-2v-4Z",
  decoy: "m12 1.5 1.7 6.3 5.7-3.2-3.2 5.7 6.3 1.7-6.3 1.7 3.2 5.7-5.7-3.2L12 22.5l-1.7-6.3-5.7 3.2 3.2-5.7L1.5 12l6.3-1.7-3.2-5.7 5.7 3.2Z",
  coin: "M12 2.5a9.5 9.5 0 1 1 0 19 9.5 9.5 0 0 1 0-19Zm0 2.2a7.3 7.3 0 1 0 0 14.6 7.3 7.3 0 0 0 0-14.6Zm2.8 4.5a3.8 3.8 0 1 0 0 5.6l-1.3-1.4a1.9 1.9 0 1 1 0-2.8Z",
  clock: "M12 2.5a9.5 9.5 0 1 1 0 19 9.5 9.5 0 0 1 0-19Zm0 2.2a7.3 7.3 0 1 0 0 14.6 7.3 7.3 0 0 0 0-14.6Zm-1 2.8h2v4.2l3 2.8-1.3 1.5-3.7-3.4Z",
  home: "M12 3 2.5 11.3l1.3 1.5L5 11.7V20h5.5v-5h3v5H19v-8.3l1.2 1.1 1.3-1.5Z",
  skull: "M12 2c-5 0-8.5 3.4-8.5 8 0 2.9 1.4 4.9 3.5 6.2V20a1.5 1.5 0 0 0 1.5 1.5h7A1.5 1.5 0 0 0 17 20v-3.8c2.1-1.3 3.5-3.3 3.5-6.2 0-4.6-3.5-8-8.5-8ZM8.6 9a2 2 0 1 1 0 4 2 2 0 0 1 0-4Zm6.8 0a2 2 0 1 1 0 4 2 2 0 0 1 0-4ZM12 13.5l1.4 2.5h-2.8Z",
  rock: "M8.5 3.5 15 2.5l5 4.5 1.5 6-4 6.5-7 2-6-3.5L2.5 11Zm1 4.5a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6Zm5.5 5a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4Z",
  target: "M11 1.5h2v3.1a7.5 7.5 0 0 1 6.4 6.4h3.1v2h-3.1a7.5 7.5 0 0 1-6.4 6.4v3.1h-2v-3.1A7.5 7.5 0 0 1 4.6 13H1.5v-2h3.1A7.5 7.5 0 0 1 11 4.6Zm1 5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11Zm0 3.3a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4Z",
  ship: "M12 1.5c2.8 3 4 6.4 4 10.2l4.5 5.3v3l-5.5-2-1 2.5h-4L9 18l-5.5 2v-3L8 11.7c0-3.8 1.2-7.2 4-10.2Zm0 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z",
  scan: "M12 12 5.6 4.4a10 10 0 0 1 12.8 0Zm0 2.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5ZM3 9.5l1.7 1A8 8 0 0 0 12 22a8 8 0 0 0 7.3-11.5l1.7-1A10 10 0 0 1 12 24 10 10 0 0 1 3 9.5Z",
  flag: "M5 2.5h2v1.2c4-2 7 2 12 .2v9.6c-5 1.8-8-2.2-12-.2v8.2H5Z",
  no: "M12 2.5a9.5 9.5 0 1 1 0 19 9.5 9.5 0 0 1 0-19ZM6 7.6a7.3 7.3 0 0 0 10.4 10.3Zm1.6-1.5L18 16.4A7.3 7.3 0 0 0 7.6 6.1Z",
};

const made = new Map<string, Path2D>();

/** An icon of the given size with its middle at (x, y). */
export function icon(ctx: CanvasRenderingContext2D, name: string, x: number, y: number, size: number, color: string): void {
  let path = made.get(name);
  if (!path) {
    path = new Path2D(paths[name] ?? paths["rock"]);
    made.set(name, path);
  }
  ctx.save();
  ctx.translate(x - size / 2, y - size / 2);
  ctx.scale(size / 24, size / 24);
  ctx.fillStyle = color;
  ctx.fill(path, "evenodd");
  ctx.restore();
}

export function panel(ctx: CanvasRenderingContext2D, rect: Rect, paint: Paint, title = "", note = ""): void {
  round(ctx, rect.x + 0.5, rect.y + 0.5, rect.w - 1, rect.h - 1, 10);
  ctx.fillStyle = paint.panel;
  ctx.fill();
  ctx.strokeStyle = paint.line;
  ctx.lineWidth = 1;
  ctx.stroke();
  if (!title) return;
  const used = text(ctx, title.toUpperCase(), rect.x + 12, rect.y + 17, { size: 11, weight: 700, color: paint.dim });
  if (note) {
    text(ctx, note, rect.x + rect.w - 12, rect.y + 17, { size: 11, color: paint.dim, align: "right", room: rect.w - used - 40 });
  }
}

/** A bar filled to `share`. */
export function bar(ctx: CanvasRenderingContext2D, rect: Rect, share: number, color: string, paint: Paint): void {
  round(ctx, rect.x, rect.y, rect.w, rect.h, rect.h / 2);
  ctx.fillStyle = paint.raised;
  ctx.fill();
  if (share <= 0) return;
  round(ctx, rect.x, rect.y, Math.max(rect.h, rect.w * Math.min(1, share)), rect.h, rect.h / 2);
  ctx.fillStyle = color;
  ctx.fill();
}

/** Shares of several colours side by side, together `total` of the bar. */
export function stacked(ctx: CanvasRenderingContext2D, rect: Rect, shares: readonly number[], colors: readonly string[], paint: Paint): void {
  ctx.save();
  round(ctx, rect.x, rect.y, rect.w, rect.h, rect.h / 2);
  ctx.fillStyle = paint.raised;
  ctx.fill();
  ctx.clip();
  let x = rect.x;
  shares.forEach((share, i) => {
    const w = share * rect.w;
    ctx.fillStyle = colors[i] ?? paint.dim;
    ctx.fillRect(x, rect.y, w, rect.h);
    x += w;
  });
  ctx.restore();
}

/** A colour with some transparency; colours are #rrggbb. */
export const fade = (color: string, alpha: number): string =>
  color.slice(0, 7) + Math.round(Math.min(1, Math.max(0, alpha)) * 255).toString(16).padStart(2, "0");

/** Between two #rrggbb colours. */
export function mix(a: string, b: string, share: number): string {
  const part = (i: number): string => {
    const from = parseInt(a.slice(i, i + 2), 16);
    const to = parseInt(b.slice(i, i + 2), 16);
    return Math.round(from + (to - from) * share).toString(16).padStart(2, "0");
  };
  return `#${part(1)}${part(3)}${part(5)}`;
}

/** Green over amber to red. */
export const threatColor = (threat: number, paint: Paint): string =>
  threat < 0.3 ? mix(paint.fill.good, paint.fill.warn, threat / 0.3) : mix(paint.fill.warn, paint.fill.bad, Math.min(1, (threat - 0.3) / 0.3));
