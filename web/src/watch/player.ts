// Playing a track: where it is, whether it runs, how fast. Time comes from the screen's frames, so
// that a hidden page stands still and fast play leaves frames out rather than falling behind.
import { batch, createEffect, createSignal, on, onCleanup, untrack, type Accessor } from "solid-js";
import type { Track } from "./track";

export const speeds = [0.25, 0.5, 1, 2, 4, 8, 16];

export interface Player {
  index: Accessor<number>;
  playing: Accessor<boolean>;
  speed: Accessor<number>;
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

/** `base` is the number of frames per second at speed 1. */
export function createPlayer(track: Accessor<Track | null>, base: Accessor<number>, firstSpeed: number): Player {
  const [index, setIndex] = createSignal(0);
  const [playing, setPlaying] = createSignal(false);
  const [speed, setSpeed] = createSignal(speeds.includes(firstSpeed) ? firstSpeed : 1);
  const rate = () => base() * speed();
  const last = () => track()?.last ?? 0;
  const ended = () => index() >= last();

  let due = 0;
  let before = 0;
  let handle = 0;
  const tick = (now: number) => {
    handle = requestAnimationFrame(tick);
    due += (Math.min(250, now - before) / 1000) * untrack(rate);
    before = now;
    const steps = Math.floor(due);
    if (steps < 1) return;
    due -= steps;
    const known = untrack(() => track()?.known() ?? 0);
    const next = Math.min(untrack(index) + steps, known);
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
    faster: (by) => setSpeed(speeds[Math.max(0, Math.min(speeds.length - 1, speeds.indexOf(untrack(speed)) + by))] ?? 1),
    jump: (by) => {
      const marks = track()?.marks() ?? [];
      const now = untrack(index);
      const found = by > 0 ? marks.find((mark) => mark.frame > now) : marks.findLast((mark) => mark.frame < now);
      pause();
      seek(found?.frame ?? (by > 0 ? untrack(last) : 0));
    },
  };
}
