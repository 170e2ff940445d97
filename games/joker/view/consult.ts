// What the agent of joker-plan-v1 would do at the full table: `joker advise` asks it, and says the action that
// comes first on the way to each of its choices. Where it plays on, the planner's cards are those of the advice.
import type { Consulted, Frame, RunTool } from "ludus/view";
import { moveOf } from "./choice";
import { agentVariant, type Advice, type Plan } from "./beside";
import { deeds, type State } from "./state";

const samples = 100;

/** The order of jokers that a play counts on, a joker at a time; then the play. */
function playOf(plan: Plan, state: State): number[] {
  const wanted = plan.move_jokers ? (plan.jokers ?? []) : [];
  const now = state.jokers.map((joker) => joker.title ?? "");
  const place = wanted.findIndex((title, index) => title !== now[index]);
  const from = place < 0 ? -1 : now.indexOf(wanted[place]!, place + 1);
  return from < 0 ? moveOf(deeds.play, 0, 0, plan.positions) : moveOf(deeds.moveJoker, from, place);
}

function cardsOf(answer: Advice, state: State): number[] | null {
  if (answer.phase !== "round") return null;
  if (answer.advice === "discard" && answer.discard) return moveOf(deeds.discard, 0, 0, answer.discard.positions);
  return answer.play ? playOf(answer.play, state) : null;
}

export async function consult(frame: Frame, tool: RunTool): Promise<Consulted> {
  const state = frame.state as State;
  const [answer] = (await tool({ tool: "advise", agent: agentVariant, settings: { samples }, inputs: [{ name: "state", text: JSON.stringify(state) }] })) as Advice[];
  if (!answer) throw new Error("no answer came");
  // where cards are to be played and nothing else can be done, the tool asks nobody
  const choices = answer.agent?.choices ?? (answer.phase === "round" ? [{ words: "play on", probability: 1, first: undefined }] : []);
  const top = choices.flatMap(({ words, probability, first }) => {
    const move = first ? moveOf(first.type, first.index, first.to, first.positions) : cardsOf(answer, state);
    return move ? [{ move, words, probability }] : [];
  });
  if (!top.length) throw new Error(`${agentVariant} did not answer`);
  return { value: answer.agent?.value ?? null, top };
}
