// The search for seeds: what is wanted as chips, with names that complete themselves, and a row per seed
// that says why it was found and what else is good in it.
import { createEffect, createMemo, createSignal, createUniqueId, For, onCleanup, Show } from "solid-js";
import { counted, number, sentence } from "ludus/lib/format";
import { param, setQuery } from "ludus/lib/router";
import { Examples, IconButton } from "ludus/lib/ui";
import { noneFound, search, type Ask, type Found, type FoundThing, type SeedItem } from "./seed";
import { Thing } from "./things";
import { editions, kindWords, lastAnte, placesOf, readWants, suggest, wanted, wantOf, wantText, type Want, type Wanted } from "./wants";

const upper = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const examples = [
  ["Blueprint by ante 2", "joker blueprint ante 1-2"],
  ["Perkeo in ante 1", "joker perkeo ante 1"],
  ["Blueprint and Brainstorm by ante 3", "joker blueprint ante 1-3; joker brainstorm ante 1-3"],
  ["A Negative joker in the first shops", "joker negative any shop 4 ante 1"],
  ["Negative Tag and Telescope", "tag negative ante 2; voucher telescope ante 1"],
] as const;

/** A box that completes names; Enter takes the first, and searches once nothing more is typed. */
function Adder(props: { add: (thing: Wanted) => void; done: () => void }) {
  const id = createUniqueId();
  const [text, setText] = createSignal("");
  const [at, setAt] = createSignal(0);
  const list = createMemo(() => suggest(text()));
  const take = (thing: Wanted | undefined): void => {
    if (!thing) return;
    props.add(thing);
    setText("");
    setAt(0);
  };
  const pressed = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && list().length) setAt((at() + step + list().length) % list().length);
    else if (event.key === "Enter") text().trim() ? take(list()[at()]) : props.done();
    else if (event.key === "Escape" && text()) setText("");
    else return;
    event.preventDefault();
  };
  return (
    <div class="adder">
      <input
        type="text"
        role="combobox"
        aria-label="Add what a seed must have"
        aria-expanded={list().length > 0}
        aria-controls={id}
        aria-activedescendant={list().length ? `${id}-${at()}` : undefined}
        aria-autocomplete="list"
        autocomplete="off"
        spellcheck={false}
        placeholder="Add a joker, card, tag, voucher or boss"
        value={text()}
        onInput={(event) => (setText(event.currentTarget.value), setAt(0))}
        onKeyDown={pressed}
        onBlur={() => setTimeout(() => setText(""), 150)}
      />
      <ul id={id} role="listbox" aria-label="Names" hidden={!list().length}>
        <For each={list()}>
          {(thing, k) => (
            <li id={`${id}-${k()}`} role="option" aria-selected={k() === at()} class={thing.rarity} onPointerDown={(event) => (event.preventDefault(), take(thing))}>
              <b>{[upper(thing.edition ?? ""), thing.title].filter(Boolean).join(" ")}</b> <small>{[thing.rarity, kindWords[thing.kind]].filter(Boolean).join(" ")}</small>
            </li>
          )}
        </For>
      </ul>
      <Show when={text().trim().length > 2 && !list().length}>
        <p class="quiet" role="status">
          Nothing is called {text().trim()}.
        </p>
      </Show>
    </div>
  );
}

function Chip(props: { want: Want; first: boolean; change: (part: Partial<Want>) => void; remove: () => void }) {
  const antes = Array.from({ length: lastAnte }, (_, k) => k + 1);
  const pick = (name: string, value: string | number, options: (readonly [string | number, string])[], set: (value: string) => void) => (
    <select aria-label={`${name} of ${props.want.title}`} onChange={(event) => set(event.currentTarget.value)}>
      <For each={options}>
        {([key, words]) => (
          <option value={key} selected={key === value}>
            {words}
          </option>
        )}
      </For>
    </select>
  );
  return (
    <li class={`want ${props.want.rarity}`}>
      <Show when={!props.first}>{pick("Joined by", props.want.or ? "or" : "and", [["and", "and"], ["or", "or"]], (value) => props.change({ or: value === "or" }))}</Show>
      <b>{props.want.title}</b>
      <Show when={props.want.kind === "joker"}>
        {pick("Edition", props.want.edition, [...(props.want.key === "any" ? [] : [["", "any edition"] as const]), ...editions.map((one) => [one, one] as const)], (edition) => props.change({ edition }))}
      </Show>
      <Show when={placesOf(props.want.kind).length}>{pick("Place", props.want.place, placesOf(props.want.kind), (place) => props.change({ place }))}</Show>
      <span class="want-antes">
        ante {pick("First ante", props.want.from, antes.map((ante) => [ante, String(ante)] as const), (from) => props.change({ from: Number(from), to: Math.max(Number(from), props.want.to) }))} to{" "}
        {pick("Last ante", props.want.to, antes.filter((ante) => ante >= props.want.from).map((ante) => [ante, String(ante)] as const), (to) => props.change({ to: Number(to) }))}
      </span>
      <IconButton icon="close" label={`Remove ${props.want.title}`} onClick={props.remove} />
    </li>
  );
}

/** "shop card 3 of ante 1" */
const whereWords = (one: FoundThing): string => (one.place ? `${one.place === "shop" ? "shop card" : "pack"} ${one.at}, ante ${one.ante}` : `${one.blind ? `${one.blind} blind, ` : ""}ante ${one.ante}`);
const keyOf = new Map(wanted.map(({ title, key }) => [title, key]));

function Reason(props: { of: FoundThing; wanted: boolean }) {
  const item = (): SeedItem => ({ key: keyOf.get(props.of.name) ?? props.of.name, ...(props.of.edition ? { ed: upper(props.of.edition) } : {}) });
  return (
    <span class="reason" classList={{ wanted: props.wanted }} title={props.wanted ? undefined : "also in this seed"}>
      <Thing item={item()} /> {whereWords(props.of)}
    </span>
  );
}

function Rows(props: { found: Found; link: (seed: string) => string; play: (seed: string) => string }) {
  return (
    <ul class="found">
      <For each={props.found.seeds}>
        {(one) => (
          <li>
            <a class="mono" href={props.link(one.seed)}>
              {one.seed}
            </a>
            <span class="found-why">
              <For each={one.why}>{(thing) => <Reason of={thing} wanted />}</For>
              <For each={one.also}>{(thing) => <Reason of={thing} wanted={false} />}</For>
            </span>
            <a class="button small" href={props.play(one.seed)}>
              Play<span class="sr-only"> {one.seed}</span>
            </a>
          </li>
        )}
      </For>
    </ul>
  );
}

/** Search and stop, and what is wanted as text. */
function Controls(props: { want: string; busy: boolean; open: boolean; set: (text: string) => void; run: () => void; stop: () => void }) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        props.run();
      }}
    >
      <div class="seed-buttons">
        <button type="submit" class="button primary" disabled={!props.want.trim() || props.busy}>
          Search
        </button>
        <Show when={props.busy}>
          <progress aria-label="Searching seeds" />
          <button type="button" class="button" onClick={() => props.stop()}>
            Stop
          </button>
        </Show>
      </div>
      <details class="want-text" open={props.open}>
        <summary>As text</summary>
        <label class="field">
          <span>What a seed must have; separate terms with ;</span>
          <input type="text" value={props.want} placeholder={examples[0][1]} spellcheck={false} onChange={(event) => props.set(event.currentTarget.value)} />
        </label>
      </details>
    </form>
  );
}

/** What was found last: who looks at a seed or plays it comes back to the others. */
const [kept, setKept] = createSignal<{ asked: string; found: Found } | null>(null);

/** The search by conditions, as far as one wants to go; what is wanted stands in the address. */
export function Search(props: { ask: Ask; link: (seed: string) => string; play: (seed: string) => string }) {
  const want = createMemo(() => param("want"));
  const chips = createMemo(() => readWants(want()));
  /** seeds are those of one query, deck and stake */
  const asked = createMemo(() => JSON.stringify([want(), props.ask.deck, props.ask.stake]));
  const found = () => (kept()?.asked === asked() ? kept()!.found : null);
  const [busy, setBusy] = createSignal(false);
  const [problem, setProblem] = createSignal("");
  let abort: AbortController | null = null;
  onCleanup(() => abort?.abort());
  const set = (text: string) => setQuery({ want: text });
  const setChips = (list: Want[]) => set(wantText(list));
  createEffect(() => {
    void asked();
    abort?.abort();
    setProblem("");
  });

  async function run(from: Found): Promise<void> {
    abort?.abort();
    const now = (abort = new AbortController());
    setProblem("");
    setBusy(true);
    const keep = (found: Found): void => void setKept({ asked: asked(), found });
    keep(from);
    try {
      await search(want(), from, 10, props.ask, keep, now.signal);
    } catch (cause) {
      if (!now.signal.aborted) setProblem(sentence((cause instanceof Error ? cause.message : String(cause)).replace(/^want: /, "")).replace(/\w$/, "$&."));
    } finally {
      if (abort === now) setBusy(false);
    }
  }

  return (
    <section class="card seed-search" aria-labelledby="search-title">
      <h2 id="search-title">Find seeds</h2>
      <Show when={chips()} fallback={<p class="quiet">The query is below, as text.</p>}>
        {(list) => (
          <ul class="wants" aria-label="What a seed must have">
            <For each={list()}>
              {(one, k) => <Chip want={one} first={k() === 0} change={(part) => setChips(list().with(k(), { ...one, ...part }))} remove={() => setChips(list().toSpliced(k(), 1))} />}
            </For>
            <li class="want-add">
              <Adder done={() => want().trim() && !busy() && void run(noneFound)} add={(thing) => setChips([...list(), wantOf(thing)])} />
            </li>
          </ul>
        )}
      </Show>
      <Controls want={want()} busy={busy()} open={chips() === null} set={set} run={() => void run(noneFound)} stop={() => abort?.abort()} />
      <Show when={!want()}>
        <Examples list={examples} onPick={(text) => (set(text), void run(noneFound))} />
      </Show>
      <p class="problem" role="alert">
        {problem()}
      </p>
      <Show when={!problem() && found()}>
        {(now) => (
          <>
            <p role="status">
              {number(now().seeds.length)} found in {counted(now().tried, "seed")}.
            </p>
            <Rows found={now()} link={props.link} play={props.play} />
            <button type="button" class="button" disabled={busy()} onClick={() => void run(now())}>
              Search on
            </button>
          </>
        )}
      </Show>
    </section>
  );
}
