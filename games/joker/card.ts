// What the site says of joker on Home and in its navigation.
import type { GameCard } from "ludus/lib/cards";

export default {
  title: "Joker",
  known: "Balatro",
  sentence: "Beat ever higher blinds with poker hands and jokers; look up and search the seeds of the real game.",
  place: 2,
} satisfies GameCard;
