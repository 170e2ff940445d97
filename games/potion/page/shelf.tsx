// The brewing table: all ingredients with filters, what one owns of each, and a button that puts one
// into the cauldron.
import { createMemo, createSignal, For, Index, Show, type JSX } from "solid-js";
import { counted } from "ludus/lib/format";
import { Choice } from "ludus/lib/ui";
import { ingredients, magimins, recipes, senses, type Ingredient } from "../view/tables";
import { Amounts, Glyph } from "./glyph";
import { mostText } from "./share";
import { feels, type Brewing, type Feel, type Filters, type SortKey, type State } from "./state";
import { chapters, places, rarities } from "./tables";

const feelWords: Record<Feel, string> = { any: "any", good: "good", bad: "bad", none: "none", fair: "good or none" };
const sortWords: Record<SortKey, string> = {
  game: "as the game",
  name: "name",
  total: "magimins",
  price: "price",
  worth: "magimins per gold",
  owned: "pieces I own",
};

const feelFits: Record<Feel, (sign: number) => boolean> = {
  any: () => true,
  good: (sign) => sign > 0,
  bad: (sign) => sign < 0,
  none: (sign) => sign === 0,
  fair: (sign) => sign >= 0,
};

/** Whether an ingredient passes the filters. */
export function passes(piece: Ingredient, filters: Filters, owned: number): boolean {
  const text = filters.text.trim().toLowerCase();
  if (text && !`${piece.name} ${piece.kind.replace("_", " ")}`.toLowerCase().replaceAll("’", "'").includes(text.replaceAll("’", "'"))) return false;
  if (filters.owned && owned === 0) return false;
  if (filters.place && !piece.places.includes(filters.place)) return false;
  if (filters.rarity && piece.rarity !== filters.rarity) return false;
  if (filters.chapter > 0 && piece.chapter !== filters.chapter) return false;
  if (filters.chapter < 0 && piece.chapter > -filters.chapter) return false;
  const asked = filters.magimins.some(Boolean);
  if (asked && filters.only && piece.amounts.some((amount, k) => amount > 0 && !filters.magimins[k])) return false;
  if (asked && !filters.only && piece.amounts.some((amount, k) => amount === 0 && filters.magimins[k])) return false;
  return filters.feel.every((feel, sense) => feelFits[feel](piece.traits[sense] ?? 0));
}

const valueOf: Record<SortKey, (piece: Ingredient, stock: State["stock"]) => number | string> = {
  game: (piece) => piece.action,
  name: (piece) => piece.name,
  total: (piece) => piece.total,
  price: (piece) => piece.price,
  worth: (piece) => piece.total / piece.price,
  owned: (piece, stock) => stock[piece.action] ?? 0,
};

/** In the order asked for; equal ones as the game has them. */
export function sorted(list: Ingredient[], filters: Filters, stock: State["stock"]): Ingredient[] {
  const value = valueOf[filters.sort];
  const sign = filters.down ? -1 : 1;
  return [...list].sort((a, b) => {
    const [x, y] = [value(a, stock), value(b, stock)];
    return sign * (typeof x === "string" ? x.localeCompare(String(y)) : x - Number(y)) || a.action - b.action;
  });
}

export function Traits(props: { traits: number[] }) {
  return (
    <span class="traits">
      <For each={props.traits}>
        {(sign, k) => (
          <Show when={sign !== 0}>
            <span class={sign > 0 ? "good" : "bad"}>
              {sign > 0 ? "+" : "−"}
              {senses[k()]}
            </span>
          </Show>
        )}
      </For>
    </span>
  );
}

const chapterOptions = [
  ["0", "any"],
  ...chapters.map((chapter) => [`${chapter}`, `${chapter}`] as const),
  ...chapters.slice(1, -1).map((chapter) => [`${-chapter}`, `up to ${chapter}`] as const),
] as const;

function FilterBar(props: { brewing: Brewing; shown: number }) {
  const { state, set } = props.brewing;
  const filters = () => state.filters;
  const wanted = (): boolean[] => recipes[state.recipe]!.parts.map((part) => part > 0);
  const touched = (): boolean => {
    const { text, magimins: letters, place, chapter, rarity, feel, owned } = filters();
    return text !== "" || place !== "" || chapter !== 0 || rarity !== "" || owned || letters.some(Boolean) || feel.some((one) => one !== "any");
  };
  const clear = () =>
    set("filters", { text: "", magimins: magimins.map(() => false), only: false, place: "", chapter: 0, rarity: "", feel: senses.map(() => "any" as const), owned: false });
  return (
    <div class="brew-filters">
      <label class="field find">
        <span>Find</span>
        <input type="search" value={filters().text} maxlength={mostText} placeholder="root, slime, bug…" onInput={(event) => set("filters", "text", event.currentTarget.value)} />
      </label>
      <fieldset class="letters">
        <legend>Magimins</legend>
        <Index each={magimins}>
          {(one, k) => (
            <label class={`letter hue-${k}`}>
              <input type="checkbox" checked={filters().magimins[k] ?? false} onChange={(event) => set("filters", "magimins", k, event.currentTarget.checked)} />
              <span title={one().name}>
                <i class="dot" />
                {one().letter}
                <span class="sr-only"> {one().name}</span>
              </span>
            </label>
          )}
        </Index>
        <select aria-label="How magimins are filtered" value={filters().only ? "only" : "has"} onChange={(event) => set("filters", "only", event.currentTarget.value === "only")}>
          <option value="has">has all of these</option>
          <option value="only">has only these</option>
        </select>
        <button type="button" class="button" onClick={() => set("filters", { magimins: wanted(), only: true })}>
          Of the recipe
        </button>
      </fieldset>
      <Choice name="Place" value={filters().place} options={[["", "any"], ...places.map((place) => [place, place] as const)]} onChange={(place) => set("filters", "place", place)} />
      <Choice name="Chapter" value={`${filters().chapter}`} options={[...chapterOptions]} onChange={(chapter) => set("filters", "chapter", Number(chapter))} />
      <Choice name="Rarity" value={filters().rarity} options={[["", "any"], ...rarities.map((one) => [one, one] as const)]} onChange={(rarity) => set("filters", "rarity", rarity)} />
      <Choice
        name="Sort"
        value={`${filters().down ? "-" : ""}${filters().sort}`}
        options={Object.entries(sortWords).flatMap(([key, words]) => [[key, words] as const, [`-${key}`, `${words}, falling`] as const])}
        onChange={(key) => set("filters", { sort: key.replace(/^-/, "") as SortKey, down: key.startsWith("-") })}
      />
      <label class="check">
        <input type="checkbox" checked={filters().owned} onChange={(event) => set("filters", "owned", event.currentTarget.checked)} />
        Only what I own
      </label>
      <details class="feel" open={filters().feel.some((one) => one !== "any")}>
        <summary>Traits</summary>
        <div class="feel-list">
          <Index each={senses}>
            {(sense, k) => (
              <Choice name={sense()} value={filters().feel[k] ?? "any"} options={feels.map((feel) => [feel, feelWords[feel]] as const)} onChange={(feel) => set("filters", "feel", k, feel as Feel)} />
            )}
          </Index>
        </div>
      </details>
      <output class="shown" aria-live="polite">
        {props.shown} of {ingredients.length}
      </output>
      <Show when={touched()}>
        <button type="button" class="button" onClick={clear}>
          Clear filters
        </button>
      </Show>
    </div>
  );
}

/** Focus to the same control in the row above or below. */
function moveRow(event: KeyboardEvent, by: number): void {
  const control = event.target as HTMLElement;
  const kind = control.dataset["control"];
  let row = control.closest("tr");
  row = (by > 0 ? row?.nextElementSibling : row?.previousElementSibling) as HTMLTableRowElement | null;
  const next = row?.querySelector<HTMLElement>(`[data-control="${kind}"]`);
  if (!next) return;
  event.preventDefault();
  next.focus();
  if (next instanceof HTMLInputElement) next.select();
}

function Row(props: { piece: Ingredient; brewing: Brewing; say: (text: string) => void }) {
  const { state } = props.brewing;
  const inside = () => state.mix[props.piece.action] ?? 0;
  const why = () => props.brewing.why(props.piece.action);
  const add = () => {
    const refused = props.brewing.add(props.piece.action);
    props.say(refused ? `${props.piece.name} does not go in: ${refused}` : `${props.piece.name}: ${inside()} in the cauldron`);
  };
  const keys: Record<string, (event: KeyboardEvent) => void> = {
    ArrowDown: (event) => moveRow(event, 1),
    ArrowUp: (event) => moveRow(event, -1),
    Delete: () => props.brewing.remove(props.piece.action),
    Backspace: () => props.brewing.remove(props.piece.action),
    "-": () => props.brewing.remove(props.piece.action),
    "+": add,
  };
  return (
    <tr classList={{ inside: inside() > 0 }}>
      <th scope="row">
        <div class="name">
          <Glyph piece={props.piece} />
          <span>
            <span class="name-text">{props.piece.name}</span>
            <small>
              {props.piece.rarity} {props.piece.kind.replace("_", " ")}
              <span class="only-narrow"> · {props.piece.price} gold</span>
            </small>
            <span class="only-narrow">
              <Amounts amounts={props.piece.amounts} />
              <Traits traits={props.piece.traits} />
            </span>
          </span>
        </div>
      </th>
      <td class="wide">
        <Amounts amounts={props.piece.amounts} />
      </td>
      <td class="wide right">{props.piece.total}</td>
      <td class="wide">
        <Traits traits={props.piece.traits} />
      </td>
      <td class="wide right">{props.piece.price}</td>
      <td class="wide where">
        {props.piece.chapter} · {props.piece.places.join(", ")}
      </td>
      <td>
        <input
          type="number"
          class="own"
          data-control="own"
          min="0"
          max="255"
          inputmode="numeric"
          aria-label={`${props.piece.name}: pieces I own`}
          value={state.stock[props.piece.action] || ""}
          placeholder="0"
          onInput={(event) => props.brewing.own(props.piece.action, event.currentTarget.valueAsNumber)}
          onKeyDown={(event) => event.key === "Enter" && moveRow(event, event.shiftKey ? -1 : 1)}
        />
      </td>
      <td>
        <button
          type="button"
          class="button add"
          data-control="add"
          aria-disabled={why() !== null}
          title={why() ?? "Into the cauldron"}
          aria-label={`Add ${props.piece.name}${inside() ? `, ${inside()} inside` : ""}`}
          onClick={add}
          onKeyDown={(event) => keys[event.key]?.(event)}
        >
          {inside() > 0 ? `${inside()} +` : "+"}
        </button>
      </td>
    </tr>
  );
}

export function Shelf(props: { brewing: Brewing }): JSX.Element {
  const { state, set } = props.brewing;
  const [said, say] = createSignal("");
  const shown = createMemo(() => {
    const { filters, stock } = state;
    const asksStock = filters.owned;
    return ingredients.filter((piece) => passes(piece, filters, asksStock ? (stock[piece.action] ?? 0) : 0));
  });
  const rows = createMemo(() => sorted(shown(), state.filters, state.stock));
  const sortBy = (key: SortKey) => set("filters", (old) => ({ sort: key, down: old.sort === key ? !old.down : key !== "name" && key !== "price" }));
  const Head = (head: { sort?: SortKey; name: string; class?: string }) => (
    <th
      scope="col"
      class={head.class ?? ""}
      aria-sort={head.sort && state.filters.sort === head.sort ? (state.filters.down ? "descending" : "ascending") : undefined}
    >
      <Show when={head.sort} fallback={head.name}>
        {(key) => (
          <button type="button" class="sort" onClick={() => sortBy(key())}>
            {head.name}
            <span aria-hidden="true">{state.filters.sort === key() ? (state.filters.down ? "▼" : "▲") : ""}</span>
          </button>
        )}
      </Show>
    </th>
  );
  return (
    <section class="card shelf" aria-labelledby="shelf-title">
      <h2 id="shelf-title">Ingredients</h2>
      <FilterBar brewing={props.brewing} shown={shown().length} />
      <div class="scroller shelf-rows" tabindex="0" role="region" aria-label="List of ingredients">
        <table class="grid-table">
          <thead>
            <tr>
              <Head name="Name" sort="name" />
              <Head name="Magimins" class="wide" />
              <Head name="Total" sort="total" class="wide right" />
              <Head name="Traits" class="wide" />
              <Head name="Gold" sort="price" class="wide right" />
              <Head name="Chapter · place" class="wide where" sort="game" />
              <Head name="Own" sort="owned" />
              <Head name="Add" />
            </tr>
          </thead>
          <tbody>
            <For each={rows()}>{(piece) => <Row piece={piece} brewing={props.brewing} say={say} />}</For>
          </tbody>
        </table>
        <Show when={rows().length === 0}>
          <p class="quiet centre">No ingredient matches these filters.</p>
        </Show>
      </div>
      <p class="quiet">
        {counted(Object.values(state.stock).reduce((all, count) => all + count, 0), "piece")} owned. On an add button, the arrow keys move from row to row
        and minus takes one out again; Enter in a number field moves to the next.
      </p>
      <p class="sr-only" aria-live="polite">
        {said()}
      </p>
    </section>
  );
}
