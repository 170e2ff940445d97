// An optional art pack in /kenney (web/public/kenney/README.md says how to add one): pictures and
// sounds by the names the views use. Nothing there, or nothing under a name: null, and the
// view draws by code, the sound is synthesised.

import { alone } from "./lib/alone";

interface Names {
  sprites: Record<string, string>;
  sounds: Record<string, string>;
}

const folder = `${import.meta.env.BASE_URL}kenney/`;
const plain = /^[A-Za-z0-9][A-Za-z0-9._/ -]*$/;
const pictures = new Map<string, HTMLImageElement>();
const sounds = new Map<string, string>();
let asked: Promise<void> | undefined;

/** The entries of one table whose file names are plain and stay inside the folder. */
function entries(table: unknown): [string, string][] {
  if (typeof table !== "object" || table === null) return [];
  return Object.entries(table).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === "string" && plain.test(entry[1]) && !entry[1].includes(".."),
  );
}

async function read(): Promise<void> {
  const answer = await fetch(`${folder}manifest.json`);
  if (!answer.ok || !answer.headers.get("content-type")?.includes("json")) return;
  const names = (await answer.json()) as Partial<Names>;
  for (const [name, file] of entries(names.sounds)) sounds.set(name, folder + file);
  await Promise.all(
    entries(names.sprites).map(async ([name, file]) => {
      const picture = new Image();
      picture.src = folder + file;
      await picture.decode();
      pictures.set(name, picture);
    }),
  );
}

/** Looks for the pack once; resolves when it is there or known to be absent, never rejects. */
export function loadPack(): Promise<void> {
  asked ??= alone ? Promise.resolve() : read().catch(() => undefined);
  return asked;
}

/** The picture of that name, once loaded. */
export function sprite(name: string): HTMLImageElement | null {
  return pictures.get(name) ?? null;
}

/** The address of the sound file of that name. */
export function soundFile(name: string): string | null {
  return sounds.get(name) ?? null;
}
