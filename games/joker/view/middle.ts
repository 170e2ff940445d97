// The middle of the table by phase: the blinds to choose from, the shop, an open pack, the pay, the end.
import { isFull, type Zone } from "./choice";
import { make } from "ludus/make";
import { blindTiles, roundOf } from "./panels";
import { blindTitle, deeds, money, phases, rerollPrice, scoreText, type Item, type State } from "./state";
import { consumableOf } from "./tables";
import { itemTile, offerTile, priceText, type TileHost } from "./tiles";

/** What decisions look like on the board, for its parts. */
export interface Desk {
  /** a person plays here */
  live: boolean;
  /** cards are chosen and moved; else a planner does that */
  byHand: boolean;
  tiles: TileHost;
  /** the decision for a deed with what is chosen, or what is missing for it */
  moveTo(deed: number, index?: number): number[] | string;
  /** half a sentence when a decision cannot be made */
  whyNot(move: number[] | string): string;
  deedButton(name: string, text: string, move: number[] | string, key?: string): HTMLButtonElement;
}

const part = (title: string, ...inside: (HTMLElement | null)[]): HTMLElement => make("div", "jk-part", make("h3", "", title), ...inside);
const tilesOr = (list: HTMLElement[], none: string): HTMLElement => (list.length ? make("div", "jk-tiles", ...list) : make("p", "jk-note", none));

/** A tile with its price and what one can do with it at once. */
function stall(desk: Desk, zone: Zone, index: number, tile: HTMLElement, price: string, deed: number, word: string): HTMLElement {
  if (!desk.live) return make("div", "jk-stall", tile, price ? make("p", "jk-price", price) : null);
  const buy = desk.deedButton("button jk-buy", price ? `${word} ${price}` : word, desk.moveTo(deed, index));
  buy.dataset["id"] = `${zone}-${index}-buy`;
  return make("div", "jk-stall", tile, buy);
}

/** Where the planner makes room for a joker or uses a Planet at once, the button says so. */
function buyWord(desk: Desk, state: State, item: Item): string {
  if (desk.byHand || !desk.live) return "Buy";
  return isFull(state, item) ? "Swap for" : consumableOf(item.key ?? "")?.set === "Planet" ? "Use for" : "Buy";
}

function shopParts(desk: Desk, now: State): HTMLElement[] {
  const { tiles } = desk;
  const cards = now.shop.flatMap((item, index) => (item ? [stall(desk, "shop", index, itemTile(tiles, { zone: "shop", index }, item), priceText(item), deeds.buy, buyWord(desk, now, item))] : []));
  const offers = now.shop_vouchers.flatMap((offer, index) => (offer ? [stall(desk, "voucher", index, offerTile(tiles, { zone: "voucher", index }, offer), priceText(offer), deeds.buyVoucher, "Buy")] : []));
  const packs = now.packs.flatMap((offer, index) => (offer ? [stall(desk, "booster", index, offerTile(tiles, { zone: "booster", index }, offer), priceText(offer), deeds.buyPack, "Open")] : []));
  const price = rerollPrice(now);
  const reroll = `Reroll ${price ? money(price) : "free"}`;
  const go = desk.live
    ? make("div", "jk-bar", desk.deedButton("button", reroll, desk.moveTo(deeds.reroll), "R"), desk.deedButton("button primary", "Next round", desk.moveTo(deeds.nextRound), "N"))
    : make("p", "jk-note", reroll);
  return [part("Shop", tilesOr(cards, "sold out"), go), part("Vouchers", tilesOr(offers, "none left")), part("Packs", tilesOr(packs, "none left"))];
}

function packParts(desk: Desk, now: State): HTMLElement[] {
  const cards = now.pack.flatMap((item, index) => (item ? [stall(desk, "shown", index, itemTile(desk.tiles, { zone: "shown", index }, item), "", deeds.pick, "Take")] : []));
  const leave = desk.live ? make("div", "jk-bar", desk.deedButton("button", "Leave the pack", desk.moveTo(deeds.skipPack), "X")) : null;
  return [part(`Open pack: take ${now.pack_picks} more`, make("div", "jk-tiles", ...cards), leave)];
}

function selectParts(desk: Desk, now: State): HTMLElement[] {
  const rerollBoss = desk.moveTo(deeds.rerollBoss);
  const buttons = desk.live
    ? make(
        "div",
        "jk-bar",
        desk.deedButton("button primary", "Start the blind", desk.moveTo(deeds.selectBlind), "B"),
        now.blind < 2 ? desk.deedButton("button", "Skip it for the tag", desk.moveTo(deeds.skipBlind), "K") : null,
        desk.whyNot(rerollBoss) ? null : desk.deedButton("button", "Reroll the boss $10", rerollBoss, "H"),
      )
    : null;
  return [part(`Ante ${now.ante}`, blindTiles(now), buttons)];
}

function payParts(desk: Desk, now: State): HTMLElement[] {
  const pay = desk.live ? make("div", "jk-bar", desk.deedButton("button primary", `Cash out ${money(now.owed)}`, desk.moveTo(deeds.cashOut), "C")) : null;
  return [part(`${blindTitle(now)} is beaten`, make("p", "", `To be paid: ${money(now.owed)}.`), pay)];
}

function endParts(now: State): HTMLElement[] {
  const end = part(now.lost ? "The run is lost" : "The run is won", make("p", "", `Ante ${now.ante}, round ${roundOf(now)}, best hand ${scoreText(now.best)}.`));
  end.classList.add("jk-end");
  return [end];
}

/** None while a hand is played. */
export function middleParts(desk: Desk, now: State): HTMLElement[] {
  if (now.phase === phases.end) return endParts(now);
  if (now.pack_open) return packParts(desk, now);
  if (now.phase === phases.select) return selectParts(desk, now);
  if (now.phase === phases.shop) return shopParts(desk, now);
  return now.phase === phases.cashOut ? payParts(desk, now) : [];
}
