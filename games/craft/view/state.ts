// A state of craft as its JSON has it, and what follows from it.
export interface Modifier {
  mod?: string;
  side: "P" | "S";
  tier?: number;
  tiers?: number;
  text: string;
  fractured?: boolean;
  desecrated?: boolean;
  unrevealed?: boolean;
  crafted?: boolean;
}

export interface State {
  base: string;
  ilvl: number;
  item: { rarity: "normal" | "magic" | "rare"; mods: Modifier[]; corrupted?: boolean; options?: string[] };
  /** `words` says what it takes; replays of earlier rules may not have it */
  requirements: { matched: number; count: number; words?: string; hits: number[] }[];
  open_prefix: number;
  open_suffix: number;
  score: number;
  most: number;
  spent: number;
  budget: number;
  bases: number;
  steps: number;
  /** of one use of each action, in exalted; null: this target has no use for it */
  prices?: (number | null)[];
  /** what the essence actions stand for, in their order */
  essences?: (string | null)[];
  end: number;
}

/** Places of the modifiers that hit a requirement. */
export const hitsOf = (state: State): Set<number> => new Set(state.requirements.flatMap((one) => one.hits));

/** "T1 of 9, fractured" */
export function marksOf(modifier: Modifier): string {
  const flags = (["fractured", "desecrated", "crafted"] as const).filter((flag) => modifier[flag]);
  return [...(modifier.tier ? [`T${modifier.tier} of ${modifier.tiers}`] : []), ...flags].join(", ");
}
