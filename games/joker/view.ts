// How joker looks in the page: the table with its cards, the actions in words, and the adviser beside it.
// The parts are in view/.
import type { Frame, GameView, Gauge } from "ludus/view";
import { agentVariant, beside } from "./view/beside";
import { mount } from "./view/board";
import { consult } from "./view/consult";
import { manifest } from "./view/effects";
import { discardsOf, handsOf, money, underWay, type State } from "./view/state";
import { actions, howTo, named, offered, planActions, tell } from "./view/words";

/** Also what people hear who cannot see the table. */
function gauges(frame: Frame): Gauge[] {
  const state = frame.state as State;
  const [hands, discards] = [handsOf(state), discardsOf(state)];
  const few = (left: number): Gauge["tone"] => (left <= 0 ? "bad" : left === 1 ? "warn" : "good");
  return [
    ...(underWay(state) ? [{ label: "Score", value: state.score, max: Math.max(1, state.target), unit: `of ${state.target}`, tone: state.score >= state.target ? "good" : "warn" } as const] : []),
    { label: "Hands", value: hands, max: Math.max(1, hands, 4), unit: "left", tone: few(hands) },
    { label: "Discards", value: discards, max: Math.max(1, discards, 4), unit: "left", tone: few(discards) },
    { label: "Money", value: state.money, shown: money(state.money), max: 25, unit: "", tone: state.money < 0 ? "bad" : state.money < 5 ? "warn" : "good" },
    { label: "Ante", value: state.ante, max: 8, unit: "of 8", tone: "good" },
    { label: "Jokers", value: state.jokers.length, max: Math.max(1, state.joker_slots), unit: `of ${state.joker_slots}`, tone: state.jokers.length ? "good" : "warn" },
    { label: "Cards to draw", value: state.draw_pile.length, max: Math.max(1, state.start_deck), unit: "", tone: "good" },
  ];
}

const view: GameView = {
  game: "joker",
  mount,
  actions,
  otherActions: planActions,
  offered,
  named,
  tell,
  howTo,
  coach: ["Start a blind: reach its score before your hands run out.", "Select up to five cards; the board shows what they would score. Play or discard them.", "Spend what you earn in the shop: jokers, from left to right, make hands score more."],
  gauges,
  effects: manifest,
  phase: ({ state }) => `${(state as State).phase} ${(state as State).pack_open}`,
  beside,
  advises: true,
  consults: [{ at: "joker-v1", agent: agentVariant, ask: consult }],
  rate: 1,
  eventTones: { ignored: "warn", joker_lost: "warn", card_lost: "warn", lost: "bad", won: "good", blind_beaten: "good", ante_up: "good", level_up: "good" },
};
export default view;
