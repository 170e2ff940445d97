// Whether the server answers the pages about runs, and its lists from their first page to the last.
import { createSignal } from "solid-js";
import { api, ApiError, type Run } from "../lib/api";

/** Since when the server does not answer; null while it does. */
export const [lost, setLost] = createSignal<number | null>(null);

/** Notes whether an answer came, and passes the failure on. */
export async function heard<T>(answer: Promise<T>): Promise<T> {
  try {
    const value = await answer;
    setLost(null);
    return value;
  } catch (cause) {
    if (cause instanceof ApiError && cause.kind === "offline") setLost((since) => since ?? Date.now());
    else if (cause instanceof ApiError) setLost(null);
    throw cause;
  }
}

/** Every page of a list, up to `most` entries. */
export async function everything<T>(page: (cursor: string | null) => Promise<{ rows: T[]; next: string | null }>, most: number): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | null = null;
  do {
    const answer = await page(cursor);
    all.push(...answer.rows);
    cursor = answer.rows.length > 0 ? answer.next : null;
  } while (cursor && all.length < most);
  return all;
}

const MOST_RUNS = 2000;

/** Runs of the server, newest first. */
export function allRuns(archived: boolean): Promise<Run[]> {
  return everything(async (cursor) => {
    const answer = await api.runs({ limit: 500, cursor, ...(archived ? { archived: true } : {}) });
    return { rows: answer.runs, next: answer.next };
  }, MOST_RUNS);
}
