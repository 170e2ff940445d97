import { Notice } from "../lib/ui";

export default function RunsPage(props: { run: string }) {
  return <Notice title={props.run || "Runs"} busy />;
}
