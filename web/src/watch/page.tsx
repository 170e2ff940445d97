// Watch: the newest replay, or the one that comes with the site, plays at once, with what the agent thought
// beside it.
import { createEffect, createSignal, For, Match, onCleanup, Show, Switch } from "solid-js";
import { api, hasToken, type Replay } from "../lib/api";
import { cardOf } from "../lib/cards";
import { ago, runName, sentence, tagWords, words } from "../lib/format";
import { useKeys } from "../lib/keys";
import { setGameShown } from "../lib/place";
import { href, param } from "../lib/router";
import { byWords, isShipped, shippedFile, shippedUrl } from "../lib/shipped";
import { kept } from "../lib/store";
import { Badge, Command, Dialog, Icon, IconButton, Notice, StatusBadge, Tags } from "../lib/ui";
import { framesText, save } from "./export";
import { Picker } from "./picker";
import { Keys, playerKeys, Screen, Theatre } from "./screen";
import { createLink, createShow, useAddress, type Opened } from "./show";
import { createSource, type Source } from "./source";
import { Summary } from "./summary";

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
      <Match when={source.replay()}>{(replay) => <Played source={source} replay={replay()} />}</Match>
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
        <Notice title="There is no such replay" tone="warn">
          <p>{sentence(state().message)}.</p>
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

function Played(props: { source: Source; replay: Replay }) {
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
    "?": () => setHelping(true),
  });

  // follow: the next one begins when this one is over or stands
  createEffect(() => {
    const next = props.source.newer();
    if (next && follows() && opened()?.replay === props.replay && !player.playing() && player.ended()) props.source.open(next, false);
  });

  return (
    <Theatre>
      <Head source={props.source} replay={props.replay} onPick={() => setPicking(true)} follows={follows()} setFollows={setFollows} />
      <Show when={opened()} fallback={<Waiting failure={show.failure()} onPick={() => setPicking(true)} />}>
        {(now) => (
          <Screen
            track={now().track}
            view={now().view}
            because={now().because}
            player={player}
            onHelp={() => setHelping(true)}
            share={<Share opened={now()} frame={player.index()} onCopy={copyLink} copied={copied()} />}
            above={<Copied copied={copied()} />}
            summary={<Summary replay={now().replay} run={props.source.run()} evaluations={props.source.evaluations()} track={now().track} />}
          />
        )}
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
        <Keys
          more={[
            [["C"], "copy the link to this frame"],
            [["R"], "choose a replay"],
            [["F"], "follow new replays"],
          ]}
        />
      </Dialog>
    </Theatre>
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
  const sibling = (tag: string) => props.source.siblings().find((replay) => replay.tags.includes(tag));
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
      <Show when={!isShipped(props.replay)}>
        <div class="segments" role="group" aria-label="Episodes of this window">
          <For each={siblingTags}>
            {(tag) => (
              <button type="button" aria-pressed={sibling(tag)?.replay_id === props.replay.replay_id} disabled={!sibling(tag)} title={tagWords(tag)} onClick={() => props.source.open(sibling(tag)!)}>
                {words(tag.replace("window_", ""))}
              </button>
            )}
          </For>
        </div>
      </Show>
      <div class="watch-actions">
        <label class="check" title="Continue with newer replays as they come (F)">
          <input type="checkbox" checked={props.follows} onChange={(event) => props.setFollows(event.currentTarget.checked)} /> Follow
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

/** What a visitor takes along: the link, files, the game itself. */
function Share(props: { opened: Opened; frame: number; onCopy: () => void; copied: string }) {
  return (
    <>
      <IconButton icon="link" label={props.copied === "Link copied" ? "Link copied" : "Copy the link to this frame (C)"} onClick={props.onCopy} />
      <Export opened={props.opened} />
      <a class="icon-button" href={takeOver(props.opened, props.frame)} title="Take over from here and play on" aria-label="Take over from here">
        <Icon name="hand" />
      </a>
    </>
  );
}

/** Says that the link is copied, or shows it where that is not allowed. */
function Copied(props: { copied: string }) {
  return (
    <>
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
    </>
  );
}

const takeOver = (opened: Opened, frame: number) =>
  href(`/play/${encodeURIComponent(opened.track.path)}`, { run: opened.replay.run_id, replay: opened.replay.replay_id, frame });

function Export(props: { opened: Opened }) {
  const [busy, setBusy] = createSignal(-1);
  let menu!: HTMLDetailsElement;
  const replay = () => props.opened.replay;
  const id = () => replay().replay_id;
  const address = () => (isShipped(replay()) ? shippedUrl(replay()) : api.replayFileUrl(replay().run_id, id()));
  const bytes = () => (isShipped(replay()) ? shippedFile(replay()) : api.replayFile(replay().run_id, id()));
  const frames = async () => {
    setBusy(0);
    try {
      save(`${id()}.jsonl`, await framesText(props.opened.track, setBusy));
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
            <button type="button" onClick={() => void bytes().then((file) => save(`${id()}.ludus`, new Blob([file as BlobPart])))}>
              Replay file <small>.ludus, plays anywhere</small>
            </button>
          }
        >
          <a href={address()} download={`${id()}.ludus`}>
            Replay file <small>.ludus, plays anywhere</small>
          </a>
        </Show>
        <button type="button" disabled={busy() >= 0 || !props.opened.track.checked()} onClick={() => void frames()}>
          Frames as JSON <small>{busy() >= 0 ? `${Math.round(100 * busy())}%` : "one line per frame"}</small>
        </button>
        <p>
          As one page that needs no server:
          <code>ludus replay {isShipped(replay()) ? `web/public/replays/${id()}.ludus` : id()} --html {id()}.html</code>
        </p>
      </div>
    </details>
  );
}
