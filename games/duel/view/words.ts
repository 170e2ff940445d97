// Words of duel: the options of the first head, and how to play.
import type { ActionInfo, HeadWords } from "ludus/view";

const action = (option: number, name: string, label: string, hint: string): ActionInfo => ({ option, name, label, group: "Attack", hint });

export const actions: ActionInfo[] = [
  action(0, "no_op_attack", "No attack", "Waits until an attack is due."),
  action(1, "mage_attack", "Magic", "A spell, in the gear for it."),
  action(2, "ranged_attack", "Ranged", "A shot, in the gear for it."),
  action(3, "melee_attack", "Melee", "A blow, in the gear for it."),
];

export const dharokActions: ActionInfo[] = [
  action(0, "no_op_attack", "No attack", "Waits."),
  action(1, "whip_attack", "Tentacle", "Fast."),
  action(2, "axe_attack", "Greataxe", "Hits harder the fewer hitpoints its owner has."),
  action(3, "maul_spec_attack", "Maul special", "At once, as often as the energy allows."),
];

const head = (title: string, ...options: string[]): HeadWords => ({ title, options });

/** What each head of a variant decides, in plain words by option; 0 is to do nothing. */
export const heads: HeadWords[] = [
  head("Attack", "none", "magic", "ranged", "melee"),
  head("Melee", "none", "basic melee", "melee special"),
  head("Ranged", "none", "basic ranged", "ranged special"),
  head("Magic", "none", "ice", "blood", "staff special"),
  head("Potion", "none", "brew", "restore", "combat potion", "ranging potion"),
  head("Food", "none", "food"),
  head("Karambwan", "none", "karambwan"),
  head("Vengeance", "none", "vengeance"),
  head("Gear", "none", "tank gear"),
  head("Move", "none", "next to", "under", "away", "diagonal"),
  head("Distance", "none", "2 tiles", "3 tiles", "4 tiles", "5 tiles", "6 tiles", "7 tiles"),
  head("Prayer", "none", "magic", "ranged", "melee", "smite", "redemption"),
];
export const dharokHeads: HeadWords[] = [
  head("Attack", "none", "tentacle", "greataxe", "maul special"),
  head("Potion", "none", "brew", "restore", "combat potion"),
  head("Food", "none", "food"),
  head("Karambwan", "none", "karambwan"),
  head("Vengeance", "none", "vengeance"),
  head("Armour", "none", "armour on", "armour off"),
];

export const howTo = [
  { title: "The aim", text: "Bring your opponent to zero hitpoints before you run out of food. Both choose at once, every tick of 0.6 seconds." },
  { title: "Choose ahead", text: "Style and protection stay until you choose others: the style is used when your attack is due. Food, potions, specials and moves are meant for the next tick only." },
  { title: "Guess", text: "The right protection prayer blocks 40%: a hit of 30 becomes 18. It counts at the tick of the attack, and by default can only be switched when that attack is due: look at what your opponent wears, and attack with what is not prayed against." },
  { title: "Eat", text: "Food delays your next attack by three ticks, a karambwan by two, a brew not at all, but it lowers levels: restore them. All three go together in one tick." },
  { title: "Freeze", text: "An ice spell that hits freezes for up to 32 ticks. A fighter who cannot move can be shot from afar, or stood under, where no weapon reaches." },
  { title: "The clock", text: "A clock of 0.6 s is the real game. Slower, or off with one press per tick, is for learning. When the fight is over the review shows what was luck." },
];
