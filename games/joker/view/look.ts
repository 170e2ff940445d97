// What is picked out: its title, what it does and stores, and what can be done with it.
import { moveFor, moveOf, type Choice, type Place } from "./choice";
import { cardOf, cardWords, deeds, itemTitle, jokerTitle, marksOf, money, sellValue, storedText, type State } from "./state";
import { jokerOf, modifierOf, thingOf } from "./tables";
import { priceText } from "./tiles";

/** Words, the decision or what is missing for it, and its key. */
type Todo = [text: string, move: number[] | string, key: string];

export interface Look {
  title: string;
  lines: string[];
  deeds: Todo[];
}

export function lookOf({ zone, index }: Place, now: State, choice: Choice): Look | null {
  const move = (deed: number): number[] | string => moveFor(now, choice, deed, index);
  const shiftMoves = (deed: number, count: number): Todo[] => [
    ["Move left", index > 0 ? moveOf(deed, index, index - 1) : "it is the first", "["],
    ["Move right", index + 1 < count ? moveOf(deed, index, index + 1) : "it is the last", "]"],
  ];
  const joker = zone === "joker" ? now.jokers[index] : zone === "shop" ? now.shop[index]?.joker : zone === "shown" ? now.pack[index]?.joker : undefined;
  const item = zone === "shop" ? now.shop[index] : zone === "shown" ? now.pack[index] : undefined;
  const cardText = zone === "hand" ? now.hand[index] : item?.card;
  const key = zone === "bag" ? now.consumables[index]?.key : (item?.key ?? (zone === "voucher" ? now.shop_vouchers[index]?.key : zone === "booster" ? now.packs[index]?.key : undefined));
  const todo: Todo[] = [];
  if (zone === "joker" && joker) todo.push([`Sell ${money(sellValue(joker))}`, move(deeds.sellJoker), "S"], ...shiftMoves(deeds.moveJoker, now.jokers.length));
  if (zone === "bag" && now.consumables[index]) todo.push(["Use", move(deeds.use), "E"], [`Sell ${money(sellValue(now.consumables[index]!))}`, move(deeds.sellConsumable), "Z"]);
  if (zone === "hand") todo.push(...shiftMoves(deeds.moveCard, now.hand.length));
  if (zone === "shop" && item) {
    todo.push([`Buy ${priceText(item)}`, move(deeds.buy), "Y"]);
    if (item.key) todo.push(["Buy and use", move(deeds.buyAndUse), "Q"]);
  }
  if (zone === "shown" && item) todo.push(["Take", move(deeds.pick), "T"]);
  if (joker) {
    const known = jokerOf(joker.key ?? "");
    return { title: jokerTitle(joker), lines: [known ? `${known.rarity} joker` : "", known?.effect ?? "", storedText(now, joker), marksOf(joker).join(", ")], deeds: todo };
  }
  if (cardText) {
    const card = cardOf(cardText);
    const mods = [card.enhancement, card.edition, card.seal].filter(Boolean).map((word) => `${modifierOf(word).title}: ${modifierOf(word).effect}`);
    return { title: cardWords(card), lines: mods, deeds: todo };
  }
  if (key) return { title: item ? itemTitle(item) : thingOf(key).title, lines: [thingOf(key).effect], deeds: todo };
  return null;
}
