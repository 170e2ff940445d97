// The cauldron: a glass vessel over a fire, filled with a layer per magimin; pieces fall in, potions or
// smoke come out.
import { dice, round, text } from "ludus/canvas";
import { between, clamp, fade, glyph, gold, stars, type Paint, type Rect, type Sheet } from "./pen";
import { fullnessOf } from "./rules";
import { gradeName, ingredientOf, magimins } from "./tables";

/** Metal of the rim and the feet, by the beginning of the cauldron's name. */
const metals: [start: string, color: string][] = [
  ["Wooden", "#8a5a34"], ["Clay", "#b5653f"], ["Mudpack", "#7a6248"], ["Glass", "#8fb8c9"], ["Storm", "#5d6fa8"],
  ["Ocean", "#2f8fa8"], ["Shadow", "#564a73"], ["Crystal", "#b58ad8"], ["Steel", "#8b95a3"], ["Celestial", "#d6b45a"],
  ["Arctic", "#86b7dd"], ["Crater", "#a35a4a"], ["Dragon", "#b8443a"], ["Magical", "#8d5fd0"],
];

interface Pot {
  x: number; // middle
  bottom: number;
  w: number;
  h: number;
}

const slices = 48;

/** Half the width at a height from 0, the bottom, to 1, the rim; as a share of the pot's width. */
function profile(u: number): number {
  const belly = 0.5;
  if (u < belly) return 0.5 * Math.sqrt(Math.max(0, 1 - ((belly - u) / belly) ** 2)) * 0.94 + 0.03;
  const s = (u - belly) / (1 - belly);
  return 0.5 * (1 - 0.24 * s * s * (3 - 2 * s));
}

const inside = 0.9; // the liquid's highest level
const areas: number[] = [0];
for (let k = 0; k < slices; k++) areas.push(areas[k]! + profile(((k + 0.5) / slices) * inside));

/** The height that holds a share of what the pot can hold. */
function levelOf(share: number): number {
  const want = clamp(share, 0, 1) * areas[slices]!;
  const k = Math.max(1, areas.findIndex((area) => area >= want - 1e-9));
  const part = (want - areas[k - 1]!) / (areas[k]! - areas[k - 1]!);
  return ((k - 1 + part) / slices) * inside;
}

function outline(ctx: CanvasRenderingContext2D, pot: Pot): void {
  ctx.beginPath();
  for (let k = 0; k <= slices; k++) ctx.lineTo(pot.x - profile(k / slices) * pot.w, pot.bottom - (k / slices) * pot.h);
  for (let k = slices; k >= 0; k--) ctx.lineTo(pot.x + profile(k / slices) * pot.w, pot.bottom - (k / slices) * pot.h);
  ctx.closePath();
}

/** Wall, shelves with jars, floor. */
function drawRoom({ ctx, paint }: Sheet, rect: Rect, floor: number): void {
  const wall = ctx.createLinearGradient(0, rect.y, 0, rect.y + rect.h);
  wall.addColorStop(0, paint.wall[0]);
  wall.addColorStop(1, paint.wall[1]);
  ctx.fillStyle = wall;
  ctx.fillRect(rect.x, rect.y, rect.w, rect.h);
  const roll = dice(7);
  for (const [from, to, high] of [[0, 0.2, 0.42], [0.8, 1, 0.42], [0, 0.17, 0.7], [0.83, 1, 0.7]] as const) {
    const x0 = rect.x + from * rect.w;
    const x1 = rect.x + to * rect.w;
    const y = rect.y + high * (floor - rect.y);
    for (let x = x0 + 8; x < x1 - 22; x += 24 + roll() * 8) drawJar(ctx, paint, x, y, 14 + roll() * 8, 18 + roll() * 20, magimins[Math.floor(roll() * 5)]!.color, 0.3 + roll() * 0.5);
    ctx.fillStyle = paint.wood;
    ctx.fillRect(x0, y, x1 - x0, 6);
  }
  ctx.fillStyle = fade(paint.wood, 0.55);
  ctx.fillRect(rect.x, floor, rect.w, rect.y + rect.h - floor);
  ctx.fillStyle = fade(paint.wood, 0.9);
  ctx.fillRect(rect.x, floor, rect.w, 3);
}

function drawJar(ctx: CanvasRenderingContext2D, paint: Paint, x: number, y: number, w: number, h: number, color: string, level: number): void {
  round(ctx, x, y - h, w, h, 4);
  ctx.fillStyle = paint.jar;
  ctx.fill();
  ctx.save();
  ctx.clip();
  ctx.fillStyle = fade(color, 0.45);
  ctx.fillRect(x, y - h * level, w, h);
  ctx.restore();
  ctx.fillStyle = fade(paint.wood, 0.9);
  ctx.fillRect(x + w * 0.22, y - h - 4, w * 0.56, 5);
}

function drawFire({ ctx, paint, clock }: Sheet, pot: Pot, floor: number): void {
  const glow = ctx.createRadialGradient(pot.x, floor, 0, pot.x, floor, pot.w * 0.9);
  glow.addColorStop(0, fade(paint.flame[0], 0.5));
  glow.addColorStop(1, fade(paint.flame[0], 0));
  ctx.fillStyle = glow;
  ctx.fillRect(pot.x - pot.w, floor - pot.w, pot.w * 2, pot.w * 1.4);
  ctx.fillStyle = "#3c2619";
  for (const side of [-1, 1]) {
    ctx.save();
    ctx.translate(pot.x, floor + 4);
    ctx.rotate(side * 0.16);
    round(ctx, -pot.w * 0.3, -6, pot.w * 0.6, 12, 6);
    ctx.fill();
    ctx.restore();
  }
  const roll = dice(3);
  for (let k = 0; k < 7; k++) {
    const x = pot.x + ((k - 3) / 3) * pot.w * 0.24;
    const h = (20 + 16 * roll()) * (1 + 0.22 * Math.sin(clock * (7 + 3 * roll()) + k * 2));
    for (const [size, color] of [[1, paint.flame[0]], [0.55, paint.flame[1]]] as const) {
      ctx.beginPath();
      ctx.moveTo(x - 8 * size, floor + 2);
      ctx.quadraticCurveTo(x - 9 * size, floor - h * 0.4 * size, x + 2 * Math.sin(clock * 6 + k), floor - h * size);
      ctx.quadraticCurveTo(x + 9 * size, floor - h * 0.4 * size, x + 8 * size, floor + 2);
      ctx.fillStyle = fade(color, 0.85);
      ctx.fill();
    }
  }
}

/** The layers from the lowest to the highest, each with what lies below its surface. */
function drawLiquid(sheet: Sheet, pot: Pot): number {
  const { ctx, clock, t } = sheet;
  const full = between(sheet, fullnessOf);
  const list = magimins.map((_, k) => between(sheet, (state) => state.magimins[k] ?? 0));
  const total = list.reduce((sum, one) => sum + one, 0);
  const wave = t < 1 && t > 0.45 ? 7 * (1 - t) : 0;
  let upTo = total;
  ctx.save();
  outline(ctx, pot);
  ctx.clip();
  for (let k = magimins.length - 1; k >= 0; k--) {
    const amount = list[k] ?? 0;
    if (amount <= 0) continue;
    const y = pot.bottom - levelOf((upTo / total) * full) * pot.h;
    upTo -= amount;
    const swell = 1.5 + wave;
    ctx.beginPath();
    ctx.moveTo(pot.x - pot.w, pot.bottom + 4);
    for (let x = -pot.w / 2; x <= pot.w / 2 + 6; x += 6) ctx.lineTo(pot.x + x, y + swell * Math.sin(x * 0.045 + clock * 2.2 + k * 1.7));
    ctx.lineTo(pot.x + pot.w, pot.bottom + 4);
    ctx.closePath();
    ctx.fillStyle = magimins[k]!.color;
    ctx.fill();
    ctx.strokeStyle = "#ffffff66";
    ctx.lineWidth = 1.5;
    ctx.stroke();
  }
  const top = pot.bottom - levelOf(full) * pot.h;
  if (total > 0) drawBubbles(sheet, pot, top);
  const shade = ctx.createLinearGradient(pot.x - pot.w / 2, 0, pot.x + pot.w / 2, 0);
  shade.addColorStop(0, "#00000055");
  shade.addColorStop(0.3, "#00000000");
  shade.addColorStop(0.75, "#00000000");
  shade.addColorStop(1, "#00000066");
  ctx.fillStyle = shade;
  ctx.fillRect(pot.x - pot.w, pot.bottom - pot.h, pot.w * 2, pot.h + 6);
  ctx.restore();
  return top;
}

function drawBubbles({ ctx, clock }: Sheet, pot: Pot, top: number): void {
  const roll = dice(11);
  ctx.fillStyle = "#ffffff55";
  for (let k = 0; k < 16; k++) {
    const rise = (roll() + clock * (0.15 + 0.25 * roll())) % 1;
    const x = pot.x + (roll() - 0.5) * pot.w * 0.72 + 3 * Math.sin(clock * 3 + k);
    const y = pot.bottom - 8 - rise * (pot.bottom - 8 - top);
    ctx.beginPath();
    ctx.arc(x, y, 1.5 + 3 * roll(), 0, 7);
    ctx.fill();
  }
}

/** Glass, marks at quarters, rim and feet. */
function drawPot(sheet: Sheet, pot: Pot, floor: number): void {
  const { ctx, paint, state, frame } = sheet;
  const metal = metals.find(([start]) => state.cauldron_title.startsWith(start))?.[1] ?? "#8b95a3";
  ctx.fillStyle = metal;
  for (const side of [-1, 1]) {
    ctx.beginPath();
    ctx.moveTo(pot.x + side * pot.w * 0.3, pot.bottom - pot.h * 0.1);
    ctx.lineTo(pot.x + side * pot.w * 0.42, floor + 6);
    ctx.lineTo(pot.x + side * pot.w * 0.385, floor + 6);
    ctx.lineTo(pot.x + side * pot.w * 0.24, pot.bottom - pot.h * 0.045);
    ctx.fill();
  }
  outline(ctx, pot);
  ctx.strokeStyle = fade(paint.glass, 0.9);
  ctx.lineWidth = 4;
  ctx.stroke();
  ctx.strokeStyle = fade(paint.shine, 0.4);
  ctx.lineCap = "round";
  ctx.lineWidth = 7;
  ctx.beginPath();
  for (let u = 0.3; u <= 0.78; u += 0.04) ctx.lineTo(pot.x - profile(u) * pot.w * 0.84, pot.bottom - u * pot.h);
  ctx.stroke();
  for (const quarter of [0.25, 0.5, 0.75, 1]) {
    const u = levelOf(quarter);
    const x = pot.x + profile(u) * pot.w;
    const y = pot.bottom - u * pot.h;
    ctx.fillStyle = quarter === 1 ? paint.gold : fade(paint.shine, 0.75);
    ctx.fillRect(x - (quarter === 1 ? 30 : 16), y - 1, quarter === 1 ? 30 : 16, 2);
    text(ctx, `${Math.round(state.max_magimins * quarter)}`, x + 9, y, { size: 11, weight: quarter === 1 ? 700 : 400, color: quarter === 1 ? paint.gold : paint.dim });
  }
  const rim = profile(1) * pot.w + 12;
  const y = pot.bottom - pot.h;
  if (frame.events.includes("full")) {
    round(ctx, pot.x - rim - 5, y - 13, 2 * rim + 10, 24, 12);
    ctx.fillStyle = fade(paint.gold, 0.55);
    ctx.fill();
  }
  round(ctx, pot.x - rim, y - 8, 2 * rim, 15, 7);
  ctx.fillStyle = metal;
  ctx.fill();
  round(ctx, pot.x - rim + 4, y - 6, 2 * rim - 8, 4, 2);
  ctx.fillStyle = "#ffffff4d";
  ctx.fill();
}

/** The piece on its way down, then drops around the place where it fell. */
function drawFall(sheet: Sheet, rect: Rect, pot: Pot, surface: number): void {
  const { ctx, frame, t } = sheet;
  const piece = ingredientOf(frame.action?.[0] ?? 0);
  if (!piece || t >= 1 || !frame.events.includes("added")) return;
  const from = rect.y - 20;
  const to = Math.min(surface, pot.bottom - 16);
  if (t < 0.5) {
    const s = t / 0.5;
    glyph(sheet, piece, pot.x + 18 * Math.sin(piece.action), from + (to - from) * s * s, clamp(rect.h * 0.13, 34, 56), s * 2.4);
    return;
  }
  const s = (t - 0.5) / 0.5;
  for (let k = 0; k < 10; k++) {
    const way = ((k - 4.5) / 4.5) * 0.9;
    const color = magimins[piece.amounts.findIndex((amount, m) => amount > 0 && (k + m) % 2 === 0)] ?? magimins[piece.amounts.findIndex((amount) => amount > 0)]!;
    ctx.beginPath();
    ctx.arc(pot.x + way * 70 * s, to - 62 * s * (1 - Math.abs(way) * 0.5) + 90 * s * s, 4 * (1 - s) + 1, 0, 7);
    ctx.fillStyle = fade(color.color, 1 - s);
    ctx.fill();
  }
}

function drawRays({ ctx, paint, clock, t }: Sheet, pot: Pot): void {
  const y = pot.bottom - pot.h * 0.55;
  for (let k = 0; k < 14; k++) {
    const angle = (k * Math.PI) / 7 + clock * 0.25;
    const far = pot.w * 1.15 * (0.5 + 0.5 * t);
    ctx.beginPath();
    ctx.moveTo(pot.x, y);
    ctx.lineTo(pot.x + far * Math.cos(angle - 0.1), y + far * Math.sin(angle - 0.1));
    ctx.lineTo(pot.x + far * Math.cos(angle + 0.1), y + far * Math.sin(angle + 0.1));
    ctx.fillStyle = fade(paint.gold, 0.16);
    ctx.fill();
  }
}

function drawSmoke({ ctx, paint, clock, t }: Sheet, pot: Pot): void {
  const roll = dice(5);
  for (let k = 0; k < 12; k++) {
    const rise = (roll() + clock * 0.2) % 1;
    ctx.beginPath();
    ctx.arc(pot.x + (roll() - 0.5) * pot.w * (0.5 + 0.6 * rise), pot.bottom - pot.h * (0.98 + 0.6 * rise * t), 12 + 20 * rise, 0, 7);
    ctx.fillStyle = fade(paint.smoke, 0.5 * (1 - rise));
    ctx.fill();
  }
}

function drawBottle({ ctx, paint, state }: Sheet, x: number, y: number, h: number): void {
  const w = h * 0.62;
  const body = h * 0.62;
  round(ctx, x - w * 0.16, y - h, w * 0.32, h * 0.45, 3);
  ctx.fillStyle = fade(paint.glass, 0.5);
  ctx.fill();
  ctx.fillStyle = paint.wood;
  ctx.fillRect(x - w * 0.2, y - h - 4, w * 0.4, 7);
  ctx.save();
  round(ctx, x - w / 2, y - body, w, body, w * 0.3);
  ctx.fillStyle = fade(paint.glass, 0.35);
  ctx.fill();
  ctx.clip();
  let at = y;
  state.magimins.forEach((amount, k) => {
    const part = state.total > 0 ? (amount / state.total) * body * 0.82 : 0;
    ctx.fillStyle = magimins[k]!.color;
    ctx.fillRect(x - w, at - part, 2 * w, part + 0.5);
    at -= part;
  });
  ctx.fillStyle = "#ffffff4d";
  ctx.fillRect(x - w * 0.32, y - body, w * 0.14, body);
  ctx.restore();
  round(ctx, x - w / 2, y - body, w, body, w * 0.3);
  ctx.strokeStyle = fade(paint.glass, 0.9);
  ctx.lineWidth = 1.5;
  ctx.stroke();
}

/** How it ended: bottles, grade and what they bring, or nothing. */
function drawEnd(sheet: Sheet, rect: Rect): void {
  const { ctx, paint, state, t } = sheet;
  const h = 86;
  const y = rect.y + rect.h - h * (t < 1 ? clamp(t * 1.6, 0, 1) : 1);
  const good = state.brewed > 0;
  const color = good ? (state.stability === "perfect" ? paint.gold : paint.good) : paint.bad;
  ctx.fillStyle = paint.card;
  ctx.fillRect(rect.x, y, rect.w, h);
  ctx.fillStyle = color;
  ctx.fillRect(rect.x, y, rect.w, 3);
  const size = clamp(rect.w / 14, 32, 48);
  const shown = Math.min(state.brewed, Math.max(1, Math.floor((rect.w * (rect.w < 460 ? 0.24 : 0.42)) / (size * 0.78))));
  for (let k = 0; k < shown; k++) drawBottle(sheet, rect.x + 16 + size * 0.78 * (k + 0.5), y + h - 14, size);
  const x = rect.x + (good ? 28 + size * 0.78 * shown : 18);
  const room = rect.x + rect.w - x - 12;
  const title = good ? `${state.brewed} × ${gradeName(state.expected_grade)}, ${state.stability}` : "No potion";
  text(ctx, title, x, y + 22, { size: rect.w < 460 ? 15 : 19, weight: 800, color, room });
  if (good) stars(sheet, state.expected_grade, x, y + 45, 7);
  const won = state.round >= 0 ? (state.won ? " · contest won" : " · contest lost") : "";
  const words = good ? `${gold(state.price)} each · profit ${gold(state.profit)}${won}` : state.added.length < 2 ? "It takes two items." : "Too much lies in the wrong place.";
  text(ctx, words, x, y + (good ? 68 : 50), { size: 13, weight: 600, color: paint.ink, room });
}

function drawTitle({ ctx, paint, state }: Sheet, rect: Rect): void {
  const room = rect.w * 0.6;
  text(ctx, state.recipe_title, rect.x + 16, rect.y + 24, { size: rect.w < 420 ? 18 : 22, weight: 800, color: paint.ink, room });
  text(ctx, `${state.cauldron_title} cauldron`, rect.x + 16, rect.y + 46, { size: 13, color: paint.dim, room });
  const right = rect.x + rect.w - 16;
  text(ctx, `${state.total} / ${state.max_magimins}`, right, rect.y + 24, { size: 17, weight: 700, color: paint.ink, align: "right" });
  text(ctx, `magimins · ${state.added.length} / ${state.max_items} slots`, right, rect.y + 46, { size: 12, color: paint.dim, align: "right", room: rect.w * 0.5 });
}

export function drawScene(sheet: Sheet, rect: Rect): void {
  const { ctx, frame, state, t } = sheet;
  const floor = rect.y + rect.h - 34;
  const h = Math.min(rect.h - 128, rect.w * 0.62);
  const shake = frame.events.includes("ignored") && t < 1 ? 7 * (1 - t) * Math.sin(t * 40) : 0;
  const pot: Pot = { x: rect.x + rect.w / 2 + shake, bottom: floor - 22, w: Math.min(h * 1.18, rect.w * 0.62), h };
  ctx.save();
  round(ctx, rect.x, rect.y, rect.w, rect.h, 10);
  ctx.clip();
  drawRoom(sheet, rect, floor);
  if (state.end && state.stability === "perfect") drawRays(sheet, pot);
  drawFire(sheet, pot, floor);
  outline(ctx, pot);
  ctx.fillStyle = fade(sheet.paint.glass, 0.16);
  ctx.fill();
  const surface = drawLiquid(sheet, pot);
  drawFall(sheet, rect, pot, surface);
  drawPot(sheet, pot, floor);
  if (state.end && state.brewed === 0) drawSmoke(sheet, pot);
  drawTitle(sheet, rect);
  if (state.end) drawEnd(sheet, rect);
  ctx.restore();
}
