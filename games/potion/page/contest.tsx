// Contests: what a round asks for, whether what one owns wins it, the cheapest way to, and what to buy.
import { createMemo, Show } from "solid-js";
import { Running } from "ludus/lib/asking";
import { number } from "ludus/lib/format";
import { Badge, Choice } from "ludus/lib/ui";
import { cauldrons, gradeName, recipes } from "../view/tables";
import { FoundCard } from "./found";
import { entriesOf, winningGrade } from "./rules";
import { asking, frontOf, settingsOf, type Answer, type Found, type Settings } from "./solver";
import type { Brewing, Wishes } from "./state";
import { prices, rounds, stabilities, type Round } from "./tables";

const pauseMs = 450;
const title = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Nothing but a grade, a stability, and the chapter of a shop. */
const only = (least: number, stability: number, shop: number): Wishes => ({ must: {}, forbid: {}, budget: 0, least, stability, shop, free: false, traits: false });

/** The cheapest potion of an answer: the first of its front by cost. */
const cheapest = (answer: Answer | null): Found | null => frontOf(answer)[0] ?? null;

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
  const question = (shop: number): Settings | null =>
    round() && least() !== null ? settingsOf(round()!.recipe, state.cauldron, state.stock, only(least()!, state.wishes.stability, shop)) : null;
  const mine = asking(() => {
    const settings = question(0);
    return settings && { ...settings, front: true };
  }, pauseMs);
  const lacks = () => round() !== null && least() !== null && (entriesOf(state.stock).length === 0 || (mine.fresh() && cheapest(mine.answer()) === null));
  const bought = asking(() => (lacks() ? question(round()!.chapter) : null), 0);
  const toBuy = () => (bought.answer()?.least_purchase?.mix ? bought.answer()!.least_purchase! : null);
  const classWords = () => stabilities.find((one) => one.code === state.wishes.stability)?.name ?? "exact";
  const use = (mix: Record<string, number>): void => {
    set("recipe", round()!.recipe);
    put(mix);
  };
  const options = rounds.map((one, k) => [`${k}`, `${title(one.contest)}, round ${one.round}: ${recipes[one.recipe]!.name}`] as const);
  return (
    <section class="card contest" aria-labelledby="contest-title">
      <h2 id="contest-title">Contests</h2>
      <div class="wish-fields">
        <Choice name="Contest and round" value={state.round < 0 ? "" : `${state.round}`} options={[["", "none"], ...options]} onChange={(value) => set("round", value === "" ? -1 : Number(value))} />
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
                  <Badge tone="warn">What you own does not win it</Badge> <small>
                    stability: {classWords()}, cauldron: {cauldrons[state.cauldron]!.name}
                  </small>
                </p>
                <Running asked={bought} name="Shopping" />
                <Show when={bought.fresh()}>
                  <Show
                    when={toBuy()}
                    fallback={
                      <>
                        <p class="quiet">One day of the shop of chapter {now().chapter} does not suffice either; a larger cauldron or a lower stability may.</p>
                        <Show when={mine.answer()?.least_purchase?.mix}>
                          <FoundCard title="Least purchase anywhere" found={mine.answer()!.least_purchase!} stale={false} put={use} />
                        </Show>
                      </>
                    }
                  >
                    {(found) => <FoundCard title={`Least purchase in a day of shop ${now().chapter}`} found={found()} stale={false} put={use} />}
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
