// What stands around the board: the end of the episode, what happened, the numbers of the frame.
import { createSignal, For, Show } from "solid-js";
import { counted, endWords, number, sentence, signed, words } from "../lib/format";
import { Badge } from "../lib/ui";
import type { GameView } from "../view";
import { Figures } from "./board";
import type { Episodes } from "./controls";
import { anotherSeed } from "./moves";
import type { Seats } from "./seats";
import type { Session } from "./session";
import { isFlag } from "./table";

export function Ending(props: { session: Session; episodes: Episodes; seats: Seats; compare: (() => void) | undefined }) {
  const frame = () => props.session.frame()!;
  const { headline } = props.session.facts;
  const flag = isFlag(props.session.facts);
  const score = () => frame().info[headline] ?? frame().total;
  const how = (): string => {
    const own = endWords(frame().info);
    return own === "over" && flag ? `${score() ? "" : "not "}${words(headline)}` : props.seats.inWords(own);
  };
  return (
    <section class="p-ending" aria-label="The end">
      <p>
        <b>{sentence(how())}</b> after {counted(frame().index, "decision")}
        <Show when={frame().totals.length === 1} fallback=".">
          :{" "}
          <Show when={!flag}>
            {words(headline)} <b>{typeof score() === "number" ? number(score()) : String(score())}</b>,{" "}
          </Show>
          return {signed(frame().total)}.
        </Show>
      </p>
      <Show when={frame().totals.length > 1}>
        <p>
          Returns: <For each={frame().totals}>{(total, seat) => <>{seat() ? ", " : ""}{props.seats.nameOf(seat())} <b>{signed(total)}</b></>}</For>.
        </p>
      </Show>
      <div class="p-row">
        <button type="button" class="button primary" onClick={() => props.episodes.again({})}>
          Play this seed again
        </button>
        <button type="button" class="button" onClick={() => props.episodes.again(anotherSeed(props.session.plan()))}>
          Another seed
        </button>
        <Show when={props.compare}>
          {(compare) => (
            <button type="button" class="button" onClick={() => compare()()}>
              Compare with the agent and the bots
            </button>
          )}
        </Show>
        <button type="button" class="button" onClick={() => props.episodes.share()}>
          Share
        </button>
      </div>
    </section>
  );
}

export function Log(props: { session: Session; view: GameView; seats: Seats; quiet: boolean }) {
  const sentences = new Map(props.session.facts.events.map((event) => [event.name, event.sentence]));
  return (
    <section class="card p-log" aria-label="What happened">
      <h2>What happened</h2>
      <div role="log" aria-live={props.quiet ? "off" : "polite"} aria-relevant="additions" aria-label="Event log">
        <Show when={props.session.log().length > 0} fallback={<p class="muted">Nothing yet: choose an action.</p>}>
          <ol class="p-log-lines" tabindex="0" aria-label="Steps, newest first">
            <For each={props.session.log()}>
              {(line) => (
                <li>
                  <span class="p-log-index">{line.index}</span>
                  <span>
                    {sentence(props.seats.inWords(line.text))}
                    <Show when={line.by}>
                      <small> by {line.by}</small>
                    </Show>
                    <For each={line.events}>
                      {(event) => (
                        <span title={sentences.get(event)}>
                          <Badge tone={props.view.eventTones?.[event] ?? "accent"}>{words(event)}</Badge>
                        </span>
                      )}
                    </For>
                  </span>
                  <Show when={line.reward !== 0}>
                    <span class="p-log-reward" classList={{ up: line.reward > 0, down: line.reward < 0 }}>
                      <span class="sr-only">reward </span>
                      {signed(line.reward, 3)}
                    </span>
                  </Show>
                </li>
              )}
            </For>
          </ol>
        </Show>
      </div>
    </section>
  );
}

export function Data(props: { session: Session }) {
  const [open, setOpen] = createSignal(false);
  const frame = () => props.session.frame()!;
  const terms = () => Object.entries(frame().terms).filter(([, value]) => value !== 0);
  return (
    <details class="card p-fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Numbers <small>return {signed(frame().total)}</small>
      </summary>
      <Show when={open()}>
        <Figures info={frame().info} />
        <Show when={terms().length > 0}>
          <h3>Reward of the last step: {signed(frame().reward)}</h3>
          <Figures info={Object.fromEntries(terms())} />
        </Show>
        <details>
          <summary>State as JSON</summary>
          <pre class="p-json" tabindex="0">
            {JSON.stringify(frame().state, null, 1)}
          </pre>
        </details>
      </Show>
    </details>
  );
}
