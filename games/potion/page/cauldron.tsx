// The cauldron: recipe and cauldron, what is inside, and what would come out of it now.
import { createMemo, For, Index, Show } from "solid-js";
import { number, signed } from "ludus/lib/format";
import { Badge } from "ludus/lib/ui";
import { cauldrons, ingredientOf, magimins, recipes, senses } from "../view/tables";
import { Glyph, Grade, Pot } from "./glyph";
import { entriesOf, meanOf, type Brew } from "./rules";
import type { Brewing } from "./state";
import { cauldronChapter, chapters, recipeFamily, stabilities } from "./tables";

const percent = (share: number): string => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 2 : 1)}%`;
const tones = ["bad", "bad", "warn", "good", "good"] as const;
const nameOf = (code: number): string => stabilities.find((one) => one.code === code)?.name ?? "no potion";

export function Choosers(props: { brewing: Brewing }) {
  const { state, set } = props.brewing;
  const families = [...new Set(recipeFamily)];
  return (
    <div class="choosers">
      <label class="field">
        <span>Recipe</span>
        <select onChange={(event) => set("recipe", Number(event.currentTarget.value))}>
          <For each={families}>
            {(family) => (
              <optgroup label={`${family}s`}>
                <For each={recipes.filter((one) => recipeFamily[one.recipe] === family)}>
                  {(one) => (
                    <option value={one.recipe} selected={one.recipe === state.recipe}>
                      {one.name} ({one.parts.join(":")})
                    </option>
                  )}
                </For>
              </optgroup>
            )}
          </For>
        </select>
      </label>
      <label class="field">
        <span>Cauldron</span>
        <select onChange={(event) => set("cauldron", Number(event.currentTarget.value))}>
          <For each={chapters}>
            {(chapter) => (
              <optgroup label={`Chapter ${chapter}`}>
                <For each={cauldrons.filter((one) => cauldronChapter[one.cauldron] === chapter)}>
                  {(one) => (
                    <option value={one.cauldron} selected={one.cauldron === state.cauldron}>
                      {one.name} ({one.items} items, {one.magimins})
                    </option>
                  )}
                </For>
              </optgroup>
            )}
          </For>
        </select>
      </label>
    </div>
  );
}

/** Shares of the five magimins, each with the mark that the recipe wants. */
function Ratios(props: { brew: Brew; recipe: number }) {
  const wanted = (k: number): number => recipes[props.recipe]!.parts[k]! / recipes[props.recipe]!.sum;
  const share = (k: number): number => (props.brew.total > 0 ? props.brew.amounts[k]! / props.brew.total : 0);
  return (
    <ul class="ratios">
      <Index each={magimins}>
        {(one, k) => (
          <li class={`ratio hue-${k}`} classList={{ unwanted: wanted(k) === 0, stray: wanted(k) === 0 && share(k) > 0 }}>
            <span class="ratio-name">
              {one().letter} <small>{one().name}</small>
            </span>
            <span class="ratio-bar" aria-hidden="true">
              <i class="fill" style={{ width: `${100 * share(k)}%` }} />
              <Show when={wanted(k) > 0}>
                <i class="mark" style={{ left: `${100 * wanted(k)}%` }} />
              </Show>
            </span>
            <span class="ratio-value">{props.brew.amounts[k]}</span>
            <small class="ratio-value">
              {(100 * share(k)).toFixed(1)} of {Math.round(100 * wanted(k))}%
            </small>
          </li>
        )}
      </Index>
    </ul>
  );
}

/** Where the error lies among the classes; each class is as wide as the others. */
function StabilityScale(props: { brew: Brew }) {
  const edges = [0, ...stabilities.map(({ times, limit }) => limit / times / 2), 1];
  const at = (): number => {
    const error = Math.min(1, props.brew.error);
    const k = Math.max(0, edges.findIndex((edge, i) => i > 0 && error <= edge) - 1);
    const [low, high] = [edges[k]!, k === edges.length - 2 ? Math.max(edges[k]! * 2, error) : edges[k + 1]!];
    return (k + (high > low ? (error - low) / (high - low) : 0)) / (edges.length - 1);
  };
  return (
    <div class="scale" aria-hidden="true">
      <For each={stabilities}>{(one, k) => <span class={`zone ${tones[one.code]}`} classList={{ here: props.brew.code === one.code }}>{one.name}<small>{(100 * edges[k() + 1]!).toFixed(2)}%</small></span>}</For>
      <span class="zone none" classList={{ here: props.brew.items > 1 && props.brew.code === 0 }}>
        no potion<small>beyond</small>
      </span>
      <Show when={props.brew.total > 0}>
        <i class="needle" style={{ left: `${100 * at()}%` }} />
      </Show>
    </div>
  );
}

function Slots(props: { brewing: Brewing }) {
  const { state, brew, remove, add } = props.brewing;
  const free = () => Math.max(0, cauldrons[state.cauldron]!.items - brew().items);
  const inside = createMemo(() => entriesOf(state.mix));
  return (
    <ul class="slots" aria-label="In the cauldron">
      <For each={inside().map(([action]) => action)}>
        {(action) => {
          const piece = ingredientOf(action)!;
          const count = () => state.mix[action] ?? 0;
          const lacking = () => Math.max(0, count() - (state.stock[action] ?? 0));
          return (
            <li class="slot">
              <Glyph piece={piece} />
              <span class="slot-name">
                <b>{count()}</b> {piece.name}
                <Show when={lacking() > 0}>
                  <small> {lacking() === count() ? "not owned" : `${lacking()} not owned`}</small>
                </Show>
              </span>
              <button type="button" class="icon-button small" aria-label={`Take one ${piece.name} out`} onClick={() => remove(action)}>
                −
              </button>
              <button
                type="button"
                class="icon-button small"
                aria-label={`One more ${piece.name}`}
                aria-disabled={props.brewing.why(action) !== null}
                title={props.brewing.why(action) ?? ""}
                onClick={() => add(action)}
              >
                +
              </button>
            </li>
          );
        }}
      </For>
      <Show when={free() > 0}>
        <li class="slot free">
          {free()} free {free() === 1 ? "slot" : "slots"}
        </li>
      </Show>
    </ul>
  );
}

function Senses(props: { brew: Brew }) {
  return (
    <ul class="senses" aria-label="Traits">
      <Index each={senses}>
        {(sense, k) => {
          const trait = () => props.brew.traits[k]!;
          const sign = () => meanOf(trait());
          const tie = () => trait().good > 0 && trait().bad > 0;
          const tone = () => (tie() ? "warn" : sign() > 0 ? "good" : sign() < 0 ? "bad" : "");
          const words = () => (tie() ? `tie ${trait().good}:${trait().bad}` : sign() > 0 ? "good" : sign() < 0 ? "bad" : "–");
          return (
            <li class={`sense ${tone()}`}>
              <span>{sense()}</span> <b>{words()}</b>
            </li>
          );
        }}
      </Index>
    </ul>
  );
}

function Figure(props: { name: string; value: string; note?: string; tone?: string }) {
  return (
    <div class={`figure ${props.tone ?? ""}`}>
      <dt>{props.name}</dt>
      <dd>
        {props.value}
        <Show when={props.note}>
          <small>{props.note}</small>
        </Show>
      </dd>
    </div>
  );
}

export function CauldronCard(props: { brewing: Brewing }) {
  const { state, brew } = props.brewing;
  const room = () => cauldrons[state.cauldron]!;
  const owned = () => brew().items > 0 && entriesOf(state.mix).every(([action, count]) => (state.stock[action] ?? 0) >= count);
  /** as the answers count it: with traits where those are wished for */
  const profit = () => (brew().items === 0 ? 0 : state.wishes.traits ? brew().profit : brew().brewed * brew().price - brew().cost);
  const verdict = (): string => {
    if (brew().items === 0) return "empty";
    if (brew().over) return "too much for this cauldron";
    return brew().items < 2 ? "a potion takes two items" : nameOf(brew().code);
  };
  return (
    <section class="card cauldron" aria-labelledby="cauldron-title">
      <h2 id="cauldron-title">Cauldron</h2>
      <div class="pot-row">
        <Pot brew={brew()} most={room().magimins} />
        <div class="outcome">
          <p class="verdict" aria-live="polite">
            <Badge tone={brew().items === 0 ? "accent" : tones[brew().over ? 0 : brew().code]!}>{verdict()}</Badge>
            <Show when={brew().total > 0}>
              <span class="muted"> {percent(brew().error)} in the wrong place</span>
            </Show>
          </p>
          <p class="result">
            <Show when={brew().code > 0} fallback={<span class="muted">No potion yet</span>}>
              {brew().brewed} × <Grade grade={brew().grade} />
            </Show>
          </p>
          <label class="meter-row">
            <span>
              {brew().total} of {room().magimins} magimins
            </span>
            <meter min="0" max={room().magimins} value={Math.min(brew().total, room().magimins)} />
          </label>
          <label class="meter-row">
            <span>
              {brew().items} of {room().items} slots
            </span>
            <meter min="0" max={room().items} value={Math.min(brew().items, room().items)} />
          </label>
        </div>
      </div>
      <Ratios brew={brew()} recipe={state.recipe} />
      <StabilityScale brew={brew()} />
      <dl class="figures">
        <Figure name="Price of one" value={brew().items ? number(brew().price) : "–"} note={brew().traitSum ? `${number(brew().unitValue)} with traits` : ""} />
        <Figure name="Potions" value={brew().items ? number(brew().brewed) : "–"} />
        <Figure name="Sales" value={brew().items ? number(state.wishes.traits ? brew().sales : brew().brewed * brew().price) : "–"} />
        <Figure name="Cost" value={brew().items ? number(brew().cost) : "–"} />
        <Figure name="Profit" value={brew().items ? signed(profit()) : "–"} tone={profit() > 0 ? "good" : profit() < 0 ? "bad" : ""} />
      </dl>
      <Senses brew={brew()} />
      <Slots brewing={props.brewing} />
      <div class="row">
        <button type="button" class="button" disabled={brew().items === 0} onClick={() => props.brewing.clear()}>
          Empty it
        </button>
        <button type="button" class="button" disabled={!owned() || brew().code === 0} onClick={() => props.brewing.brewIt()} title="Takes the pieces out of what you own">
          Brewed: take it from my stock
        </button>
      </div>
    </section>
  );
}
