// The tables that only the brewing page needs, beside those of the view: prices, grades, stability,
// contests, and when cauldrons are sold.
import { rowsOf } from "ludus/lib/csv";
import cauldronRows from "../data/cauldrons.csv?raw";
import contestRows from "../data/contests.csv?raw";
import gradeRows from "../data/grades.csv?raw";
import priceRows from "../data/prices.csv?raw";
import recipeRows from "../data/recipes.csv?raw";
import stabilityRows from "../data/stability.csv?raw";
import { ingredients, starsPerTier } from "../view/tables";

/** A class of stability: it holds when times x D <= limit x sum of parts x total. */
export interface Stability {
  /** 4 perfect to 1 unstable */
  code: number;
  name: string;
  times: number;
  limit: number;
  /** stars it adds */
  shift: number;
}

/** From perfect down, by the game's rules. */
export const stabilities: Stability[] = rowsOf(stabilityRows)
  .filter((row) => row["rules"] === "game")
  .map((row) => ({ code: Number(row["code"]), name: row["name"] ?? "", times: Number(row["times"]), limit: Number(row["limit"]), shift: Number(row["shift"]) }));

/** Fewest magimins by grade. */
export const gradeFrom: number[] = rowsOf(gradeRows).map((row) => Number(row["from"]));
export const grades = gradeFrom.length;

/** Gold for one potion by recipe and grade. */
export const prices: number[][] = rowsOf(priceRows).map((row) => gradeFrom.map((_, grade) => Number(row[String(grade)])));

/** When things can be had. */
export const cauldronChapter: number[] = rowsOf(cauldronRows).map((row) => Number(row["chapter"]));
export const recipeLicence: number[] = rowsOf(recipeRows).map((row) => Number(row["licence"]));
export const recipeFamily: string[] = rowsOf(recipeRows).map((row) => row["family"] ?? "");

export interface Round {
  contest: string;
  chapter: number;
  day: number;
  round: number;
  recipe: number;
  /** lowest grade: tier and star as one number */
  grade: number;
  /** base price to reach */
  target: number;
  cauldron: number;
}

export const rounds: Round[] = rowsOf(contestRows).map((row) => ({
  contest: row["contest"] ?? "",
  chapter: Number(row["chapter"]),
  day: Number(row["day"]),
  round: Number(row["round"]),
  recipe: Number(row["recipe"]),
  grade: Number(row["need_tier"]) * starsPerTier + Number(row["need_star"]),
  target: Number(row["target"]),
  cauldron: Number(row["cauldron"]),
}));
export const contests: string[] = [...new Set(rounds.map((round) => round.contest))];

const unique = (words: string[]): string[] => [...new Set(words)];
export const places = unique(ingredients.flatMap((piece) => piece.places));
export const kinds = unique(ingredients.map((piece) => piece.kind)).sort();
export const rarities = ["common", "uncommon", "rare", "epic"];
export const chapters = [1, 2, 3, 4, 5];
