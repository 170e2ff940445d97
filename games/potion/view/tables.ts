// The game's tables for pages, from the same files that the rules are made of.
import { rowsOf, type Row } from "ludus/lib/csv";
import cauldronRows from "../data/cauldrons.csv?raw";
import ingredientRows from "../data/ingredients.csv?raw";
import recipeRows from "../data/recipes.csv?raw";

/** The five magimins, A to E: their letter, name and colour on both themes. */
export const magimins = [
  { letter: "A", name: "red", color: "#e5484d" },
  { letter: "B", name: "green", color: "#3fa65a" },
  { letter: "C", name: "yellow", color: "#e3b62c" },
  { letter: "D", name: "blue", color: "#3f83e0" },
  { letter: "E", name: "purple", color: "#9a5be0" },
] as const;

export const senses = ["taste", "touch", "smell", "sight", "sound"] as const;
export const tiers = ["Minor", "Common", "Greater", "Grand", "Superior", "Masterwork"] as const;
export const starsPerTier = 6;

export interface Ingredient {
  /** 1 to 206 */
  action: number;
  name: string;
  kind: string;
  chapter: number;
  places: string[];
  rarity: string;
  /** A to E */
  amounts: number[];
  total: number;
  /** -1, 0 or 1 by sense */
  traits: number[];
  price: number;
}

export interface Recipe {
  recipe: number;
  name: string;
  /** parts of A to E, and their sum */
  parts: number[];
  sum: number;
}

export interface Cauldron {
  cauldron: number;
  name: string;
  items: number;
  magimins: number;
}

const numbers = (row: Row, keys: readonly string[]): number[] => keys.map((key) => Number(row[key]));
const sum = (list: number[]): number => list.reduce((all, one) => all + one, 0);
const letters = ["a", "b", "c", "d", "e"];

/** By action; 0 and 207 are no ingredients. */
export const ingredients: Ingredient[] = rowsOf(ingredientRows).map((row) => {
  const amounts = numbers(row, letters);
  return {
    action: Number(row["action"]),
    name: row["name"] ?? "",
    kind: row["kind"] ?? "",
    chapter: Number(row["chapter"]),
    places: (row["places"] ?? "").split("|"),
    rarity: row["rarity"] ?? "",
    amounts,
    total: sum(amounts),
    traits: numbers(row, senses),
    price: Number(row["price"]),
  };
});

export const ingredientOf = (action: number): Ingredient | undefined => ingredients[action - 1];

export const recipes: Recipe[] = rowsOf(recipeRows).map((row) => {
  const parts = numbers(row, letters);
  return { recipe: Number(row["recipe"]), name: row["name"] ?? "", parts, sum: sum(parts) };
});

export const cauldrons: Cauldron[] = rowsOf(cauldronRows).map((row) => ({
  cauldron: Number(row["cauldron"]),
  name: row["name"] ?? "",
  items: Number(row["items"]),
  magimins: Number(row["magimins"]),
}));

/** "Greater, 3 stars" */
export function gradeName(grade: number): string {
  const stars = grade % starsPerTier;
  return `${tiers[Math.floor(grade / starsPerTier)] ?? ""}, ${stars === 0 ? "no stars" : stars === 1 ? "1 star" : `${stars} stars`}`;
}

/** "A 12, C 4" */
export const amountsText = (amounts: number[]): string =>
  amounts.flatMap((amount, k) => (amount > 0 ? [`${magimins[k]?.letter} ${amount}`] : [])).join(", ");
