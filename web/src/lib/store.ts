// What the page remembers in the browser: one key per choice. Private windows may refuse; then it
// is forgotten.
import { createSignal, type Accessor } from "solid-js";

export function recall<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`ludus.${key}`);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(`ludus.${key}`, JSON.stringify(value));
  } catch {
    /* no room or not allowed */
  }
}

/** A signal that is remembered. */
export function kept<T>(key: string, otherwise: T): [Accessor<T>, (value: T) => void] {
  const [value, set] = createSignal<T>(recall(key, otherwise));
  return [
    value,
    (next) => {
      set(() => next);
      remember(key, next);
    },
  ];
}
