// Which metrics are drawn.
import { createMemo } from "solid-js";
import type { Run } from "../lib/api";
import { words } from "../lib/format";
import { metricTitle } from "./charts";
import { Picker, type PickGroup } from "./picker";

const names: Record<string, string> = {
  "": "Training",
  terms: "Reward terms, per decision",
  infos: "At the end of episodes",
  seconds: "Where the time went",
  endings: "Ends of episodes",
};

/** Metrics by what stands before their first dot. */
export function metricGroups(keys: string[], label: (key: string) => string): PickGroup[] {
  const found = new Map<string, PickGroup["items"]>();
  for (const key of keys) {
    const group = key.includes(".") ? key.slice(0, key.indexOf(".")) : "";
    const item = { key, label: group ? words(key.slice(group.length + 1)) : label(key) };
    found.set(group, [...(found.get(group) ?? []), item]);
  }
  return [...found].map(([group, items]) => ({ name: names[group] ?? words(group), items }));
}

export function MetricPicker(props: { keys: string[]; chosen: string[]; runs: Run[]; onToggle: (key: string) => void; onNone: () => void }) {
  // the list itself does not change with what is chosen: the focus stays where it is
  const all = createMemo(() => [...new Set([...props.keys, ...props.chosen])], [], { equals: (a, b) => a.join() === b.join() });
  const groups = createMemo(() => metricGroups(all(), (key) => metricTitle(key, props.runs)));
  return <Picker title="Metrics" find="Find a metric" groups={groups()} chosen={props.chosen} onToggle={props.onToggle} onNone={props.onNone} />;
}
