// The adviser: a trained model or a bot that follows the game, gives a hint, thinks aloud, or is
// handed the game and gives it back.
import { createEffect, createMemo, createResource, createSignal, For, Index, on, Show } from "solid-js";
import { number, percent, sentence } from "../lib/format";
import { kept } from "../lib/store";
import { paces, type Autoplay } from "./autoplay";
import type { GameView } from "../view";
import { choices, Consultant, Player, type Advice, type Advising, type Choice } from "./players";
import type { Seats } from "./seats";
import type { Session } from "./session";

const [remembered, remember] = kept("play.adviser", "");
export const [aloud, setAloud] = kept("play.aloud", false);

/** Bots and models of the game, as soon as the server has told them. */
export function createChoices(session: Session, view: GameView) {
  const told = choices(session.facts, view);
  const [list] = createResource(() => told);
  return { list, told };
}

export type Choices = ReturnType<typeof createChoices>;

export function createAdviser(session: Session, view: GameView, { list }: Choices, seats: Seats, autoplay: Autoplay) {
  const [picked, setPicked] = createSignal(remembered());
  const choice = createMemo<Choice | null>(() => {
    const all = list()?.all ?? [];
    return all.find((one) => one.key === picked()) ?? all[0] ?? null;
  });
  const [player, setPlayer] = createSignal<Advising | null>(null);
  const [problem, setProblem] = createSignal("");
  const [advice, setAdvice] = createSignal<Advice | null>(null);
  const [hint, setHint] = createSignal<number[] | null>(null);
  let opening: Promise<Advising> | null = null;
  let openFor = "";

  const failed = (wanted: Choice) => (cause: unknown) => {
    setProblem(`${wanted.title} cannot play here: ${cause instanceof Error ? cause.message : String(cause)}`);
    return null;
  };

  async function openFirst(wanted: Choice): Promise<Advising> {
    const asks = view.consults?.find(({ agent }) => agent === wanted.game);
    return asks ? new Consultant(wanted, session.frame, asks.ask, session.facts.name) : Player.open(session.facts, wanted);
  }

  /** The chosen player, opened at the first question. */
  async function ready(): Promise<Advising | null> {
    const wanted = choice();
    if (!wanted) return null;
    if (!opening || openFor !== wanted.key) {
      openFor = wanted.key;
      opening = openFirst(wanted);
    }
    try {
      const open = await opening;
      if (openFor !== wanted.key) return null;
      setPlayer(open);
      setProblem("");
      return open;
    } catch (cause) {
      if (openFor !== wanted.key) return null;
      opening = null;
      return failed(wanted)(cause);
    }
  }

  async function consult(): Promise<Advice | null> {
    const who = await ready();
    const plan = session.plan();
    const at = plan.moves.length;
    const said = who ? await who.advise(plan, seats.seat()).catch(failed(who.choice)) : null;
    // the game went on meanwhile: the next question is on its way
    if (session.plan() !== plan || plan.moves.length !== at) return null;
    setAdvice(said);
    return said;
  }

  /** What it would do, also as a mark at the action; null when it cannot say. */
  async function giveHint(): Promise<Advice | null> {
    const said = await consult();
    setHint(said?.best ?? null);
    return said;
  }

  async function handOver(): Promise<void> {
    if (autoplay.acting()?.kind === "player") return autoplay.stop();
    const who = await ready();
    if (who) autoplay.start({ kind: "player", player: who });
  }

  function pick(key: string): void {
    autoplay.stop();
    setPicked(key);
    remember(key);
    setAdvice(null);
    setHint(null);
    if (aloud()) void consult();
  }

  const inPage = session.table.where === "page";
  const listens = () => inPage && (aloud() || autoplay.acting()?.kind === "player");
  createEffect(
    on([session.frame, listens, () => list.state], () => {
      setHint(null);
      if (listens() && session.frame() && !session.frame()!.over) void consult();
      else setAdvice(null);
    }),
  );

  return { list, choice, pick, player, problem, advice, hint, giveHint, handOver, ready };
}

export type Adviser = ReturnType<typeof createAdviser>;

function Thought(props: { advice: Advice; label: (option: number) => string; tell: (move: number[]) => string }) {
  return (
    <div class="p-thought">
      <p>
        {props.advice.value === null ? "Would choose" : "Likeliest"} <b>{props.tell(props.advice.best)}</b>
        <Show when={props.advice.value !== null}>
          {" "}
          · value <b>{number(props.advice.value!, 3)}</b>
        </Show>
      </p>
      <Show when={props.advice.top.length > 0}>
        <ol class="p-bars" aria-label="Likeliest actions">
          <Index each={props.advice.top}>
            {(one) => (
              <li>
                <span class="p-bar-name">{one().words ? sentence(one().words!) : props.label(one().option)}</span>
                <span class="p-bar" aria-hidden="true">
                  <span style={{ transform: `scaleX(${one().probability})` }} />
                </span>
                <span class="p-bar-value">{percent(one().probability)}</span>
              </li>
            )}
          </Index>
        </ol>
      </Show>
    </div>
  );
}

export function AgentPanel(props: {
  session: Session;
  adviser: Adviser;
  autoplay: Autoplay;
  pace: number;
  setPace: (pace: number) => void;
  label: (option: number) => string;
  tell: (move: number[]) => string;
}) {
  const { adviser, autoplay, session } = props;
  const groups = createMemo(() => {
    const all = new Map<string, Choice[]>();
    for (const choice of adviser.list()?.all ?? []) all.set(choice.group, [...(all.get(choice.group) ?? []), choice]);
    return [...all];
  });
  const playing = () => autoplay.acting()?.kind === "player";
  const over = () => Boolean(session.frame()?.over);
  return (
    <section class="card p-agent" aria-label="What would the agent do">
      <h2>What would the agent do</h2>
      <label class="field">
        <span>Ask</span>
        <select value={adviser.choice()?.key ?? ""} onChange={(event) => adviser.pick(event.currentTarget.value)}>
          <For each={groups()}>
            {([group, all]) => (
              <optgroup label={group}>
                <For each={all}>
                  {(choice) => (
                    <option value={choice.key} selected={choice.key === adviser.choice()?.key}>
                      {choice.title}
                    </option>
                  )}
                </For>
              </optgroup>
            )}
          </For>
        </select>
      </label>
      <p class="p-small muted">{adviser.choice()?.sentence ?? "Looking for trained models"}</p>
      <Show when={adviser.list()?.missing}>
        <p class="p-small muted">{adviser.list()!.missing}</p>
      </Show>
      <Show when={adviser.problem()}>
        <p class="p-small p-trouble" role="alert">
          {adviser.problem()}
        </p>
      </Show>
      <div class="p-row">
        <button type="button" class="button" aria-pressed={aloud()} onClick={() => setAloud(!aloud())}>
          Explain each move
        </button>
        <label class="field p-inline">
          <span>Decisions per second</span>
          <select value={String(props.pace)} onChange={(event) => props.setPace(Number(event.currentTarget.value))}>
            <For each={paces}>
              {(pace) => (
                <option value={String(pace)} selected={pace === props.pace}>
                  {pace === 0 ? "as fast as possible" : String(pace)}
                </option>
              )}
            </For>
          </select>
        </label>
      </div>
      <div aria-live={playing() ? "off" : "polite"}>
        <Show when={(aloud() || playing()) && !over() && adviser.advice()}>{(advice) => <Thought advice={advice()} label={props.label} tell={props.tell} />}</Show>
      </div>
      <Show when={aloud() && over()}>
        <p class="p-small muted">The episode is over: there is nothing left to choose.</p>
      </Show>
    </section>
  );
}

