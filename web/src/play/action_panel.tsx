// The panel of actions: the last step in words, somebody to ask, what repeats, and every action.
import { For, Show } from "solid-js";
import { sentence } from "../lib/format";
import { firstLegal } from "../lib/game";
import { kept } from "../lib/store";
import { Icon } from "../lib/ui";
import { Actions, Find, isLong, Jump, OtherHeads, secondKeys } from "./actions";
import { rate, setRate, type Controls, type Episodes } from "./controls";
import { ticksOf } from "./autoplay";
import { Ending } from "./panels";
import type { Session } from "./session";

const [hide, setHide] = kept("play.hide", false);
/** So many actions are read at a glance: none needs to be hidden. */
const few = 6;

interface ActionPanelProps {
  session: Session;
  controls: Controls;
  episodes: Episodes;
  /** controls that the board brings */
  slot: HTMLElement;
  compare: (() => void) | undefined;
}

export function ActionPanel(props: ActionPanelProps) {
  const { session, controls } = props;
  const frame = () => session.frame()!;
  /** the board has a button for everything */
  const complete = () => Boolean(controls.board()?.complete);
  const running = () => {
    const now = controls.autoplay.acting();
    const { chosen, seat } = controls.seats;
    return (now?.kind === "repeat" ? now.move[0] : chosen()[seat()]?.[0]) ?? -1;
  };
  /** the second of two persons who choose at once has other keys */
  const second = secondKeys(session, controls.actions);
  const keyed = () => {
    const { deciding, seat } = controls.seats;
    if (deciding()[1] !== seat()) return controls.shown();
    return controls.shown().map(({ key: _, ...action }) => ({ ...action, ...(second.has(action.option) ? { key: second.get(action.option)! } : {}) }));
  };
  return (
    <section class="play-actions card" classList={{ "p-composed": controls.composes() || complete(), "p-stands": controls.stands() }} aria-label="Actions">
      <h2>Actions</h2>
      <div class="p-lead">
        <div class="p-now">
          <p class="p-story" classList={{ "p-refused": controls.said().refused }}>
            <span role="status">{controls.said().text}</span>
            <Show when={!controls.said().text}>{sentence(controls.seats.inWords(frame().story)) || (session.facts.seats === 1 ? "Your move." : "The game begins.")}</Show>
          </p>
          <Show when={controls.autoplay.acting()}>
            <button type="button" class="button primary" onClick={() => controls.autoplay.stop()} aria-keyshortcuts="Escape">
              <Icon name="pause" /> Stop
            </button>
          </Show>
        </div>
        <Show when={!frame().over}>
          <Show when={session.facts.seats > 1}>
            <Turn controls={controls} />
          </Show>
          <Show when={!controls.stands() && !complete()}>
            <Jump actions={controls.shown()} />
          </Show>
          <Tools session={session} controls={controls} />
          <Show when={controls.clock() > 0 && !controls.stands()}>
            <Clock session={session} controls={controls} />
          </Show>
          <Show when={isLong(controls.offered()) && !complete()}>
            <Find text={controls.wanted()} set={controls.setWanted} shown={controls.shown()} session={session} press={controls.press} />
          </Show>
        </Show>
      </div>
      <Show when={!frame().over} fallback={<Ending session={session} episodes={props.episodes} seats={controls.seats} compare={props.compare} />}>
        <Show when={!controls.composes()}>
          <OtherHeads session={session} chosen={controls.rest()} set={(head, option) => controls.setRest(controls.rest().with(head, option))} />
        </Show>
        <Show when={!controls.stands()} fallback={<Tick controls={controls} slot={props.slot} />}>
          <Show when={!complete()}>
            <Actions actions={keyed()} session={session} press={controls.press} hinted={controls.adviser.hint()?.[0] ?? -1} running={running()} hide={hide() && controls.actions.length > few} />
          </Show>
        </Show>
      </Show>
    </section>
  );
}

/** A hint, the agent, repeating, and whether only what is possible is shown. */
function Tools(props: { session: Session; controls: Controls }) {
  const { session, controls } = props;
  const { adviser, autoplay } = controls;
  const playing = () => autoplay.acting()?.kind === "player";
  return (
    <div class="p-row p-repeat">
      <Show when={session.table.where === "page"}>
        <button type="button" class="button" disabled={playing()} onClick={() => controls.hint()} aria-keyshortcuts="g">
          Hint <kbd aria-hidden="true">G</kbd>
        </button>
        <button type="button" class="button" aria-pressed={playing()} onClick={() => void adviser.handOver()} aria-keyshortcuts="l">
          <Icon name={playing() ? "pause" : "play"} />
          {playing() ? "Take over" : "Let the agent play"} <kbd aria-hidden="true">L</kbd>
        </button>
      </Show>
      <Show when={!controls.composes() && !controls.board()?.complete}>
        <Show when={controls.alone()}>
          <button type="button" class="button" aria-pressed={controls.repeat()} onClick={() => (autoplay.stop(), controls.setRepeat(!controls.repeat()))}>
            Repeat
          </button>
          <label class="field p-inline">
            <span aria-hidden="true">{rate()}/s</span>
            <input type="range" min="1" max="10" step="1" value={rate()} aria-label="Repetitions per second" title="Repetitions per second" onInput={(event) => setRate(Number(event.currentTarget.value))} />
          </label>
        </Show>
        <ClockChoice controls={controls} />
      </Show>
      <Show when={!controls.stands() && !controls.board()?.complete && controls.actions.length > few}>
        <label class="check">
          <input type="checkbox" checked={hide()} onChange={(event) => setHide(event.currentTarget.checked)} />
          Legal only
        </label>
      </Show>
    </div>
  );
}

function ClockChoice(props: { controls: Controls }) {
  const { controls } = props;
  const words = (perSecond: number) => (perSecond === 0 ? "off" : perSecond === 1 / controls.seconds ? `${controls.seconds} s (game)` : `${perSecond}/s`);
  return (
    <label class="field p-inline">
      <span>Clock</span>
      <select title="Ticks per second" onChange={(event) => controls.wind(Number(event.currentTarget.value))}>
        <For each={ticksOf(controls.seconds)}>
          {(perSecond) => (
            <option value={perSecond} selected={perSecond === controls.clock()}>
              {words(perSecond)}
            </option>
          )}
        </For>
      </select>
    </label>
  );
}

/** What the clock does to those who do not choose. */
function Clock(props: { session: Session; controls: Controls }) {
  const { session, controls } = props;
  const otherwise = () => controls.tell(firstLegal(session.facts.heads, session.legal()));
  const runs = () => controls.autoplay.acting()?.kind === "clock";
  return (
    <p class="p-small muted p-clock">
      {runs() ? "The clock runs." : "The clock starts with the first choice."} A player who has not chosen by the tick takes the first legal option
      {session.legal().includes(1) ? `: ${otherwise()}` : ""}.
    </p>
  );
}

/** The one button where the whole decision stands on the board, and the board's own controls. */
function Tick(props: { controls: Controls; slot: HTMLElement }) {
  const { controls } = props;
  const words = () => (controls.clock() ? (controls.autoplay.acting() ? "The clock runs" : "Start the clock") : "Next tick");
  return (
    <>
      <div class="p-row p-ticks">
        <button type="button" class="button primary p-tick" disabled={controls.autoplay.acting()?.kind === "clock"} onClick={() => controls.tick()} aria-keyshortcuts="Space">
          {words()} <kbd aria-hidden="true">space</kbd>
        </button>
        <ClockChoice controls={controls} />
      </div>
      {props.slot}
    </>
  );
}

/** Whose turn it is; where several persons choose at once, which of them is asked. */
function Turn(props: { controls: Controls }) {
  const { seats } = props.controls;
  const runs = () => props.controls.autoplay.acting()?.kind === "clock";
  const clocked = () => (props.controls.stands() && props.controls.clock() > 0 ? (runs() ? "Each tick takes what is set below." : "Set what to do, then start the clock.") : "");
  /** one line whatever it says: the buttons below stay where they are */
  const alone = (): string => clocked() || (seats.open().length ? "You choose." : seats.deciding().length ? "You have chosen." : "Waiting for the other player.");
  const state = (seat: number): string => (!seats.deciding().includes(seat) ? "waits" : seats.chosen()[seat] ? "has chosen" : "chooses");
  return (
    <Show when={seats.persons().length > 1} fallback={<p class="p-small p-turn">{alone()}</p>}>
      <div class="segments p-turn" role="group" aria-label="Who chooses">
        <For each={seats.persons()}>
          {(seat) => (
            <button type="button" aria-pressed={seats.seat() === seat} disabled={!seats.deciding().includes(seat)} onClick={() => seats.ask(seat)}>
              {seats.nameOf(seat)} <small>{state(seat)}</small>
            </button>
          )}
        </For>
      </div>
    </Show>
  );
}
