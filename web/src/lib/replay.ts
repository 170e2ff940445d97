// Reads a replay file (docs/replay-format.md): settings, seed, actions, hashes and what the agent
// thought. The bytes are not trusted: every size is checked before it is used. Frames come from
// playing the actions again (watch/track.ts), which also compares the hashes.
import { decompress } from "fzstd";

export interface ReplayThought {
  value: number;
  entropy: number;
  /** how likely the seat wins, where the model has a predictor */
  win: number | null;
  top: { option: number; probability: number }[];
}

export interface ReplayFile {
  gameId: string;
  settings: object;
  options: object;
  /** hashes of the specification and of the rules, 16 hexadecimal digits */
  spec: string;
  rules: string;
  seed: bigint;
  decisions: number;
  seats: number;
  heads: number;
  /** decisions between two stored hashes */
  every: number;
  ended: boolean;
  /** decisions x seats x heads */
  actions: Int32Array;
  /** of frames 0, every, 2 x every, ... and the last */
  hashes: string[];
  /** by decision: of every seat, or (version 1) of the first that chose alone; null: it was not a model's */
  thoughts: (ReplayThought | null)[][] | null;
  thoughtsBySeat: boolean;
  bytes: Uint8Array;
}

export class ReplayError extends Error {
  override name = "ReplayError";
}

const magic = [0x8c, 0x4c, 0x55, 0x52, 0x45, 0x50, 0x0d, 0x0a];
const headBytes = 136;
const unpackedMost = 1 << 26;
const decisionsMost = 1 << 20;

const hex64 = (view: DataView, at: number) => view.getBigUint64(at, true).toString(16).padStart(16, "0");

function need(good: boolean, what: string): asserts good {
  if (!good) throw new ReplayError(`the replay file is damaged: ${what}`);
}

interface Part {
  stored: Uint8Array;
  unpacked: number;
}

/** The six parts behind the header; their sizes must fill the file. */
function partsOf(bytes: Uint8Array, view: DataView): Part[] {
  const parts: Part[] = [];
  let at = headBytes;
  for (let p = 0; p < 6; p++) {
    const stored = view.getUint32(56 + 12 * p, true);
    const unpacked = view.getUint32(60 + 12 * p, true);
    need(at + stored <= bytes.length - 8 && unpacked <= unpackedMost, `part ${p} is too long`);
    parts.push({ stored: bytes.subarray(at, at + stored), unpacked });
    at += stored;
  }
  need(at === bytes.length - 8, "its parts do not fill it");
  return parts;
}

function unpack(part: Part, what: string): Uint8Array {
  if (part.stored.length === 0) return part.stored;
  let out: Uint8Array;
  try {
    out = decompress(part.stored, new Uint8Array(part.unpacked));
  } catch {
    throw new ReplayError(`the replay file is damaged: its ${what} cannot be unpacked`);
  }
  need(out.length === part.unpacked, `its ${what} have another length`);
  return out;
}

function object(part: Part, what: string): object {
  if (part.stored.length === 0) return {};
  try {
    const value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(part.stored));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    /* told below */
  }
  throw new ReplayError(`the replay file is damaged: its ${what} are not a JSON object`);
}

function varints(bytes: Uint8Array, count: number): Int32Array {
  const out = new Int32Array(count);
  let at = 0;
  for (let i = 0; i < count; i++) {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      need(at < bytes.length && shift < 35n, "its actions are cut off");
      const byte = bytes[at++]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    out[i] = Number(BigInt.asIntN(32, (value >> 1n) ^ -(value & 1n)));
  }
  need(at === bytes.length, "it has too many actions");
  return out;
}

const thoughtOptions = { 1: 8, 2: 128 } as const;

/** By decision and seat; version 1 has one thought per decision, of whoever chose first. */
function thoughtsOf(bytes: Uint8Array, decisions: number, seats: number, version: 1 | 2, wins: boolean): (ReplayThought | null)[][] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  const room = (count: number) => need(at + count <= bytes.length, "its thoughts are cut off");
  const thought = (): ReplayThought => {
    room(9);
    const one: ReplayThought = { value: view.getFloat32(at, true), entropy: view.getFloat32(at + 4, true), win: null, top: [] };
    const count = bytes[at + 8]!;
    at += 9;
    need(count <= thoughtOptions[version], "its thoughts are cut off");
    room(8 * count);
    for (let k = 0; k < count; k++, at += 8) one.top.push({ option: view.getInt32(at, true), probability: view.getFloat32(at + 4, true) });
    return one;
  };
  const thoughts = Array.from({ length: decisions }, () => {
    if (version === 1) return [thought()];
    room(1);
    const who = bytes[at++]!;
    need(who >> seats === 0, "it holds thoughts of a seat that does not exist");
    return Array.from({ length: seats }, (_, seat) => ((who >> seat) & 1 ? thought() : null));
  });
  need(at + (wins ? 4 * decisions * seats : 0) === bytes.length, "it has too many thoughts");
  if (wins) {
    thoughts.forEach((of) =>
      of.forEach((one) => {
        const win = view.getFloat32(at, true);
        at += 4;
        if (one && win >= 0 && win <= 1) one.win = win;
      }),
    );
  }
  return thoughts;
}

/** The file's content; a ReplayError in one sentence when it is none. */
export function readReplay(bytes: Uint8Array): ReplayFile {
  if (bytes.length < headBytes + 8 || magic.some((byte, i) => bytes[i] !== byte)) {
    throw new ReplayError("this isn’t a replay file");
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const version = view.getUint32(8, true);
  if (version !== 1 && version !== 2) throw new ReplayError("the replay file has a newer version than this page reads");
  need(view.getUint32(128, true) === bytes.length, "it is cut off");
  const flags = view.getUint32(12, true);
  const decisions = Number(view.getBigUint64(40, true));
  const [seats, heads, every] = [view.getUint16(48, true), view.getUint16(50, true), view.getUint32(52, true)];
  need(decisions <= decisionsMost && seats >= 1 && seats <= 8 && heads >= 1 && heads <= 32 && every >= 1, "impossible sizes");
  const [id, settings, options, actions, hashes, thoughts] = partsOf(bytes, view) as [Part, Part, Part, Part, Part, Part];
  const count = decisions * seats * heads;
  need(flags & 4 ? actions.unpacked <= 5 * count : actions.unpacked === count, "its actions have another length");
  const packed = unpack(actions, "actions");
  const frames = Math.ceil(decisions / every) + 1;
  need(hashes.stored.length === 8 * frames || decisions === 0, "its hashes have another length");
  const hashView = new DataView(hashes.stored.buffer, hashes.stored.byteOffset, hashes.stored.length);
  return {
    gameId: new TextDecoder().decode(id.stored),
    settings: object(settings, "settings"),
    options: object(options, "options"),
    spec: hex64(view, 16),
    rules: hex64(view, 24),
    seed: view.getBigUint64(32, true),
    decisions,
    seats,
    heads,
    every,
    ended: (flags & 1) !== 0,
    actions: flags & 4 ? varints(packed, count) : Int32Array.from(packed),
    hashes: Array.from({ length: hashes.stored.length >> 3 }, (_, k) => hex64(hashView, 8 * k)),
    thoughtsBySeat: version > 1,
    thoughts: flags & 2 ? thoughtsOf(unpack(thoughts, "thoughts"), decisions, seats, version, (flags & 8) !== 0) : null,
    bytes,
  };
}
