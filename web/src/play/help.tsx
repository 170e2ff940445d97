// How to play: the game's own words, and the keys of the page. Opens by itself at the first visit.
import { For, Show } from "solid-js";
import { setSingleKeys, singleKeys } from "../lib/keys";
import { Dialog } from "../lib/ui";
import type { ActionInfo, BoardKey, GameView } from "../view";
import { isLong, keyName } from "./actions";
import type { Facts } from "./table";

/** The page's own keys; where a game uses one of them itself, the game has it. */
export const pageKeys = {
  ".": "the last action once more",
  g: "a hint",
  l: "the agent plays on, or gives back",
  Escape: "stops what repeats or plays",
  "/": "searches the actions",
  "?": "this page",
};

function sections(view: GameView, facts: Facts): { title: string; text: string }[] {
  if (view.howTo.length > 0) return view.howTo;
  const events = facts.events.map((event) => event.sentence).join(" ");
  return [{ title: "The game", text: facts.sentence }, ...(events ? [{ title: "What may happen", text: events }] : [])];
}

export function Help(props: { open: boolean; view: GameView; facts: Facts; actions: ActionInfo[]; more: BoardKey[]; onClose: () => void }) {
  const keyed = () => [...props.actions.flatMap(({ key, label }) => (key ? [{ key, label }] : [])), ...props.more];
  return (
    <Dialog open={props.open} title={`How to play ${props.facts.title}`} onClose={props.onClose} wide>
      <div class="p-how-to">
        <For each={sections(props.view, props.facts)}>
          {(section) => (
            <section>
              <h3>{section.title}</h3>
              <p>{section.text}</p>
            </section>
          )}
        </For>
      </div>
      <p class="p-row">
        <button type="button" class="button primary" onClick={() => props.onClose()}>
          Play
        </button>
      </p>
      <div class="p-keys">
        <Show when={keyed().length > 0}>
          <section>
            <h3>Keys of the game</h3>
            <dl>
              <For each={keyed()}>
                {(action) => (
                  <div>
                    <dt>
                      <kbd>{keyName(action.key)}</kbd>
                    </dt>
                    <dd>{action.label}</dd>
                  </div>
                )}
              </For>
            </dl>
          </section>
        </Show>
        <section>
          <h3>Keys of the page</h3>
          <dl>
            <For each={Object.entries(pageKeys).filter(([key]) => !props.actions.some((action) => action.key === key) && (key !== "/" || isLong(props.actions)))}>
              {([key, what]) => (
                <div>
                  <dt>
                    <kbd>{keyName(key)}</kbd>
                  </dt>
                  <dd>{what}</dd>
                </div>
              )}
            </For>
          </dl>
          <p class="p-small muted">{props.more.length ? "" : "A key or button that is held repeats its action. "}Tab goes from group to group, arrows move inside a group, Enter chooses.</p>
          <label class="check">
            <input type="checkbox" checked={singleKeys()} onChange={(event) => setSingleKeys(event.currentTarget.checked)} />
            Single keys act
          </label>
        </section>
      </div>
    </Dialog>
  );
}
