// What a seed gives, ante by ante: boss, voucher, tags, the shop's cards and what packs hold, with a bar of
// antes that stays in sight and a word that marks what one looks for.
import { createMemo, For, Show } from "solid-js";
import { counted } from "ludus/lib/format";
import { param, setQuery } from "ludus/lib/router";
import { blindDisc } from "../view/face";
import { thingOf } from "../view/tables";
import type { SeedAnswer, SeedItem } from "./seed";
import { Named, PackFace, rarityOf, Thing, titleOf, VoucherFace } from "./things";

const isRare = (item: SeedItem): boolean => ["rare", "legendary", "negative"].includes(rarityOf(item));

const has = (title: string, sought: string): boolean => sought !== "" && title.toLowerCase().includes(sought);
const queueOf = (answer: SeedAnswer, at: number) => answer.queues.find((one) => one.ante === answer.antes[at]!.ante);

/** How many things of an ante have these letters. */
function countOf(answer: SeedAnswer, at: number, sought: string): number {
  const { boss, voucher, small_tag, big_tag } = answer.antes[at]!;
  const { shop_queue: shop = [], pack_queue: packs = [] } = queueOf(answer, at) ?? {};
  const titles = [...[boss, voucher, small_tag, big_tag, ...packs.map(({ pack }) => pack)].map((key) => thingOf(key).title), ...[...shop, ...packs.flatMap(({ contents }) => contents)].map(titleOf)];
  return titles.filter((title) => has(title, sought)).length;
}

function Ante(props: { answer: SeedAnswer; at: number; sought: string }) {
  const ante = () => props.answer.antes[props.at]!;
  const queue = () => queueOf(props.answer, props.at);
  const marked = (item: SeedItem): boolean => has(titleOf(item), props.sought);
  const Fact = (fact: { of: string; more?: string }) => (
    <span classList={{ marked: has(thingOf(fact.of).title, props.sought) }}>
      <Named of={fact.of} more={fact.more} />
    </span>
  );
  return (
    <section class="card ante" aria-labelledby={`ante-${ante().ante}`}>
      <h2 id={`ante-${ante().ante}`}>Ante {ante().ante}</h2>
      <dl class="ante-facts">
        <div>
          <dt>Boss</dt>
          <dd>
            <span class="thing-face" aria-hidden="true">
              {blindDisc(thingOf(ante().boss).title)}
            </span>
            <span>
              <Fact of={ante().boss} />
              <small class="effect">{thingOf(ante().boss).effect}</small>
            </span>
          </dd>
        </div>
        <div>
          <dt>Voucher</dt>
          <dd>
            <VoucherFace of={ante().voucher} />
            <span>
              <Fact of={ante().voucher} />
              <small class="effect">{thingOf(ante().voucher).effect}</small>
            </span>
          </dd>
        </div>
        <div>
          <dt>Tags</dt>
          <dd>
            <span>
              <Fact of={ante().small_tag} more="Small Blind" />
              <br />
              <Fact of={ante().big_tag} more="Big Blind" />
            </span>
          </dd>
        </div>
      </dl>
      <Show when={queue()}>
        {(lists) => (
          <div class="lists">
            <div>
              <h3>Shop, in this order</h3>
              <ol class="queue">
                <For each={lists().shop_queue}>
                  {(item) => (
                    <li classList={{ marked: marked(item) }}>
                      <Thing item={item} />
                    </li>
                  )}
                </For>
              </ol>
            </div>
            <div>
              <h3>Packs, in this order</h3>
              <ol class="packs">
                <For each={lists().pack_queue}>
                  {(pack) => (
                    <li>
                      <PackFace of={pack.pack} />
                      <span>
                        <b>
                          <Fact of={pack.pack} />
                        </b>
                        <span class="inside">
                          <For each={pack.contents}>
                            {(item, k) => (
                              <span classList={{ marked: marked(item) }}>
                                {k() ? ", " : ""}
                                <Thing item={item} />
                              </span>
                            )}
                          </For>
                        </span>
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

/** What is rare in the first antes, on top. */
function Best(props: { answer: SeedAnswer }) {
  const found = () =>
    props.answer.queues.flatMap(({ ante, shop_queue, pack_queue }) => [
      ...shop_queue.flatMap((item, k) => (isRare(item) ? [{ item, where: `ante ${ante}, shop card ${k + 1}` }] : [])),
      ...pack_queue.flatMap(({ contents }, k) => contents.flatMap((item) => (isRare(item) ? [{ item, where: `ante ${ante}, pack ${k + 1}` }] : []))),
    ]);
  /** with what the first Soul makes behind it */
  const listed = () => {
    const first = found().findIndex(({ item }) => item.key === "c_soul");
    return (first < 0 ? found() : found().toSpliced(first + 1, 0, { item: { key: props.answer.soul }, where: "from the first Soul" })).slice(0, 18);
  };
  return (
    <Show when={found().length}>
      <section class="card best-things" aria-labelledby="best-title">
        <h2 id="best-title">Rare, legendary and Negative</h2>
        <ul>
          <For each={listed()}>
            {({ item, where }) => (
              <li>
                <Thing item={item} /> <small>{where}</small>
              </li>
            )}
          </For>
        </ul>
      </section>
    </Show>
  );
}

export function Antes(props: { answer: SeedAnswer; busy: boolean }) {
  const sought = () => param("mark").trim().toLowerCase();
  const counts = createMemo(() => props.answer.antes.map((_, at) => countOf(props.answer, at, sought())));
  const all = () => counts().reduce((sum, count) => sum + count, 0);
  const to = (ante: number) => document.getElementById(`ante-${ante}`)?.closest("section")?.scrollIntoView({ behavior: "smooth", block: "start" });
  return (
    <div class="antes" aria-busy={props.busy}>
      <div class="ante-bar">
        <div class="segments" role="group" aria-label="Go to an ante">
          <For each={props.answer.antes}>
            {({ ante }, at) => (
              <button type="button" classList={{ marked: counts()[at()]! > 0 }} onClick={() => to(ante)}>
                <span class="sr-only">Ante </span>
                {ante}
                <Show when={counts()[at()]}>{(count) => <span class="sr-only">, {count()} highlighted</span>}</Show>
              </button>
            )}
          </For>
        </div>
        <div class="highlight">
          <input
            type="search"
            maxlength="40"
            placeholder="Highlight, e.g. Blueprint"
            aria-label="Highlight names with these letters; Enter goes to the first"
            value={param("mark")}
            onInput={(event) => setQuery({ mark: event.currentTarget.value })}
            onKeyDown={(event) => event.key === "Enter" && all() && to(props.answer.antes[counts().findIndex(Boolean)]!.ante)}
          />
          <span class="quiet" role="status">
            {sought() && (all() ? `${all()} in ${counted(counts().filter(Boolean).length, "ante")}` : "not in this seed")}
          </span>
        </div>
      </div>
      <Best answer={props.answer} />
      <p class="quiet">Shops and rerolls take cards and packs in this order, unless something you own changes it: no joker comes twice.</p>
      <For each={props.answer.antes.map((_, at) => at)}>{(at) => <Ante answer={props.answer} at={at} sought={sought()} />}</For>
    </div>
  );
}
