// A list that folds out, with a filter: things to tick, in groups.
import { createMemo, createSignal, For, onCleanup, onMount, Show } from "solid-js";

export interface PickGroup {
  name: string;
  items: { key: string; label: string }[];
}

const plain = (text: string) => text.toLowerCase().replace(/[\s_.:]/g, "");

export function Picker(props: { title: string; find: string; groups: PickGroup[]; chosen: string[]; onToggle: (key: string) => void; onNone?: () => void }) {
  let box!: HTMLDetailsElement;
  const [filter, setFilter] = createSignal("");
  const found = createMemo(() => {
    const wanted = plain(filter());
    return props.groups
      .map((group) => ({ ...group, items: group.items.filter((item) => plain(item.key + item.label).includes(wanted)) }))
      .filter((group) => group.items.length);
  });
  onMount(() => {
    const away = (event: PointerEvent) => {
      if (box.open && !box.contains(event.target as Node)) box.open = false;
    };
    document.addEventListener("pointerdown", away);
    onCleanup(() => document.removeEventListener("pointerdown", away));
  });
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !box.open) return;
    event.stopPropagation();
    box.open = false;
    box.querySelector("summary")?.focus();
  };
  return (
    <details class="pick-box" ref={box} onKeyDown={pressed}>
      <summary class="button">
        {props.title} <span class="count">{props.chosen.length}</span>
      </summary>
      <div class="pick-panel">
        <label class="field">
          <span>{props.find}</span>
          <input type="search" value={filter()} onInput={(event) => setFilter(event.currentTarget.value)} />
        </label>
        <div class="pick-list">
          <For each={found()} fallback={<p class="quiet">No matches.</p>}>
            {(group) => (
              <fieldset>
                <legend>{group.name}</legend>
                <For each={group.items}>
                  {(item) => (
                    <label class="check">
                      <input type="checkbox" checked={props.chosen.includes(item.key)} onChange={() => props.onToggle(item.key)} />
                      {item.label}
                    </label>
                  )}
                </For>
              </fieldset>
            )}
          </For>
        </div>
        <Show when={props.onNone && props.chosen.length}>
          <button type="button" class="link" onClick={() => props.onNone?.()}>
            Remove all
          </button>
        </Show>
      </div>
    </details>
  );
}
