// Values that are asked for. Unlike a resource it never hides the page while it waits: the last value
// stays until the next is there.
import { createEffect, createSignal, on, onCleanup, type Accessor } from "solid-js";
import { ApiError } from "../lib/api";
import { heard } from "./connection";

export interface Loaded<T> {
  value: Accessor<T | undefined>;
  busy: Accessor<boolean>;
  error: Accessor<Error | null>;
  again: () => void;
}

/** Asks whenever `source` changes; undefined asks for nothing. While the server is away it tries again. */
export function loaded<S, T>(source: () => S | undefined, fetcher: (source: S) => Promise<T>): Loaded<T> {
  const [value, setValue] = createSignal<T>();
  const [busy, setBusy] = createSignal(true);
  const [error, setError] = createSignal<Error | null>(null);
  const [turn, setTurn] = createSignal(0);
  let newest = 0;
  let timer = 0;
  const again = () => void setTurn((old) => old + 1);
  async function ask(asked: S): Promise<void> {
    const mine = ++newest;
    clearTimeout(timer);
    setBusy(true);
    try {
      const answer = await heard(fetcher(asked));
      if (mine !== newest) return;
      setValue(() => answer);
      setError(null);
    } catch (cause) {
      if (mine !== newest) return;
      setError(cause instanceof Error ? cause : new Error(String(cause)));
      if (cause instanceof ApiError && (cause.kind === "offline" || cause.kind === "busy")) timer = window.setTimeout(again, 4000);
    }
    setBusy(false);
  }
  createEffect(
    on([source, turn], ([asked]) => {
      if (asked !== undefined) void ask(asked);
      else {
        newest++;
        setBusy(false);
        setValue(undefined);
      }
    }),
  );
  onCleanup(() => {
    newest++;
    clearTimeout(timer);
  });
  return { value, busy, error, again };
}
