// Runs as lines over several quantities side by side. A drag along an axis keeps the runs that pass
// through the stretch; the limits can be written too.
import { createSignal, For, Show } from "solid-js";
import { go } from "../lib/router";
import { widthOf } from "../lib/ui";
import { label, valueOf, type Brush, type Scale, type Star } from "./quantities";

const HEIGHT = 360;
const pad = { left: 104, right: 48, top: 40, bottom: 14 };
const LEAST_GAP = 84;

const shortLabel = (key: string) => label(key).replace(/^(train|dqn|net|run|eval|reward)\./, "");

export function Parallel(props: {
  stars: Star[];
  scales: Scale[];
  dimmed: (star: Star) => boolean;
  colour: (star: Star) => string;
  brushes: Record<string, Brush>;
  onBrush: (key: string, brush: Brush | null) => void;
  hover: string;
  onHover: (run: string) => void;
}) {
  let box!: HTMLDivElement;
  const space = widthOf(() => box, 640);
  const width = () => Math.max(space(), pad.left + pad.right + LEAST_GAP * (props.scales.length - 1));
  const ax = (i: number) => (props.scales.length < 2 ? width() / 2 : pad.left + (i * (width() - pad.left - pad.right)) / (props.scales.length - 1));
  const ay = (scale: Scale, own: number) => pad.top + (1 - scale.at(own)) * (HEIGHT - pad.top - pad.bottom);

  /** A line with gaps where a run lacks a quantity. */
  const path = (star: Star) => {
    let pen = "M";
    return props.scales
      .map((scale, i) => {
        const own = scale.own(valueOf(star, scale.key));
        if (own === null) {
          pen = "M";
          return "";
        }
        const part = `${pen}${ax(i)} ${ay(scale, own)}`;
        pen = "L";
        return part;
      })
      .join("");
  };
  // what stands out is drawn last
  const rank = (star: Star) => (star.run.run_id === props.hover ? 2 : props.dimmed(star) ? 0 : 1);
  const order = () => props.stars.toSorted((a, b) => rank(a) - rank(b));
  const named = () => props.scales.map((scale) => label(scale.key)).join(", ");

  return (
    <>
      <div ref={box} class="parallel" tabindex="0" role="region" aria-label={`Runs over ${named()}. The limits below can be written; the table has the numbers.`}>
        <svg width={width()} height={HEIGHT} viewBox={`0 0 ${width()} ${HEIGHT}`} aria-hidden="true">
          <For each={order()}>
            {(star) => (
              <path
                class="thread"
                classList={{ dim: props.dimmed(star), hover: props.hover === star.run.run_id }}
                d={path(star)}
                style={{ stroke: props.colour(star) }}
                onPointerEnter={() => props.onHover(star.run.run_id)}
                onPointerLeave={() => props.onHover("")}
                onClick={() => go(`/runs/${encodeURIComponent(star.run.run_id)}`)}
              />
            )}
          </For>
          <For each={props.scales}>
            {(scale, i) => (
              <AxisLine
                scale={scale}
                x={ax(i())}
                y={(own) => ay(scale, own)}
                brush={props.brushes[scale.key] ?? null}
                onBrush={(brush) => props.onBrush(scale.key, brush)}
              />
            )}
          </For>
        </svg>
      </div>
      <Limits scales={props.scales} brushes={props.brushes} onBrush={props.onBrush} />
    </>
  );
}

function AxisLine(props: { scale: Scale; x: number; y: (own: number) => number; brush: Brush | null; onBrush: (brush: Brush | null) => void }) {
  const [drag, setDrag] = createSignal<[number, number] | null>(null);
  const [top, bottom] = [pad.top, HEIGHT - pad.bottom];
  const at = (event: PointerEvent) => {
    const frame = (event.currentTarget as SVGElement).ownerSVGElement!.getBoundingClientRect();
    return Math.max(top, Math.min(bottom, event.clientY - frame.top));
  };
  const back = (y: number) => props.scale.back(1 - (y - top) / (bottom - top));
  const end = () => {
    const now = drag();
    setDrag(null);
    if (!now) return;
    const [low, high] = [Math.max(now[0], now[1]), Math.min(now[0], now[1])];
    if (low - high < 4) return props.onBrush(null);
    // words count as hit within half a place
    const room = props.scale.kind === "words" ? 0.25 : 0;
    props.onBrush([back(low) - room, back(high) + room]);
  };
  const box = () => {
    const now = drag();
    if (now) return { y: Math.min(...now), height: Math.abs(now[1] - now[0]) };
    if (!props.brush) return null;
    const clamp = (own: number) => Math.max(top, Math.min(bottom, props.y(own)));
    const [y1, y2] = [clamp(props.brush[1]), clamp(props.brush[0])];
    return { y: y1, height: Math.max(2, y2 - y1) };
  };
  return (
    <g>
      <text class="axis-name" x={props.x} y={18} text-anchor="middle">
        <title>{label(props.scale.key)}</title>
        {cut(shortLabel(props.scale.key))}
      </text>
      <line class="axis-line" x1={props.x} x2={props.x} y1={top} y2={bottom} />
      <For each={props.scale.ticks(6)}>
        {(tick) => (
          <>
            <line class="axis-line" x1={props.x - 4} x2={props.x} y1={props.y(tick.own)} y2={props.y(tick.own)} />
            <text class="tick halo" x={props.x - 7} y={props.y(tick.own) + 4} text-anchor="end">
              {cut(tick.text)}
            </text>
          </>
        )}
      </For>
      <Show when={box()}>{(now) => <rect class="brush" x={props.x - 9} width="18" y={now().y} height={now().height} rx="3" />}</Show>
      <rect
        class="brush-room"
        x={props.x - 16}
        width="32"
        y={top - 6}
        height={bottom - top + 12}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDrag([at(event), at(event)]);
        }}
        onPointerMove={(event) => drag() && setDrag([drag()![0], at(event)])}
        onPointerUp={end}
        onPointerCancel={() => setDrag(null)}
      />
    </g>
  );
}

const cut = (text: string) => (text.length > 15 ? `${text.slice(0, 14)}…` : text);

/** The same limits as fields, for keys and for exact numbers. */
function Limits(props: { scales: Scale[]; brushes: Record<string, Brush>; onBrush: (key: string, brush: Brush | null) => void }) {
  const change = (scale: Scale, side: 0 | 1, text: string) => {
    const next: Brush = [...(props.brushes[scale.key] ?? [scale.low, scale.high])];
    const value = text === "" ? [scale.low, scale.high][side]! : Number(text);
    if (!Number.isFinite(value)) return;
    next[side] = value;
    props.onBrush(scale.key, next[0] <= scale.low && next[1] >= scale.high ? null : next);
  };
  const field = (scale: Scale, side: 0 | 1) => {
    const value = () => props.brushes[scale.key]?.[side];
    const name = `${label(scale.key)}, ${side === 0 ? "from" : "to"}`;
    return (
      <Show
        when={scale.kind === "words"}
        fallback={
          <input
            type="number"
            step="any"
            aria-label={name}
            placeholder={side === 0 ? "from" : "to"}
            value={value() === undefined ? "" : Number(value()!.toPrecision(5))}
            onChange={(event) => change(scale, side, event.currentTarget.value)}
          />
        }
      >
        <select aria-label={name} onChange={(event) => change(scale, side, event.currentTarget.value)}>
          <For each={scale.names}>
            {(word, i) => (
              <option value={i()} selected={i() === (side === 0 ? Math.ceil(value() ?? 0) : Math.floor(value() ?? scale.names.length - 1))}>
                {word}
              </option>
            )}
          </For>
        </select>
      </Show>
    );
  };
  return (
    <details class="twin">
      <summary>Limits as numbers</summary>
      <div class="limits">
        <For each={props.scales}>
          {(scale) => (
            <fieldset>
              <legend>{label(scale.key)}</legend>
              {field(scale, 0)}
              {field(scale, 1)}
            </fieldset>
          )}
        </For>
      </div>
    </details>
  );
}
