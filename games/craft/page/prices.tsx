// Prices, each of which can be changed, and what may be used at all.
import { createSignal, For, Show } from "solid-js";
import { number } from "ludus/lib/format";
import { Choice } from "ludus/lib/ui";
import { wide } from "./mods";
import { breadths, units, type Crafting } from "./state";
import { wholeNumber } from "./target";
import { itemName, market, priced, priceDate, type Priced } from "./tables";

const breadthWords = { plain: "the usual", all: "everything" };
/** Prices of the market have as many digits as matter. */
const shown = (price: number): number => Number(price.toPrecision(4));

function PriceRow(props: { crafting: Crafting; of: Priced }) {
  const { state, price, use, priceOf } = props.crafting;
  const name = () => itemName(props.of.item);
  const changed = () => state.prices[props.of.item] !== undefined;
  return (
    <li class="price" classList={{ out: state.out[props.of.item] === true, changed: changed() }}>
      <Show when={props.of.item !== "white_base"} fallback={<span class="price-name">{name()}</span>}>
        <label class="check price-name">
          <input type="checkbox" checked={!state.out[props.of.item]} onChange={(event) => use([props.of.item], event.currentTarget.checked)} />
          {name()}
        </label>
      </Show>
      <input
        type="number"
        min="0"
        step="any"
        value={shown(priceOf(props.of.item))}
        aria-label={`Price of ${name()} in exalted`}
        onChange={(event) => {
          price(props.of.item, event.currentTarget.valueAsNumber || 0);
          event.currentTarget.value = String(shown(priceOf(props.of.item)));
        }}
      />
      <Show when={changed()}>
        <button type="button" class="link" aria-label={`Back to ${number(props.of.exalted)}: ${name()}`} onClick={() => price(props.of.item, 0)}>
          was {number(props.of.exalted)}
        </button>
      </Show>
    </li>
  );
}

export function PricesCard(props: { crafting: Crafting }) {
  const { state, set, use } = props.crafting;
  const [find, setFind] = createSignal("");
  const found = (items: Priced[]) => items.filter(({ item }) => itemName(item).toLowerCase().includes(find().trim().toLowerCase()));
  const changes = () => Object.keys(state.prices).length;
  return (
    <details class="card fold" open={wide}>
      <summary>Prices and currency</summary>
      <div class="fields">
        <Choice name="Allowed" value={state.breadth} options={breadths.map((one) => [one, breadthWords[one]] as const)} onChange={(value) => set("breadth", value === "all" ? "all" : "plain")} />
        <Choice name="Unit" value={state.unit} options={units.map((one) => [one, one] as const)} onChange={(value) => set("unit", units.find((one) => one === value) ?? "exalted")} />
        <label class="field">
          <span>Budget (0: none)</span>
          <input type="number" min="0" value={state.budget} onChange={(event) => set("budget", wholeNumber(event.currentTarget, 0, 1e9, 0))} />
        </label>
        <label class="field">
          <span>Max. bases (0: any)</span>
          <input type="number" min="0" value={state.bases} onChange={(event) => set("bases", wholeNumber(event.currentTarget, 0, 1e6, 0))} />
        </label>
      </div>
      <p class="quiet">
        {priced.size} prices in exalted, of {priceDate}
        {changes() ? `, ${changes()} changed` : ""}. Items that are not ticked are not used.
        {state.breadth === "plain" ? " The usual: basic and Greater orbs, essences that upgrade, omens that choose a side." : " Everything: also what is rarely worth its price; solving takes longer."}
      </p>
      <label class="field find">
        <span>Find</span>
        <input type="search" value={find()} maxlength="40" onInput={(event) => setFind(event.currentTarget.value)} />
      </label>
      <For each={market}>
        {({ group, items }, k) => (
          <details class="price-group" open={k() === 0 || find().trim() !== ""}>
            <summary>
              {group} ({items.filter(({ item }) => !state.out[item]).length} of {items.length})
            </summary>
            <p class="price-all">
              <button type="button" class="button small" aria-label={`All of ${group}`} onClick={() => use(items.map(({ item }) => item), true)}>
                All
              </button>
              <button type="button" class="button small" aria-label={`None of ${group}`} onClick={() => use(items.map(({ item }) => item).filter((item) => item !== "white_base"), false)}>
                None
              </button>
            </p>
            <ul class="prices">
              <For each={found(items)}>{(of) => <PriceRow crafting={props.crafting} of={of} />}</For>
            </ul>
          </details>
        )}
      </For>
    </details>
  );
}
