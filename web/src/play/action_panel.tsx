// The panel of actions: the last step in words, somebody to ask, what repeats, and every action.
import { Show } from "solid-js";
import { kept } from "../lib/store";
import { Icon } from "../lib/ui";
import { Actions, Find, isLong, Jump, OtherHeads } from "./actions";
import { rate, sentence, setRate, type Controls, type Episodes } from "./controls";
import { Ending } from "./panels";
import type { Session } from "./session";

const [hide, setHide] = kept("play.hide", false);

interface ActionPanelProps {
  session: Session;
  controls: Controls;
  episodes: Episodes;
  compare: (() => void) | undefined;
}

export function ActionPanel(props: ActionPanelProps) {
  const { session, controls } = props;
  const frame = () => session.frame()!;
  const running = () => {
    const now = controls.driver.driving();
    return now?.kind === "repeat" ? (now.move[0] ?? -1) : -1;
  };
  return (
    <section class="play-actions card" classList={{ "p-composed": controls.composes() }} aria-label="Actions">
      <h2>Actions</h2>
      <div class="p-lead">
        <div class="p-now">
          <p class="p-story" classList={{ "p-refused": controls.said().refused }}>
            <span role="status">{controls.said().text}</span>
            <Show when={!controls.said().text}>{sentence(frame().story) || "Your move."}</Show>
          </p>
          <Show when={controls.driver.driving()}>
            <button type="button" class="button primary" onClick={() => controls.driver.stop()} aria-keyshortcuts="Escape">
              <Icon name="pause" /> Stop
            </button>
          </Show>
        </div>
        <Show when={!frame().over}>
          <Jump actions={controls.shown()} />
          <Tools session={session} controls={controls} />
          <Show when={isLong(controls.offered())}>
            <Find text={controls.wanted()} set={controls.setWanted} shown={controls.shown()} session={session} press={controls.press} />
          </Show>
        </Show>
      </div>
      <Show when={!frame().over} fallback={<Ending session={session} episodes={props.episodes} compare={props.compare} />}>
        <Show when={!controls.composes()}>
          <OtherHeads session={session} chosen={controls.rest()} set={(head, option) => controls.setRest(controls.rest().with(head, option))} />
        </Show>
        <Actions actions={controls.shown()} session={session} press={controls.press} hinted={controls.adviser.hint()?.[0] ?? -1} running={running()} hide={hide()} />
      </Show>
    </section>
  );
}

/** A hint, the agent, repeating, and whether only what is possible is shown. */
function Tools(props: { session: Session; controls: Controls }) {
  const { session, controls } = props;
  const { adviser, driver } = controls;
  const playing = () => driver.driving()?.kind === "player";
  return (
    <div class="p-row p-repeat">
      <Show when={session.table.where === "page"}>
        <button type="button" class="button" disabled={playing()} onClick={() => controls.hint()} aria-keyshortcuts="g">
          Hint <kbd aria-hidden="true">G</kbd>
        </button>
        <button type="button" class="button" aria-pressed={playing()} onClick={() => void adviser.handOver()} aria-keyshortcuts="l">
          <Icon name={playing() ? "pause" : "play"} />
          {playing() ? "Take it back" : "Agent plays on"} <kbd aria-hidden="true">L</kbd>
        </button>
      </Show>
      <Show when={!controls.composes()}>
        <button type="button" class="button" aria-pressed={controls.repeat()} onClick={() => (driver.stop(), controls.setRepeat(!controls.repeat()))}>
          Repeat
        </button>
        <label class="field p-inline">
          <span aria-hidden="true">{rate()}/s</span>
          <input type="range" min="1" max="10" step="1" value={rate()} aria-label="Repetitions per second" title="Repetitions per second" onInput={(event) => setRate(Number(event.currentTarget.value))} />
        </label>
      </Show>
      <label class="check">
        <input type="checkbox" checked={hide()} onChange={(event) => setHide(event.currentTarget.checked)} />
        Only possible
      </label>
    </div>
  );
}
