// Buttons under the picture: first, back, play, forward, last, speed. Stepping repeats while held.
import { For, onCleanup, type JSX, type ParentProps } from "solid-js";
import { Icon, IconButton, type IconName } from "../lib/ui";
import { highlights, speeds, type Player } from "./player";
import type { Track } from "./track";

/** Acts once when pressed and again and again while held. */
function Hold(props: { icon: IconName; label: string; act: () => void; class?: string }) {
  let wait = 0;
  let held = false;
  const stop = () => clearTimeout(wait);
  const again = () => {
    held = true;
    props.act();
    wait = window.setTimeout(again, 60);
  };
  onCleanup(stop);
  return (
    <button
      type="button"
      class={`icon-button ${props.class ?? ""}`}
      title={props.label}
      aria-label={props.label}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        stop();
        held = false;
        wait = window.setTimeout(again, 380);
      }}
      onPointerUp={stop}
      onPointerLeave={stop}
      onPointerCancel={stop}
      onContextMenu={(event) => event.preventDefault()}
      onClick={() => !held && props.act()}
    >
      <Icon name={props.icon} />
    </button>
  );
}

export const speedName = (speed: number) => (speed === highlights ? "Highlights" : `${speed}×`);

export function Transport(props: ParentProps<{ player: Player; track: Track; proof: JSX.Element; onHelp: () => void }>) {
  const { player } = props;
  return (
    <div class="transport" role="group" aria-label="Playing">
      <div class="transport-left">
        <p class="transport-frame">
          <b>{player.index()}</b> <span class="frame-last">/ {props.track.last}</span>
          <span class="proof">{props.proof}</span>
        </p>
        <div class="share">{props.children}</div>
      </div>
      <div class="transport-keys">
        <IconButton icon="first" label="First frame (Home)" onClick={() => player.step(-Infinity)} />
        <Hold icon="back10" label="Back 10 frames (Down)" act={() => player.step(-10)} />
        <Hold icon="back" label="Back one frame (Left)" act={() => player.step(-1)} />
        <button
          type="button"
          class="play-button"
          aria-label={player.playing() ? "Pause (Space)" : player.ended() ? "Play again (Space)" : "Play (Space)"}
          title={player.playing() ? "Pause (Space)" : "Play (Space)"}
          onClick={() => player.toggle()}
        >
          <Icon name={player.playing() ? "pause" : "play"} />
        </button>
        <Hold icon="next" label="Forward one frame (Right)" act={() => player.step(1)} />
        <Hold icon="forward10" label="Forward 10 frames (Up)" act={() => player.step(10)} />
        <IconButton icon="last" label="Last frame (End)" onClick={() => player.step(Infinity)} />
      </div>
      <div class="transport-more">
        <IconButton icon="eventBack" label="Previous event (P)" onClick={() => player.jump(-1)} class="event-step" />
        <IconButton icon="eventNext" label="Next event (N)" onClick={() => player.jump(1)} class="event-step" />
        <label class="speed">
          <span class="sr-only">Speed</span>
          <select value={String(player.speed())} onChange={(event) => player.setSpeed(Number(event.currentTarget.value))} title="Speed (< and >)">
            <For each={speeds.filter((speed) => speed !== highlights || player.long())}>
              {(speed) => (
                <option value={String(speed)} selected={speed === player.speed()}>
                  {speedName(speed)}
                </option>
              )}
            </For>
          </select>
        </label>
        <IconButton icon="help" label="Keys (?)" onClick={props.onHelp} class="keys-button" />
      </div>
    </div>
  );
}
