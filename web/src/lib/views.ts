// The views of the games: games/GAME/view.ts, each a chunk of its own that is fetched when the game
// is shown. A game without one, or whose view does not load, is shown as its board in text.
import type { GameView } from "../view";
import { folderOf } from "./format";
import { textView } from "./text_view";

const found = import.meta.glob<{ default: GameView }>("../../../games/*/view.ts");
const loaders = new Map(Object.entries(found).map(([file, load]) => [file.split("/").at(-2) ?? "", load]));

/** The view of a game by folder or id. */
export async function viewOf(game: string): Promise<GameView> {
  const name = loaders.has(game) ? game : folderOf(game);
  const load = loaders.get(name);
  return load ? load().then((file) => file.default, () => textView(name)) : textView(name);
}

export const drawn = (): string[] => [...loaders.keys()];
