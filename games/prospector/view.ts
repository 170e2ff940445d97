// How prospector looks in the page: discovered map, the place with its rocks, ship, market, events.
// The parts are in view/.
import type { Frame, GameView, Gauge, Tone } from "ludus/view";
import { mount } from "./view/board";
import { manifest } from "./view/effects";
import { dials, figureOf, raidWords, valueOf } from "./view/gauges";
import { raidChance, threatLevel, type State } from "./view/rules";
import { actions, asks, coach, howTo, offered } from "./view/words";

/** Also what people hear who cannot see the canvas. */
function gauges(frame: Frame): Gauge[] {
  const state = frame.state as State;
  const level = threatLevel(state);
  const share = state.time_left / Math.max(1, state.time_left + state.ticks);
  return [
    ...dials.map((dial): Gauge => ({ label: dial.label, value: valueOf(state, dial.key), max: dial.max, unit: "", tone: dial.tone(state), shown: figureOf(state, dial.key) })),
    { label: "Threat", value: 100 * raidChance(state), max: 100, unit: "", shown: raidWords(state), tone: level > 2 ? "bad" : level > 1 ? "warn" : "good" },
    { label: "Time left", value: state.time_left, max: state.time_left + state.ticks, unit: "ticks", tone: share < 0.05 ? "bad" : share < 0.15 ? "warn" : "good" },
  ];
}

const eventTones: Record<string, Tone> = {
  pirate_encounter: "bad",
  fracture: "bad",
  overheat_tick: "bad",
  invalid_action: "warn",
  decoy_used: "warn",
  truncated: "warn",
  sold: "good",
};

const view: GameView = { game: "prospector", mount, actions, offered, asks, howTo, coach, gauges, effects: manifest, rate: 4, eventTones };
export default view;
