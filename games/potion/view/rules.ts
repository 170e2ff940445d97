// A state of potion as pages get it, and what follows from it: shares, traits so far, and how well an
// ingredient suits the recipe.
import { ingredientOf, ingredients, recipes, type Ingredient, type Recipe } from "./tables";

/** What potion_json.c writes. */
export interface State {
  recipe: number;
  cauldron: number;
  /** of a contest, -1: none */
  round: number;
  /** pieces left, by action */
  stock: Record<string, number>;
  /** actions in the order they went in */
  added: number[];
  /** 0: it goes on */
  end: number;
  traits: number[];
  recipe_title: string;
  cauldron_title: string;
  max_items: number;
  max_magimins: number;
  magimins: number[];
  total: number;
  stability: string;
  /** 1 less the share of magimins in the wrong place */
  accuracy: number;
  expected_grade: number;
  price: number;
  brewed: number;
  cost: number;
  profit: number;
  won: boolean;
}

/** From no potion to the best; the limits are errors up to which each counts. */
export const classes = ["perfect", "very stable", "stable", "unstable", "cannot brew"];
export const limits = [0, 0.0025, 0.0525, 0.1525, 0.2525, 1];

export const recipeOf = (state: State): Recipe => recipes[state.recipe]!;

/** Shares of A to E in the mix, 0 while it is empty. */
export const sharesOf = (state: State): number[] => state.magimins.map((amount) => (state.total > 0 ? amount / state.total : 0));

/** Shares of A to E that the recipe wants. */
export const wantedOf = (state: State): number[] => recipeOf(state).parts.map((part) => part / recipeOf(state).sum);

export const fullnessOf = (state: State): number => (state.max_magimins > 0 ? state.total / state.max_magimins : 0);

export type Sign = "" | "+" | "-" | "?";

/** A sense of the mix: "?" is a tie that the end will draw. At the end it is drawn. */
export function traitOf(state: State, sense: number): Sign {
  if (state.end) return state.traits[sense] ? (state.traits[sense]! > 0 ? "+" : "-") : "";
  let best = 0;
  let good = false;
  let bad = false;
  for (const action of state.added) {
    const piece = ingredientOf(action);
    const sign = piece?.traits[sense] ?? 0;
    if (!piece || sign === 0 || piece.total < best) continue;
    if (piece.total > best) [best, good, bad] = [piece.total, false, false];
    if (sign > 0) good = true;
    else bad = true;
  }
  return good && bad ? "?" : good ? "+" : bad ? "-" : "";
}

/** Share of an ingredient's magimins that a recipe wants. */
export function cleanness(piece: Ingredient, recipe: Recipe): number {
  const wanted = piece.amounts.reduce((sum, amount, k) => sum + (recipe.parts[k] ? amount : 0), 0);
  return piece.total > 0 ? wanted / piece.total : 0;
}

/** The wanted magimin that an ingredient has most of. */
function mainOf(piece: Ingredient, recipe: Recipe): number {
  let best = -1;
  piece.amounts.forEach((amount, k) => {
    if (recipe.parts[k] && amount > 0 && amount > (piece.amounts[best] ?? 0)) best = k;
  });
  return best;
}

/** Ingredients that were there at the reset, by how they suit recipe and cauldron: clean ones first, near
 * the size that fills all slots, each wanted magimin in turn. The same through a whole episode. */
export function shelfOf(state: State): Ingredient[] {
  const recipe = recipeOf(state);
  const inside = new Set(state.added);
  const ideal = state.max_magimins / state.max_items;
  const worth = (piece: Ingredient): number => 4 * (1 - cleanness(piece, recipe)) + Math.abs(Math.log(piece.total / ideal));
  const rows = new Map<number, Ingredient[]>();
  for (const piece of ingredients) {
    const main = mainOf(piece, recipe);
    if (main < 0 || !(inside.has(piece.action) || (state.stock[piece.action] ?? 0) > 0)) continue;
    rows.set(main, [...(rows.get(main) ?? []), piece]);
  }
  const turns = [...rows].sort(([a], [b]) => a - b).map(([, row]) => row.sort((a, b) => worth(a) - worth(b) || a.action - b.action));
  const longest = Math.max(0, ...turns.map((row) => row.length));
  return Array.from({ length: longest }, (_, k) => turns.flatMap((row) => row[k] ?? [])).flat();
}

/** Whether a piece can be added now. */
export const fits = (state: State, piece: Ingredient): boolean =>
  state.end === 0 && (state.stock[piece.action] ?? 0) > 0 && state.added.length < state.max_items && state.total + piece.total <= state.max_magimins;
