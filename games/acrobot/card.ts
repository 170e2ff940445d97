// What the site says of acrobot on Home and in its navigation.
import type { GameCard } from "ludus/lib/cards";

export default {
  title: "Acrobot",
  known: "",
  sentence: "Swing two links up by a torque at the elbow.",
  place: 101,
} satisfies GameCard;
