// What a seed gives, ante by ante: boss, voucher, tags, the shop's cards and what packs hold, with a bar of
// antes that stays in sight and a word that marks what one looks for.
import { createSignal, For, Show } from "solid-js";
import { blindDisc } from "../view/face";
import { thingOf } from "../view/tables";
import type { SeedAnswer, SeedItem } from "./seed";
import { Named, PackFace, rarityOf, Thing, titleOf, VoucherFace } from "./things";

const isRare = (item: SeedItem): boolean => ["rare", "legendary", "negative"].includes(rarityOf(item));

function Ante(props: { answer: SeedAnswer; at: number; sought: string }) {
  const ante = () => props.answer.antes[props.at]!;
  const queue = () => props.answer.queues.find((one) => one.ante === ante().ante);
  const marked = (item: SeedItem): boolean => props.sought !== "" && titleOf(item).toLowerCase().includes(props.sought);
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
              <Named of={ante().boss} />
              <small class="effect">{thingOf(ante().boss).effect}</small>
            </span>
          </dd>
        </div>
        <div>
          <dt>Voucher</dt>
          <dd>
            <VoucherFace of={ante().voucher} />
            <span>
              <Named of={ante().voucher} />
              <small class="effect">{thingOf(ante().voucher).effect}</small>
            </span>
          </dd>
        </div>
        <div>
          <dt>Tags</dt>
          <dd>
            <span>
              <Named of={ante().small_tag} more="Small Blind" />
              <br />
              <Named of={ante().big_tag} more="Big Blind" />
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
                          <Named of={pack.pack} />
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
  return (
    <Show when={found().length}>
      <section class="card best-things" aria-labelledby="best-title">
        <h2 id="best-title">Rare, legendary and Negative</h2>
        <ul>
          <For each={found().slice(0, 18)}>
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
  const [sought, setSought] = createSignal("");
  const to = (ante: number) => document.getElementById(`ante-${ante}`)?.closest("section")?.scrollIntoView({ behavior: "smooth", block: "start" });
  return (
    <div class="antes" aria-busy={props.busy}>
      <div class="ante-bar">
        <div class="segments" role="group" aria-label="Go to an ante">
          <For each={props.answer.antes}>
            {({ ante }) => (
              <button type="button" onClick={() => to(ante)}>
                <span class="sr-only">Ante </span>
                {ante}
              </button>
            )}
          </For>
        </div>
        <input type="search" placeholder="Highlight, e.g. Blueprint" aria-label="Highlight names with these letters" onInput={(event) => setSought(event.currentTarget.value.trim().toLowerCase())} />
      </div>
      <Best answer={props.answer} />
      <p class="quiet">Shops and rerolls take cards and packs in this order, unless something you own changes it: no joker comes twice.</p>
      <For each={props.answer.antes.map((_, at) => at)}>{(at) => <Ante answer={props.answer} at={at} sought={sought()} />}</For>
    </div>
  );
}
