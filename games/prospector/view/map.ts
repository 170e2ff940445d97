// The discovered map as a graph, and the ways out of here as a table.
import { fontOf, round, text } from "ludus/canvas";
import type { Place } from "./memory";
import { fade, icon, panel, threatColor, type Rect } from "./pen";
import { clamp, flightFuel, percent, sum, typeNames, whole, type Way } from "./rules";
import { allowed, type Sheet } from "./sheet";

const typeIcons = ["home", "rock", "alert"];

function spotIcon(sheet: Sheet, place: Place, x: number, y: number, here: boolean): void {
  const { ctx, paint } = sheet;
  const visited = place.node >= 0;
  const r = here ? 13 : visited ? 10.5 : 8;
  const color = place.type === 0 ? paint.good : place.type === 2 ? paint.bad : visited ? paint.ink : paint.dim;
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 7);
  ctx.fillStyle = here ? paint.accent : paint.panel;
  ctx.fill();
  ctx.strokeStyle = here ? paint.accent : color;
  ctx.lineWidth = visited ? 1.6 : 1.2;
  if (!visited) ctx.setLineDash([2.5, 2.5]);
  ctx.stroke();
  ctx.setLineDash([]);
  if (here) icon(ctx, "ship", x, y, 17, paint.panel);
  else if (place.type === 1 && visited) text(ctx, `${place.node}`, x, y, { size: 10, weight: 700, color, align: "center" });
  else if (place.type === 1) dot(ctx, x, y, 2.5, color);
  else icon(ctx, typeIcons[place.type] ?? "rock", x, y, visited ? 13 : 10, color);
}

function dot(ctx: CanvasRenderingContext2D, x: number, y: number, r: number, color: string): void {
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 7);
  ctx.fillStyle = color;
  ctx.fill();
}

/** Fits the places into a rectangle. */
function fitter(places: Place[], rect: Rect): (place: Place) => [number, number] {
  const xs = places.map((place) => place.x);
  const ys = places.map((place) => place.y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const w = Math.max(0.8, right - left);
  const h = Math.max(0.8, bottom - top);
  const sx = Math.min(rect.w / w, (rect.h / h) * 1.9);
  const sy = Math.min(rect.h / h, (rect.w / w) * 1.9);
  const cx = rect.x + rect.w / 2;
  const cy = rect.y + rect.h / 2;
  return (place) => [cx + (place.x - (left + right) / 2) * sx, cy + (place.y - (top + bottom) / 2) * sy];
}

const wayTip = (way: Way, slot: number, cargo: number, threat: number): string[] => [
  `Way ${slot + 1} to ${(typeNames[way.type] ?? "").toLowerCase()}: ${way.time} ticks, ${whole(flightFuel(way.fuel, cargo))} fuel with this load`,
  threat === 0.5 ? "Threat unknown: listen to learn it." : `Threat about ${percent(threat)}.`,
];

function drawGraph(sheet: Sheet, rect: Rect): void {
  const { ctx, paint, state, frame, memory } = sheet;
  const { places, roads } = memory.map(frame.index);
  if (!places.length) return;
  const spot = fitter(places, { x: rect.x + 20, y: rect.y + 16, w: rect.w - 40, h: rect.h - 32 });
  const slots = new Map(memory.ways(state.node, frame.index).map((way) => [way.key, way.slot]));
  const sparse = roads.length <= 9;
  const labels: Label[] = [];
  for (const { a, b, road, threat } of roads) {
    const [ax, ay] = spot(a);
    const [bx, by] = spot(b);
    const near = slots.has(road.key);
    const unknown = threat === 0.5;
    ctx.strokeStyle = unknown ? fade(paint.dim, near ? 0.9 : 0.5) : fade(threatColor(threat, paint), near ? 1 : 0.6);
    ctx.lineWidth = near ? 2.6 : 1.4;
    ctx.setLineDash(unknown ? [4, 3] : []);
    ctx.beginPath();
    ctx.moveTo(ax, ay);
    ctx.lineTo(bx, by);
    ctx.stroke();
    if ((near || sparse) && Math.hypot(ax - bx, ay - by) > 62) {
      const spots = (a.node === state.node ? [0.55, 0.7, 0.4] : [0.45, 0.3, 0.6]).map((at): [number, number] => [ax + (bx - ax) * at, ay + (by - ay) * at]);
      labels.push({ spots, words: `${road.time}t ${Math.round(road.fuel)}f`, near });
    }
  }
  ctx.setLineDash([]);
  drawLabels(sheet, labels, places.map(spot));
  for (const place of places) {
    const [x, y] = spot(place);
    spotIcon(sheet, place, x, y, place.node === state.node);
  }
  const cargo = sum(state.cargo);
  for (const { a, b, road, threat } of roads) {
    const slot = slots.get(road.key);
    const way = slot === undefined ? undefined : state.neighbours[slot];
    if (slot === undefined || !way) continue;
    const [x, y] = spot(a.node === state.node ? b : a);
    badge(sheet, `${slot + 1}`, x + 11, y - 11, threat);
    const can = allowed(sheet, slot);
    sheet.hits.push({ rect: { x: x - 14, y: y - 14, w: 28, h: 28 }, option: can ? slot : -1, tip: wayTip(way, slot, cargo, threat) });
  }
}

/** What a road costs, and where on it that may stand, the best place first. */
interface Label {
  spots: [x: number, y: number][];
  words: string;
  near: boolean;
}

/** Labels of roads where they cover neither each other nor a place; ways from here come first, and one without
 * room is left out: the table of ways has it too. */
function drawLabels({ ctx, paint }: Sheet, labels: Label[], places: [number, number][]): void {
  const taken: Rect[] = places.map(([x, y]) => ({ x: x - 13, y: y - 20, w: 32, h: 32 }));
  const meet = (a: Rect, b: Rect): boolean => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
  ctx.font = fontOf(12, 600);
  for (const { spots, words, near } of labels.toSorted((a, b) => Number(b.near) - Number(a.near))) {
    const w = ctx.measureText(words).width + 6;
    const boxes = spots.map(([x, y]) => ({ x: x - w / 2, y: y - 8, w, h: 16 }));
    const box = boxes.find((one) => !taken.some((other) => meet(one, other)));
    if (!box) continue;
    taken.push(box);
    round(ctx, box.x, box.y, box.w, box.h, 4);
    ctx.fillStyle = fade(paint.panel, 0.9);
    ctx.fill();
    text(ctx, words, box.x + w / 2, box.y + 8, { size: 12, weight: 600, color: near ? paint.ink : paint.dim, align: "center" });
  }
}

/** The number of a way, ringed by its threat. */
function badge(sheet: Sheet, words: string, x: number, y: number, threat: number): void {
  const { ctx, paint } = sheet;
  dot(ctx, x, y, 7.5, paint.panel);
  ctx.strokeStyle = threat === 0.5 ? paint.dim : threatColor(threat, paint);
  ctx.lineWidth = 2;
  ctx.stroke();
  text(ctx, words, x, y, { size: 11, weight: 800, color: paint.ink, align: "center" });
}

/** The ways out as a table: where to, ticks, fuel with this load, threat. */
function drawWays(sheet: Sheet, rect: Rect): void {
  const { ctx, paint, state, frame, memory } = sheet;
  const known = new Map(memory.ways(state.node, frame.index).map((way) => [way.slot, way]));
  const cargo = sum(state.cargo);
  const right = rect.x + rect.w;
  text(ctx, "way to", rect.x + 22, rect.y + 6, { size: 11, color: paint.dim });
  text(ctx, "ticks", right - 142, rect.y + 6, { size: 11, color: paint.dim, align: "right" });
  text(ctx, "fuel", right - 98, rect.y + 6, { size: 11, color: paint.dim, align: "right" });
  text(ctx, "threat", right - 20, rect.y + 6, { size: 11, color: paint.dim, align: "right" });
  const step = (rect.h - 16) / 6;
  state.neighbours.forEach((way, slot) => {
    const y = rect.y + 16 + step * slot + step / 2;
    const row = { x: rect.x - 6, y: y - step / 2, w: rect.w + 12, h: step };
    const can = allowed(sheet, slot);
    if (sheet.hover === slot && sheet.legal) {
      round(ctx, row.x, row.y, row.w, row.h, 5);
      ctx.fillStyle = paint.raised;
      ctx.fill();
    }
    const { to, threat } = known.get(slot) ?? { to: -1, threat: way.threat };
    badge(sheet, `${slot + 1}`, rect.x + 8, y, threat);
    const name = way.type === 0 ? "Home" : `${way.type === 2 ? "Hazard" : "Cluster"}${to > 0 ? ` ${to}` : ""}`;
    text(ctx, name, rect.x + 22, y, { size: 12, weight: 600, color: way.type === 2 ? paint.bad : way.type === 0 ? paint.good : paint.ink, room: rect.w - 196 });
    text(ctx, `${way.time}`, right - 142, y, { size: 12, color: paint.ink, align: "right" });
    text(ctx, whole(flightFuel(way.fuel, cargo)), right - 98, y, { size: 12, color: paint.ink, align: "right" });
    const unknown = threat === 0.5;
    text(ctx, unknown ? "unknown" : percent(threat), right - 20, y, { size: 12, weight: 600, color: unknown ? paint.dim : paint.ink, align: "right" });
    dot(ctx, right - 8, y, 5, unknown ? paint.raised : threatColor(threat, paint));
    sheet.hits.push({ rect: row, option: can ? slot : -1, tip: wayTip(way, slot, cargo, threat) });
  });
}

/** Where the table of ways leaves room: what the colours mean. */
function drawLegend(sheet: Sheet, x: number, y: number): void {
  const { ctx, paint } = sheet;
  let at = x + text(ctx, "threat", x, y, { size: 11, color: paint.dim }) + 10;
  for (const [name, threat] of [["low", 0.1], ["medium", 0.35], ["high", 0.7]] as const) {
    dot(ctx, at, y, 4, threatColor(threat, paint));
    at += 8 + text(ctx, name, at + 8, y, { size: 11, color: paint.dim }) + 14;
  }
  text(ctx, "t ticks, f fuel", at, y, { size: 11, color: paint.dim });
}

export function drawMap(sheet: Sheet, rect: Rect): void {
  const { ctx, paint, frame, memory } = sheet;
  const visited = memory.map(frame.index).places.filter((place) => place.node >= 0).length;
  panel(ctx, rect, paint, "Map", `${visited} ${visited === 1 ? "place" : "places"} visited`);
  const side = rect.w > 460;
  const table = 16 + 6 * clamp((rect.h - 190) / 6, 17, 22);
  if (side) {
    const w = Math.min(300, rect.w * 0.45);
    drawGraph(sheet, { x: rect.x + 6, y: rect.y + 28, w: rect.w - w - 24, h: rect.h - 36 });
    drawWays(sheet, { x: rect.x + rect.w - w - 4, y: rect.y + 34, w: w - 10, h: Math.min(table, rect.h - 44) });
    return;
  }
  drawGraph(sheet, { x: rect.x + 4, y: rect.y + 26, w: rect.w - 8, h: rect.h - table - 38 });
  drawWays(sheet, { x: rect.x + 14, y: rect.y + rect.h - table - 6, w: rect.w - 28, h: table });
  if (sheet.state.neighbours.length < 6) drawLegend(sheet, rect.x + 14, rect.y + rect.h - 18);
}
