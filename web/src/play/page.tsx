// The page where a visitor plays: the game in the page (or on the server), with the masks, the
// picture and the words that Watch has, and somebody to ask.
import { createEffect, createMemo, createResource, createSignal, For, Match, on, onCleanup, Show, Switch } from "solid-js";
import { api, type GameEntry } from "../lib/api";
import { number, percent, signed, words } from "../lib/format";
import { useKeys, type KeyTable } from "../lib/keys";
import { go } from "../lib/router";
import { kept, recall, remember } from "../lib/store";
import { Badge, Icon, Notice } from "../lib/ui";
import { drawn, viewOf } from "../lib/views";
import type { Frame, GameView, ViewInstance } from "../view";
import { Actions, actionsOf, Find, found, isLong, Jump, ofHead, OtherHeads } from "./actions";
import { AgentPanel, createAdviser } from "./agent";
import { Beside } from "../episode/beside";
import { Gauges } from "../episode/gauges";
import { Board, Figures } from "./board";
import { createDriver } from "./driver";
import { Help } from "./help";
import { anotherSeed, planLink, planQuery, seedName } from "./moves";
import { createRivals, RivalsPanel } from "./rivals";
import { createSession, openTable, type Session } from "./session";
import { Setup } from "./setup";
import "./play.css";

const [rate, setRate] = kept("play.rate", 4);
const [pace, setPace] = kept("play.pace", 4);
const [hide, setHide] = kept("play.hide", false);

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1).replaceAll(" -> ", " → ");

interface Entry {
  /** how addresses name it */
  path: string;
  title: string;
}

/** The games that can be played: the server's, else those that have a view here. */
async function gameList(): Promise<Entry[]> {
  try {
    const all = await api.games();
    const first = (game: GameEntry) => all.find((one) => one.name === game.name) === game;
    return all.filter((game) => game.seats === 1).map((game) => ({ path: first(game) ? game.name : game.id, title: game.title }));
  } catch {
    return drawn().map((name) => ({ path: name, title: words(name) }));
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

/** Makes the address say what is played, so that it can be shared and survives a reload. */
function settle(session: Session): void {
  const known = /[?&](seed|run)=/.test(session.address()) && !session.trouble();
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(planQuery(session.plan()))) if (value) search.set(key, value);
  go(location.pathname + (known ? session.address() : `?${search}`), { replace: true, keepScroll: true });
  if (!known) session.setAddress();
}

function Opening(props: { game: string; games: Entry[] }) {
  const [opened] = createResource(
    () => props.game,
    async (game) => {
      const [table, why] = await openTable(game);
      const session = createSession(table);
      const view = await viewOf(table.facts.name);
      await session.open();
      settle(session);
      remember("play.game", table.facts.path);
      return { session, why, view };
    },
  );
  onCleanup(() => opened.state === "ready" && opened()?.session.close());
  return (
    <Switch fallback={<Notice title={`Opening ${words(props.game)}`} busy />}>
      <Match when={opened.error}>
        <Notice title="This game cannot be played here" tone="bad">
          <p>{String(opened.error?.message ?? opened.error)}</p>
          <p>
            <a href="/play">Play another game</a>
          </p>
        </Notice>
      </Match>
      <Match when={opened.state === "ready" && opened()} keyed>
        {(parts) => <Play session={parts.session} why={parts.why} view={parts.view} games={props.games} />}
      </Match>
    </Switch>
  );
}

function Play(props: { session: Session; why: string; view: GameView; games: Entry[] }) {
  const { session, view } = props;
  const { facts } = session;
  const inPage = session.table.where === "page";
  const actions = actionsOf(session, view);
  const driver = createDriver(session, rate, pace);
  const adviser = createAdviser(session, driver);
  const rivals = createRivals(session, adviser);
  const [repeat, setRepeat] = createSignal(false);
  const [said, setSaid] = createSignal({ text: "", refused: false });
  const say = (text: string) => setSaid({ text, refused: false });
  const refuse = (text: string) => setSaid({ text, refused: true });
  const [help, setHelp] = createSignal(!recall<string[]>("play.taught", []).includes(facts.name));
  const [rest, setRest] = createSignal<number[]>(facts.heads.map(() => 0));
  const [board, setBoard] = createSignal<ViewInstance | null>(null);
  /** the board itself knows what goes with an action */
  const composes = () => Boolean(board()?.compose);
  let held = false;
  let last: number[] | null = null;

  const frame = () => session.frame()!;
  createEffect(on(session.frame, () => say(""), { defer: true }));
  const [wanted, setWanted] = createSignal("");
  const offered = createMemo(() => ofHead(session, view.offered?.(frame()) ?? actions));
  const shown = createMemo(() => found(offered(), wanted()));
  const label = (flat: number): string => {
    const known = actions.find((action) => action.option === flat);
    if (known) return known.label;
    const head = facts.heads.findLast((one) => flat >= one.offset);
    const name = words(head?.options[flat - head.offset] ?? String(flat));
    return head && head.offset > 0 ? `${words(head.name)}: ${name}` : name;
  };
  const moveWords = (move: number[]): string => view.tell?.(frame(), move) || label(move[0] ?? 0);

  /** The decision that an option stands for; null, and a sentence, where something is missing for it. */
  function moveOf(option: number): number[] | null {
    const move = session.reason(option) ? null : board()?.compose?.(option);
    if (typeof move !== "string") return move ?? [option, ...rest().slice(1)];
    refuse(`${label(option)}: ${move}.`);
    return null;
  }

  /** What the visitor chose, by button, key or board. */
  function choose(move: number[]): void {
    const running = driver.driving();
    if (running) driver.stop();
    const option = move[0] ?? 0;
    const reason = session.reason(option);
    if (reason) return void refuse(`${label(option)}: ${reason}.`);
    say("");
    last = move;
    const again = running?.kind === "repeat" && running.move[0] === option;
    if (repeat() && !again) driver.start({ kind: "repeat", move });
    else if (!again) void session.act(move, "");
  }
  const press = {
    choose(option: number) {
      const move = moveOf(option);
      if (move) choose(move);
    },
    hold(option: number) {
      // what is composed is meant once
      const move = composes() ? null : moveOf(option);
      if (!move) return;
      held = true;
      last = move;
      driver.start({ kind: "repeat", move });
    },
    release() {
      if (held && driver.driving()?.kind === "repeat") driver.stop();
      held = false;
    },
  };

  async function restart(next: Parameters<Session["restart"]>[0]): Promise<void> {
    driver.stop();
    say("");
    await session.restart(next);
    settle(session);
  }
  const again = (next: Parameters<Session["restart"]>[0]) =>
    void restart(next).catch((cause) => session.setTrouble(cause instanceof Error ? cause.message : String(cause)));

  async function share(): Promise<void> {
    const link = planLink(facts.path, session.plan());
    try {
      await navigator.clipboard.writeText(link);
      say(`Copied: seed ${seedName(session.plan()) || session.plan().seed} and ${session.plan().moves.length} moves.`);
    } catch {
      // without the clipboard the address itself is the link
      history.replaceState(null, "", link);
      session.setAddress();
      say("The address of this page now holds the seed and all moves: copy it from there.");
    }
  }

  async function hint(): Promise<void> {
    if (!inPage || frame().over || driver.driving()) return;
    const advice = await adviser.giveHint();
    const sure = advice?.top[0] ? ` (${percent(advice.top[0].probability)} sure)` : "";
    if (!advice) return;
    board()?.suggest?.(advice.best);
    say(`${sentence(adviser.choice()?.short ?? "")}: ${moveWords(advice.best)}${sure}.`);
  }

  useKeyboard();
  function useKeyboard(): void {
    const table: KeyTable = {
      ".": () => last && choose(last),
      g: () => void hint(),
      l: () => inPage && void adviser.handOver(),
      Escape: () => driver.stop(),
      "?": () => setHelp(true),
    };
    if (isLong(actions)) table["/"] = () => document.querySelector<HTMLInputElement>(".p-find input")?.focus();
    let down = "";
    let timer = 0;
    const release = () => {
      clearTimeout(timer);
      down = "";
      press.release();
    };
    for (const { key, option } of actions) {
      if (!key) continue;
      table[key] = (event) => {
        if (event.repeat || down === key) return;
        release();
        down = key;
        press.choose(option);
        if (!session.reason(option)) timer = window.setTimeout(() => down === key && press.hold(option), 380);
      };
    }
    createEffect(() => {
      for (const { key, act } of board()?.keys ?? []) table[key] = act;
    });
    useKeys(table);
    addEventListener("keyup", release);
    addEventListener("blur", release);
    onCleanup(() => {
      release();
      removeEventListener("keyup", release);
      removeEventListener("blur", release);
    });
  }

  // another link in the same tab: the address changed under the page
  const moved = () => {
    if (location.search + location.hash !== session.address()) void session.open().then(() => settle(session));
  };
  addEventListener("hashchange", moved);
  addEventListener("pagehide", session.keep);
  onCleanup(() => {
    removeEventListener("hashchange", moved);
    removeEventListener("pagehide", session.keep);
  });

  /** The last frame, when it is there. */
  const ended = () => new Promise<Frame>((done) => createEffect(() => frame().over && done(frame())));
  const closeHelp = () => {
    setHelp(false);
    remember("play.taught", [...new Set([...recall<string[]>("play.taught", []), facts.name])]);
  };
  const running = () => {
    const now = driver.driving();
    return now?.kind === "repeat" ? (now.move[0] ?? -1) : -1;
  };
  const playing = () => driver.driving()?.kind === "player";
  const hinted = () => adviser.hint()?.[0] ?? -1;
  const seedShown = () => {
    const { seed } = frame(); // the plan changes with the frame
    return seedName(session.plan()) || seed;
  };
  const speed = () => (playing() ? pace() || 64 : driver.driving() ? rate() : (view.rate ?? 4));

  return (
    <div class="play">
      <header class="play-head">
        <div class="play-title">
          <h1 classList={{ "sr-only": props.games.length > 1 }}>{facts.title}</h1>
          <Show when={props.games.length > 1}>
            <label class="p-game">
              <span class="sr-only">Game</span>
              <select onChange={(event) => go(`/play/${encodeURIComponent(event.currentTarget.value)}`)}>
                <For each={props.games}>
                  {(game) => (
                    <option value={game.path} selected={game.path === facts.path}>
                      {game.title}
                    </option>
                  )}
                </For>
              </select>
            </label>
          </Show>
          <p class="muted p-small">
            Seed {seedShown()} · {number(frame().index)} decisions
            <Show when={playing()}> · {adviser.choice()?.short} plays</Show>
          </p>
        </div>
        <div class="p-row">
          <button type="button" class="button" onClick={() => again({})}>
            Restart
          </button>
          <Show when={session.origin().given > 0}>
            <button type="button" class="button" onClick={() => again({ given: true })}>
              Back to move {session.origin().given}
            </button>
          </Show>
          <button type="button" class="button" onClick={() => again(anotherSeed(session.plan()))}>
            New seed
          </button>
          <button type="button" class="button p-brief" onClick={() => void share()}>
            <Icon name="link" />
            <span>Share</span>
          </button>
          <button type="button" class="button p-brief" onClick={() => setHelp(true)} aria-keyshortcuts="?">
            <Icon name="help" />
            <span>How to play</span>
          </button>
        </div>
      </header>

      <Show when={!inPage}>
        <p class="p-banner warn">
          The game does not run in this page ({props.why}), so it is played on the server: there are no hints, no comparison and no reasons at greyed-out actions.
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
      <Show when={session.origin().from && frame().index <= session.origin().given}>
        <p class="p-banner">{session.origin().from} It is your turn.</p>
      </Show>

      <div class="play-grid">
        <section class="play-main" aria-label="Board">
          <Board session={session} view={view} choose={choose} speed={speed} ready={setBoard} />
        </section>

        <section class="play-actions card" classList={{ "p-composed": composes() }} aria-label="Actions">
          <h2>Actions</h2>
          <div class="p-lead">
            <div class="p-now">
              <p class="p-story" classList={{ "p-refused": said().refused }}>
                <span role="status">{said().text}</span>
                <Show when={!said().text}>{sentence(frame().story) || "Your move."}</Show>
              </p>
              <Show when={driver.driving()}>
                <button type="button" class="button primary" onClick={() => driver.stop()} aria-keyshortcuts="Escape">
                  <Icon name="pause" /> Stop
                </button>
              </Show>
            </div>
            <Show when={!frame().over}>
              <Jump actions={shown()} />
              <div class="p-row p-repeat">
                <Show when={inPage}>
                  <button type="button" class="button" disabled={playing()} onClick={() => void hint()} aria-keyshortcuts="g">
                    Hint <kbd aria-hidden="true">G</kbd>
                  </button>
                  <button type="button" class="button" aria-pressed={playing()} onClick={() => void adviser.handOver()} aria-keyshortcuts="l">
                    <Icon name={playing() ? "pause" : "play"} />
                    {playing() ? "Take it back" : "Agent plays on"} <kbd aria-hidden="true">L</kbd>
                  </button>
                </Show>
                <Show when={!composes()}>
                  <button type="button" class="button" aria-pressed={repeat()} onClick={() => (driver.stop(), setRepeat(!repeat()))}>
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
              <Show when={isLong(offered())}>
                <Find text={wanted()} set={setWanted} shown={shown()} session={session} press={press} />
              </Show>
            </Show>
          </div>
          <Show
            when={!frame().over}
            fallback={<Ending session={session} again={again} share={share} compare={inPage ? () => void rivals.run() : undefined} />}
          >
            <Show when={!composes()}>
              <OtherHeads session={session} chosen={rest()} set={(head, option) => setRest(rest().with(head, option))} />
            </Show>
            <Actions actions={shown()} session={session} press={press} hinted={hinted()} running={running()} hide={hide()} />
          </Show>
        </section>

        <div class="play-side">
          <Show when={inPage && view.beside && (view.advises || frame().over) && session.first()} keyed>
            {(first) => <Beside view={view} game={facts.name} episode={{ first, end: ended(), by: "Played" }} frame={frame} suggest={composes() ? (move) => board()?.suggest?.(move) : undefined} />}
          </Show>
          <Show when={inPage}>
            <AgentPanel session={session} adviser={adviser} driver={driver} pace={pace()} setPace={setPace} label={label} tell={moveWords} />
          </Show>
          <Log session={session} view={view} quiet={driver.driving() !== null} />
          <Show when={inPage}>
            <RivalsPanel session={session} rivals={rivals} />
          </Show>
          <Show when={view.gauges(frame()).length > 0}>
            <Gauges gauges={view.gauges(frame())} />
          </Show>
          <Setup session={session} choices={view.choices ?? {}} start={(seed, settings, options) => restart({ seed, settings, options })} />
          <Data session={session} />
        </div>
      </div>
      <Help open={help()} view={view} facts={facts} actions={actions} more={board()?.keys ?? []} onClose={closeHelp} />
    </div>
  );
}

function Ending(props: { session: Session; again: (next: Parameters<Session["restart"]>[0]) => void; share: () => Promise<void>; compare: (() => void) | undefined }) {
  const frame = () => props.session.frame()!;
  const { headline } = props.session.facts;
  const score = () => frame().info[headline] ?? frame().total;
  return (
    <section class="p-ending" aria-label="The end">
      <p>
        <b>{sentence(words(String(frame().info["end"] ?? "over")))}</b> after {number(frame().index)} decisions: {words(headline)}{" "}
        <b>{typeof score() === "number" ? number(score()) : String(score())}</b>, return {signed(frame().total)}.
      </p>
      <div class="p-row">
        <button type="button" class="button primary" onClick={() => props.again({})}>
          Play this seed again
        </button>
        <button type="button" class="button" onClick={() => props.again(anotherSeed(props.session.plan()))}>
          Another seed
        </button>
        <Show when={props.compare}>
          {(compare) => (
            <button type="button" class="button" onClick={() => compare()()}>
              Compare with the agent and the bots
            </button>
          )}
        </Show>
        <button type="button" class="button" onClick={() => void props.share()}>
          Share
        </button>
      </div>
    </section>
  );
}

function Log(props: { session: Session; view: GameView; quiet: boolean }) {
  const sentences = new Map(props.session.facts.events.map((event) => [event.name, event.sentence]));
  return (
    <section class="card p-log" aria-label="What happened">
      <h2>What happened</h2>
      <div role="log" aria-live={props.quiet ? "off" : "polite"} aria-relevant="additions" aria-label="Event log">
        <Show when={props.session.log().length > 0} fallback={<p class="muted">Nothing yet: choose an action.</p>}>
          <ol class="p-log-lines" tabindex="0" aria-label="Steps, newest first">
            <For each={props.session.log()}>
              {(line) => (
                <li>
                  <span class="p-log-index">{line.index}</span>
                  <span>
                    {sentence(line.text)}
                    <Show when={line.by}>
                      <small> by {line.by}</small>
                    </Show>
                    <For each={line.events}>
                      {(event) => (
                        <span title={sentences.get(event)}>
                          <Badge tone={props.view.eventTones?.[event] ?? "accent"}>{words(event)}</Badge>
                        </span>
                      )}
                    </For>
                  </span>
                  <Show when={line.reward !== 0}>
                    <span class="p-log-reward" classList={{ up: line.reward > 0, down: line.reward < 0 }}>
                      <span class="sr-only">reward </span>
                      {signed(line.reward, 3)}
                    </span>
                  </Show>
                </li>
              )}
            </For>
          </ol>
        </Show>
      </div>
    </section>
  );
}

function Data(props: { session: Session }) {
  const [open, setOpen] = createSignal(false);
  const frame = () => props.session.frame()!;
  const terms = () => Object.entries(frame().terms).filter(([, value]) => value !== 0);
  return (
    <details class="card p-fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Numbers <small>return {signed(frame().total)}</small>
      </summary>
      <Show when={open()}>
        <Figures info={frame().info} />
        <Show when={terms().length > 0}>
          <h3>Reward of the last step: {signed(frame().reward)}</h3>
          <Figures info={Object.fromEntries(terms())} />
        </Show>
        <details>
          <summary>State as JSON</summary>
          <pre class="p-json" tabindex="0">
            {JSON.stringify(frame().state, null, 1)}
          </pre>
        </details>
      </Show>
    </details>
  );
}
