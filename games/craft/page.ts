// The page that craft brings to the site.
import type { GamePage } from "ludus/lib/pages";

export default {
  path: "craft",
  name: "Workbench",
  title: "Craft items",
  load: () => import("./page/craft"),
} satisfies GamePage;
