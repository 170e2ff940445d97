// Things of a seed as small faces with their names; what is rare stands out by its colour.
import { Show } from "solid-js";
import { emblem } from "../view/emblem";
import { blindDisc, cardFace, packArt, voucherArt } from "../view/face";
import { cardOf, cardShort, cardWords } from "../view/state";
import { consumableOf, jokerOf, modifierOf, thingOf } from "../view/tables";
import type { SeedItem } from "./seed";

/** A thing by name, its effect in the tooltip. */
export function Named(props: { of: string; more?: string }) {
  const thing = () => thingOf(props.of);
  return (
    <span class="named" title={thing().effect}>
      {thing().title}
      <Show when={props.more}>
        <small> {props.more}</small>
      </Show>
    </span>
  );
}

const stickerNames: Record<string, string> = { E: "Eternal", P: "Perishable", R: "Rental" };

function marksOf({ ed, enh, seal, stickers = "" }: SeedItem): string {
  const words = [ed, enh].flatMap((word) => (word ? [modifierOf(word).title] : []));
  if (seal) words.push(modifierOf(`${seal}seal`).title);
  return [...words, ...[...stickers].map((letter) => stickerNames[letter] ?? letter)].join(", ");
}

/** common to legendary, negative, or nothing for what is no joker */
export const rarityOf = (item: SeedItem): string => (item.ed?.toLowerCase() === "negative" ? "negative" : item.key === "c_soul" ? "legendary" : (jokerOf(item.key ?? "")?.rarity ?? ""));

export const titleOf = (item: SeedItem): string => (item.card ? cardShort(item.card) : thingOf(item.key ?? "").title);

export function Thing(props: { item: SeedItem }) {
  const face = () => {
    const { card, key = "" } = props.item;
    if (card) return cardFace(cardOf(card));
    if (key.startsWith("tag_")) return null;
    if (key.startsWith("v_")) return voucherArt(key);
    return key.startsWith("bl_") ? blindDisc(thingOf(key).title) : emblem(key, jokerOf(key)?.rarity ?? consumableOf(key)?.set ?? "");
  };
  return (
    <span class={`thing ${rarityOf(props.item)}`} classList={{ "thing-card": Boolean(props.item.card) }}>
      <Show when={face()}>
        {(drawn) => (
          <span class="thing-face" aria-hidden="true">
            {drawn()}
          </span>
        )}
      </Show>
      <Show when={props.item.card} fallback={<Named of={props.item.key ?? ""} more={marksOf(props.item)} />}>
        {(card) => (
          <span class="named" title={cardWords(cardOf(card()))}>
            {cardShort(card())}
            <Show when={marksOf(props.item)}>
              <small> {marksOf(props.item)}</small>
            </Show>
          </span>
        )}
      </Show>
    </span>
  );
}

export const PackFace = (props: { of: string }) => (
  <span class="thing-face thing-tall" aria-hidden="true">
    {packArt(props.of)}
  </span>
);
export const VoucherFace = (props: { of: string }) => (
  <span class="thing-face thing-tall" aria-hidden="true">
    {voucherArt(props.of)}
  </span>
);
