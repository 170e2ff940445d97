// /league and /league/NAME: ratings with intervals, who beats whom, and how ratings went.
import { createEffect, createMemo, createResource, For, Match, Show, Switch } from "solid-js";
import { api, ApiError, type LeagueEntry, type LeagueResult } from "../lib/api";
import { counted, percent, runName } from "../lib/format";
import { go, href, param, setQuery } from "../lib/router";
import { Badge, Command, Failed, Notice, widthOf } from "../lib/ui";
import { courses, inOrder, playerName, ranked, seatOf, span } from "./results";
import "./league.css";

export default function LeaguePage(props: { name: string }) {
  const [list, { refetch }] = createResource(api.leagues);
  createEffect(() => {
    const first = list.state === "ready" ? inOrder(list())[0] : undefined;
    if (!props.name && first) go(`/league/${encodeURIComponent(first.name)}`, { replace: true });
  });
  return (
    <Switch fallback={<Notice title="Looking for leagues" busy />}>
      <Match when={list.error}>
        <Failed what="Leagues cannot be shown" error={list.error} again={() => void refetch()} />
      </Match>
      <Match when={list.state === "ready" && !props.name && list()!.length === 0}>
        <Notice title="There is no league yet">
          <Own />
        </Notice>
      </Match>
      <Match when={list.state === "ready" && props.name} keyed>
        {(name) => <One name={name} list={list()!} />}
      </Match>
    </Switch>
  );
}

/** How a league of one's own comes here. */
function Own() {
  return (
    <>
      <p>Rate bots, models and runs against each other, and keep the result for this page; training against opponents adds its own league:</p>
      <p>
        <Command text="ludus league rate --game duel --games 200 --keep duel-bots" />
      </p>
      <p>
        <Command text="ludus train duel --preset prioritized-past-self-play" />
      </p>
    </>
  );
}

function One(props: { name: string; list: LeagueEntry[] }) {
  const [results, { refetch }] = createResource(() => props.name, api.league);
  const groups = createMemo(() =>
    [false, true].map((shipped) => ({ label: shipped ? "Comes with ludus" : "Rated here", leagues: inOrder(props.list).filter((one) => (one.shipped ?? false) === shipped) })).filter((group) => group.leagues.length > 0),
  );
  const shipped = () => props.list.find((one) => one.name === props.name)?.shipped ?? false;
  return (
    <div class="league">
      <header class="league-head">
        <h1>League</h1>
        <label class="field" hidden={props.list.length === 0}>
          <span class="sr-only">League</span>
          <select onChange={(event) => go(`/league/${encodeURIComponent(event.currentTarget.value)}`)}>
            <For each={groups()}>
              {(group) => (
                <optgroup label={group.label}>
                  <For each={group.leagues}>
                    {(league) => (
                      <option value={league.name} selected={league.name === props.name}>
                        {runName(league.name)} ({league.game})
                      </option>
                    )}
                  </For>
                </optgroup>
              )}
            </For>
          </select>
        </label>
        <Show when={shipped()}>
          <Badge>Comes with ludus</Badge>
        </Show>
      </header>
      <Switch fallback={<Notice title="Loading the league" busy />}>
        <Match when={results.error}>
          <Show when={results.error instanceof ApiError && results.error.status === 404} fallback={<Failed what="The league cannot be shown" error={results.error} again={() => void refetch()} />}>
            <Notice title={`There is no league “${props.name}”`} tone="warn">
              <p>Nothing on this server has this name.</p>
              <p>
                <a class="button primary" href="/league">
                  All leagues
                </a>
              </p>
            </Notice>
          </Show>
        </Match>
        <Match when={results.state === "ready" && results()}>{(all) => <Results results={all()} named={(name) => playerName(name, props.name)} />}</Match>
      </Switch>
      <Show when={shipped() && groups().length === 1}>
        <section class="card" aria-labelledby="league-own">
          <h2 id="league-own">A league of your own</h2>
          <Own />
        </section>
      </Show>
    </div>
  );
}

type Named = (name: string) => string;

function Results(props: { results: LeagueResult[]; named: Named }) {
  const newest = () => props.results.length - 1;
  const index = () => {
    const asked = props.results.findIndex((one) => one.date === param("at"));
    return asked < 0 ? newest() : asked;
  };
  const choose = (at: number) => setQuery({ at: at === newest() ? null : props.results[at]!.date });
  const result = () => props.results[index()]!;
  return (
    <>
      <p class="muted">
        {counted(result().players.length, "player")} of <a href={`/play/${encodeURIComponent(result().game)}`}>{result().game}</a>
        <Show when={result().games}>{(games) => <>, {counted(games(), "game")} per pair{games() > 1 ? ", sides swapped" : ""}</>}</Show>.{" "}
        <Show when={props.results.length > 1} fallback={<time datetime={result().date}>{result().date.replace("T", " ").replace("Z", " UTC")}</time>}>
          <label class="league-when">
            Result{" "}
            <select onChange={(event) => choose(Number(event.currentTarget.value))}>
              <For each={props.results}>
                {(one, at) => (
                  <option value={at()} selected={at() === index()}>
                    {one.date.replace("T", " ").replace("Z", " UTC")}
                  </option>
                )}
              </For>
            </select>
          </label>
        </Show>
      </p>
      <div class="league-parts">
        <Ratings result={result()} named={props.named} />
        <Payoff result={result()} named={props.named} />
        <History results={props.results} named={props.named} />
      </div>
    </>
  );
}

/** A rating as a place on a line, with its interval. */
function Whisker(props: { elo: number; low: number; high: number; ends: { low: number; high: number } }) {
  const at = (elo: number) => (100 * (elo - props.ends.low)) / (props.ends.high - props.ends.low);
  return (
    <svg class="whisker" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <line x1="0" x2="100" y1="5" y2="5" class="whisker-line" />
      <line x1={at(props.low)} x2={at(props.high)} y1="5" y2="5" class="whisker-range" />
      <line x1={at(props.elo)} x2={at(props.elo)} y1="1" y2="9" class="whisker-mark" />
    </svg>
  );
}

function Ratings(props: { result: LeagueResult; named: Named }) {
  const ends = createMemo(() => span(props.result.players));
  return (
    <section class="card" aria-labelledby="league-ratings">
      <h2 id="league-ratings">Ratings</h2>
      <div class="league-box" tabindex="0" role="region" aria-labelledby="league-ratings">
        <table class="league-ratings">
          <thead>
            <tr>
              <th scope="col">#</th>
              <th scope="col">Player</th>
              <th scope="col" class="num">
                Elo
              </th>
              <th scope="col">95% interval</th>
              <th scope="col" class="whisker-head">
                {ends().low} to {ends().high}
              </th>
              <th scope="col" class="num">
                Points
              </th>
            </tr>
          </thead>
          <tbody>
            <For each={ranked(props.result)}>
              {({ one }, rank) => (
                <tr>
                  <td>{rank() + 1}</td>
                  <th scope="row" title={one.player.name}>
                    <Show when={seatOf(one.player.name)} fallback={props.named(one.player.name)}>
                      {(seat) => (
                        <a href={href(`/play/${encodeURIComponent(props.result.game)}`, { against: seat() })} title="Play against it">
                          {props.named(one.player.name)}
                        </a>
                      )}
                    </Show>
                  </th>
                  <td class="num">
                    <b>{Math.round(one.elo)}</b>
                  </td>
                  <td class="interval">{one.anchor ? "anchor" : `${Math.round(one.low ?? one.elo)} to ${Math.round(one.high ?? one.elo)}`}</td>
                  <td>
                    <Whisker elo={one.elo} low={one.low ?? one.elo} high={one.high ?? one.elo} ends={ends()} />
                  </td>
                  <td class="num">{one.games ? percent((one.points ?? 0) / one.games) : "–"}</td>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </div>
      <p class="muted league-note">Maximum-likelihood ratings over all games (Bradley–Terry); a player rated 400 higher scores ten points for every one.</p>
    </section>
  );
}

/** The colour of a share: green above one half, red below; the figure stands in the cell. */
function shade(cell: HTMLElement, share: number | null): void {
  if (share === null) return;
  const far = Math.round(Math.abs(share - 0.5) * 76);
  cell.style.background = `color-mix(in srgb, var(--${share >= 0.5 ? "good" : "bad"}) ${far}%, var(--surface))`;
}

function Payoff(props: { result: LeagueResult; named: Named }) {
  const order = createMemo(() => ranked(props.result));
  const shareOf = (row: number, column: number) => props.result.players[row]?.shares[column] ?? null;
  return (
    <section class="card" aria-labelledby="league-payoff">
      <h2 id="league-payoff">Who beats whom</h2>
      <div class="league-box" tabindex="0" role="region" aria-labelledby="league-payoff">
        <table class="league-payoff">
          <thead>
            <tr>
              <td>
                <span class="sr-only">Player</span>
              </td>
              <For each={order()}>
                {({ one }, rank) => (
                  <th scope="col" title={props.named(one.player.name)}>
                    {rank() + 1}
                    <span class="sr-only"> {props.named(one.player.name)}</span>
                  </th>
                )}
              </For>
            </tr>
          </thead>
          <tbody>
            <For each={order()}>
              {({ one, place }, rank) => (
                <tr>
                  <th scope="row" title={one.player.name}>
                    {rank() + 1} {props.named(one.player.name)}
                  </th>
                  <For each={order()}>
                    {(other) => {
                      const share = shareOf(place, other.place);
                      return (
                        <td ref={(cell) => shade(cell, share)} title={share === null ? undefined : `${props.named(one.player.name)} against ${props.named(other.one.player.name)}: ${percent(share)}`}>
                          {share === null ? "" : Math.round(100 * share)}
                        </td>
                      );
                    }}
                  </For>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </div>
      <p class="muted league-note">The share of points, in percent, that the row’s player took from the column’s; columns are numbered by rank.</p>
    </section>
  );
}

const size = { y: 260, left: 44, right: 8, top: 8, bottom: 24 };
const colours = 8;

/** When a result was made: the day, or the time where all are of one day. */
const whenOf = (results: LeagueResult[], at: number): string => {
  const [day, time] = [results.at(at)!.date.slice(0, 10), results.at(at)!.date.slice(11, 19)];
  return results[0]!.date.slice(0, 10) === results.at(-1)!.date.slice(0, 10) ? time : day;
};

function History(props: { results: LeagueResult[]; named: Named }) {
  let box!: HTMLHeadingElement;
  const width = widthOf(() => box, 640);
  const all = createMemo(() => courses(props.results));
  const ends = createMemo(() => span(props.results.flatMap((result) => result.players.map((one) => ({ ...one, low: one.elo, high: one.elo })))));
  const x = (at: number) => size.left + ((width() - size.left - size.right) * at) / Math.max(1, props.results.length - 1);
  const y = (elo: number) => size.top + ((size.y - size.top - size.bottom) * (ends().high - elo)) / (ends().high - ends().low);
  const ticks = () => Array.from({ length: 5 }, (_, k) => Math.round(ends().low + ((ends().high - ends().low) * k) / 4));
  const points = (elos: (number | null)[]) => elos.flatMap((elo, at) => (elo === null ? [] : [`${x(at).toFixed(1)},${y(elo).toFixed(1)}`])).join(" ");
  const style = (at: number) => `course-${at % colours}${at < colours ? "" : " dashed"}`;
  return (
    <section class="card league-history" aria-labelledby="league-history">
      <h2 id="league-history" ref={box}>
        History
      </h2>
      <Show when={props.results.length > 1} fallback={<p class="muted">One result so far: each further result of this league adds a point to the chart.</p>}>
        <svg width={width()} height={size.y} role="img" aria-label={`Ratings over ${props.results.length} results; the table of ratings has the figures of each`}>
          <For each={ticks()}>
            {(elo) => (
              <>
                <line class="grid" x1={size.left} x2={width() - size.right} y1={y(elo)} y2={y(elo)} />
                <text x={size.left - 6} y={y(elo) + 4} text-anchor="end">
                  {elo}
                </text>
              </>
            )}
          </For>
          <text x={size.left} y={size.y - 4}>
            {whenOf(props.results, 0)}
          </text>
          <text x={width() - size.right} y={size.y - 4} text-anchor="end">
            {whenOf(props.results, -1)}
          </text>
          <For each={all()}>{(course, at) => <polyline class={style(at())} points={points(course.elos)} />}</For>
        </svg>
        <ul class="league-legend">
          <For each={all()}>{(course, at) => <li class={style(at())}>{props.named(course.name)}</li>}</For>
        </ul>
      </Show>
    </section>
  );
}
