// How duel looks in the page: arena, fighters and choices, and the review beside a fight. The parts are in
// view/.
import type { Frame, GameView, Gauge } from "ludus/view";
import { beside } from "./view/beside";
import { mount } from "./view/board";
import { tellChoices } from "./view/choices";
import { manifest } from "./view/effects";
import { fullOf, hitpointsOf, leftOf, nameOf, stateOf } from "./view/state";
import { actions, dharokActions, dharokHeads, heads, howTo } from "./view/words";

/** Also what people hear who cannot see the arena. */
function gauges(frame: Frame): Gauge[] {
  const left = leftOf(frame);
  return [left, 1 - left].flatMap((seat): Gauge[] => {
    const fighter = stateOf(frame).fighters[seat]!;
    const [points, full] = [hitpointsOf(fighter), fullOf(fighter)];
    const share = (points ?? full) / full;
    return [
      { label: `${nameOf(frame, seat)}: hitpoints`, value: points ?? full, max: full, unit: `of ${full}`, ...(points === null ? { shown: "?" } : {}), tone: share < 0.35 ? "bad" : share < 0.6 ? "warn" : "good" },
      { label: `${nameOf(frame, seat)}: special energy`, value: fighter.energy, max: 100, unit: "%", tone: fighter.energy < 50 ? "warn" : "good" },
    ];
  });
}

const view: GameView = {
  game: "duel",
  mount,
  actions,
  otherActions: dharokActions,
  heads: [heads, dharokHeads],
  howTo,
  gauges,
  tell: (_frame, decision) => tellChoices(decision),
  effects: manifest,
  beside,
  ladder: ["ace", "reader", "boxer", "mixer", "baseline", "baseline_client", "random", "striker", "brawler", "juggler", "stayalive", "noop"],
  rate: 1 / 0.6,
  tick: 0.6,
  eventTones: { special: "warn", big_hit: "bad", frozen: "warn", won: "good" },
};
export default view;
