// The conditions of the next episode: seed, settings and reset options from the game's own schemas.
import { createMemo, createSignal, createUniqueId, For, Match, Show, Switch } from "solid-js";
import { number, words } from "../lib/format";
import { isFile, readSeed, type FileText } from "./moves";
import type { Session } from "./session";

interface Field {
  key: string;
  kind: "number" | "integer" | "choice" | "bool" | "text" | "file";
  low: number | undefined;
  high: number | undefined;
  choices: string[];
  otherwise: unknown;
  sentence: string;
}

function fieldsOf(schema: any): Field[] {
  return Object.entries<any>(schema?.properties ?? {}).map(([key, one]) => {
    const types: string[] = [one.type].flat();
    const kind = one["x-type"] === "file" ? "file" : one.enum ? "choice" : types.includes("boolean") ? "bool" : types.includes("integer") ? "integer" : types.includes("number") ? "number" : "text";
    return { key, kind, low: one.minimum, high: one.maximum, choices: one.enum ?? [], otherwise: one.default ?? null, sentence: one.description ?? "" };
  });
}

type Values = Record<string, unknown>;

const shown = (value: unknown): string => (isFile(value) ? value.name : String(value));

function FileInput(props: { label: string; describedBy: string; value: unknown; set: (value: FileText | undefined) => void }) {
  let input!: HTMLInputElement;
  const clear = () => {
    input.value = "";
    props.set(undefined);
  };
  const read = async () => {
    const file = input.files?.[0];
    props.set(file ? { name: file.name, text: await file.text() } : undefined);
  };
  return (
    <>
      <label class="field">
        <span>{props.label}</span>
        <input ref={input} type="file" aria-describedby={props.describedBy} onChange={() => void read()} />
      </label>
      <Show when={isFile(props.value)}>
        <button type="button" class="button" onClick={clear}>
          Leave out {shown(props.value)}
        </button>
      </Show>
    </>
  );
}

function Input(props: { field: Field; words?: string[] | undefined; values: Values; set: (key: string, value: unknown) => void }) {
  const id = createUniqueId();
  const { field } = props;
  const value = () => props.values[field.key] ?? field.otherwise;
  const set = (text: string) => {
    const blank = text.trim() === "";
    props.set(field.key, blank ? undefined : field.kind === "number" || field.kind === "integer" ? Number(text) : text);
  };
  return (
    <div class="p-setting">
      <Switch
        fallback={
          <label class="field">
            <span>{words(field.key)}</span>
            <input
              type={field.kind === "text" ? "text" : "number"}
              value={value() === null ? "" : String(value())}
              placeholder={field.otherwise === null ? "the mode’s default" : String(field.otherwise)}
              min={field.low}
              max={field.high}
              step={field.kind === "integer" ? 1 : "any"}
              aria-describedby={id}
              onInput={(event) => set(event.currentTarget.value)}
            />
          </label>
        }
      >
        <Match when={field.kind === "file"}>
          <FileInput label={words(field.key)} describedBy={id} value={value()} set={(file) => props.set(field.key, file)} />
        </Match>
        <Match when={field.kind === "bool"}>
          <label class="check">
            <input type="checkbox" checked={Boolean(value())} aria-describedby={id} onChange={(event) => props.set(field.key, event.currentTarget.checked)} />
            {words(field.key)}
          </label>
        </Match>
        <Match when={props.words}>
          {(names) => (
            <label class="field">
              <span>{words(field.key)}</span>
              <select aria-describedby={id} onChange={(event) => set(event.currentTarget.value)}>
                <Show when={typeof field.otherwise !== "number" || names()[field.otherwise] === undefined}>
                  <option value="">default</option>
                </Show>
                <For each={names()}>
                  {(name, number) => (
                    <option value={number()} selected={number() === value()}>
                      {name}
                    </option>
                  )}
                </For>
              </select>
            </label>
          )}
        </Match>
        <Match when={field.kind === "choice"}>
          <label class="field">
            <span>{words(field.key)}</span>
            <select aria-describedby={id} onChange={(event) => set(event.currentTarget.value)}>
              <For each={field.choices}>
                {(choice) => (
                  <option value={choice} selected={choice === value()}>
                    {words(choice)}
                  </option>
                )}
              </For>
            </select>
          </label>
        </Match>
      </Switch>
      <small id={id}>
        {field.sentence}
        <Show when={field.low !== undefined && field.high !== undefined && field.otherwise !== null}>
          {" "}
          {number(field.low!)} to {number(field.high!)}.
        </Show>
      </small>
    </div>
  );
}

/** Values that are not the default. */
function changed(fields: Field[], values: Values): Values {
  const known = fields.filter((field) => values[field.key] !== undefined && values[field.key] !== field.otherwise);
  return Object.fromEntries(known.map((field) => [field.key, values[field.key]]));
}

export function Setup(props: { session: Session; choices: Record<string, string[]>; start: (seed: string, settings: Values, options: Values) => Promise<void> }) {
  const { session } = props;
  const settingFields = fieldsOf(session.facts.settings);
  const optionFields = fieldsOf(session.facts.options);
  const plan = () => {
    session.frame();
    return session.plan();
  };
  const [values, setValues] = createSignal<Values>({ ...session.plan().settings });
  const [options, setOptions] = createSignal<Values>({ ...session.plan().options });
  const [seed, setSeed] = createSignal<string | null>(null);
  const [problem, setProblem] = createSignal("");
  const problemId = createUniqueId();
  const plain = settingFields.filter((field) => !field.key.startsWith("reward."));
  const weights = settingFields.filter((field) => field.key.startsWith("reward."));
  const summary = createMemo(() => {
    const set = { ...plan().settings, ...plan().options };
    const parts = Object.entries(set).map(([key, value]) => `${words(key)} ${shown(value)}`);
    return parts.length ? parts.join(", ") : "all defaults";
  });

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const wanted = readSeed(seed() ?? plan().seed);
    if (wanted === null) return void setProblem("The seed must be a whole number from 0 to 18446744073709551615.");
    try {
      await props.start(wanted, changed(settingFields, values()), changed(optionFields, options()));
      setSeed(null);
      setProblem("");
    } catch (cause) {
      setProblem(cause instanceof Error ? cause.message : String(cause));
    }
  }

  return (
    <details class="card p-fold">
      <summary>
        Seed and settings <small>{summary()}</small>
      </summary>
      <form class="p-setup" onSubmit={(event) => void submit(event)} novalidate>
        <label class="field">
          <span>Seed</span>
          <input
            type="text"
            inputmode="numeric"
            value={seed() ?? plan().seed}
            aria-invalid={problem() ? "true" : undefined}
            aria-describedby={problem() ? problemId : undefined}
            onInput={(event) => setSeed(event.currentTarget.value)}
          />
        </label>
        <For each={optionFields}>{(field) => <Input field={field} words={props.choices[field.key]} values={options()} set={(key, value) => setOptions({ ...options(), [key]: value })} />}</For>
        <For each={plain}>{(field) => <Input field={field} words={props.choices[field.key]} values={values()} set={(key, value) => setValues({ ...values(), [key]: value })} />}</For>
        <Show when={weights.length > 0}>
          <details>
            <summary>Weights of the reward</summary>
            <div class="p-setup">
              <For each={weights}>{(field) => <Input field={field} words={props.choices[field.key]} values={values()} set={(key, value) => setValues({ ...values(), [key]: value })} />}</For>
            </div>
          </details>
        </Show>
        <Show when={problem()}>
          <p id={problemId} class="p-trouble" role="alert">
            {problem()}
          </p>
        </Show>
        <button type="submit" class="button primary">
          Start with these
        </button>
      </form>
    </details>
  );
}
