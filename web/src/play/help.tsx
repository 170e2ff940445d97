// How to play: the game's own words and the keys of the page, behind `?`; and the coach, a few steps that
// stand above the board at the first visit.
import { createSignal, For, Show } from "solid-js";
import { keyName } from "../lib/key_name";
import { setSingleKeys, singleKeys } from "../lib/keys";
import { Dialog } from "../lib/ui";
import type { ActionInfo, BoardKey, GameView } from "../view";
import { isLong, pageKeys } from "./actions";
import type { Facts } from "./table";

function sections(view: GameView, facts: Facts): { title: string; text: string }[] {
  if (view.howTo.length > 0) return view.howTo;
  const events = facts.events.map((event) => event.sentence).join(" ");
  return [{ title: "The game", text: facts.sentence }, ...(events ? [{ title: "What may happen", text: events }] : [])];
}

/** The first steps, as the view has them, or the first words of its rules. */
const stepsOf = (view: GameView, facts: Facts): string[] => view.coach ?? sections(view, facts).slice(0, 3).map(({ text }) => /^.*?[.!?](?= |$)/.exec(text)?.[0] ?? text);

/** All steps side by side with the ways out; on a phone one step at a time. */
export function Coach(props: { view: GameView; facts: Facts; onHelp: () => void; onClose: () => void }) {
  const steps = stepsOf(props.view, props.facts);
  const [at, setAt] = createSignal(0);
  const more = () => at() < steps.length - 1;
  return (
    <section class="p-coach" classList={{ more: more() }} aria-label="First steps">
      <ol>
        <For each={steps}>{(step, k) => <li classList={{ now: k() === at() }}>{step}</li>}</For>
      </ol>
      <div class="p-row">
        <button type="button" class="button" onClick={() => props.onHelp()}>
          <span>
            Rules<span class="p-wide"> and keys</span>
          </span>
        </button>
        <button type="button" class="button primary p-next" onClick={() => setAt(at() + 1)}>
          Next
        </button>
        <button type="button" class="button primary p-got" onClick={() => props.onClose()}>
          Got it
        </button>
      </div>
    </section>
  );
}

interface HelpProps {
  open: boolean;
  view: GameView;
  facts: Facts;
  actions: ActionInfo[];
  /** keys of a second person, by option */
  second: Map<number, string>;
  more: BoardKey[];
  onClose: () => void;
}

export function Help(props: HelpProps) {
  const keyed = () => [...props.actions.flatMap(({ key, label, option }) => (key ? [{ key, second: props.second.get(option), label }] : [])), ...props.more.map(({ key, second, label }) => ({ key, second, label }))];
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
                      <Show when={action.second}>{(key) => <kbd>{keyName(key())}</kbd>}</Show>
                    </dt>
                    <dd>{action.label}</dd>
                  </div>
                )}
              </For>
            </dl>
            <Show when={keyed().some((action) => action.second)}>
              <p class="p-small muted">The second key is for a second person at this keyboard, where both choose at once{props.second.size ? "" : " on the clock"}.</p>
            </Show>
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
            Keyboard shortcuts
          </label>
        </section>
      </div>
    </Dialog>
  );
}
