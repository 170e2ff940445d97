// Playing a track: where it is, whether it runs, how fast. Time comes from the screen's frames, so
// that a hidden page stands still and fast play leaves frames out rather than falling behind. Long
// episodes begin as highlights: all of it in about a minute, which stays longest at what is rare.
import { batch, createEffect, createMemo, createSignal, on, onCleanup, untrack, type Accessor } from "solid-js";
import type { Mark, Track } from "./track";

/** 0: highlights, where the episode is long. */
export const highlights = 0;
export const speeds = [highlights, 0.25, 0.5, 1, 2, 4, 8, 16];
const minute = 60; // seconds that highlights take, about
const longFrom = 80; // seconds at speed 1 from which an episode is long
const stops = 36;
const stopSeconds = 0.9;

/** Seconds that each frame stays in highlights: frames whose events are rarest in the episode stay, the
 * others share the rest. */
export function staysOf(last: number, marks: Mark[]): Float64Array {
  const counts = new Map<string, number>();
  for (const { events } of marks) for (const event of events) counts.set(event, (counts.get(event) ?? 0) + 1);
  const rarity = ({ events }: Mark) => Math.max(...events.map((event) => 1 / counts.get(event)!));
  const chosen = [...marks].sort((a, b) => rarity(b) - rarity(a)).slice(0, stops);
  const stays = new Float64Array(last + 1).fill((minute - chosen.length * stopSeconds) / Math.max(1, last));
  for (const { frame } of chosen) stays[frame] = stopSeconds;
  return stays;
}

export interface Player {
  index: Accessor<number>;
  playing: Accessor<boolean>;
  speed: Accessor<number>;
  /** the episode takes long at speed 1: highlights are offered */
  long: Accessor<boolean>;
  /** frames per second */
  rate: Accessor<number>;
  ended: Accessor<boolean>;
  play(): void;
  pause(): void;
  toggle(): void;
  seek(frame: number): void;
  /** by so many frames; stops playing */
  step(frames: number): void;
  setSpeed(speed: number): void;
  faster(by: 1 | -1): void;
  /** to the next (1) or previous (-1) frame with an event */
  jump(by: 1 | -1): void;
}

/** `base` is the number of frames per second at speed 1; without a first speed long episodes begin as
 * highlights. */
export function createPlayer(track: Accessor<Track | null>, base: Accessor<number>, firstSpeed: number | null): Player {
  const [index, setIndex] = createSignal(0);
  const [playing, setPlaying] = createSignal(false);
  const [wanted, setSpeed] = createSignal(firstSpeed !== null && speeds.includes(firstSpeed) ? firstSpeed : highlights);
  const last = () => track()?.last ?? 0;
  const ended = () => index() >= last();
  const long = () => last() > longFrom * base();
  const speed = () => (wanted() === highlights && !long() ? 1 : wanted());
  // until the walk knows all events, every frame stays as long as any other
  const stays = createMemo(() => (speed() === highlights ? staysOf(last(), track()?.checked() ? track()!.marks() : []) : null));
  const rate = () => 1 / (stays()?.[index()] ?? 1 / (base() * speed()));

  let due = 0;
  let before = 0;
  let handle = 0;
  const tick = (now: number) => {
    handle = requestAnimationFrame(tick);
    due += Math.min(250, now - before) / 1000;
    before = now;
    const [known, list, each, from] = untrack(() => [track()?.known() ?? 0, stays(), 1 / (base() * speed()), index()] as const);
    let next = from;
    for (let stay = list?.[next] ?? each; due >= stay && next < known; stay = list?.[next] ?? each) {
      due -= stay;
      next++;
    }
    if (next === from) return void (due = Math.min(due, 1));
    batch(() => {
      setIndex(next);
      if (next >= untrack(last)) setPlaying(false);
    });
  };
  createEffect(
    on(playing, (runs) => {
      cancelAnimationFrame(handle);
      if (!runs) return;
      due = 0;
      before = performance.now();
      handle = requestAnimationFrame(tick);
    }),
  );
  onCleanup(() => cancelAnimationFrame(handle));

  const seek = (frame: number) => {
    const to = Number.isNaN(frame) ? 0 : Math.round(frame);
    due = 0;
    setIndex(Math.max(0, Math.min(to, untrack(() => track()?.known() ?? 0))));
  };
  const play = () => {
    if (untrack(ended)) seek(0);
    setPlaying(untrack(last) > 0);
  };
  const pause = () => setPlaying(false);
  return {
    index,
    playing,
    speed,
    long,
    rate,
    ended,
    play,
    pause,
    toggle: () => (untrack(playing) ? pause() : play()),
    seek,
    step: (frames) => {
      pause();
      seek(untrack(index) + frames);
    },
    setSpeed: (value) => speeds.includes(value) && setSpeed(value),
    faster: (by) => {
      const now = untrack(speed);
      setSpeed(now === highlights ? (by > 0 ? 4 : 1) : (speeds[Math.max(1, Math.min(speeds.length - 1, speeds.indexOf(now) + by))] ?? 1));
    },
    jump: (by) => {
      const marks = track()?.marks() ?? [];
      const now = untrack(index);
      const found = by > 0 ? marks.find((mark) => mark.frame > now) : marks.findLast((mark) => mark.frame < now);
      pause();
      seek(found?.frame ?? (by > 0 ? untrack(last) : 0));
    },
  };
}
