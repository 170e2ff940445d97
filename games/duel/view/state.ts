// The state of a fight as frames hold it, and what follows from it for people.
import { rowsOf } from "ludus/lib/csv";
import type { Frame } from "ludus/view";
import itemRows from "../data/items.csv?raw";
import type { Shape } from "./shapes";

/** What the state of a fighter tells; what only its owner sees is missing for the other. */
export interface Fighter {
  build_name: string;
  x: number;
  y: number;
  energy: number;
  shown: number;
  taken: number;
  cool: number;
  moved: number;
  vengeance: number;
  hits: number;
  hit_delay: number[];
  hit_style: number[];
  attacks: number;
  blocked: number;
  specials: number;
  base: number[];
  freeze: number;
  immune: number;
  veng_cooldown: number;
  food_timer: number;
  turn_splat: number;
  turn_attacks: number;
  turn_style: number;
  turn_blocked: number;
  turn_special: number;
  turn_frozen: number;
  has_pid: boolean;
  praying: string[];
  wearing: string[];
  level?: number[];
  food?: number;
  karambwan?: number;
  dose?: number[];
  potion_timer?: number;
  karambwan_timer?: number;
  turn_decided?: number;
  turn_meals?: number;
  /** everything shown only: mean damage of the attacks of the tick, of a spell as ice and as blood */
  turn_expected?: number[];
}

export interface State {
  tick: number;
  fight: number;
  end: number;
  fighters: [Fighter, Fighter];
}

export const stateOf = (frame: Frame): State => frame.state as State;

export const levels = { attack: 0, defence: 1, strength: 2, hitpoints: 3, ranged: 4, prayer: 5, magic: 6 } as const;
export const styles = ["melee", "ranged", "magic"] as const satisfies Shape[];
export type Style = (typeof styles)[number];
export const fights = ["normal fight", "LMS fight", "PvP arena"];
export const slots = ["head", "cape", "neck", "ammo", "weapon", "body", "shield", "legs", "hands", "feet", "ring"] as const satisfies (Shape | "weapon")[];
export const doses = ["", "brew", "restore", "combat", "ranging"];
const weaponSlot = slots.indexOf("weapon");

interface Item {
  name: string;
  /** what it is for */
  style: Style | "";
  shape: Shape;
}

const meleeClasses = new Set(["whip", "scimitar", "rapier", "dragon_dagger", "claws", "longsword", "godsword", "elder_maul", "warhammer", "granite_maul", "greataxe"]);

const items = new Map<string, Item>(
  rowsOf(itemRows).map((row) => {
    const of = (...names: string[]) => names.reduce((sum, name) => sum + Number(row[name]), 0);
    const worth: [Style, number][] = [
      ["melee", of("str_melee") + Math.max(of("att_stab"), of("att_slash"), of("att_crush"))],
      ["ranged", of("att_ranged") + of("str_ranged")],
      ["magic", of("att_magic") + 3 * of("magic_damage_pct")],
    ];
    const best = worth.reduce((a, b) => (b[1] > a[1] ? b : a));
    const kind = row["class"] ?? "none";
    const held: Shape = kind === "staff" ? "staff" : meleeClasses.has(kind) ? "melee" : "ranged";
    const slot = row["slot"] as (typeof slots)[number];
    return [row["key"] ?? "", { name: row["name"] ?? "", style: best[1] > 0 ? best[0] : "", shape: slot === "weapon" ? held : slot }];
  }),
);

const nothing: Item = { name: "nothing", style: "", shape: "none" };
export const itemOf = (key: string): Item => items.get(key) ?? nothing;
export const weaponOf = (fighter: Fighter): Item => itemOf(fighter.wearing[weaponSlot] ?? "");

const overheads: Record<string, { shape: Shape; words: string }> = {
  protect_from_melee: { shape: "melee", words: "protects from melee" },
  protect_from_missiles: { shape: "ranged", words: "protects from ranged" },
  protect_from_magic: { shape: "magic", words: "protects from magic" },
  smite: { shape: "smite", words: "smite" },
  redemption: { shape: "redemption", words: "redemption" },
};

/** The prayer that is seen over the head, and those that are not. */
export function prayersOf(fighter: Fighter): { over: { shape: Shape; words: string } | null; others: string[] } {
  const over = fighter.praying.map((name) => overheads[name]).find((one) => one !== undefined) ?? null;
  return { over, others: fighter.praying.filter((name) => !overheads[name]).map((name) => name.replaceAll("_", " ")) };
}

/** Hitpoints as far as they are known; null before the first splat of the other side. */
export const hitpointsOf = (fighter: Fighter): number | null => fighter.level?.[levels.hitpoints] ?? (fighter.shown < 0 ? null : fighter.shown);
export const fullOf = (fighter: Fighter): number => fighter.base[levels.hitpoints] ?? 99;

export const distanceOf = ({ fighters: [a, b] }: State): number => Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y));

export const isDharok = (state: State): boolean => state.fighters[0].build_name === "DHAROK";

/** Who is who: the seat that is shown stands left; where everything is shown, the first. */
export const leftOf = (frame: Frame): 0 | 1 => (frame.seat === 1 ? 1 : 0);
export const nameOf = (frame: Frame, seat: number): string => (frame.seat < 0 ? `Player ${seat + 1}` : frame.seat === seat ? "You" : "Opponent");

function fighterWords(frame: Frame, seat: number): string {
  const fighter = stateOf(frame).fighters[seat]!;
  const points = hitpointsOf(fighter);
  const parts = [
    `${points ?? "unknown"} of ${fullOf(fighter)} hitpoints`,
    weaponOf(fighter).name,
    prayersOf(fighter).over?.words ?? "no overhead prayer",
    fighter.freeze ? `frozen for ${fighter.freeze} ticks` : "",
    fighter.turn_splat ? `took ${fighter.turn_splat}` : "",
  ];
  return `${nameOf(frame, seat)}: ${parts.filter(Boolean).join(", ")}.`;
}

/** The picture in words. */
export function wordsOf(frame: Frame): string {
  const state = stateOf(frame);
  const left = leftOf(frame);
  return `Tick ${state.tick}, distance ${distanceOf(state)}. ${fighterWords(frame, left)} ${fighterWords(frame, 1 - left)} ${frame.story}`;
}
