// Who keeps the rules of an episode: the game's module in the page, or a session on the server where
// the browser cannot run the module. Both are reset and stepped, and answer with a frame.
import { ApiError, ask, url } from "../lib/api";
import { byPlayers } from "../lib/format";
import { actionName, Game, type Spec } from "../lib/game";
import type { Frame } from "../view";

/** Words and numbers of a game, from the module or from the server. */
export interface Facts {
  id: string;
  name: string;
  /** how addresses of the page name it */
  path: string;
  seats: number;
  title: string;
  sentence: string;
  headline: string;
  info: Spec["info"];
  strongest: string;
  heads: Spec["heads"];
  bots: { name: string; sentence: string; sees_hidden?: boolean }[];
  events: { name: string; sentence: string }[];
  settings: any;
  options: any;
}

/** The headline is reached or not: a word says it, a number says no more. */
export const isFlag = ({ headline, info }: Facts): boolean => info.some(({ name, kind }) => name === headline && kind === "flag");

/** Who sits in a seat, where it is somebody at this page. */
export const person = "person";

export interface Table {
  readonly where: "page" | "server";
  readonly facts: Facts;
  /** Who sits where: person, bot:NAME or model:NAME; of a table that plays those who are not persons itself. True: the
   * episode begins anew. */
  sit?(holders: string[]): Promise<boolean>;
  /** Whether the decisions that were made here are all there is to the episode. */
  readonly whole: boolean;
  /** A new episode; settings and options are those that differ from their defaults. */
  start(seed: string, settings: object, options: object): Promise<void>;
  /** One decision of all seats (seats x heads); true when the episode is over now. */
  step(move: number[]): Promise<boolean>;
  /** Seats that choose next, but those that the table plays. */
  choosing(): number[];
  /** Whether the game itself drives a seat under the open settings. */
  drives(seat: number): boolean;
  /** What a seat sees; -1: everything. */
  frame(seat: number): Frame;
  /** One byte per flat option of a seat. */
  legal(seat: number): Uint8Array;
  /** Why an option of a head is illegal for a seat now, as half a sentence. */
  why(seat: number, head: number, option: number): string;
  /** Whether a decision of all seats is legal now; the server cannot tell, and says yes. */
  can(move: number[]): boolean;
  close(): void;
}

const blank = { index: 0, action: null, actionName: "", story: "", events: [], reward: 0, terms: {} };

export class PageTable implements Table {
  readonly where = "page";
  readonly whole = true;
  facts!: Facts;
  private seed = "0";
  private index = 0;
  private totals: number[] = [];
  private last: number[] | null = null;

  private constructor(private readonly game: Game) {
    this.know();
  }

  static async open(name: string): Promise<PageTable> {
    return new PageTable(await Game.load(name));
  }

  private know(): void {
    const { about, spec } = this.game;
    const { settings, options } = this.game.forms();
    this.facts = { ...about, id: spec.id, name: this.game.name, path: this.game.path, seats: spec.seats, heads: spec.heads, info: spec.info, settings, options };
  }

  async start(seed: string, settings: object, options: object): Promise<void> {
    this.game.open(settings);
    this.game.reset(seed, options);
    this.know();
    this.seed = seed;
    this.index = 0;
    this.totals = Array.from({ length: this.facts.seats }, () => 0);
    this.last = null;
  }

  async step(move: number[]): Promise<boolean> {
    if (this.game.over) return true;
    this.game.step(move);
    this.totals = this.totals.map((total, seat) => total + this.game.reward(seat));
    this.index++;
    this.last = move;
    return this.game.over;
  }

  choosing(): number[] {
    return this.game.choosing();
  }

  drives(seat: number): boolean {
    return this.game.drives(seat);
  }

  frame(seat: number): Frame {
    const { game, last, totals } = this;
    const own = Math.max(0, seat);
    const base = { ...blank, seat, state: game.state(seat), info: game.info(own), over: game.over, seed: this.seed, board: game.show(own), total: totals[own] ?? 0, totals };
    if (!last) return base;
    return {
      ...base,
      index: this.index,
      action: last,
      actionName: game.actionName(last),
      story: game.story(),
      events: game.events(),
      reward: game.reward(own),
      terms: game.terms(own),
    };
  }

  legal(seat: number): Uint8Array {
    return this.game.over ? new Uint8Array(this.game.spec.mask_length) : this.game.mask(seat);
  }

  why(seat: number, head: number, option: number): string {
    return this.game.why(head, option, seat) ?? "";
  }

  can(move: number[]): boolean {
    return this.game.can(move);
  }

  close(): void {}
}

/** Of every seat: its own value in a game for one, else an array with a value per seat. */
type BySeat<T> = T | T[];

interface SessionAnswer {
  session: string;
  seed: string | number;
  decisions: number;
  over: boolean;
  to_move: number;
  /** the server has not come to a decision of a person yet */
  pending: boolean;
  drives: boolean[];
  rewards: number[];
  returns: number[];
  terms: BySeat<Record<string, number>>;
  state: any;
  info: BySeat<Record<string, any>>;
  mask: BySeat<number[][]>;
  story: string;
  events: string[];
}

async function call<T>(path: string, method: string, body?: object): Promise<T> {
  const response = await ask(url(`/api/v1/${path}`), {
    method,
    headers: { accept: "application/json", ...(body ? { "content-type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return (response.status === 204 ? undefined : await response.json()) as T;
}

export class ServerTable implements Table {
  readonly where = "server";
  private now: SessionAnswer | null = null;
  private last: number[] | null = null;
  private began = "";
  private conditions: [object, object] = [{}, {}];
  private holders: string[];

  private constructor(readonly facts: Facts) {
    this.holders = Array.from({ length: facts.seats }, () => person);
  }

  static async open(name: string): Promise<ServerTable> {
    const spec = await call<any>(`games/${encodeURIComponent(name)}`, "GET");
    return new ServerTable({ ...spec, path: name, events: spec.events ?? [], bots: spec.bots ?? [] });
  }

  get whole(): boolean {
    return this.holders.every((one) => one === person);
  }

  async sit(holders: string[]): Promise<boolean> {
    const before = this.holders;
    this.holders = holders;
    if (!this.now || holders.join() === before.join()) return false;
    try {
      await this.start(String(this.now.seed), ...this.conditions);
      return true;
    } catch (cause) {
      this.holders = before;
      throw cause;
    }
  }

  /** What is posted to the session, until a person is asked or the episode is over. */
  private async post(session: string, what: "reset" | "step", body: object): Promise<SessionAnswer> {
    return this.settled(await call<SessionAnswer>(`sessions/${session}/${what}`, "POST", body));
  }

  /** Persons who are not asked choose nothing. */
  private async settled(now: SessionAnswer): Promise<SessionAnswer> {
    const nothing = this.ofPersons(new Array<number>(this.facts.seats * this.facts.heads.length).fill(0));
    while (now.pending) now = await call<SessionAnswer>(`sessions/${now.session}/step`, "POST", { actions: nothing });
    return now;
  }

  /** The server takes the actions of persons alone. */
  private ofPersons(move: number[]): number[] {
    return move.filter((_, at) => this.holders[Math.floor(at / this.facts.heads.length)] === person);
  }

  async start(seed: string, settings: object, options: object): Promise<void> {
    const conditions = JSON.stringify([settings, options, this.holders]);
    this.last = null;
    // a seed above 2^53 is exact only as a text
    const number = Number.isSafeInteger(Number(seed)) ? Number(seed) : seed;
    if (this.now && this.began === conditions) {
      try {
        this.now = await this.post(this.now.session, "reset", { seed: number });
        return;
      } catch (cause) {
        // the server forgets a session that rests too long
        if (!(cause instanceof ApiError && cause.kind === "missing")) throw cause;
        this.now = null;
      }
    }
    const next = await call<SessionAnswer>("sessions", "POST", { game: this.facts.id, seed: number, settings, options, seats: this.holders });
    this.close();
    this.now = await this.settled(next);
    this.began = conditions;
    this.conditions = [settings, options];
  }

  async step(move: number[]): Promise<boolean> {
    if (!this.now || this.now.over) return true;
    this.now = await this.post(this.now.session, "step", { actions: this.ofPersons(move) });
    this.last = move;
    return this.now.over;
  }

  choosing(): number[] {
    const bits = this.now?.to_move ?? 0;
    return this.holders.flatMap((holder, seat) => ((bits >> seat) & 1 && holder === person && !this.drives(seat) ? [seat] : []));
  }

  drives(seat: number): boolean {
    return this.now?.drives[seat] ?? false;
  }

  /** Of a seat; the server shows nobody what its own players see, so that theirs is a person's. */
  private of<T>(value: BySeat<T>, seat: number): T {
    const seen = this.holders[seat] === person ? seat : this.holders.indexOf(person);
    return this.facts.seats > 1 ? (value as T[])[seen]! : (value as T);
  }

  frame(seat: number): Frame {
    const { now, last } = this;
    if (!now) throw new Error("the server's session has not begun");
    return {
      index: now.decisions,
      seat,
      state: this.of(now.state, seat),
      action: last,
      actionName: last ? actionName(this.facts.heads, last) : "",
      story: last ? byPlayers(now.story) : "",
      events: last ? now.events : [],
      reward: now.rewards[seat] ?? 0,
      total: now.returns[seat] ?? 0,
      totals: now.returns,
      terms: this.of(now.terms, seat),
      info: this.of(now.info, seat) ?? {},
      over: now.over,
      seed: String(now.seed),
      board: "",
    };
  }

  legal(seat: number): Uint8Array {
    return Uint8Array.from(this.now ? this.of(this.now.mask, seat).flat() : []);
  }

  why(): string {
    return this.now?.over ? "the episode is over" : "the rules do not allow it";
  }

  can(): boolean {
    return !this.now?.over;
  }

  close(): void {
    if (this.now) void call(`sessions/${this.now.session}`, "DELETE").catch(() => undefined);
    this.now = null;
  }
}
