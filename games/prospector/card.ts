// What the site says of prospector on Home and in its navigation.
import type { GameCard } from "ludus/lib/cards";

export default {
  title: "Prospector",
  known: "",
  sentence: "Mine an asteroid belt, trade what you dig up, and get home before the pirates find you.",
  place: 1,
} satisfies GameCard;
