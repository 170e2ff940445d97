// The episode that is being played: where it comes from (a seed, a link, a frame of a replay, what
// was there before a reload), each decision, and what the page shows of it.
import { batch, createSignal } from "solid-js";
import { api, ApiError } from "../lib/api";
import { asks } from "../lib/game";
import { readReplay } from "../lib/replay";
import type { Frame } from "../view";
import { BadLink, decodeMoves, encodeMoves, newSeed, readObject, readSeed, save, saved, type Plan } from "./moves";
import { PageTable, ServerTable, type Table } from "./table";

export interface LogLine {
  index: number;
  by: string;
  text: string;
  events: string[];
  reward: number;
}

const mostLines = 200;

/** Opens the rules: in the page, else on the server. The second part says why not in the page. */
export async function openTable(game: string): Promise<[Table, string]> {
  const [table, why] = await tableOf(game);
  if (table.facts.seats !== 1) throw new Error(`${table.facts.title} is for ${table.facts.seats} players; this page plays games for one.`);
  return [table, why];
}

async function tableOf(game: string): Promise<[Table, string]> {
  try {
    return [await PageTable.open(game), ""];
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    try {
      return [await ServerTable.open(game), why];
    } catch (second) {
      if (second instanceof ApiError && second.kind === "missing") throw new Error(`There is no game called ${game}.`);
      throw new Error(`The game does not load: ${why}.`);
    }
  }
}

/** Where an episode begins: its plan, how many decisions the address gave, and words for that. */
interface Origin {
  plan: Plan;
  given: number;
  from: string;
}

async function fromReplay(run: string, replay: string, frame: string, id: string): Promise<Origin> {
  const file = readReplay(await api.replayFile(run, replay));
  if (file.gameId !== id) throw new BadLink(`This replay is of ${file.gameId}; this page plays ${id}.`);
  if (file.seats !== 1) throw new BadLink("This replay has several seats; the page plays games for one.");
  const asked = frame === "" ? file.decisions : Number(frame);
  if (!Number.isInteger(asked) || asked < 0 || asked > file.decisions) {
    throw new BadLink(`This replay has frames 0 to ${file.decisions}; the link asks for ${frame}.`);
  }
  const moves = Array.from({ length: asked }, (_, t) => [...file.actions.subarray(t * file.heads, (t + 1) * file.heads)]);
  const { settings, options } = file as { settings: Record<string, unknown>; options: Record<string, unknown> };
  const from = `Taken over from ${replay} at frame ${asked} of ${file.decisions}.`;
  return { plan: { settings, options, seed: file.seed.toString(), moves }, given: asked, from };
}

/** `named`: the game has seeds by name, as a reset option `seed`. */
async function fromAddress(id: string, named: boolean): Promise<Origin> {
  const query = new URLSearchParams(location.search);
  const text = (key: string): string => query.get(key) ?? "";
  if (text("run") && text("replay")) return fromReplay(text("run"), text("replay"), text("frame"), id);
  const options = readObject(text("opt"), "options");
  let seed = text("seed") === "" ? newSeed() : readSeed(text("seed"));
  if (seed === null && named) {
    // a game with seeds of its own: its rules say what is wrong with this one
    options["seed"] = text("seed");
    seed = "0";
  }
  if (seed === null) throw new BadLink("The seed in this link is not a whole number from 0 to 18446744073709551615.");
  const conditions = { settings: readObject(text("set"), "settings"), options, seed };
  const letters = new URLSearchParams(location.hash.slice(1)).get("m") ?? text("m");
  const moves = letters ? decodeMoves(letters, conditions) : [];
  const from = moves.length ? `Played on from a link with ${moves.length} moves.` : "";
  return { plan: { ...conditions, moves }, given: moves.length, from };
}

const addressNow = (): string => location.search + location.hash;

export function createSession(table: Table) {
  const { facts } = table;
  let plan: Plan = { settings: {}, options: {}, seed: "0", moves: [] };
  let given = 0;
  let from = "";
  let address = "";
  let due = 0;
  let working = false;

  const [frame, setFrame] = createSignal<Frame | null>(null, { equals: false });
  const [legal, setLegal] = createSignal<Uint8Array>(new Uint8Array(0), { equals: false });
  const [first, setFirst] = createSignal<Frame | null>(null);
  const [log, setLog] = createSignal<LogLine[]>([]);
  const [origin, setOrigin] = createSignal({ from: "", given: 0 });
  /** 0..1 while moves are played again, else null */
  const [progress, setProgress] = createSignal<number | null>(null);
  const [trouble, setTrouble] = createSignal("");
  let reasons: string[] = [];

  function keep(): void {
    clearTimeout(due);
    due = 0;
    const { settings, options, seed } = plan;
    save(facts.path, { address, conditions: { settings, options, seed }, moves: encodeMoves(plan), given, from });
  }

  const lineOf = (now: Frame, by: string): LogLine => ({ index: now.index, by, text: now.story || now.actionName, events: now.events, reward: now.reward });

  /** The board as it is now; `by` is who made the last decision, null when it is no news. */
  function show(by: string | null): void {
    const now = table.frame();
    reasons = [];
    batch(() => {
      setLegal(table.legal());
      setFrame(now);
      if (by !== null) setLog((lines) => [lineOf(now, by), ...lines].slice(0, mostLines));
    });
  }

  /** Plays a plan from its start; what does not fit the game is refused and nothing changes but the board. */
  async function play(next: Plan): Promise<void> {
    if (next.moves.length && next.moves[0]!.length !== facts.heads.length) {
      throw new BadLink(`These moves choose ${next.moves[0]!.length} options at once; ${facts.title} has ${facts.heads.length}.`);
    }
    await table.start(next.seed, next.settings, next.options);
    setFirst(table.frame());
    const recent: LogLine[] = [];
    let over = false;
    for (let i = 0, since = performance.now(); i < next.moves.length; i++) {
      if (over) throw new BadLink(`The episode of this seed ends after ${i} moves, but there are ${next.moves.length}.`);
      over = await table.step(next.moves[i]!);
      if (i >= next.moves.length - 30) recent.unshift(lineOf(table.frame(), ""));
      if (performance.now() - since > 40) {
        setProgress(i / next.moves.length);
        await new Promise((done) => setTimeout(done, 0));
        since = performance.now();
      }
    }
    plan = { ...next, moves: [...next.moves] };
    setLog(recent);
    show(null);
  }

  async function begin(next: Origin): Promise<void> {
    working = true;
    setTrouble("");
    setProgress(next.plan.moves.length ? 0 : null);
    try {
      await play(next.plan);
      ({ given, from } = next);
      setOrigin({ from, given });
      keep();
    } finally {
      working = false;
      setProgress(null);
    }
  }

  /** What the address asks for, or what was played under it before a reload. */
  async function open(): Promise<void> {
    address = addressNow();
    const before = saved(facts.path);
    const named = /[?&](seed|run|m)=/.test(address) || address.includes("#m=");
    try {
      if (before && (before.address === address || !named)) {
        address = before.address;
        const { conditions, given, from } = before;
        return await begin({ plan: { ...conditions, moves: decodeMoves(before.moves, conditions) }, given, from });
      }
      await begin(await fromAddress(facts.id, Boolean(facts.options?.properties?.seed)));
    } catch (cause) {
      // the board must stand on something: a fresh episode under the sentence that says what was wrong
      await begin({ plan: { settings: {}, options: {}, seed: newSeed(), moves: [] }, given: 0, from: "" });
      const words = cause instanceof Error ? cause.message : String(cause);
      setTrouble(`${words.replace(/[.\s]*$/, ".")} A new episode began instead.`);
    }
  }

  /** A new episode; what is refused leaves the old one as it was. */
  async function restart(next: { seed?: string; settings?: Record<string, unknown>; options?: Record<string, unknown>; given?: boolean }): Promise<void> {
    if (working) return;
    const moves = next.given ? plan.moves.slice(0, given) : [];
    const fresh: Plan = { settings: next.settings ?? plan.settings, options: next.options ?? plan.options, seed: next.seed ?? plan.seed, moves };
    const now = { plan, given, from };
    try {
      await begin({ plan: fresh, given: next.given ? given : 0, from: next.given ? from : "" });
    } catch (cause) {
      await begin(now);
      throw cause;
    }
    // back to where it was taken over keeps the address that says so
    if (!next.given) address = "";
  }

  /** True for a move whose options are all legal by the mask, where they count. */
  const allowed = (move: number[]): boolean => {
    const mask = table.legal();
    return move.every((option, head) => (head > 0 && !asks(facts.heads, head, move, mask)) || mask[(facts.heads[head]?.offset ?? 0) + option] === 1);
  };

  /** Decisions one behind the other until `next` has none, one is illegal, or `ms` have passed; then
   * they are shown. Returns whether it can go on. */
  async function acts(next: () => Promise<number[] | null>, by: string, ms: number): Promise<boolean> {
    if (working || frame()?.over) return false;
    working = true;
    const began = performance.now();
    let made = 0;
    let more = true;
    try {
      do {
        const move = await next();
        more = Boolean(move && allowed(move));
        if (!move || !more) {
          if (move && by) setTrouble(`${by} stopped: it wants an action that the rules do not allow now.`);
          break;
        }
        more = !(await table.step(move));
        plan.moves.push(move);
        made++;
      } while (more && performance.now() - began < ms);
    } catch (cause) {
      more = false;
      setTrouble(cause instanceof Error ? cause.message : String(cause));
    } finally {
      working = false;
    }
    if (made === 0) return false;
    if (more) setTrouble("");
    show(by);
    if (!due) due = window.setTimeout(keep, 400);
    return more;
  }

  /** One decision; false when it was not made, or was the last. */
  const act = (move: number[], by: string): Promise<boolean> => acts(async () => move, by, 0);

  /** Why an option cannot be chosen now, "" when it can. */
  function reason(option: number, head = 0): string {
    const flat = (facts.heads[head]?.offset ?? 0) + option;
    if (legal()[flat] === 1) return "";
    return (reasons[flat] ??= table.why(head, option) || "the rules do not allow it");
  }

  return {
    table,
    facts,
    frame,
    first,
    legal,
    log,
    origin,
    progress,
    trouble,
    setTrouble,
    plan: () => plan,
    setAddress: () => {
      address = addressNow();
      keep();
    },
    address: () => address,
    open,
    restart,
    act,
    acts,
    reason,
    keep,
    close() {
      if (due) keep();
      table.close();
    },
  };
}

export type Session = ReturnType<typeof createSession>;
