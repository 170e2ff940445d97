// The seed browser: a search for seeds that have what one wants, and what a seed of the game gives, ante by
// ante.
import { createEffect, createMemo, createResource, createSignal, For, on, Show, Suspense } from "solid-js";
import { sentence } from "ludus/lib/format";
import { href, param, query, setQuery } from "ludus/lib/router";
import { bringToSight } from "ludus/lib/sight";
import { CopyLink, Icon } from "ludus/lib/ui";
import { decks, stakes } from "../view/tables";
import { Antes } from "./antes";
import { Search } from "./find";
import { askQuery, cleanSeed, lookUp, mostAntes, mostCards, playLink, readAsk, type Ask } from "./seed";
import "./seeds.css";

const letters = "123456789ABCDEFGHIJKLMNPQRSTUVWXYZ";
const anySeed = (): string => [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => letters[byte % letters.length]).join("");

const noSeed = (text: string): string => `${text.trim().slice(0, 40)} isn't a seed: a seed is 1 to 8 letters and digits.`;

function Form(props: { ask: Ask; unread: string; go: (ask: Ask) => void }) {
  const [seed, setSeed] = createSignal(props.ask.seed);
  createEffect(() => setSeed(props.ask.seed));
  const [problem, setProblem] = createSignal("");
  let field!: HTMLInputElement;
  const change = (part: Partial<Ask>): void => props.go({ ...props.ask, seed: cleanSeed(seed()), ...part });
  const look = (): void => {
    const bad = seed().trim() && !cleanSeed(seed());
    setProblem(bad ? noSeed(seed()) : seed().trim() ? "" : "Enter a seed of 1 to 8 letters and digits.");
    if (problem()) field.form!.querySelector(".problem")!.scrollIntoView({ block: "nearest" });
    else change({});
  };
  return (
    <form
      class="card seed-form"
      aria-labelledby="look-title"
      onSubmit={(event) => {
        event.preventDefault();
        look();
      }}
    >
      <h2 id="look-title">Look up a seed</h2>
      <label class="field">
        <span>Seed</span>
        <input ref={field} type="text" class="mono seed-input" value={seed()} autocomplete="off" spellcheck={false} placeholder="TESTSEED" onInput={(event) => setSeed(event.currentTarget.value)} />
      </label>
      <div class="seed-buttons">
        <button type="submit" class="button primary">
          Look up
        </button>
        <button type="button" class="button" onClick={() => (setProblem(""), change({ seed: anySeed() }))}>
          Random<span class="sr-only"> seed</span>
        </button>
      </div>
      <p class="problem" role="alert">
        {problem() || props.unread}
      </p>
      <label class="field">
        <span>Deck</span>
        <select onChange={(event) => change({ deck: event.currentTarget.value })}>
          <For each={decks}>
            {(deck) => (
              <option value={deck.key} selected={deck.key === props.ask.deck}>
                {deck.title}
              </option>
            )}
          </For>
        </select>
      </label>
      <label class="field">
        <span>Stake</span>
        <select onChange={(event) => change({ stake: Number(event.currentTarget.value) })}>
          <For each={stakes}>
            {(stake, k) => (
              <option value={k() + 1} selected={k() + 1 === props.ask.stake}>
                {stake.title}
              </option>
            )}
          </For>
        </select>
      </label>
      <label class="field">
        <span>Antes</span>
        <input type="number" min="1" max={mostAntes} value={props.ask.antes} onChange={(event) => change({ antes: Math.max(1, Math.min(mostAntes, Math.round(Number(event.currentTarget.value)) || 8)) })} />
      </label>
      <label class="field">
        <span>Shop cards</span>
        <input type="number" min="1" max={mostCards} value={props.ask.cards} onChange={(event) => change({ cards: Math.max(1, Math.min(mostCards, Math.round(Number(event.currentTarget.value)) || 12)) })} />
      </label>
    </form>
  );
}

export default function SeedsPage() {
  const ask = createMemo(() => readAsk(query()), undefined, { equals: (a, b) => JSON.stringify(a) === JSON.stringify(b) });
  const [answer, { refetch }] = createResource(
    () => (ask().seed ? JSON.stringify(ask()) : null),
    async (text) => {
      try {
        return { seed: await lookUp(JSON.parse(text) as Ask), problem: "" };
      } catch (cause) {
        return { seed: null, problem: sentence(cause instanceof Error ? cause.message : String(cause)) };
      }
    },
  );
  /** a link with something else than a seed */
  const unread = () => (query().get("seed")?.trim() && !ask().seed ? noSeed(query().get("seed")!) : "");
  const shown = () => (ask().seed ? answer.latest?.seed : null);
  let head: HTMLElement | undefined;
  createEffect(on([shown, () => ask().seed], ([seed]) => seed && bringToSight(head)));
  return (
    <div class="seeds">
      <header class="seeds-title">
        <h1>Seeds</h1>
        <p class="quiet">A seed decides everything a run offers: bosses, vouchers, tags, shops and packs. These are the seeds of the real game.</p>
      </header>
      <Search ask={ask()} link={(seed) => href("/joker", { ...askQuery({ ...ask(), seed }), want: query().get("want") })} play={(seed) => playLink({ ...ask(), seed })} />
      <Form ask={ask()} unread={unread()} go={(next) => (JSON.stringify(next) === JSON.stringify(ask()) ? void refetch() : setQuery(askQuery(next), next.seed !== ask().seed))} />
      <Suspense fallback={<p class="quiet" role="status">Looking the seed up…</p>}>
        <Show when={answer.latest?.problem}>
          {(problem) => (
            <p class="problem" role="alert">
              {problem()}.
            </p>
          )}
        </Show>
        <Show when={shown()}>
          {(seed) => (
            <>
              <header class="seeds-head" ref={head}>
                <h2>Seed {seed().seed}</h2>
                <span class="share">
                  <a class="button" href={playLink(ask())}>
                    <Icon name="play" />
                    Play this seed
                  </a>
                  <CopyLink link={() => location.origin + href("/joker", { ...askQuery(ask()), mark: param("mark") })} holds="seed, deck and stake" />
                </span>
              </header>
              <Antes answer={seed()} busy={answer.loading} />
            </>
          )}
        </Show>
      </Suspense>
    </div>
  );
}
