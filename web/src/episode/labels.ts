// Plain words for the options of a game's heads.
import { words } from "../lib/format";
import type { GameView } from "../view";

interface Head {
  name: string;
  offset: number;
  options: string[];
}

/** Words for flat options: those of the view for all heads or for head 0, else the specification's with the head's name. */
export function labelsOf(view: GameView, heads: readonly Head[]): (option: number) => string {
  const told = view.heads?.find((list) => list.length === heads.length && list.every(({ options }, h) => options.length === heads[h]!.options.length));
  const names = heads[0]?.options ?? [];
  const known = [...view.actions, ...(view.otherActions ?? [])].filter((action) => names[action.option]?.toLowerCase() === action.name.toLowerCase());
  const labels = new Map(known.map((action) => [action.option, action.label]));
  return (option) => {
    const h = heads.findLastIndex((one) => option >= one.offset);
    const head = heads[h];
    if (!head) return String(option);
    const { title = words(head.name), options = head.options } = told?.[h] ?? {};
    const name = words(options[option - head.offset] ?? String(option));
    if (!told && h === 0) return labels.get(option) ?? name;
    return name === title.toLowerCase() ? title : `${title}: ${name}`;
  };
}
