// The players of a game for several: who sits where, and what each has so far.
import { createMemo, For, Index, Show } from "solid-js";
import { signed } from "../lib/format";
import type { Controls } from "./controls";
import type { Choice } from "./players";
import type { Session } from "./session";
import { person } from "./table";

export function SeatsPanel(props: { session: Session; controls: Controls }) {
  const { session, controls } = props;
  const { adviser, seats } = controls;
  const groups = createMemo(() => {
    const all = new Map<string, Choice[]>();
    for (const choice of adviser.list()?.all ?? []) all.set(choice.group, [...(all.get(choice.group) ?? []), choice]);
    return [...all];
  });
  const frame = () => session.frame()!;
  const drives = (seat: number) => (frame(), session.table.drives(seat));
  const sit = (seat: number, key: string) => {
    controls.autoplay.stop();
    seats.clear();
    void seats.sit(seat, key);
  };
  return (
    <section class="card p-seats" aria-label="Players">
      <h2>Players</h2>
      <Index each={seats.holders()}>
        {(holder, seat) => (
          <div class="p-seat">
            <Show when={!drives(seat)} fallback={<p>Player {seat + 1}: the game itself</p>}>
              <label class="field">
                <span>Player {seat + 1}</span>
                <select onChange={(event) => sit(seat, event.currentTarget.value)}>
                  <option value={person} selected={holder() === person}>
                    A person here
                  </option>
                  <For each={groups()}>
                    {([group, all]) => (
                      <optgroup label={group}>
                        <For each={all}>
                          {(choice) => (
                            <option value={choice.key} selected={choice.key === holder()}>
                              {choice.title}
                            </option>
                          )}
                        </For>
                      </optgroup>
                    )}
                  </For>
                </select>
              </label>
            </Show>
            <span class="p-seat-total">
              <small>return</small>{" "}
              {signed(frame().totals[seat] ?? 0)}
            </span>
          </div>
        )}
      </Index>
      <Show when={session.table.where === "server"}>
        <p class="p-small muted">The server plays bots and models: changing a player starts a new episode.</p>
      </Show>
      <Show when={seats.persons().length > 1}>
        <p class="p-small muted">
          {controls.shared()
            ? "Both play on one screen: each player has their own keys, choices stay hidden, and the buttons belong to the player named above them."
            : "The board is shown as the player whose turn it is sees it. Where both choose at once, each has their own keys; “How to play” lists them."}
        </p>
      </Show>
    </section>
  );
}
