// The crafting page: what is wanted, by words or by modifiers; prices; the cheapest ways to get it, proven
// by the game's solver; what to do next with an item in hand; what happens when prices change; and the same
// craft by hand.
import { createMemo, createSignal, Show, type JSX } from "solid-js";
import { asking, Running } from "ludus/lib/asking";
import type { ToolCall } from "ludus/lib/tools";
import { CopyLink } from "ludus/lib/ui";
import { AdvisorCard } from "./advisor";
import { BenchCard } from "./bench";
import { FlowCard } from "./flow";
import { ModsCard } from "./mods";
import { PricesCard } from "./prices";
import { SensitivityCard } from "./sensitivity";
import { isWhole, poolCall, solveCall, type Pool, type Result } from "./solver";
import { createCrafting, type Crafting } from "./state";
import { Strategies, type Known } from "./strategy";
import { TargetCard } from "./target";
import "./craft.css";

const pauseMs = 150;

/** The answer, and what else belongs to it; an item in hand stands between. */
function AnswerCard(props: { crafting: Crafting; pool: Pool | null; known: Known; children: JSX.Element }) {
  const { state, priceOf } = props.crafting;
  const [call, setCall] = createSignal<ToolCall | null>(null);
  const asked = asking<Result>("craft", call, { pauseMs: 0, enough: isWhole });
  const wanted = createMemo(() => solveCall(state));
  const stale = () => JSON.stringify(wanted()) !== JSON.stringify(call());
  const solve = (): void => (stale() ? void setCall(wanted()) : asked.again());
  const rate = () => (state.unit === "exalted" ? 1 : priceOf(`${state.unit}_orb`));
  return (
    <>
      <section class="card answer" aria-labelledby="answer-title">
        <h2 id="answer-title">The cheapest way</h2>
        <p class="solve">
          <button type="button" class="button primary" disabled={!wanted() || Boolean(props.pool?.problem)} onClick={solve}>
            Solve
          </button>
          <span class="muted">
            <Show when={!wanted()} fallback={asked.answer() && stale() && !asked.busy() ? "Something has changed: solve again." : ""}>
              Choose what you want first.
            </Show>
          </span>
        </p>
        <Running asked={asked} name="Solver" />
        <Show when={asked.answer()}>{(result) => <Strategies result={result()} known={props.known} stale={stale() || asked.busy()} budget={state.budget} priceOf={priceOf} rate={rate()} />}</Show>
      </section>
      {props.children}
      <Show when={asked.answer()?.flow && asked.answer()}>{(result) => <FlowCard result={result()} pool={props.pool} />}</Show>
      <Show when={asked.answer()?.policy && asked.answer()}>{(result) => <BenchCard crafting={props.crafting} result={result()} known={props.known} rate={rate()} />}</Show>
      <Show when={asked.answer()?.strategies?.[0]?.sensitivity}>{(list) => <SensitivityCard crafting={props.crafting} list={list()} call={call()} again={() => setCall(wanted())} />}</Show>
    </>
  );
}

export default function CraftPage() {
  const crafting = createCrafting();
  const pool = asking<Pool>("craft", () => poolCall(crafting.state), { pauseMs, light: true });
  const known = createMemo<Known>(() => new Map((pool.answer()?.entries ?? []).map((entry) => [entry.mod, entry])));
  return (
    <div class="crafting">
      <header class="craft-head">
        <div>
          <h1>Workbench</h1>
          <p class="quiet">The cheapest way to an item, proven, with its odds; and the next step for one in hand.</p>
        </div>
        <CopyLink link={crafting.link} holds="base, target, prices and the item in hand" />
      </header>
      <div class="craft-grid">
        <div class="craft-side">
          <TargetCard crafting={crafting} asked={pool} />
          <ModsCard crafting={crafting} pool={pool.answer()} />
        </div>
        <div class="craft-main">
          <AnswerCard crafting={crafting} pool={pool.answer()} known={known()}>
            <AdvisorCard crafting={crafting} known={known()} />
          </AnswerCard>
          <PricesCard crafting={crafting} />
        </div>
      </div>
    </div>
  );
}
