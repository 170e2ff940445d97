// What the site says of craft on Home and in its navigation.
import type { GameCard } from "ludus/lib/cards";

export default {
  title: "Craft",
  known: "Path of Exile 2",
  sentence: "Turn a white base into the item you want, by the cheapest way there is, with odds and prices.",
  place: 4,
} satisfies GameCard;
