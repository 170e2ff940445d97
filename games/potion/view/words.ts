// The 208 actions in plain words, by place, and by what the recipe wants while a person plays; how to
// play.
import type { ActionInfo, Frame } from "ludus/view";
import { cleanness, recipeOf, type State } from "./rules";
import { amountsText, ingredientOf, ingredients, senses, type Ingredient } from "./tables";

const brew = "Brew";

function traitsText(piece: Ingredient): string {
  const signed = (sign: number): string[] => senses.filter((_, k) => piece.traits[k] === sign);
  const parts = [
    [signed(1), "good"],
    [signed(-1), "bad"],
  ] as const;
  return parts.flatMap(([list, word]) => (list.length ? [`${word} ${list.join(" and ")}`] : [])).join(", ");
}

const facts = (piece: Ingredient): string =>
  [amountsText(piece.amounts), `${piece.price} gold`, piece.places.join(" and "), `${piece.rarity} ${piece.kind.replace("_", " ")}`, traitsText(piece)].filter(Boolean).join("; ");

export const actions: ActionInfo[] = [
  { option: 0, name: "finish", label: "Finish the brew", group: brew, key: "f", icon: "finish", hint: "Take the potions out as the mix is now; it takes two items." },
  ...ingredients.map((piece) => ({
    option: piece.action,
    name: piece.name,
    label: piece.name,
    group: piece.places[0] ?? "",
    icon: piece.kind,
    hint: `${facts(piece)}.`,
  })),
  { option: ingredients.length + 1, name: "reserved", label: "Kept free", group: brew, icon: "none", hint: "Kept for an ingredient of your own; it can never be chosen." },
];

const offers = ["All of it is wanted", "Part of it is wanted", "None of it is wanted"] as const;
const order = [brew, ...offers];

const totalOf = (option: number): number => ingredientOf(option)?.total ?? 0;

/** The ingredients by what the recipe wants of them, with what they hold and how many are left: those that are
 * left first, the strongest on top. */
export function offered(frame: Frame): ActionInfo[] {
  const state = frame.state as State;
  const recipe = recipeOf(state);
  const rows = actions.slice(0, -1).map((action): ActionInfo => {
    const piece = ingredientOf(action.option);
    if (!piece) return action;
    const clean = cleanness(piece, recipe);
    const left = state.stock[action.option] ?? 0;
    return { ...action, detail: `${amountsText(piece.amounts)} · ×${left}`, group: offers[clean >= 1 ? 0 : clean > 0 ? 1 : 2] };
  });
  const out = ({ option }: ActionInfo): number => (ingredientOf(option) && !(state.stock[option] ?? 0) ? 1 : 0);
  return rows.sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group) || out(a) - out(b) || totalOf(b.option) - totalOf(a.option) || a.option - b.option);
}

export const howTo = [
  {
    title: "One cauldron, one recipe",
    text: "Ingredients hold magimins: A red, B green, C yellow, D blue, E purple. The recipe wants some of them in a ratio, and none of the others. Add pieces until the cauldron is full.",
  },
  {
    title: "Watch the marks",
    text: "Each bar shows a magimin's share of the mix; the mark on it is what the recipe wants. What lies in the wrong place makes the potion less stable.",
  },
  {
    title: "Mind the room",
    text: "A piece takes a slot and room for all its magimins. Nothing comes out again, order does not matter, and the last slot or the last magimin ends the brew.",
  },
  {
    title: "Finish",
    text: "F finishes. Up to 0.25% in the wrong place is perfect and brings two stars; above 25.25%, or with one item, no potion comes out.",
  },
  {
    title: "What it brings",
    text: "More magimins make a better grade and a higher price. Two items make one potion. Good traits (taste, touch, smell, sight, sound) raise the price by 5% each, bad ones lower it.",
  },
  {
    title: "Find ingredients",
    text: "Click the shelf below the cauldron, or search the list: a name, a place, a letter with its amount (“A 12”), a trait (“good smell”). “Legal only” hides the rest.",
  },
];
