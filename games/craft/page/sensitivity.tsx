// What a price means for the cost: uses times price, and a slider that solves again at another price.
import { createSignal, For, Show } from "solid-js";
import { number } from "ludus/lib/format";
import type { Sensitivity } from "./solver";
import type { Crafting } from "./state";
import { itemName, priced } from "./tables";

/** The slider goes from a tenth to ten times. */
const wide = 1;
const step = 0.05;

/** A price with three digits that matter. */
const rounded = (price: number): number => Number(price.toPrecision(3));

function Row(props: { crafting: Crafting; of: Sensitivity; again: () => void }) {
  const { price, priceOf } = props.crafting;
  const usual = () => priced.get(props.of.item) ?? 1;
  const at = () => Math.log10(priceOf(props.of.item) / usual());
  const [moving, setMoving] = createSignal<number | null>(null);
  const now = () => moving() ?? priceOf(props.of.item);
  const priceAt = (power: number): number => (Math.abs(power) < step / 2 ? usual() : rounded(usual() * 10 ** power));
  return (
    <tr>
      <th scope="row">{itemName(props.of.item)}</th>
      <td class="right">{number(props.of.d_cost)}</td>
      <td>
        <input
          type="range"
          min={-wide}
          max={wide}
          step={step}
          value={Math.max(-wide, Math.min(wide, at()))}
          aria-label={`Price of ${itemName(props.of.item)}, from a tenth to ten times`}
          aria-valuetext={`${number(now())} exalted`}
          onInput={(event) => setMoving(priceAt(event.currentTarget.valueAsNumber))}
          onChange={(event) => {
            price(props.of.item, priceAt(event.currentTarget.valueAsNumber));
            setMoving(null);
            props.again();
          }}
        />
      </td>
      <td class="right">{number(now())}</td>
      <td class="right">
        <Show when={props.of.switch_at !== undefined} fallback="–">
          {number(props.of.switch_at)}
        </Show>
      </td>
    </tr>
  );
}

export function SensitivityCard(props: { crafting: Crafting; list: Sensitivity[]; again: () => void }) {
  return (
    <section class="card" aria-labelledby="sensitivity-title">
      <h2 id="sensitivity-title">If prices change</h2>
      <p class="quiet">One exalted more for an item makes the optimum dearer by its uses. Move a slider, and it is solved again at that price.</p>
      <div class="scroller" tabindex="0" role="region" aria-label="Prices and what they mean">
        <table class="grid-table">
          <thead>
            <tr>
              <th scope="col">Item</th>
              <th scope="col" class="right">
                Cost per exalted
              </th>
              <th scope="col">Other price</th>
              <th scope="col" class="right">
                Exalted
              </th>
              <th scope="col" class="right">
                First step changes at
              </th>
            </tr>
          </thead>
          <tbody>
            <For each={props.list}>{(of) => <Row crafting={props.crafting} of={of} again={props.again} />}</For>
          </tbody>
        </table>
      </div>
    </section>
  );
}
