// Runs as points over two quantities, with the front of those that no other run beats in both.
import { createMemo, createSignal, For, Show } from "solid-js";
import { counted } from "../lib/format";
import { go } from "../lib/router";
import { widthOf } from "../lib/ui";
import { paretoFront, runTime } from "./figures";
import { label, valueOf, type Scale, type Star, type Wish } from "./quantities";

export interface Point {
  star: Star;
  x: number;
  y: number;
}

/** Stars that have both quantities. */
export function pointsOf(stars: Star[], x: Scale, y: Scale): Point[] {
  return stars.flatMap((star) => {
    const [a, b] = [x.own(valueOf(star, x.key)), y.own(valueOf(star, y.key))];
    return a === null || b === null ? [] : [{ star, x: a, y: b }];
  });
}

/** The front, when both quantities have a better side. */
export const frontOf = (points: Point[], x: Wish, y: Wish): Point[] => (x === 0 || y === 0 ? [] : paretoFront(points, x, y));

const HEIGHT = 420;
const pad = { left: 86, right: 18, top: 14, bottom: 46 };

export function Scatter(props: {
  stars: Star[];
  dimmed: (star: Star) => boolean;
  x: Scale;
  y: Scale;
  wishX: Wish;
  wishY: Wish;
  colour: (star: Star) => string;
  hover: string;
  onHover: (run: string) => void;
}) {
  let box!: HTMLDivElement;
  const width = widthOf(() => box, 640);
  const [said, say] = createSignal("");
  const px = (own: number) => pad.left + (0.03 + 0.94 * props.x.at(own)) * (width() - pad.left - pad.right);
  const py = (own: number) => pad.top + (0.96 - 0.92 * props.y.at(own)) * (HEIGHT - pad.top - pad.bottom);
  const points = createMemo(() => pointsOf(props.stars, props.x, props.y));
  const front = createMemo(() => frontOf(points().filter(({ star }) => !props.dimmed(star)), props.wishX, props.wishY));
  const onFront = createMemo(() => new Set(front().map(({ star }) => star.run.run_id)));
  const path = () => {
    const f = front();
    return f.map((p, i) => (i === 0 ? `M${px(p.x)} ${py(p.y)}` : props.wishX < 0 ? `H${px(p.x)}V${py(p.y)}` : `V${py(p.y)}H${px(p.x)}`)).join("");
  };
  const open = (id: string) => go(`/runs/${encodeURIComponent(id)}`);
  const part = (star: Star, scale: Scale) => `${label(scale.key)} ${scale.text(valueOf(star, scale.key))}`;
  const tell = ({ star }: Point) =>
    `${runTime(star.run.run_id)}: ${part(star, props.x)}, ${part(star, props.y)}${onFront().has(star.run.run_id) ? ", on the front" : ""}`;
  const hovered = () => points().find((p) => p.star.run.run_id === props.hover);

  function pressed(event: KeyboardEvent): void {
    const order = [...points()].sort((a, b) => a.x - b.x || a.y - b.y);
    const here = order.findIndex((p) => p.star.run.run_id === props.hover);
    const moves: Record<string, number> = { ArrowRight: here + 1, ArrowUp: here + 1, ArrowLeft: here - 1, ArrowDown: here - 1, Home: 0, End: order.length - 1 };
    if (event.key === "Enter" && here >= 0) return open(order[here]!.star.run.run_id);
    const to = moves[event.key];
    if (to === undefined || !order.length) return;
    event.preventDefault();
    const next = order[Math.max(0, Math.min(order.length - 1, to))]!;
    props.onHover(next.star.run.run_id);
    say(tell(next));
  }

  return (
    <div
      ref={box}
      class="sky"
      tabindex="0"
      role="group"
      aria-roledescription="chart"
      aria-label={
        `${label(props.y.key)} against ${label(props.x.key)}, ${counted(points().length, "run")}. ` +
        "Arrow keys go from run to run, Enter opens one; the table below has the numbers."
      }
      onKeyDown={pressed}
    >
      <svg width={width()} height={HEIGHT} viewBox={`0 0 ${width()} ${HEIGHT}`} aria-hidden="true">
        <Grid x={props.x} y={props.y} px={px} py={py} width={width()} />
        <Show when={front().length > 0}>
          <path class="front" d={path()} />
        </Show>
        <For each={points()}>
          {(point) => (
            <circle
              class="star"
              classList={{ dim: props.dimmed(point.star), best: onFront().has(point.star.run.run_id), hover: props.hover === point.star.run.run_id }}
              cx={px(point.x)}
              cy={py(point.y)}
              r={props.hover === point.star.run.run_id ? 8 : 6}
              style={{ fill: props.colour(point.star) }}
              onPointerEnter={() => props.onHover(point.star.run.run_id)}
              onPointerLeave={() => props.onHover("")}
              onClick={() => open(point.star.run.run_id)}
            />
          )}
        </For>
      </svg>
      <Show when={hovered()}>{(point) => <TipBox star={point().star} left={px(point().x)} top={py(point().y)} x={props.x} y={props.y} right={px(point().x) > width() / 2} />}</Show>
      <p class="sr-only" aria-live="polite">
        {said()}
      </p>
    </div>
  );
}

interface GridProps {
  x: Scale;
  y: Scale;
  px: (own: number) => number;
  py: (own: number) => number;
  width: number;
}

/** Ticks with their lines, and the names of both axes. */
function Grid(props: GridProps) {
  return (
    <>
      <For each={props.x.ticks(Math.max(2, Math.floor(props.width / 110)))}>
        {(tick) => (
          <>
            <line class="grid" x1={props.px(tick.own)} x2={props.px(tick.own)} y1={pad.top} y2={HEIGHT - pad.bottom} />
            <text class="tick" x={props.px(tick.own)} y={HEIGHT - pad.bottom + 16} text-anchor="middle">
              {tick.text}
            </text>
          </>
        )}
      </For>
      <For each={props.y.ticks(7)}>
        {(tick) => (
          <>
            <line class="grid" x1={pad.left} x2={props.width - pad.right} y1={props.py(tick.own)} y2={props.py(tick.own)} />
            <text class="tick" x={pad.left - 8} y={props.py(tick.own) + 4} text-anchor="end">
              {tick.text}
            </text>
          </>
        )}
      </For>
      <text class="axis-name" x={(pad.left + props.width - pad.right) / 2} y={HEIGHT - 8} text-anchor="middle">
        {label(props.x.key)}
      </text>
      <text class="axis-name" transform={`translate(14 ${(HEIGHT - pad.bottom) / 2}) rotate(-90)`} text-anchor="middle">
        {label(props.y.key)}
      </text>
    </>
  );
}

function TipBox(props: { star: Star; left: number; top: number; right: boolean; x: Scale; y: Scale }) {
  return (
    <div class="sky-tip" classList={{ "to-left": props.right }} style={{ left: `${props.left}px`, top: `${props.top}px` }} aria-hidden="true">
      <b>{runTime(props.star.run.run_id)}</b>
      <span>
        {label(props.y.key)} <b>{props.y.text(valueOf(props.star, props.y.key))}</b>
      </span>
      <span>
        {label(props.x.key)} <b>{props.x.text(valueOf(props.star, props.x.key))}</b>
      </span>
    </div>
  );
}
