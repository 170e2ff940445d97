// Replays that come with the site, one per game, of its published agent or strongest script: what Watch
// shows before anything was trained. tools/record-replays makes them.
import { ask, type Replay } from "./api";
import { folderOf } from "./format";
import list from "./shipped.json";

/** Stands for the run of a replay that comes with the site. */
const run = "shipped";

export interface Shipped extends Replay {
  /** who plays: a published model, or bot:NAME */
  by: string;
  /** who sits at the other seat, where there is one */
  against?: string;
  /** it is the median of so many seeds */
  of: number;
}

export const shipped: Shipped[] = list.map((one) => ({ ...one, run_id: run, window_id: 0, env_steps: 0, tags: [], ticks: one.decisions, infos: { end: one.end }, written: "" }));

export const isShipped = (replay: Replay): replay is Shipped => replay.run_id === run;

/** By its id, or that of a game's folder; the first without a name. */
export const shippedOf = (name: string): Shipped | undefined =>
  name ? (shipped.find((one) => one.replay_id === name) ?? shipped.find((one) => folderOf(one.game) === folderOf(name))) : shipped[0];

export const shippedUrl = (replay: Replay): string => `${import.meta.env.BASE_URL}replays/${encodeURIComponent(replay.replay_id)}.ludus`;

export const shippedFile = async (replay: Replay, signal?: AbortSignal): Promise<Uint8Array> =>
  new Uint8Array(await (await ask(shippedUrl(replay), signal ? { signal } : {})).arrayBuffer());

const playerWords = (name: string): string => (name.startsWith("bot:") ? `the script ${name.slice(4)}` : `the agent ${name}`);

/** "the agent duel-v1 against the script ace", "the script balancer". */
export const byWords = ({ by, against }: Shipped): string => playerWords(by) + (against ? ` against ${playerWords(against)}` : "");
