// The best potions from what one owns, by the exact solver: asked anew as the stock changes.
import { createSignal, For, Show } from "solid-js";
import { Running, type Asked } from "ludus/lib/asking";
import { Choice } from "ludus/lib/ui";
import { starsPerTier, ingredientOf, ingredients, tiers } from "../view/tables";
import { FoundCard } from "./found";
import { entriesOf, shopDay } from "./rules";
import { mostForbidden, mostInside } from "./share";
import type { Answer } from "./solver";
import { exact, type Brewing } from "./state";
import { chapters, stabilities } from "./tables";

const byName = new Map(ingredients.map((piece) => [piece.name.toLowerCase(), piece.action]));

/** Ingredients that have to be in, and those that stay out. */
function Named(props: { brewing: Brewing }) {
  const { state, set } = props.brewing;
  const [problem, setProblem] = createSignal("");
  let field!: HTMLInputElement;
  const wish = (kind: "must" | "forbid"): void => {
    const action = byName.get(field.value.trim().toLowerCase());
    if (!action) return void setProblem(`“${field.value}” isn’t an ingredient; choose one of the list.`);
    setProblem("");
    if (kind === "must") {
      const all = entriesOf(state.wishes.must).reduce((sum, [, count]) => sum + count, 0);
      if (all >= mostInside) return void setProblem(`No cauldron takes more than ${mostInside} items.`);
      set("wishes", "must", action, (count) => (count ?? 0) + 1);
    } else {
      if (entriesOf(state.wishes.forbid).length >= mostForbidden) return void setProblem(`At most ${mostForbidden} ingredients stay out.`);
      set("wishes", "forbid", action, 1);
    }
    field.value = "";
  };
  const Chip = (chip: { kind: "must" | "forbid"; action: number; count: number }) => (
    <li class={`wish ${chip.kind}`}>
      {chip.kind === "must" ? `with ${chip.count} ` : "without "}
      {ingredientOf(chip.action)!.name}
      <button
        type="button"
        class="icon-button small"
        aria-label={`${chip.kind === "must" ? "No longer needed" : "Allowed again"}: ${ingredientOf(chip.action)!.name}`}
        onClick={() => set("wishes", chip.kind, chip.action, 0)}
      >
        ×
      </button>
    </li>
  );
  return (
    <div class="named">
      <label class="field">
        <span>Ingredient</span>
        <input ref={field} type="text" list="brew-names" maxlength={60} autocomplete="off" onKeyDown={(event) => event.key === "Enter" && wish("must")} />
      </label>
      <datalist id="brew-names">
        <For each={ingredients}>{(piece) => <option value={piece.name} />}</For>
      </datalist>
      <button type="button" class="button" onClick={() => wish("must")}>
        Must be in
      </button>
      <button type="button" class="button" onClick={() => wish("forbid")}>
        Stays out
      </button>
      <p class="problem" role="alert">
        {problem()}
      </p>
      <ul class="wish-list" aria-label="Requirements">
        <For each={entriesOf(state.wishes.must)}>{([action, count]) => <Chip kind="must" action={action} count={count} />}</For>
        <For each={entriesOf(state.wishes.forbid)}>{([action]) => <Chip kind="forbid" action={action} count={1} />}</For>
      </ul>
    </div>
  );
}

function WishBox(props: { brewing: Brewing }) {
  const { state, set } = props.brewing;
  const wishes = () => state.wishes;
  const count = (): number =>
    entriesOf(wishes().must).length + entriesOf(wishes().forbid).length + (wishes().budget ? 1 : 0) + (wishes().least ? 1 : 0) + (wishes().stability < exact ? 1 : 0) + (wishes().shop ? 1 : 0) + (wishes().free ? 1 : 0) + (wishes().traits ? 1 : 0);
  const tier = () => Math.floor(wishes().least / starsPerTier);
  const star = () => wishes().least % starsPerTier;
  return (
    <details class="wishes">
      <summary>Requirements{count() ? ` (${count()})` : ""}</summary>
      <div class="wish-fields">
        <Choice name="At least" value={`${tier()}`} options={tiers.map((name, k) => [`${k}`, k === 0 ? "any tier" : name] as const)} onChange={(value) => set("wishes", "least", Number(value) * starsPerTier + star())} />
        <Choice
          name="Stars"
          value={`${star()}`}
          options={Array.from({ length: starsPerTier }, (_, k) => [`${k}`, k === 0 ? "any" : `${k} or more`] as const)}
          onChange={(value) => set("wishes", "least", tier() * starsPerTier + Number(value))}
        />
        <label class="field">
          <span>Most gold</span>
          <input
            type="number"
            min="0"
            max="1000000"
            inputmode="numeric"
            placeholder="any"
            value={wishes().budget || ""}
            onChange={(event) => set("wishes", "budget", Math.max(0, Math.min(1e6, Math.trunc(event.currentTarget.valueAsNumber) || 0)))}
          />
        </label>
        <Choice
          name="Stability"
          value={`${wishes().stability}`}
          options={[[`${exact}`, "exactly the ratio"], ...stabilities.map((one) => [`${one.code}`, one.code === 4 ? one.name : `${one.name} or better`] as const)]}
          onChange={(value) => set("wishes", "stability", Number(value))}
        />
        <Choice
          name="May buy"
          value={`${wishes().shop}`}
          options={[["0", "nothing"], ...chapters.map((chapter) => [`${chapter}`, `a day of shop ${chapter}`] as const)]}
          onChange={(value) => set("wishes", "shop", Number(value))}
        />
        <label class="check">
          <input type="checkbox" checked={wishes().free} onChange={(event) => set("wishes", "free", event.currentTarget.checked)} />
          What I own costs nothing
        </label>
        <label class="check">
          <input type="checkbox" checked={wishes().traits} onChange={(event) => set("wishes", "traits", event.currentTarget.checked)} />
          Count traits
        </label>
      </div>
      <Named brewing={props.brewing} />
    </details>
  );
}

export function BestCard(props: { brewing: Brewing; asked: Asked<Answer> }) {
  const { state, put } = props.brewing;
  const { answer, fresh, busy } = props.asked;
  const nothing = () => entriesOf(state.stock).length === 0 && state.wishes.shop === 0;
  const unsure = () => [answer()?.best_total, answer()?.best_profit].some((found) => found?.proof === "none found");
  const list = () => {
    const now = answer();
    if (!now) return [];
    const named = [
      ["Largest total", now.best_total],
      ["Best profit", now.best_profit],
      ["Best profit with traits", now.best_traits],
      ["Least purchase", now.least_purchase?.buy_gold ? now.least_purchase : null],
    ] as const;
    return named.flatMap(([title, found]) => (found?.mix ? [{ title, found }] : []));
  };
  return (
    <section class="card best" aria-labelledby="best-title">
      <h2 id="best-title">Best from what I own</h2>
      <WishBox brewing={props.brewing} />
      <Running asked={props.asked} name="Solver" />
      <Show when={nothing()}>
        <p class="quiet">The best brew from what you own appears here, with proof. Enter what you own in the ingredient table, or start with a day of the shop:</p>
        <button type="button" class="button" onClick={() => props.brewing.stock(shopDay(1))}>
          Try a day of shop 1
        </button>
      </Show>
      <Show when={answer() && !busy() && !answer()!.best_total?.mix}>
        <p class="quiet">{unsure() ? "Memory ran out before one was found; there may be one." : `No potion of this kind can be made from what you own. ${answer()!.least_purchase?.buy_gold ? "The least to buy for one:" : "Ask for less under Requirements, or choose a larger cauldron."}`}</p>
      </Show>
      <div class="found-list">
        <For each={list()}>{({ title, found }) => <FoundCard title={title} found={found} stale={!fresh()} put={put} />}</For>
      </div>
      <Show when={list().length > 0 && !state.wishes.traits}>
        <p class="quiet">Without traits; “Count traits” under Requirements adds them.</p>
      </Show>
    </section>
  );
}
