// What a mix gives, by the rules of potion_tables.h and potion.h (rules=game) over the same tables.
// The site's test compares it with the game's module on random mixes.
import { cauldrons, ingredientOf, ingredients, magimins, recipes, senses } from "../view/tables";
import { gradeFrom, grades, prices, stabilities } from "./tables";

/** Pieces by action; what is not there is 0. */
export type Pieces = Readonly<Record<number, number>>;

/** A sense of the potion: how many of the ingredients that decide it are good, how many bad. */
export interface Trait {
  good: number;
  bad: number;
}

export interface Brew {
  amounts: number[];
  total: number;
  items: number;
  cost: number;
  /** beyond the cauldron: no potion then */
  over: boolean;
  /** share of magimins in the wrong place, 1 for an empty cauldron */
  error: number;
  /** 0 cannot brew to 4 perfect */
  code: number;
  /** of the potion; 0 and no price without one */
  grade: number;
  price: number;
  brewed: number;
  traits: Trait[];
  /** expected: a tie counts as its average */
  traitSum: number;
  unitValue: number;
  sales: number;
  profit: number;
}

/** Signs of the ingredients with a trait and the largest total; an ingredient counts once. */
function traitOf(inside: [number, number][], sense: number): Trait {
  let best = 0;
  let trait: Trait = { good: 0, bad: 0 };
  for (const [action] of inside) {
    const piece = ingredientOf(action)!;
    const sign = piece.traits[sense] ?? 0;
    if (sign === 0 || piece.total < best) continue;
    if (piece.total > best) [best, trait] = [piece.total, { good: 0, bad: 0 }];
    if (sign > 0) trait.good++;
    else trait.bad++;
  }
  return trait;
}

/** Expected sign of a sense. */
export const meanOf = ({ good, bad }: Trait): number => (good + bad > 0 ? (good - bad) / (good + bad) : 0);

/** Pieces that are really there, by action. */
export const entriesOf = (pieces: Pieces): [number, number][] =>
  ingredients.flatMap(({ action }): [number, number][] => (pieces[action] ? [[action, pieces[action]]] : []));

/** The grade by magimins alone. */
const rawGrade = (total: number): number => gradeFrom.filter((from) => from <= total).length - 1;

/** What comes out of a mix in a cauldron of a recipe. */
export function brewOf(recipe: number, cauldron: number, mix: Pieces): Brew {
  const { parts, sum } = recipes[recipe]!;
  const room = cauldrons[cauldron]!;
  const inside = entriesOf(mix);
  const amounts = magimins.map((_, k) => inside.reduce((all, [action, count]) => all + (ingredientOf(action)!.amounts[k] ?? 0) * count, 0));
  const total = amounts.reduce((all, one) => all + one, 0);
  const items = inside.reduce((all, [, count]) => all + count, 0);
  const cost = inside.reduce((all, [action, count]) => all + ingredientOf(action)!.price * count, 0);
  const over = items > room.items || total > room.magimins;
  const distance = amounts.reduce((all, amount, k) => all + Math.abs(sum * amount - (parts[k] ?? 0) * total), 0);
  const held = items < 2 || over ? undefined : stabilities.find(({ times, limit }) => times * distance <= limit * sum * total);
  const traits = senses.map((_, sense) => traitOf(inside, sense));
  const traitSum = held ? traits.reduce((all, trait) => all + meanOf(trait), 0) : 0;
  const grade = held ? Math.max(0, Math.min(grades - 1, rawGrade(total) + held.shift)) : 0;
  const price = held ? prices[recipe]![grade]! : 0;
  const brewed = held ? Math.floor(items / 2) : 0;
  const unitValue = price * (1 + 0.05 * traitSum);
  const sales = brewed * unitValue;
  const error = total > 0 ? distance / (2 * sum * total) : 1;
  return { amounts, total, items, cost, over, error, code: held?.code ?? 0, grade, price, brewed, traits, traitSum, unitValue, sales, profit: sales - cost };
}

/** Why a piece of an ingredient cannot be added; null when it can. */
export function whyNot(brew: Brew, cauldron: number, action: number): string | null {
  const room = cauldrons[cauldron]!;
  const takes = ingredientOf(action)!.total;
  if (brew.items >= room.items) return `all ${room.items} slots are taken`;
  if (brew.total + takes > room.magimins) return `it takes ${takes} magimins, ${Math.max(0, room.magimins - brew.total)} are free`;
  return null;
}

/** The lowest grade that a round of a contest is won with; null when no base price reaches its target. */
export function winningGrade(round: { recipe: number; grade: number; target: number }, priced: boolean): number | null {
  const list = prices[round.recipe]!;
  const found = list.findIndex((price, grade) => grade >= round.grade && (!priced || price >= round.target));
  return found < 0 ? null : found;
}

/** One day of the shop of chapters 1 to c: pieces by rarity. */
const shopPieces: Record<string, number> = { common: 10, uncommon: 4, rare: 2, epic: 1 };
export const shopDay = (chapter: number): Pieces =>
  Object.fromEntries(ingredients.filter((piece) => piece.chapter <= chapter).map((piece) => [piece.action, shopPieces[piece.rarity] ?? 0]));
