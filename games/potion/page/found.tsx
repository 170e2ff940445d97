// How answers of the solver are shown: one potion, a run in progress, a mix in words.
import { For, Show } from "solid-js";
import { number, signed } from "ludus/lib/format";
import { Badge } from "ludus/lib/ui";
import { ingredientOf } from "../view/tables";
import { Glyph, Grade } from "./glyph";
import { entriesOf, type Pieces } from "./rules";
import { costOf, type Found } from "./solver";

/** "2 Feyberry, 1 Mandrake Root" */
export const mixWords = (mix: Pieces): string =>
  entriesOf(mix)
    .map(([action, count]) => `${count} ${ingredientOf(action)!.name}`)
    .join(", ");

export function MixList(props: { mix: Pieces }) {
  return (
    <ul class="mix">
      <For each={entriesOf(props.mix)}>
        {([action, count]) => (
          <li>
            <Glyph piece={ingredientOf(action)!} />
            <b>{count}</b> {ingredientOf(action)!.name}
          </li>
        )}
      </For>
    </ul>
  );
}

/** What is still possible. */
function bound({ total, total_bound: totals, profit, profit_bound: profits }: Found): string {
  if (totals !== undefined && totals > total) return `, at most ${number(totals)} magimins`;
  return profits !== undefined && profits > profit ? `, at most ${number(profits)} gold` : "";
}

/** Optimal, or the best found with what is still possible. */
export function Proof(props: { found: Found }) {
  return (
    <Show when={props.found.proof !== "optimal"} fallback={<Badge tone="good">optimal</Badge>}>
      <Badge tone="warn">best found{bound(props.found)}</Badge>
    </Show>
  );
}

/** What has to be bought for a potion; nothing is no list. */
function Shopping(props: { found: Found }) {
  return (
    <Show when={props.found.buy?.length}>
      <div class="shopping">
        <h4>Buy for {number(props.found.buy_gold)} gold</h4>
        <ul>
          <For each={props.found.buy}>
            {(one) => (
              <li>
                {one.pieces} {one.name} <small>{number(one.gold)} gold</small>
              </li>
            )}
          </For>
        </ul>
      </div>
    </Show>
  );
}

/** A potion with its figures, and a button that puts it into the cauldron. */
export function FoundCard(props: { title: string; found: Found; stale: boolean; put: (mix: Record<string, number>) => void }) {
  return (
    <article class="found" classList={{ stale: props.stale }}>
      <header>
        <h3>{props.title}</h3>
        <Proof found={props.found} />
      </header>
      <p class="found-figures">
        <span>
          {props.found.brewed} × <Grade grade={props.found.grade} />
        </span>
        <span>
          <b>{number(props.found.total)}</b> magimins
          <Show when={props.found.stability && props.found.stability !== "perfect"}>, {props.found.stability}</Show>
        </span>
        <span>
          <b>{number(props.found.unit_price)}</b> each
        </span>
        <span>
          cost <b>{number(costOf(props.found))}</b>
        </span>
        <span>
          profit <b>{signed(props.found.profit)}</b>
        </span>
      </p>
      <MixList mix={props.found.mix} />
      <Shopping found={props.found} />
      <button type="button" class="button" disabled={props.stale} onClick={() => props.put(props.found.mix)} aria-label={`Put it in the cauldron: ${props.title}`}>
        Put it in the cauldron
      </button>
    </article>
  );
}
