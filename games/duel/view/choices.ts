// What a person can choose for a tick, as a table of both variants: buttons that set options of one or
// several heads. What stays (style, protection) is kept from tick to tick, all else is meant once.
import type { Shape } from "./shapes";

/** A button: `sets` are pairs of head and option. Of those of a group that set the same head one is chosen at most. */
export interface Choice {
  id: string;
  label: string;
  key: string;
  shape: Shape;
  sets: [head: number, option: number][];
  hint: string;
}

export interface Group {
  name: string;
  stays: boolean;
  choices: Choice[];
}

export interface Variant {
  heads: number;
  /** first flat option of each head */
  offsets: number[];
  groups: Group[];
}

const attack = 0;
const [melee, ranged, mage, potion, food, karambwan, veng, gear, movement, farcast, prayer] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] as const;

const one = (id: string, label: string, key: string, shape: Shape, sets: Choice["sets"], hint: string): Choice => ({ id, label, key, shape, sets, hint });

const farKeys = ["6", "7", "8", "9", "0", "-"];
const far = farKeys.map((key, k) => one(`far${k + 2}`, `${k + 2} away`, key, "away", [[movement, 3], [farcast, k + 1]], `Runs to a tile ${k + 2} away from the opponent.`));

const full: Variant = {
  heads: 12,
  offsets: [0, 4, 7, 10, 14, 19, 21, 23, 25, 27, 32, 39],
  groups: [
    {
      name: "Attack",
      stays: true,
      choices: [
        one("ice", "Ice", "q", "ice", [[attack, 1], [mage, 1]], "An ice spell: it freezes."),
        one("blood", "Blood", "w", "blood", [[attack, 1], [mage, 2]], "A blood spell: it heals."),
        one("ranged", "Ranged", "e", "ranged", [[attack, 2], [ranged, 1]], "Shoots."),
        one("melee", "Melee", "r", "melee", [[attack, 3], [melee, 1]], "Strikes, and runs there first."),
        one("melee_special", "Melee spec", "t", "special", [[attack, 3], [melee, 2]], "The special weapon, once; it costs energy."),
        one("ranged_special", "Ranged spec", "y", "special", [[attack, 2], [ranged, 2]], "A special shot, once; it costs energy."),
        one("magic_special", "Staff spec", "u", "special", [[attack, 1], [mage, 3]], "The staff's special, once; it costs energy."),
        one("hold", "Hold", "x", "hold", [[attack, 0]], "No attack while none is due."),
      ],
    },
    {
      name: "Prayer",
      stays: true,
      choices: [
        one("pray_magic", "Magic", "1", "magic", [[prayer, 1]], "Protects from magic."),
        one("pray_ranged", "Ranged", "2", "ranged", [[prayer, 2]], "Protects from ranged."),
        one("pray_melee", "Melee", "3", "melee", [[prayer, 3]], "Protects from melee."),
        one("smite", "Smite", "4", "smite", [[prayer, 4]], "Damage also takes prayer points."),
        one("redemption", "Redemption", "5", "redemption", [[prayer, 5]], "Heals once at low hitpoints."),
      ],
    },
    {
      name: "Eat and drink",
      stays: false,
      choices: [
        one("food", "Food", "a", "food", [[food, 1]], "Heals; delays the next attack by three ticks."),
        one("karambwan", "Karambwan", "s", "karambwan", [[karambwan, 1]], "Heals beside other food; delays the next attack by two ticks."),
        one("brew", "Brew", "d", "potion", [[potion, 1]], "Heals, and lowers levels."),
        one("restore", "Restore", "f", "potion", [[potion, 2]], "Restores levels and prayer."),
        one("combat", "Combat", "h", "potion", [[potion, 3]], "Boosts attack and strength."),
        one("ranging", "Ranging", "j", "potion", [[potion, 4]], "Boosts ranged."),
      ],
    },
    {
      name: "Also",
      stays: false,
      choices: [
        one("tank", "Tank gear", "b", "shield", [[gear, 1]], "Wears what defends best, in a tick without an attack."),
        one("veng", "Vengeance", "v", "vengeance", [[veng, 1]], "Returns a part of the next hit."),
      ],
    },
    {
      name: "Move",
      stays: false,
      choices: [
        one("next", "Next to", "ArrowUp", "next", [[movement, 1]], "Runs to a tile beside the opponent."),
        one("under", "Under", "ArrowDown", "under", [[movement, 2]], "Stands under an opponent who is frozen."),
        one("diagonal", "Diagonal", "ArrowRight", "diagonal", [[movement, 4]], "Out of reach of melee, one tile across."),
        ...far,
      ],
    },
  ],
};

const dharok: Variant = {
  heads: 6,
  offsets: [0, 4, 8, 10, 12, 14],
  groups: [
    {
      name: "Attack",
      stays: true,
      choices: [
        one("whip", "Tentacle", "q", "melee", [[0, 1]], "Fast."),
        one("axe", "Greataxe", "w", "melee", [[0, 2]], "Hits harder the fewer hitpoints you have."),
        one("maul", "Maul spec", "t", "special", [[0, 3]], "At once, as often as the energy allows."),
        one("hold", "Hold", "x", "hold", [[0, 0]], "No attack."),
      ],
    },
    {
      name: "Eat and drink",
      stays: false,
      choices: [
        one("food", "Food", "a", "food", [[2, 1]], "Heals; delays the next attack."),
        one("karambwan", "Karambwan", "s", "karambwan", [[3, 1]], "Heals beside other food."),
        one("brew", "Brew", "d", "potion", [[1, 1]], "Heals, and lowers levels."),
        one("restore", "Restore", "f", "potion", [[1, 2]], "Restores levels."),
        one("combat", "Combat", "h", "potion", [[1, 3]], "Boosts attack and strength."),
      ],
    },
    {
      name: "Also",
      stays: false,
      choices: [
        one("veng", "Vengeance", "v", "vengeance", [[4, 1]], "Returns a part of the next hit."),
        one("armour", "Armour on", "b", "shield", [[5, 1]], "The whole set: the axe hits harder."),
        one("bare", "Armour off", "c", "none", [[5, 2]], "Hits taken are larger, hitpoints fall."),
      ],
    },
  ],
};

/** Keys of a second person beside those of the first: the right of the letters, and the number pad. */
export const secondKeys: Record<string, string> = {
  ...{ ice: "i", blood: "o", ranged: "p", melee: "[", melee_special: "]", ranged_special: "=", magic_special: "\\", hold: "n" },
  ...{ pray_magic: "k", pray_ranged: ";", pray_melee: "'", smite: "NumpadMultiply", redemption: "NumpadDivide" },
  ...{ food: "m", karambwan: "Numpad0", brew: ",", restore: "/", combat: "NumpadDecimal", ranging: "ArrowLeft" },
  ...{ tank: "NumpadSubtract", veng: "NumpadAdd", next: "Numpad7", under: "Numpad8", diagonal: "Numpad9" },
  ...{ far2: "Numpad4", far3: "Numpad5", far4: "Numpad6", far5: "Numpad1", far6: "Numpad2", far7: "Numpad3" },
  ...{ whip: "i", axe: "o", maul: "]", armour: "NumpadSubtract", bare: "NumpadMultiply" },
};

/** The variant whose mask has so many options. */
export const variantOf = (options: number): Variant => (options === 17 ? dharok : full);

/** Choices that are meant once although their group stays. */
const specials = new Set(["melee_special", "ranged_special", "magic_special", "maul"]);

/** What a person has chosen for the next ticks. */
export class Plan {
  private readonly stay = new Map<string, string>();
  private once = new Set<string>();

  constructor(readonly variant: Variant) {}

  private groupOf(id: string): Group {
    return this.variant.groups.find((group) => group.choices.some((choice) => choice.id === id))!;
  }

  has(id: string): boolean {
    const group = this.groupOf(id);
    return this.once.has(id) || (this.stay.get(group.name) === id && !group.choices.some((other) => this.once.has(other.id)));
  }

  /** Chooses; what is chosen already and is meant once is taken back. */
  press(id: string): void {
    const group = this.groupOf(id);
    const had = this.once.has(id);
    const [head] = group.choices.find((choice) => choice.id === id)!.sets[0]!;
    for (const other of group.choices) if (other.sets[0]![0] === head) this.once.delete(other.id);
    if (group.stays && !specials.has(id)) this.stay.set(group.name, id);
    else if (!had) this.once.add(id);
  }

  /** A tick has passed. */
  ticked(): void {
    this.once.clear();
  }

  /** The decision: what is chosen and legal. Where something must be chosen and that is not possible, `now` (the
   * protection that is on) stays, else the first that can be. */
  decision(mask: Uint8Array, now: string): number[] {
    const { variant } = this;
    const actions = new Array<number>(variant.heads).fill(0);
    const take = (choice: Choice) => choice.sets.forEach(([head, option]) => (actions[head] = option));
    for (const group of variant.groups) {
      const wanted = group.choices.filter((choice) => this.has(choice.id));
      const legal = wanted.filter((choice) => isLegal(variant, choice, mask));
      legal.forEach(take);
      if (group.stays && legal.length === 0 && !leaves(variant, group, mask)) {
        const open = group.choices.filter((choice) => !specials.has(choice.id) && isLegal(variant, choice, mask));
        const other = open.find((choice) => choice.id === now) ?? open[0];
        if (other) take(other);
      }
    }
    // gear is for ticks without an attack
    if (variant === full && actions[attack] !== 0) actions[gear] = 0;
    return actions;
  }
}

export const isLegal = ({ offsets }: Variant, choice: Choice, mask: Uint8Array): boolean => choice.sets.every(([head, option]) => mask[(offsets[head] ?? 0) + option] === 1);

/** Whether the first head of a group may be left alone. */
function leaves({ offsets }: Variant, group: Group, mask: Uint8Array): boolean {
  const head = group.choices[0]?.sets[0]?.[0] ?? 0;
  return mask[offsets[head] ?? 0] === 1;
}

/** A whole decision in words. */
export function tellChoices(actions: number[]): string {
  const variant = actions.length === dharok.heads ? dharok : full;
  const isSet = (choice: Choice) => choice.sets.every(([head, option]) => actions[head] === option);
  const told = variant.groups.flatMap((group) => group.choices.filter((choice) => choice.id !== "hold" && isSet(choice)).map((choice) => (group.name === "Prayer" && choice.id.startsWith("pray") ? `protect from ${choice.label.toLowerCase()}` : choice.label.toLowerCase())));
  return told.join(", ") || "nothing";
}
