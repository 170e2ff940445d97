// The keys of Play: those of the actions (held, they repeat), of the board, and of the page. Where two
// persons choose at once, each has a set of keys; where they choose in turn, the first set is theirs who
// are to choose.
import { createEffect, onCleanup } from "solid-js";
import { useKeys, type KeyTable } from "../lib/keys";
import { holdAfter, isLong, secondKeys } from "./actions";
import type { Controls } from "./controls";
import type { Session } from "./session";

export function useKeyboard(session: Session, controls: Controls, help: () => void): void {
  const { actions, adviser, autoplay, press } = controls;
  const table: KeyTable = {
    ".": () => controls.again(),
    g: () => controls.hint(),
    l: () => session.table.where === "page" && void adviser.handOver(),
    Escape: () => autoplay.stop(),
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
  const acts = (key: string, option: number, nth: number) => (event: KeyboardEvent) => {
    const seat = controls.seats.deciding()[nth];
    // under the clock a key that is held chooses for every tick
    if (event.repeat ? !controls.clock() : down === key) return;
    if (seat === undefined && nth > 0) return;
    if (controls.seats.persons().length > 1) controls.seats.ask(seat ?? null);
    if (!event.repeat) release();
    down = key;
    press.choose(option);
    if (!event.repeat && controls.alone() && !session.reason(option)) timer = window.setTimeout(() => down === key && press.hold(option), holdAfter);
  };
  for (const [option, key] of secondKeys(session, actions)) table[key] = acts(key, option, 1);
  for (const { key, option } of actions) if (key) table[key] = acts(key, option, 0);
  createEffect(() => {
    if (controls.stands()) table[" "] = () => autoplay.acting() || controls.tick();
    const { seats, shared } = controls;
    for (const { key, second, act } of controls.board()?.keys ?? []) {
      table[key] = () => act(shared() ? seats.persons()[0] : undefined);
      // without the clock persons choose one behind the other, by the same keys
      if (second && shared()) table[second] = () => act(seats.persons()[1]);
      else if (second) delete table[second];
    }
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
