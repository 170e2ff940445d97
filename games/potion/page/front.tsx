// The front of cost and profit: every potion that brings more than all that cost no more. A chart, and
// the same as a table.
import type UPlot from "ludus/runs/uplot";
import { createEffect, createMemo, createSignal, For, onCleanup, onMount, Show } from "solid-js";
import { fontOf } from "ludus/canvas";
import { Running, type Asked } from "ludus/lib/asking";
import { number, signed } from "ludus/lib/format";
import { theme } from "ludus/lib/theme";
import { gradeName } from "../view/tables";
import { mixWords } from "./found";
import { costOf, frontOf, type Answer, type Found } from "./solver";

const HEIGHT = 240;

const words = (found: Found): string => `cost ${number(costOf(found))}, profit ${signed(found.profit)}, ${found.brewed} × ${gradeName(found.grade)}`;

/** A colour of the style sheet as the canvas takes it. */
function colourOf(box: HTMLElement, name: string): string {
  const probe = box.appendChild(document.createElement("i"));
  probe.style.color = `var(--${name})`;
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

const room = (low: number, high: number): [number, number] => {
  const space = (high - low || Math.abs(high) || 1) * 0.08;
  return [low - space, high + space];
};

/** What the library is told about the chart; `at` hears of the point under the cursor, `choose` of a click. */
function optionsOf(Library: typeof UPlot, width: number, colour: (name: string) => string, at: (index: number) => void, choose: (index: number) => void): UPlot.Options {
  const grid = { stroke: colour("line"), width: 1 };
  const axis: UPlot.Axis = { stroke: colour("muted"), grid, ticks: { ...grid, size: 4 }, font: fontOf(12), labelFont: fontOf(12), labelSize: 18, values: (_, values) => values.map((value) => number(value)) };
  return {
    width: Math.max(200, width),
    height: HEIGHT,
    padding: [10, 14, 0, 0],
    legend: { show: false },
    scales: { x: { time: false, range: (_, low, high) => room(low, high) }, y: { range: (_, low, high) => room(low, high) } },
    series: [{}, { stroke: colour("accent"), width: 2, paths: Library.paths.stepped!({ align: 1 }), points: { show: true, size: 9, fill: colour("surface"), stroke: colour("accent"), width: 2 } }],
    axes: [
      { ...axis, label: "Cost of the ingredients", size: 30 },
      { ...axis, label: "Profit", size: 54 },
    ],
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 13, width: 2 } },
    hooks: {
      setCursor: [(plot) => at((plot.cursor.left ?? -1) < 0 ? -1 : (plot.cursor.idx ?? -1))],
      ready: [(plot) => plot.over.addEventListener("click", () => choose(plot.cursor.idx ?? -1))],
    },
  };
}

function Chart(props: { points: Found[]; stale: boolean; put: (found: Found) => void }) {
  let box!: HTMLDivElement;
  let stage!: HTMLDivElement;
  let chart: UPlot | null = null;
  const [library, setLibrary] = createSignal<typeof UPlot | null>(null);
  const [width, setWidth] = createSignal(0);
  const [at, setAt] = createSignal(-1);
  const [said, say] = createSignal("");
  onMount(() => {
    const seen = new ResizeObserver(() => setWidth(Math.floor(stage.clientWidth)));
    seen.observe(stage);
    onCleanup(() => seen.disconnect());
    void import("ludus/runs/uplot").then((module) => setLibrary(() => module.default));
  });
  onCleanup(() => chart?.destroy());

  function build(Library: typeof UPlot): void {
    chart?.destroy();
    chart = new Library(optionsOf(Library, width(), (name) => colourOf(box, name), setAt, choose), dataOf(), stage);
  }
  const dataOf = (): UPlot.AlignedData => [props.points.map(costOf), props.points.map((found) => found.profit)];
  function choose(index: number): void {
    const found = props.points[index];
    if (!found || props.stale) return;
    props.put(found);
    say(`In the cauldron: ${mixWords(found.mix)}`);
  }

  createEffect(() => {
    const Library = library();
    theme();
    if (Library && width() > 0 && !chart) build(Library);
  });
  createEffect((last: string | undefined) => {
    const now = theme();
    if (chart && last !== undefined && last !== now) build(library()!);
    return now;
  });
  createEffect(() => {
    const data = dataOf();
    if (chart) chart.setData(data);
  });
  createEffect(() => {
    if (chart && width() > 0) chart.setSize({ width: width(), height: HEIGHT });
  });

  function pressed(event: KeyboardEvent): void {
    const last = props.points.length - 1;
    const moves: Record<string, number> = { ArrowRight: at() + 1, ArrowUp: at() + 1, ArrowLeft: at() - 1, ArrowDown: at() - 1, Home: 0, End: last };
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      return choose(at());
    }
    const to = moves[event.key];
    if (to === undefined || !chart) return;
    event.preventDefault();
    const index = Math.max(0, Math.min(last, to));
    const found = props.points[index]!;
    chart.setCursor({ left: chart.valToPos(costOf(found), "x"), top: HEIGHT / 3 });
    setAt(index);
    say(words(found));
  }

  return (
    <div
      ref={box}
      class="front-chart"
      classList={{ stale: props.stale }}
      role="group"
      aria-roledescription="chart"
      tabindex="0"
      aria-label={`Profit against cost, ${props.points.length} potions. Arrow keys go from potion to potion, Enter puts one into the cauldron; the table below has the numbers.`}
      onKeyDown={pressed}
    >
      <div ref={stage} class="front-stage" />
      <p class="front-tip" aria-hidden="true">
        <Show when={props.points[at()]} fallback="Click a point to put that mix into the cauldron.">
          {(found) => (
            <>
              <b>{words(found())}</b>: {mixWords(found().mix)}
            </>
          )}
        </Show>
      </p>
      <p class="sr-only" aria-live="polite">
        {said()}
      </p>
    </div>
  );
}

export function FrontCard(props: { asked: Asked<Answer>; told: boolean; put: (mix: Record<string, number>) => void }) {
  const points = createMemo(() => frontOf(props.asked.answer()));
  const stale = () => !props.asked.fresh();
  return (
    <section class="card front-card" aria-labelledby="front-title">
      <h2 id="front-title">Profit against cost</h2>
      <p class="quiet">Potions of what you own, each more profitable than all that cost no more; traits left out.</p>
      <Show when={!props.told}>
        <Running asked={props.asked} name="Front" />
      </Show>
      <Show when={points().length > 0} fallback={<p class="quiet">{props.asked.busy() ? "" : "Nothing to draw yet."}</p>}>
        <Chart points={points()} stale={stale()} put={(found) => props.put(found.mix)} />
        <Show when={points().some((found) => found.proof !== "optimal")}>
          <p class="quiet">Memory ran out before the front was complete.</p>
        </Show>
        <details>
          <summary>As a table</summary>
          <div class="scroller short" tabindex="0" role="region" aria-label="Front as a table">
            <table class="grid-table">
              <thead>
                <tr>
                  <th scope="col" class="right">
                    Cost
                  </th>
                  <th scope="col" class="right">
                    Profit
                  </th>
                  <th scope="col">Potions</th>
                  <th scope="col">Mix</th>
                  <th scope="col">Use</th>
                </tr>
              </thead>
              <tbody>
                <For each={points()}>
                  {(found) => (
                    <tr>
                      <td class="right">{number(costOf(found))}</td>
                      <td class="right">{signed(found.profit)}</td>
                      <td>
                        {found.brewed} × {gradeName(found.grade)}
                      </td>
                      <td>{mixWords(found.mix)}</td>
                      <td>
                        <button type="button" class="button small" disabled={stale()} aria-label={`Put it in: ${words(found)}`} onClick={() => props.put(found.mix)}>
                          Put it in
                        </button>
                      </td>
                    </tr>
                  )}
                </For>
              </tbody>
            </table>
          </div>
        </details>
      </Show>
    </section>
  );
}
