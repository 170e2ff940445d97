// A sweep over many runs: any two quantities as a scatter with its front, several as parallel lines with
// limits, and the same in a table. All of it stands in the address.
import { createEffect, createMemo, createSignal, For, on, onCleanup, Show } from "solid-js";
import { createStore } from "solid-js/store";
import { api, ApiError, type Run, type RunDetail } from "../lib/api";
import { counted, words } from "../lib/format";
import { param, setQuery } from "../lib/router";
import { Command, Failed, Notice, SortHeader } from "../lib/ui";
import { allRuns, heard } from "./connection";
import { csv, differing, gameName, runTime, saveFile, telling } from "./figures";
import { clock } from "./live";
import { loaded } from "./load";
import { Parallel } from "./parallel";
import { OfflineBar, StatusMark } from "./run_status";
import { keysOf } from "./series_cache";
import { Picker, type PickGroup } from "./picker";
import { aggregates, figures, inside, isMetric, label, scaleOf, valueOf, wishOf, type Brush, type Scale, type Star, type Wish } from "./quantities";
import { frontOf, pointsOf, Scatter } from "./scatter";
import { list } from "./state";
import "./runs.css";

const MOST_STARS = 300;
const AT_ONCE = 4;
const MOST_AXES = 5;

/** Does `act` for every item, a few at once; ends early when `stopped`. */
async function pool<T>(items: T[], act: (item: T) => Promise<void>, stopped: () => boolean): Promise<void> {
  const rest = [...items];
  const worker = async () => {
    for (let item = rest.shift(); item !== undefined && !stopped(); item = rest.shift()) {
      await act(item).catch(async (cause: unknown) => {
        // a server that is busy or away is asked again after a while; what is not there stays out
        if (!(cause instanceof ApiError) || (cause.kind !== "busy" && cause.kind !== "offline")) return;
        rest.push(item!);
        await new Promise((resume) => setTimeout(resume, 2000));
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Settings of runs, and figures of metrics, as they come in. */
function knowledge(runs: () => Run[], wanted: () => string[]) {
  const [details, setDetails] = createStore<Record<string, RunDetail>>({});
  const [metrics, setMetrics] = createStore<Record<string, Record<string, number>>>({});
  const asked = new Set<string>();
  let gone = false;
  onCleanup(() => (gone = true));
  createEffect(
    on(
      () => runs().map((run) => run.run_id),
      (ids) => {
        const missing = ids.filter((id) => !asked.has(id));
        for (const id of missing) asked.add(id);
        void pool(missing, async (id) => setDetails(id, await heard(api.run(id))), () => gone);
      },
    ),
  );
  createEffect(() => {
    for (const key of wanted().filter(isMetric)) {
      const [name = "", aggregate = "last"] = key.slice(4).split("@");
      const missing = runs().filter((run) => run.windows > 0 && !asked.has(`${run.run_id} ${key}`));
      for (const run of missing) asked.add(`${run.run_id} ${key}`);
      const read = async ({ run_id: id }: Run) => {
        if (!(await keysOf(id, "windows")).includes(name)) return;
        const answer = await heard(api.metrics(id, { key: [name], buckets: 1 }));
        const value = answer.series[0]?.buckets[0]?.[aggregate as "last" | "min" | "max" | "mean"];
        if (value !== undefined) setMetrics(id, (old) => ({ ...old, [key.slice(4)]: value }));
      };
      void pool(missing, read, () => gone);
    }
  });
  return { details, metrics };
}

export default function Constellation() {
  const now = clock();
  const answer = loaded(
    () => true,
    () => allRuns(false),
  );
  return (
    <div class="runs-page">
      <header class="page-head">
        <h1>Constellation</h1>
        <span class="muted">every run a star: what a setting costs, and what it gains</span>
      </header>
      <Show when={answer.value()}>
        <OfflineBar now={now()} />
      </Show>
      <Show
        when={answer.value()}
        fallback={
          <Show when={answer.error()} fallback={<Notice title="Loading the runs" busy />}>
            {(error) => <Failed what="The runs cannot be read" error={error()} again={answer.again} />}
          </Show>
        }
      >
        {(runs) => (
          <Show when={runs().length} fallback={<NoStars />}>
            <Sky runs={runs()} now={now()} />
          </Show>
        )}
      </Show>
    </div>
  );
}

function NoStars() {
  return (
    <Notice title="There is no run yet">
      <p>Runs that differ in a setting fill this page. The first of them:</p>
      <Command text="ludus train cartpole --set train.rate=0.001" />
    </Notice>
  );
}

const readBrushes = (text: string): Record<string, Brush> =>
  Object.fromEntries(
    list(text).flatMap((one) => {
      const [key = "", low, high] = one.split("~");
      return key && Number.isFinite(Number(low)) && Number.isFinite(Number(high)) ? [[key, [Number(low), Number(high)] as Brush]] : [];
    }),
  );
const writeBrushes = (brushes: Record<string, Brush>) =>
  Object.entries(brushes)
    .map(([key, [low, high]]) => `${key}~${Number(low.toPrecision(6))}~${Number(high.toPrecision(6))}`)
    .join(",");

const readWish = (text: string, key: string): Wish => (text === "" ? wishOf(key) : (Math.sign(Number(text)) as Wish));
const readLog = (text: string): boolean | null => (text === "" ? null : text === "1");

/** What the address asks to see of the runs: which of them, over which quantities, within which limits. */
function createSky(all: () => Run[]) {
  const games = createMemo(() => [...new Set(all().map((run) => run.game))].sort());
  const commonest = createMemo(() => {
    const count = (game: string) => all().filter((run) => run.game === game).length;
    return games().toSorted((a, b) => count(b) - count(a))[0] ?? "";
  });
  const game = () => param("game") || commonest();
  const runs = createMemo(() => {
    const wanted = param("q").toLowerCase();
    return all()
      .filter((run) => game() === "all" || run.game === game())
      .filter((run) => !param("tag") || run.tags.includes(param("tag")))
      .filter((run) => !wanted || [run.run_id, run.notes, run.experiment ?? "", ...run.tags].join(" ").toLowerCase().includes(wanted))
      .slice(0, MOST_STARS);
  });
  const x = () => param("x") || "wall";
  const y = () => param("y") || "best";
  const colour = () => param("c");
  const [keys, setKeys] = createSignal<string[]>([]);
  const wanted = createMemo(() => [...new Set([x(), y(), colour(), ...list(param("p")), ...Object.keys(readBrushes(param("b")))])].filter(Boolean));
  const { details, metrics } = knowledge(runs, wanted);
  createEffect(() => {
    const newest = runs().find((run) => run.windows > 0);
    if (newest) void keysOf(newest.run_id, "windows").then(setKeys, () => undefined);
  });

  const stars = createMemo<Star[]>(() => runs().map((run) => ({ run, detail: details[run.run_id] ?? null, metrics: metrics[run.run_id] ?? {} })));
  const known = createMemo(() => stars().flatMap(({ detail }) => detail ?? []));
  const varied = createMemo(() => (known().length > 1 ? differing(known()).filter((key) => !/\.seed$/.test(key)) : []), [], {
    equals: (a, b) => a.join() === b.join(),
  });
  const standardAxes = () => [...varied().filter(telling).slice(0, MOST_AXES).map((key) => `set:${key}`), "wall", "best"];
  const chosenAxes = createMemo(() => (param("p") ? list(param("p")).filter((key) => key !== "none") : standardAxes()), [], {
    equals: (a, b) => a.join() === b.join(),
  });
  const brushes = createMemo(() => readBrushes(param("b")));
  const scales = createMemo(() => {
    const out: Record<string, Scale> = {};
    for (const key of new Set([...chosenAxes(), ...wanted()])) out[key] = scaleOf(stars(), key, null);
    return out;
  });
  const scaleX = createMemo(() => scaleOf(stars(), x(), readLog(param("lx"))));
  const scaleY = createMemo(() => scaleOf(stars(), y(), readLog(param("ly"))));
  const wishX = () => readWish(param("wx"), x());
  const wishY = () => readWish(param("wy"), y());
  const dimmed = (star: Star) => !inside(star, brushes(), scales());
  const brush = (key: string, range: Brush | null) => {
    const { [key]: _, ...rest } = brushes();
    setQuery({ b: writeBrushes(range ? { ...rest, [key]: range } : rest) });
  };
  const paint = (star: Star) => {
    const scale = colour() ? scales()[colour()] : undefined;
    if (!scale) return "var(--run-1)";
    const own = scale.own(valueOf(star, colour()));
    return own === null ? "var(--line-strong)" : `color-mix(in oklab, var(--run-2) ${Math.round(100 * scale.at(own))}%, var(--run-1))`;
  };
  const quantities = createMemo(() => quantityGroups(varied(), known(), keys()));
  const left = createMemo(() => stars().filter((star) => !dimmed(star)));
  const toggleAxis = (key: string) => {
    const next = chosenAxes().includes(key) ? chosenAxes().filter((one) => one !== key) : [...chosenAxes(), key];
    setQuery({ p: next.join(",") || "none" });
  };
  return { game, games, x, y, colour, stars, known, left, chosenAxes, brushes, scales, scaleX, scaleY, wishX, wishY, dimmed, brush, paint, quantities, toggleAxis };
}

type SkyView = ReturnType<typeof createSky>;

interface PartProps {
  sky: SkyView;
  hover: string;
  onHover: (run: string) => void;
}

/** Runs from which on charts of them say something. */
const least = 3;

function Sky(props: { runs: Run[]; now: number }) {
  const sky = createSky(() => props.runs);
  const [hover, setHover] = createSignal("");
  const { x, y, colour, chosenAxes, scales, scaleX, scaleY, wishX, wishY, left } = sky;
  return (
    <>
      <SkyFilters sky={sky} />
      <Show when={sky.stars().length < least}>
        <p class="advice warn">These charts need three runs or more: train {counted(least - sky.stars().length, "more run", "more runs")} of this game with another setting.</p>
      </Show>
      <Show when={sky.stars().length > 1}>
        <div class="sky-grid">
          <ScatterCard sky={sky} hover={hover()} onHover={setHover} />
          <ParallelCard sky={sky} hover={hover()} onHover={setHover} />
        </div>
      </Show>
      <StarTable
        stars={left()}
        columns={[...new Set([y(), x(), ...chosenAxes(), colour()])].filter(Boolean)}
        scales={{ ...scales(), [x()]: scaleX(), [y()]: scaleY() }}
        x={scaleX()}
        y={scaleY()}
        wishX={wishX()}
        wishY={wishY()}
        now={props.now}
        hover={hover()}
        onHover={setHover}
      />
    </>
  );
}

function SkyFilters(props: { sky: SkyView }) {
  return (
    <form class="filters" role="search" aria-label="Which runs are shown" onSubmit={(event) => event.preventDefault()}>
      <label class="field">
        <span>Game</span>
        <select value={props.sky.game()} onChange={(event) => setQuery({ game: event.currentTarget.value, b: null })}>
          <For each={props.sky.games()}>{(name) => <option value={name} selected={name === props.sky.game()}>{gameName(name)}</option>}</For>
          <option value="all" selected={props.sky.game() === "all"}>All games</option>
        </select>
      </label>
      <label class="field wide-field">
        <span>Find</span>
        <input type="search" placeholder="name, note, tag, experiment" value={param("q")} onInput={(event) => setQuery({ q: event.currentTarget.value })} />
      </label>
      <label class="field">
        <span>Metrics of a run</span>
        <select onChange={(event) => setQuery({ agg: event.currentTarget.value === "last" ? null : event.currentTarget.value })}>
          <For each={Object.entries(aggregates)}>
            {([key, name]) => (
              <option value={key} selected={key === (param("agg") || "last")}>
                {name}
              </option>
            )}
          </For>
        </select>
      </label>
      <output class="muted">
        {props.sky.left().length === props.sky.stars().length ? counted(props.sky.stars().length, "run") : `${props.sky.left().length} of ${props.sky.stars().length} runs within the limits`}
        {props.sky.known().length < props.sky.stars().length ? `, settings of ${props.sky.known().length} read` : ""}
      </output>
    </form>
  );
}

function ScatterCard(props: PartProps) {
  return (
    <section class="card" aria-label="Scatter">
      <div class="filters">
        <QuantitySelect name="Y axis" value={props.sky.y()} groups={props.sky.quantities()} onPick={(key) => setQuery({ y: key, wy: null, ly: null })} />
        <WishSelect name="Better is" value={props.sky.wishY()} onPick={(wish) => setQuery({ wy: wish })} />
        <LogBox name="Log scale" scale={props.sky.scaleY()} onPick={(log) => setQuery({ ly: log ? 1 : 0 })} />
      </div>
      <div class="filters">
        <QuantitySelect name="X axis" value={props.sky.x()} groups={props.sky.quantities()} onPick={(key) => setQuery({ x: key, wx: null, lx: null })} />
        <WishSelect name="Better is" value={props.sky.wishX()} onPick={(wish) => setQuery({ wx: wish })} />
        <LogBox name="Log scale" scale={props.sky.scaleX()} onPick={(log) => setQuery({ lx: log ? 1 : 0 })} />
        <QuantitySelect name="Colour" value={props.sky.colour()} groups={props.sky.quantities()} none="one for all" onPick={(key) => setQuery({ c: key })} />
      </div>
      <Scatter
        stars={props.sky.stars()}
        dimmed={props.sky.dimmed}
        x={props.sky.scaleX()}
        y={props.sky.scaleY()}
        wishX={props.sky.wishX()}
        wishY={props.sky.wishY()}
        colour={props.sky.paint}
        hover={props.hover}
        onHover={props.onHover}
      />
      <p class="quiet sky-key">
        <Show when={props.sky.wishX() !== 0 && props.sky.wishY() !== 0} fallback="Choose which direction is better for each quantity to see the front.">
          <span class="front-key" aria-hidden="true" /> the front: no other run is better in both
        </Show>
        <Show when={props.sky.colour() ? props.sky.scales()[props.sky.colour()] : undefined}>
          {(scale) => (
            <span class="ramp">
              {endText(scale(), 0)} <i aria-hidden="true" /> {endText(scale(), 1)} <span>{label(props.sky.colour())}</span>
            </span>
          )}
        </Show>
      </p>
    </section>
  );
}

function ParallelCard(props: PartProps) {
  return (
    <section class="card" aria-label="Parallel coordinates">
      <header class="card-head">
        <h2>Side by side</h2>
        <span class="head-end">
          <Show when={Object.keys(props.sky.brushes()).length}>
            <button type="button" class="button" onClick={() => setQuery({ b: null })}>
              No limits
            </button>
          </Show>
          <Picker title="Axes" find="Find a quantity" groups={props.sky.quantities()} chosen={props.sky.chosenAxes()} onToggle={props.sky.toggleAxis} />
        </span>
      </header>
      <Show when={props.sky.chosenAxes().length} fallback={<p class="quiet">Choose axes.</p>}>
        <Parallel
          stars={props.sky.stars()}
          scales={props.sky.chosenAxes().flatMap((key) => props.sky.scales()[key] ?? [])}
          dimmed={props.sky.dimmed}
          colour={props.sky.paint}
          brushes={props.sky.brushes()}
          onBrush={props.sky.brush}
          hover={props.hover}
          onHover={props.onHover}
        />
      </Show>
      <p class="quiet">Drag along an axis to keep the runs that pass there; click it to let all pass. A click on a line opens its run.</p>
    </section>
  );
}

/** What stands at an end of a scale. */
const endText = (scale: Scale, end: 0 | 1): string => scale.text(scale.kind === "words" ? (scale.names.at(-end) ?? "") : end ? scale.high : scale.low);

/** Quantities to choose from; settings that differ come before the others. */
function quantityGroups(varied: string[], known: RunDetail[], keys: string[]): PickGroup[] {
  const aggregate = Object.hasOwn(aggregates, param("agg")) ? param("agg") : "last";
  const others = [...new Set(known.flatMap((run) => Object.keys(run.settings ?? {})))].filter((key) => key.includes(".") && !varied.includes(key));
  const metrics = keys.filter((key) => !/^(window_id|env_steps_start|eval\.)/.test(key));
  const item = (key: string) => ({ key, label: label(key) });
  return [
    { name: "Figures", items: Object.keys(figures).map(item) },
    { name: "Settings that differ", items: varied.map((key) => item(`set:${key}`)) },
    { name: `Metrics, ${aggregates[aggregate]}`, items: metrics.map((key) => ({ key: `met:${key}@${aggregate}`, label: words(key) })) },
    { name: "Other settings", items: others.map((key) => item(`set:${key}`)) },
  ].filter((group) => group.items.length);
}

function QuantitySelect(props: { name: string; value: string; groups: PickGroup[]; none?: string; onPick: (key: string) => void }) {
  const there = () => !props.value || props.groups.some((group) => group.items.some((item) => item.key === props.value));
  return (
    <label class="field">
      <span>{props.name}</span>
      <select onChange={(event) => props.onPick(event.currentTarget.value)}>
        <Show when={props.none}>
          <option value="">{props.none}</option>
        </Show>
        <Show when={!there()}>
          <option value={props.value} selected>
            {label(props.value)}
          </option>
        </Show>
        <For each={props.groups}>
          {(group) => (
            <optgroup label={group.name}>
              <For each={group.items}>
                {(item) => (
                  <option value={item.key} selected={item.key === props.value}>
                    {item.label}
                  </option>
                )}
              </For>
            </optgroup>
          )}
        </For>
      </select>
    </label>
  );
}

function WishSelect(props: { name: string; value: Wish; onPick: (wish: string) => void }) {
  return (
    <label class="field">
      <span>{props.name}</span>
      <select value={String(props.value)} onChange={(event) => props.onPick(event.currentTarget.value)}>
        <option value="1">more</option>
        <option value="-1">less</option>
        <option value="0">neither</option>
      </select>
    </label>
  );
}

function LogBox(props: { name: string; scale: Scale; onPick: (log: boolean) => void }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={props.scale.kind === "log"}
        disabled={props.scale.kind === "words" || props.scale.low <= 0}
        onChange={(event) => props.onPick(event.currentTarget.checked)}
      />
      {props.name}
    </label>
  );
}

function StarTable(props: {
  stars: Star[];
  columns: string[];
  scales: Record<string, Scale>;
  x: Scale;
  y: Scale;
  wishX: Wish;
  wishY: Wish;
  now: number;
  hover: string;
  onHover: (run: string) => void;
}) {
  const sort = () => param("sort") || props.y.key;
  const front = createMemo(() => new Set(frontOf(pointsOf(props.stars, props.x, props.y), props.wishX, props.wishY).map(({ star }) => star.run.run_id)));
  const rows = createMemo(() => {
    const key = sort().replace(/^-/, "");
    const sign = sort().startsWith("-") ? 1 : -1;
    const own = (star: Star) => props.scales[key]?.own(valueOf(star, key)) ?? -Infinity;
    return [...props.stars].sort((a, b) => sign * (own(a) - own(b)));
  });
  const save = () => {
    const row = ({ run }: Star) => [run.run_id, run.status, front().has(run.run_id) ? "yes" : ""];
    const body = rows().map((star) => [...row(star), ...props.columns.map((key) => valueOf(star, key))]);
    saveFile("constellation.csv", csv([["run", "status", "front", ...props.columns.map(label)], ...body]), "text/csv");
  };
  return (
    <section class="card" aria-label="Table of the runs">
      <header class="card-head">
        <h2>Table</h2>
        <button type="button" class="button" onClick={save}>
          Download as CSV
        </button>
      </header>
      <div class="scroller tall" tabindex="0" role="region" aria-label="Runs and their quantities">
        <table class="grid-table">
          <thead>
            <tr>
              <th scope="col">Run</th>
              <th scope="col">Status</th>
              <th scope="col">Front</th>
              <For each={props.columns}>
                {(key) => <SortHeader column={key} label={label(key)} sort={sort()} right onSort={(next) => setQuery({ sort: next })} />}
              </For>
            </tr>
          </thead>
          <tbody>
            <For each={rows()} fallback={<tr><td colspan={3 + props.columns.length} class="quiet">No run is within the limits.</td></tr>}>
              {(star) => (
                <tr
                  classList={{ hover: props.hover === star.run.run_id }}
                  onPointerEnter={() => props.onHover(star.run.run_id)}
                  onPointerLeave={() => props.onHover("")}
                >
                  <th scope="row" class="nowrap">
                    <a
                      href={`/runs/${encodeURIComponent(star.run.run_id)}`}
                      title={star.run.run_id}
                      onFocus={() => props.onHover(star.run.run_id)}
                      onBlur={() => props.onHover("")}
                    >
                      {runTime(star.run.run_id)}
                    </a>
                  </th>
                  <td>
                    <StatusMark run={star.run} now={props.now} />
                  </td>
                  <td>{front().has(star.run.run_id) ? "yes" : ""}</td>
                  <For each={props.columns}>{(key) => <td class="right">{props.scales[key]?.text(valueOf(star, key)) ?? "–"}</td>}</For>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </div>
    </section>
  );
}
