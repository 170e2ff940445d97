import { Notice } from "../lib/ui";

export function WatchPage() {
  return <Notice title="Loading" busy />;
}
