// /runs and /runs/RUN.
import { Show } from "solid-js";
import { RunList } from "./list";
import { OneRun } from "./run";
import "./runs.css";

export default function RunsPage(props: { run: string }) {
  return (
    <Show when={props.run} keyed fallback={<RunList />}>
      {(run) => <OneRun run={run} />}
    </Show>
  );
}
