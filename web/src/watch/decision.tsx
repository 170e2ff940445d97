// What happened in the frame that is shown and why: the step in words, the choice with its
// probabilities, the value, the legal actions, the reward by its terms, the raw data.
// Everything keeps its place from frame to frame.
import { createMemo, createSignal, For, Index, Show } from "solid-js";
import { number, percent, sentence, signed, words } from "../lib/format";
import { Bar } from "../episode/gauges";
import { Badge } from "../lib/ui";
import { labelsOf } from "../episode/labels";
import type { GameView, Tone } from "../view";
import type { SeatStep, Shown, Track } from "./track";

interface DecisionProps {
  shown: Shown;
  /** whose step is told */
  seat: number;
  track: Track;
  view: GameView;
}

export const seatName = (seat: number): string => `Player ${seat + 1}`;

/** The flat options that a seat chose, one per head. */
function chosenOf({ frame }: Shown, seat: number, { heads }: Track): Set<number> {
  return new Set(frame.action ? heads.map((head, h) => head.offset + (frame.action![seat * heads.length + h] ?? 0)) : []);
}

/** What an option meant when it was chosen. */
function labelling(props: DecisionProps): () => (option: number) => string {
  const labels = createMemo(() => labelsOf(props.view, props.track.heads));
  const then = () => ({ ...props.shown.frame, state: props.shown.before ?? props.shown.frame.state });
  return () => (option) => props.view.named?.(then(), option) || labels()(option);
}

export function Happened(props: DecisionProps) {
  const frame = () => props.shown.frame;
  const label = labelling(props);
  const told = () => props.shown.seats.map((_, seat) => props.view.tell?.(frame(), frame().action!.slice(seat * props.track.heads.length, (seat + 1) * props.track.heads.length)) ?? "");
  const action = () => (frame().seat < 0 ? (props.view.tell && frame().action ? told().join(" | ") : frame().actionName) : frame().action ? label()(frame().action![0] ?? -1) : "");
  const tone = (event: string): Tone | undefined => props.view.eventTones?.[event];
  return (
    <section class="card happened" aria-label="What happened">
      <p class="happened-step">
        <Show when={frame().index > 0} fallback={<span class="muted">start of the episode</span>}>
          <span class="muted">decision {frame().index}</span> <b>{action()}</b>
        </Show>
      </p>
      <p class="happened-story">{sentence(frame().story) || (frame().index === 0 ? `Seed ${frame().seed}. The agent is about to choose its first action.` : "Nothing else happened.")}</p>
      <p class="happened-events">
        <For each={frame().events}>
          {(event) => (
            <span title={props.track.eventWords[event] ?? ""}>
              <Badge tone={tone(event) ?? "accent"}>{words(event)}</Badge>
            </span>
          )}
        </For>
      </p>
      <p class="happened-reward">
        <span>
          <small>reward</small> <b>{props.shown.seats.map(({ reward }, seat) => [seat ? " | " : "", <span classList={{ up: reward > 0, down: reward < 0 }}>{signed(reward)}</span>])}</b>
        </span>
        <span>
          <small>return so far</small> <b>{frame().totals.map((total) => number(total)).join(" | ")}</b>
        </span>
      </p>
    </section>
  );
}

const rowsMost = 6;
const rowsHeads = { least: 8, most: 16 };

type Entries = NonNullable<SeatStep["thought"]>["top"];

/** The likeliest options; with several heads, each a whole of its own, those of every head first, in the
 * order in which they are asked. */
function listed(top: Entries, heads: Track["heads"], rows: number): Entries {
  if (heads.length === 1) return top.slice(0, rows);
  const before = new Map<number, number>();
  const ranked = top.map((entry) => {
    const head = heads.findLastIndex((one) => entry.option >= one.offset);
    const rank = before.get(head) ?? 0;
    before.set(head, rank + 1);
    return { entry, head, rank };
  });
  const first = ranked.sort((a, b) => a.rank - b.rank).slice(0, rows);
  return first.sort((a, b) => a.head - b.head || a.rank - b.rank).map(({ entry }) => entry);
}

export function Thinking(props: DecisionProps) {
  const label = labelling(props);
  const step = () => props.shown.seats[props.seat];
  const thought = () => step()?.thought ?? null;
  const chosen = createMemo(() => chosenOf(props.shown, props.seat, props.track));
  const many = () => props.track.heads.length > 1;
  // grows with what there is to tell, and never shrinks: nothing moves from frame to frame
  const rows = createMemo<number>((last) => {
    if (!many()) return Math.min(rowsMost, optionCount(props.track) || rowsMost);
    return Math.min(rowsHeads.most, Math.max(rowsHeads.least, last, thought()?.top.length ?? 0));
  }, rowsHeads.least);
  const top = () => {
    const list = listed(thought()?.top ?? [], props.track.heads, rows());
    return Array.from({ length: rows() }, (_, k) => list[k] ?? null);
  };
  const rest = () => Math.max(0, 1 - (thought()?.top ?? []).slice(0, rows()).reduce((sum, entry) => sum + entry.probability, 0));
  const legal = () => step()?.legal ?? [];
  const names = () => legal().map((option) => ({ option, name: label()(option) }));
  // where some decision has thoughts their room is kept; a script has none at all
  const begun = createMemo(() => props.track.known() > 0);
  const thinks = createMemo(() => begun() && props.track.show(1).seats.some((one) => one.thought));
  const without = () => {
    if (props.shown.frame.index === 0) return "It has not chosen yet.";
    return props.shown.seats.some((one) => one.thought) ? "It was not asked, or it isn’t a model." : "This replay holds no thoughts.";
  };
  return (
    <section class="card thinking">
      <h2>What {props.shown.seats.length > 1 ? seatName(props.seat) : "the agent"} thought</h2>
      <Show when={thought()} fallback={<p class="muted" classList={{ "thinking-none": thinks() }}>{without()}</p>}>
        {(now) => (
          <>
            <ol class="choices">
              <Index each={top()}>
                {(entry) => (
                  <li classList={{ chosen: chosen().has(entry()?.option ?? -1), empty: !entry() }}>
                    <span class="choice-name">
                      {entry() ? label()(entry()!.option) : "–"}
                      <Show when={entry() && chosen().has(entry()!.option)}>
                        <span class="sr-only"> (chosen)</span>
                      </Show>
                    </span>
                    <span class="choice-share">{entry() ? percent(entry()!.probability) : ""}</span>
                    <Bar share={entry()?.probability ?? 0} tone={chosen().has(entry()?.option ?? -1) ? "chosen" : ""} />
                  </li>
                )}
              </Index>
            </ol>
            <dl class="facts">
              <div>
                <dt title="the return that the agent expects from here on, in units of the reward">value</dt>
                <dd>{signed(now().value)}</dd>
              </div>
              <div>
                <dt title="how spread its choice is, in nats: 0 is sure">entropy</dt>
                <dd>{number(now().entropy, 3)}</dd>
              </div>
              <Show when={now().win !== null}>
                <div>
                  <dt title="how likely this seat wins, by the model's predictor">wins with</dt>
                  <dd>{percent(now().win!)}</dd>
                </div>
              </Show>
              <Show when={!many() && optionCount(props.track) !== rows()}>
                <div>
                  <dt>all others</dt>
                  <dd>{percent(rest())}</dd>
                </div>
              </Show>
            </dl>
          </>
        )}
      </Show>
      <details class="legal">
        <summary>{step()?.legal ? `${legal().length} of ${optionCount(props.track)} actions were legal` : "Legal actions are not known"}</summary>
        <ul>
          <For each={names()}>{(entry) => <li classList={{ chosen: chosen().has(entry.option) }}>{entry.name}</li>}</For>
        </ul>
      </details>
    </section>
  );
}

const optionCount = (track: Track) => track.heads.reduce((sum, head) => sum + head.options.length, 0);

/** The terms of the reward; those of no weight never add to it. */
export function Terms(props: DecisionProps) {
  const weight = (name: string) => props.track.weights[name] ?? 1;
  const weighed = createMemo(() =>
    Object.entries(props.shown.seats[props.seat]?.terms ?? {})
      .filter(([name]) => weight(name) !== 0)
      .map(([name, value]) => ({ name, value: value * weight(name) })),
  );
  const most = () => Math.max(1e-12, ...weighed().map((term) => Math.abs(term.value)));
  return (
    <section class="card terms">
      <h2>Reward{props.shown.seats.length > 1 ? ` of ${seatName(props.seat)}` : ""}, term by term</h2>
      <ul>
        <Index each={weighed()}>
          {(term) => (
            <li classList={{ zero: term().value === 0 }} title={props.track.termWords[term().name] ?? ""}>
              <span class="term-name">{words(term().name)}</span>
              <Bar share={Math.abs(term().value) / most()} tone={term().value < 0 ? "bad" : "good"} />
              <span class="term-value">{term().value === 0 ? "0" : signed(term().value, 3)}</span>
            </li>
          )}
        </Index>
      </ul>
    </section>
  );
}

/** The frame as data; made only while it is open. */
export function Raw(props: { shown: Shown }) {
  const [open, setOpen] = createSignal(false);
  return (
    <details class="card raw" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Raw data of this frame</summary>
      <Show when={open()}>
        <pre tabindex="0">{JSON.stringify({ ...props.shown.frame, board: undefined, seats: props.shown.seats, hash: props.shown.hash }, null, 2)}</pre>
      </Show>
    </details>
  );
}
