// What the site says of duel on Home and in its navigation.
import type { GameCard } from "ludus/lib/cards";

export default {
  title: "Duel",
  known: "Old School RuneScape",
  sentence: "Fight player against player, tick by tick: switch gear, guess prayers, eat, knock out.",
  place: 5,
} satisfies GameCard;
