// The same craft by hand: every use is played by the game's own rules in the page, and the solved policy
// tells what the item will still cost and what it would do next.
import { createMemo, createSignal, For, Show } from "solid-js";
import { counted, number } from "ludus/lib/format";
import { runTool } from "ludus/lib/tools";
import { finderOf, keptCost, type Applied, type Found, type Item, type Result } from "./solver";
import type { Crafting } from "./state";
import type { Known } from "./strategy";
import { itemName, partsOf } from "./tables";

const white: Item = { rarity: "normal", mods: [] };
const mostLines = 12;
const echoes = "reveal + omen_of_abyssal_echoes";

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

/** A choice while options are shown, and all that it costs to go. */
interface Choice {
  use: string;
  name: string;
  hits?: boolean;
  cost: number | null;
}

/** What a reveal shows, each option with what the item costs that keeps it. */
function OptionList(props: { choices: Choice[]; unit: string; busy: boolean; take: (use: string) => void }) {
  const least = () => Math.min(...props.choices.map(({ cost }) => cost ?? Infinity));
  return (
    <ul class="options" aria-label="Options of the reveal">
      <For each={props.choices}>
        {(one) => (
          <li>
            <button type="button" class="button small" classList={{ primary: one.cost !== null && one.cost <= least() }} disabled={props.busy} onClick={() => props.take(one.use)}>
              {one.use === echoes ? "Draw again" : "Keep"}
            </button>
            <span>
              <span classList={{ good: one.hits === true }}>{one.name}</span>
              <br />
              <small class="muted">{one.cost === null ? "not in the plan" : `${number(one.cost)} ${props.unit} to go`}</small>
            </span>
          </li>
        )}
      </For>
    </ul>
  );
}

/** What the item will still cost, and what is best now. */
function StillToCome(props: { found: Found | null; unit: string; best: string | undefined; next: string }) {
  return (
    <Show when={props.found} fallback="The plan does not cover this item.">
      {(now) => (
        <Show when={now().use !== -2} fallback={<b class="good">Done: this is the item.</b>}>
          Still to come <b>{number(now().cost)}</b> {props.unit} on average; best now: <b>{props.best ? `keep ${props.best}` : itemName(props.next)}</b>.
        </Show>
      )}
    </Show>
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
  const uses = () => props.result.policy!.uses;
  const price = (use: string): number => partsOf(use).reduce((sum, part) => sum + priceOf(part), 0) / props.rate;
  const choices = createMemo((): Choice[] => {
    const now = item();
    const reveal = find()(now)?.reveal;
    const again = uses().includes(echoes) && !now.echoed ? [{ use: echoes, name: itemName(echoes.split(" + ")[1]!), cost: reveal === undefined ? null : reveal + price(echoes) }] : [];
    return now.options?.length
      ? [
          ...now.options.map((mod, k) => ({ use: `keep${k + 1}`, name: props.known.get(mod)?.text ?? mod, hits: props.known.get(mod)?.hits === true, cost: keptCost(props.result.policy!, find(), now, mod) })),
          ...again,
        ]
      : [];
  });
  /** the best of the options, or a new base; else what the policy says */
  const found = (): Found | null => {
    const base = find()(white);
    const told = choices().filter(({ cost }) => cost !== null);
    if (!choices().length) return find()(item());
    const best = told.sort((a, b) => a.cost! - b.cost!)[0];
    const again = base ? base.cost + price("white_base") : Infinity;
    return best && best.cost! <= again ? { use: 0, cost: best.cost! } : base && { use: -1, cost: again };
  };
  const next = (): string => {
    const use = found()?.use;
    if (choices().length && use === 0) return choices().find(({ cost }) => cost === found()!.cost)!.use;
    return use === undefined || use === -2 ? "" : use === -1 ? "white_base" : (uses()[use] ?? "");
  };
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
      const input = { name: "item.json", text: JSON.stringify({ ...item(), base: props.result.base, ilvl: props.result.ilvl }) };
      // whether options are drawn again is decided when they are seen
      const action = use === echoes && !choices().length ? "reveal" : use;
      const said = choices().find((one) => one.use === use)?.name ?? itemName(action);
      const [answer] = await runTool<Applied>("craft", { tool: "apply", settings: { action: action.replaceAll(" ", ""), seed: anySeed(), data: state.rules }, inputs: [input] });
      if (answer?.used) keep(action, answer.item, `${use.startsWith("keep") ? "Kept " : ""}${said}: ${counted(answer.item.mods.length, "modifier")}`);
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
        <StillToCome found={found()} unit={unit()} best={choices().find((one) => one.use === next() && one.use !== echoes)?.name} next={next()} />
      </p>
      <Show when={choices().length}>
        <OptionList choices={choices()} unit={unit()} busy={busy()} take={(use) => void apply(use)} />
      </Show>
      <div class="bench-uses">
        <button type="button" class="button primary" disabled={!next() || busy()} onClick={() => void apply(next())}>
          Do the best
        </button>
        <For each={["white_base", ...(choices().length ? [] : uses().filter((use) => use !== echoes))]}>
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
        <ol class="bench-log" aria-label="Steps so far, newest first">
          <For each={log()}>{(line) => <li>{line}</li>}</For>
        </ol>
      </Show>
    </section>
  );
}
