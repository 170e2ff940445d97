// Pages that games bring: games/GAME/page.ts, a few lines each that are part of the first load; what
// they show comes as a chunk of its own when it is opened.
import type { Component } from "solid-js";

export interface GamePage {
  /** first part of the address: "potion" is /potion */
  path: string;
  /** among the tabs of its game */
  name: string;
  /** of the window */
  title: string;
  /** `rest` is what stands behind the path: "x/y" in /potion/x/y */
  load: () => Promise<{ default: Component<{ rest: string }> }>;
}

const found = import.meta.glob<{ default: GamePage | GamePage[] }>("../../../games/*/page.ts", { eager: true });

/** All of them, with the folder of their game; one page.ts may bring several. */
export const gamePages: (GamePage & { game: string })[] = Object.entries(found).flatMap(([file, { default: pages }]) =>
  [pages].flat().map((page) => ({ ...page, game: file.split("/").at(-2) ?? "" })),
);
