// How costs are spread: a histogram over a logarithmic axis, with mean, median and budget.
import { createSignal, For, onCleanup, onMount, Show } from "solid-js";
import { number } from "ludus/lib/format";
import type { Strategy } from "./solver";

const height = 170;
const edge = { left: 8, right: 8, top: 36, bottom: 20 };

/** A line of its own for each name, so that none covers another. */
const lineOf = (k: number): number => 10 + 11 * k;

/** The span that all charts of an answer share. */
export function spanOf(strategies: Strategy[]): [number, number] {
  const spans = strategies.flatMap(({ cost_distribution: all }) => (all ? [all] : []));
  return [Math.min(...spans.map((one) => one.from)), Math.max(...spans.map((one) => one.to))];
}

/** 1, 2, 5, 10, ... within a span; powers of ten alone where it is wide. */
function ticksOf([from, to]: [number, number]): number[] {
  const wide = to / from > 300;
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(from)); power <= Math.log10(to); power++) {
    for (const step of wide ? [1] : [1, 2, 5]) ticks.push(step * 10 ** power);
  }
  return ticks.filter((tick) => tick >= from && tick <= to);
}

export function CostChart(props: { strategy: Strategy; span: [number, number]; unit: string; budget: number }) {
  const spread = () => props.strategy.cost_distribution!;
  // as wide as its place, a unit a pixel: letters keep their size
  const [width, setWidth] = createSignal(420);
  let box!: SVGSVGElement;
  onMount(() => {
    const seen = new ResizeObserver(() => setWidth(Math.max(200, box.clientWidth)));
    seen.observe(box);
    onCleanup(() => seen.disconnect());
  });
  const at = (cost: number): number => {
    const [from, to] = props.span;
    const share = Math.log(cost / from) / Math.log(to / from || 2);
    return edge.left + Math.max(0, Math.min(1, share)) * (width() - edge.left - edge.right);
  };
  const bars = () => {
    const { from, to, share } = spread();
    const step = (to / from) ** (1 / share.length);
    const most = Math.max(...share, 1e-9);
    return share.map((part, k) => {
      const left = at(from * step ** k);
      const tall = (part / most) * (height - edge.top - edge.bottom);
      return { x: left, width: Math.max(0.5, at(from * step ** (k + 1)) - left - 0.6), y: height - edge.bottom - tall, height: tall };
    });
  };
  const marks = () => [
    { name: "mean", cost: props.strategy.expected_cost },
    { name: "half", cost: props.strategy.cost_quantiles["p50"] ?? 0 },
    ...(props.budget ? [{ name: "budget", cost: props.budget }] : []),
  ];
  /** the cheapest mark has its name on its left, the others on their right, as far as there is room */
  const leftOf = (cost: number): boolean => (at(cost) > 90 && cost <= Math.min(...marks().map((mark) => mark.cost))) || at(cost) > width() - 90;
  const words = () => `Spread of the cost: half of all crafts within ${number(props.strategy.cost_quantiles["p50"])} ${props.unit}, nine of ten within ${number(props.strategy.cost_quantiles["p90"])}, mean ${number(props.strategy.expected_cost)}.`;
  return (
    <svg ref={box} class="chart" viewBox={`0 0 ${width()} ${height}`} role="img" aria-label={words()}>
      <For each={bars()}>{(bar) => <rect class="bin" x={bar.x} y={bar.y} width={bar.width} height={bar.height} />}</For>
      <line class="axis" x1={edge.left} x2={width() - edge.right} y1={height - edge.bottom} y2={height - edge.bottom} />
      <For each={ticksOf(props.span)}>
        {(tick) => (
          <text class="tick" x={at(tick)} y={height - 6} text-anchor="middle">
            {number(tick)}
          </text>
        )}
      </For>
      <For each={marks()}>
        {(mark, k) => (
          <Show when={mark.cost > 0}>
            <line class={`mark ${mark.name}`} x1={at(mark.cost)} x2={at(mark.cost)} y1={lineOf(k()) - 8} y2={height - edge.bottom} />
          </Show>
        )}
      </For>
      <For each={marks()}>
        {(mark, k) => (
          <Show when={mark.cost > 0}>
            <text class="mark-name" x={at(mark.cost) + (leftOf(mark.cost) ? -4 : 4)} y={lineOf(k())} text-anchor={leftOf(mark.cost) ? "end" : "start"}>
              {mark.name} {number(mark.cost)}
            </text>
          </Show>
        )}
      </For>
    </svg>
  );
}
