// How potion looks in the page: the cauldron and its figures, the actions in words, and the proven best
// brew beside a replay. The parts are in view/.
import type { Frame, GameView, Gauge } from "ludus/view";
import { beside } from "./view/beside";
import { mount } from "./view/board";
import { manifest } from "./view/effects";
import { classes, fullnessOf, sharesOf, wantedOf, type State } from "./view/rules";
import { cauldrons, magimins, recipes } from "./view/tables";
import { actions, howTo, offered } from "./view/words";

const tones = ["good", "good", "good", "warn", "bad"] as const;

/** Also what people hear who cannot see the canvas. */
function gauges(frame: Frame): Gauge[] {
  const state = frame.state as State;
  const wanted = wantedOf(state);
  const shares = sharesOf(state);
  const stable = tones[Math.max(0, classes.indexOf(state.stability))]!;
  return [
    { label: "Fullness", value: 100 * fullnessOf(state), max: 100, unit: "%", tone: "good" },
    { label: "Slots taken", value: state.added.length, max: state.max_items, unit: `of ${state.max_items}`, tone: "good" },
    { label: "Accuracy", value: 100 * state.accuracy, max: 100, unit: "%", tone: state.total ? stable : "warn" },
    ...magimins.flatMap(({ letter, name }, k): Gauge[] => {
      const [share, want] = [shares[k]!, wanted[k]!];
      if (!share && !want) return [];
      const off = Math.abs(share - want);
      return [{ label: `${letter} ${name}`, value: 100 * share, max: 100, unit: `% of ${Math.round(100 * want)}%`, tone: off > 0.15 ? "bad" : off > 0.05 ? "warn" : "good" }];
    }),
    { label: "Potions", value: state.brewed, max: Math.floor(state.max_items / 2), unit: "", tone: state.brewed ? "good" : "warn" },
    { label: "One sells for", value: state.price, max: Math.max(1, state.price), unit: "gold", tone: state.price ? "good" : "warn" },
  ];
}

const view: GameView = {
  game: "potion",
  mount,
  actions,
  offered,
  howTo,
  coach: ["Each bar shows a magimin’s share of the mix; the mark on it is what the recipe wants.", "Click an ingredient of the shelf to add a piece: it takes a slot and room for its magimins.", "Finish when the cauldron is nearly full: the closer the ratio and the fuller the pot, the better the potion."],
  gauges,
  effects: manifest,
  choices: {
    recipe: recipes.map((one) => one.name),
    recipe_index: recipes.map((one) => one.name),
    cauldron: cauldrons.map((one) => `${one.name}: ${one.items} items, ${one.magimins} magimins`),
    cauldron_index: cauldrons.map((one) => one.name),
  },
  beside,
  rate: 1.5,
  eventTones: { ignored: "warn", failed: "bad", perfect: "good", contest_won: "good" },
};
export default view;
