// The optimum step by step: what is done in which situation, and how likely each outcome is.
import { For, Show } from "solid-js";
import { odds } from "./mods";
import type { Pool, Result, Situation } from "./solver";
import { needsOf } from "./state";
import { itemName } from "./tables";
import { needName } from "./target";

const least = 0.0005;

const ends = (one: Situation): boolean => one.do === "stop" || one.do === "white_base";
const endWords: Record<string, string> = { stop: "done", white_base: "given up" };

export function FlowCard(props: { result: Result; pool: Pool | null }) {
  const flow = () => props.result.flow ?? [];
  const names = () => needsOf(props.result.target).map((need) => needName(need, props.pool));
  const words = ({ rarity, have }: Situation): string => {
    const there = have.flatMap((count, k) => (count ? [`${count > 1 ? `${count} × ` : ""}${names()[k]}`] : []));
    return `${rarity}, ${there.length ? `with ${there.join(" and ")}` : "nothing wanted on it"}`;
  };
  const steps = () => flow().flatMap((one, at) => (ends(one) || one.visits < least ? [] : [{ one, at }]));
  const goes = (at: number): string => {
    const to = flow()[at]!;
    return ends(to) ? endWords[to.do]! : `then ${itemName(to.do)}`;
  };
  return (
    <section class="card" aria-labelledby="flow-title">
      <h2 id="flow-title">Step by step</h2>
      <p class="quiet">What the optimum does in which situation. Odds are exact; situations of one line may differ in what else is on the item.</p>
      <ol class="flow">
        <For each={steps()}>
          {({ one, at }) => (
            <li id={`flow-${at}`} tabindex="-1">
              <p class="flow-do">
                <span class={`rarity ${one.rarity}`}>{words(one)}</span> <b>{itemName(one.do)}</b> <small>{one.visits.toPrecision(3)} times per base</small>
              </p>
              <ul class="branches">
                <For each={one.to}>
                  {(to) => (
                    <li>
                      <span class="branch-odds">{odds(to.chance)}</span>
                      <meter min="0" max="1" value={to.chance} aria-hidden="true" />
                      <span>
                        {words(flow()[to.at]!)}:{" "}
                        <Show when={!ends(flow()[to.at]!) && flow()[to.at]!.visits >= least} fallback={<b class={flow()[to.at]!.do === "stop" ? "good" : "muted"}>{goes(to.at)}</b>}>
                          <a href={`#flow-${to.at}`}>{goes(to.at)}</a>
                        </Show>
                      </span>
                    </li>
                  )}
                </For>
              </ul>
            </li>
          )}
        </For>
      </ol>
    </section>
  );
}
