// What the site says of corridor on Home and in its navigation.
import type { GameCard } from "ludus/lib/cards";

export default {
  title: "Corridor",
  known: "",
  sentence: "Find the lamp at one end of a dark row of cells; the smallest game.",
  place: 102,
} satisfies GameCard;
