// Keys of a page. Single keys can be switched off by the visitor (WCAG 2.1.4); they never act while
// a text is written or while a control that uses the key itself has the focus.
import { onCleanup } from "solid-js";
import { kept } from "./store";

export const [singleKeys, setSingleKeys] = kept("keys", true);

export type KeyTable = Record<string, (event: KeyboardEvent) => void>;

function writes(target: Element): boolean {
  return target.matches("input:not([type=range]):not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]");
}

/** True when the focused control needs this key for itself. */
function uses(target: Element, key: string): boolean {
  if (writes(target)) return true;
  if (key === " " || key === "Enter") return target.matches("button, a[href], summary, input, [role=button], [role=option], [role=tab]");
  if (/^(Arrow|Home$|End$|Page)/.test(key)) return target.matches("input, [role=listbox] *, [role=tablist] *, [role=radiogroup] *, [role=listbox]");
  return false;
}

/** "Shift+1", "Shift+q": by the place of a digit, whatever the layout writes there. */
const shifted = ({ code, key }: KeyboardEvent): string => `Shift+${/^Digit(\d)$/.exec(code)?.[1] ?? key.toLowerCase()}`;

/** A key of the number pad by its place, where a table has it: "Numpad1"; else it is as any other. */
const padded = ({ code }: KeyboardEvent): string => (code.startsWith("Numpad") ? code : "");

/** Keys by `event.key` while the component lives, e.g. { " ": play, ArrowLeft: back }. */
export function useKeys(table: KeyTable): void {
  const listen = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !singleKeys()) return;
    const target = event.target instanceof Element ? event.target : document.body;
    const act = (event.shiftKey ? table[shifted(event)] : undefined) ?? table[padded(event)] ?? table[event.key] ?? table[event.key.toLowerCase()];
    if (!act || uses(target, event.key) || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    act(event);
  };
  addEventListener("keydown", listen);
  onCleanup(() => removeEventListener("keydown", listen));
}
