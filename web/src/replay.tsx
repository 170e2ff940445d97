// The page of one replay (`ludus replay --html`): what Watch shows, in one file that needs no server. The
// program has put the replay, the game's module and a few facts into the page (src/lab/replay_drawn.c).
import { createEffect, createMemo, createResource, createSignal, For, on, Show } from "solid-js";
import { render } from "solid-js/web";
import "./app.css";
import { byPlayers, counted, folderOf, number, sentence, words } from "./lib/format";
import { useKeys } from "./lib/keys";
import "./lib/theme";
import { Dialog, Notice } from "./lib/ui";
import { viewOf } from "./lib/views";
import { bring } from "./lib/wasm";
import type { GameView } from "./view";
import { seatName } from "./watch/decision";
import { createPlayer } from "./watch/player";
import { Keys, playerKeys, Screen, Theatre } from "./watch/screen";
import { fileTrack, type Track } from "./watch/track";

interface Facts {
  /** the replay as `ludus replay --json` tells it first */
  header: { file: string; game: string; spec: string };
  /** the frame it opens at */
  from: number;
}

const textOf = (id: string): string => document.getElementById(id)?.textContent?.trim() ?? "";
const bytesOf = (id: string) => Uint8Array.from(atob(textOf(id)), (letter) => letter.charCodeAt(0));

interface Opened {
  facts: Facts;
  track: Track;
  view: GameView;
}

async function open(): Promise<Opened> {
  const facts = JSON.parse(textOf("facts")) as Facts;
  bring(folderOf(facts.header.game), bytesOf("module"));
  const [track, view] = await Promise.all([fileTrack(bytesOf("replay")), viewOf(facts.header.game)]);
  return { facts, track, view };
}

/** A frame by its number behind the # of the address, as a link can name it. */
const named = (): number => Number(/^#(\d+)$/.exec(location.hash)?.[1] ?? NaN);

function Replay() {
  const [opened] = createResource(open);
  return (
    <main>
      <Show
        when={!opened.error}
        fallback={
          <Notice title="This replay cannot be played" tone="bad">
            <p>{sentence(String(opened.error?.message ?? opened.error))}.</p>
          </Notice>
        }
      >
        <Show when={opened()} fallback={<p class="muted">Opening the replay …</p>}>
          {(now) => <Played {...now()} />}
        </Show>
      </Show>
    </main>
  );
}

function Played(props: Opened) {
  const { facts, track, view } = props;
  const player = createPlayer(() => track, () => view.rate ?? 4, null);
  const [helping, setHelping] = createSignal(false);
  useKeys({ ...playerKeys(player), "?": () => setHelping(true) });
  document.title = `${track.title}, seed ${track.seed}`;

  // the frame that the address or the command named stands; an episode from its start plays
  const first = Number.isNaN(named()) ? facts.from : named();
  createEffect(() => track.known() >= 0 && player.index() === 0 && first > 0 && track.known() >= Math.min(first, track.last) && player.seek(first));
  if (first === 0) player.play();
  addEventListener("hashchange", () => Number.isNaN(named()) || player.seek(named()));
  createEffect(on([player.index, player.playing], ([frame, playing]) => playing || history.replaceState(null, "", frame ? `#${frame}` : " "), { defer: true }));

  return (
    <Theatre>
      <div class="watch-head">
        <div class="watch-title">
          <h1>{track.title}</h1>
          <p>
            Seed {track.seed} · {counted(track.last, "decision")}
          </p>
        </div>
      </div>
      <Screen track={track} view={view} player={player} because="" onHelp={() => setHelping(true)} summary={<About facts={facts} track={track} />} summaryName="About" />
      <Dialog open={helping()} title="Keys" onClose={() => setHelping(false)}>
        <Keys />
      </Dialog>
    </Theatre>
  );
}

const shown = (value: unknown): string => (typeof value === "number" ? number(value) : typeof value === "object" ? JSON.stringify(value) : byPlayers(words(String(value))));

/** How the episode ended, and what the file says of itself. */
function About(props: { facts: Facts; track: Track }) {
  const { facts, track } = props;
  /** figures at the end, once the walk has proved it */
  const end = createMemo(() => {
    const seats = track.checked() ? track.show(track.last).seats : [];
    return seats.flatMap(({ info }, seat) => Object.entries(info).map(([name, value]) => [seats.length > 1 ? `${seatName(seat)}, ${words(name)}` : words(name), shown(value)]));
  });
  const file = () => [
    ...Object.entries({ ...track.settings, ...track.options }).map(([name, value]) => [words(name), shown(value)]),
    ["rules", `${facts.header.game}, ${facts.header.spec}`],
    ["file", facts.header.file],
  ];
  return (
    <section class="card summary">
      <h2>About this episode</h2>
      <dl class="about">
        <For each={[...end(), ...file()]}>
          {([name, value]) => (
            <div>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          )}
        </For>
      </dl>
    </section>
  );
}

render(() => <Replay />, document.getElementById("app")!);
