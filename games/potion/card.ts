// What the site says of potion on Home and in its navigation.
import type { GameCard } from "ludus/lib/cards";

export default {
  title: "Potion",
  known: "Potionomics",
  sentence: "Mix ingredients into the best potion, and let a solver prove what your stock can brew.",
  place: 3,
} satisfies GameCard;
