// The card of the item: name and rarity, a line for each modifier with its side and tier, the options
// of a reveal, the requirements, and a bar of what was spent.
import type { Frame } from "ludus/view";
import { round, text } from "ludus/canvas";
import { banner, ground, type Scene } from "ludus/small_view";
import { hitsOf, marksOf, type State } from "./state";

const rowHeight = 34;
const rows = 6;
const rarities = { normal: "ink", magic: "accent", rare: "warn" } as const;

export const heightOf = (width: number): number => (width < 480 ? 420 : 380);

function drawRow(scene: Scene, state: State, k: number, y: number): void {
  const { ctx, width, inks } = scene;
  const modifier = state.item.mods[k];
  round(ctx, 16, y, width - 32, rowHeight - 6, 6);
  ctx.fillStyle = inks.raised;
  ctx.fill();
  if (!modifier) return;
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
  const spent = `${state.spent.toFixed(2)} of ${state.budget} exalted, ${state.bases} white bases`;
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
  const needs = state.requirements.map((one) => `${one.matched} of ${one.count}`);
  if (state.open_prefix) needs.push(`${state.open_prefix} open prefix`);
  if (state.open_suffix) needs.push(`${state.open_suffix} open suffix`);
  text(ctx, `Wanted: ${needs.join(", ")}`, 16, y, { size: 14, color: inks.ink, room: width - 32 });
  y += 24;
  const options = state.item.options ?? [];
  if (options.length) text(ctx, `Revealed: ${options.join(", ")}`, 16, y, { size: 13, color: inks.warn, room: width - 32 });
  drawSpent(scene, state, y + 18);
  if (frame.over) banner(scene, frame.events.includes("done"), 0.4);
}

export function words(frame: Frame): string {
  const state = frame.state as State;
  const hits = hitsOf(state);
  const list = state.item.mods.map((one, k) => `${one.text}${hits.has(k) ? " (wanted)" : ""}`);
  return `${state.base}, ${state.item.rarity}: ${list.join("; ") || "no modifiers"}. ${frame.story}`;
}
