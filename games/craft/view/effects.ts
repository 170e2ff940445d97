// Which cue belongs to every action and event, and the notes of the cues.
import type { CueNote, Manifest } from "ludus/view";
import { actions, classicActions } from "./words";

const note = (wave: CueNote["wave"], from: number, to: number, seconds: number, gain: number): CueNote => ({ wave, from, to, seconds, gain });

export const manifest: Manifest = {
  actions: Object.fromEntries([...classicActions, ...actions].map((one) => [one.name, { visual: "none", cue: one.name === "new_base" ? "base" : "use" }])),
  events: {
    used: { visual: "none", cue: "none" },
    ignored: { visual: "none", cue: "refuse" },
    base: { visual: "none", cue: "none" },
    hit: { visual: "none", cue: "hit" },
    lost: { visual: "none", cue: "lost" },
    done: { visual: "none", cue: "done" },
    failed: { visual: "none", cue: "failed" },
  },
  cues: {
    use: [note("triangle", 520, 380, 0.06, 0.12)],
    base: [note("sine", 240, 140, 0.1, 0.16)],
    refuse: [note("square", 170, 150, 0.09, 0.12)],
    hit: [note("sine", 880, 1320, 0.14, 0.12)],
    lost: [note("sine", 420, 260, 0.16, 0.12)],
    done: [note("triangle", 784, 784, 0.12, 0.2), note("triangle", 1047, 1047, 0.12, 0.2), note("triangle", 1319, 1319, 0.4, 0.2)],
    failed: [note("noise", 900, 160, 0.4, 0.3)],
  },
};
