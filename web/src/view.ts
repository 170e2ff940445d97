// What a game's view.ts gives to the site, and what it gets. A view is plain TypeScript over DOM,
// canvas and SVG: no framework, no network, texts only through textContent. The site finds
// games/GAME/view.ts by itself and takes its default export, a GameView.

/** One moment of an episode: 0 is the reset, k follows decision k - 1. */
export interface Frame {
  index: number;
  /** whose sight this is; -1: everything, as Watch shows games for several */
  seat: number;
  /** what that seat sees, as the game's to_json writes it */
  state: any;
  /** seats x heads, null at the reset */
  action: number[] | null;
  actionName: string;
  /** the step in words, "" at the reset */
  story: string;
  events: string[];
  /** of this step and since the reset, for that seat (seat 0 where everything is shown) */
  reward: number;
  total: number;
  /** since the reset, by seat */
  totals: number[];
  /** reward terms of this step before their weights, for that seat */
  terms: Record<string, number>;
  info: Record<string, any>;
  /** Watch only: what each seat thought before the step; null where nobody knows */
  thoughts?: (Thought | null)[];
  over: boolean;
  seed: string;
  /** the board as text, as a terminal shows it */
  board: string;
}

/** What a model thought at a decision. */
export interface Thought {
  /** the return it expects from there, in units of the reward */
  value: number;
  entropy: number;
  /** how likely the seat wins; null where the model has no predictor */
  win: number | null;
  /** flat options */
  top: { option: number; name: string; probability: number }[];
}

export type Theme = "dark" | "light";

/** What a view may use of the page it stands in. */
export interface ViewHost {
  /** an empty box of known width; the view is as tall as it needs */
  element: HTMLElement;
  /** the visitor asked for less motion */
  reduced: boolean;
  theme: Theme;
  /** plays a cue of the manifest, if sound is on */
  sound(cue: string): void;
  /** play only: a click on the board chooses for the seat that is shown, an option per head */
  choose?: (actions: number[]) => void;
  /** play only: that seat's mask, or another's, one byte per flat option */
  legal?: (seat?: number) => Uint8Array;
  /** play only: the seat whose choices the board shows and makes */
  asked?: () => number;
  /** play only: whether a whole decision would be legal now, where the mask alone does not tell */
  can?: (actions: number[]) => boolean;
  /** play only: a box in the panel of actions for controls that the board brings */
  controls?: HTMLElement;
  /** play only: why an option of a head cannot be chosen now, as half a sentence; "" when it can */
  why?: (head: number, option: number) => string;
  /** runs a tool of the game in the page, on a thread of its own */
  tool?: RunTool;
}

/** Something that the board itself does on a key, e.g. choosing a card. */
export interface BoardKey {
  key: string;
  /** the key of a second person, where both choose at once */
  second?: string;
  /** plain words */
  label: string;
  /** for a seat; without one for who is asked */
  act(seat?: number): void;
}

export interface ViewInstance {
  /** `before` is the frame shown last when it is the one right before, for movement between the two;
   * `speed` is frames per second, so that movement is done when the next frame comes */
  show(frame: Frame, near: { before: Frame | null; animate: boolean; speed: number }): void;
  /** a frame of the past of those that are shown, for views that keep what was seen (maps, prices,
   * logs): after a jump the host hands over what was left out, oldest first, then shows again */
  learn?(frame: Frame): void;
  /** play only, for games with several heads: the whole decision for an option of head 0 with what is
   * chosen on the board, or half a sentence that says what is missing; the page then asks for no
   * other heads */
  compose?(option: number): number[] | string;
  /** play only, for games in which much is chosen at once: the whole decision as it stands on the board for a
   * seat. The page then has one button that makes it in place of the actions, and the clock takes it. Two persons
   * on the clock look at one screen: frames show everything (`seat` is -1), what is chosen must not be seen. */
  stance?(seat: number): number[];
  /** play only: the board has a button for every action, so that the page lists none beside it */
  complete?: boolean;
  /** play only: shows a decision on the board (a hint), without making it */
  suggest?(actions: number[]): void;
  /** play only: keys of the board beside those of the actions */
  keys?: BoardKey[];
  resize(): void;
  theme(theme: Theme): void;
  destroy(): void;
}

/** A call of one of the game's tools (`ludus GAME TOOL`); its answer is a list of documents. */
export interface ToolCall {
  tool: string;
  /** a setting of type file is its name and text */
  settings?: Record<string, string | number | boolean | { name: string; text: string }>;
  inputs?: { name: string; text: string }[];
  /** the variant whose published model the tool may ask, when the server has it */
  agent?: string;
}

/** Runs a tool of the game; `signal` ends it. */
export type RunTool = (call: ToolCall, told?: { progress?: (share: number, what: string) => void; signal?: AbortSignal }) => Promise<any[]>;

/** What an agent of another variant would do at a frame: whole decisions of this one, likeliest first. */
export interface Consulted {
  /** the return it expects, in units of its own reward; null where it did not have to be asked */
  value: number | null;
  top: { move: number[]; words: string; probability: number }[];
}

/** What a panel beside the episode may use of the page it stands in. */
export interface BesideHost {
  /** an empty box; the panel's own heading is an h2 */
  element: HTMLElement;
  /** runs a tool of the game in the page, on a thread of its own */
  tool: RunTool;
  /** play only: shows a decision on the board */
  suggest?: ((actions: number[]) => void) | undefined;
}

/** The episode that a panel stands beside. */
export interface Episode {
  /** the reset */
  first: Frame;
  /** its last frame, once it is known */
  end: Promise<Frame>;
  /** who decided: "Agent" */
  by: string;
  /** all frames as they are with everything shown, once the episode is over */
  whole: () => AsyncGenerator<Frame>;
}

export interface BesideInstance {
  /** the frame that is shown now */
  show(frame: Frame): void;
  destroy(): void;
}

/** An option of head 0 as people are offered it. */
export interface ActionInfo {
  option: number;
  /** the name in the specification */
  name: string;
  /** plain words */
  label: string;
  /** what stands below the label: a price, what is left */
  detail?: string;
  group: string;
  key?: string;
  icon?: string;
  hint: string;
}

export type Tone = "good" | "warn" | "bad";

/** A head of a game in words: what it decides, and its options. */
export interface HeadWords {
  title: string;
  options: string[];
}

export interface Gauge {
  label: string;
  value: number;
  max: number;
  unit: string;
  tone: Tone;
  /** the value as the picture writes it, where that is not the plain number */
  shown?: string;
}

export interface Effect {
  /** what the view draws; "none" where nothing moves */
  visual: string;
  /** what is heard; "none" where nothing is */
  cue: string;
}

/** Tones that Web Audio plays for a cue, one behind the other. */
export interface CueNote {
  wave: "sine" | "square" | "triangle" | "sawtooth" | "noise";
  /** Hz at the start and at the end */
  from: number;
  to: number;
  seconds: number;
  /** 0..1 */
  gain: number;
}

/** Every action and every event of the game, by name. */
export interface Manifest {
  actions: Record<string, Effect>;
  events: Record<string, Effect>;
  cues: Record<string, CueNote[]>;
}

export interface GameView {
  /** the folder's name */
  game: string;
  mount(host: ViewHost): ViewInstance;
  actions: ActionInfo[];
  /** what an option stands for in this frame, where its name alone does not tell; "" for others */
  named?(frame: Frame, option: number): string;
  /** in games with several heads: of each variant all heads, in words */
  heads?: HeadWords[][];
  /** those of variants whose first head has other options; option and name say which of them is meant */
  otherActions?: ActionInfo[];
  howTo: { title: string; text: string }[];
  /** the first steps in a sentence each, for the first visit; else the first words of howTo */
  coach?: string[];
  /** also for people who cannot see the canvas */
  gauges(frame: Frame): Gauge[];
  effects: Manifest;
  /** the actions as play offers them at a frame, where groups, order or words depend on it: options,
   * names and keys are those of `actions`; what can never be chosen may be left out */
  offered?(frame: Frame): ActionInfo[];
  /** play only: a question before a decision that throws something away; "" for all others */
  asks?(frame: Frame, actions: number[]): string;
  /** a panel beside a replay, and beside a played episode that is over: what it is compared with */
  beside?(host: BesideHost, episode: Episode): BesideInstance;
  /** the panel also stands beside an episode that is being played: it advises */
  advises?: boolean;
  /** play only: published models of other variants that can be asked where a variant is played */
  consults?: { at: string; agent: string; ask: (frame: Frame, tool: RunTool) => Promise<Consulted> }[];
  /** a whole decision at a frame in words, where it has several heads */
  tell?(frame: Frame, actions: number[]): string;
  /** the part of the game that a frame is of: where it changes, a phone scrolls back to the board */
  phase?(frame: Frame): string;
  /** words for whole numbers from 0 on that a setting or a reset option takes, by its key */
  choices?: Record<string, string[]>;
  /** decisions per second at speed 1; 4 when it is not said */
  rate?: number;
  /** seconds of a tick, where the game has a clock of its own: Play offers it */
  tick?: number;
  /** bots as they were measured, the strongest first: Play lists them so */
  ladder?: string[];
  /** how events look on the timeline; those not named are plain */
  eventTones?: Record<string, Tone>;
}
