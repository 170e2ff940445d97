import { Notice } from "../lib/ui";

export default function Constellation() {
  return <Notice title="Constellation" busy />;
}
