// Settings of runs: those of one with where they came from, and those in which several differ.
import { createMemo, createSignal, For, Show } from "solid-js";
import type { RunDetail } from "../lib/api";
import { number } from "../lib/format";
import { differing, runTime, settingText, speaks } from "./figures";
import { SLOTS } from "./plot";

const originWords: Record<string, string> = { default: "default", flag: "command line", preset: "preset", config: "file", environment: "environment" };

/** Where files lie is told by name, not by path. */
const shortPath = (where: string) => where.replace(/^.*\/(?=[^/]+$)/, "");

export function SettingsTable(props: { run: RunDetail }) {
  const [filter, setFilter] = createSignal("");
  const all = createMemo(() => Object.entries(props.run.settings ?? {}).filter(([key]) => speaks(key)));
  const found = () => all().filter(([key, one]) => `${key} ${one.value}`.toLowerCase().includes(filter().toLowerCase()));
  const chosen = () => found().filter(([, one]) => one.origin !== "default");
  const rest = () => found().filter(([, one]) => one.origin === "default");
  return (
    <>
      <label class="field narrow">
        <span>Find a setting</span>
        <input type="search" value={filter()} onInput={(event) => setFilter(event.currentTarget.value)} />
      </label>
      <h3 class="sub">Chosen for this run ({chosen().length})</h3>
      <Rows rows={chosen()} label="Settings chosen for this run" />
      <details class="twin" open={filter() !== ""}>
        <summary>Defaults ({rest().length})</summary>
        <Rows rows={rest()} label="Settings left at their defaults" />
      </details>
    </>
  );
}

function Rows(props: { rows: [string, { value: unknown; origin: string; where?: string }][]; label: string }) {
  return (
    <Show when={props.rows.length} fallback={<p class="quiet">None.</p>}>
      <div class="scroller" tabindex="0" role="region" aria-label={props.label}>
        <table class="grid-table">
          <thead>
            <tr>
              <th scope="col">Setting</th>
              <th scope="col">Value</th>
              <th scope="col">From</th>
            </tr>
          </thead>
          <tbody>
            <For each={props.rows}>
              {([key, one]) => (
                <tr>
                  <th scope="row" class="mono">
                    {key}
                  </th>
                  <td class="mono">{String(one.value ?? "") || <span class="muted">unset</span>}</td>
                  <td>
                    {originWords[one.origin] ?? one.origin}{" "}
                    <Show when={one.where && one.where !== one.origin}>
                      <small>{shortPath(one.where!)}</small>
                    </Show>
                  </td>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </div>
    </Show>
  );
}

const facts: [string, (run: RunDetail) => string][] = [
  ["algorithm", (run) => run.algorithm],
  ["commit", (run) => run.commit],
  ["decisions", (run) => number(run.env_steps)],
  ["best evaluation", (run) => number(run.best?.mean)],
  ["last return", (run) => number(run.last_return)],
];

/** What differs between runs; the first is what the others are held against. */
export function SettingsDiff(props: { runs: { detail: RunDetail; slot: number }[] }) {
  const [everything, setEverything] = createSignal(false);
  const details = () => props.runs.map(({ detail }) => detail);
  const keys = createMemo(() => {
    if (!everything()) return differing(details());
    return [...new Set(details().flatMap((run) => Object.keys(run.settings ?? {})))].filter(speaks);
  });
  const odd = (texts: string[], i: number) => texts[i] !== texts[0];
  return (
    <section class="card" aria-label="Settings that differ">
      <header class="card-head">
        <h2>What differs</h2>
        <label class="check">
          <input type="checkbox" checked={everything()} onChange={(event) => setEverything(event.currentTarget.checked)} />
          All settings
        </label>
      </header>
      <div class="scroller" tabindex="0" role="region" aria-label="Comparison of the chosen runs">
        <table class="grid-table diff">
          <thead>
            <tr>
              <th scope="col">Figure or setting</th>
              <For each={props.runs}>
                {({ detail, slot }) => (
                  <th scope="col">
                    <i class={`swatch slot-${(slot % SLOTS) + 1}`} aria-hidden="true" /> {runTime(detail.run_id)}
                  </th>
                )}
              </For>
            </tr>
          </thead>
          <tbody>
            <For each={facts}>{([name, text]) => <DiffRow name={name} texts={details().map(text)} odd={odd} />}</For>
            <For each={keys()}>{(key) => <DiffRow name={key} mono texts={details().map((run) => settingText(run, key))} odd={odd} />}</For>
          </tbody>
        </table>
      </div>
      <Show when={keys().length === 0}>
        <p class="quiet">These runs have the same settings.</p>
      </Show>
    </section>
  );
}

function DiffRow(props: { name: string; texts: string[]; mono?: boolean; odd: (texts: string[], i: number) => boolean }) {
  return (
    <tr>
      <th scope="row" class={props.mono ? "mono" : ""}>
        {props.name}
      </th>
      <For each={props.texts}>
        {(text, i) => (
          <td class={`${props.mono ? "mono" : ""} ${props.odd(props.texts, i()) ? "differs" : ""}`}>{text || <span class="muted">unset</span>}</td>
        )}
      </For>
    </tr>
  );
}
