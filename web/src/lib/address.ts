// The state of a page in its address: written a moment after it changes, read again when someone goes
// back, forward or to a link of the same page. Whatever is read may come from a stranger's link.
import { createEffect, onCleanup, untrack } from "solid-js";
import { createStore, reconcile, unwrap, type SetStoreFunction } from "solid-js/store";
import { query, setQuery } from "./router";

/** Keys of an address; null or "" takes one away. */
export type Keys = Record<string, string | number | null>;

const writeMs = 250;

/** A whole number of an address in its range. */
export const within = (text: unknown, low: number, high: number, otherwise: number): number => {
  const value = typeof text === "string" && text !== "" ? Number(text) : text;
  return typeof value === "number" && Number.isInteger(value) && value >= low && value <= high ? value : otherwise;
};

/** A store that `read` makes of an address and `keysOf` writes into it. */
export function addressed<T extends object>(read: (keys: URLSearchParams) => T, keysOf: (state: T) => Keys): [T, SetStoreFunction<T>] {
  const [state, set] = createStore<T>(read(query()));
  let written = query().toString();
  let writing = false;
  let timer = 0;
  const write = (): void => {
    writing = true;
    setQuery(keysOf(unwrap(state)));
    writing = false;
  };
  createEffect(() => {
    JSON.stringify(keysOf(state));
    clearTimeout(timer);
    timer = window.setTimeout(write, writeMs);
  });
  createEffect(() => {
    const now = query().toString();
    const other = now !== written && !writing;
    written = now;
    if (other) untrack(() => set(reconcile(read(new URLSearchParams(now)))));
  });
  onCleanup(() => clearTimeout(timer));
  return [state, set];
}

/** The present address with these keys. */
export function linkWith(keys: Keys): string {
  const address = new URL(location.href);
  for (const [key, value] of Object.entries(keys)) {
    if (value === null || value === "") address.searchParams.delete(key);
    else address.searchParams.set(key, String(value));
  }
  address.hash = "";
  return address.href;
}
