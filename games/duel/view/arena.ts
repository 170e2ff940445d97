// The arena on a canvas: tiles, both fighters with what is seen over their heads, freezes, the distance,
// attacks on their way and splats. Everything is drawn by code.
import { ease, fontOf, inksOf, round, text, type Inks } from "ludus/canvas";
import type { Frame, Theme } from "ludus/view";
import { stamp, type Shape } from "./shapes";
import { distanceOf, fights, fullOf, hitpointsOf, leftOf, nameOf, prayersOf, stateOf, styles, weaponOf, type Fighter } from "./state";

/** What a picture is drawn from; `t` runs from 0, the frame before, to 1, the one shown. */
export interface Scene {
  ctx: CanvasRenderingContext2D;
  width: number;
  height: number;
  theme: Theme;
  frame: Frame;
  before: Frame | null;
  t: number;
}

interface Place {
  x: number;
  y: number;
}

interface Pen extends Scene {
  inks: Inks;
  tile: number;
  /** middle of a tile on the canvas */
  at: (place: Place) => Place;
  /** where the fighters stand now, between the two frames */
  stands: [Place, Place];
}

const size = { x: 61, y: 28 }; // tiles of the arena
const top = 34; // pixels of the line above the tiles
const sides: Record<Theme, [string, string]> = { dark: ["#6db3ff", "#ffb066"], light: ["#1460c4", "#a84e00"] };
const ice: Record<Theme, string> = { dark: "#9fe3ff", light: "#0b6f94" };
const ground: Record<Theme, string> = { dark: "#151d17", light: "#e9efe7" };
const splatColor = "#b3261e";

/** The colour of a fighter: of who stands left the first. */
const colorOf = ({ frame, theme }: Scene, seat: number): string => sides[theme][seat === leftOf(frame) ? 0 : 1];

function between(now: Fighter, was: Fighter | undefined, t: number): Place {
  if (!was) return now;
  return { x: was.x + (now.x - was.x) * t, y: was.y + (now.y - was.y) * t };
}

function penOf(scene: Scene): Pen {
  const { width, height, frame, before, t } = scene;
  const { fighters } = stateOf(frame);
  const old = before ? stateOf(before).fighters : undefined;
  const stands: [Place, Place] = [between(fighters[0], old?.[0], ease(t)), between(fighters[1], old?.[1], ease(t))];
  const [a, b] = stands;
  const room = { x: Math.abs(a.x - b.x) + 5, y: Math.abs(a.y - b.y) + 4.5 };
  const tile = Math.max(9, Math.min(74, width / room.x, (height - top) / room.y));
  const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  const at = (place: Place): Place => ({ x: width / 2 + (place.x - middle.x) * tile, y: top + (height - top) * 0.56 - (place.y - middle.y) * tile });
  return { ...scene, inks: inksOf(scene.theme), tile, at, stands };
}

function drawGround({ ctx, width, height, inks, tile, at, theme }: Pen): void {
  ctx.fillStyle = ground[theme];
  ctx.fillRect(0, 0, width, height);
  const origin = at({ x: 0, y: 0 });
  ctx.strokeStyle = theme === "dark" ? "#26332a" : "#d0dacd";
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (let x = (origin.x - tile / 2) % tile; x < width; x += tile) {
    ctx.moveTo(Math.round(x) + 0.5, 0);
    ctx.lineTo(Math.round(x) + 0.5, height);
  }
  for (let y = (origin.y - tile / 2) % tile; y < height; y += tile) {
    ctx.moveTo(0, Math.round(y) + 0.5);
    ctx.lineTo(width, Math.round(y) + 0.5);
  }
  ctx.stroke();
  // the border of the arena, which can be crossed
  const [low, high] = [at({ x: -0.5, y: -0.5 }), at({ x: size.x - 0.5, y: size.y - 0.5 })];
  ctx.strokeStyle = inks.dim;
  ctx.lineWidth = 2;
  ctx.setLineDash([6, 5]);
  ctx.strokeRect(low.x, high.y, high.x - low.x, low.y - high.y);
  ctx.setLineDash([]);
}

const apart = { x: 104, y: 140 }; // pixels between fighters that leave room for the distance in words

function drawDistance(pen: Pen): void {
  const { ctx, inks, frame, at, stands } = pen;
  const [a, b] = [at(stands[0]), at(stands[1])];
  const tiles = distanceOf(stateOf(frame));
  if (tiles < 2) return;
  ctx.strokeStyle = inks.dim;
  ctx.lineWidth = 1.5;
  ctx.setLineDash([3, 6]);
  ctx.beginPath();
  ctx.moveTo(a.x, a.y);
  ctx.lineTo(b.x, b.y);
  ctx.stroke();
  ctx.setLineDash([]);
  if (Math.abs(a.x - b.x) < apart.x && Math.abs(a.y - b.y) < apart.y) return;
  const words = `${tiles} tiles`;
  const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  ctx.fillStyle = inks.panel;
  round(ctx, middle.x - 26, middle.y - 9, 52, 18, 9);
  ctx.fill();
  text(ctx, words, middle.x, middle.y, { size: 11, weight: 600, color: inks.ink, align: "center" });
}

/** Where a fighter is drawn: two on one tile stand a little apart. */
function spot({ frame, at, stands, tile }: Pen, seat: number): Place {
  const place = at(stands[seat]!);
  if (Math.abs(stands[0].x - stands[1].x) + Math.abs(stands[0].y - stands[1].y) > 0.3) return place;
  return { x: place.x + (seat === leftOf(frame) ? -1 : 1) * Math.max(26, tile * 0.45), y: place.y };
}

function drawHitpoints(pen: Pen, fighter: Fighter, x: number, y: number, wide: number): void {
  const { ctx, inks } = pen;
  const share = Math.max(0, Math.min(1, (hitpointsOf(fighter) ?? fullOf(fighter)) / fullOf(fighter)));
  ctx.fillStyle = inks.bad;
  round(ctx, x - wide / 2, y, wide, 6, 3);
  ctx.fill();
  ctx.fillStyle = inks.good;
  round(ctx, x - wide / 2, y, wide * share, 6, 3);
  ctx.fill();
}

/** Words with ground around them, so that no line of the arena runs through, wholly inside. */
function label({ ctx, theme, width }: Pen, words: string, at: Place, style: { size: number; weight: number; color: string; align: CanvasTextAlign }): void {
  ctx.font = fontOf(style.size, style.weight);
  ctx.textAlign = style.align;
  ctx.textBaseline = "middle";
  ctx.lineJoin = "round";
  ctx.lineWidth = 5;
  ctx.strokeStyle = ground[theme];
  const wide = ctx.measureText(words).width;
  const before = style.align === "right" ? wide : style.align === "center" ? wide / 2 : 0;
  const x = Math.max(6 + before, Math.min(width - 6 - wide + before, at.x));
  ctx.strokeText(words, x, at.y);
  text(ctx, words, x, at.y, style);
}

function drawFighter(pen: Pen, seat: number): void {
  const { ctx, inks, frame, tile, theme } = pen;
  const fighter = stateOf(frame).fighters[seat]!;
  const { x, y } = spot(pen, seat);
  const color = colorOf(pen, seat);
  const r = Math.max(13, Math.min(20, tile * 0.42));
  if (fighter.freeze) {
    ctx.fillStyle = `${ice[theme]}55`;
    ctx.strokeStyle = ice[theme];
    ctx.lineWidth = 2;
    round(ctx, x - r * 1.25, y - r * 1.25, r * 2.5, r * 2.5, 6);
    ctx.fill();
    ctx.stroke();
  }
  ctx.fillStyle = inks.panel;
  ctx.strokeStyle = color;
  ctx.lineWidth = 3;
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 2 * Math.PI);
  ctx.fill();
  ctx.stroke();
  stamp(ctx, weaponOf(fighter).shape, x, y, r * 1.3, color);
  drawHitpoints(pen, fighter, x, y - r - 14, r * 2.2);
  const { over } = prayersOf(fighter);
  const side = sideOf(pen, seat);
  const stacked = side !== 0 && isStacked(pen.stands);
  if (over) drawOverhead(pen, over.shape, stacked ? x - side * (r + 22) : x, stacked ? y : y - r - 29);
  const words = side ? { x: x + side * (r + 12), y: y - (fighter.freeze ? 8 : 0), align: side < 0 ? ("right" as const) : ("left" as const) } : { x, y: y + r + 12, align: "center" as const };
  label(pen, nameOf(frame, seat), words, { size: 12, weight: 650, color, align: words.align });
  if (fighter.freeze) label(pen, `frozen ${fighter.freeze}`, { x: words.x, y: words.y + 15 }, { size: 11, weight: 600, color: ice[theme], align: words.align });
}

const beside = 96; // pixels that words beside a fighter need up to the edge
const near = { x: 170, y: 170 }; // pixels at which words below a fighter would meet the other, or what flies between them

/** On which side of a fighter its words stand: each outside of the other where both are near, else below (0). */
function sideOf(pen: Pen, seat: number): -1 | 0 | 1 {
  const [own, other] = [spot(pen, seat), spot(pen, 1 - seat)];
  if (Math.abs(own.x - other.x) > near.x || Math.abs(own.y - other.y) > near.y) return 0;
  const left = Math.abs(own.x - other.x) < 1 ? seat === leftOf(pen.frame) : own.x < other.x;
  if ((left ? own.x : pen.width - own.x) < beside) return 0;
  return left ? -1 : 1;
}

/** One right above the other: prayers go to the sides too. */
const isStacked = ([a, b]: [Place, Place]): boolean => Math.abs(a.x - b.x) < 0.9 && Math.abs(a.y - b.y) > 0.3 && Math.abs(a.y - b.y) < 2.2;

function drawOverhead({ ctx, inks }: Pen, shape: Shape, x: number, y: number): void {
  ctx.fillStyle = inks.ink;
  ctx.beginPath();
  ctx.arc(x, y, 11, 0, 2 * Math.PI);
  ctx.fill();
  stamp(ctx, shape, x, y, 15, inks.page);
}

/** The attack of a tick on its way to the other side, and what it went into. */
function drawAttack(pen: Pen, seat: number): void {
  const { ctx, inks, frame, t, theme } = pen;
  const fighter = stateOf(frame).fighters[seat]!;
  if (!fighter.turn_style) return;
  const [from, to] = [spot(pen, seat), spot(pen, 1 - seat)];
  const style = styles[fighter.turn_style - 1] ?? "melee";
  const color = fighter.turn_special ? inks.warn : style === "magic" ? ice[theme] : colorOf(pen, seat);
  const way = style === "melee" ? 0.55 + 0.3 * t : 0.2 + 0.65 * Math.min(1, t * 1.2);
  const at = { x: from.x + (to.x - from.x) * way, y: from.y + (to.y - from.y) * way - (style === "ranged" ? 14 * Math.sin(Math.PI * way) : 0) };
  ctx.globalAlpha = 0.9;
  ctx.fillStyle = inks.panel;
  ctx.beginPath();
  ctx.arc(at.x, at.y, 12, 0, 2 * Math.PI);
  ctx.fill();
  stamp(ctx, fighter.turn_special ? "special" : style, at.x, at.y, 18, color);
  ctx.globalAlpha = 1;
  if (fighter.turn_blocked) stamp(ctx, "shield", to.x + (from.x - to.x) * 0.2, to.y + (from.y - to.y) * 0.2, 32, inks.ink);
}

/** Damage taken in the tick; a hit that landed and did nothing is a 0. */
function drawSplat(pen: Pen, seat: number): void {
  const { ctx, frame, before, t } = pen;
  const fighter = stateOf(frame).fighters[seat]!;
  const was = before ? stateOf(before).fighters[seat] : undefined;
  const landed = was?.hit_delay.slice(0, was.hits).some((delay) => delay <= 0) ?? false;
  if (!fighter.turn_splat && !landed) return;
  const { x, y } = spot(pen, seat);
  const grown = 0.6 + 0.4 * ease(Math.min(1, t * 1.6));
  const r = (fighter.turn_splat >= 40 ? 22 : 17) * grown;
  ctx.fillStyle = fighter.turn_splat ? splatColor : "#2a6fb0";
  ctx.beginPath();
  for (let k = 0; k < 16; k++) {
    const far = k % 2 ? r * 0.72 : r;
    const turn = (k * Math.PI) / 8;
    ctx.lineTo(x + far * Math.cos(turn), y + far * Math.sin(turn));
  }
  ctx.closePath();
  ctx.fill();
  text(ctx, String(fighter.turn_splat), x, y, { size: Math.round(15 * grown), weight: 800, color: "#fff", align: "center" });
}

function drawTitle({ ctx, width, inks, frame }: Pen): void {
  const state = stateOf(frame);
  ctx.fillStyle = inks.panel;
  ctx.fillRect(0, 0, width, top - 4);
  const words = `Tick ${state.tick} · ${fights[state.fight] ?? ""} · distance ${distanceOf(state)}`;
  text(ctx, words, 12, top / 2 - 2, { size: 12.5, weight: 600, color: inks.ink, room: width - 24 });
}

const ends = ["", "", "", "Both fell", "Tie: out of food", "The rounds are over", "Stopped at the limit"];

function drawEnd({ ctx, width, height, inks, frame }: Pen): void {
  const { end } = stateOf(frame);
  if (!end) return;
  const winner = end === 1 ? 0 : end === 2 ? 1 : -1;
  const words = winner < 0 ? (ends[end] ?? "") : frame.seat < 0 ? `Player ${winner + 1} has won` : winner === frame.seat ? "You have won" : "The opponent has won";
  const color = winner < 0 || frame.seat < 0 ? inks.ink : winner === frame.seat ? inks.good : inks.bad;
  ctx.fillStyle = inks.panel;
  ctx.fillRect(0, height - 44, width, 44);
  ctx.fillStyle = color;
  ctx.fillRect(0, height - 44, width, 3);
  text(ctx, words, width / 2, height - 20, { size: 17, weight: 750, color, align: "center", room: width - 20 });
}

export function drawArena(scene: Scene): void {
  const pen = penOf(scene);
  drawGround(pen);
  drawDistance(pen);
  const left = leftOf(scene.frame);
  for (const seat of [1 - left, left]) drawFighter(pen, seat);
  for (const seat of [0, 1]) drawAttack(pen, seat);
  for (const seat of [0, 1]) drawSplat(pen, seat);
  drawTitle(pen);
  drawEnd(pen);
}
