// How craft looks in the page: the item as a card, what hits the target marked, and what was spent.
import type { Frame, GameView, Gauge } from "ludus/view";
import { mountSmall } from "ludus/small_view";
import { draw, heightOf, words } from "./view/board";
import { manifest } from "./view/effects";
import { actions, asks, classicActions, howTo, named, offered } from "./view/words";
import { hitsOf, type State } from "./view/state";

/** Also what people hear who cannot see the canvas. */
function gauges(frame: Frame): Gauge[] {
  const state = frame.state as State;
  const share = state.spent / state.budget;
  return [
    { label: "Score", value: Math.max(0, state.score), max: Math.max(1, state.most), unit: `of ${state.most}`, tone: state.score > 0 ? "good" : "warn" },
    { label: "Modifiers that hit", value: hitsOf(state).size, max: 6, unit: "", tone: hitsOf(state).size ? "good" : "warn" },
    { label: "Spent", value: state.spent, max: state.budget, unit: "exalted", tone: share > 0.9 ? "bad" : share > 0.6 ? "warn" : "good" },
    { label: "White bases", value: state.bases, max: Math.max(100, state.bases), unit: "", tone: "good" },
  ];
}

const view: GameView = {
  game: "craft",
  mount: (host) => mountSmall(host, { effects: manifest, height: heightOf, draw, words }),
  actions,
  otherActions: classicActions,
  offered,
  named,
  asks,
  coach: ["Make the wanted item: what it must have is listed below its modifiers.", "A white base becomes magic, then rare; each use adds, swaps or removes modifiers, by chance.", "Every use costs: the cheaper the finished item, the better."],
  howTo,
  gauges,
  effects: manifest,
  rate: 2,
  eventTones: { ignored: "warn", lost: "bad", failed: "bad", hit: "good", done: "good" },
};
export default view;
