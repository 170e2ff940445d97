// The instruments around the scene: gauges, threat, supplies, rock cards or the station's desk, map
// with ways, market, last event and log. Each draws into a rectangle and tells what can be clicked.
import type { Frame } from "ludus/view";
import { round, text, wrap } from "../../../web/src/canvas";
import type { Memory, Place } from "./memory";
import { bar, fade, icon, panel, stacked, threatColor, type Paint, type Rect } from "./pen";
import {
  cargoValue, clamp, first, flightFuel, goods, levelNames, most, offers, percent, raidChance, rockValue, slippage, sum,
  threatLevel, typeNames, units, whole, type Rock, type State, type Way,
} from "./rules";
import { actions } from "./words";

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
export type Tone = "good" | "warn" | "bad";

interface Dial {
  key: GaugeKey;
  label: string;
  icon: string;
  max: number;
  tone(state: State): Tone;
  tip: string;
}

const low = (value: number, warn: number, bad: number): Tone => (value < bad ? "bad" : value < warn ? "warn" : "good");
const high = (value: number, warn: number, bad: number): Tone => (value > bad ? "bad" : value > warn ? "warn" : "good");

export const dials: Dial[] = [
  { key: "fuel", label: "Fuel", icon: "fuel", max: most.fuel, tone: (s) => low(s.fuel, 350, 150), tip: "Without fuel away from the station the trip ends." },
  { key: "hull", label: "Hull", icon: "hull", max: most.hull, tone: (s) => low(s.hull, 55, 30), tip: "Fractures, raids, heat and hazards eat it; at 0 the ship is lost." },
  { key: "heat", label: "Heat", icon: "heat", max: most.heat, tone: (s) => high(s.heat, 60, 85), tip: "Above 70 the drill yields less, above 100 the hull burns." },
  { key: "tool", label: "Drill", icon: "tool", max: most.tool, tone: (s) => low(s.tool, 55, 30), tip: "A worn drill digs less and breaks rocks more often." },
  { key: "cargo", label: "Hold", icon: "hold", max: most.cargo, tone: (s) => high(sum(s.cargo), 150, 190), tip: "A heavy hold makes flights dearer and attracts pirates." },
  { key: "alert", label: "Alert", icon: "scan", max: most.alert, tone: (s) => high(s.alert, 25, 55), tip: "How well pirates see you: scanning and mining raise it, holding and docking lower it." },
];

export const valueOf = (state: State, key: GaugeKey): number => (key === "cargo" ? sum(state.cargo) : state[key]);

function goodShares(state: State): number[] {
  return state.cargo.map((amount) => amount / most.cargo);
}

// ---- gauges ----

/** One gauge of at least 36 pixels: icon, name, figure, bar. */
function drawDial(sheet: Sheet, dial: Dial, rect: Rect, wide: boolean): void {
  const { ctx, paint, state } = sheet;
  const value = sheet.shown[dial.key];
  const tone = dial.tone(state);
  const color = tone === "good" ? paint.ink : paint[tone];
  const y = rect.y + 10;
  icon(ctx, dial.icon, rect.x + 8, y, 15, tone === "good" ? paint.dim : color);
  text(ctx, dial.label, rect.x + 21, y, { size: 13, weight: 600, color: paint.ink });
  const figure = dial.key === "cargo" ? units(value) : whole(value);
  const end = rect.x + rect.w;
  if (wide) {
    const of = text(ctx, ` / ${whole(dial.max)}`, end, y, { size: 11, color: paint.dim, align: "right" });
    text(ctx, figure, end - of, y, { size: 15, weight: 700, color, align: "right" });
  } else {
    text(ctx, figure, end, y, { size: 15, weight: 700, color, align: "right" });
  }
  const line = { x: rect.x, y: rect.y + 22, w: rect.w, h: 8 };
  const rises = dial.key === "heat" || dial.key === "alert";
  const fill = rises && tone === "good" ? paint.accent : paint.fill[tone];
  if (dial.key === "cargo") stacked(ctx, line, goodShares(state), paint.goods, paint);
  else bar(ctx, line, value / dial.max, fill, paint);
  const marks: number[] = dial.key === "heat" ? [0.7] : [];
  const home = dial.key === "fuel" ? sheet.memory.fuelHome(state.node, sheet.frame.index, sum(state.cargo)) : null;
  if (home !== null && home > 0) marks.push(home / most.fuel);
  for (const mark of marks) {
    ctx.fillStyle = paint.ink;
    ctx.fillRect(line.x + line.w * Math.min(1, mark) - 1, line.y - 2, 2, line.h + 4);
  }
  const extra = home !== null && home > 0 ? [`The mark: ${whole(home)} fuel take you home by the cheapest known way.`] : [];
  sheet.hits.push({ rect, option: -1, tip: [`${dial.label} ${figure} of ${whole(dial.max)}`, dial.tip, ...extra] });
}

/** Gauges below each other. */
export function drawGauges(sheet: Sheet, rect: Rect): void {
  panel(sheet.ctx, rect, sheet.paint, "Ship");
  const step = (rect.h - 34) / 5;
  dials.slice(0, 5).forEach((dial, i) => {
    drawDial(sheet, dial, { x: rect.x + 12, y: rect.y + 30 + i * step, w: rect.w - 24, h: step }, true);
  });
}

/** Gauges and, below them or last, the threat, for narrow pages. */
export function drawStrip(sheet: Sheet, rect: Rect, columns: number): void {
  panel(sheet.ctx, rect, sheet.paint);
  const between = 18;
  const rows = Math.ceil(dials.length / columns);
  const w = (rect.w - 24 - between * (columns - 1)) / columns;
  const h = (rect.h - 14) / (rows + 1);
  dials.forEach((dial, i) => {
    drawDial(sheet, dial, { x: rect.x + 12 + (i % columns) * (w + between), y: rect.y + 9 + Math.floor(i / columns) * h, w, h }, w > 150);
  });
  drawThreatRow(sheet, { x: rect.x + 12, y: rect.y + 9 + rows * h, w: rect.w - 24, h });
}

function drawThreatRow(sheet: Sheet, rect: Rect): void {
  const { ctx, paint, state } = sheet;
  const level = threatLevel(state);
  const color = levelColor(level, paint);
  const y = rect.y + 10;
  icon(ctx, levelIcon(level), rect.x + 8, y, 16, color);
  const used = text(ctx, "Threat", rect.x + 21, y, { size: 13, weight: 600, color: paint.ink });
  text(ctx, levelNames[level], rect.x + used + 30, y, { size: 15, weight: 800, color });
  text(ctx, raidWords(state), rect.x + rect.w, y, { size: 12, color: paint.dim, align: "right" });
  segments(ctx, { x: rect.x, y: rect.y + 22, w: rect.w, h: 8 }, level, paint);
  sheet.hits.push({ rect, option: -1, tip: threatTip(state) });
}

const levelIcon = (level: number): string => (level >= 3 ? "skull" : level ? "alert" : "hull");
const levelFill = (level: number, paint: Paint): string => [paint.fill.good, paint.fill.good, paint.fill.warn, paint.fill.bad, paint.fill.bad][level] ?? paint.dim;
const levelColor = (level: number, paint: Paint): string => [paint.good, paint.good, paint.warn, paint.bad, paint.bad][level] ?? paint.dim;

function segments(ctx: CanvasRenderingContext2D, rect: Rect, level: number, paint: Paint): void {
  const w = (rect.w - 3 * 4) / 4;
  for (let k = 0; k < 4; k++) {
    round(ctx, rect.x + k * (w + 4), rect.y, w, rect.h, 3);
    ctx.fillStyle = k < level ? levelFill(level, paint) : paint.raised;
    ctx.fill();
  }
}

function threatTip(state: State): string[] {
  return [
    state.node === 0 ? "No pirates at the station." : `About ${percent(raidChance(state))} chance of a raid per tick.`,
    `Alert ${whole(state.alert)} of 100, cargo worth ${whole(cargoValue(state))} credits.`,
  ];
}

const raidWords = (state: State): string => (state.node ? `${percent(raidChance(state))} raid risk a tick` : "no raids here");

export function drawThreat(sheet: Sheet, rect: Rect): void {
  const { ctx, paint, state } = sheet;
  const level = threatLevel(state);
  const color = levelColor(level, paint);
  panel(ctx, rect, paint, "Threat", raidWords(state));
  icon(ctx, levelIcon(level), rect.x + 24, rect.y + 43, 24, color);
  text(ctx, levelNames[level], rect.x + 44, rect.y + 43, { size: 21, weight: 800, color });
  segments(ctx, { x: rect.x + 12, y: rect.y + 61, w: rect.w - 24, h: 8 }, level, paint);
  const alert = dials[5];
  if (alert) drawDial(sheet, alert, { x: rect.x + 12, y: rect.y + 80, w: rect.w - 24, h: 34 }, true);
  sheet.hits.push({ rect: { ...rect, h: 74 }, option: -1, tip: threatTip(state) });
}

const supplies = [
  { key: "kits", icon: "kit", label: "kits", tip: "Repair kits mend drill or hull." },
  { key: "stabilizers", icon: "clamp", label: "stabilizers", tip: "A stabilizer keeps a rock from breaking for 6 ticks." },
  { key: "decoys", icon: "decoy", label: "decoys", tip: "A decoy may draw raiders off the cargo." },
] as const;

export function drawSupplies(sheet: Sheet, rect: Rect): void {
  const { ctx, paint, state } = sheet;
  panel(ctx, rect, paint);
  const w = (rect.w - 16) / 3;
  supplies.forEach((supply, k) => {
    const x = rect.x + 8 + k * w;
    const y = rect.y + rect.h / 2;
    const count = state[supply.key];
    icon(ctx, supply.icon, x + 13, y - 8, 17, count ? paint.accent : paint.dim);
    text(ctx, `${count}`, x + 28, y - 8, { size: 15, weight: 700, color: count ? paint.ink : paint.dim });
    text(ctx, supply.label, x + 5, y + 12, { size: 11, color: paint.dim, room: w - 6 });
    sheet.hits.push({ rect: { x, y: rect.y, w, h: rect.h }, option: -1, tip: [`${count} ${supply.label} of ${most.supply}`, supply.tip] });
  });
}

// ---- clickable faces ----

/** Whether an option is offered, and its looks; watching shows everything as it is. */
function allowed(sheet: Sheet, option: number): boolean {
  return sheet.legal ? sheet.legal(option) : true;
}

function face(sheet: Sheet, rect: Rect, option: number, chosen: boolean): void {
  const { ctx, paint } = sheet;
  round(ctx, rect.x + 0.5, rect.y + 0.5, rect.w - 1, rect.h - 1, 7);
  ctx.fillStyle = chosen ? fade(paint.accent, 0.18) : sheet.hover === option && option >= 0 ? paint.raised : fade(paint.raised, 0.55);
  ctx.fill();
  ctx.strokeStyle = chosen || (sheet.hover === option && option >= 0) ? paint.accent : paint.line;
  ctx.lineWidth = chosen ? 2 : 1;
  ctx.stroke();
}

// ---- rocks ----

const order = (rock: Rock): number[] => rock.content.map((_, c) => c).sort((a, b) => (rock.content[b] ?? 0) - (rock.content[a] ?? 0));

function rockTip(rock: Rock, a: number, state: State): string[] {
  if (rock.depletion >= 1) return [`Rock ${a + 1} is gone.`];
  return [
    `Rock ${a + 1}: about ${whole(rockValue(rock, state.price))} credits a unit`,
    order(rock).map((c) => `${goods[c]?.short} ${percent(rock.content[c] ?? 0)}`).join(", "),
    `Stability ${percent(rock.stability)}, confidence ${percent(rock.confidence)}, ${percent(1 - rock.depletion)} left`,
  ];
}

/** A named share: beside its bar when flat, above it otherwise. */
function meter(sheet: Sheet, rect: Rect, name: string, share: number, color: string, flat: boolean): void {
  const { ctx, paint } = sheet;
  text(ctx, name, rect.x, rect.y, { size: 10, color: paint.dim });
  if (flat) return bar(ctx, { x: rect.x + 26, y: rect.y - 2, w: rect.w - 26, h: 5 }, share, color, paint);
  text(ctx, `${Math.round(share * 100)}`, rect.x + rect.w, rect.y, { size: 10, weight: 600, color: paint.ink, align: "right" });
  bar(ctx, { x: rect.x, y: rect.y + 7, w: rect.w, h: 4 }, share, color, paint);
}

function meters(sheet: Sheet, rock: Rock, rect: Rect, flat: boolean): void {
  const { paint } = sheet;
  const tone = paint.fill[low(rock.stability, 0.6, 0.35)];
  const rows: [string, number, string][] = [
    ["stab", rock.stability, tone],
    ["sure", rock.confidence, paint.accent],
    ["left", 1 - rock.depletion, paint.dim],
  ];
  const third = (rect.w - 16) / 3;
  rows.forEach(([name, share, color], k) => {
    const cell = flat ? { ...rect, y: rect.y + (k * rect.h) / 3 } : { ...rect, x: rect.x + k * (third + 8), w: third };
    meter(sheet, cell, name, share, color, flat);
  });
}

/** The two main goods and, where there is room, what a unit should fetch. */
function cardWords(sheet: Sheet, rock: Rock, x: number, y: number, w: number, tall: boolean): void {
  const { ctx, paint, state } = sheet;
  const [one = 0, two = 1] = order(rock);
  const long = w > 100;
  const share = (c: number): number => Math.round((rock.content[c] ?? 0) * 100);
  const words = (c: number): string => (long ? `${goods[c]?.short} ${share(c)}` : `${goods[c]?.sign}${share(c)}`);
  const worth = `${whole(rockValue(rock, state.price))} cr`;
  const used = text(ctx, words(one), x, y, { size: 12, weight: 650, color: paint.goods[one] ?? paint.ink, room: w });
  const rest = w - used - 10;
  if (tall) {
    text(ctx, words(two), x, y + 17, { size: 12, color: paint.goods[two] ?? paint.ink, room: w });
    if (rest > 44) text(ctx, worth, x + w, y, { size: 12, weight: 600, color: paint.dim, align: "right" });
  } else if (rest > 44 && long) {
    text(ctx, worth, x + w, y, { size: 12, weight: 600, color: paint.dim, align: "right" });
    if (rest > 140) text(ctx, words(two), x + used + 10, y, { size: 12, color: paint.goods[two] ?? paint.ink });
  } else if (rest > 30) text(ctx, `${goods[two]?.sign}${share(two)}`, x + used + 8, y, { size: 11, color: paint.goods[two] ?? paint.ink });
}

function drawCard(sheet: Sheet, rock: Rock, a: number, rect: Rect): void {
  const { ctx, paint, state } = sheet;
  const chosen = a === state.selected;
  const option = first.select + a;
  const gone = rock.depletion >= 1;
  sheet.hits.push({ rect, option: gone || !allowed(sheet, option) ? -1 : option, tip: rockTip(rock, a, state) });
  ctx.save();
  if (gone) ctx.globalAlpha = 0.5;
  face(sheet, rect, option, chosen && !gone);
  const flat = rect.w < 120;
  const tall = rect.h >= (flat ? 84 : 76);
  const pad = flat ? 6 : 9;
  const x = rect.x + pad;
  const w = rect.w - 2 * pad;
  const y = rect.y + 13;
  const name = text(ctx, `${a + 1}`, x, y, { size: 14, weight: 800, color: chosen ? paint.accent : paint.ink }) + (flat ? 5 : 7);
  if (gone) text(ctx, "gone", x + name, y, { size: 12, color: paint.dim });
  else {
    cardWords(sheet, rock, x + name, y, w - name, tall);
    const line = y + (tall ? 30 : 12);
    ctx.globalAlpha = 0.35 + 0.65 * rock.confidence;
    stacked(ctx, { x, y: line, w, h: 6 }, rock.content, paint.goods, paint);
    ctx.globalAlpha = 1;
    if (flat) meters(sheet, rock, { x, y: line + 15, w, h: rect.y + rect.h - line - 15 }, true);
    else meters(sheet, rock, { x, y: rect.y + rect.h - 18, w, h: 0 }, false);
    if (chosen) icon(ctx, "target", rect.x + rect.w - 2, rect.y + 2, 16, paint.accent);
  }
  ctx.restore();
}

/** Rock cards, or the desk when docked. */
export function drawCards(sheet: Sheet, rect: Rect): void {
  const { ctx, paint, state } = sheet;
  if (state.node === 0) return drawDesk(sheet, rect);
  const live = state.rocks.filter((rock) => rock.depletion < 1).length;
  const wide = rect.w > 480;
  panel(ctx, rect, paint, `${live} of ${state.rocks.length} rocks`, wide ? "estimated content, stability, how sure, what is left" : "estimates");
  const columns = 4;
  const between = wide ? 8 : 5;
  const rows = Math.max(wide ? 2 : 3, Math.ceil(state.rocks.length / columns));
  const w = (rect.w - 20 - between * (columns - 1)) / columns;
  const h = Math.min(104, (rect.h - 38 - between * (rows - 1)) / rows);
  state.rocks.forEach((rock, a) => {
    drawCard(sheet, rock, a, { x: rect.x + 10 + (a % columns) * (w + between), y: rect.y + 30 + Math.floor(a / columns) * (h + between), w, h });
  });
}

const offerIcons: Record<number, string> = { 61: "fuel", 62: "fuel", 63: "fuel", 64: "kit", 65: "clamp", 66: "decoy", 67: "tool", 68: "flag" };

function drawDesk(sheet: Sheet, rect: Rect): void {
  const { ctx, paint, state } = sheet;
  panel(ctx, rect, paint, "Station desk", `${whole(state.credits)} credits to spend`);
  const columns = 4;
  const gap = 8;
  const w = (rect.w - 20 - gap * 3) / columns;
  const h = Math.min(96, (rect.h - 40 - gap) / 2);
  offers.forEach((offer, k) => {
    const cell = { x: rect.x + 10 + (k % columns) * (w + gap), y: rect.y + 30 + Math.floor(k / columns) * (h + gap), w, h };
    const can = sheet.legal ? sheet.legal(offer.option) : state.credits >= offer.price;
    const hint = actions[offer.option]?.hint ?? "";
    sheet.hits.push({ rect: cell, option: can ? offer.option : -1, tip: [offer.label, hint] });
    ctx.save();
    if (!can) ctx.globalAlpha = 0.5;
    face(sheet, cell, can ? offer.option : -1, false);
    const middle = cell.x + w / 2;
    icon(ctx, offerIcons[offer.option] ?? "kit", middle, cell.y + h * 0.27, Math.min(26, h * 0.3), can ? paint.accent : paint.dim);
    text(ctx, offer.label, middle, cell.y + h * 0.58, { size: w < 110 ? 11 : 13, weight: 600, color: paint.ink, align: "center", room: w - 6 });
    const price = offer.price ? `${offer.price} cr` : "end the trip";
    text(ctx, price, middle, cell.y + h * 0.81, { size: w < 110 ? 11 : 12, color: paint.dim, align: "center", room: w - 6 });
    ctx.restore();
  });
  const y = rect.y + 30 + 2 * (h + gap);
  const room = rect.y + rect.h - y - 8;
  if (room < 34) return;
  const notes = [
    "Sell in small lots: a lot that is large against the stock presses its own price.",
    "Refining iron and nickel into isotopes is free of risk while docked.",
  ];
  let at = y + 10;
  for (const note of notes) {
    for (const line of wrap(ctx, note, 12, 400, rect.w - 28, 2)) {
      if (at > rect.y + rect.h - 10) return;
      text(ctx, line, rect.x + 14, at, { size: 12, color: paint.dim });
      at += 17;
    }
    at += 3;
  }
}

// ---- market ----

/** At most `count` means of neighbours, the newest point as it is. */
function thin<T extends { tick: number; price: number }>(points: T[], count: number): { tick: number; price: number }[] {
  const share = Math.ceil(points.length / Math.max(1, count));
  const result: { tick: number; price: number }[] = [];
  for (let end = points.length - 1; end > 0; end -= share) {
    const part = points.slice(Math.max(0, end - share), end);
    result.push({ tick: part[0]?.tick ?? 0, price: sum(part.map((point) => point.price)) / part.length });
  }
  return [...result.reverse(), ...points.slice(-1)];
}

function spark(sheet: Sheet, good: number, rect: Rect): void {
  const { ctx, paint, frame, memory } = sheet;
  const points = thin(memory.prices(frame.index, good, 300), rect.w / 3);
  const base = goods[good]?.base ?? 1;
  const color = paint.goods[good] ?? paint.ink;
  const prices = points.map((point) => point.price);
  const lowest = Math.min(base * 0.85, ...prices);
  const highest = Math.max(base * 1.15, ...prices);
  const now = points.at(-1)?.tick ?? 0;
  const start = Math.min(points[0]?.tick ?? 0, now - 60);
  const px = (tick: number): number => rect.x + ((tick - start) / Math.max(1, now - start)) * (rect.w - 3);
  const py = (price: number): number => rect.y + rect.h - ((price - lowest) / (highest - lowest)) * rect.h;
  ctx.strokeStyle = paint.line;
  ctx.lineWidth = 1;
  ctx.setLineDash([3, 3]);
  ctx.beginPath();
  ctx.moveTo(rect.x, py(base));
  ctx.lineTo(rect.x + rect.w, py(base));
  ctx.stroke();
  ctx.setLineDash([]);
  if (!points.length) return;
  ctx.beginPath();
  for (const point of points) ctx.lineTo(px(point.tick), py(point.price));
  ctx.strokeStyle = color;
  ctx.lineWidth = 1.6;
  ctx.lineJoin = "round";
  ctx.stroke();
  ctx.lineTo(px(now), rect.y + rect.h);
  ctx.lineTo(px(points[0]?.tick ?? now), rect.y + rect.h);
  ctx.fillStyle = fade(color, 0.14);
  ctx.fill();
  ctx.fillStyle = color;
  ctx.beginPath();
  ctx.arc(px(now), py(points.at(-1)?.price ?? base), 2.6, 0, 7);
  ctx.fill();
}

function drawGood(sheet: Sheet, c: number, rect: Rect): void {
  const { ctx, paint, state, frame, memory } = sheet;
  const good = goods[c];
  if (!good) return;
  const color = paint.goods[c] ?? paint.ink;
  const amount = state.cargo[c] ?? 0;
  const shown = state.price[c] ?? 0;
  const change = state.price_change[c] ?? 0;
  const known = memory.price(frame.index, c);
  const price = known ?? shown;
  const slip = slippage(amount, state.stock[c] ?? null);
  const y1 = rect.y + rect.h * 0.3;
  const y2 = rect.y + rect.h * 0.72;
  round(ctx, rect.x, rect.y + rect.h / 2 - 12, 24, 24, 6);
  ctx.fillStyle = fade(color, 0.2);
  ctx.fill();
  text(ctx, good.sign, rect.x + 12, rect.y + rect.h / 2, { size: 12, weight: 700, color, align: "center" });
  const label = 74;
  text(ctx, good.short, rect.x + 31, y1, { size: 13, weight: 600, color: paint.ink, room: label });
  const buttons = sheet.legal !== null && state.node === 0 && amount > 0;
  const loss = slip === null ? "slip ?" : `slip ${percent(slip)}`;
  text(ctx, buttons ? `${units(amount)}, ${loss}` : amount ? `hold ${units(amount)}` : "none", rect.x + 31, y2, { size: 11, weight: amount ? 600 : 400, color: amount ? color : paint.dim, room: label });
  const right = rect.x + rect.w;
  const arrow = change > 0.05 ? "▲" : change < -0.05 ? "▼" : "";
  const tone = change > 0 ? paint.good : paint.bad;
  const side = 92;
  const used = text(ctx, known === null ? `${whole(shown)}+` : price.toFixed(1), right, y1, { size: 14, weight: 700, color: paint.ink, align: "right" });
  if (arrow) text(ctx, `${arrow}${Math.abs(change).toFixed(1)}`, right - used - 6, y1, { size: 10, weight: 600, color: tone, align: "right" });
  const options = [0, 1, 2].map((k) => first.sell + 3 * c + k);
  if (buttons) sellButtons(sheet, options, { x: right - side, y: y2 - 9, w: side, h: 18 });
  else {
    const words = amount ? `${slip === null ? "≈" : ""}${whole(amount * price * (1 - (slip ?? 0)))} cr · ${loss}` : stockWords(state.stock[c] ?? null);
    text(ctx, words, right, y2, { size: 11, color: paint.dim, align: "right", room: side + 20 });
  }
  const x = rect.x + 31 + label + 4;
  spark(sheet, c, { x, y: rect.y + 7, w: right - side - 14 - x, h: rect.h - 14 });
  sheet.hits.push({
    rect,
    option: -1,
    tip: [
      `${good.name}: ${known === null ? `above ${whole(shown)}` : price.toFixed(1)} credits a unit, base ${good.base}`,
      slip === null ? "The station does not publish this stock." : `Stock ${whole(state.stock[c] ?? 0)}; selling all ${units(amount)} loses ${percent(slip)} of the price.`,
    ],
  });
}

const stockWords = (stock: number | null): string => (stock === null ? "stock not shown" : `stock ${whole(stock)}`);

function sellButtons(sheet: Sheet, options: number[], rect: Rect): void {
  const w = (rect.w - 6) / 3;
  options.forEach((option, k) => {
    const cell = { x: rect.x + k * (w + 3), y: rect.y, w, h: rect.h };
    const can = allowed(sheet, option);
    face(sheet, cell, can ? option : -1, false);
    text(sheet.ctx, ["¼", "½", "all"][k] ?? "", cell.x + w / 2, cell.y + rect.h / 2, { size: 11, weight: 600, color: sheet.paint.ink, align: "center" });
    sheet.hits.push({ rect: cell, option: can ? option : -1, tip: [actions[option]?.label ?? "", actions[option]?.hint ?? ""] });
  });
}

export function drawMarket(sheet: Sheet, rect: Rect): void {
  const { ctx, paint, state } = sheet;
  const worth = cargoValue(state);
  panel(ctx, rect, paint, "Market", worth > 0 ? `cargo worth ${whole(worth)} credits` : "price now and before, slippage");
  const step = (rect.h - 34) / goods.length;
  goods.forEach((_, c) => {
    const row = { x: rect.x + 12, y: rect.y + 28 + c * step, w: rect.w - 24, h: step };
    if (c) {
      ctx.fillStyle = fade(paint.line, 0.7);
      ctx.fillRect(row.x, row.y, row.w, 1);
    }
    drawGood(sheet, c, row);
  });
}

// ---- map ----

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
  const labels: { x: number; y: number; words: string; near: boolean }[] = [];
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
      const at = !near ? 0.5 : a.node === state.node ? 0.55 : 0.45;
      labels.push({ x: ax + (bx - ax) * at, y: ay + (by - ay) * at, words: `${road.time}t ${Math.round(road.fuel)}f`, near });
    }
  }
  ctx.setLineDash([]);
  for (const item of labels) {
    ctx.font = "600 10px system-ui, sans-serif";
    const w = ctx.measureText(item.words).width + 6;
    round(ctx, item.x - w / 2, item.y - 7, w, 14, 4);
    ctx.fillStyle = fade(paint.panel, 0.9);
    ctx.fill();
    text(ctx, item.words, item.x, item.y, { size: 10, weight: 600, color: item.near ? paint.ink : paint.dim, align: "center" });
  }
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

// ---- events ----

type Mood = "bad" | "warn" | "good" | "accent" | "dim";
const eventWords: Record<string, [title: string, mood: Mood, icon: string]> = {
  terminated: ["Trip over", "warn", "flag"],
  truncated: ["Time is up", "warn", "clock"],
  pirate_encounter: ["Pirate raid", "bad", "skull"],
  fracture: ["Rock fractured", "bad", "rock"],
  overheat_tick: ["Overheating", "bad", "heat"],
  invalid_action: ["Not possible", "warn", "no"],
  decoy_used: ["Decoy used", "warn", "decoy"],
  sold: ["Sold", "good", "coin"],
  bought: ["Bought", "accent", "kit"],
  arrived: ["Arrived", "accent", "ship"],
};
export const namedEvents = Object.keys(eventWords);

/** Icons of the site's action buttons that this view draws under another name. */
const actionIcon: Record<string, string> = {
  travel: "ship", burn: "ship", hold: "clock", listen: "scan", mine: "rock", refine: "decoy", cool: "heat", wrench: "tool", shield: "hull", drop: "hold", dock: "home",
};

interface Happening {
  title: string;
  mood: Mood;
  icon: string;
}

/** The most important thing of a step: an event, else the action. */
function happening(events: string[], action: string): Happening {
  for (const [name, [title, mood, sign]] of Object.entries(eventWords)) {
    if (events.includes(name)) return { title, mood, icon: sign };
  }
  const info = actions.find((entry) => entry.name === action);
  return { title: info?.label ?? "Ready", mood: "dim", icon: actionIcon[info?.icon ?? ""] ?? info?.icon ?? "ship" };
}

const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);
const tidy = (words: string): string => capital(words.replaceAll("->", "→"));
const start = "The tank is full and the hold is empty. Choose a way and fly.";

export function drawEvent(sheet: Sheet, rect: Rect): void {
  const { ctx, paint, state, frame } = sheet;
  const what = happening(frame.events, frame.actionName);
  const color = what.mood === "dim" ? paint.accent : paint[what.mood];
  panel(ctx, rect, paint);
  round(ctx, rect.x, rect.y, 5, rect.h, 3);
  ctx.fillStyle = color;
  ctx.fill();
  const y = rect.y + rect.h / 2;
  ctx.beginPath();
  ctx.arc(rect.x + 32, y, 18, 0, 7);
  ctx.fillStyle = fade(color, 0.2);
  ctx.fill();
  icon(ctx, what.icon, rect.x + 32, y, 20, color);
  const x = rect.x + 60;
  const room = rect.w - 72;
  text(ctx, `LAST EVENT · TICK ${whole(state.ticks)}`, x, rect.y + 14, { size: 11, weight: 700, color: paint.dim, room });
  const wide = rect.w > 520;
  const story = frame.story ? tidy(frame.story) : start;
  if (wide) {
    const used = text(ctx, what.title, x, y + 10, { size: 17, weight: 800, color: what.mood === "dim" ? paint.ink : color });
    const lines = wrap(ctx, story, 13, 400, room - used - 16, 2);
    lines.forEach((line, k) => text(ctx, line, x + used + 16, y + 10 + (k - (lines.length - 1) / 2) * 17, { size: 13, color: paint.ink }));
    return;
  }
  text(ctx, what.title, x, rect.y + 31, { size: 15, weight: 800, color: what.mood === "dim" ? paint.ink : color, room });
  wrap(ctx, story, 12, 400, room, 2).forEach((line, k) => text(ctx, line, x, rect.y + 48 + k * 15, { size: 12, color: paint.ink }));
}

export function drawLog(sheet: Sheet, rect: Rect): void {
  const { ctx, paint, frame, memory } = sheet;
  panel(ctx, rect, paint, "Log");
  const step = 30;
  const lines = memory.log(frame.index, Math.max(0, Math.floor((rect.h - 34) / step)));
  lines.forEach((line, k) => {
    const y = rect.y + 40 + k * step;
    const what = happening(line.events, line.action);
    const color = what.mood === "dim" ? paint.dim : paint[what.mood];
    icon(ctx, what.icon, rect.x + 20, y, 14, color);
    const times = line.count > 1 ? ` × ${line.count}` : "";
    const tick = text(ctx, whole(line.tick), rect.x + rect.w - 12, y - 7, { size: 10, color: paint.dim, align: "right" });
    text(ctx, what.title + times, rect.x + 34, y - 7, { size: 12, weight: 650, color: what.mood === "dim" ? paint.ink : color, room: rect.w - 54 - tick });
    text(ctx, tidy(line.text), rect.x + 34, y + 8, { size: 11, color: paint.dim, room: rect.w - 46 });
  });
}
