// What Home and the navigation say of a game: games/GAME/card.ts, a few words each that are part of the
// first load. A game without one is reached by its address alone.
import { folderOf } from "./format";
import { gamePages } from "./pages";

export interface GameCard {
  /** in the navigation */
  title: string;
  /** the game that people know it by, "" where it is its own */
  known: string;
  /** what one does, in a sentence */
  sentence: string;
  /** from the first on Home; from 100 on small ones, which the navigation leaves out */
  place: number;
}

const found = import.meta.glob<{ default: GameCard }>("../../../games/*/card.ts", { eager: true });

export interface Card extends GameCard {
  /** the folder */
  game: string;
}

export const cards: Card[] = Object.entries(found)
  .map(([file, { default: card }]) => ({ game: file.split("/").at(-2) ?? "", ...card }))
  .sort((a, b) => a.place - b.place);


export const cardOf = (name: string): Card | undefined => cards.find((card) => card.game === folderOf(name));

/** Places of a game on the site, for its tabs and its card. */
export function placesOf(game: string): { to: string; name: string }[] {
  const tools = gamePages.filter((page) => page.game === game).map((page) => ({ to: `/${page.path}`, name: page.name }));
  return [{ to: `/play/${game}`, name: "Play" }, { to: `/watch/${game}`, name: "Watch" }, ...tools];
}
