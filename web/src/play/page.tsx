import { Notice } from "../lib/ui";

export default function PlayPage(props: { game: string }) {
  return <Notice title={props.game || "Play"} busy />;
}
