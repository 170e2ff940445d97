// Which visual effect and which sound cue belongs to every action and event, and the notes of the cues.
// The effects are drawn in scene.ts.
import type { CueNote, Effect, Manifest } from "ludus/view";
import { ingredients } from "./tables";

const effect = (visual: string, cue: string): Effect => ({ visual, cue });
const note = (wave: CueNote["wave"], from: number, to: number, seconds: number, gain: number): CueNote => ({ wave, from, to, seconds, gain });

const sounds: Record<string, string> = {
  bone: "drop-hard",
  gem: "drop-hard",
  mineral: "drop-hard",
  ore: "drop-hard",
  essence: "drop-spirit",
  pure_mana: "drop-spirit",
  fish: "drop-wet",
  flesh: "drop-wet",
  slime: "drop-wet",
};

export const manifest: Manifest = {
  actions: {
    finish: effect("simmer", "finish"),
    ...Object.fromEntries(ingredients.map((piece) => [piece.name, effect("fall", sounds[piece.kind] ?? "drop")])),
    reserved: effect("none", "none"),
  },
  events: {
    added: effect("splash", "splash"),
    ignored: effect("refuse", "refuse"),
    brewed: effect("bottles", "brewed"),
    perfect: effect("rays", "perfect"),
    failed: effect("smoke", "failed"),
    full: effect("brim", "full"),
    contest_won: effect("cup", "contest"),
  },
  cues: {
    drop: [note("triangle", 420, 300, 0.07, 0.14)],
    "drop-hard": [note("square", 660, 420, 0.04, 0.08), note("triangle", 240, 150, 0.08, 0.16)],
    "drop-spirit": [note("sine", 880, 1320, 0.16, 0.1), note("sine", 1320, 990, 0.14, 0.07)],
    "drop-wet": [note("sine", 260, 120, 0.1, 0.2)],
    splash: [note("noise", 1400, 500, 0.12, 0.2), note("sine", 320, 620, 0.08, 0.12)],
    finish: [note("noise", 500, 1600, 0.3, 0.16)],
    refuse: [note("square", 170, 150, 0.09, 0.14), note("square", 130, 110, 0.14, 0.14)],
    brewed: [note("triangle", 523, 523, 0.1, 0.2), note("triangle", 659, 659, 0.1, 0.2), note("triangle", 784, 784, 0.25, 0.2)],
    perfect: [note("sine", 1047, 1047, 0.1, 0.16), note("sine", 1319, 1319, 0.1, 0.16), note("sine", 1568, 1568, 0.35, 0.16)],
    failed: [note("noise", 900, 160, 0.4, 0.4), note("sawtooth", 180, 60, 0.35, 0.16)],
    full: [note("sine", 392, 784, 0.22, 0.14)],
    contest: [note("triangle", 784, 784, 0.12, 0.2), note("triangle", 1047, 1047, 0.12, 0.2), note("triangle", 1319, 1319, 0.4, 0.2)],
  },
};
