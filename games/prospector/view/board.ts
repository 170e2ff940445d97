// The picture of prospector on one canvas: where each panel lies at which width, gauges on their way
// to new values, effects, the pointer.
import type { Frame, Theme, ViewHost, ViewInstance } from "ludus/view";
import { round, Stage, text } from "ludus/canvas";
import { loadPack } from "ludus/pack";
import { manifest } from "./effects";
import { Memory } from "./memory";
import { drawCards } from "./cards";
import { drawEvent, drawLog } from "./events";
import { dials, drawGauges, drawStrip, drawSupplies, drawThreat, valueOf } from "./gauges";
import { drawMap } from "./map";
import { drawMarket } from "./market";
import { paintOf, type Rect } from "./pen";
import { clamp, first, goodOf, levelNames, sum, threatLevel, whole, type State } from "./rules";
import { drawEnd, drawScene, drawTitles, layoutOf } from "./scene";
import { visuals } from "./scene_effects";
import type { GaugeKey, Hit, Sheet } from "./sheet";

type Part = "scene" | "event" | "cards" | "map" | "market" | "gauges" | "threat" | "supplies" | "log" | "strip";
type Plan = Partial<Record<Part, Rect>> & { scene: Rect; height: number; columns: number };

const gap = 8;

/** Three columns from 960 pixels on, two from 620 on, else everything below each other. */
export function planOf(width: number): Plan {
  if (width >= 960) return widePlan(width);
  return width >= 620 ? middlePlan(width) : narrowPlan(width);
}

function widePlan(width: number): Plan {
  const height = clamp(width * 0.545, 620, 900);
  const left = clamp(width * 0.19, 206, 290);
  const right = clamp(width * 0.26, 290, 400);
  const x = left + gap;
  const w = width - left - right - 2 * gap;
  const cards = clamp(height * 0.415, 274, 360);
  const event = w > 520 ? 62 : 76;
  const scene = height - cards - event - 2 * gap;
  const map = clamp(height * 0.53, 330, 480);
  const gauges = 238;
  const threat = 122;
  const supplies = 52;
  const log = gauges + threat + supplies + 3 * gap;
  return {
    height,
    columns: 0,
    gauges: { x: 0, y: 0, w: left, h: gauges },
    threat: { x: 0, y: gauges + gap, w: left, h: threat },
    supplies: { x: 0, y: gauges + threat + 2 * gap, w: left, h: supplies },
    log: { x: 0, y: log, w: left, h: height - log },
    scene: { x, y: 0, w, h: scene },
    event: { x, y: scene + gap, w, h: event },
    cards: { x, y: scene + event + 2 * gap, w, h: cards },
    map: { x: x + w + gap, y: 0, w: right, h: map },
    market: { x: x + w + gap, y: map + gap, w: right, h: height - map - gap },
  };
}

function middlePlan(width: number): Plan {
  const right = clamp(width * 0.4, 268, 340);
  const w = width - right - gap;
  const strip = 92;
  const top = 312;
  const event = 62;
  const cards = 346;
  const y = strip + gap;
  const below = y + top + event + 2 * gap;
  const market = cards + 58;
  return {
    height: below + market,
    columns: 6,
    strip: { x: 0, y: 0, w: width, h: strip },
    scene: { x: 0, y, w, h: top },
    map: { x: w + gap, y, w: right, h: top },
    event: { x: 0, y: y + top + gap, w: width, h: event },
    cards: { x: 0, y: below, w, h: market - 52 - gap },
    supplies: { x: 0, y: below + market - 52, w, h: 52 },
    market: { x: w + gap, y: below, w: right, h: market },
  };
}

function narrowPlan(width: number): Plan {
  const plan: Plan = { scene: { x: 0, y: 0, w: width, h: 0 }, height: 0, columns: width >= 340 ? 3 : 2 };
  const rows: [Part, number][] = [
    ["strip", plan.columns === 3 ? 128 : 168],
    ["scene", clamp(width * 0.68, 220, 330)],
    ["event", 74],
    ["cards", 350],
    ["map", 348],
    ["market", 292],
    ["supplies", 52],
  ];
  let y = 0;
  for (const [part, h] of rows) {
    plan[part] = { x: 0, y, w: width, h };
    y += h + gap;
  }
  plan.height = y - gap;
  return plan;
}

interface Running {
  visual: string;
  good: number;
  rock: number;
  from: number;
  ms: number;
}

const drawers: [Part, (sheet: Sheet, rect: Rect) => void][] = [
  ["gauges", drawGauges],
  ["threat", drawThreat],
  ["supplies", drawSupplies],
  ["log", drawLog],
  ["event", drawEvent],
  ["cards", drawCards],
  ["map", drawMap],
  ["market", drawMarket],
];

const ambient = 4000; // ms of idle motion after a frame that was played

/** Puts the board into the host's box. */
export function mount(host: ViewHost): ViewInstance {
  const memory = new Memory();
  let theme: Theme = host.theme;
  let frame: Frame | null = null;
  let before: State | null = null;
  let running: Running[] = [];
  let still: Running[] = [];
  let stale = true;
  let alive = 0; // until when the scene idles
  let tween = 0; // until when gauges move
  let last = 0;
  let hits: Hit[] = []; // of the panels
  let rockHits: Hit[] = [];
  let pointer: { x: number; y: number } | null = null;
  const shown: Record<GaugeKey, number> = { fuel: 0, hull: 0, heat: 0, tool: 0, cargo: 0, alert: 0 };

  const stage = new Stage(host, (width) => planOf(width).height, paint);
  const canvas = stage.canvas;

  function under(at: { x: number; y: number } | null): Hit | null {
    if (!at) return null;
    const inside = ({ rect }: Hit): boolean => at.x >= rect.x && at.x < rect.x + rect.w && at.y >= rect.y && at.y < rect.y + rect.h;
    return rockHits.find(inside) ?? hits.findLast(inside) ?? null;
  }

  function sheetOf(now: Frame): Sheet {
    const mask = host.choose && host.legal ? host.legal() : null;
    return {
      ctx: stage.ctx,
      paint: paintOf(theme),
      state: now.state as State,
      frame: now,
      memory,
      shown,
      hits,
      legal: mask ? (option) => mask[option] === 1 : null,
      hover: host.choose ? (under(pointer)?.option ?? -1) : -1,
    };
  }

  /** Draws what changed; true while something moves. */
  function paint(now: number): boolean {
    if (!frame) return false;
    const plan = planOf(stage.width);
    const moving = now < tween;
    if (moving) glide(now - last);
    else if (tween) {
      settle();
      stale = true;
      tween = 0;
    }
    last = now;
    running = running.filter((effect) => now < effect.from + effect.ms);
    if (stale || moving) paintPanels(plan, frame);
    paintScene(plan, frame, now);
    paintTip();
    stale = false;
    return moving || running.length > 0 || now < alive;
  }

  function paintPanels(plan: Plan, now: Frame): void {
    const sheet = sheetOf(now); // looks up the pointer among the last hits
    hits = [];
    sheet.hits = hits;
    stage.ctx.clearRect(0, 0, stage.width, stage.height);
    if (plan.strip) drawStrip(sheet, plan.strip, plan.columns);
    for (const [part, draw] of drawers) {
      const rect = plan[part];
      if (rect) draw(sheet, rect);
    }
  }

  function paintScene(plan: Plan, now: Frame, time: number): void {
    const { ctx } = stage;
    const state = now.state as State;
    const paints = paintOf(theme);
    const { scene } = plan;
    const layout = layoutOf(scene, state);
    ctx.save();
    round(ctx, scene.x, scene.y, scene.w, scene.h, 10);
    ctx.clip();
    const flying = running.some((effect) => effect.visual === "streak" || effect.visual === "burn");
    drawScene(ctx, layout, state, paints, theme, host.reduced ? 0 : time, flying ? 0.8 + 0.2 * Math.sin(time / 30) : 0.18);
    for (const effect of [...still, ...running]) {
      const visual = visuals[effect.visual];
      if (!visual) continue;
      const t = effect.ms ? clamp((time - effect.from) / effect.ms, 0, 1) : visual.still;
      ctx.save();
      visual.draw({ ctx, layout, state, before, paint: paints, good: effect.good, target: layout.rocks[effect.rock] ?? null, t });
      ctx.restore();
    }
    drawTitles(ctx, scene, state, paints);
    drawEnd(ctx, scene, state, paints);
    ctx.restore();
    rockHits = layout.rocks.map(({ x, y, r }, a) => ({
      rect: { x: x - r, y: y - r, w: 2 * r, h: 2 * r },
      option: (state.rocks[a]?.depletion ?? 1) < 1 ? first.select + a : -1,
      tip: [],
    }));
  }

  function paintTip(): void {
    const hit = under(pointer);
    if (!hit?.tip.length || !pointer) return;
    const { ctx } = stage;
    const paints = paintOf(theme);
    ctx.font = "12px system-ui, sans-serif";
    const w = Math.min(stage.width - 8, Math.max(...hit.tip.map((line) => ctx.measureText(line).width)) + 22);
    const h = 12 + 18 * hit.tip.length;
    const x = clamp(pointer.x + 14, 4, stage.width - w - 4);
    const y = pointer.y + 18 + h > stage.height ? pointer.y - h - 10 : pointer.y + 18;
    round(ctx, x, y, w, h, 7);
    ctx.fillStyle = paints.page;
    ctx.fill();
    ctx.strokeStyle = paints.accent;
    ctx.lineWidth = 1;
    ctx.stroke();
    hit.tip.forEach((line, k) => text(ctx, line, x + 10, y + 15 + 18 * k, { size: 12, weight: k ? 400 : 650, color: paints.ink, room: w - 18 }));
  }

  function settle(): void {
    if (!frame) return;
    for (const dial of dials) shown[dial.key] = valueOf(frame.state as State, dial.key);
  }

  function glide(ms: number): void {
    if (!frame) return;
    const share = 1 - Math.exp(-ms / 70);
    for (const dial of dials) shown[dial.key] += (valueOf(frame.state as State, dial.key) - shown[dial.key]) * share;
  }

  /** The effects of a step: its action's, then its events'. */
  function effectsOf(now: Frame): { visual: string; cue: string }[] {
    const own = now.state.invalid ? undefined : manifest.actions[now.actionName];
    return [...(own ? [own] : []), ...now.events.flatMap((event) => manifest.events[event] ?? [])];
  }

  function start(now: Frame, rock: number, animate: boolean, speed: number): void {
    const option = now.action?.[0] ?? -1;
    const clock = performance.now();
    still = [];
    for (const effect of effectsOf(now)) {
      // an effect may outlast its frame, but not pile up
      const ms = animate ? Math.min(visuals[effect.visual]?.ms ?? 0, Math.max(250, 2200 / speed)) : 0;
      const entry = { visual: effect.visual, good: goodOf(option), rock, from: clock, ms };
      if (animate) running = [...running.slice(-7), entry];
      else still.push(entry);
    }
  }

  function tell(now: Frame): void {
    const state = now.state as State;
    const place = state.node === 0 ? "home station" : `node ${state.node}, ${state.hops} hops from home`;
    stage.describe(
      `Asteroid Belt Prospector. At ${place}. Fuel ${whole(state.fuel)} of 1000, hull ${whole(state.hull)}, heat ${whole(state.heat)}, ` +
        `drill ${whole(state.tool)}, hold ${whole(sum(state.cargo))} of 200, threat ${levelNames[threatLevel(state)].toLowerCase()}, ` +
        `${whole(state.credits)} credits. ${now.story}`,
    );
  }

  const move = (event: PointerEvent): void => {
    const box = canvas.getBoundingClientRect();
    pointer = { x: event.clientX - box.left, y: event.clientY - box.top };
    canvas.style.cursor = host.choose && (under(pointer)?.option ?? -1) >= 0 ? "pointer" : "default";
    stale = true;
    stage.draw();
  };
  const leave = (): void => {
    pointer = null;
    stale = true;
    stage.draw();
  };
  const click = (event: PointerEvent): void => {
    move(event);
    const option = under(pointer)?.option ?? -1;
    if (option >= 0 && host.choose) host.choose([option]);
    if (event.pointerType === "touch") setTimeout(leave, 1500);
  };
  canvas.addEventListener("pointermove", move);
  canvas.addEventListener("pointerleave", leave);
  canvas.addEventListener("pointerup", click);
  void loadPack().then(() => stage.draw());

  return {
    learn: (frame) => memory.learn(frame),
    show(now, near) {
      const state = now.state as State;
      const animate = near.animate && !host.reduced;
      if (near.before) memory.learn(near.before);
      memory.learn(now);
      before = near.before ? (near.before.state as State) : null;
      const moved = !before || before.node !== state.node;
      if (moved) running = [];
      frame = now;
      start(now, state.selected, animate, near.speed);
      if (near.animate) for (const effect of effectsOf(now)) host.sound(effect.cue);
      if (animate) {
        tween = performance.now() + Math.min(350, 1000 / near.speed);
        alive = performance.now() + ambient;
      } else {
        settle();
        tween = 0;
        alive = 0;
        running = [];
      }
      stale = true;
      tell(now);
      stage.draw();
    },
    resize() {
      stale = true;
      stage.fit();
      stage.draw();
    },
    theme(next) {
      theme = next;
      stale = true;
      stage.draw();
    },
    destroy() {
      canvas.removeEventListener("pointermove", move);
      canvas.removeEventListener("pointerleave", leave);
      canvas.removeEventListener("pointerup", click);
      stage.destroy();
    },
  };
}
