// What the brewing page shows. All of it stands in the address but one's own stock, which the browser
// remembers; an address with a stock (a share link) shows that one and leaves one's own alone.
import { batch, createEffect, createMemo } from "solid-js";
import { reconcile, unwrap } from "solid-js/store";
import { addressed, linkWith, within, type Keys } from "ludus/lib/address";
import { recall, remember } from "ludus/lib/store";
import { cauldrons, ingredients, recipes, senses } from "../view/tables";
import { brewOf, whyNot, type Brew, type Pieces } from "./rules";
import { mostForbidden, mostInside, mostOwned, mostText, piecesText, readPieces, readStock, stockText } from "./share";
import { grades, places, rarities, rounds } from "./tables";

/** What the solver is asked for beyond recipe, cauldron and stock. */
export interface Wishes {
  must: Record<number, number>;
  /** by action */
  forbid: Record<number, number>;
  /** 0: any */
  budget: number;
  least: number;
  /** lowest class of stability: 5 exactly the ratio, 4 perfect to 1 unstable */
  stability: number;
  /** chapter of a shop that a day's pieces may be bought in, 0: none */
  shop: number;
  /** what one owns costs nothing */
  free: boolean;
  traits: boolean;
}

/** The stability that is wished for at first. */
export const exact = 5;

export type Feel = "any" | "good" | "bad" | "none" | "fair";
export const feels: Feel[] = ["any", "good", "bad", "none", "fair"];
export type SortKey = "game" | "name" | "total" | "price" | "worth" | "owned";
export const sortKeys: SortKey[] = ["game", "name", "total", "price", "worth", "owned"];

export interface Filters {
  text: string;
  /** A to E */
  magimins: boolean[];
  /** nothing else than these */
  only: boolean;
  place: string;
  /** 0 any; negative: up to it */
  chapter: number;
  rarity: string;
  feel: Feel[];
  owned: boolean;
  sort: SortKey;
  down: boolean;
}

export interface State {
  recipe: number;
  cauldron: number;
  mix: Record<number, number>;
  stock: Record<number, number>;
  /** the stock came with a link */
  shared: boolean;
  wishes: Wishes;
  filters: Filters;
  /** index of the contest's round, -1: none chosen */
  round: number;
  /** the round counts the base price */
  priced: boolean;
}

const stockKey = "potion.stock";
const taskKey = "potion.task";

const oneOf = <T extends string>(text: string, list: readonly T[], otherwise: T): T => (list.includes(text as T) ? (text as T) : otherwise);

/** One's own stock as a text; a browser that remembers nothing keeps it while the site is open. */
let ownText = String(recall<unknown>(stockKey, ""));
const ownStock = (): Record<number, number> => readStock(ownText) ?? {};
const keepOwn = (stock: Pieces): void => remember(stockKey, (ownText = stockText(stock)));

/** The state that an address names. */
function read(keys: URLSearchParams): State {
  const get = (key: string): string => keys.get(key) ?? "";
  const last = recall<unknown>(taskKey, null);
  const [recipe, cauldron] = Array.isArray(last) ? (last as unknown[]) : [];
  const linked = keys.has("stock") ? readStock(get("stock")) : null;
  const sort = get("sort");
  return {
    recipe: within(get("r"), 0, recipes.length - 1, within(recipe, 0, recipes.length - 1, 0)),
    cauldron: within(get("c"), 0, cauldrons.length - 1, within(cauldron, 0, cauldrons.length - 1, 4)),
    mix: readPieces(get("mix")),
    stock: linked ?? ownStock(),
    shared: linked !== null,
    wishes: {
      must: readPieces(get("must")),
      forbid: Object.fromEntries(Object.keys(readPieces(get("not"), mostForbidden)).map((action) => [action, 1])),
      budget: within(get("budget"), 0, 1e6, 0),
      least: within(get("least"), 0, grades - 1, 0),
      stability: within(get("class"), 1, exact, exact),
      shop: within(get("shop"), 0, 5, 0),
      free: get("free") === "1",
      traits: get("traits") === "1",
    },
    filters: {
      text: get("q").slice(0, mostText),
      magimins: [..."ABCDE"].map((letter) => get("m").includes(letter)),
      only: get("only") === "1",
      place: oneOf(get("place"), places, ""),
      chapter: within(get("ch"), -5, 5, 0),
      rarity: oneOf(get("rare"), rarities, ""),
      feel: senses.map((_, k) => feels[within(get("feel")[k] ?? "", 0, feels.length - 1, 0)]!),
      owned: get("own") === "1",
      sort: oneOf(sort.replace(/^-/, ""), sortKeys, "game"),
      down: sort.startsWith("-"),
    },
    round: within(get("round"), 0, rounds.length - 1, -1),
    priced: get("judge") !== "tier",
  };
}

/** The keys of the address for a state; null takes one away. */
function keysOf(state: State): Keys {
  const { wishes, filters } = state;
  const feel = filters.feel.map((one) => feels.indexOf(one)).join("");
  const sort = `${filters.down ? "-" : ""}${filters.sort}`;
  return {
    r: state.recipe,
    c: state.cauldron,
    mix: piecesText(state.mix),
    must: piecesText(wishes.must),
    not: piecesText(wishes.forbid),
    budget: wishes.budget || null,
    least: wishes.least || null,
    class: wishes.stability === exact ? null : wishes.stability,
    shop: wishes.shop || null,
    free: wishes.free ? 1 : null,
    traits: wishes.traits ? 1 : null,
    q: filters.text,
    m: [..."ABCDE"].filter((_, k) => filters.magimins[k]).join(""),
    only: filters.only ? 1 : null,
    place: filters.place,
    ch: filters.chapter || null,
    rare: filters.rarity,
    feel: /^0*$/.test(feel) ? null : feel,
    own: filters.owned ? 1 : null,
    sort: sort === "game" ? null : sort,
    round: state.round < 0 ? null : state.round,
    judge: state.priced ? null : "tier",
    stock: state.shared ? stockText(state.stock) : null,
  };
}

/** The page's state, what follows from the mix, and what can be done to it. */
export function createBrewing() {
  const [state, set] = addressed(read, keysOf);
  const brew = createMemo<Brew>(() => brewOf(state.recipe, state.cauldron, state.mix));
  createEffect(() => {
    if (!state.shared) keepOwn(state.stock);
    remember(taskKey, [state.recipe, state.cauldron]);
  });

  return {
    state,
    set,
    brew,
    /** Why a piece cannot go in; null when it can. */
    why: (action: number): string | null => whyNot(brew(), state.cauldron, action),
    add(action: number): string | null {
      const why = whyNot(brew(), state.cauldron, action);
      if (why === null) set("mix", action, (count) => (count ?? 0) + 1);
      return why;
    },
    remove(action: number): void {
      set("mix", action, (count) => Math.max(0, (count ?? 0) - 1));
    },
    /** A whole mix, as the solver gives it. */
    put(mix: Record<string, number>): void {
      set("mix", reconcile(readPieces(piecesText(mix), mostInside)));
    },
    clear(): void {
      set("mix", reconcile({}));
    },
    own(action: number, count: number): void {
      set("stock", action, Math.max(0, Math.min(mostOwned, Math.trunc(count) || 0)));
    },
    stock(stock: Readonly<Record<number, number>>): void {
      set("stock", reconcile({ ...stock }));
    },
    /** The stock of a link becomes one's own, or one's own comes back. */
    keepShared(): void {
      set("shared", false);
    },
    leaveShared(): void {
      const own = ownStock();
      batch(() => {
        set("stock", reconcile(own));
        set("shared", false);
      });
    },
    /** Takes what is in the cauldron out of the stock. */
    brewIt(): void {
      for (const { action } of ingredients) {
        const inside = state.mix[action] ?? 0;
        if (inside > 0) set("stock", action, (count) => Math.max(0, (count ?? 0) - inside));
      }
      set("mix", reconcile({}));
    },
    /** The address of all of it, with the stock. */
    link: (): string => linkWith({ ...keysOf(unwrap(state)), stock: stockText(state.stock) }),
  };
}

export type Brewing = ReturnType<typeof createBrewing>;
