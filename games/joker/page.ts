// The pages that joker brings to the site.
import type { GamePage } from "ludus/lib/pages";

export default {
  path: "joker",
  name: "Seeds",
  title: "Seeds of joker",
  load: () => import("./page/seeds"),
} satisfies GamePage;
