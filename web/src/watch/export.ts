// What a visitor takes along: the frames of a replay as JSON lines, in the form of
// `ludus replay --json`, made in the page; and links that lead back to a frame.
import { folderOf } from "../lib/format";
import { href } from "../lib/router";
import type { Replay } from "../lib/api";
import type { Shown, Track } from "./track";

const sliceMs = 16;

/** A frame as a line of `ludus replay --json`: of several seats lists, of one its own values. */
function lineOf({ frame, seats, hash }: Shown, heads: Track["heads"]): object {
  const own = <T>(list: T[]): T | T[] | undefined => (list.length > 1 ? list : list[0]);
  const headOf = (option: number) => (heads.length > 1 ? { head: heads.findLast((head) => option >= head.offset)?.name } : {});
  const thoughts = seats.map(({ thought }) => thought && { ...thought, top: thought.top.map(({ option, name, probability }) => ({ action: option, ...headOf(option), name, probability })) });
  return {
    t: frame.index - 1,
    action: frame.action && own(frame.action),
    rewards: seats.map((step) => step.reward),
    terms: own(seats.map((step) => step.terms)),
    story: frame.story,
    events: frame.events,
    info: own(seats.map((step) => step.info)),
    state: frame.state,
    hash,
    ...(thoughts.some(Boolean) ? { thought: own(thoughts) } : {}),
  };
}

/** All frames as NDJSON; `progress` gets the share done. */
export async function framesText(track: Track, progress: (share: number) => void): Promise<Blob> {
  const parts: string[] = [
    JSON.stringify({ schema: 1, game: track.game, seed: track.seed, settings: track.settings, options: track.options, weights: track.weights, decisions: track.last }),
  ];
  let slice = performance.now() + sliceMs;
  for (let index = 0; index <= track.last; index++) {
    parts.push(JSON.stringify(lineOf(track.show(index), track.heads)));
    if (performance.now() > slice) {
      progress(index / Math.max(1, track.last));
      await new Promise((done) => setTimeout(done));
      slice = performance.now() + sliceMs;
    }
  }
  return new Blob([parts.join("\n"), "\n"], { type: "application/x-ndjson" });
}

/** Offers bytes as a file. */
export function save(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The address of a frame, whole. */
export function frameLink(replay: Replay, frame: number, speed: number): string {
  const query = { run: replay.run_id, replay: replay.replay_id, frame, speed: speed || null };
  return new URL(href(`/watch/${encodeURIComponent(folderOf(replay.game))}`, query), location.href).href;
}

/** Into the clipboard; false where the browser does not allow it. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
