// Choosing a replay: runs, windows and tags, newest first.
import { createEffect, createSignal, For, on, Show } from "solid-js";
import { api, type Replay, type Run } from "../lib/api";
import { ago, compact, counted, endName, number, runName, tagWords, words } from "../lib/format";
import { cardOf } from "../lib/cards";
import { byWords, isShipped, shipped, type Shipped } from "../lib/shipped";
import { Notice, StatusBadge, Tags } from "../lib/ui";

interface PickerProps {
  current: Replay | null;
  onPick: (replay: Replay) => void;
}

const tagChoices = ["", "best_so_far", "window_best", "window_median", "window_worst"];
const page = 60;

/** Replays as the filters ask for them, newest first, page by page. */
function createReplayList(run: () => string, tag: () => string, window: () => string) {
  const [list, setList] = createSignal<Replay[]>([]);
  const [next, setNext] = createSignal<string | null>(null);
  const [failure, setFailure] = createSignal("");
  const [busy, setBusy] = createSignal(false);
  let abort = new AbortController();
  const load = async (cursor: string | null) => {
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    setBusy(true);
    setFailure("");
    try {
      const query = { limit: page, cursor, tag: tag() };
      const answer = run() ? await api.runReplays(run(), { ...query, ...(window() ? { window: window() } : {}) }, signal) : await api.replays(query, signal);
      setList((old) => (cursor ? [...old, ...answer.replays] : answer.replays));
      setNext(answer.next);
    } catch (cause) {
      if (!signal.aborted) setFailure(cause instanceof Error ? cause.message : String(cause));
    } finally {
      if (!signal.aborted) setBusy(false);
    }
  };
  createEffect(on([run, tag, window], () => void load(null)));
  return { list, next, failure, busy, more: () => void load(next()) };
}

export function Picker(props: PickerProps) {
  const [run, setRun] = createSignal(props.current && !isShipped(props.current) ? props.current.run_id : "");
  const [tag, setTag] = createSignal("");
  const [window, setWindow] = createSignal("");
  const [runs, setRuns] = createSignal<Run[]>([]);
  void api.runs({ limit: 200 }).then(
    (answer) => setRuns(answer.runs),
    () => undefined,
  );
  const chosen = () => runs().find((entry) => entry.run_id === run());
  const found = createReplayList(run, tag, window);

  return (
    <div class="picker">
      <div class="picker-filters">
        <label class="field grow">
          <span>Run</span>
          <select onChange={(event) => (setWindow(""), setRun(event.currentTarget.value))}>
            <option value="" selected={run() === ""}>
              all runs
            </option>
            <Show when={run() && !chosen()}>
              <option value={run()} selected>
                {runName(run())}
              </option>
            </Show>
            <For each={runs()}>
              {(entry) => (
                <option value={entry.run_id} selected={entry.run_id === run()}>
                  {runName(entry.run_id)} · {counted(entry.replays, "replay")}{entry.status === "running" ? " · running" : ""}
                </option>
              )}
            </For>
          </select>
        </label>
        <label class="field">
          <span>Window</span>
          <select value={window()} disabled={!run()} onChange={(event) => setWindow(event.currentTarget.value)}>
            <option value="">all</option>
            <For each={Array.from({ length: Math.min(2000, chosen()?.windows ?? 0) }, (_, k) => (chosen()?.windows ?? 0) - 1 - k)}>{(id) => <option value={String(id)}>{id}</option>}</For>
          </select>
        </label>
        <label class="field">
          <span>Kind</span>
          <select value={tag()} onChange={(event) => setTag(event.currentTarget.value)}>
            <For each={tagChoices}>{(choice) => <option value={choice}>{choice ? tagWords(choice) : "all"}</option>}</For>
          </select>
        </label>
      </div>
      <Show when={chosen()}>
        {(entry) => (
          <p class="muted">
            <StatusBadge status={entry().status} /> {compact(entry().env_steps)} decisions · written {ago(entry().written)}
            <Show when={entry().notes}> · {entry().notes}</Show>
          </p>
        )}
      </Show>
      <Show when={found.failure()}>
        <Notice title="The list cannot be loaded" tone="bad">
          {found.failure()}
        </Notice>
      </Show>
      <Show when={!run()}>
        <ul class="picker-list picker-shipped" aria-label="Replays that come with ludus">
          <For each={shipped}>{(replay) => <ShippedEntry replay={replay} current={replay.replay_id === props.current?.replay_id} onPick={props.onPick} />}</For>
        </ul>
      </Show>
      <ul class="picker-list" aria-busy={found.busy()}>
        <For each={found.list()} fallback={<li class="muted picker-none">{found.busy() ? "Loading …" : "No replay matches."}</li>}>
          {(replay) => <Entry replay={replay} current={replay.replay_id === props.current?.replay_id && replay.run_id === props.current?.run_id} named={!run()} onPick={props.onPick} />}
        </For>
      </ul>
      <Show when={found.next()}>
        <button type="button" class="button" disabled={found.busy()} onClick={() => found.more()}>
          Show more
        </button>
      </Show>
    </div>
  );
}

/** A replay that comes with the site. */
function ShippedEntry(props: { replay: Shipped; current: boolean; onPick: (replay: Replay) => void }) {
  return (
    <li>
      <button type="button" aria-current={props.current ? "true" : undefined} onClick={() => props.onPick(props.replay)}>
        <span class="picker-window">
          <b>{cardOf(props.replay.game)?.title ?? props.replay.game}</b> {byWords(props.replay)}
        </span>
        <span class="picker-value">
          <b>{number(props.replay.value)}</b> <small>{words(props.replay.metric)}</small>
        </span>
      </button>
    </li>
  );
}

/** A replay of the list; `named` where the list has several runs. */
function Entry(props: { replay: Replay; current: boolean; named: boolean; onPick: (replay: Replay) => void }) {
  const { replay } = props;
  return (
    <li>
      <button type="button" aria-current={props.current ? "true" : undefined} onClick={() => props.onPick(replay)}>
        <span class="picker-window">
          window <b>{replay.window_id}</b>
          <Show when={props.named}>
            <small>{runName(replay.run_id)}</small>
          </Show>
        </span>
        <span class="picker-value">
          <b>{number(replay.value)}</b> <small>{words(replay.metric)}</small>
        </span>
        <span class="picker-facts">
          {counted(replay.decisions, "decision")} · ended: {endName(replay.infos["end"]) || (replay.truncated ? "time limit" : "by the rules")} · seed {String(replay.seed)}
        </span>
        <Tags tags={replay.tags.filter((entry) => entry !== "every_window")} />
      </button>
    </li>
  );
}
