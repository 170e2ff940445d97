// Addresses: the path names the page, the query holds all of its state. Links are plain <a href>;
// clicks on those of this site are taken here.
import { createSignal, untrack } from "solid-js";

const [place, setPlace] = createSignal({ path: location.pathname, query: location.search });

export const path = (): string => place().path;

/** The query as a map; tracked. */
export const query = (): URLSearchParams => new URLSearchParams(place().query);

/** One key of the query, "" when it is not there. */
export const param = (key: string): string => query().get(key) ?? "";

function moved(): void {
  const now = { path: location.pathname, query: location.search };
  const old = untrack(place);
  if (now.path !== old.path || now.query !== old.query) setPlace(now);
}

export function go(href: string, options: { replace?: boolean; keepScroll?: boolean } = {}): void {
  const same = new URL(href, location.href).pathname === location.pathname;
  if (options.replace) history.replaceState(null, "", href);
  else history.pushState(null, "", href);
  moved();
  if (!same && !options.keepScroll) scrollTo(0, 0);
}

/** Changes keys of the query; null takes one away. Replaces the entry unless `push`. */
export function setQuery(changes: Record<string, string | number | null | undefined>, push = false): void {
  const search = new URLSearchParams(location.search);
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === "") search.delete(key);
    else search.set(key, String(value));
  }
  const text = search.toString();
  go(`${location.pathname}${text ? `?${text}` : ""}`, { replace: !push, keepScroll: true });
}

/** An address of this site with a query. */
export function href(to: string, keys: Record<string, string | number | null | undefined> = {}): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(keys)) if (value !== null && value !== undefined && value !== "") search.set(key, String(value));
  const text = search.toString();
  return text ? `${to}?${text}` : to;
}

addEventListener("popstate", moved);
document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element | null)?.closest?.("a[href]") as HTMLAnchorElement | null;
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (/^\/(api|wasm|metrics)(\/|$)/.test(link.pathname)) return;
  if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
  event.preventDefault();
  go(link.pathname + link.search);
});
