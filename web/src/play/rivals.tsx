// The same seed played by the agent and by every bot, in slices, beside the visitor's own score.
import { createSignal, For, onCleanup, Show } from "solid-js";
import { counted, endWords, number, sentence, words } from "../lib/format";
import { Player, type Choice, type Result } from "./players";
import type { Adviser } from "./agent";
import type { Session } from "./session";
import { seedName, type Plan } from "./moves";
import { isFlag } from "./table";

interface Row {
  name: string;
  sentence: string;
  you: boolean;
  result: Result | null;
  problem: string;
}

export function createRivals(session: Session, adviser: Adviser) {
  const [rows, setRows] = createSignal<Row[]>([]);
  const [busy, setBusy] = createSignal<{ name: string; done: number; of: number; decisions: number } | null>(null);
  const [conditions, setConditions] = createSignal("");
  let stopper: AbortController | null = null;

  /** What makes scores comparable. */
  const conditionsOf = (plan: Plan): string => JSON.stringify([plan.seed, plan.settings, plan.options]);
  const fits = () => {
    session.frame();
    return conditions() === conditionsOf(session.plan());
  };

  function field(): Choice[] {
    const all = adviser.list()?.all ?? [];
    const models = all.filter((one) => one.kind === "model");
    const asked = adviser.choice();
    const first = asked?.kind === "model" ? asked : models[0];
    const published = models.find((one) => one.group === "Published models");
    const kin = adviser.list()?.kin ?? [];
    return [...new Set([first, published].filter((one) => one !== undefined)), ...kin, ...all.filter((one) => one.kind === "bot")];
  }

  async function one(choice: Choice, plan: Plan, place: { done: number; of: number }, signal: AbortSignal): Promise<Row> {
    const row: Row = { name: choice.short, sentence: choice.sentence, you: false, result: null, problem: "" };
    const told = (decisions: number) => setBusy({ name: choice.short, decisions, ...place });
    told(0);
    try {
      const player = await Player.open(choice.game ? { ...session.facts, id: choice.game } : session.facts, choice);
      row.result = await player.playAlone(plan, told, signal);
    } catch (cause) {
      signal.throwIfAborted();
      row.problem = cause instanceof Error ? cause.message : String(cause);
    }
    return row;
  }

  async function run(): Promise<void> {
    stopper?.abort();
    const mine = (stopper = new AbortController());
    const plan: Plan = { ...session.plan(), moves: [] };
    const all = field();
    setRows([]);
    setConditions(conditionsOf(plan));
    try {
      for (const [done, choice] of all.entries()) {
        const row = await one(choice, plan, { done, of: all.length }, mine.signal);
        setRows((rows) => [...rows, row]);
      }
    } catch (cause) {
      if (!mine.signal.aborted) throw cause;
    } finally {
      if (stopper === mine) setBusy(null);
    }
  }

  const cancel = () => {
    stopper?.abort();
    setBusy(null);
  };
  onCleanup(cancel);
  return { rows: () => (fits() ? rows() : []), busy: () => (fits() ? busy() : null), run, cancel };
}

export type Rivals = ReturnType<typeof createRivals>;

const score = (row: Row, headline: string): number => Number(row.result?.info[headline] ?? row.result?.total ?? NaN);

export function RivalsPanel(props: { session: Session; rivals: Rivals }) {
  const { session, rivals } = props;
  const headline = session.facts.headline;
  const flag = isFlag(session.facts);
  const mine = (): Row => {
    const frame = session.frame()!;
    const result = { total: frame.total, decisions: frame.index, info: frame.info, over: frame.over };
    return { name: frame.over ? "You" : "You, so far", sentence: "", you: true, result, problem: "" };
  };
  const ranked = () => {
    const value = (row: Row) => (Number.isFinite(score(row, headline)) ? score(row, headline) : -Infinity);
    return [...rivals.rows(), mine()].sort((a, b) => value(b) - value(a));
  };
  const end = (row: Row) => (row.result ? (row.result.over ? endWords(row.result.info) : row.you ? "still playing" : "stopped") : "");
  return (
    <section class="card p-rivals" aria-label="The same seed, by others">
      <h2>The same seed, by others</h2>
      <Show when={!rivals.busy()} fallback={<Progress rivals={rivals} />}>
        <p class="p-small muted">
          {rivals.rows().length ? `Seed ${seedName(session.plan()) || session.plan().seed}, which each of them plays from the start.` : "The agent and every bot play this seed from its start, here in the page."}
        </p>
        <button type="button" class="button" onClick={() => void rivals.run()}>
          {rivals.rows().length ? "Compare again" : "Compare"}
        </button>
      </Show>
      <Show when={rivals.rows().length > 0}>
        <div class="p-table-box" tabindex="0" role="region" aria-label="Scores on the same seed">
          <table class="p-scores">
            <thead>
              <tr>
                <th scope="col">Player</th>
                <th scope="col" class="p-num">
                  {sentence(words(headline))}
                </th>
                <th scope="col" class="p-num">
                  Return
                </th>
                <th scope="col" class="p-num">
                  Decisions
                </th>
                <th scope="col">End</th>
              </tr>
            </thead>
            <tbody>
              <For each={ranked()}>
                {(row) => (
                  <tr classList={{ "p-you": row.you }}>
                    <th scope="row" title={row.sentence || undefined}>
                      {row.name}
                    </th>
                    <Show
                      when={row.result}
                      fallback={
                        <td colspan="4" class="p-trouble">
                          {row.problem}
                        </td>
                      }
                    >
                      {(result) => (
                        <>
                          <td class="p-num">{flag ? (score(row, headline) ? "yes" : result().over ? "no" : "") : number(score(row, headline))}</td>
                          <td class="p-num">{number(result().total)}</td>
                          <td class="p-num">{number(result().decisions)}</td>
                          <td>{end(row)}</td>
                        </>
                      )}
                    </Show>
                  </tr>
                )}
              </For>
            </tbody>
          </table>
        </div>
      </Show>
    </section>
  );
}

function Progress(props: { rivals: Rivals }) {
  const busy = () => props.rivals.busy() ?? { name: "", done: 0, of: 1, decisions: 0 };
  return (
    <div class="p-progress" role="status">
      <span>
        {busy().name}: {counted(busy().decisions, "decision")} ({busy().done + 1} of {busy().of})
      </span>
      <progress max={busy().of} value={busy().done} aria-label="Players done" />
      <button type="button" class="button" onClick={() => props.rivals.cancel()}>
        Cancel
      </button>
    </div>
  );
}
