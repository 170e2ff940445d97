// An item in hand: pasted as the game copies it, it is told what to do next, how likely each outcome is and
// what to do then. The browser keeps the craft: what was done and spent.
import { createEffect, createSignal, For, on, Show } from "solid-js";
import { asking, Running } from "ludus/lib/asking";
import { number } from "ludus/lib/format";
import { kept } from "ludus/lib/store";
import type { ToolCall } from "ludus/lib/tools";
import { Choice } from "ludus/lib/ui";
import { ItemCard } from "./bench";
import { odds, wide } from "./mods";
import { adviceCall, isWhole, keeping, type Advice, type Item, type Outcome } from "./solver";
import { itemText, itemWord, targetText, type Crafting } from "./state";
import type { Known } from "./strategy";
import { baseOf, itemName, market } from "./tables";

const most = 20_000;
const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
const usable = market.filter(({ group }) => group !== "Omens").flatMap(({ items }) => items.map(({ item }) => item));

function OutcomeRow(props: { of: Outcome; unit: string }) {
  const such = () => props.of.such_as.map((one) => one.text).join(", ");
  return (
    <li>
      <span class="branch-odds">{odds(props.of.chance)}</span>
      <meter min="0" max="1" value={props.of.chance} aria-hidden="true" />
      <span>
        <span classList={{ good: props.of.hits.length > 0 && !props.of.loses.length, bad: props.of.loses.length + props.of.blocks.length > 0 }}>{props.of.what}</span>
        <Show when={!props.of.hits.length && such()}>
          {" "}
          <small class="muted">such as {such()}</small>
        </Show>
        <br />
        <Show when={props.of.next !== "stop"} fallback={<b class="good">done</b>}>
          <Show when={props.of.next} fallback="ask again">
            then <b>{itemName(props.of.next)}</b>
          </Show>
          , {number(props.of.cost_to_go)} {props.unit} to go
        </Show>
      </span>
    </li>
  );
}

/** What happened since the last question. */
function LastStep(props: { advice: Advice; did: (use: string) => void }) {
  const last = () => props.advice.so_far?.last;
  return (
    <Show when={last()}>
      {(step) => (
        <Show
          when={step().how === "unknown"}
          fallback={
            <p class="quiet">
              {itemName(step().action)} for {number(step().price)} {props.advice.prices.unit}
              <Show when={step().chance > 0 && step().chance < 1}>; this outcome had a chance of {odds(step().chance)}</Show>.
            </p>
          }
        >
          <div class="advice warn">
            This item is not a result of the step that was advised. It is used as it is, and nothing is added to what you have spent.
            <Choice name="What was used?" value="" options={[["", "choose"], ...usable.map((item) => [item, itemName(item)] as const)]} onChange={(use) => use && props.did(use)} />
          </div>
        </Show>
      )}
    </Show>
  );
}

function Told(props: { advice: Advice; known: Known; stale: boolean; did: (use: string) => void; keep: (item: Item) => void }) {
  const unit = () => props.advice.prices.unit;
  const second = () => props.advice.alternatives?.[0];
  const keptOf = (action: string) => props.advice.options?.find((one) => one.action === action);
  const keptText = () => keptOf(props.advice.next ?? "") && `Keep ${keptOf(props.advice.next!)!.text}`;
  return (
    <div classList={{ stale: props.stale }}>
      <LastStep advice={props.advice} did={props.did} />
      <ItemCard item={props.advice.item} base={`${props.advice.base}, item level ${props.advice.ilvl},`} known={props.known} />
      <For each={props.advice.item.notes}>{(note) => <p class="quiet">Note: {note}.</p>}</For>
      <Show when={props.advice.feasible} fallback={<p class="advice warn">No sequence of allowed actions is certain to make the item you want, from this item or from a new base.</p>}>
        <Show
          when={!props.advice.done}
          fallback={
            <p class="next-step done" role="status">
              <b class="good">Done: this is the item.</b>
            </p>
          }
        >
          <p class="next-step" role="status">
            <span>Next</span>
            <b>{keptText() ?? itemName(props.advice.next ?? "")}</b>
            <span>
              {number(props.advice.price ?? 0)} {unit()}
            </span>
          </p>
        </Show>
        <dl class="figures">
          <div class="figure">
            <dt>Expected cost from here</dt>
            <dd>
              {number(props.advice.cost_to_go ?? 0)} {unit()}
            </dd>
          </div>
          <div class="figure">
            <dt>Spent so far</dt>
            <dd>
              {number(props.advice.so_far?.spent ?? 0)} {unit()}, {props.advice.so_far?.steps} {props.advice.so_far?.steps === 1 ? "step" : "steps"}
            </dd>
          </div>
          <Show when={props.advice.budget}>
            {(budget) => (
              <div class="figure">
                <dt>Within {number(budget().whole)} in all</dt>
                <dd>{odds(budget().within)}</dd>
              </div>
            )}
          </Show>
          <div class="figure">
            <dt>Certainty</dt>
            <dd>{props.advice.status}</dd>
          </div>
        </dl>
        <Show when={props.advice.options?.length}>
          <h3>The options</h3>
          <ul class="options" aria-label="Options of the reveal">
            <For each={props.advice.options}>
              {(one) => (
                <li>
                  <button type="button" class="button small" classList={{ primary: one.action === props.advice.next }} disabled={props.stale} onClick={() => props.keep(keeping(props.advice.item, one.mod, []))}>
                    Keep
                  </button>
                  <span>
                    <span classList={{ good: one.hits }}>{one.text}</span> <small class="muted">T{one.tier}</small>
                    <br />
                    <small class="muted">
                      {number(one.cost_to_go)} {unit()} to go
                    </small>
                  </span>
                </li>
              )}
            </For>
          </ul>
        </Show>
        <Show when={props.advice.outcomes?.length}>
          <h3>Possible outcomes, and what to do next</h3>
          <ul class="branches outcomes">
            <For each={props.advice.outcomes}>{(one) => <OutcomeRow of={one} unit={unit()} />}</For>
          </ul>
        </Show>
        <Show when={second()}>
          {(other) => (
            <p class="quiet">
              Second best: {keptOf(other().action)?.text ?? (lower(itemName(other().action)) === "new white base" ? "a new white base" : itemName(other().action))}, {number(other().dearer)} {unit()} more.
            </p>
          )}
        </Show>
        <Show when={props.advice.dropped?.length}>
          <p class="quiet">Left out because of the memory it would need: {props.advice.dropped!.map(itemName).join(", ")}.</p>
        </Show>
      </Show>
    </div>
  );
}

export function AdvisorCard(props: { crafting: Crafting; known: Known }) {
  const { state, set } = props.crafting;
  const [text, setText] = createSignal("");
  const [session, setSession] = kept("craft.session", "");
  const [before, setBefore] = createSignal("");
  const [call, setCall] = createSignal<ToolCall | null>(null);
  const asked = asking<Advice>("craft", call, { pauseMs: 0, enough: isWhole });
  const item = () => text().trim() || (state.item ? itemText(state) : "");
  const ready = () => Boolean(item()) && Boolean(targetText(state));
  const ask = (kept: string, did: string, own?: Item): void => {
    setBefore(kept);
    setCall(adviceCall(state, own ? JSON.stringify({ ...own, base: state.base, ilvl: state.ilvl }) : item(), kept, did));
  };
  const next = (): void => ask(session(), "");
  const forget = (): void => {
    setSession("");
    setText("");
    setCall(null);
    set("item", "");
  };
  createEffect(
    on(asked.answer, (advice) => {
      if (!advice) return;
      setSession(advice.session ?? "");
      if (baseOf(advice.base)) set({ base: advice.base, ilvl: advice.ilvl, item: itemWord(advice.item) });
      setText("");
    }),
  );
  return (
    <details class="card fold advisor" open={wide || Boolean(state.item || session())}>
      <summary>An item in hand</summary>
      <div>
        <label class="field">
          <span>Paste the item as the game copies it (Ctrl+C, or Ctrl+Alt+C for more detail); reveal options as lines ending in (option)</span>
          <textarea
            rows={asked.answer() ? 2 : 4}
            maxlength={most}
            spellcheck={false}
            autocomplete="off"
            placeholder={asked.answer() ? "The item after that step" : "Item Class: Boots\nRarity: Rare\n…"}
            value={text()}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && ready()) next();
            }}
          />
        </label>
        <p class="solve">
          <button type="button" class="button primary" disabled={!ready() || asked.busy()} onClick={next}>
            What next?
          </button>
          <Show when={session() || state.item}>
            <button type="button" class="button" disabled={asked.busy()} onClick={forget}>
              New craft
            </button>
          </Show>
          <span class="muted">
            <Show when={!targetText(state)} fallback={session() && !asked.answer() && !asked.busy() ? "A craft is in progress: paste the item as it is now." : ""}>
              Choose what you want first.
            </Show>
          </span>
        </p>
        <Running asked={asked} name="Advisor" />
        <Show when={asked.answer()}>{(advice) => <Told advice={advice()} known={props.known} stale={asked.busy()} did={(use) => ask(before(), use)} keep={(kept) => ask(session(), "", kept)} />}</Show>
      </div>
    </details>
  );
}
