// The actions in plain words by what they do, those of the simple rules, and how to play.
import type { ActionInfo, Frame } from "ludus/view";
import type { State } from "./state";

/** group, then name, label, hint of each action in the order of the options. */
const rows: [string, [string, string, string][]][] = [
  ["Item", [
    ["stop", "Stop", "End here with the item as it is."],
    ["new_base", "New white base", "Give this item up and buy the next base."],
  ]],
  ["Magic", [
    ["transmute", "Transmutation", "A normal item becomes magic with one modifier."],
    ["greater_transmute", "Greater Transmutation", "Like the plain orb, with a higher modifier level."],
    ["perfect_transmute", "Perfect Transmutation", "Like the plain orb, with the highest modifier level."],
    ["augment", "Augmentation", "A magic item gets its second modifier."],
    ["greater_augment", "Greater Augmentation", "Like the plain orb, with a higher modifier level."],
    ["perfect_augment", "Perfect Augmentation", "Like the plain orb, with the highest modifier level."],
  ]],
  ["Rare", [
    ["regal", "Regal", "A magic item becomes rare with one more modifier."],
    ["greater_regal", "Greater Regal", "Like the plain orb, with a higher modifier level."],
    ["perfect_regal", "Perfect Regal", "Like the plain orb, with the highest modifier level."],
    ["regal_prefix", "Regal, prefix", "The new modifier is a prefix (Sinistral Coronation)."],
    ["regal_suffix", "Regal, suffix", "The new modifier is a suffix (Dextral Coronation)."],
    ["alchemy", "Alchemy", "A normal item becomes rare with four modifiers."],
    ["alchemy_prefix", "Alchemy, prefixes", "Prefixes are filled first (Sinistral Alchemy)."],
    ["alchemy_suffix", "Alchemy, suffixes", "Suffixes are filled first (Dextral Alchemy)."],
  ]],
  ["Exalted", [
    ["exalt", "Exalted", "A rare item gets one more modifier."],
    ["greater_exalt", "Greater Exalted", "Like the plain orb, with a higher modifier level."],
    ["perfect_exalt", "Perfect Exalted", "Like the plain orb, with the highest modifier level."],
    ["exalt_prefix", "Exalted, prefix", "The new modifier is a prefix (Sinistral Exaltation)."],
    ["exalt_suffix", "Exalted, suffix", "The new modifier is a suffix (Dextral Exaltation)."],
    ["exalt_two", "Exalted, two", "Two new modifiers (Greater Exaltation)."],
    ["exalt_two_prefix", "Exalted, two prefixes", "Two new prefixes."],
    ["exalt_two_suffix", "Exalted, two suffixes", "Two new suffixes."],
    ["perfect_exalt_prefix", "Perfect Exalted, prefix", "A prefix with the highest modifier level."],
    ["perfect_exalt_suffix", "Perfect Exalted, suffix", "A suffix with the highest modifier level."],
  ]],
  ["Chaos", [
    ["chaos", "Chaos", "Replaces one modifier."],
    ["greater_chaos", "Greater Chaos", "Like the plain orb, with a higher modifier level."],
    ["perfect_chaos", "Perfect Chaos", "Like the plain orb, with the highest modifier level."],
    ["chaos_lowest", "Chaos, lowest", "Replaces the modifier of the lowest level (Whittling)."],
    ["chaos_prefix", "Chaos, prefix", "Replaces a prefix (Sinistral Erasure)."],
    ["chaos_suffix", "Chaos, suffix", "Replaces a suffix (Dextral Erasure)."],
    ["perfect_chaos_lowest", "Perfect Chaos, lowest", "Replaces the lowest modifier by one with the highest modifier level."],
  ]],
  ["Removing and keeping", [
    ["annul", "Annulment", "Removes one modifier."],
    ["annul_prefix", "Annulment, prefix", "Removes a prefix (Sinistral Annulment)."],
    ["annul_suffix", "Annulment, suffix", "Removes a suffix (Dextral Annulment)."],
    ["annul_two", "Annulment, two", "Removes two modifiers (Greater Annulment)."],
    ["annul_desecrated", "Annulment, desecrated", "Removes the desecrated modifier (Light)."],
    ["fracture", "Fracture", "Locks one of at least four modifiers for good."],
    ["divine", "Divine", "Rerolls all values."],
  ]],
  ["Desecration", [
    ["bone", "Bone", "Adds an unrevealed modifier."],
    ["ancient_bone", "Ancient bone", "Like the plain bone, with a modifier level of 40."],
    ["bone_prefix", "Bone, prefix", "The hidden modifier is a prefix (Sinistral Necromancy)."],
    ["bone_suffix", "Bone, suffix", "The hidden modifier is a suffix (Dextral Necromancy)."],
    ["bone_ulaman", "Bone of Ulaman", "One option is Ulaman's (Sovereign)."],
    ["bone_amanamu", "Bone of Amanamu", "One option is Amanamu's (Liege)."],
    ["bone_kurgal", "Bone of Kurgal", "One option is Kurgal's (Blackblooded)."],
    ["keep_1", "Keep option 1", "The first revealed option stays."],
    ["keep_2", "Keep option 2", "The second revealed option stays."],
    ["keep_3", "Keep option 3", "The third revealed option stays."],
    ["reveal", "Reveal", "Shows three options; once more for an Omen of Abyssal Echoes."],
  ]],
  ["Essences", [
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((n): [string, string, string] => [`essence_${n}`, `Essence ${n}`, "A magic item becomes rare with the modifier of this essence."]),
    ...[1, 2, 3].map((n): [string, string, string] => [`swap_essence_${n}`, `Swap essence ${n}`, "Replaces one modifier by that of this essence."]),
    ["swap_essence_side", "Swap essence 1, safer side", "Like swap essence 1, but from the side with fewer hits (Crystallisation)."],
  ]],
  ["Corruption", [["vaal", "Vaal", "The item is corrupted, with or without a change."]]],
];

const keys: Record<string, string> = { stop: "q", new_base: "n", transmute: "t", augment: "a", regal: "r", alchemy: "h", exalt: "e", chaos: "c", annul: "x", keep_1: "1", keep_2: "2", keep_3: "3", reveal: "v" };

const plain = rows.flatMap(([group, list]) => list.map(([name, label, hint]) => ({ group, name, label, hint })));

export const actions: ActionInfo[] = plain.map((one, option) => ({ option, ...one, icon: one.group, ...(keys[one.name] ? { key: keys[one.name]! } : {}) }));

const classic: [string, string, string][] = [
  ["stop", "Stop", "End here with the item as it is."],
  ["new_base", "New white base", "Give this item up and buy the next base."],
  ["chaos", "Chaos", "Rerolls all modifiers."],
  ["exalted", "Exalted", "One more modifier."],
  ["abyss", "Abyss", "One desecrated modifier, once per item."],
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((n): [string, string, string] => [`essence_${n}`, `Essence of requirement ${n}`, "Rerolls everything, with the best tier of this requirement."]),
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((n): [string, string, string] => [`bench_${n}`, `Bench of requirement ${n}`, "A middle tier of this requirement, once per item."]),
];

/** Numbers are essences, with Shift the bench. */
const classicKey = (name: string): string => ({ chaos: "c", exalted: "e", abyss: "v" })[name] ?? name.replace("essence_", "").replace("bench_", "Shift+");

/** Without those that stand in the first list under the same number. */
export const classicActions: ActionInfo[] = classic.map(([name, label, hint], option) => ({ option, name, label, hint, group: "Simple rules", icon: "none", key: classicKey(name) })).filter((one) => actions[one.option]?.name !== one.name);

const [upgrades, swaps, side] = ["essence_1", "swap_essence_1", "swap_essence_side"].map((name) => plain.findIndex((one) => one.name === name)) as [number, number, number];

/** What an essence action stands for with this target; "" for other actions. */
export function named(frame: Frame, option: number): string {
  const { essences = [] } = frame.state as State;
  if (option < upgrades || option > side) return "";
  const essence = essences[option === side ? swaps - upgrades : option - upgrades];
  if (!essence) return "";
  return option < swaps ? essence : `Swap by ${essence}${option === side ? ", safer side" : ""}`;
}

/** A price with three figures. */
const exalted = (price: number): string => Number(price.toPrecision(3)).toLocaleString("en-US");

/** What this target has a use for, with the price of a use in exalted orbs. */
export function offered(frame: Frame): ActionInfo[] {
  const { prices = [] } = frame.state as State;
  return [...actions, ...classicActions].flatMap((action) => {
    const price = prices[action.option];
    if (price === null) return [];
    return [{ ...action, label: named(frame, action.option) || action.label, ...(price ? { detail: `${exalted(price)}\u00a0ex` } : {}) }];
  });
}

/** What ends the craft without the item is asked first. */
export function asks(frame: Frame, [option = -1]: number[]): string {
  const { prices = [], budget, spent } = frame.state as State;
  if (option === 0) return "Stop here? The item does not have all that is wanted.";
  const price = prices[option] ?? 0;
  return price <= budget - spent ? "" : `This costs ${exalted(price)} exalted and ${exalted(budget - spent)} are left: the craft ends with it.`;
}

export const howTo = [
  { title: "One item, one target", text: "The card shows the item and its modifiers, P for prefixes and S for suffixes. What hits the target is green; the list below shows how much of each requirement is met." },
  { title: "From white to rare", text: "A white base becomes magic by a transmutation (T) and rare by a regal orb (R) or alchemy (H). Exalted orbs (E) add, chaos orbs (C) swap, annulments (X) remove." },
  { title: "One of a family", text: "An item holds one modifier of each family and up to three prefixes and three suffixes. A low tier of what you want is in the way: swap it, or take a new base (N)." },
  { title: "Every use costs", text: "The number on a button is its price in exalted orbs. The bar shows what was spent of the budget; the cheaper the finished item, the better." },
];
