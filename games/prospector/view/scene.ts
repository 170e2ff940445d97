// The place where the ship is: sky, rocks or station, ship, lurking pirates. Effects lie on top of it
// (scene_effects.ts). Everything is drawn by code unless the art pack has a picture of that name.
import { dice, fontOf, round, text } from "ludus/canvas";
import { sprite } from "ludus/pack";
import { fade, icon, mix, type Paint, type Rect } from "./pen";
import { clamp, endNames, most, sum, threatLevel, typeNames, whole, type State } from "./rules";

export interface Spot {
  x: number;
  y: number;
  r: number;
}

/** Where things are in the scene. */
export interface Layout {
  rect: Rect;
  ship: Spot;
  station: Spot;
  rocks: Spot[];
}

type Ctx = CanvasRenderingContext2D;

/** Places of ship, station and rocks: the same for the same node and size. */
export function layoutOf(rect: Rect, state: State): Layout {
  const count = state.rocks.length;
  const docked = state.node === 0;
  const top = 50;
  const cx = rect.x + rect.w / 2;
  const cy = rect.y + top + (rect.h - top) / 2 - 4;
  const r = clamp(Math.min(rect.w / 19, rect.h / 10.5), 10, 30);
  const random = dice(state.node * 131 + 7);
  const turn = random() * 6.28;
  const rocks = Array.from({ length: count }, (_, a) => {
    const inner = count > 7 && a % 2 === 1;
    const angle = turn + ((a + 0.35 * (random() - 0.5)) / count) * Math.PI * 2;
    const reach = (inner ? 0.66 : 1) * (0.95 + 0.1 * random());
    return {
      x: cx + Math.cos(angle) * reach * (rect.w / 2 - r * 1.9),
      y: cy + Math.sin(angle) * reach * ((rect.h - top) / 2 - r * 1.25),
      r: r * (0.78 + 0.42 * random()),
    };
  });
  const station = { x: rect.x + rect.w * 0.36, y: cy, r: Math.min(rect.w * 0.2, (rect.h - top) * 0.365) };
  const size = clamp(rect.h / 9.5, 17, 40);
  const ship = docked ? { x: station.x + station.r * 1.42 + size * 0.9, y: cy, r: size } : { x: cx, y: cy, r: size };
  return { rect, ship, station, rocks };
}

// ---- sky ----

const skies = new Map<string, HTMLCanvasElement>();

/** The sky of a node, painted once per size and theme. */
function sky(rect: Rect, state: State, paint: Paint, theme: string): HTMLCanvasElement {
  const key = `${state.node}:${state.type}:${rect.w}:${rect.h}:${theme}`;
  const known = skies.get(key);
  if (known) return known;
  if (skies.size > 12) skies.clear();
  const canvas = document.createElement("canvas");
  const scale = Math.min(2, globalThis.devicePixelRatio || 1);
  canvas.width = Math.max(1, Math.round(rect.w * scale));
  canvas.height = Math.max(1, Math.round(rect.h * scale));
  const ctx = canvas.getContext("2d");
  if (ctx) {
    ctx.scale(scale, scale);
    paintSky(ctx, rect, state, paint);
  }
  skies.set(key, canvas);
  return canvas;
}

function paintSky(ctx: Ctx, { w, h }: Rect, state: State, paint: Paint): void {
  const random = dice(state.node * 977 + 3);
  const ground = ctx.createLinearGradient(0, 0, w * 0.4, h);
  ground.addColorStop(0, paint.sky[0]);
  ground.addColorStop(1, paint.sky[1]);
  ctx.fillStyle = ground;
  ctx.fillRect(0, 0, w, h);
  const clouds = state.type === 2 ? [paint.bad, paint.warn, paint.bad] : [paint.accent, paint.goods[5] ?? paint.accent, paint.good];
  for (const color of clouds) {
    const x = random() * w;
    const y = random() * h;
    const r = (0.35 + 0.4 * random()) * Math.max(w, h);
    const cloud = ctx.createRadialGradient(x, y, 0, x, y, r);
    cloud.addColorStop(0, fade(color, state.type === 2 ? 0.26 : 0.15));
    cloud.addColorStop(1, fade(color, 0));
    ctx.fillStyle = cloud;
    ctx.fillRect(0, 0, w, h);
  }
  for (let i = 0; i < (w * h) / 1500; i++) {
    const size = random() < 0.08 ? 1.5 : 0.5 + random() * 0.6;
    ctx.fillStyle = fade(paint.star, 0.25 + 0.65 * random());
    ctx.beginPath();
    ctx.arc(random() * w, random() * h, size, 0, 7);
    ctx.fill();
  }
  if (state.type === 2) hazardBands(ctx, w, h, paint, random);
}

/** Drifting veils of charged dust: this place gnaws at the hull. */
function hazardBands(ctx: Ctx, w: number, h: number, paint: Paint, random: () => number): void {
  ctx.lineCap = "round";
  for (let i = 0; i < 9; i++) {
    const y = random() * h;
    ctx.strokeStyle = fade(i % 2 ? paint.warn : paint.bad, 0.1 + 0.1 * random());
    ctx.lineWidth = 1 + random() * 5;
    ctx.beginPath();
    ctx.moveTo(-10, y);
    for (let x = 0; x <= w + 40; x += 40) ctx.lineTo(x, y + Math.sin(x / (50 + 40 * random()) + i) * 14);
    ctx.stroke();
  }
}

// ---- rocks ----

const shapes = new Map<number, { outline: Path2D; pits: Spot[] }>();

/** The outline of a rock in a circle of radius 1. */
function shape(seed: number): { outline: Path2D; pits: Spot[] } {
  const known = shapes.get(seed);
  if (known) return known;
  const random = dice(seed);
  const outline = new Path2D();
  for (let i = 0; i < 12; i++) {
    const angle = (i / 12) * Math.PI * 2;
    const reach = 0.8 + 0.26 * random();
    outline.lineTo(Math.cos(angle) * reach, Math.sin(angle) * reach);
  }
  outline.closePath();
  const pits = Array.from({ length: 4 }, () => ({ x: random() * 1.1 - 0.55, y: random() * 1.1 - 0.55, r: 0.09 + 0.14 * random() }));
  const made = { outline, pits };
  shapes.set(seed, made);
  return made;
}

function drawRock(ctx: Ctx, spot: Spot, state: State, a: number, paint: Paint, angle: number): void {
  const rock = state.rocks[a];
  if (!rock) return;
  if (rock.depletion >= 1) return drawRubble(ctx, spot, state.node * 31 + a, paint);
  const left = 1 - rock.depletion;
  const r = spot.r * (0.6 + 0.4 * left);
  const best = rock.content.indexOf(Math.max(...rock.content));
  const tint = paint.goods[best] ?? paint.dim;
  const known = 0.12 + 0.5 * rock.confidence;
  const picture = sprite(`rock-${(a % 4) + 1}`);
  ctx.save();
  ctx.translate(spot.x, spot.y);
  if (picture) {
    ctx.rotate(angle);
    ctx.drawImage(picture, -r, -r, 2 * r, 2 * r);
  } else {
    const { outline, pits } = shape(state.node * 31 + a);
    const light = ctx.createRadialGradient(-r * 0.4, -r * 0.45, r * 0.1, 0, 0, r * 1.15);
    light.addColorStop(0, mix(paint.rock[0], tint, known));
    light.addColorStop(1, mix(paint.rock[1], tint, known * 0.45));
    ctx.fillStyle = light;
    ctx.save();
    ctx.rotate(angle);
    ctx.scale(r, r);
    ctx.fill(outline);
    ctx.clip(outline);
    ctx.fillStyle = fade(paint.rock[1], 0.55);
    for (const pit of pits) {
      ctx.beginPath();
      ctx.arc(pit.x, pit.y, pit.r, 0, 7);
      ctx.fill();
    }
    // veins of the main good, as bright as the estimate is sure
    ctx.fillStyle = fade(tint, 0.2 + 0.7 * rock.confidence);
    for (const pit of pits.slice(0, 3)) {
      ctx.beginPath();
      ctx.arc(-pit.y, pit.x, pit.r * 0.45, 0, 7);
      ctx.fill();
    }
    // lit from the upper left, whatever the rock's turn
    ctx.rotate(-angle);
    ctx.lineWidth = 0.16;
    ctx.strokeStyle = fade(paint.hullLight, 0.3);
    ctx.beginPath();
    ctx.arc(0.06, 0.06, 0.98, 3.3, 4.7);
    ctx.stroke();
    ctx.fillStyle = fade(paint.rock[1], 0.55);
    ctx.beginPath();
    ctx.arc(0, 0, 1.3, -0.75, 2.3);
    ctx.arc(-0.42, -0.42, 1.22, 2.05, -0.5, true);
    ctx.fill();
    ctx.restore();
  }
  ctx.restore();
}

function drawRubble(ctx: Ctx, spot: Spot, seed: number, paint: Paint): void {
  const random = dice(seed);
  ctx.fillStyle = fade(paint.rock[0], 0.45);
  for (let i = 0; i < 9; i++) {
    const angle = random() * 6.28;
    const reach = random() * spot.r;
    ctx.beginPath();
    ctx.arc(spot.x + Math.cos(angle) * reach, spot.y + Math.sin(angle) * reach, 0.8 + random() * 2, 0, 7);
    ctx.fill();
  }
}

function label(ctx: Ctx, words: string, x: number, y: number, color: string, paint: Paint): void {
  ctx.font = fontOf(11, 700);
  const w = Math.max(16, ctx.measureText(words).width + 8);
  round(ctx, x - w / 2, y - 8, w, 16, 5);
  ctx.fillStyle = paint.shade;
  ctx.fill();
  text(ctx, words, x, y, { size: 11, weight: 700, color, align: "center" });
}

/** Corners around the target. */
export function reticle(ctx: Ctx, spot: Spot, color: string, grow: number): void {
  const r = spot.r * 1.3 + 4 + grow;
  ctx.strokeStyle = color;
  ctx.lineWidth = 2;
  for (let k = 0; k < 4; k++) {
    const sx = k % 2 ? 1 : -1;
    const sy = k < 2 ? 1 : -1;
    ctx.beginPath();
    ctx.moveTo(spot.x + sx * r, spot.y + sy * r * 0.5);
    ctx.lineTo(spot.x + sx * r, spot.y + sy * r);
    ctx.lineTo(spot.x + sx * r * 0.5, spot.y + sy * r);
    ctx.stroke();
  }
}

// ---- station ----

function drawStation(ctx: Ctx, { x, y, r }: Spot, paint: Paint, now: number): void {
  const picture = sprite("station");
  if (picture) {
    ctx.drawImage(picture, x - r * 1.3, y - r * 1.3, r * 2.6, r * 2.6);
    return;
  }
  const steel = ctx.createLinearGradient(x - r, y - r, x + r, y + r);
  steel.addColorStop(0, paint.hullLight);
  steel.addColorStop(1, paint.hullDark);
  // solar wings
  for (const side of [-1, 1]) {
    for (let k = 0; k < 3; k++) {
      round(ctx, x - r * 0.62 + k * r * 0.43, y + side * r * 1.16 - r * 0.15, r * 0.38, r * 0.3, 2);
      ctx.fillStyle = mix(paint.accent, paint.page, 0.35);
      ctx.fill();
      ctx.strokeStyle = fade(paint.hullLight, 0.6);
      ctx.lineWidth = 1;
      ctx.stroke();
    }
    ctx.strokeStyle = steel;
    ctx.lineWidth = r * 0.05;
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(x, y + side * r * 1.02);
    ctx.stroke();
  }
  // ring with spokes and lit windows
  ctx.strokeStyle = steel;
  ctx.lineWidth = r * 0.17;
  ctx.beginPath();
  ctx.arc(x, y, r * 0.86, 0, 7);
  ctx.stroke();
  ctx.strokeStyle = fade(paint.page, 0.35);
  ctx.lineWidth = 1;
  for (const reach of [0.775, 0.945]) {
    ctx.beginPath();
    ctx.arc(x, y, r * reach, 0, 7);
    ctx.stroke();
  }
  const angle = now * 0.00008;
  ctx.strokeStyle = steel;
  ctx.lineWidth = r * 0.06;
  for (let k = 0; k < 6; k++) {
    const a = angle + (k * Math.PI) / 3;
    ctx.beginPath();
    ctx.moveTo(x + Math.cos(a) * r * 0.3, y + Math.sin(a) * r * 0.3);
    ctx.lineTo(x + Math.cos(a) * r * 0.78, y + Math.sin(a) * r * 0.78);
    ctx.stroke();
  }
  for (let k = 0; k < 24; k++) {
    const a = angle + (k * Math.PI) / 12;
    ctx.fillStyle = k % 5 === 0 ? paint.warn : fade(paint.glass, 0.9);
    ctx.beginPath();
    ctx.arc(x + Math.cos(a) * r * 0.86, y + Math.sin(a) * r * 0.86, Math.max(1, r * 0.022), 0, 7);
    ctx.fill();
  }
  // hub and docking arm
  ctx.fillStyle = steel;
  round(ctx, x + r * 0.25, y - r * 0.075, r * 1.2, r * 0.15, 3);
  ctx.fill();
  ctx.beginPath();
  ctx.arc(x, y, r * 0.34, 0, 7);
  ctx.fill();
  ctx.fillStyle = mix(paint.glass, paint.page, 0.25);
  ctx.beginPath();
  ctx.arc(x, y, r * 0.2, 0, 7);
  ctx.fill();
  icon(ctx, "home", x, y, r * 0.26, paint.hullLight);
}

// ---- ships ----

/** The miner, seen from above, nose along `angle`; the pods show the load. */
export function drawShip(ctx: Ctx, spot: Spot, angle: number, state: State, paint: Paint, thrust: number): void {
  const picture = sprite("ship");
  ctx.save();
  ctx.translate(spot.x, spot.y);
  ctx.rotate(angle);
  ctx.scale(spot.r / 30, spot.r / 30);
  if (thrust > 0) {
    const flame = ctx.createLinearGradient(-26, 0, -30 - 34 * thrust, 0);
    flame.addColorStop(0, paint.hullLight);
    flame.addColorStop(0.3, fade(paint.flame, 0.9));
    flame.addColorStop(1, fade(paint.flame, 0));
    ctx.fillStyle = flame;
    for (const y of [-7, 7]) {
      ctx.beginPath();
      ctx.moveTo(-25, y - 5);
      ctx.lineTo(-29 - 34 * thrust, y);
      ctx.lineTo(-25, y + 5);
      ctx.fill();
    }
  }
  if (picture) ctx.drawImage(picture, -32, -32, 64, 64);
  else drawHull(ctx, state, paint);
  ctx.restore();
}

function drawHull(ctx: Ctx, state: State, paint: Paint): void {
  const steel = ctx.createLinearGradient(0, -20, 0, 20);
  steel.addColorStop(0, paint.hullLight);
  steel.addColorStop(1, paint.hullDark);
  ctx.lineJoin = "round";
  ctx.strokeStyle = fade(paint.page, 0.6);
  ctx.lineWidth = 1;
  // drill boom
  ctx.fillStyle = mix(paint.warn, paint.hullDark, 1 - state.tool / most.tool);
  ctx.beginPath();
  ctx.moveTo(24, -5);
  ctx.lineTo(41, 0);
  ctx.lineTo(24, 5);
  ctx.fill();
  // engines
  ctx.fillStyle = mix(paint.hullDark, paint.page, 0.4);
  for (const y of [-11, 3]) {
    round(ctx, -29, y, 10, 8, 2);
    ctx.fill();
  }
  // pods: filled from behind with what is aboard
  const load = sum(state.cargo);
  for (const side of [-1, 1]) {
    round(ctx, -20, side < 0 ? -22 : 12, 30, 10, 3);
    ctx.fillStyle = mix(paint.hullDark, paint.page, 0.55);
    ctx.fill();
    ctx.save();
    ctx.clip();
    let x = -20;
    state.cargo.forEach((amount, c) => {
      const w = load > 0 ? (amount / load) * 30 * Math.min(1, 0.12 + load / 60) : 0;
      ctx.fillStyle = paint.goods[c] ?? paint.dim;
      ctx.fillRect(x, -22, w, 44);
      x += w;
    });
    ctx.restore();
    ctx.stroke();
  }
  // body
  ctx.fillStyle = steel;
  ctx.beginPath();
  ctx.moveTo(30, 0);
  ctx.bezierCurveTo(22, -10, 8, -13, -14, -13);
  ctx.lineTo(-25, -8);
  ctx.lineTo(-25, 8);
  ctx.lineTo(-14, 13);
  ctx.bezierCurveTo(8, 13, 22, 10, 30, 0);
  ctx.fill();
  ctx.stroke();
  ctx.fillStyle = fade(paint.bad, (0.75 * state.heat) / most.heat);
  ctx.fill();
  // cockpit and stripe
  ctx.fillStyle = paint.glass;
  ctx.beginPath();
  ctx.ellipse(13, 0, 8, 5, 0, 0, 7);
  ctx.fill();
  ctx.fillStyle = paint.accent;
  round(ctx, -18, -3, 20, 6, 3);
  ctx.fill();
  // cracks: the hull shows what it went through
  const hurt = 1 - state.hull / most.hull;
  if (hurt > 0.2) {
    ctx.strokeStyle = fade(paint.bad, 0.9);
    ctx.lineWidth = 1.4;
    ctx.beginPath();
    ctx.moveTo(-8, -12);
    ctx.lineTo(-4, -6);
    ctx.lineTo(-9, -2);
    if (hurt > 0.5) {
      ctx.moveTo(8, 11);
      ctx.lineTo(4, 6);
      ctx.lineTo(9, 3);
      ctx.moveTo(-20, 9);
      ctx.lineTo(-14, 5);
    }
    ctx.stroke();
  }
}

export function drawPirate(ctx: Ctx, x: number, y: number, size: number, angle: number, paint: Paint, alpha: number): void {
  const picture = sprite("pirate");
  ctx.save();
  ctx.globalAlpha *= alpha;
  ctx.translate(x, y);
  ctx.rotate(angle);
  ctx.scale(size / 20, size / 20);
  if (picture) ctx.drawImage(picture, -22, -22, 44, 44);
  else {
    ctx.fillStyle = mix(paint.bad, "#200008", 0.45);
    ctx.beginPath();
    ctx.moveTo(22, 0);
    ctx.lineTo(-10, -17);
    ctx.lineTo(-4, -5);
    ctx.lineTo(-16, 0);
    ctx.lineTo(-4, 5);
    ctx.lineTo(-10, 17);
    ctx.fill();
    ctx.fillStyle = paint.bad;
    ctx.beginPath();
    ctx.moveTo(16, 0);
    ctx.lineTo(-2, -4);
    ctx.lineTo(-2, 4);
    ctx.fill();
  }
  ctx.restore();
}

// ---- the whole ----

/** Where the nose points: at the target, else to the right. */
export function headingOf(layout: Layout, state: State): number {
  const target = state.selected >= 0 ? layout.rocks[state.selected] : undefined;
  return target ? Math.atan2(target.y - layout.ship.y, target.x - layout.ship.x) : 0;
}

/** Rocks that may be aimed at stand out when `live`. `moving` shakes the flame, `thrust` sizes it. */
export function drawScene(ctx: Ctx, layout: Layout, state: State, paint: Paint, theme: string, now: number, thrust: number): void {
  const { rect } = layout;
  ctx.drawImage(sky(rect, state, paint, theme), rect.x, rect.y, rect.w, rect.h);
  if (state.node === 0) drawStation(ctx, layout.station, paint, now);
  const bob = Math.sin(now * 0.0012) * 1.6;
  layout.rocks.forEach((spot, a) => {
    const angle = (a % 2 ? 1 : -1) * now * 0.00006 * (1 + (a % 3)) + a;
    drawRock(ctx, spot, state, a, paint, angle);
  });
  const level = threatLevel(state);
  for (let k = 0; k < level - 2; k++) {
    const side = k % 2 ? -1 : 1;
    const x = rect.x + (side > 0 ? rect.w - 24 : 24);
    const y = rect.y + rect.h * (0.32 + 0.38 * k) + bob * side;
    drawPirate(ctx, x, y, clamp(rect.h / 26, 9, 15), side > 0 ? Math.PI : 0, paint, 0.75);
  }
  drawShip(ctx, { ...layout.ship, y: layout.ship.y + bob }, headingOf(layout, state), state, paint, thrust);
  layout.rocks.forEach((spot, a) => {
    const gone = (state.rocks[a]?.depletion ?? 1) >= 1;
    const chosen = a === state.selected;
    if (chosen && !gone) reticle(ctx, spot, paint.accent, 0);
    const color = chosen ? paint.accent : gone ? paint.dim : paint.ink;
    label(ctx, `${a + 1}`, spot.x, Math.min(spot.y + spot.r + 9, rect.y + rect.h - 10), color, paint);
  });
}

/** Name of the place at the left, credits and time at the right. */
export function drawTitles(ctx: Ctx, rect: Rect, state: State, paint: Paint): void {
  const small = rect.w < 480;
  const size = small ? 14 : 17;
  const right = rect.x + rect.w - 12;
  const room = rect.w * 0.5;
  const veil = ctx.createLinearGradient(0, rect.y, 0, rect.y + 52);
  veil.addColorStop(0, paint.shade);
  veil.addColorStop(1, fade(paint.shade, 0));
  ctx.fillStyle = veil;
  ctx.fillRect(rect.x, rect.y, rect.w, 52);
  const name = state.node === 0 ? "Home station" : `${typeNames[state.type] ?? "Node"} ${state.node}`;
  text(ctx, name, rect.x + 12, rect.y + 17, { size, weight: 700, color: paint.ink, room });
  const far =
    state.node === 0
      ? "Docked: no pirates here"
      : `${state.hops} ${state.hops === 1 ? "hop" : "hops"} from home${state.type === 2 ? " · wears the hull" : ""}`;
  text(ctx, far, rect.x + 12, rect.y + 36, { size: 12, color: state.type === 2 ? paint.ink : paint.dim, room });
  const money = text(ctx, `${whole(state.credits)} credits`, right, rect.y + 17, { size, weight: 700, color: paint.ink, align: "right" });
  icon(ctx, "coin", right - money - 12, rect.y + 17, size, paint.warn);
  const time = text(ctx, `${whole(state.time_left)} ticks left`, right, rect.y + 36, { size: 12, color: paint.dim, align: "right" });
  icon(ctx, "clock", right - time - 11, rect.y + 36, 13, paint.dim);
}

/** How it ended, across the scene. */
export function drawEnd(ctx: Ctx, rect: Rect, state: State, paint: Paint): void {
  if (!state.end) return;
  const good = state.end === 1 || state.end === 5;
  const h = 74;
  const y = rect.y + rect.h / 2 - h / 2;
  ctx.fillStyle = paint.shade;
  ctx.fillRect(rect.x, y, rect.w, h);
  ctx.fillStyle = good ? paint.good : paint.bad;
  ctx.fillRect(rect.x, y, rect.w, 3);
  ctx.fillRect(rect.x, y + h - 3, rect.w, 3);
  const cx = rect.x + rect.w / 2;
  text(ctx, endNames[state.end] ?? "", cx, y + 27, { size: 22, weight: 800, color: good ? paint.good : paint.bad, align: "center", room: rect.w - 24 });
  text(ctx, `${whole(state.credits)} credits after ${whole(state.ticks)} ticks`, cx, y + 52, { size: 13, color: paint.ink, align: "center", room: rect.w - 24 });
}
