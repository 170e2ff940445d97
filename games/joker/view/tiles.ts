// Things on the table as tiles: buttons that can be chosen or picked out, with a face, a title and what
// it does.
import { emblem } from "./emblem";
import { cardFace, packArt, voucherArt } from "./face";
import { make } from "ludus/make";
import { cardOf, cardWords, itemTitle, jokerTitle, marksOf, money, storedText, type ConsumableState, type Item, type JokerState, type Offer, type State } from "./state";
import { consumableOf, jokerOf, modifierOf, thingOf } from "./tables";
import type { Place } from "./choice";

export interface TileHost {
  state: State;
  /** chosen, for hand cards; picked out, for all others */
  pressed(place: Place): boolean;
  act(place: Place): void;
}

function tile(host: TileHost, place: Place, name: string, label: string, hint: string, ...inside: (Node | null)[]): HTMLButtonElement {
  const seen = make("span", "jk-seen", ...inside);
  seen.setAttribute("aria-hidden", "true");
  const button = make("button", `jk-tile ${name}`, make("span", "sr-only", label), seen);
  button.type = "button";
  button.dataset["id"] = `${place.zone}-${place.index}`;
  button.setAttribute("aria-pressed", String(host.pressed(place)));
  if (hint) button.title = hint;
  button.addEventListener("click", () => host.act(place));
  return button;
}

/** A card of the hand. */
export function cardTile(host: TileHost, place: Place, text: string): HTMLButtonElement {
  const card = cardOf(text);
  const mods = [card.enhancement, card.edition, card.seal].filter(Boolean).map(modifierOf);
  const strip = mods.length || card.bonus ? make("span", "jk-mods", mods.map((mod) => mod.title).join(" · ") || `+${card.bonus}`) : null;
  const hint = mods.map((mod) => `${mod.title}: ${mod.effect}`).join(". ");
  const button = tile(host, place, `jk-card${card.debuffed ? " jk-off" : ""}`, cardWords(card), hint, cardFace(card), strip);
  if (card.forced) button.classList.add("jk-forced");
  return button;
}

const marks = (list: string[]): HTMLElement | null => (list.length ? make("span", "jk-marks", ...list.map((word) => make("span", `jk-mark jk-${word.split(/[ ,]/)[0]!.toLowerCase()}`, word))) : null);

export function jokerTile(host: TileHost, place: Place, joker: JokerState): HTMLButtonElement {
  const known = jokerOf(joker.key ?? "");
  if (!known) return tile(host, place, "jk-thing jk-down", "A joker face down", "", cardFace(cardOf("??")), make("span", "jk-title", "Face down"));
  const stored = storedText(host.state, joker);
  const list = marksOf(joker);
  const label = [known.title, known.effect, stored, ...list].filter(Boolean).join(". ");
  return tile(host, place, `jk-thing jk-${known.rarity}${joker.debuffed ? " jk-off" : ""}`, label, known.effect,
    emblem(known.key, known.rarity),
    make("span", "jk-title", jokerTitle(joker)),
    make("span", "jk-effect", known.effect),
    stored ? make("span", "jk-stored", stored) : null,
    marks(list));
}

export function consumableTile(host: TileHost, place: Place, one: Pick<ConsumableState, "key" | "title"> & { negative?: boolean }): HTMLButtonElement {
  const known = consumableOf(one.key);
  const effect = known?.effect ?? "";
  return tile(host, place, "jk-thing", [one.title, known?.set, effect, one.negative ? "Negative" : ""].filter(Boolean).join(". "), effect,
    emblem(one.key, known?.set ?? ""),
    make("span", "jk-title", one.title),
    make("span", "jk-effect", effect),
    marks(one.negative ? ["Negative"] : []));
}

/** A card on display: joker, consumable or playing card. */
export function itemTile(host: TileHost, place: Place, item: Item): HTMLButtonElement {
  if (item.joker) return jokerTile(host, place, item.joker);
  if (item.card) return cardTile(host, place, item.card);
  return consumableTile(host, place, { key: item.key ?? "", title: itemTitle(item) });
}

export function offerTile(host: TileHost, place: Place, offer: Offer): HTMLButtonElement {
  const known = thingOf(offer.key);
  const art = place.zone === "booster" ? packArt(offer.key) : voucherArt(offer.key);
  return tile(host, place, "jk-thing jk-offer", `${offer.title}. ${known.effect}`, known.effect, art, make("span", "jk-title", offer.title), make("span", "jk-effect", known.effect));
}

export const priceText = (offer: { price: number; free: boolean }): string => (offer.free || offer.price === 0 ? "free" : money(offer.price));
