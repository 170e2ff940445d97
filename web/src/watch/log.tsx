// The episode as text: the newest step on top, each a button that goes there. A polite live region
// tells steps to those who cannot see the picture, unless they come too fast to be read out.
import { createEffect, createMemo, createSignal, For, on } from "solid-js";
import { sentence, words } from "../lib/format";
import { kept } from "../lib/store";
import { Badge } from "../lib/ui";
import type { Tone } from "../view";
import type { Player } from "./player";
import type { Track } from "./track";

const most = 80;

export function Log(props: { track: Track; player: Player; tones: Record<string, Tone> }) {
  const [onlyEvents, setOnlyEvents] = kept("log.events", false);
  const [said, say] = createSignal("");
  const eventsAt = createMemo(() => {
    props.track.known();
    return new Map(props.track.marks().map((mark) => [mark.frame, mark.events]));
  });
  const lines = createMemo(() => {
    const now = props.player.index();
    const frames: number[] = [];
    if (onlyEvents()) {
      const marks = props.track.marks();
      for (let k = marks.length - 1; k >= 0 && frames.length < most; k--) if (marks[k]!.frame <= now) frames.push(marks[k]!.frame);
    } else {
      for (let frame = now; frame > 0 && frames.length < most; frame--) frames.push(frame);
    }
    return frames;
  });
  createEffect(
    on(props.player.index, (frame) => {
      const events = eventsAt().get(frame) ?? [];
      const slow = !props.player.playing() || props.player.rate() <= 1;
      if (slow || (events.length > 0 && props.player.rate() <= 4)) {
        say(frame === 0 ? "Start of the episode" : `${props.track.story(frame)}${events.length ? `. ${events.map(words).join(", ")}` : ""}`);
      }
    }),
  );
  return (
    <section class="card log">
      <header>
        <h2>Event log</h2>
        <label class="check">
          <input type="checkbox" checked={onlyEvents()} onChange={(event) => setOnlyEvents(event.currentTarget.checked)} /> Events only
        </label>
      </header>
      <p class="sr-only" role="status" aria-live="polite">
        {said()}
      </p>
      <ol tabindex="0" aria-label="Steps, newest first">
        <For each={lines()} fallback={<li class="muted log-none">{onlyEvents() ? "No event so far." : "The episode begins."}</li>}>
          {(frame) => (
            <li>
              <button type="button" onClick={() => (props.player.pause(), props.player.seek(frame))}>
                <span class="log-frame">{frame}</span>
                <span class="log-story">
                  {sentence(props.track.story(frame))}{" "}
                  <For each={eventsAt().get(frame) ?? []}>{(event) => <Badge tone={props.tones[event] ?? "accent"}>{words(event)}</Badge>}</For>
                </span>
              </button>
            </li>
          )}
        </For>
      </ol>
    </section>
  );
}
