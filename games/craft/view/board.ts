// The card of the item: name and rarity, a line for each modifier with its side and tier, the options
// of a reveal, the requirements, and a bar of what was spent.
import type { Frame } from "ludus/view";
import { round, text } from "ludus/canvas";
import { banner, ground, type Scene } from "ludus/small_view";
import { hitsOf, marksOf, type State } from "./state";

const rowHeight = 34;
const rows = 6;
const rarities = { normal: "ink", magic: "accent", rare: "warn" } as const;

const needHeight = 22;
const needsShown = 5; // as many lines have room; the last one counts what is left

export const heightOf = (width: number): number => (width < 480 ? 490 : 450);

/** What is wanted, a line each: how much of it is there, and what it takes. */
function needsOf(state: State): { done: boolean; count: string; words: string }[] {
  const needs = state.requirements.map((one, k) => ({ done: one.matched >= one.count, count: `${one.matched} of ${one.count}`, words: one.words ?? `requirement ${k + 1}` }));
  const open = [["prefix", state.open_prefix], ["suffix", state.open_suffix]] as const;
  return [...needs, ...open.filter(([, count]) => count > 0).map(([side, count]) => ({ done: false, count: `${count}`, words: `open ${side}${count > 1 ? "es" : ""}` }))];
}

function drawNeeds(scene: Scene, state: State, y: number): void {
  const { ctx, width, inks } = scene;
  const needs = needsOf(state);
  const shown = needs.length > needsShown ? needs.slice(0, needsShown - 1) : needs;
  shown.forEach(({ done, count, words }, k) => {
    const at = y + k * needHeight;
    text(ctx, count, 16, at, { size: 13, weight: 700, color: done ? inks.good : inks.dim, room: 52 });
    text(ctx, words, 70, at, { size: 13, color: done ? inks.good : inks.ink, room: width - 86 });
  });
  if (shown.length < needs.length) text(ctx, `and ${needs.length - shown.length} more`, 70, y + shown.length * needHeight, { size: 13, color: inks.dim, room: width - 86 });
}

/** Slots of each side, by rarity. */
const slots = { normal: 0, magic: 1, rare: 3 } as const;

/** What an empty row is: a slot that is still free, or nothing at this rarity. */
function freeSlots(state: State): string[] {
  const free = (side: "P" | "S"): number => Math.max(0, slots[state.item.rarity] - state.item.mods.filter((one) => one.side === side).length);
  if (state.item.rarity === "normal") return ["a white base: no modifiers yet"];
  return [...Array<string>(free("P")).fill("open prefix"), ...Array<string>(free("S")).fill("open suffix")];
}

function drawFree(scene: Scene, words: string | undefined, y: number): void {
  const { ctx, width, inks } = scene;
  ctx.save();
  ctx.globalAlpha = words ? 1 : 0.45;
  ctx.setLineDash([4, 4]);
  ctx.strokeStyle = inks.line;
  round(ctx, 16.5, y + 0.5, width - 33, rowHeight - 7, 6);
  ctx.stroke();
  ctx.restore();
  if (words) text(ctx, words, 50, y + (rowHeight - 6) / 2, { size: 13, color: inks.dim, room: width - 74 });
}

function drawRow(scene: Scene, state: State, k: number, y: number): void {
  const { ctx, width, inks } = scene;
  const modifier = state.item.mods[k];
  if (!modifier) return drawFree(scene, freeSlots(state)[k - state.item.mods.length], y);
  round(ctx, 16, y, width - 32, rowHeight - 6, 6);
  ctx.fillStyle = inks.raised;
  ctx.fill();
  const hit = hitsOf(state).has(k);
  ctx.fillStyle = hit ? inks.good : inks.line;
  ctx.fillRect(16, y, 5, rowHeight - 6);
  const middle = y + (rowHeight - 6) / 2;
  text(ctx, modifier.side, 34, middle, { size: 13, weight: 700, color: inks.dim, align: "center" });
  const marks = marksOf(modifier);
  const room = width < 480 ? 0 : 150;
  text(ctx, modifier.text, 50, middle, { size: 14, weight: hit ? 700 : 400, color: hit ? inks.good : inks.ink, room: width - 74 - room });
  if (room) text(ctx, marks, width - 26, middle, { size: 12, color: inks.dim, align: "right", room });
}

function drawSpent(scene: Scene, state: State, y: number): void {
  const { ctx, width, inks } = scene;
  const share = Math.min(1, state.spent / state.budget);
  round(ctx, 16, y, width - 32, 10, 5);
  ctx.fillStyle = inks.raised;
  ctx.fill();
  round(ctx, 16, y, Math.max(10, (width - 32) * share), 10, 5);
  ctx.fillStyle = share > 0.9 ? inks.bad : share > 0.6 ? inks.warn : inks.accent;
  ctx.fill();
  const spent = `${state.spent.toFixed(2)} of ${state.budget} exalted, ${state.bases} white base${state.bases === 1 ? "" : "s"}`;
  text(ctx, spent, 16, y + 26, { size: 13, color: inks.dim, room: width - 32 });
}

export function draw(scene: Scene): void {
  const { ctx, width, inks, frame } = scene;
  const state = frame.state as State;
  ground(scene, inks.panel, inks.page);
  text(ctx, state.base, 16, 24, { size: 18, weight: 700, color: inks[rarities[state.item.rarity]], room: width - 150 });
  text(ctx, `${state.item.rarity}, level ${state.ilvl}`, width - 16, 24, { size: 13, color: inks.dim, align: "right" });
  for (let k = 0; k < rows; k++) drawRow(scene, state, k, 44 + k * rowHeight);
  let y = 44 + rows * rowHeight + 14;
  text(ctx, "Wanted", 16, y, { size: 13, weight: 700, color: inks.dim, room: width - 32 });
  drawNeeds(scene, state, y + needHeight);
  y += (1 + needsShown) * needHeight;
  const options = state.item.options ?? [];
  if (options.length) text(ctx, `Revealed: ${options.join(", ")}`, 16, y, { size: 13, color: inks.warn, room: width - 32 });
  drawSpent(scene, state, y + 14);
  // above what was spent: the item stays in sight
  if (frame.over) banner(scene, frame.events.includes("done"), (y - 33) / scene.height);
}

export function words(frame: Frame): string {
  const state = frame.state as State;
  const hits = hitsOf(state);
  const list = state.item.mods.map((one, k) => `${one.text}${hits.has(k) ? " (wanted)" : ""}`);
  return `${state.base}, ${state.item.rarity}: ${list.join("; ") || "no modifiers"}. ${frame.story}`;
}
