// One environment in the page: the game's rules, words, bots and trained models, by its WASM module.
// Everything is synchronous once it is loaded.
import { byPlayers, folderOf } from "./format";
import { compile, GameError, Instance } from "./wasm";

export { GameError } from "./wasm";

export interface Head {
  name: string;
  offset: number;
  options: string[];
  sets?: string[];
  /** when the head is asked; see `asks` */
  needs?: { option: number; kind: string; on_head: number; on_option: number }[];
}

/** Whether a head says something in a decision: it is asked after what earlier heads chose, and the
 * mask leaves it an option. */
export function asks(heads: Head[], head: number, actions: number[], mask: Uint8Array): boolean {
  const { offset, options, needs = [] } = heads[head]!;
  const met = needs.filter((need) => need.option < 0).map((need) => ({ kind: need.kind, is: actions[need.on_head] === need.on_option }));
  const any = met.filter((need) => need.kind === "any");
  if (any.length && !any.some((need) => need.is)) return false;
  if (met.some((need) => (need.kind === "all" && !need.is) || (need.kind === "none" && need.is))) return false;
  return options.some((_, option) => mask[offset + option] === 1);
}

/** Whether what earlier heads chose leaves an option open. */
function fits({ needs = [] }: Head, option: number, actions: number[]): boolean {
  const own = needs.filter((need) => need.option === option).map((need) => ({ kind: need.kind, is: actions[need.on_head] === need.on_option }));
  const any = own.filter((need) => need.kind === "any");
  return (!any.length || any.some((need) => need.is)) && own.every((need) => need.kind === "any" || need.is === (need.kind === "all"));
}

/** The first legal option of each head that is asked. */
export function firstLegal(heads: Head[], mask: Uint8Array): number[] {
  const move = heads.map(() => 0);
  heads.forEach((one, head) => {
    if (head > 0 && !asks(heads, head, move, mask)) return;
    move[head] = Math.max(0, one.options.findIndex((_, option) => mask[one.offset + option] === 1 && fits(one, option, move)));
  });
  return move;
}

/** The name of a decision, of several seats with a line between: seats x heads numbers. */
export function actionName(heads: Head[], actions: ArrayLike<number>): string {
  const seats = Array.from({ length: actions.length / heads.length }, (_, seat) => seat * heads.length);
  return seats.map((at) => heads.map((head, h) => head.options[actions[at + h] ?? 0] ?? `${actions[at + h]}`).join(", ")).join(" | ");
}

export interface Spec {
  id: string;
  seats: number;
  heads: Head[];
  mask_length: number;
  observation_length: number;
  terms: string[];
  info: { name: string; kind: string }[];
  [key: string]: any;
}

/** What the specification leaves out: words for people. */
export interface About {
  name: string;
  title: string;
  sentence: string;
  headline: string;
  strongest: string;
  modes: string;
  bots: { name: string; sentence: string; sees_hidden: boolean }[];
  events: { name: string; sentence: string }[];
  terms: { name: string; sentence: string; weight: number }[];
  /** hashes that replays name: of the specification, and of the rules under the open settings */
  spec: string;
  rules: string;
  /** the same of earlier specifications, whose replays are still read */
  earlier: { spec: string; rules: string }[];
}

export type Snapshot = Uint8Array;

export interface Step {
  terminated: boolean;
  truncated: boolean;
  illegal: boolean;
  over: boolean;
}

export interface Thought {
  value: number;
  entropy: number;
  top: { option: number; name: string; probability: number }[];
  best: number[];
}

function halves(seed: bigint | number | string): [number, number] {
  const wide = BigInt.asUintN(64, BigInt(seed));
  return [Number(wide & 0xffffffffn) | 0, Number(wide >> 32n) | 0];
}

const hex = (value: number) => (value >>> 0).toString(16).padStart(8, "0");

export class Game {
  spec!: Spec;
  about!: About;
  over = false;
  private constructor(
    readonly name: string,
    private readonly module: Instance,
    private variant: number,
  ) {}

  /** By folder ("prospector") or id ("prospector-v1"); opened with default settings at seed 0. */
  static async load(name: string): Promise<Game> {
    // a folder is the module's name; an id starts with it, and a folder has no hyphen
    const folder = folderOf(name);
    const game = new Game(folder, await Instance.make(await compile(folder)), 0);
    game.pick(name);
    return game;
  }

  private pick(name: string): void {
    const count = this.module.calls.ludus_games!();
    for (this.variant = 0; this.variant < count; this.variant++) {
      this.open();
      if (name === this.name || name === this.spec.id) return;
    }
    throw new GameError("LU_NOT_FOUND", `there is no game ${name}`);
  }

  /** How addresses name it: the folder for the first variant, the id for others. */
  get path(): string {
    return this.variant === 0 ? this.name : this.spec.id;
  }

  /** Opens with settings (those that differ from their defaults) at the episode of seed 0. */
  open(settings: object = {}): void {
    const text = JSON.stringify(settings);
    this.module.must("ludus_open", this.variant, text === "{}" ? 0 : this.module.lend(text));
    this.spec = this.module.ask<Spec>("ludus_spec");
    this.about = this.module.ask<About>("ludus_about");
    this.over = false;
  }

  /** Schemas of settings and reset options, for forms. */
  forms(): { settings: any; options: any } {
    return this.module.ask("ludus_forms");
  }

  reset(seed: bigint | number | string, options: object = {}): void {
    const [low, high] = halves(seed);
    const text = JSON.stringify(options);
    this.module.must("ludus_reset", low, high, text === "{}" ? 0 : this.module.lend(text));
    this.over = false;
  }

  /** One decision of all seats: seats x heads numbers. */
  step(actions: ArrayLike<number>): Step {
    const { calls } = this.module;
    const length = this.spec.seats * this.spec.heads.length;
    const room = new Int32Array(calls.memory.buffer, calls.ludus_actions!(), length);
    for (let i = 0; i < length; i++) room[i] = actions[i] ?? 0;
    const bits = calls.ludus_step!();
    this.over = (bits & 11) !== 0;
    return { terminated: (bits & 1) !== 0, truncated: (bits & 2) !== 0, illegal: (bits & 4) !== 0, over: this.over };
  }

  /** What a seat sees. */
  state(seat = 0): any {
    return this.module.ask("ludus_state_json", seat);
  }

  /** Everything, also what is hidden. */
  full(): any {
    return this.module.ask("ludus_state_json", -1);
  }

  /** Sets up a situation. */
  setState(state: object): void {
    this.module.must("ludus_from_json", this.module.lend(JSON.stringify(state)));
    this.over = false;
  }

  /** One byte per flat option of a seat. */
  mask(seat = 0): Uint8Array {
    const length = this.spec.mask_length;
    return this.module.bytes(this.module.calls.ludus_mask!() + seat * length, length).slice();
  }

  observation(seat = 0): Float32Array {
    const { calls } = this.module;
    const length = this.spec.observation_length;
    return new Float32Array(calls.memory.buffer, calls.ludus_observation!() + 4 * seat * length, length).slice();
  }

  info(seat = 0): Record<string, any> {
    // of several seats a list
    const all = [this.module.ask("ludus_info")].flat();
    return all[seat] ?? all[0];
  }

  reward(seat = 0): number {
    return Number(this.module.calls.ludus_reward!(seat));
  }

  /** Reward terms of the last step, before their weights. */
  terms(seat = 0): Record<string, number> {
    return this.module.ask("ludus_terms", seat);
  }

  /** The last step in words. */
  story(): string {
    return byPlayers(this.module.ask<string>("ludus_story"));
  }

  /** Names of what happened in the last step. */
  events(): string[] {
    return this.module.ask<string[]>("ludus_events");
  }

  /** Why an option is illegal now; null when it is legal. */
  why(head: number, option: number, seat = 0): string | null {
    return this.module.ask<string | null>("ludus_why_not", seat, head, option);
  }

  /** The board as text. */
  show(seat = 0): string {
    return this.module.ask<string>("ludus_show", seat);
  }

  /** Seats that choose next; those that the game drives itself are not among them. */
  choosing(): number[] {
    const bits = this.module.calls.ludus_to_move!();
    return Array.from({ length: this.spec.seats }, (_, seat) => seat).filter((seat) => (bits >> seat) & 1 && !this.drives(seat));
  }

  /** Whether the game itself drives a seat under the open settings. */
  drives(seat: number): boolean {
    return this.module.calls.ludus_drives!(seat) !== 0;
  }

  hash(): string {
    const { calls } = this.module;
    return hex(calls.ludus_state_hash!(1)) + hex(calls.ludus_state_hash!(0));
  }

  /** The hash of bytes that files are checked with. */
  hashOf(bytes: Uint8Array): string {
    const length = this.module.lend(bytes);
    const { calls } = this.module;
    return hex(calls.ludus_bytes_hash!(length, 1)) + hex(calls.ludus_bytes_hash!(length, 0));
  }

  /** The whole episode: state, sums, what bots and a model remember. For any instance with the same settings. */
  save(): Snapshot {
    const { calls } = this.module;
    const length = calls.ludus_save!();
    return this.module.bytes(calls.ludus_saved!(), length).slice();
  }

  restore(snapshot: Snapshot): void {
    this.module.must("ludus_restore", this.module.lend(snapshot));
    this.over = this.module.calls.ludus_over!() !== 0;
  }

  bots(): string[] {
    return this.about.bots.map((bot) => bot.name);
  }

  /** What a bot does now: heads numbers. Its memory moves on, so ask once per decision. */
  botAct(name: string, seat = 0): number[] {
    const index = this.about.bots.findIndex((bot) => bot.name === name);
    return this.module.ask<number[]>("ludus_bot_act", index, seat);
  }

  /** A model file (safetensors) for this game. */
  openModel(bytes: Uint8Array): { game: string; kind: string; step: number; parameters: number; build: string } {
    return this.module.ask("ludus_model_open", this.module.lend(bytes));
  }

  /** What the model thinks now; a model with memory moves on, so ask once per decision. `best` holds its best
   * options, or what was drawn from its policy by the seed of the episode. */
  think(seat = 0, most = 8, drawn = false): Thought {
    this.module.must(drawn ? "ludus_model_draw" : "ludus_model_run", seat);
    const { calls } = this.module;
    const probability = new Float32Array(calls.memory.buffer, calls.ludus_probabilities!(), this.spec.mask_length);
    const best = [...new Int32Array(calls.memory.buffer, calls.ludus_best!(), this.spec.heads.length)];
    let entropy = 0;
    const all: Thought["top"] = [];
    for (let option = 0; option < probability.length; option++) {
      const p = probability[option] ?? 0;
      if (p <= 0) continue;
      entropy -= p * Math.log(p);
      all.push({ option, name: this.optionName(option), probability: p });
    }
    all.sort((a, b) => b.probability - a.probability || a.option - b.option);
    return { value: Number(calls.ludus_value!()), entropy, top: all.slice(0, most), best };
  }

  /** The name of a flat option (offset of its head plus option). */
  optionName(flat: number): string {
    for (const head of this.spec.heads) {
      const name = head.options[flat - head.offset];
      if (flat >= head.offset && name !== undefined) return name;
    }
    return String(flat);
  }

  /** Whether a decision would be legal now: it is tried and taken back. */
  can(actions: ArrayLike<number>): boolean {
    const { over } = this;
    if (over) return false;
    const before = this.save();
    const { illegal } = this.step(actions);
    this.restore(before);
    return !illegal;
  }

  /** The name of a decision, of several seats with a line between: seats x heads numbers. */
  actionName(actions: ArrayLike<number>): string {
    return actionName(this.spec.heads, actions);
  }
}
