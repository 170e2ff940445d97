// The page where a visitor plays: the game in the page (or on the server), with the masks, the
// picture and the words that Watch has, and somebody to ask.
import { createEffect, createResource, createSignal, For, Match, onCleanup, Show, Switch } from "solid-js";
import { Beside } from "../episode/beside";
import { Gauges } from "../episode/gauges";
import { api, type GameEntry } from "../lib/api";
import { cardOf } from "../lib/cards";
import { counted, folderOf, words } from "../lib/format";
import { go } from "../lib/router";
import { bringToSight } from "../lib/sight";
import { recall, remember } from "../lib/store";
import { Dialog, Failed, Icon, Notice } from "../lib/ui";
import { drawn, viewOf } from "../lib/views";
import type { BoardKey, Frame, GameView } from "../view";
import { ActionPanel } from "./action_panel";
import { secondKeys } from "./actions";
import { AgentPanel } from "./agent";
import { Board } from "./board";
import { createControls, createEpisodes, pace, rate, setPace, settle, type Controls, type Episodes } from "./controls";
import { Coach, Help } from "./help";
import { useKeyboard } from "./keyboard";
import { anotherSeed, seedName } from "./moves";
import { openTable } from "./origin";
import { Data, Log } from "./panels";
import { playedAgain } from "./players";
import { createRivals, RivalsPanel, type Rivals } from "./rivals";
import { forgetHolders, holdersOf, seatAsked } from "./seats";
import { Session } from "./session";
import { SeatsPanel } from "./seats_panel";
import { Setup } from "./setup";
import "./play.css";

interface Entry {
  /** how addresses name it */
  path: string;
  title: string;
  /** a variant of the game whose name it begins with */
  variant: boolean;
}

/** The games that can be played: the server's, else those that have a view here. */
async function gameList(): Promise<Entry[]> {
  try {
    const all = await api.games();
    const first = (game: GameEntry) => all.find((one) => one.name === game.name) === game;
    return all.map((game) => ({ path: first(game) ? game.name : game.id, title: game.title, variant: !first(game) }));
  } catch {
    return drawn().map((name) => ({ path: name, title: words(name), variant: false }));
  }
}

export default function PlayPage(props: { game: string }) {
  const [games] = createResource(gameList);
  createEffect(() => {
    if (props.game || !games()) return;
    const names = games()!.map((game) => game.path);
    const first = [recall("play.game", ""), "prospector", names[0] ?? ""].find((name) => names.includes(name));
    if (first) go(`/play/${encodeURIComponent(first)}`, { replace: true });
  });
  return (
    <Show
      when={props.game}
      keyed
      fallback={
        <Show when={games()?.length === 0} fallback={<Notice title="Looking for games" busy />}>
          <Notice title="There are no games here" tone="warn">
            <p>The server does not answer, and this page was built without games.</p>
          </Notice>
        </Show>
      }
    >
      {(game) => <Opening game={game} games={games() ?? []} />}
    </Show>
  );
}

function Opening(props: { game: string; games: Entry[] }) {
  const [opened, { refetch }] = createResource(
    () => props.game,
    async (game) => {
      const [table, why] = await openTable(game);
      const session = new Session(table);
      seatAsked(table.facts);
      await table.sit?.(holdersOf(table.facts));
      const view = await viewOf(table.facts.name);
      await session.open().catch(async () => {
        // whom the page remembers may be gone from the server
        forgetHolders(table.facts);
        await table.sit?.(holdersOf(table.facts));
        await session.open();
      });
      settle(session);
      remember("play.game", table.facts.path);
      return { session, why, view };
    },
  );
  onCleanup(() => opened.state === "ready" && opened()?.session.close());
  return (
    <Switch fallback={<Notice title={`Opening ${words(props.game)}`} busy />}>
      <Match when={opened.error}>
        <Failed what="This game cannot be played here" error={opened.error} again={() => void refetch()}>
          <p>
            <a href="/play">Play another game</a>
          </p>
        </Failed>
      </Match>
      <Match when={opened.state === "ready" && opened()} keyed>
        {(parts) => <Play session={parts.session} why={parts.why} view={parts.view} games={props.games} />}
      </Match>
    </Switch>
  );
}

const tickKey: BoardKey = { key: " ", label: "the next tick, or starts the clock", act: () => undefined };

/** What every part of the page is given. */
interface PlayProps {
  session: Session;
  view: GameView;
  controls: Controls;
  episodes: Episodes;
}

/** Another link in the same tab changes the address under the page; a page that is left keeps the game. */
function useAddress(session: Session): void {
  const moved = () => {
    if (location.search + location.hash !== session.address()) void session.open().then(() => settle(session));
  };
  addEventListener("hashchange", moved);
  addEventListener("pagehide", session.keep);
  onCleanup(() => {
    removeEventListener("hashchange", moved);
    removeEventListener("pagehide", session.keep);
  });
}

function Play(props: { session: Session; why: string; view: GameView; games: Entry[] }) {
  const { session, view } = props;
  const { facts } = session;
  const controls = createControls(session, view);
  const episodes = createEpisodes(session, controls);
  const rivals = createRivals(session, controls.adviser);
  const { autoplay } = controls;
  const [help, setHelp] = createSignal(false);
  const [coach, setCoach] = createSignal(!recall<string[]>("play.taught", []).includes(facts.name));
  useKeyboard(session, controls, () => setHelp(true));
  useAddress(session);
  const taught = () => {
    setCoach(false);
    bringToSight(document.querySelector(".play-board"));
    remember("play.taught", [...new Set([...recall<string[]>("play.taught", []), facts.name])]);
  };
  const speeds = { player: () => pace() || 64, repeat: rate, clock: controls.clock };
  const speed = () => {
    const now = autoplay.acting();
    return now ? speeds[now.kind]() : (view.rate ?? 4);
  };
  const parts = { session, view, controls, episodes };
  const slot = document.createElement("div");
  return (
    <div class="play">
      <Head {...parts} games={props.games} onHelp={() => setHelp(true)} />
      <Banners session={session} why={props.why} />
      <div class="play-grid">
        <section class="play-main" aria-label="Board">
          <Show when={coach()}>
            <Coach view={view} facts={facts} onHelp={() => setHelp(true)} onClose={taught} />
          </Show>
          <Board session={session} view={view} choose={controls.choose} speed={speed} controls={slot} ready={controls.setBoard} />
        </section>
        <div class="play-right">
          <ActionPanel session={session} controls={controls} slot={slot} episodes={episodes} compare={session.table.where === "page" && facts.seats === 1 ? () => void rivals.run() : undefined} />
          <Show when={view.advises}>
            <Advice {...parts} />
          </Show>
        </div>
        <Side {...parts} rivals={rivals} />
      </div>
      <Question controls={controls} />
      <Help open={help()} view={view} facts={facts} actions={controls.actions} second={secondKeys(session, controls.actions)} more={[...(controls.stands() ? [tickKey] : []), ...(controls.board()?.keys ?? [])]} onClose={() => setHelp(false)} />
    </div>
  );
}

/** Before something is thrown away. */
function Question(props: { controls: Controls }) {
  const { question, setQuestion } = props.controls;
  const close = (act?: () => void): void => {
    setQuestion(null);
    act?.();
  };
  return (
    <Dialog open={question() !== null} title="Are you sure?" onClose={() => close()}>
      <p>{question()?.text}</p>
      <p class="p-row">
        <button type="button" class="button primary" onClick={() => close(question()?.yes)}>
          Yes, do it
        </button>
        <button type="button" class="button" onClick={() => close()}>
          Keep playing
        </button>
      </p>
    </Dialog>
  );
}

function Head(props: PlayProps & { games: Entry[]; onHelp: () => void }) {
  const { session, episodes, controls } = props;
  const { facts } = session;
  const frame = () => session.frame()!;
  const seedShown = () => {
    const { seed } = frame(); // the plan changes with the frame
    return seedName(session.plan()) || seed;
  };
  const kin = () => props.games.filter((game) => folderOf(game.path) === facts.name);
  const option = (game: Entry) => (
    <option value={game.path} selected={game.path === facts.path}>
      {game.title}
    </option>
  );
  return (
    <header class="play-head">
      <div class="play-title">
        <h1 classList={{ "sr-only": cardOf(facts.name) !== undefined }}>{facts.title}</h1>
        <Show when={kin().length > 1}>
          <label class="p-game">
            <span class="sr-only">Variant</span>
            <select onChange={(event) => go(`/play/${encodeURIComponent(event.currentTarget.value)}`)}>
              <For each={kin().filter((game) => !game.variant)}>{option}</For>
              <optgroup label="More variants">
                <For each={kin().filter((game) => game.variant)}>{option}</For>
              </optgroup>
            </select>
          </label>
        </Show>
        <p class="muted p-small">
          Seed {seedShown()} · {counted(frame().index, "decision")}
          <Show when={controls.autoplay.acting()?.kind === "player"}> · {controls.adviser.choice()?.short} plays</Show>
        </p>
      </div>
      <div class="p-row">
        <button type="button" class="button" onClick={() => episodes.again({})}>
          Restart
        </button>
        <Show when={session.origin().given > 0}>
          <button type="button" class="button" onClick={() => episodes.again({ given: true })}>
            Back to move {session.origin().given}
          </button>
        </Show>
        <button type="button" class="button" onClick={() => episodes.again(anotherSeed(session.plan()))}>
          New seed
        </button>
        <button type="button" class="button p-brief" onClick={() => episodes.share()}>
          <Icon name="link" />
          <span>Share</span>
        </button>
        <button type="button" class="button p-brief" onClick={() => props.onHelp()} aria-keyshortcuts="?">
          <Icon name="help" />
          <span>How to play</span>
        </button>
      </div>
    </header>
  );
}

/** What one should know before the next decision. */
function Banners(props: { session: Session; why: string }) {
  const { session } = props;
  return (
    <>
      <Show when={session.table.where === "server"}>
        <p class="p-banner warn">
          The game does not run in this page ({props.why}), so it is played on the server: there are no hints, no comparison and no explanations for greyed-out actions.
        </p>
      </Show>
      <Show when={session.trouble()}>
        <p class="p-banner bad" role="alert">
          {session.trouble()}
        </p>
      </Show>
      <Show when={session.progress() !== null}>
        <p class="p-banner" role="status">
          Playing the moves again <progress max={1} value={session.progress() ?? 0} aria-label="Moves played" />
        </p>
      </Show>
      <Show when={session.origin().from && session.frame()!.index <= session.origin().given}>
        <p class="p-banner">{session.origin().from} It is your turn.</p>
      </Show>
    </>
  );
}

/** The panel that the view brings: advice while one plays, or a comparison at the end. */
function Advice(props: PlayProps) {
  const { session, view, controls } = props;
  const frame = () => session.frame()!;
  /** The last frame, when it is there. */
  const ended = () => new Promise<Frame>((done) => createEffect(() => frame().over && done(frame())));
  const suggest = () => (controls.composes() ? controls.suggest : undefined);
  return (
    <Show when={session.table.where === "page" && view.beside && (view.advises || frame().over) && session.first()} keyed>
      {(first) => <Beside view={view} game={session.facts.name} episode={{ first, end: ended(), by: "Played", whole: () => playedAgain(session.facts.id, session.plan()) }} frame={frame} suggest={suggest()} />}
    </Show>
  );
}

function Side(props: PlayProps & { rivals: Rivals }) {
  const { session, view, controls, episodes } = props;
  const inPage = session.table.where === "page";
  const frame = () => session.frame()!;
  return (
    <div class="play-side">
      <Show when={!view.advises}>
        <Advice {...props} />
      </Show>
      <Show when={session.facts.seats > 1}>
        <SeatsPanel session={session} controls={controls} />
      </Show>
      <Show when={inPage}>
        <AgentPanel session={session} adviser={controls.adviser} autoplay={controls.autoplay} pace={pace()} setPace={setPace} label={controls.label} tell={controls.tell} />
      </Show>
      <Log session={session} view={view} seats={controls.seats} quiet={controls.autoplay.acting() !== null} />
      <Show when={inPage && session.facts.seats === 1}>
        <RivalsPanel session={session} rivals={props.rivals} />
      </Show>
      <Show when={view.gauges(frame()).length > 0}>
        <Gauges gauges={view.gauges(frame())} />
      </Show>
      <Setup session={session} choices={view.choices ?? {}} start={(seed, settings, options) => episodes.restart({ seed, settings, options })} />
      <Data session={session} />
    </div>
  );
}
