// The frame of the site: header with the games, tabs of what is open, theme and sound, and the page that
// the path names. Pages other than Home come as chunks of their own when they are first opened.
import { createEffect, createMemo, createSignal, ErrorBoundary, For, lazy, Match, on, onCleanup, Show, Suspense, Switch, type JSX } from "solid-js";
import { Dynamic } from "solid-js/web";
import HomePage from "./home/page";
import { locked, setToken } from "./lib/api";
import { cardOf, cards, placesOf } from "./lib/cards";
import { folderOf } from "./lib/format";
import { gamePages } from "./lib/pages";
import { gameShown } from "./lib/place";
import { param, path } from "./lib/router";
import { setSoundOn, soundOn } from "./lib/sound";
import { choice, choose, type Choice } from "./lib/theme";
import { Icon, IconButton, Notice, type IconName } from "./lib/ui";

const WatchPage = lazy(() => import("./watch/page"));
const PlayPage = lazy(() => import("./play/page"));
const RunsPage = lazy(() => import("./runs/page"));
const Constellation = lazy(() => import("./runs/constellation"));
const LeaguePage = lazy(() => import("./league/page"));
const broughtPages = new Map(gamePages.map((page) => [page.path, { ...page, Show: lazy(page.load) }]));

type Route = { page: "home" | "watch" | "play" | "runs" | "constellation" | "league" | "game" | "none"; path: string; rest: string };

function routeOf(address: string, replay: boolean): Route {
  const [, path = "", rest = "", ...more] = address.split("/").map(decode);
  // links to a frame once led to the root
  if (path === "") return { page: replay ? "watch" : "home", path: replay ? "watch" : path, rest: "" };
  if (path === "watch" || path === "play" || path === "runs" || path === "league") return { page: path, path, rest };
  if (path === "constellation") return { page: path, path, rest: "" };
  return { page: broughtPages.has(path) ? "game" : "none", path, rest: [rest, ...more].join("/") };
}

/** The folder of the game that a page is about, "" for pages of no game. */
function gameOf({ page, path, rest }: Route): string {
  if (page === "game") return broughtPages.get(path)?.game ?? "";
  if (page !== "play" && page !== "watch") return "";
  return folderOf(rest || gameShown());
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const titles = { home: "Home", watch: "Watch", play: "Play", runs: "Runs", constellation: "Constellation", league: "League", none: "Not found" };
const titleOf = (route: Route): string => {
  if (route.page === "game") return broughtPages.get(route.path)?.title ?? route.path;
  const card = cardOf(gameOf(route));
  return card ? `${titles[route.page]} ${card.title}` : titles[route.page];
};

const themes: Record<Choice, { icon: IconName; label: string; next: Choice }> = {
  system: { icon: "system", label: "Theme: as the system. Change to light", next: "light" },
  light: { icon: "sun", label: "Theme: light. Change to dark", next: "dark" },
  dark: { icon: "moon", label: "Theme: dark. Change to the system's", next: "system" },
};

function PageLink(props: { to: string; name: string; current: boolean; icon?: IconName }) {
  return (
    <a href={props.to} class="page-link" aria-current={props.current ? "page" : undefined}>
      <Show when={props.icon}>{(icon) => <Icon name={icon()} />}</Show>
      {props.name}
    </a>
  );
}

const ofRuns = (page: Route["page"]): boolean => page === "runs" || page === "constellation" || page === "league";

function Header(props: { route: Route }) {
  const theme = () => themes[choice()] ?? themes.system;
  const game = () => gameOf(props.route);
  return (
    <header class="top">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <a class="brand" href="/" aria-label="ludus, home" aria-current={props.route.page === "home" ? "page" : undefined}>
        <img src="/icon.svg" alt="" width="26" height="26" />
        <span>ludus</span>
      </a>
      <nav aria-label="Games and runs">
        <For each={cards.filter((card) => card.place < 100)}>
          {(card) => <PageLink to={`/play/${card.game}`} name={card.title} current={game() === card.game} />}
        </For>
        <PageLink to="/runs" name="Runs" current={ofRuns(props.route.page)} />
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

/** Where one can go from here: the places of a game, or those about runs. */
function PlaceTabs(props: { route: Route }) {
  const card = () => cardOf(gameOf(props.route));
  const here = (to: string) => to === `/${props.route.path}` || to === `/${props.route.path}/${gameOf(props.route)}`;
  return (
    <Switch>
      <Match when={card()}>
        {(shown) => (
          <nav class="places" aria-label={`${shown().title}`}>
            <span class="places-name">
              <b>{shown().title}</b>
              <Show when={shown().known}>
                <span> for {shown().known} players</span>
              </Show>
            </span>
            <For each={placesOf(shown().game)}>{(place) => <PageLink {...place} current={here(place.to)} />}</For>
          </nav>
        )}
      </Match>
      <Match when={ofRuns(props.route.page)}>
        <nav class="places" aria-label="Runs">
          <PageLink to="/runs" name="Runs" current={props.route.page === "runs"} />
          <PageLink to="/watch" name="Newest replay" current={false} />
          <PageLink to="/constellation" name="Constellation" current={props.route.page === "constellation"} />
          <PageLink to="/league" name="Leagues" current={props.route.page === "league"} />
        </nav>
      </Match>
    </Switch>
  );
}

/** The tabs of a phone, at the bottom of the screen. */
function BottomTabs(props: { route: Route }) {
  const game = () => gameOf(props.route);
  return (
    <nav class="tabs" aria-label="Site">
      <PageLink to="/" icon="home" name="Home" current={props.route.page === "home"} />
      <PageLink to={game() ? `/play/${game()}` : "/play"} icon="hand" name="Play" current={props.route.page === "play"} />
      <PageLink to={game() ? `/watch/${game()}` : "/watch"} icon="eye" name="Watch" current={props.route.page === "watch"} />
      <PageLink to="/runs" icon="chart" name="Runs" current={ofRuns(props.route.page)} />
    </nav>
  );
}

const askAgainMs = 3000;
const answers = () => fetch("/", { method: "HEAD", cache: "no-store" }).then(
  (answer) => answer.ok,
  () => false,
);

/** In place of a page that failed, until one goes to another. While the server is away, its parts cannot be had: it is
 * loaded anew when the server is back. */
function Failure(props: { error: unknown; route: () => Route; reset: () => void }): JSX.Element {
  const [away, setAway] = createSignal(false);
  createEffect(on(props.route, props.reset, { defer: true }));
  const look = async () => {
    const back = await answers();
    if (back && away()) location.reload();
    setAway(!back);
  };
  void look();
  const timer = setInterval(() => void look(), askAgainMs);
  onCleanup(() => clearInterval(timer));
  return (
    <Show
      when={away()}
      fallback={
        <Notice title="This page stopped" tone="bad">
          <p>{props.error instanceof Error ? props.error.message : String(props.error)}</p>
          <p>
            <button type="button" class="button" onClick={() => location.reload()}>
              Load it again
            </button>
          </p>
        </Notice>
      }
    >
      <Notice title="The server does not answer" tone="warn" busy>
        <p>This page opens by itself when the server is back.</p>
      </Notice>
    </Show>
  );
}

/** A server that other machines reach asks for a token. */
function Lock() {
  let field!: HTMLInputElement;
  return (
    <Notice title="This server requires a token" tone="warn">
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
          Continue
        </button>
      </form>
    </Notice>
  );
}

export function App() {
  const route = createMemo(() => routeOf(path(), param("run") !== "" || param("replay") !== ""), undefined, { equals: (a, b) => a.page === b.page && a.path === b.path && a.rest === b.rest });
  const [said, say] = createSignal("");
  createEffect(() => {
    document.title = `${titleOf(route())} · ludus`;
    say(titleOf(route()));
  });
  return (
    <>
      <Header route={route()} />
      <PlaceTabs route={route()} />
      <p class="sr-only" aria-live="polite">
        {said()}
      </p>
      <main id="main" tabindex="-1">
        <ErrorBoundary fallback={(error, reset) => <Failure error={error} route={route} reset={reset} />}>
          <Suspense fallback={<Notice title="Loading" busy />}>
            <Switch>
              <Match when={locked()}>
                <Lock />
              </Match>
              <Match when={route().page === "home"}>
                <HomePage />
              </Match>
              <Match when={route().page === "watch"}>
                <WatchPage game={route().rest} />
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
                    <a class="button primary" href="/">
                      All games
                    </a>
                  </p>
                </Notice>
              </Match>
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </main>
      <BottomTabs route={route()} />
    </>
  );
}
