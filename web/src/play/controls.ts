// What a visitor does in Play: chooses by button, key or board, holds and repeats, asks for a hint, shares
// the episode, begins another.
import { createEffect, createMemo, createSignal, on, onCleanup } from "solid-js";
import { counted, percent, sentence } from "../lib/format";
import { labelsOf } from "../episode/labels";
import { go } from "../lib/router";
import { bringToSight } from "../lib/sight";
import { kept } from "../lib/store";
import type { GameView, ViewInstance } from "../view";
import { actionsOf, found, ofHead, type Press } from "./actions";
import { createAdviser, createChoices } from "./agent";
import { createAutoplay } from "./autoplay";
import { planLink, planQuery, seedName } from "./moves";
import { createSeats, type Seats } from "./seats";
import type { Restart, Session } from "./session";

export const [rate, setRate] = kept("play.rate", 4);
export const [pace, setPace] = kept("play.pace", 4);


/** Makes the address say what is played, so that it can be shared and survives a reload. */
export function settle(session: Session): void {
  const known = /[?&](seed|run)=/.test(session.address()) && !session.trouble();
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(planQuery(session.plan()))) if (value) search.set(key, value);
  go(location.pathname + (known ? session.address() : `?${search}`), { replace: true, keepScroll: true });
  if (!known) session.setAddress();
}

/** One line under the board's name: what was refused, hinted or done. */
function createVoice(session: Session) {
  const [said, setSaid] = createSignal({ text: "", refused: false });
  const say = (text: string) => setSaid({ text, refused: false });
  createEffect(on(session.frame, () => say(""), { defer: true }));
  return { said, say, refuse: (text: string) => setSaid({ text, refused: true }) };
}

/** The actions that are offered now, by words of the view, and found by what is searched. */
function createOffer(session: Session, view: GameView) {
  const actions = actionsOf(session, view);
  const [wanted, setWanted] = createSignal("");
  const offered = createMemo(() => ofHead(session, view.offered?.(session.frame()!) ?? actions));
  const shown = createMemo(() => found(offered(), wanted()));
  const labels = labelsOf(view, session.facts.heads);
  const label = (flat: number): string => {
    const known = actions.find((action) => action.option === flat);
    return view.named?.(session.frame()!, flat) || (known ? known.label : labels(flat));
  };
  const tell = (move: number[]): string => view.tell?.(session.frame()!, move) || label(move[0] ?? 0);
  return { actions, wanted, setWanted, offered, shown, label, tell };
}

/** Milliseconds until a bot or model moves where no person is to choose. */
const botPause = 450;

/** Those who are not persons move by themselves when nobody else is to choose. */
function usePartners(session: Session, seats: Seats, idle: () => boolean): void {
  createEffect(() => {
    const now = session.frame();
    const choosing = session.choosing();
    void seats.holders();
    if (!now || now.over || !idle() || choosing.length === 0 || seats.deciding().length > 0) return;
    const by = choosing.map((seat) => seats.choiceOf(seat)?.short ?? "").join(" and ");
    const timer = window.setTimeout(() => void session.acts(() => seats.gather(seats.byChoice), by, 0), botPause);
    onCleanup(() => clearTimeout(timer));
  });
}

/** A decision of somebody who is asked, told in words and shown on the board, where the board can. */
function createHints(session: Session, parts: { adviser: ReturnType<typeof createAdviser>; autoplay: ReturnType<typeof createAutoplay>; board: () => ViewInstance | null; tell: (move: number[]) => string; say: (text: string) => void; refuse: (text: string) => void }) {
  const suggest = (move: number[]): void => {
    if (!parts.board()?.suggest) return;
    parts.board()!.suggest!(move);
    bringToSight(document.querySelector(".play-board"));
  };
  async function hint(): Promise<void> {
    if (session.table.where !== "page" || session.frame()!.over || parts.autoplay.acting()) return;
    const advice = await parts.adviser.giveHint();
    if (!advice) return parts.adviser.problem() ? parts.refuse(`${parts.adviser.problem()}.`) : undefined;
    const sure = advice.top[0] ? ` (${percent(advice.top[0].probability)} sure)` : "";
    suggest(advice.best);
    parts.say(`${sentence(parts.adviser.choice()?.short ?? "")}: ${parts.tell(advice.best)}${sure}.`);
  }
  return { suggest, hint: () => void hint() };
}

export function createControls(session: Session, view: GameView) {
  const voice = createVoice(session);
  const offer = createOffer(session, view);
  const choices = createChoices(session, view);
  const [board, setBoard] = createSignal<ViewInstance | null>(null);
  const seats = createSeats(session, choices, (seat) => board()?.stance?.(seat) ?? null);
  const [clock, setClock] = createSignal(0);
  const autoplay = createAutoplay(session, seats, { repeat: rate, player: pace, clock });
  const adviser = createAdviser(session, view, choices, seats, autoplay);
  usePartners(session, seats, () => autoplay.acting() === null && choices.list.state === "ready");
  const [repeat, setRepeat] = createSignal(false);
  const [rest, setRest] = createSignal<number[]>(session.facts.heads.map(() => 0));
  /** one person plays, without a clock: an action can go on by itself */
  const alone = () => seats.persons().length === 1 && !clock();
  /** the board itself knows what goes with an action, or holds the whole decision */
  const composes = () => Boolean(board()?.compose ?? board()?.stance);
  const stands = () => Boolean(board()?.stance);
  /** two persons choose on one board while the clock runs: what both see is shown, what they chose is not */
  const shared = () => stands() && clock() > 0 && seats.persons().length > 1;
  createEffect(() => session.look(seats.seat(), shared()));
  let held = false;
  let last: number[] | null = null;
  const [question, setQuestion] = createSignal<{ text: string; yes: () => void } | null>(null);

  /** The decision that an option stands for; null, and a sentence, where something is missing for it. */
  function moveOf(option: number): number[] | null {
    const move = session.reason(option) ? null : board()?.compose?.(option);
    if (typeof move !== "string") return move ?? [option, ...rest().slice(1)];
    voice.refuse(`${offer.label(option)}: ${move}.`);
    return null;
  }

  /** What the visitor chose, by button, key or board; `sure`: a question about it was answered. */
  function choose(move: number[], sure = false): void {
    const running = autoplay.acting();
    if (running && running.kind !== "clock") autoplay.stop();
    const option = move[0] ?? 0;
    const reason = session.reason(option);
    if (reason) return void voice.refuse(`${offer.label(option)}: ${reason}.`);
    const text = sure ? "" : (view.asks?.(session.frame()!, move) ?? "");
    if (text) return void setQuestion({ text, yes: () => choose(move, true) });
    voice.say("");
    last = move;
    const again = running?.kind === "repeat" && running.move[0] === option;
    if (again) return;
    const seat = seats.seat();
    if (repeat() && alone()) return autoplay.start({ kind: "repeat", seat, move });
    seats.choose(seat, move);
    if (clock()) return void (running ?? autoplay.start({ kind: "clock" }));
    if (seats.open().length === 0) void session.acts(() => seats.gather(seats.byChoice), "", 0).finally(seats.clear);
  }

  /** Makes the decision that stands on the board, or starts the clock, which takes it at every tick. */
  const tick = (): void => {
    const move = board()?.stance?.(seats.seat());
    if (!move || session.frame()!.over) return;
    if (!clock()) choose(move);
    else if (!autoplay.acting()) autoplay.start({ kind: "clock" });
  };

  const press: Press = {
    choose(option) {
      const move = moveOf(option);
      if (move) choose(move);
    },
    hold(option) {
      // what is composed is meant once
      const move = composes() || !alone() ? null : moveOf(option);
      if (!move) return;
      held = true;
      last = move;
      autoplay.start({ kind: "repeat", seat: seats.seat(), move });
    },
    release() {
      if (held && autoplay.acting()?.kind === "repeat") autoplay.stop();
      held = false;
    },
  };

  /** Ticks per second; the clock starts with the first choice. */
  const wind = (perSecond: number): void => {
    autoplay.stop();
    seats.clear();
    setClock(perSecond);
  };

  return { ...voice, ...offer, seats, clock, wind, alone, autoplay, adviser, board, setBoard, composes, stands, shared, tick, seconds: view.tick ?? 0, repeat, setRepeat, rest, setRest, question, setQuestion, choose: (move: number[]) => choose(move), press, ...createHints(session, { adviser, autoplay, board, tell: offer.tell, ...voice }), again: () => last && choose(last) };
}

export type Controls = ReturnType<typeof createControls>;

/** Other episodes, and links to this one. */
export function createEpisodes(session: Session, { autoplay, say, seats }: Controls) {
  async function restart(next: Restart): Promise<void> {
    autoplay.stop();
    seats.clear();
    say("");
    await session.restart(next);
    settle(session);
  }
  const again = (next: Restart) => void restart(next).catch((cause) => session.setTrouble(cause instanceof Error ? cause.message : String(cause)));

  async function share(): Promise<void> {
    const plan = session.told();
    const link = planLink(session.facts.path, plan);
    try {
      await navigator.clipboard.writeText(link);
      say(`Copied: seed ${seedName(plan) || plan.seed} and ${counted(plan.moves.length, "move")}.`);
    } catch {
      // without the clipboard the address itself is the link
      history.replaceState(null, "", link);
      session.setAddress();
      say("The address of this page now holds the seed and all moves: copy it from there.");
    }
  }
  return { restart, again, share: () => void share() };
}

export type Episodes = ReturnType<typeof createEpisodes>;
