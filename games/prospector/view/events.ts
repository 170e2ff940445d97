// The last event in words, and the log.
import { round, text, wrap } from "ludus/canvas";
import { fade, icon, panel, type Rect } from "./pen";
import { whole } from "./rules";
import type { Sheet } from "./sheet";
import { actions } from "./words";

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

const tidy = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1).replaceAll("->", "→").replaceAll(" -", " −");
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
  if (!lines.length && rect.h > 60) text(ctx, "Nothing has happened yet", rect.x + 12, rect.y + 44, { size: 12, color: paint.dim, room: rect.w - 24 });
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
