// Sound: off until the visitor switches it on, and remembered. A cue is a few notes of a view's
// manifest by Web Audio, or a file of the art pack under the same name. The audio context opens with
// the first cue that is to be heard, as browsers want.
import { loadPack, soundFile } from "../pack";
import type { CueNote, Manifest } from "../view";
import { kept } from "./store";

export const [soundOn, setSoundOn] = kept("sound", false);

const most = 6; // voices at once; a fast replay would else pile them up
const gap = 0.06; // seconds between two starts of the same cue

let context: AudioContext | undefined;
let output: GainNode | undefined;
let hiss: AudioBuffer | undefined;
let voices = 0;
const last = new Map<string, number>();
const files = new Map<string, Promise<AudioBuffer | null>>();

function open(): { context: AudioContext; output: GainNode } {
  if (!context || !output) {
    context = new AudioContext();
    output = context.createGain();
    output.gain.value = 0.5;
    output.connect(context.destination);
    void loadPack();
  }
  if (context.state === "suspended") void context.resume();
  return { context, output };
}

/** One second of noise from a fixed generator. */
function noise(audio: AudioContext): AudioBuffer {
  if (!hiss) {
    hiss = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
    const data = hiss.getChannelData(0);
    let x = 22695477;
    for (let i = 0; i < data.length; i++) {
      x = (Math.imul(x, 1664525) + 1013904223) | 0;
      data[i] = x / 2147483648;
    }
  }
  return hiss;
}

/** The source of a note, gliding from one pitch to the other; noise glides by a filter. */
function source(audio: AudioContext, note: CueNote, at: number): [AudioScheduledSourceNode, AudioNode] {
  const glide = (pitch: AudioParam): void => {
    pitch.setValueAtTime(Math.max(1, note.from), at);
    pitch.exponentialRampToValueAtTime(Math.max(1, note.to), at + note.seconds);
  };
  if (note.wave === "noise") {
    const player = audio.createBufferSource();
    const filter = audio.createBiquadFilter();
    player.buffer = noise(audio);
    player.loop = true;
    filter.type = "bandpass";
    filter.Q.value = 1.2;
    glide(filter.frequency);
    player.connect(filter);
    return [player, filter];
  }
  const tone = audio.createOscillator();
  tone.type = note.wave;
  glide(tone.frequency);
  return [tone, tone];
}

function playNotes(notes: CueNote[]): void {
  const { context: audio, output: out } = open();
  let at = audio.currentTime + 0.01;
  for (const note of notes) {
    const [start, end] = source(audio, note, at);
    const level = audio.createGain();
    const attack = Math.min(0.012, note.seconds / 3);
    level.gain.setValueAtTime(0, at);
    level.gain.linearRampToValueAtTime(note.gain, at + attack);
    level.gain.exponentialRampToValueAtTime(0.0008, at + note.seconds);
    end.connect(level).connect(out);
    start.start(at);
    start.stop(at + note.seconds + 0.02);
    voices++;
    start.onended = () => {
      voices--;
      level.disconnect();
    };
    at += note.seconds * 0.82; // notes overlap a little
  }
}

async function decode(audio: AudioContext, address: string): Promise<AudioBuffer | null> {
  try {
    const answer = await fetch(address);
    return answer.ok ? await audio.decodeAudioData(await answer.arrayBuffer()) : null;
  } catch {
    return null;
  }
}

async function playFile(address: string, notes: CueNote[]): Promise<void> {
  const { context: audio, output: out } = open();
  let buffer = files.get(address);
  if (!buffer) {
    buffer = decode(audio, address);
    files.set(address, buffer);
  }
  const data = await buffer;
  if (!data) return playNotes(notes);
  const player = audio.createBufferSource();
  player.buffer = data;
  player.connect(out);
  player.onended = () => voices--;
  voices++;
  player.start();
}

/** Plays a cue of a manifest's `cues`; an unknown cue and "none" are silent. */
function playCue(cue: string, cues: Record<string, CueNote[]>): void {
  const notes = cues[cue];
  if (!notes || voices >= most || typeof AudioContext === "undefined") return;
  const now = performance.now() / 1000;
  if (now - (last.get(cue) ?? -1) < gap) return;
  last.set(cue, now);
  const file = soundFile(cue);
  if (file) void playFile(file, notes);
  else playNotes(notes);
}

/** The `sound` of a view's host. */
export const player = (effects: Manifest) => (cue: string) => {
  if (soundOn()) playCue(cue, effects.cues);
};
