// Watch: the newest replay, or the one that comes with the site, plays at once, with what the agent thought
// beside it.
import { createEffect, createMemo, createSignal, For, Match, mergeProps, onCleanup, Show, Switch, untrack } from "solid-js";
import { api, hasToken, type Replay } from "../lib/api";
import { cardOf } from "../lib/cards";
import { ago, runName, sentence, tagWords, words } from "../lib/format";
import { setSingleKeys, singleKeys, useKeys, type KeyTable } from "../lib/keys";
import { setGameShown } from "../lib/place";
import { href, param } from "../lib/router";
import { byWords, isShipped, shippedFile, shippedUrl } from "../lib/shipped";
import { setSoundOn, soundOn } from "../lib/sound";
import { kept } from "../lib/store";
import { Badge, Command, Dialog, Icon, IconButton, Notice, StatusBadge, Tags } from "../lib/ui";
import type { Episode, Frame, GameView } from "../view";
import { Beside } from "../episode/beside";
import { Gauges } from "../episode/gauges";
import { Happened, Raw, seatName, Terms, Thinking } from "./decision";
import { framesText, save } from "./export";
import { Log } from "./log";
import { Picker } from "./picker";
import type { Player } from "./player";
import { Scrub } from "./scrub";
import { createLink, createShow, useAddress, type Opened } from "./show";
import { createSource, type Source } from "./source";
import { Stage } from "./stage";
import { Summary } from "./summary";
import type { Shown, Track } from "./track";
import { Transport } from "./transport";
import "./watch.css";

const staleMs = 120_000;

export default function WatchPage(props: { game: string }) {
  const source = createSource(() => props.game);
  createEffect(() => setGameShown(source.replay()?.game ?? props.game));
  return (
    <Switch>
      <Match when={source.state().kind === "loading"}>
        <Skeleton />
      </Match>
      <Match when={source.state().kind === "empty"}>
        <Empty source={source} game={props.game} />
      </Match>
      <Match when={source.state().kind === "failed"}>
        <Failed source={source} />
      </Match>
      <Match when={source.replay()}>{(replay) => <Theatre source={source} replay={replay()} />}</Match>
    </Switch>
  );
}

/** The page's shape while it loads, so that nothing moves when it is there. */
function Skeleton() {
  return (
    <div class="watch" aria-busy="true">
      <div class="watch-head">
        <h1 class="muted">Loading the replay …</h1>
      </div>
      <div class="stage-frame">
        <div class="stage stage-wait">
          <span class="spinner" aria-hidden="true" />
        </div>
        <div class="controls" />
      </div>
      <div class="watch-side" />
    </div>
  );
}

function Empty(props: { source: Source; game: string }) {
  const state = () => props.source.state();
  const running = () => {
    const now = state();
    return now.kind === "empty" && now.running;
  };
  return (
    <Show
      when={running()}
      fallback={
        <Notice title="Nothing to watch yet">
          <Show
            when={param("run")}
            fallback={
              <>
                <p>No agent of this game has been trained here. One command trains one and shows it on this page:</p>
                <Command text={`ludus train ${props.game}`} />
              </>
            }
          >
            <p>This run has no replay yet; the evaluator keeps some of every window.</p>
          </Show>
          <p>
            This page looks for a first one every few seconds. Meanwhile <a href="/watch">watch the newest replay of all runs</a>.
          </p>
        </Notice>
      }
    >
      <Notice title="The first replay is on its way" busy>
        <p>A training is running. Its first replay appears here by itself when the first window has been evaluated, usually within a minute.</p>
        <p>
          <a href="/runs">See its curves</a> or <a href="/play">play the game</a> meanwhile.
        </p>
      </Notice>
    </Show>
  );
}

function Failed(props: { source: Source }) {
  const state = () => props.source.state() as { offline: boolean; missing: boolean; message: string };
  return (
    <Switch
      fallback={
        <Notice title="The replay cannot be shown" tone="bad">
          <p>{state().message}</p>
          <button type="button" class="button primary" onClick={props.source.retry}>
            Try again
          </button>
        </Notice>
      }
    >
      <Match when={state().offline}>
        <Notice title="The server does not answer" tone="warn">
          <p>This page asks again every few seconds. The server is started by</p>
          <Command text="ludus serve" />
          <p>
            <button type="button" class="button" onClick={props.source.retry}>
              Retry
            </button>
          </p>
        </Notice>
      </Match>
      <Match when={state().missing}>
        <Notice title="This replay is not here" tone="warn">
          <p>The run or the replay that the address names is not on this server: {state().message}.</p>
          <p>
            <a class="button primary" href="/watch">
              Watch the newest replay
            </a>
          </p>
        </Notice>
      </Match>
    </Switch>
  );
}

const playerKeys = (player: Player): KeyTable => ({
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
});

/** On a phone the parts below the picture are tabs: one of them is shown. */
const tabs = ["Thoughts", "Reward", "Log", "Run"];
const [tab, setTab] = kept("watch.tab", tabs[0]!);

function Theatre(props: { source: Source; replay: Replay }) {
  const [follows, setFollows] = kept("follow", false);
  const [picking, setPicking] = createSignal(false);
  const [helping, setHelping] = createSignal(false);
  const show = createShow(() => props.replay);
  const { opened, player } = show;
  const { copied, copyLink } = createLink(show);
  useAddress(show);
  useKeys({
    ...playerKeys(player),
    c: copyLink,
    r: () => setPicking(true),
    f: () => setFollows(!follows()),
    m: () => setSoundOn(!soundOn()),
    "?": () => setHelping(true),
  });

  // follow: the next one begins when this one is over or stands
  createEffect(() => {
    const next = props.source.newer();
    if (next && follows() && opened()?.replay === props.replay && !player.playing() && player.ended()) props.source.open(next, false);
  });

  return (
    <div class="watch" data-tab={tabs.includes(tab()) ? tab() : tabs[0]}>
      <Head source={props.source} replay={props.replay} onPick={() => setPicking(true)} follows={follows()} setFollows={setFollows} />
      <Show when={opened()} fallback={<Waiting failure={show.failure()} onPick={() => setPicking(true)} />}>
        {(now) => <Screen opened={now()} player={player} source={props.source} onHelp={() => setHelping(true)} onCopy={copyLink} copied={copied()} />}
      </Show>
      <Dialog open={picking()} title="Choose a replay" onClose={() => setPicking(false)} wide>
        <Picker
          current={props.replay}
          onPick={(replay) => {
            setPicking(false);
            props.source.open(replay);
          }}
        />
      </Dialog>
      <Dialog open={helping()} title="Keys" onClose={() => setHelping(false)}>
        <Keys />
      </Dialog>
    </div>
  );
}

/** The stage before the replay is open, or in its place. */
function Waiting(props: { failure: string; onPick: () => void }) {
  return (
    <Show
      when={props.failure}
      fallback={
        <>
          <div class="stage-frame">
            <div class="stage stage-wait">
              <span class="spinner" role="status" aria-label="Loading the replay" />
            </div>
            <div class="controls" />
          </div>
          <div class="watch-side" />
        </>
      }
    >
      <Notice title="This replay cannot be played" tone="bad">
        <p>{props.failure}</p>
        <button type="button" class="button primary" onClick={() => props.onPick()}>
          Choose another
        </button>
      </Notice>
    </Show>
  );
}

interface HeadProps {
  source: Source;
  replay: Replay;
  onPick: () => void;
  follows: boolean;
  setFollows: (on: boolean) => void;
}

/** What a replay is of: a window of a run, or an episode that comes with the site. */
const titleOf = (replay: Replay): string =>
  isShipped(replay) ? sentence(byWords(replay)) : `Window ${replay.window_id} of ${runName(replay.run_id)}`;

const siblingTags = ["window_best", "window_median", "window_worst"];

function Head(props: HeadProps) {
  const run = () => props.source.run();
  const [now, setNow] = createSignal(Date.now());
  const clock = setInterval(() => setNow(Date.now()), 10_000);
  onCleanup(() => clearInterval(clock));
  const stale = () => run()?.status === "running" && now() - Date.parse(run()?.written ?? "") > staleMs;
  const siblings = createMemo(() =>
    siblingTags.flatMap((tag) => props.source.siblings().filter((replay) => replay.tags.includes(tag)).slice(0, 1).map((replay) => ({ tag, replay }))),
  );
  return (
    <div class="watch-head">
      <div class="watch-title">
        <h1>
          <span class="sr-only">{cardOf(props.replay.game)?.title ?? props.replay.game}: </span>
          {titleOf(props.replay)}
        </h1>
        <p>
          <Show when={isShipped(props.replay) && props.replay}>{(one) => <>A typical episode: the median of {one().of} seeds</>}</Show>
          <Show when={run()}>{(entry) => <StatusBadge status={entry().status} />}</Show>{" "}
          <Show when={stale()}>
            <Badge tone="warn">stale: nothing written for {ago(run()!.written, now()).replace(" ago", "")}</Badge>
          </Show>{" "}
          <Tags tags={props.replay.tags.filter((tag) => tag === "best_so_far" || tag.startsWith("milestone"))} />
        </p>
      </div>
      <Show when={siblings().length > 1}>
        <div class="segments" role="group" aria-label="Episodes of this window">
          <For each={siblings()}>
            {(entry) => (
              <button type="button" aria-pressed={entry.replay.replay_id === props.replay.replay_id} title={tagWords(entry.tag)} onClick={() => props.source.open(entry.replay)}>
                {words(entry.tag.replace("window_", ""))}
              </button>
            )}
          </For>
        </div>
      </Show>
      <div class="watch-actions">
        <label class="check" title="Continue with newer replays as they come (F)">
          <input type="checkbox" checked={props.follows} onChange={(event) => props.setFollows(event.currentTarget.checked)} /> follow
        </label>
        <button type="button" class="button" onClick={props.onPick}>
          <Icon name="list" /> <span>Replays</span>
        </button>
      </div>
      <div class="watch-news" aria-live="polite">
        <Show when={props.source.offline()}>
          <p class="news warn">The server does not answer; what is loaded stays. Asking again …</p>
        </Show>
        <Show when={props.source.newer()}>
          {(next) => (
            <p class="news">
              <button type="button" class="link-button" onClick={() => props.source.open(next())}>
                New replay: window {next().window_id}
                {next().run_id === props.replay.run_id ? "" : ` of ${runName(next().run_id)}`}
              </button>
              <Show when={props.follows}> plays next</Show>
            </p>
          )}
        </Show>
      </div>
    </div>
  );
}

interface ScreenProps {
  opened: Opened;
  player: Player;
  source: Source;
  onHelp: () => void;
  onCopy: () => void;
  copied: string;
}

function Screen(props: ScreenProps) {
  const track = () => props.opened.track;
  const view = () => props.opened.view;
  const shown = createMemo(() => track().show(Math.min(props.player.index(), Math.max(0, untrack(track().known)))));
  const frame = createMemo(() => shown().frame);
  const tones = () => view().eventTones ?? {};
  const label = () => `${track().title}, frame ${frame().index} of ${track().last}. ${frame().story}`;
  return (
    <>
      <div class="stage-frame">
        <Show when={view()} keyed>
          {(drawn) => (
            <Stage
              view={drawn}
              frame={frame}
              playing={props.player.playing}
              rate={props.player.rate}
              label={label()}
              past={(index) => track().show(index).frame}
              onTap={props.player.toggle}
              onSwipe={(by) => props.player.step(by)}
            />
          )}
        </Show>
        <div class="controls">
          <Show when={track()} keyed>
            {(made) => <Scrub track={made} player={props.player} tones={tones()} words={words} />}
          </Show>
          <Transport player={props.player} track={track()} onHelp={props.onHelp} proof={<Proof opened={props.opened} />}>
            <IconButton icon="link" label={props.copied === "Link copied" ? "Link copied" : "Copy the link to this frame (C)"} onClick={props.onCopy} />
            <Export opened={props.opened} />
            <a class="icon-button" href={takeOver(props.opened, props.player.index())} title="Take over from here: play on yourself" aria-label="Take over from here">
              <Icon name="hand" />
            </a>
          </Transport>
          <p class="sr-only" role="status">
            {props.copied === "Link copied" ? "Link copied" : ""}
          </p>
          <Show when={props.copied}>
            <div class="share-link">
              <Show when={props.copied !== "Link copied"} fallback="The link to this frame is copied.">
                <input type="text" readonly value={props.copied} aria-label="Link to this frame" onFocus={(event) => event.currentTarget.select()} />
              </Show>
            </div>
          </Show>
        </div>
      </div>
      <div class="segments watch-tabs" role="group" aria-label="What stands below the picture">
        <For each={tabs}>
          {(name) => (
            <button type="button" aria-pressed={tab() === name} onClick={() => setTab(name)}>
              {name}
            </button>
          )}
        </For>
      </div>
      <Side shown={shown()} track={track()} view={view()} />
      <div class="watch-below">
        <Log track={track()} player={props.player} tones={tones()} />
        <Summary replay={props.opened.replay} run={props.source.run()} evaluations={props.source.evaluations()} track={track()} />
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
        <div class="segments" role="group" aria-label="Whose step is told">
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
function Proof(props: { opened: Opened }) {
  const track = () => props.opened.track;
  const words = () => {
    if (track().by === "server") return ["played by the server", props.opened.because];
    if (track().problem()) return ["differs from the file", track().problem()];
    return track().checked()
      ? ["every hash agreed", "The game's own rules played this replay again in your browser; the state's hash agreed at every stored point."]
      : ["checking …", "The game's own rules play this replay again in your browser."];
  };
  return <span title={words()[1]}>{words()[0]}</span>;
}

const takeOver = (opened: Opened, frame: number) =>
  href(`/play/${encodeURIComponent(opened.track.path)}`, { run: opened.replay.run_id, replay: opened.replay.replay_id, frame });

function Export(props: { opened: Opened }) {
  const [busy, setBusy] = createSignal(-1);
  let menu!: HTMLDetailsElement;
  const { replay } = props.opened;
  const { replay_id } = replay;
  const address = () => (isShipped(replay) ? shippedUrl(replay) : api.replayFileUrl(replay.run_id, replay_id));
  const bytes = () => (isShipped(replay) ? shippedFile(replay) : api.replayFile(replay.run_id, replay_id));
  const frames = async () => {
    setBusy(0);
    try {
      save(`${replay_id}.jsonl`, await framesText(props.opened.track, setBusy));
    } finally {
      setBusy(-1);
      menu.open = false;
    }
  };
  return (
    <details
      class="menu"
      ref={menu}
      onKeyDown={(event) => event.key === "Escape" && (menu.open = false)}
      onFocusOut={(event) => !menu.contains(event.relatedTarget as Node | null) && event.relatedTarget && (menu.open = false)}
    >
      <summary class="icon-button" title="Export" aria-label="Export">
        <Icon name="download" />
      </summary>
      <div class="menu-box">
        <Show
          when={!hasToken()}
          fallback={
            <button type="button" onClick={() => void bytes().then((file) => save(`${replay_id}.ludus`, new Blob([file as BlobPart])))}>
              Replay file <small>.ludus, plays anywhere</small>
            </button>
          }
        >
          <a href={address()} download={`${replay_id}.ludus`}>
            Replay file <small>.ludus, plays anywhere</small>
          </a>
        </Show>
        <button type="button" disabled={busy() >= 0 || !props.opened.track.checked()} onClick={() => void frames()}>
          Frames as JSON <small>{busy() >= 0 ? `${Math.round(100 * busy())}%` : "one line per frame"}</small>
        </button>
        <p>
          As one page that needs no server:
          <code>ludus replay {isShipped(replay) ? `web/public/replays/${replay_id}.ludus` : replay_id} --html {replay_id}.html</code>
        </p>
      </div>
    </details>
  );
}

const keyRows: [string[], string][] = [
  [["Space"], "play or pause"],
  [["←", "→"], "one frame back or forward"],
  [["↓", "↑"], "ten frames back or forward"],
  [["Home", "End"], "first or last frame"],
  [["<", ">"], "slower or faster"],
  [["P", "N"], "previous or next event"],
  [["C"], "copy the link to this frame"],
  [["R"], "choose a replay"],
  [["F"], "follow new replays"],
  [["M"], "sound on or off"],
  [["?"], "this list"],
];

function Keys() {
  return (
    <>
      <table class="keys">
        <tbody>
          <For each={keyRows}>
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
