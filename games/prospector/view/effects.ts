// Which visual effect and which sound cue belongs to every action and event, and the notes of the
// cues. The effects themselves are drawn in scene_effects.ts; a pack replaces cues by their names.
import type { CueNote, Effect, Manifest } from "ludus/view";
import { actions } from "./words";

const effect = (visual: string, cue: string): Effect => ({ visual, cue });

/** The first row whose start the name has. */
const byStart: [start: string, effect: Effect][] = [
  ["travel", effect("streak", "engine")],
  ["hold", effect("drift", "hold")],
  ["emergency burn", effect("burn", "burn")],
  ["wide scan", effect("wave", "scan")],
  ["focused scan", effect("cone", "scan-focus")],
  ["deep scan", effect("deep", "scan-deep")],
  ["threat listen", effect("listen", "listen")],
  ["select rock", effect("lock", "lock")],
  ["mine careful", effect("beam-soft", "drill-soft")],
  ["mine normal", effect("beam", "drill")],
  ["mine hard", effect("beam-hard", "drill-hard")],
  ["stabilise rock", effect("clamps", "clamps")],
  ["refine", effect("refine", "refine")],
  ["active cooling", effect("frost", "cool")],
  ["tool maintenance", effect("sparks", "repair")],
  ["hull patch", effect("weld", "repair")],
  ["jettison", effect("crate-out", "jettison")],
  ["dock", effect("dock", "dock")],
  ["sell", effect("coins", "coins")],
  ["buy fuel", effect("refuel", "refuel")],
  ["buy", effect("crate-in", "buy")],
  ["overhaul", effect("overhaul", "overhaul")],
  ["cash out", effect("fanfare", "fanfare")],
];

const events: Record<string, Effect> = {
  invalid_action: effect("refuse", "refuse"),
  pirate_encounter: effect("raid", "raid"),
  overheat_tick: effect("overheat", "alarm"),
  terminated: effect("end", "end"),
  truncated: effect("end", "end"),
  arrived: effect("arrive", "arrive"),
  fracture: effect("shatter", "shatter"),
  decoy_used: effect("flare", "flare"),
  sold: effect("gain", "sold"),
  bought: effect("spend", "bought"),
};

const note = (wave: CueNote["wave"], from: number, to: number, seconds: number, gain: number): CueNote => ({
  wave,
  from,
  to,
  seconds,
  gain,
});

const cues: Record<string, CueNote[]> = {
  engine: [note("noise", 180, 900, 0.35, 0.5), note("noise", 900, 240, 0.3, 0.3)],
  hold: [note("sine", 220, 200, 0.12, 0.08)],
  burn: [note("noise", 300, 2400, 0.25, 0.7), note("sawtooth", 160, 60, 0.25, 0.2)],
  scan: [note("sine", 520, 1240, 0.3, 0.22)],
  "scan-focus": [note("sine", 760, 1520, 0.16, 0.22), note("sine", 1520, 1520, 0.1, 0.16)],
  "scan-deep": [note("sine", 420, 1680, 0.3, 0.22), note("sine", 1680, 840, 0.25, 0.18)],
  listen: [note("triangle", 1180, 1180, 0.09, 0.2), note("triangle", 880, 880, 0.14, 0.12)],
  lock: [note("square", 980, 980, 0.04, 0.1), note("square", 1310, 1310, 0.06, 0.1)],
  "drill-soft": [note("sawtooth", 110, 96, 0.16, 0.1), note("noise", 1400, 900, 0.08, 0.1)],
  drill: [note("sawtooth", 130, 104, 0.18, 0.16), note("noise", 1700, 900, 0.1, 0.16)],
  "drill-hard": [note("sawtooth", 160, 90, 0.22, 0.22), note("noise", 2200, 800, 0.14, 0.26)],
  clamps: [note("square", 240, 180, 0.07, 0.16), note("square", 200, 150, 0.09, 0.16)],
  refine: [note("triangle", 180, 360, 0.3, 0.22), note("sine", 720, 960, 0.2, 0.14)],
  cool: [note("noise", 5200, 1800, 0.4, 0.28)],
  repair: [note("square", 640, 600, 0.05, 0.12), note("square", 860, 820, 0.05, 0.12), note("triangle", 1060, 1060, 0.12, 0.16)],
  jettison: [note("noise", 700, 160, 0.28, 0.4)],
  dock: [note("sine", 330, 330, 0.1, 0.2), note("sine", 440, 440, 0.18, 0.2)],
  coins: [note("triangle", 1560, 1560, 0.06, 0.18), note("triangle", 2080, 2080, 0.12, 0.18)],
  refuel: [note("noise", 400, 900, 0.35, 0.25), note("sine", 300, 520, 0.16, 0.16)],
  buy: [note("triangle", 700, 700, 0.07, 0.18), note("triangle", 520, 520, 0.1, 0.18)],
  overhaul: [note("square", 420, 400, 0.07, 0.12), note("square", 560, 540, 0.07, 0.12), note("sine", 840, 1120, 0.25, 0.18)],
  fanfare: [note("triangle", 523, 523, 0.13, 0.22), note("triangle", 659, 659, 0.13, 0.22), note("triangle", 784, 784, 0.13, 0.22), note("triangle", 1047, 1047, 0.4, 0.24)],
  refuse: [note("square", 170, 150, 0.09, 0.16), note("square", 130, 110, 0.14, 0.16)],
  raid: [note("sawtooth", 620, 140, 0.16, 0.28), note("sawtooth", 560, 110, 0.2, 0.28), note("noise", 500, 120, 0.25, 0.5)],
  alarm: [note("square", 880, 880, 0.1, 0.14), note("square", 660, 660, 0.14, 0.14)],
  end: [note("sine", 392, 392, 0.2, 0.22), note("sine", 294, 294, 0.2, 0.22), note("sine", 196, 196, 0.5, 0.24)],
  arrive: [note("sine", 620, 310, 0.18, 0.14)],
  shatter: [note("noise", 3600, 300, 0.35, 0.8), note("triangle", 90, 50, 0.3, 0.4)],
  flare: [note("noise", 1200, 4800, 0.2, 0.3), note("sine", 1400, 700, 0.2, 0.14)],
  sold: [note("triangle", 2340, 2340, 0.1, 0.14)],
  bought: [note("triangle", 420, 420, 0.08, 0.14)],
};

function effectOf(name: string): Effect {
  for (const [start, row] of byStart) {
    if (name.startsWith(start)) return row;
  }
  return effect("none", "none");
}

export const manifest: Manifest = {
  actions: Object.fromEntries(actions.map((action) => [action.name, effectOf(action.name)])),
  events,
  cues,
};
