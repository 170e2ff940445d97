// Questions to the game's solver (ludus potion solve) in a worker: asked anew whenever they change,
// after a pause; the run before is ended. One runs at a time, so that together they stay below the
// memory that a module may take.
import { createEffect, createSignal, on, onCleanup, type Accessor } from "solid-js";
import { GameError } from "ludus/lib/instance";
import { runTool } from "ludus/lib/tools";
import { entriesOf, type Pieces } from "./rules";
import { exact, type Wishes } from "./state";

/** Tables and searches, in MB; the module's memory ends at 512 with all else in it. */
export const memory = 480;

/** A potion as the solver gives it. */
export interface Found {
  /** "none found": the search ended before it found one, and the rest is missing */
  proof: "optimal" | "best found" | "none found";
  profit_bound?: number;
  total_bound?: number;
  stability?: string;
  total: number;
  items: number;
  brewed: number;
  grade: number;
  unit_price: number;
  cost: number;
  /** where what one owns costs nothing: for the rest */
  paid?: number;
  profit: number;
  trait_sum?: number;
  mix: Record<string, number>;
  /** what has to be bought beyond the stock */
  buy?: { name: string; pieces: number; gold: number }[];
  buy_gold?: number;
}

export interface Answer {
  best_total: Found | null;
  best_profit: Found | null;
  best_traits?: Found | null;
  least_purchase?: Found | null;
  front?: Found[];
  [key: string]: unknown;
}

/** What counts as its cost. */
export const costOf = (found: Found): number => found.paid ?? found.cost;

/** The front of an answer, the cheapest first. */
export const frontOf = (answer: Answer | null): Found[] => (answer?.front ?? []).filter((found) => found.mix).sort((a, b) => costOf(a) - costOf(b));

export type Settings = Record<string, string | number | boolean>;

/** Pieces as the solver reads them. */
export const piecesJson = (pieces: Pieces): string => JSON.stringify(Object.fromEntries(entriesOf(pieces).map(([action, count]) => [action, Math.min(99, count)])));

/** Classes of stability as the solver names them, by the wish: 5 exactly the ratio, 4 perfect to 1 unstable. */
const classNames = ["", "unstable", "stable", "very_stable", "perfect", "exact"];

/** The settings of a question; null while nothing is owned and nothing may be bought. */
export function settingsOf(recipe: number, cauldron: number, stock: Pieces, wishes: Wishes): Settings | null {
  const forbid = entriesOf(wishes.forbid).map(([action]) => action);
  const must = entriesOf(wishes.must);
  if (entriesOf(stock).length === 0 && wishes.shop === 0) return null;
  return {
    recipe: String(recipe),
    cauldron: String(cauldron),
    stock: piecesJson(stock),
    memory,
    ...(wishes.budget ? { budget: wishes.budget } : {}),
    ...(wishes.least ? { least_grade: String(wishes.least) } : {}),
    ...(wishes.stability < exact ? { stability: classNames[wishes.stability]! } : {}),
    ...(wishes.shop ? { shop: wishes.shop } : {}),
    ...(wishes.free ? { free: true } : {}),
    ...(must.length ? { must: piecesJson(wishes.must) } : {}),
    ...(forbid.length ? { forbid: JSON.stringify(forbid) } : {}),
  };
}

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

/** No potion of the answer waits for its proof, as where the memory ended. */
const isProven = (documents: unknown[]): boolean => !/"proof":"(best|none) found"/.test(JSON.stringify(documents));

let turn: Promise<unknown> = Promise.resolve();

/** Waits for those before it, then runs. */
function inTurn<T>(run: () => Promise<T>): Promise<T> {
  const mine = turn.then(run, run);
  turn = mine.catch(() => undefined);
  return mine;
}

const wordsOf = (cause: unknown): string => {
  if (cause instanceof GameError && cause.status === "LU_LIMIT") return `This is too large for a page: ${cause.message}`;
  return cause instanceof Error ? cause.message : String(cause);
};

/** Asks whenever `question` changes and stays so for `pauseMs`; null asks nothing. */
export function asking<T = Answer>(question: Accessor<Settings | null>, pauseMs: number): Asked<T> {
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
      const [got] = await inTurn(async () => {
        mine.signal.throwIfAborted();
        const began = performance.now();
        const call = { tool: "solve", settings: JSON.parse(now) as Settings };
        const progress = (done: number, part: string): void => (setShare(done), void setWhat(part));
        const documents = await runTool<T>("potion", call, { signal: mine.signal, progress, enough: isProven });
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
      setProblem("Stopped.");
    },
    again: () => begin(text(), 0),
  };
}
