// The ship's instruments: gauges, threat, supplies.
import type { Tone } from "ludus/view";
import { round, text } from "ludus/canvas";
import { bar, icon, panel, stacked, type Paint, type Rect } from "./pen";
import { cargoValue, levelNames, most, percent, raidChance, sum, threatLevel, units, whole, type State } from "./rules";
import { high, low, type GaugeKey, type Sheet } from "./sheet";

interface Dial {
  key: GaugeKey;
  label: string;
  icon: string;
  max: number;
  tone(state: State): Tone;
  tip: string;
}

export const dials: Dial[] = [
  { key: "fuel", label: "Fuel", icon: "fuel", max: most.fuel, tone: (s) => low(s.fuel, 350, 150), tip: "Without fuel away from the station the trip ends." },
  { key: "hull", label: "Hull", icon: "hull", max: most.hull, tone: (s) => low(s.hull, 55, 30), tip: "Fractures, raids, heat and hazards eat it; at 0 the ship is lost." },
  { key: "heat", label: "Heat", icon: "heat", max: most.heat, tone: (s) => high(s.heat, 60, 85), tip: "Above 70 mining yields less, above 100 the hull burns." },
  { key: "tool", label: "Tool", icon: "tool", max: most.tool, tone: (s) => low(s.tool, 55, 30), tip: "A worn tool yields less and breaks rocks more often." },
  { key: "cargo", label: "Hold", icon: "hold", max: most.cargo, tone: (s) => high(sum(s.cargo), 150, 190), tip: "A heavy hold makes flights cost more fuel and attracts pirates." },
  { key: "alert", label: "Alert", icon: "scan", max: most.alert, tone: (s) => high(s.alert, 25, 55), tip: "How well pirates see you: scanning and mining raise it, holding and docking lower it." },
];

export const valueOf = (state: State, key: GaugeKey): number => (key === "cargo" ? sum(state.cargo) : state[key]);

/** A gauge's figure, the same in the picture and beside it. */
export const figureOf = (state: State, key: GaugeKey): string => (key === "cargo" ? units : whole)(valueOf(state, key));

function goodShares(state: State): number[] {
  return state.cargo.map((amount) => amount / most.cargo);
}

/** One gauge of at least 36 pixels: icon, name, figure, bar. */
function drawDial(sheet: Sheet, dial: Dial, rect: Rect, wide: boolean): void {
  const { ctx, paint, state } = sheet;
  const value = sheet.shown[dial.key];
  const tone = dial.tone(state);
  const color = tone === "good" ? paint.ink : paint[tone];
  const y = rect.y + 10;
  icon(ctx, dial.icon, rect.x + 8, y, 15, tone === "good" ? paint.dim : color);
  text(ctx, dial.label, rect.x + 21, y, { size: 13, weight: 600, color: paint.ink });
  const figure = figureOf(state, dial.key);
  const end = rect.x + rect.w;
  if (wide) {
    const of = text(ctx, ` / ${whole(dial.max)}`, end, y, { size: 11, color: paint.dim, align: "right" });
    text(ctx, figure, end - of, y, { size: 15, weight: 700, color, align: "right" });
  } else {
    text(ctx, figure, end, y, { size: figure.length > 3 && rect.w < 110 ? 12 : 15, weight: 700, color, align: "right" });
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

export const raidWords = (state: State): string => (state.node ? `${percent(raidChance(state))} raid risk a tick` : "no raids here");

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
  { key: "kits", share: 0.26, icon: "kit", label: "kits", tip: "Repair kits mend tool or hull." },
  { key: "stabilizers", share: 0.44, icon: "clamp", label: "stabilizers", tip: "A stabilizer keeps a rock from breaking for 6 ticks." },
  { key: "decoys", share: 0.3, icon: "decoy", label: "decoys", tip: "A decoy may draw raiders off the cargo." },
] as const;

export function drawSupplies(sheet: Sheet, rect: Rect): void {
  const { ctx, paint, state } = sheet;
  panel(ctx, rect, paint);
  let x = rect.x + 8;
  supplies.forEach((supply) => {
    const w = (rect.w - 16) * supply.share;
    const y = rect.y + rect.h / 2;
    const count = state[supply.key];
    icon(ctx, supply.icon, x + 13, y - 8, 17, count ? paint.accent : paint.dim);
    text(ctx, `${count}`, x + 28, y - 8, { size: 15, weight: 700, color: count ? paint.ink : paint.dim });
    text(ctx, supply.label, x + 5, y + 12, { size: 11, color: paint.dim, room: w - 6 });
    sheet.hits.push({ rect: { x, y: rect.y, w, h: rect.h }, option: -1, tip: [`${count} ${supply.label} of ${most.supply}`, supply.tip] });
    x += w;
  });
}
