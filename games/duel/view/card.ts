// A fighter as a card of elements: hitpoints, prayer, energy, timers, gear, levels, supplies.
import { make } from "ludus/make";
import type { Frame } from "ludus/view";
import { icon, type Shape } from "./shapes";
import { doses, fullOf, hitpointsOf, itemOf, levels, nameOf, prayersOf, slots, stateOf, styles, weaponOf, type Fighter } from "./state";

/** A bar with its figure; null: not known. */
function meter(name: string, kind: string, value: number | null, full: number): HTMLElement {
  const fill = make("span", "");
  fill.style.width = `${Math.max(0, Math.min(100, (100 * (value ?? full)) / Math.max(1, full)))}%`;
  return make("div", `du-meter du-${kind}`, make("span", "du-meter-name", name), make("span", "du-meter-bar", fill), make("b", "", value === null ? `? of ${full}` : `${value} of ${full}`));
}

function chip(shape: Shape, text: string, title: string, kind = ""): HTMLElement {
  const element = make("li", `du-chip ${kind}`, icon(shape), make("span", "", text));
  element.title = title;
  return element;
}

/** What runs or waits. */
function statusOf(fighter: Fighter): HTMLElement[] {
  const { over, others } = prayersOf(fighter);
  const wait = Math.max(0, fighter.cool);
  const chips = [
    over ? chip(over.shape, over.words, `Prayer: ${over.words}`, "du-over") : chip("none", "no protection", "No overhead prayer"),
    chip("hold", wait ? `attack in ${wait}` : "attack ready", "Ticks to the next attack", wait ? "" : "du-ready"),
  ];
  if (fighter.freeze) chips.push(chip("ice", `frozen ${fighter.freeze}`, "Ticks for which it cannot move", "du-frozen"));
  else if (fighter.immune) chips.push(chip("ice", `immune ${fighter.immune}`, "Ticks for which it cannot be frozen"));
  if (fighter.vengeance) chips.push(chip("vengeance", "vengeance", "The next hit is returned in part", "du-ready"));
  else if (fighter.veng_cooldown) chips.push(chip("vengeance", `vengeance in ${fighter.veng_cooldown}`, "Ticks until vengeance can be cast"));
  for (let k = 0; k < fighter.hits; k++) {
    const style = styles[fighter.hit_style[k] ?? 0] ?? "melee";
    chips.push(chip(style, `hit in ${fighter.hit_delay[k] ?? 0}`, `A ${style} attack lands in ${fighter.hit_delay[k] ?? 0} ticks`, "du-coming"));
  }
  if (others.length) chips.push(chip("redemption", others.join(", "), "Prayers that help attacks and defence"));
  return chips;
}

function gearOf(fighter: Fighter): HTMLElement {
  const list = make("ul", "du-gear");
  slots.forEach((slot, k) => {
    const item = itemOf(fighter.wearing[k] ?? "");
    const cell = make("li", `du-slot ${item.style ? `du-${item.style}` : ""}`, icon(item.name === "nothing" ? (slot === "weapon" ? "melee" : slot) : item.shape), make("span", "sr-only", `${slot}: ${item.name}`));
    cell.classList.toggle("du-empty", item.name === "nothing");
    cell.title = `${slot}: ${item.name}`;
    list.append(cell);
  });
  list.setAttribute("aria-label", "Gear");
  return list;
}

const short: [keyof typeof levels, string][] = [["attack", "Att"], ["strength", "Str"], ["defence", "Def"], ["ranged", "Rng"], ["magic", "Mag"]];

function levelsOf(fighter: Fighter): HTMLElement {
  const list = make("ul", "du-levels");
  list.setAttribute("aria-label", "Levels");
  for (const [name, text] of short) {
    const [now, base] = [fighter.level?.[levels[name]] ?? 0, fighter.base[levels[name]] ?? 0];
    const entry = make("li", now > base ? "du-up" : now < base ? "du-down" : "", make("span", "", text), make("b", "", String(now)));
    entry.title = `${name}: ${now}, ${base} unboosted`;
    list.append(entry);
  }
  return list;
}

function suppliesOf(fighter: Fighter): HTMLElement {
  const list = make("ul", "du-chips du-supplies");
  list.setAttribute("aria-label", "Supplies");
  const add = (shape: Shape, name: string, left: number, wait: number) => {
    const entry = chip(shape, `${name} ${left}`, `${left} ${name} left${wait ? `, in ${wait} ticks` : ""}`, left ? (wait ? "du-wait" : "") : "du-out");
    list.append(entry);
  };
  add("food", "food", fighter.food ?? 0, fighter.food_timer);
  add("karambwan", "karambwan", fighter.karambwan ?? 0, fighter.karambwan_timer ?? 0);
  doses.forEach((name, k) => k > 0 && add("potion", name, fighter.dose?.[k] ?? 0, fighter.potion_timer ?? 0));
  return list;
}

/** Fills a box when what it shows has changed. */
class Part {
  readonly element = make("div", "");
  private last = "";

  constructor(private readonly fill: (fighter: Fighter) => (HTMLElement | null)[]) {}

  show(fighter: Fighter, ...depends: unknown[]): void {
    const now = JSON.stringify(depends);
    if (now === this.last) return;
    this.last = now;
    this.element.replaceChildren(...this.fill(fighter).filter((one) => one !== null));
  }
}

export class Card {
  readonly element = make("section", "du-card");
  private readonly title = make("h3", "");
  private readonly more = make("details", "du-more", make("summary", "", "Gear and supplies"));
  private readonly parts = {
    bars: new Part((fighter) => [
      meter("Hitpoints", "hp", hitpointsOf(fighter), fullOf(fighter)),
      fighter.level ? meter("Prayer", "prayer", fighter.level[levels.prayer] ?? 0, fighter.base[levels.prayer] ?? 1) : null,
      meter("Special", "energy", fighter.energy, 100),
    ]),
    status: new Part((fighter) => [make("ul", "du-chips", ...statusOf(fighter))]),
    weapon: new Part((fighter) => [make("p", "du-weapon", weaponOf(fighter).name)]),
    gear: new Part((fighter) => [gearOf(fighter)]),
    own: new Part((fighter) => (fighter.level ? [levelsOf(fighter), suppliesOf(fighter)] : [make("p", "du-hidden", "Levels and supplies are hidden.")])),
  };

  constructor() {
    const { bars, status, weapon, gear, own } = this.parts;
    this.more.append(gear.element, own.element);
    this.element.append(this.title, bars.element, status.element, weapon.element, this.more);
  }

  /** Opens or folds what is not needed at every tick. */
  unfold(open: boolean): void {
    this.more.open = open;
  }

  show(frame: Frame, seat: number): void {
    const fighter = stateOf(frame).fighters[seat]!;
    const name = nameOf(frame, seat);
    this.element.setAttribute("aria-label", name);
    this.element.dataset["seat"] = String(seat);
    const pid = fighter.has_pid ? make("span", "badge accent", "PID") : null;
    if (pid) pid.title = "Goes first in a tick";
    this.title.replaceChildren(...[make("span", "", name), make("small", "", fighter.build_name.replaceAll("_", " ")), pid].filter((one) => one !== null));
    const { level, base, shown, energy } = fighter;
    this.parts.bars.show(fighter, level?.[levels.hitpoints], level?.[levels.prayer], shown, energy, base);
    this.parts.status.show(fighter, fighter.praying, fighter.cool, fighter.freeze, fighter.immune, fighter.vengeance, fighter.veng_cooldown, fighter.hits, fighter.hit_delay, fighter.hit_style);
    this.parts.weapon.show(fighter, fighter.wearing);
    this.parts.gear.show(fighter, fighter.wearing);
    this.parts.own.show(fighter, level, fighter.food, fighter.karambwan, fighter.dose, fighter.food_timer, fighter.potion_timer, fighter.karambwan_timer);
  }
}
