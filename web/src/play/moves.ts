// An episode as a text for links: settings and seed stand in the query, the moves behind "#m=", where
// no server reads them and no limit on addresses cuts them off. The bytes are a version, the number
// of options chosen per decision, then runs of equal decisions (their options, zigzag varints, and
// how often), and a check over them and over seed, settings and options, so that moves are not played
// under another seed; base64url makes letters of it.

/** What an episode starts from. */
export interface Conditions {
  settings: Record<string, unknown>;
  options: Record<string, unknown>;
  seed: string;
}

/** What an episode is made of. A decision is an array with an option per seat and head. */
export interface Plan extends Conditions {
  moves: number[][];
}

export class BadLink extends Error {}

const version = 1;
const mostMoves = 1 << 20;

function check(bytes: Uint8Array, conditions: Conditions): number {
  const { seed, settings, options } = conditions;
  const more = new TextEncoder().encode(JSON.stringify([seed, settings, options]));
  let hash = 0x811c9dc5;
  for (const byte of more) hash = Math.imul(hash ^ byte, 0x01000193);
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

function put(bytes: number[], value: number): void {
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  bytes.push(value);
}

const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
const unzigzag = (value: number): number => (value % 2 ? -(value + 1) / 2 : value / 2);

const same = (a: number[], b: number[]): boolean => a.every((option, i) => option === b[i]);

export function encodeMoves(plan: Plan): string {
  const { moves } = plan;
  const heads = moves[0]?.length ?? 1;
  const bytes = [version];
  put(bytes, heads);
  for (let i = 0, next; i < moves.length; i = next) {
    const move = moves[i]!;
    for (next = i + 1; next < moves.length && same(move, moves[next]!); ) next++;
    for (const option of move) put(bytes, zigzag(option));
    put(bytes, next - i);
  }
  const sum = check(Uint8Array.from(bytes), plan);
  for (let shift = 0; shift < 32; shift += 8) bytes.push((sum >>> shift) & 255);
  return base64url(Uint8Array.from(bytes));
}

function base64url(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function unbase64(text: string): Uint8Array {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new BadLink("The moves in this link hold letters that do not belong there.");
  try {
    const raw = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(raw, (letter) => letter.charCodeAt(0));
  } catch {
    throw new BadLink("The moves in this link are cut off. Ask for the link again.");
  }
}

class Reader {
  at = 0;
  constructor(readonly bytes: Uint8Array) {}
  number(): number {
    let value = 0;
    for (let unit = 1; unit < 2 ** 42; unit *= 128) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new BadLink("The moves in this link end too early. Ask for the link again.");
      value += (byte & 127) * unit;
      if (byte < 128) return value;
    }
    throw new BadLink("A number in this link's moves is too large.");
  }
}

export function decodeMoves(text: string, conditions: Conditions): number[][] {
  const all = unbase64(text);
  const bytes = all.subarray(0, Math.max(0, all.length - 4));
  const stored = all.subarray(bytes.length).reduce((sum, byte, i) => sum + byte * 2 ** (8 * i), 0);
  if (bytes.length < 2 || check(bytes, conditions) !== stored) {
    throw new BadLink("The moves in this link are damaged or belong to another seed: their check does not agree. Ask for the link again.");
  }
  if (bytes[0] !== version) throw new BadLink(`The moves in this link are of version ${bytes[0]}; this page reads version ${version}.`);
  const reader = new Reader(bytes);
  reader.at = 1;
  const heads = reader.number();
  if (heads < 1 || heads > 256) throw new BadLink(`The moves in this link choose ${heads} options at once, which no game does.`);
  const moves: number[][] = [];
  while (reader.at < bytes.length) {
    const move = Array.from({ length: heads }, () => unzigzag(reader.number()));
    const times = reader.number();
    if (times < 1 || moves.length + times > mostMoves) throw new BadLink(`This link asks for more than ${mostMoves} moves.`);
    for (let i = 0; i < times; i++) moves.push(move);
  }
  return moves;
}

/** A seed as it stands in an address: a whole number of 64 bits, or null. */
export function readSeed(text: string): string | null {
  const trimmed = text.trim();
  if (!/^\d{1,20}$/.test(trimmed)) return null;
  const seed = BigInt(trimmed);
  return seed < 1n << 64n ? seed.toString() : null;
}

/** A seed that nobody chose, short enough to be told to somebody. */
export const newSeed = (): string => String(crypto.getRandomValues(new Uint32Array(1))[0]! % 1_000_000);

/** The seed by its name, where a game has names for seeds: its reset option `seed`; "" when it is a number. */
export const seedName = (plan: Conditions): string => String(plan.options["seed"] ?? "");

/** The same conditions with another seed; one by name goes. */
export function anotherSeed(plan: Conditions): { seed: string; options: Record<string, unknown> } {
  const { seed: _name, ...options } = plan.options;
  return { seed: newSeed(), options };
}

/** The text of a file, as a setting takes it. */
export interface FileText {
  name: string;
  text: string;
}

export function isFile(value: unknown): value is FileText {
  const { name, text } = (value ?? {}) as Partial<FileText>;
  return typeof name === "string" && typeof text === "string";
}

/** Settings of an address, `set=` and `opt=`: an object of plain values and texts of files. */
export function readObject(text: string, what: string): Record<string, string | number | boolean | FileText> {
  if (!text) return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  const plain = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!plain || !Object.values(value as object).every((one) => ["string", "number", "boolean"].includes(typeof one) || isFile(one))) {
    throw new BadLink(`The ${what} in this link cannot be read. Ask for the link again.`);
  }
  return value as Record<string, string | number | boolean | FileText>;
}

const written = (object: Record<string, unknown>): string => (Object.keys(object).length ? JSON.stringify(object) : "");

/** The query of a plan without its moves. */
export function planQuery(plan: Plan): Record<string, string> {
  return { seed: plan.seed, set: written(plan.settings), opt: written(plan.options) };
}

/** The address that opens this episode at this move. */
export function planLink(game: string, plan: Plan): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(planQuery(plan))) if (value) search.set(key, value);
  const hash = plan.moves.length ? `#m=${encodeMoves(plan)}` : "";
  return `${location.origin}/play/${encodeURIComponent(game)}?${search}${hash}`;
}

// ---- what survives a reload ----

export interface Saved {
  /** the address it began with: another address begins anew */
  address: string;
  conditions: Conditions;
  moves: string;
  /** decisions that stood in the address (a link, a replay) */
  given: number;
  from: string;
}

const key = (game: string): string => `ludus.play.${game}`;

export function save(game: string, saved: Saved): void {
  try {
    sessionStorage.setItem(key(game), JSON.stringify(saved));
  } catch {
    /* no room or not allowed: a reload begins anew */
  }
}

export function saved(game: string): Saved | null {
  try {
    const value = JSON.parse(sessionStorage.getItem(key(game)) ?? "null");
    const texts = [value?.address, value?.conditions?.seed, value?.moves, value?.from];
    return texts.every((text) => typeof text === "string") && Number.isInteger(value.given) ? (value as Saved) : null;
  } catch {
    return null;
  }
}
