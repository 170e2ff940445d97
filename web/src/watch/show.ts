// The replay on the stage: opened by the page or the server, played, named in the address, shared.
import { createEffect, createSignal, on, onCleanup, untrack } from "solid-js";
import type { Replay } from "../lib/api";
import { param, setQuery } from "../lib/router";
import { reduced } from "../lib/theme";
import { viewOf } from "../lib/views";
import type { GameView } from "../view";
import { copy, frameLink } from "./export";
import { createPlayer, highlights } from "./player";
import { openServerTrack, openTrack, type Track } from "./track";

export interface Opened {
  replay: Replay;
  track: Track;
  view: GameView;
  because: string;
}

/** The replay on the stage and its player. A link's frame is waited for, other replays begin to play. */
export function createShow(replay: () => Replay) {
  const [opened, setOpened] = createSignal<Opened | null>(null);
  const [failure, setFailure] = createSignal("");
  const player = createPlayer(() => opened()?.track ?? null, () => opened()?.view.rate ?? 4, param("speed") ? Number(param("speed")) : null);

  /** A frame that a link names may not be known yet: wait for the walk. */
  const reach = (made: Track, frame: number, signal: AbortSignal) => {
    const wanted = Math.max(0, Math.min(made.last, frame || 0));
    const wait = () => {
      if (signal.aborted) return;
      player.seek(wanted);
      if (untrack(made.known) < wanted && !untrack(made.problem)) setTimeout(wait, 30);
    };
    wait();
  };

  async function open(entry: Replay, signal: AbortSignal): Promise<void> {
    const frame = param("frame");
    setFailure("");
    try {
      // of a damaged run the replay alone tells the game
      const opening = openTrack(entry, signal);
      const [{ track, because }, view] = await Promise.all([opening, entry.game ? viewOf(entry.game) : opening.then((made) => viewOf(made.track.game))]);
      if (signal.aborted) return track.stop();
      player.pause();
      setOpened({ replay: entry, track, view, because });
      player.seek(0);
      if (frame) reach(track, Number(frame), signal);
      else if (!reduced()) player.play();
    } catch (cause) {
      if (!signal.aborted) setFailure(cause instanceof Error ? cause.message : String(cause));
    }
  }
  createEffect(
    on(replay, (entry) => {
      const abort = new AbortController();
      onCleanup(() => abort.abort());
      void open(entry, abort.signal);
    }),
  );

  // a replay that goes another way here than it did is shown as the server plays it
  createEffect(() => {
    const now = opened();
    const problem = now?.track.problem();
    if (!now || !problem || now.track.by !== "page") return;
    const abort = new AbortController();
    onCleanup(() => abort.abort());
    void openServerTrack(now.replay, abort.signal).then(
      (made) => setOpened({ ...now, track: made, because: problem }),
      () => undefined,
    );
  });
  return { opened, failure, player };
}

export type Show = ReturnType<typeof createShow>;

/** The address follows when the picture stands. */
export function useAddress({ opened, player }: Show): void {
  createEffect(
    on([player.index, player.playing, player.speed, opened], ([frame, playing, speed, now]) => {
      if (!now || playing) return;
      const timer = setTimeout(() => {
        // the home address stays the newest replay's until someone stops at a frame
        if (param("replay") || (frame > 0 && frame < now.track.last)) setQuery({ run: now.replay.run_id, replay: now.replay.replay_id, frame: frame || null, speed: speed === 1 || speed === highlights ? null : speed });
      }, 400);
      onCleanup(() => clearTimeout(timer));
    }),
  );
}

/** Copies the link to the frame that is shown; where that is not allowed, the link itself is shown. */
export function createLink({ opened, player }: Show) {
  const [copied, setCopied] = createSignal("");
  const copyLink = async () => {
    const now = opened();
    const link = now ? frameLink(now.replay, player.index(), player.speed()) : location.href;
    const done = await copy(link);
    setCopied(done ? "Link copied" : link);
    setTimeout(() => setCopied(""), done ? 2500 : 15000);
  };
  return { copied, copyLink: () => void copyLink() };
}
