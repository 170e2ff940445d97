// The actions as buttons in groups. What the rules do not allow stays where it is, greyed out, with
// the reason as tooltip and description. A button that is held, or chosen while "repeat" is on, goes
// on by itself. Each group is one stop of the Tab key; arrows move inside.
import { createEffect, createMemo, createSignal, createUniqueId, For, Index, onCleanup, Show } from "solid-js";
import { words } from "../lib/format";
import { keyName } from "../lib/key_name";
import type { ActionInfo, GameView } from "../view";
import type { Session } from "./session";

/** Those that the open variant has: a view may serve several. */
export const ofHead = (session: Session, actions: ActionInfo[]): ActionInfo[] =>
  actions.filter((action) => session.facts.heads[0]?.options[action.option]?.toLowerCase() === action.name.toLowerCase());

/** The view's actions; where it has none, those of the specification. */
export function actionsOf(session: Session, view: GameView): ActionInfo[] {
  const known = ofHead(session, [...view.actions, ...(view.otherActions ?? [])]);
  if (known.length > 0) return known;
  const head = session.facts.heads[0]!;
  const letters = new Set<string>();
  const arrows: Record<string, string> = { left: "ArrowLeft", right: "ArrowRight", up: "ArrowUp", down: "ArrowDown", minus: "ArrowLeft", plus: "ArrowRight", stay: "ArrowDown", none: "ArrowDown" };
  return head.options.map((name, option) => {
    const plain = words(name);
    const letter = [...plain.toLowerCase()].find((one) => /[a-z]/.test(one) && !letters.has(one));
    const key = arrows[name] ?? letter;
    if (key === letter && letter) letters.add(letter);
    const label = plain.charAt(0).toUpperCase() + plain.slice(1);
    return { option, name, label, group: words(head.name), ...(key ? { key } : {}), hint: "" };
  });
}

const spareKeys = [..."1234567890uiopjklnmtyb"];

/** Keys of a second person at the same keyboard, by option; none in games for one. */
export function secondKeys(session: Session, actions: ActionInfo[]): Map<number, string> {
  if (session.facts.seats === 1) return new Map();
  const taken = new Set([...actions.map((action) => action.key), ...Object.keys(pageKeys)]);
  const free = spareKeys.filter((key) => !taken.has(key));
  const keyed = actions.filter((action) => action.key);
  return new Map(keyed.slice(0, free.length).map((action, k) => [action.option, free[k]!]));
}

/** The page's own keys; where a game uses one of them itself, the game has it. */
export const pageKeys = {
  ".": "repeat the last action",
  g: "a hint",
  l: "let the agent play on, or take over again",
  Escape: "stops what repeats, plays or ticks",
  "/": "searches the actions",
  "?": "this page",
};

export interface Press {
  /** chosen once */
  choose(option: number): void;
  /** held: goes on until `release` */
  hold(option: number): void;
  release(): void;
}

export const holdAfter = 380; // milliseconds

/** Scrolls the panel of actions, and it alone, until something in it is seen, or stands on top. */
function reveal(what: HTMLElement, onTop = false): void {
  const panel = what.closest<HTMLElement>(".play-actions");
  if (!panel) return;
  const top = panel.querySelector(".p-lead")!.getBoundingClientRect().bottom + 6;
  const { bottom } = panel.getBoundingClientRect();
  const box = what.getBoundingClientRect();
  if (onTop || box.top < top) panel.scrollTop += box.top - top;
  else if (box.bottom > bottom - 6) panel.scrollTop += box.bottom - bottom + 6;
}

function ActionButton(props: { action: ActionInfo; session: Session; press: Press; hinted: boolean; running: boolean; tabindex: number }) {
  let button!: HTMLButtonElement;
  const id = createUniqueId();
  const reason = createMemo(() => {
    props.session.legal();
    return props.session.reason(props.action.option);
  });
  let timer = 0;
  let held = false;
  let pressed = false; // by key, on this button

  function down(): void {
    clearTimeout(timer);
    held = false;
    if (reason()) return;
    timer = window.setTimeout(() => {
      held = true;
      props.press.hold(props.action.option);
    }, holdAfter);
  }
  function up(): void {
    clearTimeout(timer);
    if (held) props.press.release();
  }
  function click(): void {
    if (held) held = false;
    else props.press.choose(props.action.option);
  }
  const acts = (event: KeyboardEvent): boolean => event.key === "Enter" || event.key === " ";
  onCleanup(up);
  createEffect(() => props.hinted && reveal(button));

  return (
    <button
      type="button"
      ref={button}
      class="p-action"
      classList={{ "p-hinted": props.hinted, "p-running": props.running }}
      tabindex={props.tabindex}
      data-option={props.action.option}
      aria-disabled={reason() ? "true" : undefined}
      aria-describedby={reason() || props.action.hint ? id : undefined}
      aria-keyshortcuts={props.action.key}
      title={reason() ? `Not now: ${reason()}` : props.action.hint || props.action.label}
      onPointerDown={(event) => event.button === 0 && down()}
      onPointerUp={up}
      onPointerLeave={up}
      onPointerCancel={up}
      onBlur={() => {
        pressed = false;
        up();
      }}
      onContextMenu={(event) => held && event.preventDefault()}
      onKeyDown={(event) => {
        if (!acts(event)) return;
        event.preventDefault();
        if (event.repeat) return;
        pressed = true;
        down();
      }}
      onKeyUp={(event) => {
        if (!acts(event) || !pressed) return;
        event.preventDefault();
        pressed = false;
        up();
        click();
      }}
      onClick={click}
    >
      <span class="p-action-label">
        {props.action.label}
        <Show when={props.action.detail}>
          <small>{props.action.detail}</small>
        </Show>
      </span>
      <Show when={props.hinted}>
        <span class="p-action-hint">hint</span>
      </Show>
      <Show when={props.action.key}>{(key) => <kbd aria-hidden="true">{keyName(key())}</kbd>}</Show>
      <span id={id} hidden>
        {reason() ? `Not now: ${reason()}` : props.action.hint}
      </span>
    </button>
  );
}

function Group(props: {
  name: string;
  actions: ActionInfo[];
  session: Session;
  press: Press;
  hinted: number;
  running: number;
  hide: boolean;
}) {
  const id = createUniqueId();
  let bar!: HTMLDivElement;
  const [current, setCurrent] = createSignal(-1);
  const able = (action: ActionInfo): boolean => props.session.legal()[action.option] === 1;
  const shown = () => (props.hide ? props.actions.filter(able) : props.actions);
  const stop = () => (shown().some((action) => action.option === current()) ? current() : (shown().find(able) ?? shown()[0])?.option);

  function move(event: KeyboardEvent): void {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const buttons = [...bar.querySelectorAll<HTMLButtonElement>("button")];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (at < 0) return;
    event.preventDefault();
    const next = buttons[Math.max(0, Math.min(buttons.length - 1, at + step))];
    setCurrent(Number(next?.dataset["option"] ?? -1));
    next?.focus();
  }

  return (
    <Show when={shown().length > 0}>
      <section class="p-action-group" data-group={props.name}>
        <h3 id={id}>{props.name}</h3>
        <div class="p-action-row" ref={bar} role="toolbar" aria-labelledby={id} onKeyDown={move} onFocusIn={(event) => setCurrent(Number((event.target as HTMLElement).dataset["option"] ?? -1))}>
          <Index each={shown()}>
            {(action) => (
              <ActionButton
                action={action()}
                session={props.session}
                press={props.press}
                hinted={props.hinted === action().option}
                running={props.running === action().option}
                tabindex={stop() === action().option ? 0 : -1}
              />
            )}
          </Index>
        </div>
      </section>
    </Show>
  );
}

export function Actions(props: { actions: ActionInfo[]; session: Session; press: Press; hinted: number; running: number; hide: boolean }) {
  const groups = createMemo(() => {
    const all = new Map<string, ActionInfo[]>();
    for (const action of props.actions) {
      const group = all.get(action.group);
      if (group) group.push(action);
      else all.set(action.group, [action]);
    }
    return all;
  });
  // by name, so that a group stays what it is while its actions change
  const names = createMemo(() => [...groups().keys()], [], { equals: (a, b) => a.join("\n") === b.join("\n") });
  return (
    <div class="p-action-groups" classList={{ "p-long": isLong(props.actions) }}>
      <For each={names()}>{(name) => <Group {...props} name={name} actions={groups().get(name) ?? []} />}</For>
    </div>
  );
}

const long = 80;

/** So many actions that people search them. */
export const isLong = (actions: ActionInfo[]): boolean => actions.length > long;

/** The actions whose words have a text, or else all of its words. */
export function found(actions: ActionInfo[], wanted: string): ActionInfo[] {
  const text = wanted.trim().toLowerCase().replace(/\s+/g, " ");
  if (!text) return actions;
  const words = text.split(" ");
  const all = actions.map((action) => ({ action, words: `${action.label} ${action.detail ?? ""} ${action.hint} ${action.group}`.toLowerCase() }));
  const exact = all.filter((one) => one.words.includes(text));
  return (exact.length ? exact : all.filter((one) => words.every((word) => one.words.includes(word)))).map((one) => one.action);
}

/** Search for games with very many actions; Enter chooses the first that is possible. */
export function Find(props: { text: string; set: (text: string) => void; shown: ActionInfo[]; session: Session; press: Press }) {
  const first = () => props.shown.find((action) => props.session.legal()[action.option] === 1);
  return (
    <div class="p-find">
      <input
        type="search"
        value={props.text}
        placeholder="Find an action"
        aria-label="Find an action; Enter chooses the first that is possible"
        aria-keyshortcuts="/"
        onInput={(event) => props.set(event.currentTarget.value)}
        onKeyDown={(event) => {
          const choice = first();
          if (event.key === "Escape") props.set("");
          if (event.key !== "Enter" || event.repeat || !props.text.trim() || !choice) return;
          event.preventDefault();
          props.press.choose(choice.option);
        }}
      />
      <span class="muted p-small" role="status">
        {props.text.trim() ? (props.shown.length ? `${props.shown.length} found${first() ? `, ⏎ ${first()!.name}` : ""}` : "none found") : ""}
      </span>
    </div>
  );
}

/** Buttons that scroll to a group, where the actions are a sheet. */
export function Jump(props: { actions: ActionInfo[] }) {
  const names = () => [...new Set(props.actions.map((action) => action.group))];
  const to = (button: HTMLElement, name: string) => {
    const groups = [...(button.closest("section")?.querySelectorAll<HTMLElement>(".p-action-group") ?? [])];
    const group = groups.find((one) => one.dataset["group"] === name);
    if (group) reveal(group, true);
  };
  return (
    <Show when={names().length > 1}>
      <div class="p-jump" role="group" aria-label="Groups of actions">
        <For each={names()}>
          {(name) => (
            <button type="button" onClick={(event) => to(event.currentTarget, name)}>
              {name}
            </button>
          )}
        </For>
      </div>
    </Show>
  );
}

/** What is chosen in the heads behind the first, where a game has several. */
export function OtherHeads(props: { session: Session; chosen: number[]; set: (head: number, option: number) => void }) {
  return (
    <For each={props.session.facts.heads.slice(1)}>
      {(head, index) => (
        <label class="field">
          <span>{words(head.name)}</span>
          <select value={props.chosen[index() + 1] ?? 0} onChange={(event) => props.set(index() + 1, Number(event.currentTarget.value))}>
            <For each={head.options}>
              {(name, option) => (
                <option value={option()} disabled={props.session.legal()[head.offset + option()] !== 1}>
                  {words(name)}
                </option>
              )}
            </For>
          </select>
        </label>
      )}
    </For>
  );
}
