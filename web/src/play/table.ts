// Who keeps the rules of an episode: the game's module in the page, or a session on the server where
// the browser cannot run the module. Both are reset and stepped, and answer with a frame.
import { ApiError, ask, url } from "../lib/api";
import { Game, type Spec } from "../lib/game";
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
  strongest: string;
  heads: Spec["heads"];
  bots: { name: string; sentence: string; sees_hidden?: boolean }[];
  events: { name: string; sentence: string }[];
  settings: any;
  options: any;
}

export interface Table {
  readonly where: "page" | "server";
  readonly facts: Facts;
  /** A new episode; settings and options are those that differ from their defaults. */
  start(seed: string, settings: object, options: object): Promise<void>;
  /** One decision; true when the episode is over now. */
  step(move: number[]): Promise<boolean>;
  frame(): Frame;
  /** One byte per flat option. */
  legal(): Uint8Array;
  /** Why an option of a head is illegal now, as half a sentence. */
  why(head: number, option: number): string;
  /** Whether a whole decision is legal now; the server cannot tell, and says yes. */
  can(move: number[]): boolean;
  close(): void;
}

const blank = { index: 0, action: null, actionName: "", story: "", events: [], reward: 0, total: 0, terms: {} };

export class PageTable implements Table {
  readonly where = "page";
  facts!: Facts;
  private seed = "0";
  private index = 0;
  private total = 0;
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
    this.facts = { ...about, id: spec.id, name: this.game.name, path: this.game.path, seats: spec.seats, heads: spec.heads, settings, options };
  }

  async start(seed: string, settings: object, options: object): Promise<void> {
    this.game.open(settings);
    this.game.reset(seed, options);
    this.know();
    this.seed = seed;
    this.index = this.total = 0;
    this.last = null;
  }

  async step(move: number[]): Promise<boolean> {
    if (this.game.over) return true;
    this.game.step(move);
    this.total += this.game.reward();
    this.index++;
    this.last = move;
    return this.game.over;
  }

  frame(): Frame {
    const { game, last } = this;
    const base = { ...blank, state: game.state(), info: game.info(), over: game.over, seed: this.seed, board: game.show() };
    if (!last) return base;
    return {
      ...base,
      index: this.index,
      action: last,
      actionName: game.actionName(last),
      story: game.story(),
      events: game.events(),
      reward: game.reward(),
      total: this.total,
      terms: game.terms(),
    };
  }

  legal(): Uint8Array {
    return this.game.over ? new Uint8Array(this.game.spec.mask_length) : this.game.mask();
  }

  why(head: number, option: number): string {
    return this.game.why(head, option) ?? "";
  }

  can(move: number[]): boolean {
    return this.game.can(move);
  }

  close(): void {}
}

interface SessionAnswer {
  session: string;
  seed: string | number;
  decisions: number;
  over: boolean;
  rewards: number[];
  returns: number[];
  terms: Record<string, number>;
  state: any;
  info: Record<string, any>;
  mask: number[][];
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

  private constructor(readonly facts: Facts) {}

  static async open(name: string): Promise<ServerTable> {
    const spec = await call<any>(`games/${encodeURIComponent(name)}`, "GET");
    return new ServerTable({ ...spec, path: name, events: spec.events ?? [], bots: spec.bots ?? [] });
  }

  async start(seed: string, settings: object, options: object): Promise<void> {
    const conditions = JSON.stringify([settings, options]);
    this.last = null;
    // a seed above 2^53 is exact only as a text
    const number = Number.isSafeInteger(Number(seed)) ? Number(seed) : seed;
    if (this.now && this.began === conditions) {
      try {
        this.now = await call<SessionAnswer>(`sessions/${this.now.session}/reset`, "POST", { seed: number });
        return;
      } catch (cause) {
        // the server forgets a session that rests too long
        if (!(cause instanceof ApiError && cause.kind === "missing")) throw cause;
        this.now = null;
      }
    }
    this.close();
    this.now = await call<SessionAnswer>("sessions", "POST", { game: this.facts.id, seed: number, settings, options });
    this.began = conditions;
  }

  async step(move: number[]): Promise<boolean> {
    if (!this.now || this.now.over) return true;
    this.now = await call<SessionAnswer>(`sessions/${this.now.session}/step`, "POST", { actions: move });
    this.last = move;
    return this.now.over;
  }

  frame(): Frame {
    const { now, last } = this;
    if (!now) throw new Error("the server's session has not begun");
    const names = last?.map((option, head) => this.facts.heads[head]?.options[option] ?? String(option));
    return {
      index: now.decisions,
      state: now.state,
      action: last,
      actionName: names?.join(", ") ?? "",
      story: last ? now.story : "",
      events: last ? now.events : [],
      reward: now.rewards[0] ?? 0,
      total: now.returns[0] ?? 0,
      terms: now.terms,
      info: now.info,
      over: now.over,
      seed: String(now.seed),
      board: "",
    };
  }

  legal(): Uint8Array {
    const all = (this.now?.mask ?? []).flat();
    return Uint8Array.from(this.now?.over ? all.map(() => 0) : all);
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
