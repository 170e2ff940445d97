// What is picked out: its title, what it does and stores, and what can be done with it.
import { moveFor, moveOf, type Choice, type Place, type Zone } from "./choice";
import { planMove } from "./plan";
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

/** What joker-plan-v1 lets one do with a thing of a zone; without a key it is the thing's number. */
const planned: Partial<Record<Zone, [deed: number, text: string, key: string]>> = {
  shop: [deeds.buy, "Buy", ""],
  shown: [deeds.pick, "Take", ""],
  voucher: [deeds.buyVoucher, "Buy", "V"],
  booster: [deeds.buyPack, "Open", "O"],
  bag: [deeds.use, "Use", "E"],
};
function plannedOf(zone: Zone, index: number): Todo[] {
  const [deed, text, key] = planned[zone] ?? [];
  const move = deed === undefined ? null : planMove(deed, index);
  return move && text ? [[text, move, key || String(index + 1)]] : [];
}

export function lookOf({ zone, index }: Place, now: State, choice: Choice): Look | null {
  const move = (deed: number): number[] | string => moveFor(now, choice, deed, index);
  /** what joker-brief-v1 never has is left out */
  const whole = (...list: Todo[]): Todo[] => (choice.mode === "brief" ? [] : list);
  const shiftMoves = (deed: number, count: number): Todo[] =>
    whole(["Move left", index > 0 ? moveOf(deed, index, index - 1) : "it is the first", "["], ["Move right", index + 1 < count ? moveOf(deed, index, index + 1) : "it is the last", "]"]);
  const joker = zone === "joker" ? now.jokers[index] : zone === "shop" ? now.shop[index]?.joker : zone === "shown" ? now.pack[index]?.joker : undefined;
  const item = zone === "shop" ? now.shop[index] : zone === "shown" ? now.pack[index] : undefined;
  const cardText = zone === "hand" ? now.hand[index] : item?.card;
  const key = zone === "bag" ? now.consumables[index]?.key : (item?.key ?? (zone === "voucher" ? now.shop_vouchers[index]?.key : zone === "booster" ? now.packs[index]?.key : undefined));
  const todo: Todo[] = [];
  if (choice.mode === "plan") todo.push(...plannedOf(zone, index));
  else if (zone === "joker" && joker) todo.push([`Sell ${money(sellValue(joker))}`, move(deeds.sellJoker), "S"], ...shiftMoves(deeds.moveJoker, now.jokers.length));
  else if (zone === "bag" && now.consumables[index]) todo.push(["Use", move(deeds.use), "E"], ...whole([`Sell ${money(sellValue(now.consumables[index]!))}`, move(deeds.sellConsumable), "Z"]));
  else if (zone === "hand") todo.push(...shiftMoves(deeds.moveCard, now.hand.length));
  else if (zone === "shop" && item) {
    todo.push([`Buy ${priceText(item)}`, move(deeds.buy), "Y"]);
    if (item.key) todo.push(...whole(["Buy and use", move(deeds.buyAndUse), "Q"]));
  } else if (zone === "shown" && item) todo.push(["Take", move(deeds.pick), "T"]);
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
