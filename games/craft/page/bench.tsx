// The same craft by hand: every use is played by the game's own rules in the page, and the solved policy
// tells what the item will still cost and what it would do next.
import { createMemo, createSignal, For, Show } from "solid-js";
import { number } from "ludus/lib/format";
import { runTool } from "ludus/lib/tools";
import { finderOf, type Applied, type Item, type Result } from "./solver";
import type { Crafting } from "./state";
import type { Known } from "./strategy";
import { itemName, partsOf } from "./tables";

const white: Item = { rarity: "normal", mods: [] };
const mostLines = 12;

const anySeed = (): number => crypto.getRandomValues(new Uint32Array(1))[0]!;

export function ItemCard(props: { item: Item; base: string; known: Known }) {
  return (
    <div class={`bench-item ${props.item.rarity}`}>
      <b>
        {props.base} <small>{props.item.rarity}</small>
      </b>
      <ul class="mods-now">
        <For each={props.item.mods} fallback={<li>no modifiers</li>}>
          {(mod) => (
            <li classList={{ hits: props.known.get(mod.mod ?? "")?.hits === true }}>
              {mod.side === "P" ? "Prefix" : "Suffix"}: {mod.text}
              <Show when={mod.tier}> (T{mod.tier})</Show>
              <Show when={mod.fractured}> · fractured</Show>
            </li>
          )}
        </For>
      </ul>
    </div>
  );
}

export function BenchCard(props: { crafting: Crafting; result: Result; known: Known; rate: number }) {
  const { state, priceOf } = props.crafting;
  const [item, setItem] = createSignal<Item>(white);
  const [spent, setSpent] = createSignal(0);
  const [log, setLog] = createSignal<string[]>([]);
  const [problem, setProblem] = createSignal("");
  const [busy, setBusy] = createSignal(false);
  const find = createMemo(() => finderOf(props.result.policy!));
  const unit = () => props.result.prices.unit;
  const found = () => find()(item());
  const uses = () => props.result.policy!.uses;
  const next = (): string => {
    const use = found()?.use;
    return use === undefined || use === -2 ? "" : use === -1 ? "white_base" : (uses()[use] ?? "");
  };
  const price = (use: string): number => partsOf(use).reduce((sum, part) => sum + priceOf(part), 0) / props.rate;
  const keep = (use: string, now: Item, said: string): void => {
    setItem(now);
    setSpent((sum) => sum + price(use));
    setLog((lines) => [said, ...lines].slice(0, mostLines));
  };

  async function apply(use: string): Promise<void> {
    setProblem("");
    if (use === "white_base") return keep(use, white, itemName(use));
    setBusy(true);
    try {
      const input = { name: "item.json", text: JSON.stringify({ base: props.result.base, ilvl: props.result.ilvl, rarity: item().rarity, mods: item().mods }) };
      const [answer] = await runTool<Applied>("craft", { tool: "apply", settings: { action: use, seed: anySeed(), data: state.rules }, inputs: [input] });
      if (answer?.used) keep(use, answer.item, `${itemName(use)}: ${answer.item.mods.length} modifiers`);
      else setProblem(`${itemName(use)} cannot be used: ${answer?.why ?? "not now"}.`);
    } catch (cause) {
      setProblem(cause instanceof Error ? cause.message : String(cause));
    } finally {
      setBusy(false);
    }
  }

  return (
    <section class="card" aria-labelledby="bench-title">
      <h2 id="bench-title">By hand</h2>
      <ItemCard item={item()} base={props.result.base} known={props.known} />
      <p role="status">
        Spent <b>{number(spent())}</b> {unit()}.{" "}
        <Show when={found()} fallback="The plan does not tell about this item.">
          {(now) => (
            <Show
              when={now().use !== -2}
              fallback={
                <b class="good">Done: this is the item.</b>
              }
            >
              Still to come <b>{number(now().cost)}</b> {unit()} on average; best now: <b>{itemName(next())}</b>.
            </Show>
          )}
        </Show>
      </p>
      <div class="bench-uses">
        <button type="button" class="button primary" disabled={!next() || busy()} onClick={() => void apply(next())}>
          Do the best
        </button>
        <For each={["white_base", ...uses()]}>
          {(use) => (
            <button type="button" class="button small" disabled={busy()} onClick={() => void apply(use)}>
              {itemName(use)} <small>{number(price(use))}</small>
            </button>
          )}
        </For>
      </div>
      <p class="problem" role="alert">
        {problem()}
      </p>
      <Show when={log().length}>
        <ol class="bench-log" aria-label="What was done, the last first">
          <For each={log()}>{(line) => <li>{line}</li>}</For>
        </ol>
      </Show>
    </section>
  );
}
