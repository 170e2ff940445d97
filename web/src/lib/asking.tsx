// Questions to a tool of a game in a worker, for pages: asked anew whenever they change, after a pause;
// the run before is ended. One runs at a time, so that together they stay below the memory that a
// module may take.
import { createEffect, createSignal, on, onCleanup, Show, type Accessor } from "solid-js";
import { duration, sentence } from "./format";
import { GameError } from "./instance";
import { runTool, type ToolCall } from "./tools";

export interface Asked<T> {
  /** the last answer, also while the next one is computed */
  answer: Accessor<T | null>;
  /** the answer is that of the present question */
  fresh: Accessor<boolean>;
  busy: Accessor<boolean>;
  share: Accessor<number>;
  what: Accessor<string>;
  /** a sentence when it failed or was stopped */
  problem: Accessor<string>;
  seconds: Accessor<number>;
  cancel: () => void;
  again: () => void;
}

let turn: Promise<unknown> = Promise.resolve();

/** Waits for those before it, then runs. */
function inTurn<T>(run: () => Promise<T>): Promise<T> {
  const mine = turn.then(run, run);
  turn = mine.catch(() => undefined);
  return mine;
}

const atOnce = <T,>(run: () => Promise<T>): Promise<T> => run();

const wordsOf = (cause: unknown): string => {
  if (cause instanceof GameError && cause.status === "LU_LIMIT") return `This is too large for a page: ${cause.message}`;
  return cause instanceof Error ? cause.message : String(cause);
};

export interface Asking<T> {
  pauseMs: number;
  /** false: the page's memory gave no full answer, and the server's is wanted */
  enough?: (documents: T[]) => boolean;
  /** takes next to no memory: waits for nobody */
  light?: boolean;
}

const stopped = "Stopped.";

/** Asks whenever `question` changes and stays so for a pause; null asks nothing. */
export function asking<T>(game: string, question: Accessor<ToolCall | null>, { pauseMs, enough, light }: Asking<T>): Asked<T> {
  const [answer, setAnswer] = createSignal<T | null>(null);
  const [answered, setAnswered] = createSignal("");
  const [busy, setBusy] = createSignal(false);
  const [share, setShare] = createSignal(0);
  const [what, setWhat] = createSignal("");
  const [problem, setProblem] = createSignal("");
  const [seconds, setSeconds] = createSignal(0);
  const text = (): string => JSON.stringify(question());
  let running: AbortController | null = null;
  let timer = 0;

  const stop = (): void => {
    clearTimeout(timer);
    running?.abort();
    running = null;
  };

  async function start(now: string): Promise<void> {
    const mine = (running = new AbortController());
    try {
      const [got] = await (light ? atOnce : inTurn)(async () => {
        mine.signal.throwIfAborted();
        const began = performance.now();
        const progress = (done: number, part: string): void => (setShare(done), void setWhat(part));
        const documents = await runTool<T>(game, JSON.parse(now) as ToolCall, { signal: mine.signal, progress, enough });
        setSeconds((performance.now() - began) / 1000);
        return documents;
      });
      if (mine.signal.aborted) return;
      setAnswer(() => got ?? null);
      setAnswered(now);
    } catch (cause) {
      if (mine.signal.aborted) return;
      setAnswer(null);
      setProblem(wordsOf(cause));
    }
    setBusy(false);
  }

  const begin = (now: string, pause: number): void => {
    stop();
    setProblem("");
    setBusy(now !== "null");
    setShare(0);
    setWhat("");
    if (now === "null") setAnswer(null);
    else timer = window.setTimeout(() => void start(now), pause);
  };

  createEffect(on(text, (now) => begin(now, pauseMs)));
  onCleanup(stop);
  return {
    answer,
    fresh: () => answered() === text() && !busy(),
    busy,
    share,
    what,
    problem,
    seconds,
    cancel: () => {
      stop();
      setBusy(false);
      setProblem(stopped);
    },
    again: () => begin(text(), 0),
  };
}

/** How far the solver is, with a way to stop it; what went wrong otherwise. */
export function Running(props: { asked: Asked<unknown>; name: string }) {
  const { busy, share, what, problem, cancel, again, seconds, fresh } = props.asked;
  return (
    <div class="running">
      <Show when={busy()}>
        <progress max="1" value={share()} aria-label={`${props.name}: share done`} />
        <span class="muted what">{what() || "starting"}</span>
        <button type="button" class="button" onClick={cancel}>
          Stop
        </button>
      </Show>
      <Show when={!busy() && problem()}>
        <span class={problem() === stopped ? "muted" : "problem"}>{sentence(problem())}</span>
        <button type="button" class="button" onClick={again}>
          Try again
        </button>
      </Show>
      <span class="muted" role="status">
        {!busy() && fresh() ? `${props.name}: done in ${duration(seconds())}` : ""}
      </span>
    </div>
  );
}
