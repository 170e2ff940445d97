// What is wanted: base and item level, the target in words, and its requirements one by one.
import { createEffect, createSignal, For, on, Show } from "solid-js";
import { asking, type Asked } from "ludus/lib/asking";
import type { ToolCall } from "ludus/lib/tools";
import { Choice, Examples } from "ludus/lib/ui";
import { sentence } from "ludus/lib/format";
import { plainText, readCall, type Pool } from "./solver";
import { targetText, type Crafting, type Matcher, type Need } from "./state";
import { baseOf, bases, groups, kinds, packs } from "./tables";

const typingMs = 350;
const examples = ["STR/DEX boots ilvl 82, T4 life, T3 move speed", "ring, T3 life, 2 T3 res", "T1 life, 2 T2 res, open suffix, move speed 25%"];

export const wholeNumber = (field: HTMLInputElement, low: number, high: number, otherwise: number): number => {
  const value = Math.trunc(field.valueAsNumber);
  const kept = Number.isFinite(value) ? Math.max(low, Math.min(high, value)) : otherwise;
  field.value = String(kept);
  return kept;
};

function BaseFields(props: { crafting: Crafting }) {
  const { state, set } = props.crafting;
  const kind = () => baseOf(state.base)?.kind ?? kinds[0]!;
  const inKind = () => bases.filter((one) => one.kind === kind()).sort((a, b) => b.level - a.level);
  return (
    <div class="fields base">
      <Choice name="Class" value={kind()} options={kinds.map((one) => [one, one] as const)} onChange={(value) => set("base", bases.filter((one) => one.kind === value).sort((a, b) => b.level - a.level)[0]!.name)} />
      <Choice name="Base (level)" value={state.base} options={inKind().map((one) => [one.name, `${one.name} (${one.level})`] as const)} onChange={(value) => set("base", value)} />
      <label class="field">
        <span>Item level</span>
        <input type="number" min="1" max="100" inputmode="numeric" value={state.ilvl} onChange={(event) => set("ilvl", wholeNumber(event.currentTarget, 1, 100, 82))} />
      </label>
      <Choice name="Rules" value={state.rules} options={packs.map((one) => [one, one] as const)} onChange={(value) => set("rules", value)} />
    </div>
  );
}

/** A text with one part of it in other words; what was read of it is in lower case. */
const swapped = (text: string, part: string, words: string): string => {
  const at = text.toLowerCase().indexOf(part);
  return at < 0 ? text : text.slice(0, at) + words + text.slice(at + part.length);
};

/** The target in words; read a moment after the last letter. */
function Words(props: { crafting: Crafting }) {
  const { state, set, want } = props.crafting;
  const [text, setText] = createSignal("");
  const [call, setCall] = createSignal<ToolCall | null>(null);
  const read = asking<Pool>("craft", call, { pauseMs: typingMs, light: true });
  // words without a base are for the base that is chosen
  const ask = (words: string): void => {
    setText(words);
    setCall(words.trim() ? readCall(words, state, true) : null);
  };
  const named = asking<Pool>("craft", () => (text().trim() ? readCall(text(), state, false) : null), { pauseMs: typingMs, light: true });
  createEffect(
    on(named.answer, (found) => {
      if (!found || !baseOf(found.base)) return;
      set("base", found.base);
      if (/\bilvl|\blevel/i.test(text())) set("ilvl", found.ilvl);
    }),
  );
  createEffect(on(read.answer, (found) => found && want(found.target)));
  return (
    <div class="words">
      <label class="field">
        <span>In words: base, item level and what it must have</span>
        <input type="text" maxlength="1000" autocomplete="off" spellcheck={false} placeholder={examples[0]} value={text()} onInput={(event) => ask(event.currentTarget.value)} />
      </label>
      <Examples list={examples.map((example) => [example, example])} onPick={ask} />
      <p class="problem" role="alert">
        {text().trim() ? read.problem() : ""}
      </p>
      <ul class="unparsed" aria-label="Not understood">
        <For each={text().trim() ? (read.answer()?.unparsed ?? []) : []}>
          {(part) => (
            <li>
              Not understood: “{part.text}”
              <Show when={part.nearest}>
                {(nearest) => (
                  <>
                    ; did you mean{" "}
                    <button type="button" class="link" onClick={() => ask(swapped(text(), part.text, nearest()))}>
                      {nearest()}
                    </button>
                    ?
                  </>
                )}
              </Show>
            </li>
          )}
        </For>
      </ul>
    </div>
  );
}

/** What a requirement is called. */
export const needName = (need: Need, pool: Pool | null): string => need.any.map((one) => matcherName(one, pool)).join(" or ");

/** What a matcher is called. */
function matcherName({ kind, name }: Matcher, pool: Pool | null): string {
  if (kind === "group") return groups.get(name) ?? name;
  const entry = pool?.entries.find((one) => one[kind] === name);
  return entry ? plainText(entry.text) : name;
}

function NeedRow(props: { crafting: Crafting; need: Need; at: number; pool: Pool | null }) {
  const { set, drop } = props.crafting;
  const name = () => needName(props.need, props.pool);
  const first = () => props.need.any[0]!;
  const all = (part: Partial<Matcher>): void => set("needs", props.at, "any", {}, part);
  return (
    <li class="need">
      <b class="need-name">{name()}</b>
      <label class="mini">
        <span>Number</span>
        <input type="number" min="1" max="6" value={props.need.count} aria-label={`How many of ${name()}`} onChange={(event) => set("needs", props.at, "count", wholeNumber(event.currentTarget, 1, 6, 1))} />
      </label>
      <label class="mini">
        <span>Worst tier</span>
        <input type="number" min="0" max="15" value={first().tier} aria-label={`Worst tier of ${name()}, 0 for any`} onChange={(event) => all({ tier: wholeNumber(event.currentTarget, 0, 15, 0) })} />
      </label>
      <label class="mini">
        <span>Min. value</span>
        <input type="number" min="0" max="10000" value={first().value} aria-label={`Minimum value of ${name()}, 0 for any`} onChange={(event) => all({ value: wholeNumber(event.currentTarget, 0, 10000, 0) })} />
      </label>
      <button type="button" class="icon-button small" aria-label={`Remove: ${name()}`} onClick={() => drop(props.at)}>
        ×
      </button>
    </li>
  );
}

function Needs(props: { crafting: Crafting; pool: Pool | null }) {
  const { state, set, add } = props.crafting;
  return (
    <>
      <ul class="needs" aria-label="Requirements">
        <For each={state.needs}>{(need, at) => <NeedRow crafting={props.crafting} need={need} at={at()} pool={props.pool} />}</For>
      </ul>
      <div class="fields">
        <Choice
          name="Add a group"
          value=""
          options={[["", "choose"], ...[...groups].map(([group, label]) => [group, label] as const)]}
          onChange={(group) => group && add({ any: [{ kind: "group", name: group, tier: 0, value: 0 }], count: 1 })}
        />
        <label class="field">
          <span>Open prefixes</span>
          <input type="number" min="0" max="3" value={state.open[0]} onChange={(event) => set("open", 0, wholeNumber(event.currentTarget, 0, 3, 0))} />
        </label>
        <label class="field">
          <span>Open suffixes</span>
          <input type="number" min="0" max="3" value={state.open[1]} onChange={(event) => set("open", 1, wholeNumber(event.currentTarget, 0, 3, 0))} />
        </label>
      </div>
    </>
  );
}

export function TargetCard(props: { crafting: Crafting; asked: Asked<Pool> }) {
  const pool = () => props.asked.answer();
  /** requirements by what they are called */
  const problem = () => sentence(pool()?.problem ?? props.asked.problem()).replace(/^Target: /, "").replace(/'need (\d+)'/g, (text, k) => {
      const need = props.crafting.state.needs[k - 1];
      return need ? `“${needName(need, pool())}”` : text;
    });
  return (
    <section class="card" aria-labelledby="target-title">
      <h2 id="target-title">What I want</h2>
      <Words crafting={props.crafting} />
      <BaseFields crafting={props.crafting} />
      <Needs crafting={props.crafting} pool={pool()} />
      <p class="understood" role="status">
        <Show when={pool()?.understood} fallback={targetText(props.crafting.state) ? (props.asked.busy() ? "Reading the requirements…" : "") : "There is no target yet: type one above, or choose modifiers below."}>
          <b>{pool()!.base}</b>, item level {pool()!.ilvl}: {pool()!.understood}
        </Show>
      </p>
      <p class="problem" role="alert">
        {problem()}
        <Show when={props.asked.problem()}>
          {" "}
          <button type="button" class="link" onClick={props.asked.again}>
            Try again
          </button>
        </Show>
      </p>
    </section>
  );
}
