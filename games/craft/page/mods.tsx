// The modifiers that the base can have: a row of tiers for each kind, with the odds of a plain draw. A
// tier that is chosen is wanted, or better.
import { createMemo, createSignal, For, Index, Show } from "solid-js";
import { plainText, type Entry, type Pool } from "./solver";
import type { Crafting } from "./state";

interface Ladder {
  name: string;
  text: string;
  family: string;
  side: "P" | "S";
  /** best first */
  entries: Entry[];
}

/** Those that are drawn, by ladder. */
function laddersOf(pool: Pool | null): Ladder[] {
  const found = new Map<string, Ladder>();
  for (const entry of pool?.entries ?? []) {
    if (entry.origin !== "natural") continue;
    const ladder = found.get(entry.ladder) ?? { name: entry.ladder, text: plainText(entry.text), family: entry.family, side: entry.side, entries: [] };
    ladder.entries.push(entry);
    found.set(entry.ladder, ladder);
  }
  return [...found.values()];
}

/** Long lists stand open where there is a column for them. */
export const wide = matchMedia("(min-width: 1080px)").matches;

/** Odds as people read small ones: 0.9%, 0.04%. */
export const odds = (chance: number): string => (chance <= 0 ? "–" : `${(100 * chance).toPrecision(chance >= 0.1 ? 3 : 2)}%`);

const upTo = (ladder: Ladder, tier: number): number => ladder.entries.reduce((sum, one) => sum + (one.tier <= tier ? one.chance : 0), 0);

function LadderRow(props: { crafting: Crafting; ladder: Ladder }) {
  const { state, ladder } = props.crafting;
  const chosen = () => state.needs.find(({ any }) => any.length === 1 && any[0]!.kind === "ladder" && any[0]!.name === props.ladder.name)?.any[0]?.tier ?? 0;
  const hit = () => props.ladder.entries.some((one) => one.hits);
  return (
    <fieldset class="ladder" classList={{ hit: hit() }}>
      <legend>
        {props.ladder.text}
        <Show when={hit()}>
          {" "}
          <span class="wanted">wanted</span>
        </Show>
      </legend>
      <label class="tier none">
        <input type="radio" name={`tier-${props.ladder.name}`} checked={chosen() === 0} onChange={() => ladder(props.ladder.name, 0)} />
        <span>
          <span aria-hidden="true">–</span>
          <span class="sr-only">not by tier</span>
        </span>
      </label>
      <Index each={props.ladder.entries}>
        {(entry) => (
          <label class="tier" classList={{ hits: entry().hits === true }} title={`${entry().text}, level ${entry().level}; tier ${entry().tier} or better ${odds(upTo(props.ladder, entry().tier))} of draws`}>
            <input
              type="radio"
              name={`tier-${props.ladder.name}`}
              checked={chosen() === entry().tier}
              disabled={entry().chance === 0}
              aria-label={`Tier ${entry().tier} or better: ${entry().text}, ${odds(upTo(props.ladder, entry().tier))} of draws`}
              onChange={() => ladder(props.ladder.name, entry().tier)}
            />
            <span>
              T{entry().tier}
              <small>{odds(entry().chance)}</small>
            </span>
          </label>
        )}
      </Index>
    </fieldset>
  );
}

export function ModsCard(props: { crafting: Crafting; pool: Pool | null }) {
  const [find, setFind] = createSignal("");
  const ladders = createMemo(() => laddersOf(props.pool));
  const shown = (side: "P" | "S") => ladders().filter((one) => one.side === side && `${one.text} ${one.family}`.toLowerCase().includes(find().trim().toLowerCase()));
  const Side = (side: { of: "P" | "S"; name: string; room: number }) => (
    <div>
      <h3 class="side">
        {side.name} <small>up to {side.room} on a rare item</small>
      </h3>
      <For each={shown(side.of).map(({ name }) => name)} fallback={<p class="quiet">None.</p>}>
        {(name) => {
          // a row stays while its odds change, and with it the focus of who chooses by keys
          const ladder = createMemo((last: Ladder | undefined) => ladders().find((one) => one.name === name) ?? last);
          return <LadderRow crafting={props.crafting} ladder={ladder()!} />;
        }}
      </For>
    </div>
  );
  return (
    <details class="card fold" open={wide}>
      <summary>Modifiers of this base</summary>
      <p class="quiet">Choose the worst tier you would accept. Below each tier is how often a plain draw on an empty item gives it, according to community estimates of the weights.</p>
      <label class="field find">
        <span>Find</span>
        <input type="search" value={find()} maxlength="40" onInput={(event) => setFind(event.currentTarget.value)} />
      </label>
      <Side of="P" name="Prefixes" room={props.pool?.prefixes ?? 3} />
      <Side of="S" name="Suffixes" room={props.pool?.suffixes ?? 3} />
    </details>
  );
}
