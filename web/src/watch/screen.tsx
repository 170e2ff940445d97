// What plays a replay: the picture with its controls, the frame's facts beside it, the log below. Watch
// is made of it, and the page of one replay (web/src/replay.tsx).
import { createEffect, createMemo, createSignal, For, mergeProps, Show, untrack, type JSX, type ParentProps } from "solid-js";
import { Beside } from "../episode/beside";
import { Gauges } from "../episode/gauges";
import { words } from "../lib/format";
import { setSingleKeys, singleKeys, type KeyTable } from "../lib/keys";
import { setSoundOn, soundOn } from "../lib/sound";
import { kept } from "../lib/store";
import type { Episode, Frame, GameView } from "../view";
import { Happened, Raw, seatName, Terms, Thinking } from "./decision";
import { Log } from "./log";
import type { Player } from "./player";
import { Scrub } from "./scrub";
import { Stage } from "./stage";
import type { Shown, Track } from "./track";
import { Transport } from "./transport";
import "./watch.css";

export const playerKeys = (player: Player): KeyTable => ({
  " ": () => player.toggle(),
  k: () => player.toggle(),
  ArrowLeft: (event) => player.step(event.shiftKey ? -10 : -1),
  ArrowRight: (event) => player.step(event.shiftKey ? 10 : 1),
  ArrowUp: () => player.step(10),
  ArrowDown: () => player.step(-10),
  PageUp: () => player.step(10),
  PageDown: () => player.step(-10),
  Home: () => player.step(-Infinity),
  End: () => player.step(Infinity),
  "<": () => player.faster(-1),
  ">": () => player.faster(1),
  ",": () => player.faster(-1),
  ".": () => player.faster(1),
  n: () => player.jump(1),
  p: () => player.jump(-1),
  m: () => setSoundOn(!soundOn()),
});

/** On a phone the parts below the picture are tabs: one of them is shown. */
const tabs = ["Thoughts", "Reward", "Log", "Run"];
const [tab, setTab] = kept("watch.tab", tabs[0]!);

/** The page around it: which part a phone shows stands on it. */
export function Theatre(props: ParentProps) {
  return (
    <div class="watch" data-tab={tabs.includes(tab()) ? tab() : tabs[0]}>
      {props.children}
    </div>
  );
}

interface ScreenProps {
  track: Track;
  view: GameView;
  player: Player;
  onHelp: () => void;
  /** why the server plays it, when it does */
  because: string;
  /** buttons beside the frame's number */
  share?: JSX.Element;
  /** what floats above the controls */
  above?: JSX.Element;
  /** what the last tab shows: of which run or file this is */
  summary: JSX.Element;
  /** how the last tab is called */
  summaryName?: string;
}

export function Screen(props: ScreenProps) {
  const shown = createMemo(() => props.track.show(Math.min(props.player.index(), Math.max(0, untrack(props.track.known)))));
  const frame = createMemo(() => shown().frame);
  const tones = () => props.view.eventTones ?? {};
  const label = () => `${props.track.title}, frame ${frame().index} of ${props.track.last}. ${frame().story}`;
  return (
    <>
      <div class="stage-frame">
        <Show when={props.view} keyed>
          {(drawn) => (
            <Stage
              view={drawn}
              frame={frame}
              playing={props.player.playing}
              rate={props.player.rate}
              label={label()}
              past={(index) => props.track.show(index).frame}
              onTap={props.player.toggle}
              onSwipe={(by) => props.player.step(by)}
            />
          )}
        </Show>
        <div class="controls">
          <Show when={props.track} keyed>
            {(made) => <Scrub track={made} player={props.player} tones={tones()} words={words} />}
          </Show>
          <Transport player={props.player} track={props.track} onHelp={props.onHelp} proof={<Proof track={props.track} because={props.because} />}>
            {props.share}
          </Transport>
          {props.above}
        </div>
      </div>
      <div class="segments watch-tabs" role="group" aria-label="Panels below the picture">
        <For each={tabs}>
          {(name) => (
            <button type="button" aria-pressed={tab() === name} onClick={() => setTab(name)}>
              {name === tabs.at(-1) ? (props.summaryName ?? name) : name}
            </button>
          )}
        </For>
      </div>
      <Side shown={shown()} track={props.track} view={props.view} />
      <div class="watch-below">
        <Log track={props.track} player={props.player} tones={tones()} />
        {props.summary}
      </div>
    </>
  );
}

/** What stands beside the picture: the frame's step in words and numbers, of each seat. */
function Side(props: { shown: Shown; track: Track; view: GameView }) {
  const [seat, setSeat] = createSignal(0);
  const frame = createMemo(() => props.shown.frame);
  const step = mergeProps(props, {
    get seat() {
      return Math.min(seat(), props.shown.seats.length - 1);
    },
  });
  const gauges = createMemo(() => {
    try {
      return props.view.gauges(frame());
    } catch {
      return [];
    }
  });
  return (
    <aside class="watch-side" aria-label="This frame">
      <Happened {...step} />
      <Show when={props.shown.seats.length > 1}>
        <div class="segments" role="group" aria-label="Whose step is shown">
          <For each={props.shown.seats.map((_, place) => place)}>
            {(place) => (
              <button type="button" aria-pressed={place === seat()} onClick={() => setSeat(place)}>
                {seatName(place)}
              </button>
            )}
          </For>
        </div>
      </Show>
      <Show when={props.view.advises}>
        <Thinking {...step} />
      </Show>
      <Show when={props.view.beside && props.track} keyed>
        {(made) => <Beside view={props.view} game={made.game} episode={episodeOf(made)} frame={frame} />}
      </Show>
      <Show when={!props.view.advises}>
        <Thinking {...step} />
      </Show>
      <Terms {...step} />
      <Show when={gauges().length > 0}>
        <Gauges gauges={gauges()} />
      </Show>
      <Raw shown={props.shown} />
    </aside>
  );
}

/** The episode of a track; its end is known when the walk is done. */
function episodeOf(track: Track): Episode {
  const end = new Promise<Frame>((done) => createEffect(() => track.known() >= track.last && done(track.show(track.last).frame)));
  async function* whole() {
    await end;
    for (let index = 0; index <= track.last; index++) yield track.show(index).frame;
  }
  return { first: track.show(0).frame, end, by: "Agent", whole };
}

/** Where the frames come from, and whether they are proved. */
function Proof(props: { track: Track; because: string }) {
  const said = () => {
    if (props.track.by === "server") return ["played by the server", props.because];
    if (props.track.problem()) return ["differs from the file", props.track.problem()];
    return props.track.checked()
      ? ["every hash agreed", "The game's own rules played this replay again in your browser; the state's hash agreed at every stored point."]
      : ["checking …", "The game's own rules play this replay again in your browser."];
  };
  return <span title={said()[1]}>{said()[0]}</span>;
}

type KeyRow = [string[], string];

const keyRows: KeyRow[] = [
  [["Space"], "play or pause"],
  [["←", "→"], "one frame back or forward"],
  [["↓", "↑"], "ten frames back or forward"],
  [["Home", "End"], "first or last frame"],
  [["<", ">"], "slower or faster"],
  [["P", "N"], "previous or next event"],
  [["M"], "sound on or off"],
  [["?"], "this list"],
];

/** The list behind `?`; the page's own keys stand before the last two. */
export function Keys(props: { more?: KeyRow[] }) {
  return (
    <>
      <table class="keys">
        <tbody>
          <For each={[...keyRows.slice(0, -2), ...(props.more ?? []), ...keyRows.slice(-2)]}>
            {([keys, what]) => (
              <tr>
                <th scope="row">
                  <For each={keys}>{(key) => <kbd>{key}</kbd>}</For>
                </th>
                <td>{what}</td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
      <label class="check">
        <input type="checkbox" checked={singleKeys()} onChange={(event) => setSingleKeys(event.currentTarget.checked)} /> Keyboard shortcuts
      </label>
      <p class="muted">On a touch screen: tap the picture to play or pause, swipe to step, drag the timeline.</p>
    </>
  );
}
