// The keys of Play: those of the actions (held, they repeat), of the board, and of the page.
import { createEffect, onCleanup } from "solid-js";
import { useKeys, type KeyTable } from "../lib/keys";
import { holdAfter, isLong } from "./actions";
import type { Controls } from "./controls";
import type { Session } from "./session";

export function useKeyboard(session: Session, controls: Controls, help: () => void): void {
  const { actions, adviser, driver, press } = controls;
  const table: KeyTable = {
    ".": () => controls.again(),
    g: () => controls.hint(),
    l: () => session.table.where === "page" && void adviser.handOver(),
    Escape: () => driver.stop(),
    "?": help,
  };
  if (isLong(actions)) table["/"] = () => document.querySelector<HTMLInputElement>(".p-find input")?.focus();
  let down = "";
  let timer = 0;
  const release = () => {
    clearTimeout(timer);
    down = "";
    press.release();
  };
  for (const { key, option } of actions) {
    if (!key) continue;
    table[key] = (event) => {
      if (event.repeat || down === key) return;
      release();
      down = key;
      press.choose(option);
      if (!session.reason(option)) timer = window.setTimeout(() => down === key && press.hold(option), holdAfter);
    };
  }
  createEffect(() => {
    for (const { key, act } of controls.board()?.keys ?? []) table[key] = act;
  });
  useKeys(table);
  addEventListener("keyup", release);
  addEventListener("blur", release);
  onCleanup(() => {
    release();
    removeEventListener("keyup", release);
    removeEventListener("blur", release);
  });
}
