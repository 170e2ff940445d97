// Simple shapes of our own in a box of 24 by 24, as strokes: for buttons, cards and the arena.
import { draw } from "ludus/make";

export const shapes = {
  melee: "M5 19l4-4M4 15l5 5M8 16L20 4v3L10 17",
  ranged: "M7 3c7 3 11 7 14 14M7 3l14 14M3 21l9-9M3 21v-5M3 21h5",
  magic: "M12 3l2.2 6.8L21 12l-6.8 2.2L12 21l-2.2-6.8L3 12l6.8-2.2z",
  smite: "M12 4v16M7 9h10M9 4h6",
  redemption: "M12 20C5 15 3 11 4.5 7.5 6 4.5 10 4.5 12 8c2-3.5 6-3.5 7.5-.5C21 11 19 15 12 20z",
  shield: "M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6z",
  ice: "M12 3v18M4.2 7.5l15.6 9M19.8 7.5l-15.6 9M12 6l-2-2M12 6l2-2M12 18l-2 2M12 18l2 2",
  blood: "M12 3c4 5 6 8 6 11a6 6 0 0 1-12 0c0-3 2-6 6-11z",
  special: "M13 2L5 13h6l-1 9 9-12h-6z",
  hold: "M9 5v14M15 5v14",
  food: "M3 12c4-6 10-6 14-1l4-3v8l-4-3c-4 5-10 5-14-1zM7.5 11v.5",
  karambwan: "M7 11a5 5 0 0 1 10 0v8M7 11v8M10.4 13v7M13.6 13v7",
  potion: "M10 3h4M11 3v6L6 19a1.5 1.5 0 0 0 1.4 2h9.2a1.5 1.5 0 0 0 1.4-2L13 9V3M8 15h8",
  vengeance: "M12 3v6M8 5l4 4 4-4M4 21c1-6 4-9 8-9s7 3 8 9",
  next: "M3 12h12M11 8l4 4-4 4M20 5v14",
  under: "M12 3v12M8 11l4 4 4-4M5 21h14",
  diagonal: "M5 19L18 6M9 6h9v9",
  away: "M21 12H6M10 8l-4 4 4 4",
  head: "M6 18v-6a6 6 0 0 1 12 0v6zM9 13h6",
  cape: "M8 4h8l3 16H5z",
  neck: "M6 4c0 6 3 9 6 9s6-3 6-9M12 13v3M10 18a2 2 0 1 0 4 0a2 2 0 1 0-4 0",
  ammo: "M4 20L17 7M12 5h7v7M4 20v-4M4 20h4",
  body: "M8 4L4 7l2 4v9h12v-9l2-4-4-3c-1 2-7 2-8 0z",
  legs: "M7 4h10l1 16h-4l-2-10-2 10H6z",
  hands: "M8 20v-6l-2-4 2-1 2 3V5h4v7l2-3 2 1-2 4v6z",
  feet: "M9 4v10l-4 3v3h14v-3c-3 0-5-1-5-3V4z",
  ring: "M6 15a6 6 0 1 0 12 0a6 6 0 1 0-12 0M9 4h6l-3 4z",
  staff: "M5 21L15 10M13 8a3 3 0 1 0 6-1a3 3 0 1 0-6 1",
  none: "M8 12h8",
} as const;

export type Shape = keyof typeof shapes;

/** A shape as an element that only decorates. */
export function icon(shape: Shape): SVGElement {
  return draw("svg", { viewBox: "0 0 24 24", class: "du-icon", "aria-hidden": "true", focusable: "false" }, draw("path", { d: shapes[shape] }));
}

/** A shape on a canvas with its middle at a place. */
export function stamp(ctx: CanvasRenderingContext2D, shape: Shape, x: number, y: number, size: number, color: string): void {
  ctx.save();
  ctx.translate(x - size / 2, y - size / 2);
  ctx.scale(size / 24, size / 24);
  ctx.strokeStyle = color;
  ctx.lineWidth = 2.2;
  ctx.lineCap = ctx.lineJoin = "round";
  ctx.stroke(new Path2D(shapes[shape]));
  ctx.restore();
}
