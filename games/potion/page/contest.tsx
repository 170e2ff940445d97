// Contests: what a round asks for, whether what one owns wins it, the cheapest way to, and what to buy.
import { createMemo, For, Show } from "solid-js";
import { number } from "ludus/lib/format";
import { Badge } from "ludus/lib/ui";
import { cauldrons, gradeName, ingredientOf, ingredients, recipes } from "../view/tables";
import { FoundCard, Running } from "./found";
import { entriesOf, shopDay, winningGrade, type Pieces } from "./rules";
import { Choice } from "./shelf";
import { asking, settingsOf, type Answer, type Found, type Settings } from "./solver";
import type { Brewing, Wishes } from "./state";
import { contests, prices, rounds, type Round } from "./tables";

const pauseMs = 450;
const title = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Nothing but a grade. */
const only = (least: number): Wishes => ({ must: {}, forbid: {}, budget: 0, least, stability: 4, traits: false });

/** The cheapest potion of an answer: the first of its front by cost. */
const cheapest = (answer: Answer | null): Found | null => [...(answer?.front ?? [])].sort((a, b) => a.cost - b.cost)[0] ?? null;

/** What a mix takes beyond a stock. */
const missing = (mix: Pieces, stock: Pieces): [number, number][] =>
  entriesOf(mix).flatMap(([action, count]): [number, number][] => (count > (stock[action] ?? 0) ? [[action, count - (stock[action] ?? 0)]] : []));

/** Two stocks together. */
const joined = (a: Pieces, b: Pieces): Record<number, number> => Object.fromEntries(ingredients.map(({ action }) => [action, (a[action] ?? 0) + (b[action] ?? 0)]));

function ShoppingList(props: { list: [number, number][]; chapter: number }) {
  const gold = () => props.list.reduce((sum, [action, count]) => sum + count * ingredientOf(action)!.price, 0);
  return (
    <div class="shopping">
      <h4>
        Buy for {number(gold())} gold <small>in one day of the shop of chapter {props.chapter}</small>
      </h4>
      <ul>
        <For each={props.list}>
          {([action, count]) => (
            <li>
              {count} {ingredientOf(action)!.name} <small>{number(count * ingredientOf(action)!.price)} gold</small>
            </li>
          )}
        </For>
      </ul>
    </div>
  );
}

function Needs(props: { brewing: Brewing; round: Round; least: number | null }) {
  const { state, set } = props.brewing;
  const list = () => prices[props.round.recipe]!;
  const chosen = () => state.recipe === props.round.recipe;
  return (
    <div class="needs">
      <p>
        Day {props.round.day}: <b>{recipes[props.round.recipe]!.name}</b>, at least <b>{gradeName(props.round.grade)}</b>, worth <b>{number(props.round.target)}</b> gold each.
      </p>
      <Show
        when={props.least !== null}
        fallback={
          <p class="advice warn">
            No base price of this recipe reaches {number(props.round.target)}; the best is {number(list().at(-1)!)}. Good traits and the shop's bonus must do the rest: judge by tier to see what else is needed.
          </p>
        }
      >
        <p>
          Lowest grade that wins: <b>{gradeName(props.least!)}</b>, {number(list()[props.least!]!)} gold each.
        </p>
      </Show>
      <div class="row">
        <button type="button" class="button" disabled={chosen()} onClick={() => set("recipe", props.round.recipe)}>
          {chosen() ? "Its recipe is chosen" : "Choose its recipe"}
        </button>
        <button type="button" class="button" disabled={state.cauldron === props.round.cauldron} onClick={() => set("cauldron", props.round.cauldron)}>
          Use {cauldrons[props.round.cauldron]!.name}
        </button>
      </div>
    </div>
  );
}

export function ContestCard(props: { brewing: Brewing }) {
  const { state, set, put } = props.brewing;
  const round = createMemo(() => rounds[state.round] ?? null);
  const least = createMemo(() => (round() ? winningGrade(round()!, state.priced) : null));
  const question = (stock: Pieces): Settings | null => {
    const settings = round() && least() !== null ? settingsOf(round()!.recipe, state.cauldron, stock, only(least()!)) : null;
    return settings && { ...settings, front: true };
  };
  const mine = asking(() => question(state.stock), pauseMs);
  const lacks = () => round() !== null && least() !== null && (entriesOf(state.stock).length === 0 || (mine.fresh() && cheapest(mine.answer()) === null));
  const shop = createMemo(() => shopDay(round()?.chapter ?? 1));
  const bought = asking(() => (lacks() ? question(joined(state.stock, shop())) : null), 0);
  const use = (mix: Record<string, number>): void => {
    set("recipe", round()!.recipe);
    put(mix);
  };
  const options = rounds.map((one, k) => [`${k}`, `${title(one.contest)}, round ${one.round}: ${recipes[one.recipe]!.name}`] as const);
  return (
    <section class="card contest" aria-labelledby="contest-title">
      <h2 id="contest-title">Contests</h2>
      <div class="wish-fields">
        <Choice name={`Round of one of the ${contests.length} contests`} value={state.round < 0 ? "" : `${state.round}`} options={[["", "none"], ...options]} onChange={(value) => set("round", value === "" ? -1 : Number(value))} />
        <Show when={round()}>
          <Choice
            name="Judged by"
            value={state.priced ? "price" : "tier"}
            options={[
              ["price", "tier and base price"],
              ["tier", "tier alone"],
            ]}
            onChange={(value) => set("priced", value === "price")}
          />
        </Show>
      </div>
      <Show when={round()} fallback={<p class="quiet">Choose a round to see what wins it with the {cauldrons[state.cauldron]!.name} cauldron.</p>}>
        {(now) => (
          <>
            <Needs brewing={props.brewing} round={now()} least={least()} />
            <Show when={least() !== null}>
              <Running asked={mine} name="Contest" />
              <Show when={mine.fresh() && cheapest(mine.answer())}>
                {(found) => (
                  <>
                    <p role="status">
                      <Badge tone="good">What you own wins it</Badge>
                    </p>
                    <FoundCard title="Cheapest winning potion" found={found()} stale={false} put={use} />
                  </>
                )}
              </Show>
              <Show when={lacks()}>
                <p role="status">
                  <Badge tone="warn">What you own does not win it</Badge> <small>with a perfect potion in the {cauldrons[state.cauldron]!.name} cauldron</small>
                </p>
                <Running asked={bought} name="Shopping" />
                <Show when={bought.fresh()}>
                  <Show
                    when={cheapest(bought.answer())}
                    fallback={<p class="quiet">One day of the shop of chapter {now().chapter} does not suffice either; try a larger cauldron.</p>}
                  >
                    {(found) => (
                      <FoundCard title="Cheapest winning potion with the shop" found={found()} stale={false} put={use}>
                        <ShoppingList list={missing(found().mix, state.stock)} chapter={now().chapter} />
                      </FoundCard>
                    )}
                  </Show>
                </Show>
              </Show>
            </Show>
          </>
        )}
      </Show>
    </section>
  );
}
