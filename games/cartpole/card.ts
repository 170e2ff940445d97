// What the site says of cartpole on Home and in its navigation.
import type { GameCard } from "ludus/lib/cards";

export default {
  title: "Cart and Pole",
  known: "",
  sentence: "Balance a pole on a cart; the first thing to train, in seconds.",
  place: 100,
} satisfies GameCard;
