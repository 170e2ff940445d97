// The seed browser: what a seed of the game gives, ante by ante, as a table to read; and a search for
// seeds that have what one wants.
import { createEffect, createMemo, createResource, createSignal, For, onCleanup, Show, type JSX } from "solid-js";
import { number } from "ludus/lib/format";
import { href, query, setQuery } from "ludus/lib/router";
import { Icon } from "ludus/lib/ui";
import { cardOf, cardShort, cardWords } from "../view/state";
import { decks, modifierOf, stakes, thingOf } from "../view/tables";
import { askQuery, cleanSeed, lookUp, mostAntes, mostCards, noneFound, playLink, readAsk, search, type Ask, type Found, type SeedAnswer, type SeedItem } from "./seed";
import "./seeds.css";

const letters = "123456789ABCDEFGHIJKLMNPQRSTUVWXYZ";
const anySeed = (): string => [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => letters[byte % letters.length]).join("");
const sentence = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** A thing by name, its effect in the tooltip and for screen readers. */
function Named(props: { of: string; more?: string }) {
  const thing = () => thingOf(props.of);
  return (
    <span class="named" title={thing().effect}>
      {thing().title}
      <Show when={props.more}>
        <small> {props.more}</small>
      </Show>
    </span>
  );
}

const stickerNames: Record<string, string> = { E: "Eternal", P: "Perishable", R: "Rental" };

function Item(props: { item: SeedItem }) {
  const marks = () => {
    const { ed, enh, seal, stickers = "" } = props.item;
    const words = [ed, enh].flatMap((word) => (word ? [modifierOf(word).title] : []));
    if (seal) words.push(modifierOf(`${seal}seal`).title);
    return [...words, ...[...stickers].map((letter) => stickerNames[letter] ?? letter)].join(", ");
  };
  return (
    <Show when={props.item.card} fallback={<Named of={props.item.key ?? ""} more={marks()} />}>
      {(card) => (
        <span class="named" title={cardWords(cardOf(card()))}>
          {cardShort(card())}
          <Show when={marks()}>
            <small> {marks()}</small>
          </Show>
        </span>
      )}
    </Show>
  );
}

const kindOf = (item: SeedItem): string => (item.key?.startsWith("j_") ? "joker" : item.card ? "card" : "other");

function Queue(props: { items: SeedItem[] }) {
  return (
    <ol class="queue">
      <For each={props.items}>
        {(item) => (
          <li class={kindOf(item)} classList={{ marked: Boolean(item.ed) }}>
            <Item item={item} />
          </li>
        )}
      </For>
    </ol>
  );
}

function Ante(props: { answer: SeedAnswer; at: number }) {
  const ante = () => props.answer.antes[props.at]!;
  const queue = () => props.answer.queues.find((one) => one.ante === ante().ante);
  return (
    <section class="card ante" aria-labelledby={`ante-${ante().ante}`}>
      <h2 id={`ante-${ante().ante}`}>Ante {ante().ante}</h2>
      <dl class="ante-facts">
        <div>
          <dt>Boss</dt>
          <dd>
            <Named of={ante().boss} />
            <small class="effect">{thingOf(ante().boss).effect}</small>
          </dd>
        </div>
        <div>
          <dt>Voucher</dt>
          <dd>
            <Named of={ante().voucher} />
            <small class="effect">{thingOf(ante().voucher).effect}</small>
          </dd>
        </div>
        <div>
          <dt>Tags</dt>
          <dd>
            <Named of={ante().small_tag} more="Small Blind" />, <Named of={ante().big_tag} more="Big Blind" />
          </dd>
        </div>
      </dl>
      <Show when={queue()}>
        {(lists) => (
          <div class="lists">
            <div>
              <h3>Shop, in this order</h3>
              <Queue items={lists().shop_queue} />
            </div>
            <div>
              <h3>Packs, in this order</h3>
              <ol class="packs">
                <For each={lists().pack_queue}>
                  {(pack) => (
                    <li>
                      <b>
                        <Named of={pack.pack} />
                      </b>
                      <span class="inside">
                        <For each={pack.contents}>
                          {(item, k) => (
                            <>
                              {k() ? ", " : ""}
                              <Item item={item} />
                            </>
                          )}
                        </For>
                      </span>
                    </li>
                  )}
                </For>
              </ol>
            </div>
          </div>
        )}
      </Show>
    </section>
  );
}

function Form(props: { ask: Ask; go: (ask: Ask) => void }) {
  const [seed, setSeed] = createSignal(props.ask.seed);
  createEffect(() => setSeed(props.ask.seed));
  const change = (part: Partial<Ask>): void => props.go({ ...props.ask, seed: cleanSeed(seed()), ...part });
  return (
    <form
      class="card seed-form"
      onSubmit={(event) => {
        event.preventDefault();
        change({});
      }}
    >
      <label class="field">
        <span>Seed</span>
        <input type="text" class="mono seed-input" value={seed()} maxlength="8" autocomplete="off" spellcheck={false} placeholder="TESTSEED" onInput={(event) => setSeed(event.currentTarget.value)} />
      </label>
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
      <div class="seed-buttons">
        <button type="submit" class="button primary">
          Look it up
        </button>
        <button type="button" class="button" onClick={() => change({ seed: anySeed() })}>
          Any seed
        </button>
      </div>
    </form>
  );
}

const examples = ["joker blueprint shop 4 ante 1", "joker negative any shop 6 ante 1", "tag negative ante 2", "voucher telescope ante 1; boss hook ante 1"];

/** The search by conditions, as far as one wants to go. */
function Search(props: { ask: Ask; link: (seed: string) => string }) {
  const [want, setWant] = createSignal("");
  const [found, setFound] = createSignal<Found | null>(null);
  const [busy, setBusy] = createSignal(false);
  const [problem, setProblem] = createSignal("");
  let abort: AbortController | null = null;
  onCleanup(() => abort?.abort());

  async function run(from: Found): Promise<void> {
    abort?.abort();
    const now = (abort = new AbortController());
    setProblem("");
    setBusy(true);
    setFound(from);
    try {
      await search(want(), from, 10, props.ask, setFound, now.signal);
    } catch (cause) {
      if (!now.signal.aborted) setProblem(`${sentence(cause)}.`);
    } finally {
      if (abort === now) setBusy(false);
    }
  }

  return (
    <section class="card seed-search" aria-labelledby="search-title">
      <h2 id="search-title">Search for seeds</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(noneFound);
        }}
      >
        <label class="field">
          <span>What a seed must have; terms with ; between them</span>
          <input type="text" value={want()} placeholder={examples[0]} spellcheck={false} onInput={(event) => setWant(event.currentTarget.value)} />
        </label>
        <div class="seed-buttons">
          <button type="submit" class="button" disabled={!want().trim() || busy()}>
            Search
          </button>
          <Show when={busy()}>
            <progress aria-label="Going through seeds" />
            <button type="button" class="button" onClick={() => abort?.abort()}>
              Stop
            </button>
          </Show>
        </div>
      </form>
      <p class="quiet">
        For example{" "}
        <For each={examples}>
          {(example, k) => (
            <>
              {k() ? ", " : ""}
              <button type="button" class="link" onClick={() => setWant(example)}>
                {example}
              </button>
            </>
          )}
        </For>
        . Deck and stake are those above.
      </p>
      <p class="problem" role="alert">
        {problem()}
      </p>
      <Show when={!problem() && found()}>
        {(now) => (
          <>
            <p role="status">
              {now().seeds.length} found in {number(now().tried)} seeds.
            </p>
            <ul class="found">
              <For each={now().seeds}>
                {(seed) => (
                  <li>
                    <a class="mono" href={props.link(seed)}>
                      {seed}
                    </a>
                  </li>
                )}
              </For>
            </ul>
            <button type="button" class="button" disabled={busy()} onClick={() => void run(now())}>
              Go on
            </button>
          </>
        )}
      </Show>
    </section>
  );
}

function Share(props: { ask: Ask }): JSX.Element {
  const [said, say] = createSignal("");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(location.origin + href("/joker", askQuery(props.ask)));
      say("Link copied");
    } catch {
      say("The address of this page is the link");
    }
  };
  return (
    <span class="share">
      <span role="status" class="muted">
        {said()}
      </span>
      <a class="button" href={playLink(props.ask)}>
        <Icon name="play" />
        Play this seed
      </a>
      <button type="button" class="button" onClick={() => void copy()}>
        <Icon name="link" />
        Copy the link
      </button>
    </span>
  );
}

export default function SeedsPage() {
  const ask = createMemo(() => readAsk(query()));
  const [answer] = createResource(
    () => (ask().seed ? JSON.stringify(ask()) : null),
    async (text) => {
      try {
        return { seed: await lookUp(JSON.parse(text) as Ask), problem: "" };
      } catch (cause) {
        return { seed: null, problem: sentence(cause) };
      }
    },
  );
  const shown = () => (ask().seed ? answer.latest?.seed : null);
  return (
    <div class="seeds">
      <header class="seeds-head">
        <h1>{ask().seed ? `Seed ${ask().seed}` : "Seeds"}</h1>
        <Show when={ask().seed}>
          <Share ask={ask()} />
        </Show>
      </header>
      <Form ask={ask()} go={(next) => setQuery(askQuery(next), next.seed !== ask().seed)} />
      <Show when={answer.latest?.problem}>
        <p class="problem" role="alert">
          {answer.latest!.problem}.
        </p>
      </Show>
      <Show when={shown()} fallback={<Show when={!ask().seed}><p class="quiet">A seed decides everything that a run of joker offers: bosses, vouchers, tags, the shop and what packs hold. Enter one of 1 to 8 letters and digits.</p></Show>}>
        {(seed) => (
          <div class="antes" aria-busy={answer.loading}>
            <p class="quiet">Shops and rerolls of an ante take its cards and packs in this order, as long as nothing that one owns stands in the way: a joker does not come twice.</p>
            <For each={seed().antes.map((_, at) => at)}>{(at) => <Ante answer={seed()} at={at} />}</For>
          </div>
        )}
      </Show>
      <Search ask={ask()} link={(seed) => href("/joker", askQuery({ ...ask(), seed }))} />
    </div>
  );
}
