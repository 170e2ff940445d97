// Home: what ludus is, a card per game, and the newest runs.
import { createResource, For, Show } from "solid-js";
import { api } from "../lib/api";
import { cards, placesOf, type Card } from "../lib/cards";
import { ago, compact, runName } from "../lib/format";
import { href } from "../lib/router";
import { shippedOf } from "../lib/shipped";
import { theme } from "../lib/theme";
import { Command, Icon, StatusBadge } from "../lib/ui";
import "./home.css";

export default function HomePage() {
  const large = cards.filter((card) => card.place < 100);
  const small = cards.filter((card) => card.place >= 100);
  return (
    <div class="home">
      <header class="home-head">
        <h1>Games that people and agents play</h1>
        <p>
          ludus trains agents on strategy games, shows what they think while they play, and lets you play the same games, with help from solvers that prove their answers. All of it runs on your own machine.
        </p>
      </header>
      <section class="home-cards" aria-label="Games">
        <For each={large}>{(card) => <GameCard card={card} />}</For>
        <Runs />
      </section>
      <section class="home-more" aria-labelledby="home-small">
        <h2 id="home-small">Small games to learn with</h2>
        <div class="home-small">
          <For each={small}>{(card) => <GameCard card={card} />}</For>
        </div>
      </section>
    </div>
  );
}

/** Pictures are drawn by the games' own views (web/pictures.mjs), one per theme. */
const picture = (game: string): string => `${import.meta.env.BASE_URL}pictures/${game}-${theme()}.webp`;

function GameCard(props: { card: Card }) {
  const { card } = props;
  const [play, watch, ...tools] = placesOf(card.game);
  return (
    <article class="home-card">
      <a class="home-picture" href={play!.to} tabindex="-1" aria-hidden="true">
        <img src={picture(card.game)} alt="" width="640" height="400" loading="lazy" onError={(event) => (event.currentTarget.hidden = true)} />
      </a>
      <div class="home-words">
        <h3>
          {card.title}
          <Show when={card.known}>
            <small>for {card.known} players</small>
          </Show>
        </h3>
        <p>{card.sentence}</p>
        <p class="home-ways">
          <a class="button primary" href={play!.to}>
            Play<span class="sr-only"> {card.title}</span>
          </a>
          <a class="button" href={shippedOf(card.game) ? href(watch!.to, { run: "shipped", replay: card.game }) : watch!.to}>
            {shippedOf(card.game)?.by.startsWith("bot:") ? "Watch a script" : "Watch the agent"}
            <span class="sr-only"> of {card.title}</span>
          </a>
          <For each={tools}>
            {(tool) => (
              <a class="button" href={tool.to}>
                {tool.name}
              </a>
            )}
          </For>
        </p>
      </div>
    </article>
  );
}

/** The newest runs, or how to start the first one. */
function Runs() {
  const [runs] = createResource(() => api.runs({ limit: 4 }).then((answer) => answer.runs, () => []));
  return (
    <article class="home-card home-train">
      <div class="home-words">
        <h3>Train your own</h3>
        <Show
          when={runs()?.length}
          fallback={
            <>
              <p>An agent that balances a pole takes seconds to train. Curves, evaluations and replays appear under Runs as they are made.</p>
              <Command text="ludus train cartpole" />
            </>
          }
        >
          <p>The newest runs:</p>
          <ul class="home-runs">
            <For each={runs()}>
              {(run) => (
                <li>
                  <a href={`/runs/${encodeURIComponent(run.run_id)}`}>{runName(run.run_id)}</a>
                  <StatusBadge status={run.status} />
                  <small>
                    {compact(run.env_steps)} steps · {ago(run.written)}
                  </small>
                </li>
              )}
            </For>
          </ul>
        </Show>
        <p class="home-ways">
          <a class="button" href="/runs">
            <Icon name="chart" /> Runs
          </a>
          <a class="button" href="/league">
            Leagues
          </a>
        </p>
      </div>
    </article>
  );
}
