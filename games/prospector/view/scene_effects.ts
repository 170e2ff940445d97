// The visual effects by the names the manifest uses. Each is a function of t, from 0 to 1; `still` is
// the moment that a frame shown without motion gets.
import { dice, ease, fontOf, round, text } from "ludus/canvas";
import { fade, icon, type Paint } from "./pen";
import { drawPirate, reticle, type Layout, type Spot } from "./scene";
import type { State } from "./rules";

/** What an effect may draw with. */
export interface Stroke {
  ctx: CanvasRenderingContext2D;
  layout: Layout;
  state: State;
  paint: Paint;
  /** of the goods, for sales and jettison; -1 none */
  good: number;
  /** what the step of the effect brought or cost; later frames may be shown while it lasts */
  credits: number;
  /** the rock worked on */
  target: Spot | null;
  t: number;
}

export interface Visual {
  ms: number;
  still: number;
  draw(stroke: Stroke): void;
}

type Ctx = CanvasRenderingContext2D;

function ring(ctx: Ctx, x: number, y: number, r: number, color: string, width: number): void {
  ctx.strokeStyle = color;
  ctx.lineWidth = width;
  ctx.beginPath();
  ctx.arc(x, y, Math.max(0, r), 0, 7);
  ctx.stroke();
}

/** Dots flying off a point. */
function spray(ctx: Ctx, x: number, y: number, count: number, reach: number, t: number, color: string, seed: number, size = 2): void {
  const random = dice(seed);
  ctx.fillStyle = fade(color, 1 - t);
  for (let i = 0; i < count; i++) {
    const angle = random() * 6.28;
    const far = ease(t) * reach * (0.4 + 0.6 * random());
    ctx.beginPath();
    ctx.arc(x + Math.cos(angle) * far, y + Math.sin(angle) * far, size * (0.5 + random()), 0, 7);
    ctx.fill();
  }
}

function beam({ ctx, layout, paint, target, t }: Stroke, power: number): void {
  if (!target) return;
  const { ship } = layout;
  const angle = Math.atan2(target.y - ship.y, target.x - ship.x);
  const x = ship.x + Math.cos(angle) * ship.r * 1.2;
  const y = ship.y + Math.sin(angle) * ship.r * 1.2;
  const glow = Math.min(1, (1 - t) * 3, t * 8 + 0.2);
  ctx.lineCap = "round";
  for (const [width, alpha] of [[power * 5, 0.18], [power * 2.4, 0.5], [power, 1]] as const) {
    ctx.strokeStyle = fade(paint.beam, alpha * glow);
    ctx.lineWidth = width;
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(target.x - Math.cos(angle) * target.r * 0.6, target.y - Math.sin(angle) * target.r * 0.6);
    ctx.stroke();
  }
  spray(ctx, target.x, target.y, 6 + power * 5, target.r * (1 + power * 0.35), t, paint.beam, 11, 1.6);
}

/** Circles that run out from the ship; rocks they pass light up. */
function wave({ ctx, layout, paint, t }: Stroke): void {
  const { ship, rect } = layout;
  const reach = ease(t) * Math.hypot(rect.w, rect.h) * 0.55;
  for (let k = 0; k < 3; k++) ring(ctx, ship.x, ship.y, reach - k * 14, fade(paint.accent, (1 - t) * (0.85 - 0.25 * k)), 2.5 - k * 0.6);
  for (const rock of layout.rocks) {
    const gap = Math.abs(Math.hypot(rock.x - ship.x, rock.y - ship.y) - reach);
    if (gap < 46) ring(ctx, rock.x, rock.y, rock.r * 1.25, fade(paint.accent, (1 - gap / 46) * 0.9), 2);
  }
}

function cone(stroke: Stroke, deep: boolean): void {
  const { ctx, layout, paint, target, t } = stroke;
  if (!target) return;
  const { ship } = layout;
  const angle = Math.atan2(target.y - ship.y, target.x - ship.x);
  const reach = Math.hypot(target.x - ship.x, target.y - ship.y);
  const open = Math.atan2(target.r * 1.3, reach);
  const color = deep ? (paint.goods[5] ?? paint.accent) : paint.accent;
  ctx.fillStyle = fade(color, 0.3 * (1 - t) + 0.08);
  ctx.beginPath();
  ctx.moveTo(ship.x, ship.y);
  ctx.arc(ship.x, ship.y, reach * Math.min(1, t * 3), angle - open, angle + open);
  ctx.fill();
  for (let k = 0; k < (deep ? 3 : 1); k++) {
    const u = (t * 1.6 + k / 3) % 1;
    ring(ctx, target.x, target.y, target.r * (1.5 - u), fade(color, (1 - t) * u + 0.15), 2);
  }
  if (deep) {
    const y = target.y - target.r + 2 * target.r * ((t * 2) % 1);
    ctx.strokeStyle = fade(color, 0.9 * (1 - t));
    ctx.lineWidth = 2;
    ctx.beginPath();
    ctx.moveTo(target.x - target.r * 1.2, y);
    ctx.lineTo(target.x + target.r * 1.2, y);
    ctx.stroke();
  }
}

function streak({ ctx, layout, paint, t }: Stroke): void {
  const { rect } = layout;
  const random = dice(5);
  const glow = Math.sin(Math.PI * Math.min(1, t));
  ctx.lineCap = "round";
  for (let i = 0; i < 44; i++) {
    const y = rect.y + random() * rect.h;
    const speed = 0.8 + 1.6 * random();
    const length = rect.w * (0.08 + 0.22 * random()) * glow;
    const x = rect.x + rect.w * (1.3 - ((t * speed + random()) % 1.5));
    ctx.strokeStyle = fade(paint.star, 0.75 * glow * (0.4 + 0.6 * random()));
    ctx.lineWidth = 0.8 + 1.4 * random();
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(x + length, y);
    ctx.stroke();
  }
}

function arcs({ ctx, layout, paint, t }: Stroke): void {
  const { ship, rect } = layout;
  for (let k = 0; k < 3; k++) {
    const u = (t + k / 3) % 1;
    for (const side of [0, Math.PI]) {
      ctx.strokeStyle = fade(paint.warn, (1 - u) * (1 - t * 0.6));
      ctx.lineWidth = 2.5;
      ctx.beginPath();
      ctx.arc(ship.x, ship.y, ship.r * (1.2 + 2.6 * u) + rect.h * 0.02, side - 0.55, side + 0.55);
      ctx.stroke();
    }
  }
}

/** Things of one colour flying between two points on a bow. */
function carry(ctx: Ctx, from: Spot, to: Spot, t: number, count: number, draw: (x: number, y: number, u: number) => void): void {
  for (let i = 0; i < count; i++) {
    const u = t * 1.5 - (i / count) * 0.5;
    if (u < 0 || u > 1) continue;
    const s = ease(u);
    draw(from.x + (to.x - from.x) * s, from.y + (to.y - from.y) * s - Math.sin(Math.PI * s) * 34 * (0.5 + (i % 3) / 3), u);
  }
  ctx.globalAlpha = 1;
}

function coins({ ctx, layout, paint, t, good }: Stroke): void {
  carry(ctx, layout.ship, layout.station, t, 7, (x, y, u) => {
    round(ctx, x - 5, y - 5, 10, 10, 2);
    ctx.fillStyle = fade(paint.goods[good] ?? paint.dim, 1 - u * 0.6);
    ctx.fill();
  });
  carry(ctx, layout.station, layout.ship, Math.max(0, t - 0.15), 6, (x, y, u) => icon(ctx, "coin", x, y + 34, 15, fade(paint.warn, 1.2 - u)));
}

function halo({ ctx, layout, t }: Stroke, color: string, waves: number): void {
  const { ship } = layout;
  for (let k = 0; k < waves; k++) {
    const u = Math.min(1, t * (1 + 0.25 * k));
    ring(ctx, ship.x, ship.y, ship.r * (0.9 + 0.7 * ease(u)), fade(color, (1 - t) * 0.9), 3 - k);
  }
  const glow = ctx.createRadialGradient(ship.x, ship.y, 0, ship.x, ship.y, ship.r * 1.7);
  glow.addColorStop(0, fade(color, 0.45 * (1 - t)));
  glow.addColorStop(1, fade(color, 0));
  ctx.fillStyle = glow;
  ctx.fillRect(ship.x - ship.r * 2, ship.y - ship.r * 2, ship.r * 4, ship.r * 4);
}

function tint({ ctx, layout }: Stroke, color: string, alpha: number): void {
  const { rect } = layout;
  const edge = ctx.createRadialGradient(
    rect.x + rect.w / 2, rect.y + rect.h / 2, Math.min(rect.w, rect.h) * 0.25,
    rect.x + rect.w / 2, rect.y + rect.h / 2, Math.max(rect.w, rect.h) * 0.62,
  );
  edge.addColorStop(0, fade(color, 0));
  edge.addColorStop(1, fade(color, alpha));
  ctx.fillStyle = edge;
  ctx.fillRect(rect.x, rect.y, rect.w, rect.h);
}

function raid(stroke: Stroke): void {
  const { ctx, layout, paint, t } = stroke;
  const { ship, rect } = layout;
  tint(stroke, paint.bad, 0.6 * (1 - t));
  for (const side of [-1, 1]) {
    const x = ship.x + rect.w * (0.62 - 0.9 * ease(t)) * side;
    const y = ship.y - rect.h * 0.27 * side + rect.h * 0.1 * t;
    const angle = Math.atan2(ship.y - y, ship.x - x);
    drawPirate(ctx, x, y, Math.max(12, ship.r * 0.62), angle, paint, Math.min(1, (1 - t) * 2.5));
    for (let k = 0; k < 3; k++) {
      const u = (t * 3 + k / 3) % 1;
      ctx.strokeStyle = fade(paint.bad, (1 - t) * 0.95);
      ctx.lineWidth = 2.5;
      ctx.beginPath();
      ctx.moveTo(x + (ship.x - x) * u, y + (ship.y - y) * u);
      ctx.lineTo(x + (ship.x - x) * Math.min(1, u + 0.12), y + (ship.y - y) * Math.min(1, u + 0.12));
      ctx.stroke();
    }
  }
  spray(ctx, ship.x, ship.y, 12, ship.r * 1.6, t, paint.warn, 3);
}

function shatter(stroke: Stroke): void {
  const { ctx, paint, target, t } = stroke;
  if (!target) return;
  tint(stroke, paint.warn, 0.35 * (1 - t));
  ring(ctx, target.x, target.y, target.r * (0.6 + 2.6 * ease(t)), fade(paint.warn, 1 - t), 4 * (1 - t) + 1);
  const random = dice(17);
  for (let i = 0; i < 16; i++) {
    const angle = random() * 6.28;
    const far = ease(t) * target.r * (1 + 2.4 * random());
    const size = target.r * (0.12 + 0.2 * random()) * (1 - 0.5 * t);
    ctx.save();
    ctx.translate(target.x + Math.cos(angle) * far, target.y + Math.sin(angle) * far);
    ctx.rotate(angle + t * 5 * (random() - 0.5));
    ctx.fillStyle = fade(paint.rock[0], 1.1 - t);
    ctx.beginPath();
    ctx.moveTo(-size, size * 0.6);
    ctx.lineTo(size, size * 0.4);
    ctx.lineTo(0, -size);
    ctx.fill();
    ctx.restore();
  }
}

function crate(ctx: Ctx, x: number, y: number, size: number, color: string): void {
  icon(ctx, "hold", x, y, size, color);
}

/** The crates that leave drift off behind the ship. */
function crateOut({ ctx, layout, paint, t, good }: Stroke): void {
  const { ship } = layout;
  for (let k = 0; k < 3; k++) {
    const far = ship.r * (1 + 2.4 * ease(t)) + k * 12;
    crate(ctx, ship.x - far * 0.8, ship.y + far * (0.45 + 0.18 * k), 16, fade(paint.goods[good] ?? paint.dim, 1.1 - t));
  }
}

function gauge({ ctx, layout, t }: Stroke, color: string, mark: string): void {
  carry(ctx, layout.station, layout.ship, t, 6, (x, y, u) => icon(ctx, mark, x, y, 15, fade(color, 1.2 - u * 0.7)));
}

function clamps({ ctx, paint, target, t }: Stroke): void {
  if (!target) return;
  const r = target.r * (1.9 - 0.7 * ease(Math.min(1, t * 1.6)));
  ctx.lineCap = "round";
  for (let k = 0; k < 3; k++) {
    const angle = (k * Math.PI * 2) / 3 + t;
    ctx.strokeStyle = fade(paint.good, Math.min(1, (1 - t) * 3));
    ctx.lineWidth = 4;
    ctx.beginPath();
    ctx.arc(target.x, target.y, r, angle - 0.5, angle + 0.5);
    ctx.stroke();
  }
}

function fanfare({ ctx, layout, paint, t }: Stroke): void {
  const { rect } = layout;
  const random = dice(23);
  for (let i = 0; i < 60; i++) {
    const x = rect.x + random() * rect.w;
    const y = rect.y + ((random() + t * (0.6 + random())) % 1.1) * rect.h;
    ctx.fillStyle = fade(paint.goods[i % 6] ?? paint.warn, 1 - t * 0.8);
    ctx.fillRect(x, y, 4, 7);
  }
}

function rise(stroke: Stroke, color: string): void {
  const { ctx, layout, paint, t, credits } = stroke;
  if (!credits) return;
  const words = `${signed(credits)} credits`;
  const x = layout.ship.x;
  const y = layout.ship.y - layout.ship.r * 1.25 - 30 * ease(t);
  ctx.lineWidth = 4;
  ctx.strokeStyle = paint.shade;
  ctx.globalAlpha = Math.min(1, (1 - t) * 2.2);
  ctx.font = fontOf(18, 800);
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.lineJoin = "round";
  ctx.strokeText(words, x, y);
  text(ctx, words, x, y - 0.7, { size: 18, weight: 800, color, align: "center" });
  ctx.globalAlpha = 1;
}

const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(Math.round(value)).toLocaleString("en-US")}`;

export const visuals: Record<string, Visual> = {
  none: { ms: 1, still: 1, draw: () => undefined },
  streak: { ms: 850, still: 0.35, draw: streak },
  drift: { ms: 500, still: 0.4, draw: (s) => ring(s.ctx, s.layout.ship.x, s.layout.ship.y, s.layout.ship.r * (1.2 + 0.5 * s.t), fade(s.paint.dim, 0.5 * (1 - s.t)), 1.5) },
  burn: {
    ms: 700,
    still: 0.3,
    draw(s) {
      halo(s, s.paint.flame, 2);
      spray(s.ctx, s.layout.ship.x - s.layout.ship.r * 1.1, s.layout.ship.y, 22, s.layout.ship.r * 2.2, s.t, s.paint.flame, 2, 3);
    },
  },
  wave: { ms: 1000, still: 0.45, draw: wave },
  cone: { ms: 800, still: 0.45, draw: (s) => cone(s, false) },
  deep: { ms: 1100, still: 0.4, draw: (s) => cone(s, true) },
  listen: { ms: 900, still: 0.3, draw: arcs },
  lock: { ms: 420, still: 0.7, draw: (s) => s.target && reticle(s.ctx, s.target, fade(s.paint.accent, 0.4 + 0.6 * s.t), 34 * (1 - ease(s.t))) },
  "beam-soft": { ms: 460, still: 0.35, draw: (s) => beam(s, 2) },
  beam: { ms: 480, still: 0.35, draw: (s) => beam(s, 3) },
  "beam-hard": { ms: 520, still: 0.35, draw: (s) => beam(s, 5) },
  clamps: { ms: 800, still: 0.55, draw: clamps },
  refine: {
    ms: 700,
    still: 0.3,
    draw(s) {
      halo(s, s.paint.goods[4] ?? s.paint.good, 3);
      spray(s.ctx, s.layout.ship.x, s.layout.ship.y, 10, s.layout.ship.r * 1.7, s.t, s.paint.goods[0] ?? s.paint.warn, 8);
    },
  },
  frost: {
    ms: 800,
    still: 0.3,
    draw(s) {
      halo(s, s.paint.goods[2] ?? s.paint.accent, 2);
      spray(s.ctx, s.layout.ship.x, s.layout.ship.y, 26, s.layout.ship.r * 2.4, s.t, s.paint.goods[2] ?? s.paint.accent, 4, 2.4);
    },
  },
  sparks: { ms: 650, still: 0.3, draw: (s) => spray(s.ctx, s.layout.ship.x + s.layout.ship.r * 0.9, s.layout.ship.y, 20, s.layout.ship.r * 1.4, s.t, s.paint.warn, 6) },
  weld: {
    ms: 700,
    still: 0.3,
    draw(s) {
      halo(s, s.paint.good, 1);
      spray(s.ctx, s.layout.ship.x - s.layout.ship.r * 0.3, s.layout.ship.y - s.layout.ship.r * 0.3, 16, s.layout.ship.r, s.t, s.paint.good, 9);
    },
  },
  "crate-out": { ms: 700, still: 0.35, draw: crateOut },
  dock: { ms: 700, still: 0.35, draw: (s) => halo(s, s.paint.good, 3) },
  coins: { ms: 850, still: 0.5, draw: coins },
  refuel: { ms: 850, still: 0.5, draw: (s) => gauge(s, s.paint.good, "fuel") },
  "crate-in": { ms: 850, still: 0.5, draw: (s) => gauge(s, s.paint.accent, "kit") },
  overhaul: {
    ms: 1000,
    still: 0.35,
    draw(s) {
      halo(s, s.paint.good, 3);
      gauge(s, s.paint.warn, "tool");
    },
  },
  fanfare: { ms: 1600, still: 0.25, draw: fanfare },
  refuse: {
    ms: 500,
    still: 0.2,
    draw(s) {
      const shake = Math.sin(s.t * 30) * 4 * (1 - s.t);
      icon(s.ctx, "no", s.layout.ship.x + shake, s.layout.ship.y - s.layout.ship.r * 1.6, 30, fade(s.paint.bad, 1.3 - s.t));
    },
  },
  raid: { ms: 1100, still: 0.3, draw: raid },
  overheat: {
    ms: 900,
    still: 0.25,
    draw(s) {
      tint(s, s.paint.bad, 0.55 * (1 - s.t));
      halo(s, s.paint.bad, 2);
      icon(s.ctx, "heat", s.layout.ship.x, s.layout.ship.y - s.layout.ship.r * 1.7, 26, fade(s.paint.bad, 1.3 - s.t));
    },
  },
  end: { ms: 900, still: 1, draw: (s) => tint(s, s.state.end === 1 ? s.paint.good : s.paint.bad, 0.5 * (1 - s.t)) },
  arrive: { ms: 600, still: 1, draw: (s) => ring(s.ctx, s.layout.ship.x, s.layout.ship.y, s.layout.ship.r * (3 - 1.8 * ease(s.t)), fade(s.paint.accent, 1 - s.t), 2) },
  shatter: { ms: 1000, still: 0.3, draw: shatter },
  flare: {
    ms: 1000,
    still: 0.35,
    draw(s) {
      const x = s.layout.ship.x - s.layout.ship.r * (1.2 + 2 * ease(s.t));
      const y = s.layout.ship.y - s.layout.ship.r * (0.6 + s.t);
      icon(s.ctx, "decoy", x, y, 26, fade(s.paint.warn, 1.2 - s.t));
      spray(s.ctx, x, y, 14, 30, s.t, s.paint.warn, 12);
    },
  },
  gain: { ms: 1100, still: 0.3, draw: (s) => rise(s, s.paint.good) },
  spend: { ms: 1100, still: 0.3, draw: (s) => rise(s, s.paint.warn) },
};
