// What a price means for the cost: uses times price, and a slider that solves again at another price.
import { createEffect, createSignal, For, on, Show } from "solid-js";
import { asking, Running } from "ludus/lib/asking";
import { number, percent } from "ludus/lib/format";
import type { ToolCall } from "ludus/lib/tools";
import { closerCall, isWhole, type Result, type Rival, type Sensitivity } from "./solver";
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
    </tr>
  );
}

/** Where the strategy changes, what other rules would mean, and what simpler strategies cost. */
function Sure(props: { result: Result }) {
  const best = () => props.result.strategies[0];
  const unit = () => props.result.prices.unit;
  const rivals = (): Rival[] => [...(props.result.baselines ?? []), ...(props.result.agent ? [props.result.agent] : [])].filter((one) => one.episodes);
  return (
    <>
      <ul class="why">
        <For each={(best()?.sensitivity ?? []).filter((of) => of.switch_at !== undefined)}>
          {(of) => (
            <li>
              {itemName(of.item)} at {number(of.switch_at)} {unit()}: {of.note}
              {of.switch_to ? ` to ${itemName(of.switch_to)}` : ""}
            </li>
          )}
        </For>
      </ul>
      <Show when={best()?.spread}>
        {(spread) => (
          <table class="grid-table">
            <caption>
              If one uncertain rule is different: {number(spread().min)} to {number(spread().max)} {unit()}
            </caption>
            <tbody>
              <For each={spread().cases}>
                {(one) => (
                  <tr>
                    <th scope="row">
                      {one.switch.replaceAll("_", " ")}: {one.value.replaceAll("_", " ")}
                    </th>
                    <td class="right">{one.expected_cost === undefined ? one.note : number(one.expected_cost)}</td>
                  </tr>
                )}
              </For>
            </tbody>
          </table>
        )}
      </Show>
      <Show when={rivals().length}>
        <table class="grid-table">
          <caption>Simpler strategies, simulated</caption>
          <tbody>
            <For each={rivals()}>
              {(one) => (
                <tr>
                  <th scope="row">{(one.model ?? one.name).replaceAll("_", " ")}</th>
                  <td class="right">{one.expected_cost === null ? "none finished" : `${number(one.expected_cost)} ${unit()}`}</td>
                  <td class="right">
                    {percent(one.success_probability)} of {one.episodes}
                  </td>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </Show>
    </>
  );
}

/** All that takes longer is asked for apart. */
function Closer(props: { call: ToolCall | null }) {
  const [call, setCall] = createSignal<ToolCall | null>(null);
  const asked = asking<Result>("craft", call, { pauseMs: 0, enough: isWhole });
  createEffect(on(() => props.call, () => setCall(null)));
  return (
    <>
      <p class="solve">
        <button type="button" class="button" disabled={!props.call || asked.busy()} onClick={() => setCall(props.call && closerCall(props.call))}>
          How sure is it?
        </button>
        <span class="muted">Solves again at other prices and under other rules, and simulates simpler strategies; this takes longer.</span>
      </p>
      <Show when={call()}>
        <Running asked={asked} name="Comparison" />
        <Show when={asked.fresh() && asked.answer()}>{(result) => <Sure result={result()} />}</Show>
      </Show>
    </>
  );
}

export function SensitivityCard(props: { crafting: Crafting; list: Sensitivity[]; call: ToolCall | null; again: () => void }) {
  return (
    <section class="card" aria-labelledby="sensitivity-title">
      <h2 id="sensitivity-title">If prices change</h2>
      <p class="quiet">Each extra exalted on the price of an item adds its average number of uses to the expected cost. Move a slider to solve again at that price.</p>
      <div class="scroller" tabindex="0" role="region" aria-label="Prices and what they mean">
        <table class="grid-table sliders">
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
            </tr>
          </thead>
          <tbody>
            <For each={props.list}>{(of) => <Row crafting={props.crafting} of={of} again={props.again} />}</For>
          </tbody>
        </table>
      </div>
      <Closer call={props.call} />
    </section>
  );
}
