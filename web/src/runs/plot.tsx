// One chart over uPlot: a line per run with the band of its buckets, or points with whiskers, levels to
// compare with, zoom by drag, touch and keys, and the values under the cursor in words.
import { createEffect, createSignal, For, onCleanup, onMount, Show } from "solid-js";
import type UPlot from "uplot";
import { fontOf, shorten } from "../canvas";
import type { Axis } from "../lib/api";
import { compact, number } from "../lib/format";
import { fontsCame, theme } from "../lib/theme";
import { axes, nearest, timeText } from "./figures";

export interface Curve {
  run: string;
  name: string;
  /** place in the palette */
  slot: number;
  xs: number[];
  /** what is drawn; `raw` is what it was before smoothing, when that is not the same */
  ys: number[];
  raw: number[] | null;
  /** of the rows in a bucket, or ends of intervals */
  low: number[];
  high: number[];
  /** rows in a bucket */
  count: number[];
}

/** A horizontal line to compare with. */
export interface Level {
  name: string;
  value: number;
}

export type Range = [number, number];

export interface PlotProps {
  label: string;
  curves: Curve[];
  levels: Level[];
  /** points with whiskers instead of lines with bands */
  intervals: boolean;
  axis: Axis;
  log: boolean;
  zoom: Range | null;
  onZoom: (range: Range | null) => void;
  height: number;
  /** the run that stands out */
  focus: string;
}

export const SLOTS = 8;
const dashes = [[], [7, 4], [2, 3]];
const timeSteps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400, 172800, 432000, 864000];

export const axisText = (axis: Axis, value: number): string => (axis === "wall_seconds" ? timeText(value) : compact(value));

const valueText = (value: number): string => {
  const size = Math.abs(value);
  return size >= 10000 ? compact(value) : size > 0 && size < 0.001 ? value.toExponential(0).replace("-", "−") : number(value, 5);
};

/** Lines of a logarithmic axis: the powers of ten and zero. */
const onlyPowers = (_: UPlot, values: number[]): (number | null)[] =>
  values.map((value) => (value === 0 || Math.abs(Math.log10(Math.abs(value)) % 1) < 1e-9 ? value : null));

/** Colours of the style sheet as the canvas takes them. */
function palette(element: HTMLElement): (name: string) => string {
  const probe = element.appendChild(document.createElement("i"));
  const known = new Map<string, string>();
  const names = ["text", "muted", "line", "line-strong", "surface", ...Array.from({ length: SLOTS }, (_, i) => `run-${i + 1}`)];
  for (const name of names) {
    probe.style.color = `var(--${name})`;
    known.set(name, getComputedStyle(probe).color);
  }
  probe.remove();
  return (name) => known.get(name) ?? "gray";
}

const faint = (colour: string, alpha: number) => colour.replace(/^rgb\((.*)\)$/, `rgba($1, ${alpha})`);
const slotColour = (slot: number) => `run-${(slot % SLOTS) + 1}`;
const slotDash = (slot: number) => dashes[Math.floor(slot / SLOTS) % dashes.length]!;

/** One x for all curves, as uPlot has it: numbers of a curve where it has a point, else null. */
function align(curves: Curve[]): UPlot.AlignedData {
  const xs = [...new Set(curves.flatMap((curve) => curve.xs))].sort((a, b) => a - b);
  const place = new Map(xs.map((x, i) => [x, i]));
  const spread = (curve: Curve, values: number[]) => {
    const out = new Array<number | null>(xs.length).fill(null);
    curve.xs.forEach((x, i) => (out[place.get(x)!] = values[i]!));
    return out;
  };
  const columns = curves.flatMap((curve) => [
    spread(curve, curve.ys),
    spread(curve, curve.raw ?? curve.ys),
    spread(curve, curve.high),
    spread(curve, curve.low),
  ]);
  return [xs, ...columns] as UPlot.AlignedData;
}

const COLUMNS = 4;

function seriesOf(curves: Curve[], intervals: boolean, colour: (name: string) => string): { series: UPlot.Series[]; bands: UPlot.Band[] } {
  const series: UPlot.Series[] = [{}];
  const bands: UPlot.Band[] = [];
  for (const curve of curves) {
    const ink = colour(slotColour(curve.slot));
    const dash = slotDash(curve.slot);
    const few = curve.xs.length < 2;
    const dot = curve.xs.length > 100 ? 3 : curve.xs.length > 40 ? 5 : 7;
    const none: UPlot.Series = { spanGaps: true, points: { show: false }, paths: () => null, stroke: ink };
    series.push({
      label: curve.name,
      stroke: ink,
      width: intervals ? 1.25 : 2,
      ...(dash.length ? { dash } : {}),
      spanGaps: true,
      points: { show: intervals || few, size: intervals ? dot : 6, fill: ink, stroke: ink },
    });
    series.push(curve.raw ? { spanGaps: true, points: { show: false }, stroke: faint(ink, 0.28), width: 1 } : none);
    const edge = intervals ? none : { ...none, stroke: "transparent", width: 0, paths: undefined };
    series.push(edge as UPlot.Series, { ...edge } as UPlot.Series);
    const first = series.length - COLUMNS;
    if (!intervals && curve.count.some((count) => count > 1)) bands.push({ series: [first + 2, first + 3], fill: faint(ink, 0.16) });
  }
  return { series, bands };
}

/** Whiskers of the points, and levels with their names. */
function drawOver(chart: UPlot, curves: Curve[], levels: Level[], intervals: boolean, colour: (name: string) => string): void {
  const { ctx, bbox } = chart;
  const scale = devicePixelRatio || 1;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  if (intervals) for (const curve of curves) drawWhiskers(chart, curve, colour(slotColour(curve.slot)), scale);
  ctx.restore();
  ctx.save();
  drawLevels(chart, levels, colour, scale);
  ctx.restore();
}

function drawWhiskers(chart: UPlot, curve: Curve, ink: string, scale: number): void {
  const { ctx } = chart;
  const cap = 3 * scale;
  ctx.strokeStyle = faint(ink, 0.7);
  ctx.lineWidth = 1.25 * scale;
  ctx.beginPath();
  curve.xs.forEach((x, i) => {
    const at = chart.valToPos(x, "x", true);
    const [low, high] = [chart.valToPos(curve.low[i]!, "y", true), chart.valToPos(curve.high[i]!, "y", true)];
    if (!Number.isFinite(low) || !Number.isFinite(high)) return;
    ctx.moveTo(at, low);
    ctx.lineTo(at, high);
    for (const end of [low, high]) {
      ctx.moveTo(at - cap, end);
      ctx.lineTo(at + cap, end);
    }
  });
  ctx.stroke();
}

const rowHeight = 15;

interface Placed extends Level {
  y: number;
}

/** A name and a figure per level, pushed apart until none covers another. Those at one place share a row, as do
 * those beyond an edge, with an arrow, and close ones where there are more than fit. */
function levelNames(levels: Placed[], box: UPlot.BBox, scale: number): { y: number; name: string; figure: string }[] {
  const [top, bottom, step] = [box.top, box.top + box.height, rowHeight * scale];
  const rows: { y: number; all: Placed[] }[] = [];
  const crowded = new Set(levels.map((level) => Math.round(level.y))).size * step > box.height;
  for (const level of [...levels].sort((a, b) => a.y - b.y)) {
    const wanted = Math.max(top + step / 2, Math.min(bottom - step / 2, level.y));
    const last = rows.at(-1);
    const beyond = last && ((level.y < top - 1 && last.all[0]!.y < top - 1) || (level.y > bottom + 1 && last.all[0]!.y > bottom + 1));
    const same = last && Math.abs(level.y - last.all[0]!.y) < 1;
    if (last && (same || beyond || (crowded && wanted - last.y < step))) last.all.push(level);
    else rows.push({ y: last ? Math.max(wanted, last.y + step) : wanted, all: [level] });
  }
  // what was pushed below the edge moves the others up
  for (let k = rows.length - 1, most = bottom - step / 2; k >= 0; k--, most -= step) rows[k]!.y = Math.min(rows[k]!.y, most);
  return rows.map(({ y, all: [first, ...more] }) => ({
    y,
    name: `${first!.y < top - 1 ? "↑ " : first!.y > bottom + 1 ? "↓ " : ""}${first!.name}`,
    figure: ` ${number(first!.value, 3)}${more.length ? ` +${more.length}` : ""}`,
  }));
}

/** Room at the right of a chart for the names of its levels, which are cut where they would take too much of it. */
function gutterOf(levels: Level[], width: number): number {
  const ctx = levels.length ? document.createElement("canvas").getContext("2d") : null;
  if (!ctx) return 16;
  ctx.font = fontOf(12);
  return Math.min(width * 0.3, 34 + Math.max(...levels.map(({ name, value }) => ctx.measureText(`${name} ${number(value, 3)}`).width)));
}

function drawLevels(chart: UPlot, levels: Level[], colour: (name: string) => string, scale: number): void {
  const { ctx, bbox } = chart;
  const placed = levels.map((level) => ({ ...level, y: chart.valToPos(level.value, "y", true) })).filter((level) => Number.isFinite(level.y));
  const right = bbox.left + bbox.width;
  ctx.lineWidth = scale;
  ctx.strokeStyle = colour("line-strong");
  ctx.setLineDash([6 * scale, 4 * scale]);
  ctx.beginPath();
  for (const level of placed.filter(({ y }) => y >= bbox.top && y <= bbox.top + bbox.height)) {
    ctx.moveTo(bbox.left, level.y);
    ctx.lineTo(right, level.y);
  }
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.font = fontOf(12 * scale, 400, true);
  ctx.textBaseline = "middle";
  ctx.fillStyle = colour("muted");
  ctx.textAlign = "left";
  const room = (gutterOf(levels, chart.width) - 8) * scale;
  for (const { y, name, figure } of levelNames(placed, bbox, scale)) ctx.fillText(shorten(ctx, name, room - ctx.measureText(figure).width) + figure, right + 6 * scale, y);
}

/** The scale of values: linear, logarithmic, or with values of both signs bent like one (asinh). */
function valueScale(library: typeof UPlot, curves: Curve[], levels: Level[], log: boolean): UPlot.Scale {
  const values = curves.flatMap((curve) => [...curve.low, ...curve.high]);
  const positive = values.every((value) => value > 0);
  // a level that lies far off does not flatten the curves: its name stands at the edge
  const bound = (low: number, high: number): Range => {
    const room = high - low || Math.abs(high) * 0.2;
    const close = levels.map((level) => level.value).filter((value) => value >= low - room && value <= high + room);
    return [Math.min(low, ...close), Math.max(high, ...close)];
  };
  const range = (_: UPlot, low: number | null, high: number | null): UPlot.Range.MinMax => {
    if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return log ? [1, 10] : [0, 1];
    const [least, most] = bound(low, high);
    if (log && positive && least > 0) return library.rangeLog(least, most, 10, false);
    const room = (most - least || Math.abs(most) || 1) * 0.07;
    return [least >= 0 && least - room < 0 ? 0 : least - room, most + room];
  };
  if (!log) return { range };
  if (positive) return { distr: 3, log: 10, range };
  const sizes = values.map(Math.abs).filter((size) => size > 0).sort((a, b) => a - b);
  const bend = Math.max(sizes[Math.floor(sizes.length / 4)] ?? 0, (sizes.at(-1) ?? 0) / 1000);
  return { distr: 4, asinh: bend || 1, range };
}

/** Drags of one finger: sideways they choose a range, up and down the page scrolls. */
function touchZoom(chart: UPlot, done: () => void): void {
  let start: number | null = null;
  const at = (event: PointerEvent) => Math.max(0, Math.min(chart.over.clientWidth, event.clientX - chart.over.getBoundingClientRect().left));
  chart.over.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse") return;
    start = at(event);
    chart.over.setPointerCapture(event.pointerId);
  });
  chart.over.addEventListener("pointermove", (event) => {
    if (start === null) return;
    const now = at(event);
    chart.setCursor({ left: now, top: event.clientY - chart.over.getBoundingClientRect().top });
    chart.setSelect({ left: Math.min(start, now), width: Math.abs(now - start), top: 0, height: chart.over.clientHeight }, false);
  });
  const end = (event: PointerEvent) => {
    if (start === null) return;
    start = null;
    if (event.type === "pointerup") done();
    else chart.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
  };
  chart.over.addEventListener("pointerup", end);
  chart.over.addEventListener("pointercancel", end);
}

interface Tip {
  x: number;
  left: number;
  right: boolean;
}

/** The nearest place at which a column has a number. */
function closest(values: ArrayLike<number | null | undefined>, index: number): number {
  for (let away = 0; away < values.length; away++) {
    if (values[index - away] != null) return index - away;
    if (values[index + away] != null) return index + away;
  }
  return index;
}

interface Hooks {
  chosen(): void;
  moved(plot: UPlot): void;
  /** whether a curve has something to say at x */
  covers(curve: Curve, x: number): boolean;
}

/** What the library is told about a chart. */
function optionsOf(Library: typeof UPlot, props: PlotProps, width: number, colour: (name: string) => string, hooks: Hooks): UPlot.Options {
  const { series, bands } = seriesOf(props.curves, props.intervals, colour);
  // whiskers at the ends are drawn whole
  const spare = (low: number, high: number): number => (props.intervals ? (high - low) * 0.015 : 0);
  return {
    width: Math.max(120, width),
    height: props.height,
    padding: [10, gutterOf(props.levels, width), 0, 0],
    series,
    bands,
    legend: { show: false },
    focus: { alpha: 0.2 },
    scales: {
      x: { time: false, range: (_, low, high) => props.zoom ?? (low === high ? [low - 1, high + 1] : [low - spare(low, high), high + spare(low, high)]) },
      y: valueScale(Library, props.curves, props.levels, props.log),
    },
    axes: axesOf(props, colour),
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false },
      // the library takes null for "no point here", though its types do not say so
      dataIdx: (plot, column, index, x) => {
        const curve = props.curves[(column - 1) / COLUMNS];
        return (curve && hooks.covers(curve, x) ? closest(plot.data[column]!, index) : null) as number;
      },
      points: { size: 8, width: 2 },
    },
    hooks: {
      setSelect: [() => hooks.chosen()],
      setCursor: [hooks.moved],
      draw: [(plot) => drawOver(plot, props.curves, props.levels, props.intervals, colour)],
      ready: [(plot) => touchZoom(plot, hooks.chosen)],
    },
  };
}

function axesOf(props: PlotProps, colour: (name: string) => string): UPlot.Axis[] {
  const grid = { stroke: colour("line"), width: 1 };
  const axis: UPlot.Axis = { stroke: colour("muted"), grid, ticks: { ...grid, size: 4 }, font: fontOf(12), gap: 4 };
  const words = (values: (number | null)[], text: (value: number) => string) => values.map((value) => (value === null || value === undefined ? "" : text(value)));
  return [
    {
      ...axis,
      size: 30,
      space: 64,
      ...(props.axis === "wall_seconds" ? { incrs: timeSteps } : {}),
      values: (_, values) => words(values, (value) => axisText(props.axis, value)),
    },
    {
      ...axis,
      space: 34,
      size: (_, values) => 16 + 7 * Math.max(2, ...(values ?? []).map((value) => value.length)),
      ...(props.log ? { grid: { ...grid, filter: onlyPowers }, ticks: { ...grid, size: 4, filter: onlyPowers } } : {}),
      values: (_, values) => words(values, valueText),
    },
  ];
}

/** The library's chart in its box: built anew when its parts change, given new numbers otherwise. */
class Chart {
  private chart: UPlot | null = null;
  private shape = "";
  readonly tip: () => Tip | null;
  private readonly setTip: (tip: Tip | null) => void;

  constructor(private readonly props: PlotProps) {
    [this.tip, this.setTip] = createSignal<Tip | null>(null);
    onCleanup(() => this.chart?.destroy());
  }

  draw(Library: typeof UPlot, box: HTMLElement, stage: HTMLElement, width: number): void {
    const { props } = this;
    const parts = props.curves.map((curve) => [curve.run, curve.slot, curve.raw !== null, curve.xs.length > 1, curve.xs.length > 40, curve.xs.length > 100, curve.count.some((count) => count > 1)]);
    const now = JSON.stringify([theme(), fontsCame(), width < 620, props.axis, props.log, props.intervals, props.levels, parts, props.height]);
    void props.zoom;
    if (this.chart && now === this.shape) return void this.chart.setData(align(props.curves));
    this.shape = now;
    this.chart?.destroy();
    const hooks = { chosen: () => this.chosen(), moved: (plot: UPlot) => this.moved(plot), covers: (curve: Curve, x: number) => this.covers(curve, x) };
    this.chart = new Library(optionsOf(Library, props, width, palette(box), hooks), align(props.curves), stage);
  }

  size(width: number): void {
    if (width > 0) this.chart?.setSize({ width, height: this.props.height });
  }

  focus(run: string): void {
    const index = this.props.curves.findIndex((curve) => curve.run === run);
    this.chart?.setSeries(index < 0 ? null : 1 + COLUMNS * index, { focus: true });
  }

  /** The range of the axis that is shown. */
  view(): Range | null {
    const scale = this.chart?.scales["x"];
    return scale && scale.min != null && scale.max != null ? [scale.min, scale.max] : null;
  }

  /** Whether a curve has something to say at x, or ended before or begins after. */
  covers(curve: Curve, x: number): boolean {
    const range = this.view();
    const near = range ? (range[1] - range[0]) * 0.03 : 0;
    return x >= curve.xs[0]! - near && x <= curve.xs.at(-1)! + near;
  }

  point(x: number): void {
    this.chart?.setCursor({ left: this.chart.valToPos(x, "x"), top: this.chart.over.clientHeight / 2 });
  }

  unpoint(): void {
    this.setTip(null);
    this.chart?.setCursor({ left: -10, top: -10 });
  }

  private chosen(): void {
    const { chart } = this;
    if (!chart) return;
    const { left, width: wide } = chart.select;
    chart.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
    if (wide >= 6) this.props.onZoom([chart.posToVal(left, "x"), chart.posToVal(left + wide, "x")]);
  }

  private moved(plot: UPlot): void {
    const left = plot.cursor.left ?? -1;
    if (left < 0 || !this.props.curves.length) return this.setTip(null);
    const x = plot.posToVal(left, "x");
    this.setTip({ x, left: left + plot.over.offsetLeft, right: left > plot.over.clientWidth / 2 });
  }
}

interface Value {
  curve: Curve;
  /** place in the curve */
  i: number;
  x: number;
}

/** What the curves say at x, the highest first. */
function valuesAt(chart: Chart, curves: Curve[], x: number): Value[] {
  const values = curves.flatMap((curve) => {
    const i = nearest(curve.xs, x);
    return i < 0 || !chart.covers(curve, x) ? [] : [{ curve, i, x: curve.xs[i]! }];
  });
  return values.sort((a, b) => b.curve.ys[b.i]! - a.curve.ys[a.i]!);
}

/** Reads and zooms by keys; `say` hears the values. */
function keysOf(chart: Chart, props: PlotProps, say: (text: string) => void): Record<string, () => void> {
  const zoomBy = (factor: number): void => {
    const range = chart.view();
    if (!range) return;
    const middle = chart.tip()?.x ?? (range[0] + range[1]) / 2;
    props.onZoom([middle - (middle - range[0]) * factor, middle + (range[1] - middle) * factor]);
  };
  /** Moves the cursor to the point `by` places on, and says what stands there. */
  const step = (by: number | "first" | "last"): void => {
    const range = chart.view();
    if (!range) return;
    const xs = [...new Set(props.curves.flatMap((curve) => curve.xs))].filter((x) => x >= range[0] && x <= range[1]).sort((a, b) => a - b);
    if (!xs.length) return;
    const tip = chart.tip();
    const here = tip ? nearest(xs, tip.x) : by === "first" || (typeof by === "number" && by > 0) ? -1 : xs.length;
    const x = xs[by === "first" ? 0 : by === "last" ? xs.length - 1 : Math.max(0, Math.min(xs.length - 1, here + by))]!;
    chart.point(x);
    const values = valuesAt(chart, props.curves, chart.tip()?.x ?? x);
    say(`${axisText(props.axis, x)} ${axes[props.axis].label}: ${values.map(({ curve, i }) => `${curve.name} ${number(curve.ys[i]!)}`).join("; ")}`);
  };
  return {
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    PageUp: () => step(-10),
    PageDown: () => step(10),
    Home: () => step("first"),
    End: () => step("last"),
    "+": () => zoomBy(0.5),
    "=": () => zoomBy(0.5),
    "-": () => zoomBy(2),
    "0": () => props.onZoom(null),
    Escape: () => {
      chart.unpoint();
      props.onZoom(null);
    },
  };
}

export function Plot(props: PlotProps) {
  let box!: HTMLDivElement;
  let stage!: HTMLDivElement;
  const [library, setLibrary] = createSignal<typeof UPlot | null>(null);
  const [width, setWidth] = createSignal(0);
  const [said, say] = createSignal("");
  const chart = new Chart(props);
  const keys = keysOf(chart, props, say);

  onMount(() => {
    const seen = new ResizeObserver(() => setWidth(Math.floor(stage.clientWidth)));
    seen.observe(stage);
    onCleanup(() => seen.disconnect());
    void import("./uplot").then((module) => setLibrary(() => module.default));
  });
  createEffect(() => {
    const Library = library();
    if (Library && width() > 0) chart.draw(Library, box, stage, width());
  });
  createEffect(() => chart.size(width()));
  createEffect(() => {
    const { focus } = props;
    if (library()) chart.focus(focus);
  });

  function pressed(event: KeyboardEvent): void {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  return (
    <div
      ref={box}
      class="plot"
      role="group"
      aria-roledescription="chart"
      tabindex="0"
      aria-label={`${props.label}. Arrow keys read values, plus and minus zoom, 0 shows everything; the table below has the numbers.`}
      onKeyDown={pressed}
      onDblClick={() => props.onZoom(null)}
    >
      <div ref={stage} class="plot-stage" />
      <Show when={chart.tip()}>{(tip) => <TipBox tip={tip()} values={valuesAt(chart, props.curves, tip().x)} axis={props.axis} intervals={props.intervals} />}</Show>
      <p class="sr-only" aria-live="polite">
        {said()}
      </p>
    </div>
  );
}

/** The values under the cursor. */
function TipBox(props: { tip: Tip; values: Value[]; axis: Axis; intervals: boolean }) {
  return (
    <div class="plot-tip" classList={{ "to-left": props.tip.right }} style={{ left: `${props.tip.left}px` }} aria-hidden="true">
      <b>
        {axisText(props.axis, props.values[0]?.x ?? props.tip.x)} <small>{axes[props.axis].label}</small>
      </b>
      <For each={props.values.slice(0, 12)}>
        {({ curve, i }) => (
          <span class="tip-row">
            <i class={`swatch slot-${(curve.slot % SLOTS) + 1}`} />
            <span>{curve.name}</span>
            <b>{number(curve.ys[i]!)}</b>
            <Show when={props.intervals || curve.count[i]! > 1}>
              <small>
                {number(curve.low[i]!)} to {number(curve.high[i]!)}
              </small>
            </Show>
          </span>
        )}
      </For>
    </div>
  );
}
