// The episode that is being played: each decision of all seats, what the page shows of it to one of
// them, and what a reload brings back. Who decides for which seat is told in seats.ts.
import { batch, createSignal } from "solid-js";
import { asks, firstLegal } from "../lib/game";
import type { Frame } from "../view";
import { BadLink, decodeMoves, encodeMoves, newSeed, save, saved, type Plan } from "./moves";
import { fromAddress, type Origin } from "./origin";
import type { Table } from "./table";

export interface LogLine {
  index: number;
  by: string;
  text: string;
  events: string[];
  reward: number;
}

/** What a new episode changes of the one before; `given` keeps the decisions that the address gave. */
export interface Restart {
  seed?: string;
  settings?: Record<string, unknown>;
  options?: Record<string, unknown>;
  given?: boolean;
}

const mostLines = 200;

const addressNow = (): string => location.search + location.hash;
const wordsOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
const lineOf = (now: Frame, by: string): LogLine => ({ index: now.index, by, text: now.story || now.actionName, events: now.events, reward: now.reward });

/** What the page reads of an episode. */
function createSigns() {
  const [frame, setFrame] = createSignal<Frame | null>(null, { equals: false });
  const [legal, setLegal] = createSignal<Uint8Array>(new Uint8Array(0), { equals: false });
  const [choosing, setChoosing] = createSignal<number[]>([], { equals: false });
  const [first, setFirst] = createSignal<Frame | null>(null);
  const [log, setLog] = createSignal<LogLine[]>([]);
  const [origin, setOrigin] = createSignal({ from: "", given: 0 });
  const [progress, setProgress] = createSignal<number | null>(null);
  const [trouble, setTrouble] = createSignal("");
  return { frame, setFrame, legal, setLegal, choosing, setChoosing, first, setFirst, log, setLog, origin, setOrigin, progress, setProgress, trouble, setTrouble };
}

export class Session {
  private readonly signs = createSigns();
  /** as the seat sees it that is shown */
  readonly frame = this.signs.frame;
  /** its mask */
  readonly legal = this.signs.legal;
  /** seats that choose next */
  readonly choosing = this.signs.choosing;
  /** the reset */
  readonly first = this.signs.first;
  readonly log = this.signs.log;
  readonly origin = this.signs.origin;
  /** 0..1 while moves are played again, else null */
  readonly progress = this.signs.progress;
  readonly trouble = this.signs.trouble;
  readonly setTrouble = this.signs.setTrouble;
  private now: Plan = { settings: {}, options: {}, seed: "0", moves: [] };
  private given = 0;
  private from = "";
  private begunAt = "";
  private due = 0;
  private working = false;
  private reasons: string[] = [];
  private seat = 0;
  private everything = false;

  constructor(readonly table: Table) {}

  get facts() {
    return this.table.facts;
  }

  plan(): Plan {
    return this.now;
  }

  /** As far as it can be told elsewhere: where others decided on the server, without its moves. */
  told(): Plan {
    return this.table.whole ? this.now : { ...this.now, moves: [] };
  }

  /** The address that the episode began with. */
  address(): string {
    return this.begunAt;
  }

  setAddress(): void {
    this.begunAt = addressNow();
    this.keep();
  }

  close(): void {
    if (this.due) this.keep();
    this.table.close();
  }

  /** Writes down what a reload brings back. */
  readonly keep = (): void => {
    clearTimeout(this.due);
    this.due = 0;
    const { settings, options, seed } = this.now;
    save(this.facts.path, { address: this.begunAt, conditions: { settings, options, seed }, moves: encodeMoves(this.told()), given: this.table.whole ? this.given : 0, from: this.from });
  };

  // ---- beginning ----

  /** What the address asks for, or what was played under it before a reload. */
  async open(): Promise<void> {
    this.begunAt = addressNow();
    const before = saved(this.facts.path);
    const named = /[?&](seed|run|m)=/.test(this.begunAt) || this.begunAt.includes("#m=");
    try {
      if (before && (before.address === this.begunAt || !named)) {
        this.begunAt = before.address;
        const { conditions, given, from } = before;
        return await this.begin({ plan: { ...conditions, moves: decodeMoves(before.moves, conditions) }, given, from });
      }
      await this.begin(await fromAddress(this.facts.id, Boolean(this.facts.options?.properties?.seed)));
    } catch (cause) {
      // the board must stand on something: a fresh episode under the sentence that says what was wrong
      await this.begin({ plan: { settings: {}, options: {}, seed: newSeed(), moves: [] }, given: 0, from: "" });
      this.setTrouble(`${wordsOf(cause).replace(/[.\s]*$/, ".")} A new episode began instead.`);
    }
  }

  /** A new episode; what is refused leaves the old one as it was. */
  async restart(next: Restart): Promise<void> {
    if (this.working) return;
    const { now, given, from } = this;
    const moves = next.given ? now.moves.slice(0, given) : [];
    const fresh: Plan = { settings: next.settings ?? now.settings, options: next.options ?? now.options, seed: next.seed ?? now.seed, moves };
    try {
      await this.begin({ plan: fresh, given: next.given ? given : 0, from: next.given ? from : "" });
    } catch (cause) {
      await this.begin({ plan: now, given, from });
      throw cause;
    }
    // back to where it was taken over keeps the address that says so
    if (!next.given) this.begunAt = "";
  }

  /** Others sit down. What is chosen meanwhile is lost: it was meant for the episode before. */
  async sit(holders: string[]): Promise<void> {
    if (!this.table.sit) return;
    if (this.working) throw new Error("A decision is under way: choose the player again.");
    this.working = true;
    try {
      if (!(await this.table.sit(holders))) return;
    } finally {
      this.working = false;
    }
    const { now, table } = this;
    this.now = { ...now, moves: [] };
    [this.given, this.from] = [0, ""];
    this.signs.setOrigin({ from: "", given: 0 });
    this.signs.setFirst(table.frame(this.seat));
    this.signs.setLog([]);
    this.setTrouble("");
    this.show(null);
    this.keep();
  }

  private async begin(next: Origin): Promise<void> {
    this.working = true;
    this.setTrouble("");
    this.signs.setProgress(next.plan.moves.length ? 0 : null);
    try {
      await this.play(next.plan);
      ({ given: this.given, from: this.from } = next);
      this.signs.setOrigin({ from: this.from, given: this.given });
      this.keep();
    } finally {
      this.working = false;
      this.signs.setProgress(null);
    }
  }

  /** Plays a plan from its start; what does not fit the game is refused and nothing changes but the board. */
  private async play(next: Plan): Promise<void> {
    const { facts, table } = this;
    const row = facts.seats * facts.heads.length;
    if (next.moves.length && next.moves[0]!.length !== row) {
      throw new BadLink(`These moves choose ${next.moves[0]!.length} options at once; ${facts.title} has ${row}.`);
    }
    await table.start(next.seed, next.settings, next.options);
    this.signs.setFirst(table.frame(this.seat));
    const recent: LogLine[] = [];
    let over = false;
    for (let i = 0, since = performance.now(); i < next.moves.length; i++) {
      if (over) throw new BadLink(`The episode of this seed ends after ${i} moves, but there are ${next.moves.length}.`);
      over = await table.step(next.moves[i]!);
      if (i >= next.moves.length - 30) recent.unshift(lineOf(table.frame(this.seat), ""));
      if (performance.now() - since > 40) {
        this.signs.setProgress(i / next.moves.length);
        await new Promise((done) => setTimeout(done, 0));
        since = performance.now();
      }
    }
    this.now = { ...next, moves: [...next.moves] };
    this.signs.setLog(recent);
    this.show(null);
  }

  /** The board as it is now; `by` is who made the last decision, null when it is no news. */
  private show(by: string | null): void {
    const { seat, table } = this;
    const now = table.frame(this.everything ? -1 : seat);
    this.reasons = [];
    batch(() => {
      this.signs.setChoosing(table.choosing());
      this.signs.setLegal(table.legal(seat));
      this.signs.setFrame(now);
      if (by !== null) this.signs.setLog((lines) => [lineOf(now, by), ...lines].slice(0, mostLines));
    });
  }

  /** Shows the board as another seat sees it, or with everything; choices are those of the seat. */
  look(seat: number, everything = false): void {
    if (seat === this.seat && everything === this.everything) return;
    this.seat = seat;
    this.everything = everything;
    if (this.frame()) this.show(null);
  }

  /** The seat whose choices are shown. */
  get asked(): number {
    return this.seat;
  }

  // ---- decisions ----

  /** Why an option cannot be chosen now, "" when it can. */
  reason(option: number, head = 0): string {
    const flat = (this.facts.heads[head]?.offset ?? 0) + option;
    if (this.legal()[flat] === 1) return "";
    return (this.reasons[flat] ??= this.table.why(this.seat, head, option) || "the rules do not allow it");
  }

  /** True for options of a seat that are all legal by its mask, where they count. */
  private allows(seat: number, move: number[]): boolean {
    const { heads } = this.facts;
    const mask = this.table.legal(seat);
    return move.every((option, head) => (head > 0 && !asks(heads, head, move, mask)) || mask[(heads[head]?.offset ?? 0) + option] === 1);
  }

  /** Whether options of the seat that is shown are legal together, where the mask alone does not tell. */
  can(move: number[]): boolean {
    const { heads, seats } = this.facts;
    const joint = Array.from({ length: seats }, (_, seat) => (seat === this.seat ? move : firstLegal(heads, this.table.legal(seat)))).flat();
    return this.table.can(joint);
  }

  private allowed(move: number[]): boolean {
    const { length } = this.facts.heads;
    return this.table.choosing().every((seat) => this.allows(seat, move.slice(seat * length, (seat + 1) * length)));
  }

  /** Decisions of all seats one behind the other until `next` has none, one is illegal, or `ms` have passed; then
   * they are shown. Returns whether it can go on. */
  async acts(next: () => Promise<number[] | null>, by: string, ms: number): Promise<boolean> {
    if (this.working || this.frame()?.over) return false;
    this.working = true;
    const began = performance.now();
    let made = 0;
    let more = true;
    try {
      do {
        const move = await next();
        more = Boolean(move && this.allowed(move));
        if (!move || !more) {
          if (move && by) this.setTrouble(`${by} stopped: it wants an action that the rules do not allow now.`);
          break;
        }
        more = !(await this.table.step(move));
        this.now.moves.push(move);
        made++;
      } while (more && performance.now() - began < ms);
    } catch (cause) {
      more = false;
      this.setTrouble(wordsOf(cause));
    } finally {
      this.working = false;
    }
    if (made === 0) return false;
    if (more) this.setTrouble("");
    this.show(by);
    if (!this.due) this.due = window.setTimeout(this.keep, 400);
    return more;
  }
}
