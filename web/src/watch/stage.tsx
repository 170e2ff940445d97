// The large view: mounts the game's drawing once per game and hands it every frame.
import { createEffect, createSignal, on, onCleanup, onMount, Show, type Accessor } from "solid-js";
import { player as soundPlayer } from "../lib/sound";
import { fontsCame, reduced, theme } from "../lib/theme";
import { runTool } from "../lib/tools";
import type { Frame, GameView, ViewInstance } from "../view";

const learnMs = 7;
const learnMost = 3000;

interface StageProps {
  view: GameView;
  frame: Accessor<Frame>;
  playing: Accessor<boolean>;
  rate: Accessor<number>;
  label: string;
  /** an earlier frame, for views that keep what was seen */
  past?: (index: number) => Frame;
  onTap?: () => void;
  onSwipe?: (by: 1 | -1) => void;
}

export function Stage(props: StageProps) {
  let box!: HTMLDivElement;
  const [broken, setBroken] = createSignal("");
  let view: ViewInstance | undefined;
  let shown: Frame | null = null;

  const guard = (act: () => void) => {
    try {
      act();
    } catch (cause) {
      setBroken(cause instanceof Error ? cause.message : String(cause));
    }
  };

  // frames that were jumped over, a few at a time and the newest ones only
  let learned = -1;
  let course = "";
  let timer = 0;
  const catchUp = () => {
    const now = shown;
    if (!view?.learn || !props.past || !now) return;
    const until = performance.now() + learnMs;
    const first = learned;
    learned = Math.max(learned, now.index - learnMost);
    while (learned < now.index - 1 && performance.now() < until) view.learn(props.past(++learned));
    if (learned < now.index - 1) timer = window.setTimeout(() => guard(catchUp));
    else if (first < learned) view.show(now, { before: null, animate: false, speed: props.rate() });
  };
  const note = (frame: Frame) => {
    clearTimeout(timer);
    if (frame.seed !== course) [course, learned] = [frame.seed, -1];
    if (frame.index <= learned + 1) learned = Math.max(learned, frame.index);
    else timer = window.setTimeout(() => guard(catchUp), 60);
  };

  onMount(() => {
    guard(() => {
      view = props.view.mount({ element: box, reduced: reduced(), theme: theme(), sound: soundPlayer(props.view.effects), tool: (call, told) => runTool(props.view.game, call, told) });
    });
    const sizes = new ResizeObserver(() => guard(() => view?.resize()));
    sizes.observe(box);
    createEffect(() => {
      const frame = props.frame();
      const before = shown && shown.index === frame.index - 1 && shown.seed === frame.seed ? shown : null;
      shown = frame;
      guard(() => view?.show(frame, { before, animate: before !== null && !reduced() && props.rate() <= 30, speed: props.rate() }));
      note(frame);
    });
    createEffect(on([theme, fontsCame], ([now]) => guard(() => view?.theme(now)), { defer: true }));
    onCleanup(() => {
      sizes.disconnect();
      clearTimeout(timer);
      guard(() => view?.destroy());
    });
  });

  // a tap plays or pauses, a swipe steps; longer presses and drags belong to the view
  let from: { x: number; y: number; at: number } | null = null;
  const down = (event: PointerEvent) => (from = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY, at: event.timeStamp } : null);
  const up = (event: PointerEvent) => {
    if (!from || (event.target as Element).closest("button, a, input, select")) return;
    const [x, y, ms] = [event.clientX - from.x, event.clientY - from.y, event.timeStamp - from.at];
    from = null;
    if (event.pointerType !== "mouse" && Math.abs(x) > 40 && Math.abs(x) > 2 * Math.abs(y)) props.onSwipe?.(x < 0 ? 1 : -1);
    else if (Math.hypot(x, y) < 8 && ms < 350) props.onTap?.();
  };

  return (
    <div class="stage" onPointerDown={down} onPointerUp={up}>
      <div class="stage-box" ref={box} role="group" aria-label={props.label} />
      <Show when={broken()}>
        <p class="stage-broken" role="alert">
          The picture cannot be drawn: {broken()}
        </p>
      </Show>
    </div>
  );
}
