// An episode as frames that can be asked for in any order. A replay file is played again here by the
// game's own module; the server's frames stand in where that cannot be. Both first walk through the
// episode once, in slices that leave the page alive, to know stories, events and returns of all
// frames; a frame itself (state, masks, terms) is made when it is shown.
import { createSignal } from "solid-js";
import { api, serverFrames, type Replay } from "../lib/api";
import { byPlayers } from "../lib/format";
import { actionName, Game, type Snapshot, type Spec } from "../lib/game";
import { folderOf } from "../lib/format";
import { isShipped, shippedFile } from "../lib/shipped";
import { readReplay, ReplayError, type ReplayFile } from "../lib/replay";
import type { Frame, Thought } from "../view";

/** What the step that led to a frame was for one seat. */
export interface SeatStep {
  reward: number;
  /** before their weights */
  terms: Record<string, number>;
  /** after the step */
  info: Record<string, any>;
  /** flat options that were legal then; null when that is not known */
  legal: number[] | null;
  /** what who played it thought then */
  thought: Thought | null;
}

/** A frame, and the step that led there by seat. */
export interface Shown {
  frame: Frame;
  /** the state in which the step was chosen, where its options have their meaning; null at the reset */
  before: any;
  seats: SeatStep[];
  hash: string;
}

export interface Mark {
  frame: number;
  events: string[];
}

export interface Track {
  /** how the frames are made */
  readonly by: "page" | "server";
  /** the folder, and how addresses of the page name the game */
  readonly game: string;
  readonly path: string;
  readonly title: string;
  readonly heads: Spec["heads"];
  readonly weights: Record<string, number>;
  readonly termWords: Record<string, string>;
  readonly eventWords: Record<string, string>;
  readonly seed: string;
  readonly settings: object;
  readonly options: object;
  /** the last frame's number */
  readonly last: number;
  /** frames 0..known() can be shown; a signal */
  known(): number;
  /** all stored hashes agreed; a signal, false until the walk is done */
  checked(): boolean;
  /** why the walk stopped early, ""; a signal */
  problem(): string;
  marks(): Mark[];
  story(frame: number): string;
  total(frame: number): number;
  show(frame: number): Shown;
  /** the moves up to a frame, for "take over from here" */
  moves(frame: number): number[];
  stop(): void;
}

const sliceMs = 10;
const breathe = () => new Promise<void>((done) => setTimeout(done));

/** What a walk learns of each frame. */
class Facts {
  readonly stories: string[] = [];
  readonly totals: number[][] = []; // by seat
  readonly marks: Mark[] = [];
  private readonly knownSignal = createSignal(-1);
  private readonly checkedSignal = createSignal(false);
  private readonly problemSignal = createSignal("");
  known = this.knownSignal[0];
  checked = this.checkedSignal[0];
  problem = this.problemSignal[0];

  /** A frame: what its step brought to each seat. */
  add(story: string, rewards: number[], events: string[]): void {
    const frame = this.stories.length;
    this.stories.push(story);
    this.totals.push(rewards.map((reward, seat) => (this.totals[frame - 1]?.[seat] ?? 0) + reward));
    if (events.length > 0) this.marks.push({ frame, events });
  }
  tell(): void {
    this.knownSignal[1](this.stories.length - 1);
  }
  done(): void {
    this.tell();
    this.checkedSignal[1](true);
  }
  fail(sentence: string): void {
    this.tell();
    this.problemSignal[1](sentence);
  }
}

const optionsOf = (mask: Uint8Array): number[] => [...mask.entries()].flatMap(([option, bit]) => (bit ? [option] : []));
const wordsOf = (rows: { name: string; sentence: string }[]) => Object.fromEntries(rows.map((row) => [row.name, row.sentence]));

/** Played again in the page. */
class PageTrack implements Track {
  readonly by = "page";
  readonly facts = new Facts();
  private readonly keys = new Map<number, Snapshot>();
  private readonly spacing: number;
  private at = -1;
  private stopped = false;
  private readonly row: number;

  constructor(
    private readonly file: ReplayFile,
    private readonly walker: Game,
    private readonly viewer: Game,
  ) {
    this.row = file.seats * file.heads;
    // at most 96 copies of the state are kept
    this.spacing = Math.max(16, Math.ceil(file.decisions / 96));
    walker.reset(file.seed, file.options);
    this.learn(0);
    void this.walk();
  }

  get game() { return this.viewer.name; }
  get path() { return this.viewer.path; }
  get title() { return this.viewer.about.title; }
  get heads() { return this.viewer.spec.heads; }
  get weights() { return Object.fromEntries(this.viewer.about.terms.map((term) => [term.name, term.weight])); }
  get termWords() { return wordsOf(this.viewer.about.terms); }
  get eventWords() { return wordsOf(this.viewer.about.events); }
  get seed() { return this.file.seed.toString(); }
  get settings() { return this.file.settings; }
  get options() { return this.file.options; }
  get last() { return this.file.decisions; }
  known = () => this.facts.known();
  checked = () => this.facts.checked();
  problem = () => this.facts.problem();
  marks = () => this.facts.marks;
  story = (frame: number) => this.facts.stories[frame] ?? "";
  total = (frame: number) => this.facts.totals[frame]?.[0] ?? 0;
  moves = (frame: number) => [...this.file.actions.subarray(0, frame * this.row)];
  stop = () => void (this.stopped = true);

  private learn(frame: number): boolean {
    const { walker, facts, file } = this;
    const rewards = Array.from({ length: file.seats }, (_, seat) => (frame ? walker.reward(seat) : 0));
    facts.add(frame ? walker.story() : "", rewards, frame ? walker.events() : []);
    if (frame % this.spacing === 0) this.keys.set(frame, walker.save());
    const stored = frame === file.decisions ? file.hashes.at(-1) : frame % file.every === 0 ? file.hashes[frame / file.every] : undefined;
    return stored === undefined || stored === walker.hash();
  }

  private async walk(): Promise<void> {
    const { walker, file } = this;
    try {
      let slice = performance.now() + sliceMs;
      for (let frame = 1; frame <= file.decisions; frame++) {
        if (this.stopped) return;
        const over = walker.over;
        if (!over) walker.step(file.actions.subarray((frame - 1) * this.row, frame * this.row));
        if (over || !this.learn(frame)) return this.facts.fail(`when replayed, decision ${frame} differs from the file`);
        if (performance.now() > slice) {
          this.facts.tell();
          await breathe();
          slice = performance.now() + sliceMs;
        }
      }
      if (file.ended !== walker.over) return this.facts.fail("when replayed, the episode ends differently from the file");
      this.facts.done();
    } catch (cause) {
      this.facts.fail(cause instanceof Error ? cause.message : String(cause));
    }
  }

  /** Puts the viewer at a frame: from where it is, or from the nearest copy before. */
  private seek(frame: number): void {
    const key = Math.floor(frame / this.spacing) * this.spacing;
    if (this.at < 0 || this.at > frame || frame - this.at > this.spacing) {
      const saved = this.keys.get(key);
      if (!saved) throw new ReplayError(`frame ${frame} is not known yet`);
      this.viewer.restore(saved);
      this.at = key;
    }
    while (this.at < frame) {
      this.viewer.step(this.file.actions.subarray(this.at * this.row, (this.at + 1) * this.row));
      this.at++;
    }
  }

  show(frame: number): Shown {
    const { viewer, file } = this;
    const all = Array.from({ length: file.seats }, (_, seat) => seat);
    const stateNow = () => (file.seats > 1 ? viewer.full() : viewer.state());
    let before: Pick<SeatStep, "legal" | "thought">[] = [];
    let stateBefore: unknown = null;
    if (frame > 0) {
      this.seek(frame - 1);
      stateBefore = stateNow();
      before = all.map((seat) => ({ legal: optionsOf(viewer.mask(seat)), thought: this.thoughtOf(frame - 1, seat) }));
    }
    this.seek(frame);
    const action = frame ? [...file.actions.subarray((frame - 1) * this.row, frame * this.row)] : null;
    return {
      frame: {
        index: frame,
        seat: file.seats > 1 ? -1 : 0,
        state: stateNow(),
        action,
        actionName: action ? viewer.actionName(action) : "",
        story: this.story(frame),
        events: frame ? viewer.events() : [],
        reward: frame ? viewer.reward() : 0,
        total: this.total(frame),
        totals: this.facts.totals[frame] ?? [],
        terms: viewer.terms(),
        info: viewer.info(),
        thoughts: all.map((seat) => before[seat]?.thought ?? null),
        over: viewer.over,
        seed: this.seed,
        board: viewer.show(),
      },
      before: stateBefore,
      seats: all.map((seat) => ({ reward: frame ? viewer.reward(seat) : 0, terms: viewer.terms(seat), info: viewer.info(seat), legal: before[seat]?.legal ?? null, thought: before[seat]?.thought ?? null })),
      hash: viewer.hash(),
    };
  }

  /** What a seat thought at a decision, at which the viewer stands. */
  private thoughtOf(decision: number, seat: number): Thought | null {
    const { viewer, file } = this;
    const thought = file.thoughts?.[decision]?.[file.thoughtsBySeat ? seat : viewer.choosing().indexOf(seat)];
    return thought ? { ...thought, top: thought.top.map((entry) => ({ ...entry, name: viewer.optionName(entry.option) })) } : null;
  }
}

/** Frames as the server sends them, kept as they come. */
class ServerTrack implements Track {
  readonly by = "server";
  readonly facts = new Facts();
  private readonly lines: any[] = [];
  private readonly abort = new AbortController();
  heads: Spec["heads"] = [];
  title: string;
  weights: Record<string, number> = {};
  termWords: Record<string, string> = {};
  eventWords: Record<string, string> = {};
  seed: string;
  settings: object = {};
  options: object = {};

  constructor(
    private readonly replay: Replay,
    readonly last: number,
  ) {
    this.title = replay.game;
    this.seed = String(replay.seed);
  }

  get game() { return folderOf(this.replay.game); }
  get path() { return this.replay.game; }
  known = () => this.facts.known();
  checked = () => this.facts.checked();
  problem = () => this.facts.problem();
  marks = () => this.facts.marks;
  story = (frame: number) => this.facts.stories[frame] ?? "";
  total = (frame: number) => this.facts.totals[frame]?.[0] ?? 0;
  moves = (frame: number) => this.lines.slice(1, frame + 1).flatMap((line) => [line.action].flat());
  stop = () => this.abort.abort();

  /** Resolves with the first frame; the others follow. */
  async start(): Promise<void> {
    const { run_id, replay_id, game } = this.replay;
    const spec = await api.game(game).catch(() => null);
    if (spec) {
      this.heads = spec.heads ?? [];
      this.title = spec.title ?? game;
      this.eventWords = wordsOf(spec.events ?? []);
    }
    const lines = serverFrames(run_id, replay_id, 0, 0, this.abort.signal);
    const head = (await lines.next()).value;
    this.weights = head?.weights ?? {};
    this.settings = head?.settings ?? {};
    this.options = head?.options ?? {};
    this.seed = String(head?.seed ?? this.replay.seed);
    const first = await lines.next();
    if (first.done) throw new ReplayError("the server sent no frames");
    this.take(first.value);
    this.facts.tell();
    void this.rest(lines);
  }

  private take(line: any): void {
    this.lines.push(line);
    this.facts.add(byPlayers(String(line.story ?? "")), (line.rewards ?? [0]).map(Number), eventList(line.events));
  }

  private async rest(lines: AsyncGenerator<any>): Promise<void> {
    try {
      let slice = performance.now() + sliceMs;
      for await (const line of lines) {
        this.take(line);
        if (performance.now() > slice) {
          this.facts.tell();
          await breathe();
          slice = performance.now() + sliceMs;
        }
      }
      if (this.lines.length === this.last + 1) this.facts.done();
      else this.facts.fail("the server's frames stopped early");
    } catch (cause) {
      if (!this.abort.signal.aborted) this.facts.fail(cause instanceof Error ? cause.message : String(cause));
    }
  }

  show(frame: number): Shown {
    const line = this.lines[frame] ?? {};
    const action = line.action === null || line.action === undefined ? null : [line.action].flat();
    const rewards: number[] = line.rewards ?? [0];
    /** a value of the only seat, or an array with one per seat */
    const bySeat = (value: any, seat: number) => (rewards.length > 1 ? value?.[seat] : value);
    const legal = this.lines[frame - 1]?.legal;
    return {
      frame: {
        index: frame,
        seat: rewards.length > 1 ? -1 : 0,
        state: line.state,
        action,
        actionName: action ? actionName(this.heads, action) : "",
        story: this.story(frame),
        events: eventList(line.events),
        reward: Number(rewards[0]),
        total: this.total(frame),
        totals: this.facts.totals[frame] ?? [],
        terms: bySeat(line.terms, 0) ?? {},
        info: [line.info ?? {}].flat()[0],
        thoughts: rewards.map((_, seat) => sentThought([line.thought].flat()[seat])),
        over: Boolean(line.terminated || line.truncated),
        seed: this.seed,
        board: String(line.board ?? ""),
      },
      before: this.lines[frame - 1]?.state ?? null,
      seats: rewards.map((reward, seat) => ({ reward: Number(reward), terms: bySeat(line.terms, seat) ?? {}, info: [line.info ?? {}].flat()[seat] ?? {}, legal: bySeat(legal, seat) ?? null, thought: sentThought([line.thought].flat()[seat]) })),
      hash: String(line.hash ?? ""),
    };
  }
}

const sentThought = (sent: any): Thought | null =>
  sent ? { value: sent.value, entropy: sent.entropy, win: sent.win ?? null, top: sent.top.map((entry: any) => ({ option: entry.action, name: entry.name ?? String(entry.action), probability: entry.probability })) } : null;

const eventList = (events: unknown): string[] => (Array.isArray(events) ? events.map(String) : []);

/** The track of a replay file, played by the game's module. */
export async function fileTrack(bytes: Uint8Array): Promise<Track> {
  const file = readReplay(bytes);
  const [walker, viewer] = await Promise.all([Game.load(file.gameId), Game.load(file.gameId)]);
  const end = new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 8, 8).getBigUint64(0, true).toString(16).padStart(16, "0");
  if (viewer.hashOf(bytes.subarray(0, bytes.length - 8)) !== end) throw new ReplayError("the replay file is damaged: its hash differs");
  for (const game of [walker, viewer]) game.open(file.settings);
  const known = [viewer.about, ...viewer.about.earlier].some((one) => one.spec === file.spec && one.rules === file.rules);
  if (!known) throw new ReplayError("the replay was made by other rules than this page has");
  return new PageTrack(file, walker, viewer);
}

/** The same from the server's frames. */
export async function openServerTrack(replay: Replay, signal: AbortSignal): Promise<Track> {
  const track = new ServerTrack(replay, replay.decisions);
  signal.addEventListener("abort", () => track.stop());
  await track.start();
  return track;
}

/** The track of a replay; `because` says why the server plays it, when it does. */
export async function openTrack(replay: Replay, signal: AbortSignal): Promise<{ track: Track; because: string }> {
  try {
    const track = await fileTrack(await (isShipped(replay) ? shippedFile(replay, signal) : api.replayFile(replay.run_id, replay.replay_id, signal)));
    signal.addEventListener("abort", () => track.stop());
    return { track, because: "" };
  } catch (cause) {
    if (signal.aborted || isShipped(replay)) throw cause;
    const because = cause instanceof Error ? cause.message : String(cause);
    return { track: await openServerTrack(replay, signal), because };
  }
}
