// The picture of potion on one canvas: where each panel lies at which width, motion, the pointer.
import type { Effect, Frame, ViewHost, ViewInstance } from "ludus/view";
import { Stage } from "ludus/canvas";
import { narrow, Tabs } from "ludus/tabs";
import { manifest } from "./effects";
import { drawRatio, drawShelf, drawSlots, drawVerdict } from "./panels";
import { clamp, paintOf, percent, type Hit, type Rect, type Sheet } from "./pen";
import { fullnessOf, sharesOf, wantedOf, type State } from "./rules";
import { drawScene } from "./scene";
import { gradeName, magimins } from "./tables";

interface Plan {
  height: number;
  scene: Rect;
  ratio: Rect;
  verdict: Rect;
  slots: Rect;
  shelf: Rect;
}

const gap = 8;
const moveMs = 900;
const ambientMs = 2200; // bubbles and fire after a step

const tabNames = ["Cauldron", "Mix", "Slots", "Shelf"];

/** Cauldron beside its figures, slots and shelf below; on a phone what the chosen tab shows. */
export function planOf(width: number, tab: number): Plan {
  if (width < narrow) {
    const heights = [clamp(width * 0.82, 290, 400), 178 + gap + 204, 298, 286];
    const part = (of: number, y: number, h: number): Rect => ({ x: 0, y, w: width, h: of === tab ? h : 0 });
    return {
      height: heights[tab]!,
      scene: part(0, 0, heights[0]!),
      ratio: part(1, 0, 178),
      verdict: part(1, 178 + gap, 204),
      slots: part(2, 0, heights[2]!),
      shelf: part(3, 0, heights[3]!),
    };
  }
  const right = clamp(width * 0.4, 290, 520);
  const left = width - right - gap;
  const top = clamp(width * 0.36, 404, 520);
  const ratio = top - gap - 208;
  const below = 278;
  const slots = clamp(width * 0.4, 270, 480);
  return {
    height: top + gap + below,
    scene: { x: 0, y: 0, w: left, h: top },
    ratio: { x: left + gap, y: 0, w: right, h: ratio },
    verdict: { x: left + gap, y: ratio + gap, w: right, h: 208 },
    slots: { x: 0, y: top + gap, w: slots, h: below },
    shelf: { x: slots + gap, y: top + gap, w: width - slots - gap, h: below },
  };
}

function wordsOf(frame: Frame): string {
  const state = frame.state as State;
  const wanted = wantedOf(state);
  const shares = sharesOf(state);
  const mix = magimins.flatMap(({ letter, name }, k) => (wanted[k] || shares[k] ? [`${letter} ${name} ${percent(shares[k]!, 0)} of ${percent(wanted[k]!, 0)}`] : []));
  const out = state.brewed > 0 ? `${state.brewed} potions of ${gradeName(state.expected_grade)} at ${state.price} gold` : "no potion";
  return `${state.recipe_title} in ${state.cauldron_title}: ${state.added.length} of ${state.max_items} slots, ${percent(fullnessOf(state), 0)} full, ${mix.join(", ")}; ${state.stability}, ${out}. ${frame.story}`;
}

const effectsOf = (frame: Frame): Effect[] =>
  [manifest.actions[frame.actionName], ...frame.events.map((event) => manifest.events[event])].filter((effect) => effect !== undefined);

export function mount(host: ViewHost): ViewInstance {
  let theme = host.theme;
  let frame: Frame | null = null;
  let before: Frame | null = null;
  let begun = 0;
  let ms = 0; // 0: the picture stands
  let hits: Hit[] = [];
  let hover = -1;

  const tabs = new Tabs(host.element, tabNames, () => (stage.refit(), stage.draw()));
  const stage: Stage = new Stage(host, (width) => planOf(width, tabs.chosen).height, (now) => {
    if (!frame) return false;
    const { ctx, width, height } = stage;
    const plan = planOf(width, tabs.chosen);
    const age = Math.max(0, now - begun);
    hits = [];
    const sheet: Sheet = {
      ctx,
      paint: paintOf(theme),
      frame,
      state: frame.state as State,
      before: before ? (before.state as State) : null,
      t: ms ? Math.min(1, age / ms) : 1,
      clock: ms ? age / 1000 : 0,
      hits,
      legal: host.choose && host.legal ? (option) => host.legal!()[option] === 1 : null,
      hover,
    };
    ctx.clearRect(0, 0, width, height);
    for (const [draw, rect] of [[drawScene, plan.scene], [drawRatio, plan.ratio], [drawVerdict, plan.verdict], [drawSlots, plan.slots], [drawShelf, plan.shelf]] as const) {
      if (rect.h) draw(sheet, rect);
    }
    if (ms && age >= Math.max(ms, ambientMs)) ms = 0;
    return ms > 0;
  });
  const { canvas } = stage;
  tabs.fit(stage.width);

  const under = (event: PointerEvent): number => {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    return hits.find(({ rect }) => x >= rect.x && x < rect.x + rect.w && y >= rect.y && y < rect.y + rect.h)?.option ?? -1;
  };
  const point = (option: number): void => {
    if (option === hover) return;
    hover = option;
    canvas.style.cursor = option >= 0 ? "pointer" : "default";
    stage.draw();
  };
  const move = (event: PointerEvent): void => point(under(event));
  const leave = (): void => point(-1);
  const click = (event: PointerEvent): void => {
    const option = under(event);
    if (option >= 0) host.choose?.([option]);
    if (event.pointerType === "touch") leave();
  };
  canvas.addEventListener("pointermove", move);
  canvas.addEventListener("pointerleave", leave);
  canvas.addEventListener("pointerup", click);

  return {
    show(now, near) {
      frame = now;
      before = near.before;
      ms = near.animate && !host.reduced && before ? Math.min(moveMs, 1000 / near.speed) : 0;
      begun = performance.now();
      if (now.over) tabs.choose(0); // the end is told there
      if (near.animate) for (const effect of effectsOf(now)) host.sound(effect.cue);
      stage.describe(wordsOf(now));
      stage.draw();
    },
    resize() {
      stage.fit();
      tabs.fit(stage.width);
    },
    theme(next) {
      theme = next;
      stage.draw();
    },
    destroy() {
      canvas.removeEventListener("pointermove", move);
      canvas.removeEventListener("pointerleave", leave);
      canvas.removeEventListener("pointerup", click);
      stage.destroy();
      tabs.remove();
    },
  };
}
