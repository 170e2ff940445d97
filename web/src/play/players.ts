// Those who can play instead of or against the visitor: the game's bots and trained models, each in an
// instance of the game of its own that follows the moves, so that what it remembers is right.
import { api, ApiError, type ModelEntry } from "../lib/api";
import { inOrder, seatOf } from "../league/results";
import { folderOf, runName, words } from "../lib/format";
import { Game } from "../lib/game";
import { runTool } from "../lib/tools";
import type { Frame, GameView } from "../view";
import { PageTable, type Facts } from "./table";
import type { Plan } from "./moves";

export interface Choice {
  /** model:NAME or bot:NAME, as the page remembers it */
  key: string;
  kind: "model" | "bot";
  group: string;
  title: string;
  /** where there is little room */
  short: string;
  sentence: string;
  /** of a model */
  url: string;
  /** of a bot */
  bot: string;
  /** of a model for another variant of the game: the id of that */
  game?: string;
}

export interface Advice {
  /** the likeliest */
  best: number[];
  /** what it does: drawn from its policy, as models are evaluated; a bot's is its best */
  move: number[];
  /** what a bot does not have */
  value: number | null;
  entropy: number | null;
  /** of one that was asked by a tool: in words of its own */
  top: { option: number; name: string; probability: number; words?: string }[];
}

/** Who can be asked what it would do. */
export interface Advising {
  readonly choice: Choice;
  advise(plan: Plan, seat: number): Promise<Advice | null>;
}

function modelChoice(entry: ModelEntry): Choice {
  const base = { key: `model:${entry.name}`, kind: "model" as const, url: entry.url, bot: "" };
  if (!entry.run_id) return { ...base, group: "Published models", title: entry.title || entry.name, short: entry.name, sentence: "A model that comes with the project." };
  const rank = entry.name.endsWith(":best") ? "Best" : entry.name.endsWith(":latest") ? "Newest" : "";
  const window = entry.window_id === undefined ? "" : `, window ${entry.window_id}`;
  const title = rank ? `${rank} of ${runName(entry.run_id)}${window}` : entry.title;
  return { ...base, group: "Models trained here", title, short: rank ? `${rank} model` : entry.title, sentence: entry.run_id };
}

function botChoice(bot: { name: string; sentence: string }, strongest: string): Choice {
  const short = words(bot.name);
  const title = short + (bot.name === strongest ? " (strongest)" : "");
  return { key: `bot:${bot.name}`, kind: "bot", group: "Bots", title, short, sentence: bot.sentence, url: "", bot: bot.name };
}

/** Ratings of the newest league of a game, one of this server's before the one that comes with ludus, by player; none where there is no league or no server. */
async function ratingsOf(game: string): Promise<Map<string, number>> {
  try {
    const [league] = inOrder((await api.leagues()).filter((one) => one.game === game));
    const newest = league ? (await api.league(league.name)).at(-1) : undefined;
    return new Map((newest?.players ?? []).map((one) => [seatOf(one.player.name).replace(/^(bot|model):/, ""), one.elo]));
  } catch {
    return new Map();
  }
}

/** A member of a run that is in a league, by its name there. */
function memberChoice(name: string): Choice | null {
  const [, run, window] = /^([A-Za-z0-9._-]+):(\d+)$/.exec(name) ?? [];
  if (!run || !window) return null;
  return { key: `model:${name}`, kind: "model", group: "", title: `${runName(run)}, window ${window}`, short: `window ${window}`, sentence: run, url: `/api/v1/runs/${run}/models/${window}`, bot: "" };
}

/** Those who are rated come first, the strongest on top, then all others in their groups. */
function byStrength(all: Choice[], ratings: Map<string, number>): Choice[] {
  const nameOf = (one: Choice) => one.bot || one.key.replace(/^model:/, "");
  const members = [...ratings.keys()].filter((name) => !all.some((one) => nameOf(one) === name)).flatMap((name) => memberChoice(name) ?? []);
  const rated = [...all, ...members].flatMap((one) => (ratings.has(nameOf(one)) ? [{ one, elo: ratings.get(nameOf(one))! }] : []));
  const listed = rated.sort((a, b) => b.elo - a.elo).map(({ one, elo }) => ({ ...one, group: "Rated, strongest first", title: `${one.title} · ${Math.round(elo)} Elo` }));
  return [...listed, ...all.filter((one) => !ratings.has(nameOf(one)))];
}

export interface Choices {
  all: Choice[];
  /** published models of other variants: they cannot be asked here, but can play the same seed */
  kin: Choice[];
  /** why there are no models */
  missing: string;
}

/** Models first, those of runs before the published; then bots. */
export async function choices(facts: Facts, { ladder = [], consults = [] }: GameView): Promise<Choices> {
  const rung = (name: string): number => (name === facts.strongest ? -1 : ladder.includes(name) ? ladder.indexOf(name) : ladder.length);
  const bots = [...facts.bots].sort((a, b) => rung(a.name) - rung(b.name)).map((bot) => botChoice(bot, facts.strongest));
  if (facts.bots.every((bot) => ladder.includes(bot.name))) for (const bot of bots) bot.group = "Bots, strongest first";
  try {
    const every = await api.models();
    const entries = every.filter((entry) => entry.game === facts.id || entry.game === facts.name);
    const others = every.filter((entry) => !entry.run_id && !entries.includes(entry) && folderOf(entry.game) === facts.name);
    const abroad = others.map((entry) => ({ ...modelChoice(entry), game: entry.game }));
    const asked = abroad.filter((one) => consults.some(({ at, agent }) => at === facts.id && one.game === agent && one.short === agent));
    const kin = abroad.filter((one) => !asked.includes(one));
    const models = [...[...entries.filter((entry) => entry.run_id), ...entries.filter((entry) => !entry.run_id)].map(modelChoice), ...asked];
    const missing = models.length ? "" : kin.length ? `${kin.map((one) => one.short).join(", ")} ${kin.length > 1 ? "play another variant: Compare lets them" : "plays another variant: Compare lets it"} play this seed.` : `There is no trained model of ${facts.title} yet; the bots can help.`;
    const ratings = facts.seats > 1 ? await ratingsOf(facts.id) : new Map<string, number>();
    return { all: byStrength([...models, ...bots], ratings), kin, missing };
  } catch (cause) {
    const why = cause instanceof ApiError && cause.kind !== "offline" ? cause.message : "the server does not answer";
    return { all: bots, kin: [], missing: `No trained models: ${why}. The bots can help.` };
  }
}

/** The mask that a model was trained under, from its file's header: settings `mask.*` change what is
 * offered, not what happens, so the model gets its own while the visitor keeps the episode's. */
function maskSettings(bytes: Uint8Array): Record<string, unknown> {
  try {
    const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
    const game = JSON.parse(header["__metadata__"]["ludus.settings"]).game as Record<string, unknown>;
    const masks = Object.entries(game).filter(([key, value]) => key.startsWith("mask.") && value !== null && typeof value !== "object");
    return Object.fromEntries(masks);
  } catch {
    return {}; // the module says what is wrong with the file
  }
}

/** A number in [0, 1) from the seed, the decision and the seat: the same game is played the same way again. */
function chance(seed: string, decision: number, seat: number): number {
  let state = (Number(BigInt(seed) & 0xffffffffn) ^ Math.imul(decision + 1, 0x9e3779b1) ^ Math.imul(seat, 0x85ebca6b)) >>> 0;
  state = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
  state = Math.imul(state ^ (state >>> 15), 0x735a2d97);
  return ((state ^ (state >>> 15)) >>> 0) / 2 ** 32;
}

const pause = (): Promise<void> => new Promise((done) => setTimeout(done, 0));
const slice = 14; // milliseconds of work before the page may draw

export class Player implements Advising {
  private bytes: Uint8Array | null = null;
  private mask: Record<string, unknown> = {};
  private seed = "0";
  private moves: number[][] | null = null;
  private conditions = "";
  private at = 0;
  private ready: (Advice | null)[] | null = null;
  private queue: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly choice: Choice,
    readonly game: Game,
    private readonly seat: number | null,
  ) {}

  /** For one seat, or (null) to be asked for any. */
  static async open(facts: Facts, choice: Choice, seat: number | null = null): Promise<Player> {
    const player = new Player(choice, await Game.load(facts.id), seat);
    if (choice.kind === "model") {
      player.bytes = await api.model(choice);
      player.mask = maskSettings(player.bytes);
      player.game.openModel(player.bytes); // refused here rather than at the first question
    }
    return player;
  }

  /** The start of an episode. */
  start(plan: Plan): void {
    const conditions = JSON.stringify(plan.settings);
    if (this.conditions !== conditions) {
      this.game.open({ ...this.mask, ...plan.settings });
      if (this.bytes) this.game.openModel(this.bytes);
      this.conditions = conditions;
    }
    this.game.reset(plan.seed, plan.options);
    this.seed = plan.seed;
    this.at = 0;
    this.ready = null;
    this.moves = null;
  }

  /** Asks once for every seat that it plays and that chooses now, by seat; memory moves on. */
  private ask(): (Advice | null)[] {
    const choosing = this.game.choosing().filter((seat) => this.seat === null || this.seat === seat);
    return Array.from({ length: this.game.spec.seats }, (_, seat) => (choosing.includes(seat) ? this.askFor(seat) : null));
  }

  private askFor(seat: number): Advice {
    if (this.choice.kind === "bot") {
      const move = this.game.botAct(this.choice.bot, seat);
      return { best: move, move, value: null, entropy: null, top: [] };
    }
    // who holds a seat of a game with several heads draws: later heads depend on what earlier ones drew
    const drawn = this.seat !== null && this.game.spec.heads.length > 1;
    const { best, top, value, entropy } = this.game.think(seat, this.game.spec.mask_length, drawn);
    return { best, move: this.draw(best, top, seat), value, entropy, top: top.slice(0, 6) };
  }

  /** Of several heads what the module chose is taken: drawn for who holds a seat, else the likeliest. */
  private draw(best: number[], top: Advice["top"], seat: number): number[] {
    if (best.length > 1) return best;
    let left = chance(this.seed, this.at, seat);
    const drawn = top.find((one) => (left -= one.probability) < 0);
    return drawn ? [drawn.option] : best;
  }

  /** Follows the moves to their end and says what it would do there for a seat; null when that does not
   * choose, or the episode is over. */
  advise(plan: Plan, seat: number): Promise<Advice | null> {
    const answer = this.queue.then(() => this.catchUp(plan)).then((all) => all?.[seat] ?? null);
    this.queue = answer.catch(() => undefined);
    return answer;
  }

  private async catchUp(plan: Plan): Promise<(Advice | null)[] | null> {
    if (this.moves !== plan.moves || this.at > plan.moves.length) {
      this.start(plan);
      this.moves = plan.moves;
    }
    for (let since = performance.now(); this.at < plan.moves.length; ) {
      if (!this.ready) this.ask();
      this.game.step(plan.moves[this.at++]!);
      this.ready = null;
      if (performance.now() - since > slice) {
        await pause();
        since = performance.now();
      }
    }
    if (!this.game.over) this.ready ??= this.ask();
    return this.ready;
  }

  /** Plays a whole episode of a game for one alone, in slices. */
  async playAlone(plan: Plan, told: (decisions: number) => void, signal: AbortSignal): Promise<Result> {
    this.start(plan);
    let total = 0;
    let decisions = 0;
    for (let since = performance.now(); !this.game.over && decisions < mostDecisions; decisions++) {
      this.at = decisions;
      this.game.step(this.askFor(0).move);
      total += this.game.reward();
      if (performance.now() - since > slice) {
        told(decisions);
        await pause();
        signal.throwIfAborted();
        since = performance.now();
      }
    }
    return { total, decisions, info: this.game.info(), over: this.game.over };
  }
}

/** A model of another variant: what it would do here is asked by a tool of the game, of what is seen. */
export class Consultant implements Advising {
  constructor(
    readonly choice: Choice,
    private readonly frame: () => Frame | null | undefined,
    private readonly ask: NonNullable<GameView["consults"]>[number]["ask"],
    private readonly game: string,
  ) {}

  async advise(): Promise<Advice | null> {
    const frame = this.frame();
    if (!frame || frame.over) return null;
    const { value, top } = await this.ask(frame, (call, told) => runTool(this.game, call, told));
    const best = top[0]!.move;
    const entropy = top.reduce((sum, { probability: p }) => sum - (p > 0 ? p * Math.log(p) : 0), 0);
    return { best, move: best, value, entropy, top: top.slice(0, 6).map(({ move, words, probability }) => ({ option: move[0] ?? 0, name: words, words, probability })) };
  }
}

/** An episode once more, with everything shown. */
export async function* playedAgain(game: string, plan: Plan): AsyncGenerator<Frame> {
  const table = await PageTable.open(game);
  await table.start(plan.seed, plan.settings, plan.options);
  yield table.frame(-1);
  for (const move of plan.moves) {
    await table.step(move);
    yield table.frame(-1);
  }
}

const mostDecisions = 100_000;

export interface Result {
  total: number;
  decisions: number;
  info: Record<string, any>;
  /** false: it was stopped after a hundred thousand decisions, or is still playing */
  over: boolean;
}
