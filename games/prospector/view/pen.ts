// Colours of the goods and of the scene, icons, bars and panels.
import type { Theme } from "ludus/view";
import { inksOf, round, text, type Inks } from "../../../web/src/canvas";

export interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Paint extends Inks {
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
    goods: ["#b0532f", "#5c7188", "#0f7fb8", "#97760d", "#34861a", "#8443cc"],
    sky: ["#cfdcf0", "#f0e8ea"],
    star: "#5d6f8f",
    rock: ["#b9b4b0", "#777379"],
    hullLight: "#ffffff",
    hullDark: "#8796ab",
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
  hull: "M12 2.5 20 5.4v6.1c0 4.8-3.2 8.3-8 10-4.8-1.7-8-5.2-8-10V5.4ZM12 5v14c3.400-1.500 5.500-4 5.500-7.500V7.100Z",
  heat: "M12 2a3 3 0 0 0-3 3v8.200a5 5 0 1 0 6 0V5a3 3 0 0 0-3-3Zm-1.200 3a1.200 1.200 0 0 1 2.400 0v9.100l.6.4a3.200 3.200 0 1 1-3.600 0l.6-.4Zm.5 4h1.400v6.100a2 2 0 1 1-1.400 0Z",
  tool: "M20.600 6.700a5.300 5.300 0 0 1-7 6.400l-7 7a2.100 2.100 0 0 1-3-3l7-7a5.300 5.300 0 0 1 6.400-7l-3 3 .6 2.500 2.500.6Z",
  hold: "M12 2 21 6.600v10.600L12 22l-9-4.800V6.600Zm0 2.300L6.200 7.200 12 10.200l5.800-3ZM5 8.900v7.200l6 3.200v-7.300Zm14 0-6 3.100v7.300l6-3.200Z",
  alert: "M12 2.800 22.400 21H1.600Zm-1.100 6.600.3 6h1.600l.3-6Zm1.100 7.200a1.200 1.200 0 1 0 0 2.400 1.200 1.200 0 0 0 0-2.400Z",
  kit: "M9 3h6a2 2 0 0 1 2 2v1h3a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h3V5a2 2 0 0 1 2-2Zm0 2v1h6V5Zm2 4v2.800H8.200v2.400H11V17h2v-2.800h2.800v-2.400H13V9Z",
  clamp: "M3 4h5v3.500H6.500v9H8V20H3Zm18 0h-5v3.500h1.500v9H16V20h5ZM12 8l3.500 2v4L12 16l-3.500-2v-4Z",
  decoy: "m12 1.500 1.700 6.300 5.700-3.200-3.200 5.700 6.300 1.700-6.300 1.700 3.200 5.700-5.700-3.200L12 22.500l-1.700-6.300-5.700 3.200 3.200-5.700L1.500 12l6.300-1.700-3.200-5.700 5.700 3.200Z",
  coin: "M12 2.500a9.500 9.500 0 1 1 0 19 9.500 9.500 0 0 1 0-19Zm0 2.200a7.300 7.300 0 1 0 0 14.600 7.300 7.300 0 0 0 0-14.600Zm2.800 4.500a3.800 3.800 0 1 0 0 5.600l-1.300-1.400a1.900 1.900 0 1 1 0-2.800Z",
  clock: "M12 2.500a9.500 9.500 0 1 1 0 19 9.500 9.500 0 0 1 0-19Zm0 2.200a7.300 7.300 0 1 0 0 14.600 7.300 7.300 0 0 0 0-14.600Zm-1 2.800h2v4.200l3 2.800-1.300 1.500-3.700-3.400Z",
  home: "M12 3 2.500 11.300l1.300 1.500L5 11.700V20h5.500v-5h3v5H19v-8.300l1.200 1.100 1.300-1.500Z",
  skull: "M12 2c-5 0-8.500 3.400-8.500 8 0 2.900 1.400 4.900 3.500 6.200V20a1.500 1.500 0 0 0 1.500 1.500h7A1.500 1.500 0 0 0 17 20v-3.800c2.100-1.300 3.500-3.300 3.500-6.200 0-4.600-3.500-8-8.500-8ZM8.600 9a2 2 0 1 1 0 4 2 2 0 0 1 0-4Zm6.800 0a2 2 0 1 1 0 4 2 2 0 0 1 0-4ZM12 13.500l1.400 2.500h-2.800Z",
  rock: "M8.500 3.500 15 2.500l5 4.500 1.500 6-4 6.500-7 2-6-3.500L2.500 11Zm1 4.500a1.800 1.800 0 1 0 0 3.600 1.800 1.800 0 0 0 0-3.600Zm5.500 5a2.200 2.200 0 1 0 0 4.400 2.200 2.200 0 0 0 0-4.400Z",
  target: "M11 1.500h2v3.100a7.500 7.500 0 0 1 6.400 6.400h3.100v2h-3.100a7.500 7.500 0 0 1-6.400 6.400v3.100h-2v-3.100A7.500 7.500 0 0 1 4.600 13H1.500v-2h3.100A7.500 7.500 0 0 1 11 4.600Zm1 5a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11Zm0 3.300a2.200 2.200 0 1 1 0 4.400 2.200 2.200 0 0 1 0-4.400Z",
  ship: "M12 1.500c2.800 3 4 6.400 4 10.200l4.500 5.300v3l-5.500-2-1 2.500h-4L9 18l-5.500 2v-3L8 11.700c0-3.800 1.200-7.200 4-10.200Zm0 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z",
  scan: "M12 12 5.600 4.400a10 10 0 0 1 12.800 0Zm0 2.500a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5ZM3 9.500l1.700 1A8 8 0 0 0 12 22a8 8 0 0 0 7.300-11.500l1.700-1A10 10 0 0 1 12 24 10 10 0 0 1 3 9.500Z",
  flag: "M5 2.500h2v1.200c4-2 7 2 12 .2v9.600c-5 1.800-8-2.200-12-.2v8.200H5Z",
  no: "M12 2.500a9.500 9.500 0 1 1 0 19 9.500 9.500 0 0 1 0-19ZM6 7.600a7.300 7.300 0 0 0 10.400 10.300Zm1.600-1.500L18 16.400A7.300 7.300 0 0 0 7.600 6.100Z",
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
  threat < 0.35 ? mix(paint.good, paint.warn, threat / 0.35) : mix(paint.warn, paint.bad, Math.min(1, (threat - 0.35) / 0.3));
