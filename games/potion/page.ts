// The pages that potion brings to the site.
import type { GamePage } from "ludus/lib/pages";

export default {
  path: "potion",
  name: "Brew",
  title: "Brew potions",
  load: () => import("./page/brew"),
} satisfies GamePage;
