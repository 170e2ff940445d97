// Where an episode that is played comes from: the rules, in the page or on the server, and what the
// address asks for: a seed, a link with moves, a frame of a replay.
import { api, ApiError } from "../lib/api";
import { counted } from "../lib/format";
import { readReplay } from "../lib/replay";
import { shippedFile, shippedOf } from "../lib/shipped";
import { BadLink, decodeMoves, newSeed, readObject, readSeed, type Plan } from "./moves";
import { PageTable, ServerTable, type Table } from "./table";

/** Opens the rules: in the page, else on the server. The second part says why not in the page. */
export async function openTable(game: string): Promise<[Table, string]> {
  try {
    return [await PageTable.open(game), ""];
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    try {
      return [await ServerTable.open(game), why];
    } catch (second) {
      if (second instanceof ApiError && second.kind === "missing") throw new Error(`There is no game called ${game}.`);
      throw new Error(`The game does not load: ${why}.`);
    }
  }
}

/** Where an episode begins: its plan, how many decisions the address gave, and words for that. */
export interface Origin {
  plan: Plan;
  given: number;
  from: string;
}

async function fromReplay(run: string, replay: string, frame: string, id: string): Promise<Origin> {
  const comes = run === "shipped" ? shippedOf(replay) : undefined;
  const file = readReplay(comes ? await shippedFile(comes) : await api.replayFile(run, replay));
  if (file.gameId !== id) throw new BadLink(`This replay is of ${file.gameId}; this page plays ${id}.`);
  const asked = frame === "" ? file.decisions : Number(frame);
  if (!Number.isInteger(asked) || asked < 0 || asked > file.decisions) {
    throw new BadLink(`This replay has frames 0 to ${file.decisions}; the link asks for ${frame}.`);
  }
  const row = file.seats * file.heads;
  const moves = Array.from({ length: asked }, (_, t) => [...file.actions.subarray(t * row, (t + 1) * row)]);
  const { settings, options } = file as { settings: Record<string, unknown>; options: Record<string, unknown> };
  const from = `Taken over from ${replay} at frame ${asked} of ${file.decisions}.`;
  return { plan: { settings, options, seed: file.seed.toString(), moves }, given: asked, from };
}

/** `named`: the game has seeds by name, as a reset option `seed`. */
export async function fromAddress(id: string, named: boolean): Promise<Origin> {
  const query = new URLSearchParams(location.search);
  const text = (key: string): string => query.get(key) ?? "";
  if (text("run") && text("replay")) return fromReplay(text("run"), text("replay"), text("frame"), id);
  const options = readObject(text("opt"), "options");
  let seed = text("seed") === "" ? newSeed() : readSeed(text("seed"));
  if (seed === null && named) {
    // a game with seeds of its own: its rules say what is wrong with this one
    options["seed"] = text("seed");
    seed = "0";
  }
  if (seed === null) throw new BadLink("The seed in this link is not a whole number from 0 to 18446744073709551615.");
  const conditions = { settings: readObject(text("set"), "settings"), options, seed };
  const letters = new URLSearchParams(location.hash.slice(1)).get("m") ?? text("m");
  const moves = letters ? decodeMoves(letters, conditions) : [];
  const from = moves.length ? `Played on from a link with ${counted(moves.length, "move")}.` : "";
  return { plan: { ...conditions, moves }, given: moves.length, from };
}
