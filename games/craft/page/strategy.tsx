// The strategies of an answer, side by side: what each costs, how sure that is, and how to follow it.
import { createMemo, For, Show } from "solid-js";
import { number, percent } from "ludus/lib/format";
import { Badge } from "ludus/lib/ui";
import { CostChart, spanOf } from "./chart";
import { odds } from "./mods";
import type { Entry, Path, Result, Strategy } from "./solver";
import { itemName } from "./tables";

const titles: Record<string, string> = { optimum: "The optimum", short: "By hand, in few rules", few_bases: "With few bases" };
const quantileWords: Record<string, string> = { p10: "1 of 10", p25: "1 of 4", p50: "half", p75: "3 of 4", p90: "9 of 10", p99: "99 of 100" };

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Modifiers by id, for paths. */
export type Known = Map<string, Entry>;

/** Lower and upper bound of the optimum; a strategy that is only computed has one number. */
function boundWords([low, high]: [number, number]): string {
  if (high === low) return "computed exactly";
  if (high - low < 1e-6 * high) return "proven to a millionth";
  return `${number(low)} to ${number(high)}`;
}

function Proof(props: { result: Result; first: boolean; strategy: Strategy }) {
  return (
    <Show when={props.first} fallback={<Badge>{props.strategy.gap === undefined ? props.strategy.kind : `+${(100 * props.strategy.gap).toFixed(1)}% over the best`}</Badge>}>
      <Badge tone={props.result.status === "optimal" ? "good" : "warn"}>{props.result.status}</Badge>
    </Show>
  );
}

function Figures(props: { strategy: Strategy; unit: string }) {
  const of = () => props.strategy;
  const list = () =>
    [
      ["Expected cost", `${number(of().expected_cost)} ${props.unit}`],
      ["Bounds", boundWords(of().cost_bounds)],
      ["Success", percent(of().success_probability)],
      ["Of one base", of().success_per_base === undefined ? "" : odds(of().success_per_base!)],
      ["Bases", of().expected_bases === undefined ? "" : number(of().expected_bases)],
      ["Within budget", of().within_budget === undefined ? "" : percent(of().within_budget!)],
    ].filter(([, value]) => value);
  return (
    <dl class="figures">
      <For each={list()}>
        {([name, value]) => (
          <div class="figure">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        )}
      </For>
    </dl>
  );
}

function Quantiles(props: { strategy: Strategy }) {
  return (
    <table class="grid-table quantiles">
      <caption>Done within</caption>
      <tbody>
        <tr>
          <For each={Object.keys(props.strategy.cost_quantiles)}>{(key) => <th scope="col">{quantileWords[key] ?? key}</th>}</For>
        </tr>
        <tr>
          <For each={Object.values(props.strategy.cost_quantiles)}>{(cost) => <td>{number(cost)}</td>}</For>
        </tr>
      </tbody>
    </table>
  );
}

function Uses(props: { strategy: Strategy; priceOf: (item: string) => number; rate: number }) {
  const rows = () =>
    Object.entries(props.strategy.uses)
      .filter(([, uses]) => uses > 0)
      .map(([item, uses]) => ({ item, uses, cost: (uses * props.priceOf(item)) / props.rate }))
      .sort((a, b) => b.cost - a.cost);
  return (
    <table class="grid-table">
      <caption>What it uses on average</caption>
      <thead>
        <tr>
          <th scope="col">Item</th>
          <th scope="col" class="right">
            Uses
          </th>
          <th scope="col" class="right">
            Cost
          </th>
        </tr>
      </thead>
      <tbody>
        <For each={rows()}>
          {(row) => (
            <tr>
              <td>{itemName(row.item)}</td>
              <td class="right">{number(row.uses)}</td>
              <td class="right">
                {number(row.cost)} <small>{percent(row.cost / props.strategy.expected_cost)}</small>
              </td>
            </tr>
          )}
        </For>
      </tbody>
    </table>
  );
}

/** One try that succeeds, with the item after each step; what is new is marked. */
function PathList(props: { path: Path; known: Known; unit: string }) {
  const before = (at: number): string[] => props.path.steps[at - 1]?.[1] ?? [];
  const textOf = (mod: string): string => props.known.get(mod)?.text ?? mod;
  return (
    <details class="path">
      <summary>
        {upper(props.path.rank)} base: {props.path.steps.length} uses, {number(props.path.cost_of_last_base)} {props.unit}
      </summary>
      <ol>
        <For each={props.path.steps}>
          {([use, mods], at) => (
            <li>
              <b>{itemName(use)}</b>
              <ul class="mods-now">
                <For each={mods}>
                  {(mod) => (
                    <li classList={{ hits: props.known.get(mod)?.hits === true, fresh: !before(at()).includes(mod) }}>
                      {textOf(mod)}
                      <Show when={!before(at()).includes(mod)}> (new)</Show>
                    </li>
                  )}
                </For>
              </ul>
              <Show when={before(at()).filter((mod) => !mods.includes(mod)).length}>
                <small>gone: {before(at()).filter((mod) => !mods.includes(mod)).map(textOf).join(", ")}</small>
              </Show>
            </li>
          )}
        </For>
      </ol>
    </details>
  );
}

function Rules(props: { rules: { if: string; do: string }[] }) {
  return (
    <>
      <h4>Rules: take the first that fits</h4>
      <ol class="rules">
        <For each={props.rules}>
          {(rule) => (
            <li>
              <span>{upper(rule.if)}</span> <b>{itemName(rule.do)}</b>
            </li>
          )}
        </For>
      </ol>
    </>
  );
}

export interface Shown {
  result: Result;
  known: Known;
  stale: boolean;
  budget: number;
  priceOf: (item: string) => number;
  /** exalted of one unit of the answer */
  rate: number;
}

function StrategyCard(props: Shown & { strategy: Strategy; at: number; span: [number, number] }) {
  const unit = () => props.result.prices.unit;
  return (
    <article class="strategy" classList={{ stale: props.stale }} aria-labelledby={`strategy-${props.at}`}>
      <header>
        <h3 id={`strategy-${props.at}`}>{titles[props.strategy.name] ?? upper(props.strategy.name)}</h3>
        <Proof result={props.result} first={props.at === 0} strategy={props.strategy} />
      </header>
      <Figures strategy={props.strategy} unit={unit()} />
      <Show when={props.strategy.cost_distribution}>
        <CostChart strategy={props.strategy} span={props.span} unit={unit()} budget={props.budget} />
      </Show>
      <Quantiles strategy={props.strategy} />
      <p>
        First: <b>{itemName(props.strategy.first_action)}</b>
      </p>
      <Show when={props.strategy.rules}>{(rules) => <Rules rules={rules()} />}</Show>
      <Uses strategy={props.strategy} priceOf={props.priceOf} rate={props.rate} />
      <Show when={props.strategy.why?.length}>
        <h4>Why</h4>
        <ul class="why">
          <For each={props.strategy.why}>{(line) => <li>{upper(line.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, itemName))}</li>}</For>
        </ul>
      </Show>
      <Show when={props.strategy.paths?.length}>
        <h4>Bases that became the item</h4>
        <For each={props.strategy.paths}>{(path) => <PathList path={path} known={props.known} unit={unit()} />}</For>
      </Show>
    </article>
  );
}

/** What the answer rests on, and what it leaves out. */
function Small(props: { result: Result }) {
  const names = (items: string[] | undefined): string => (items ?? []).map(itemName).join(", ");
  return (
    <div class="small-print">
      <Show when={props.result.dropped?.length}>
        <p class="advice warn">There was not enough memory for everything. Left out: {names(props.result.dropped)}. The answer is the best without them.</p>
      </Show>
      <Show when={props.result.baselines?.length}>
        <table class="grid-table">
          <caption>Compared with</caption>
          <tbody>
            <For each={props.result.baselines}>
              {(one) => (
                <tr>
                  <th scope="row">{one.name === "add_only" ? "never removing a modifier" : upper(one.name.replaceAll("_", " "))}</th>
                  <td class="right">{one.expected_cost === null ? "none finished" : `${number(one.expected_cost)} ${props.result.prices.unit}`}</td>
                  <td class="right">{percent(one.success_probability)}</td>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </Show>
      <details>
        <summary>Assumptions</summary>
        <ul>
          <For each={props.result.assumptions}>{(line) => <li>{line}</li>}</For>
          <li>Prices of {props.result.prices.date}</li>
          <Show when={props.result.states}>{(states) => <li>{number(states())} distinct states of the item</li>}</Show>
          <Show when={props.result.without_price?.length}>
            <li>No price, so not used: {names(props.result.without_price)}</li>
          </Show>
          <Show when={props.result.left_out?.length}>
            <li>Not taken into account: {names(props.result.left_out)}</li>
          </Show>
        </ul>
      </details>
    </div>
  );
}

export function Strategies(props: Shown) {
  const span = createMemo(() => spanOf(props.result.strategies));
  return (
    <Show when={props.result.feasible} fallback={<p class="advice warn">No sequence of the allowed currency makes this item. Allow more, or ask for less.</p>}>
      <p class="quiet">
        {props.result.base}, item level {props.result.ilvl}: {props.result.understood}
      </p>
      <div class="strategies">
        <For each={props.result.strategies}>{(strategy, at) => <StrategyCard {...props} strategy={strategy} at={at()} span={span()} />}</For>
      </div>
      <Small result={props.result} />
    </Show>
  );
}
