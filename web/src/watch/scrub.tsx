// The timeline: a range input over a strip that shows the return so far and a mark per event.
import { createEffect, createSignal, onCleanup, onMount, Show } from "solid-js";
import { number } from "../lib/format";
import { theme } from "../lib/theme";
import type { Tone } from "../view";
import type { Player } from "./player";
import type { Track } from "./track";

interface ScrubProps {
  track: Track;
  player: Player;
  tones: Record<string, Tone>;
  words: (event: string) => string;
}

/** Colours of the page's style sheet, resolved for the canvas. */
function ink(element: HTMLElement, name: string): string {
  const probe = document.createElement("i");
  probe.hidden = true;
  probe.style.color = `var(${name})`;
  element.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

const rank: Record<string, number> = { good: 1, warn: 2, bad: 3 };

export function Scrub(props: ScrubProps) {
  let canvas!: HTMLCanvasElement;
  let strip!: HTMLDivElement;
  const [width, setWidth] = createSignal(0);
  const [hover, setHover] = createSignal<{ x: number; frame: number } | null>(null);

  onMount(() => {
    const sizes = new ResizeObserver(() => setWidth(strip.clientWidth));
    sizes.observe(strip);
    onCleanup(() => sizes.disconnect());
  });

  const worst = (events: string[]): Tone | "plain" =>
    events.map((event) => props.tones[event] ?? "plain").reduce((a, b) => ((rank[b] ?? 0) > (rank[a] ?? 0) ? b : a), "plain");

  createEffect(() => {
    theme();
    const [wide, high, known, last] = [width(), 44, props.track.known(), Math.max(1, props.track.last)];
    if (wide < 10) return;
    const scale = Math.min(3, devicePixelRatio || 1);
    canvas.width = Math.round(wide * scale);
    canvas.height = Math.round(high * scale);
    const pen = canvas.getContext("2d");
    if (!pen) return;
    pen.scale(scale, scale);
    const inks = { plain: ink(strip, "--line-strong"), good: ink(strip, "--good"), warn: ink(strip, "--warn"), bad: ink(strip, "--bad") };
    const x = (frame: number) => (frame / last) * wide;
    const step = Math.max(1, Math.floor(last / wide / 2));
    let [low, top] = [0, 0];
    for (let frame = 0; frame <= known; frame += step) {
      low = Math.min(low, props.track.total(frame));
      top = Math.max(top, props.track.total(frame));
    }
    // the return so far, as an area over its lowest value
    const y = (total: number) => 30 - ((total - low) / Math.max(1e-9, top - low)) * 27;
    pen.beginPath();
    pen.moveTo(0, 32);
    for (let frame = 0; frame <= known; frame += step) pen.lineTo(x(frame), y(props.track.total(frame)));
    pen.lineTo(x(known), 32);
    pen.closePath();
    pen.fillStyle = ink(strip, "--accent-soft");
    pen.fill();
    pen.beginPath();
    for (let frame = 0; frame <= known; frame += step) pen.lineTo(x(frame), y(props.track.total(frame)));
    pen.strokeStyle = ink(strip, "--accent");
    pen.lineWidth = 1.5;
    pen.stroke();
    for (const mark of props.track.marks()) {
      const tone = worst(mark.events);
      pen.fillStyle = inks[tone];
      const tall = tone === "plain" ? 5 : 8;
      pen.fillRect(Math.round(x(mark.frame)) - 0.75, 43 - tall, 1.75, tall);
    }
  });

  const frameAt = (event: PointerEvent) => {
    const box = strip.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
    setHover({ x: share * box.width, frame: Math.round(share * props.track.last) });
  };
  const eventsAt = (frame: number) => {
    const near = Math.max(0, (props.track.last / Math.max(1, width())) * 3);
    return props.track.marks().filter((mark) => Math.abs(mark.frame - frame) <= near).slice(0, 3);
  };

  return (
    <div class="scrub" ref={strip} onPointerMove={frameAt} onPointerLeave={() => setHover(null)}>
      <canvas ref={canvas} aria-hidden="true" />
      <div class="scrub-done" aria-hidden="true" ref={(done) => createEffect(() => (done.style.width = `${(100 * props.player.index()) / Math.max(1, props.track.last)}%`))} />
      <input
        type="range"
        min="0"
        max={props.track.last}
        step="1"
        value={props.player.index()}
        aria-label="Frame"
        aria-valuetext={`frame ${props.player.index()} of ${props.track.last}`}
        onInput={(event) => props.player.seek(Number(event.currentTarget.value))}
      />
      <Show when={hover()}>
        {(at) => (
          <div class="scrub-tip" aria-hidden="true" ref={(tip) => createEffect(() => (tip.style.left = `${Math.max(70, Math.min(width() - 70, at().x))}px`))}>
            <b>frame {at().frame}</b> · return {number(props.track.total(Math.min(at().frame, props.track.known())))}
            {eventsAt(at().frame).map((mark) => (
              <span>{mark.events.map(props.words).join(", ")}</span>
            ))}
          </div>
        )}
      </Show>
    </div>
  );
}
