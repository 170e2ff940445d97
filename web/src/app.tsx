// The frame of the site: header with the pages, theme and sound, and the page that the path names.
// Pages other than Watch come as chunks of their own when they are first opened.
import { createEffect, createMemo, createSignal, ErrorBoundary, For, lazy, Match, Suspense, Switch, type JSX } from "solid-js";
import { Dynamic } from "solid-js/web";
import { locked, setToken } from "./lib/api";
import { gamePages } from "./lib/pages";
import { path } from "./lib/router";
import { setSoundOn, soundOn } from "./lib/sound";
import { choice, choose, type Choice } from "./lib/theme";
import { IconButton, Notice, type IconName } from "./lib/ui";
import { WatchPage } from "./watch/page";

const PlayPage = lazy(() => import("./play/page"));
const RunsPage = lazy(() => import("./runs/page"));
const Constellation = lazy(() => import("./runs/constellation"));
const LeaguePage = lazy(() => import("./league/page"));
const broughtPages = new Map(gamePages.map((page) => [page.path, { ...page, Show: lazy(page.load) }]));

type Route = { page: "watch" | "play" | "runs" | "constellation" | "league" | "game" | "none"; path: string; rest: string };

function routeOf(address: string): Route {
  const [, path = "", rest = "", ...more] = address.split("/").map(decode);
  if (path === "") return { page: "watch", path, rest: "" };
  if (path === "play" || path === "runs" || path === "league") return { page: path, path, rest };
  if (path === "constellation") return { page: path, path, rest: "" };
  return { page: broughtPages.has(path) ? "game" : "none", path, rest: [rest, ...more].join("/") };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const titles = { watch: "Watch", play: "Play", runs: "Runs", constellation: "Constellation", league: "League", none: "Not found" };
const titleOf = ({ page, path }: Route): string => (page === "game" ? (broughtPages.get(path)?.title ?? path) : titles[page]);

const themes: Record<Choice, { icon: IconName; label: string; next: Choice }> = {
  system: { icon: "system", label: "Theme: as the system. Change to light", next: "light" },
  light: { icon: "sun", label: "Theme: light. Change to dark", next: "dark" },
  dark: { icon: "moon", label: "Theme: dark. Change to the system's", next: "system" },
};

function PageLink(props: { to: string; name: string; current: boolean }) {
  let link!: HTMLAnchorElement;
  // on a phone the list is wider than the screen
  createEffect(() => props.current && link.parentElement!.scrollTo({ left: link.offsetLeft - 80 }));
  return (
    <a ref={link} href={props.to} class="page-link" aria-current={props.current ? "page" : undefined}>
      {props.name}
    </a>
  );
}

function Header(props: { route: Route }) {
  const theme = () => themes[choice()] ?? themes.system;
  return (
    <header class="top">
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <a class="brand" href="/" aria-label="ludus, home">
        <img src="/icon.svg" alt="" width="26" height="26" />
        <span>ludus</span>
      </a>
      <nav aria-label="Pages">
        <PageLink to="/" name="Watch" current={props.route.page === "watch"} />
        <PageLink to="/play" name="Play" current={props.route.page === "play"} />
        <PageLink to="/runs" name="Runs" current={props.route.page === "runs"} />
        <PageLink to="/constellation" name="Constellation" current={props.route.page === "constellation"} />
        <PageLink to="/league" name="League" current={props.route.page === "league"} />
        <For each={gamePages}>
          {(page) => <PageLink to={`/${page.path}`} name={page.name} current={props.route.page === "game" && props.route.path === page.path} />}
        </For>
      </nav>
      <div class="top-tools">
        <IconButton
          icon={soundOn() ? "sound" : "mute"}
          label={soundOn() ? "Sound is on. Switch off" : "Sound is off. Switch on"}
          pressed={soundOn()}
          onClick={() => setSoundOn(!soundOn())}
        />
        <IconButton icon={theme().icon} label={theme().label} onClick={() => choose(theme().next)} />
      </div>
    </header>
  );
}

function Failure(props: { error: unknown }): JSX.Element {
  return (
    <Notice title="This page stopped" tone="bad">
      <p>{props.error instanceof Error ? props.error.message : String(props.error)}</p>
      <p>
        <button type="button" class="button" onClick={() => location.reload()}>
          Load it again
        </button>
      </p>
    </Notice>
  );
}

/** A server that other machines reach asks for a token. */
function Lock() {
  let field!: HTMLInputElement;
  return (
    <Notice title="This server asks for its token" tone="warn">
      <p>`ludus serve` prints it when it starts. It is kept until this tab is closed.</p>
      <form
        class="lock"
        onSubmit={(event) => {
          event.preventDefault();
          setToken(field.value);
        }}
      >
        <label class="field">
          <span>Token</span>
          <input ref={field} type="password" autocomplete="current-password" required />
        </label>
        <button type="submit" class="button primary">
          Go on
        </button>
      </form>
    </Notice>
  );
}

export function App() {
  const route = createMemo(() => routeOf(path()));
  const [said, say] = createSignal("");
  createEffect(() => {
    document.title = `${titleOf(route())} · ludus`;
    say(titleOf(route()));
  });
  return (
    <>
      <Header route={route()} />
      <p class="sr-only" aria-live="polite">
        {said()}
      </p>
      <main id="main" tabindex="-1">
        <ErrorBoundary fallback={(error) => <Failure error={error} />}>
          <Suspense fallback={<Notice title="Loading" busy />}>
            <Switch>
              <Match when={locked()}>
                <Lock />
              </Match>
              <Match when={route().page === "watch"}>
                <WatchPage />
              </Match>
              <Match when={route().page === "play"}>
                <PlayPage game={route().rest} />
              </Match>
              <Match when={route().page === "runs"}>
                <RunsPage run={route().rest} />
              </Match>
              <Match when={route().page === "constellation"}>
                <Constellation />
              </Match>
              <Match when={route().page === "league"}>
                <LeaguePage name={route().rest} />
              </Match>
              <Match when={route().page === "game" && broughtPages.get(route().path)}>
                {(page) => <Dynamic component={page().Show} rest={route().rest} />}
              </Match>
              <Match when={route().page === "none"}>
                <Notice title="There is no such page">
                  <p>
                    <a href="/">Watch the newest replay</a>
                  </p>
                </Notice>
              </Match>
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </main>
    </>
  );
}
