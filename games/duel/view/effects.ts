// Which sound belongs to an event, and the notes of the cues. What is seen is drawn in arena.ts.
import type { CueNote, Effect, Manifest } from "ludus/view";

const effect = (visual: string, cue: string): Effect => ({ visual, cue });
const note = (wave: CueNote["wave"], from: number, to: number, seconds: number, gain: number): CueNote => ({ wave, from, to, seconds, gain });

export const manifest: Manifest = {
  actions: {
    no_op_attack: effect("none", "none"),
    mage_attack: effect("attack", "none"),
    ranged_attack: effect("attack", "none"),
    melee_attack: effect("attack", "none"),
  },
  events: {
    melee: effect("attack", "strike"),
    ranged: effect("attack", "shot"),
    magic: effect("attack", "spell"),
    special: effect("attack", "special"),
    blocked: effect("shield", "none"),
    big_hit: effect("splat", "hit"),
    frozen: effect("ice", "freeze"),
    ate: effect("card", "eat"),
    drank: effect("card", "none"),
    vengeance: effect("card", "spell"),
    pid: effect("card", "none"),
    won: effect("banner", "end"),
  },
  cues: {
    strike: [note("noise", 900, 300, 0.07, 0.25)],
    shot: [note("triangle", 900, 300, 0.08, 0.2)],
    spell: [note("sine", 400, 900, 0.14, 0.2)],
    special: [note("sawtooth", 220, 660, 0.12, 0.18), note("sawtooth", 660, 330, 0.1, 0.15)],
    hit: [note("square", 160, 60, 0.16, 0.22)],
    freeze: [note("sine", 1400, 700, 0.2, 0.16)],
    eat: [note("noise", 500, 700, 0.05, 0.15)],
    end: [note("triangle", 440, 440, 0.12, 0.25), note("triangle", 660, 660, 0.25, 0.25)],
  },
};
