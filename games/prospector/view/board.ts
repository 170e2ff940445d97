// The picture of prospector on one canvas: where each panel lies at which width, gauges on their way
// to new values, effects, the pointer.
import type { BoardKey, Frame, Theme, ViewHost, ViewInstance } from "ludus/view";
import { fontOf, round, Stage, text } from "ludus/canvas";
import { loadPack } from "ludus/pack";
import { narrow, Tabs } from "ludus/tabs";
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
import { aimAt } from "./words";

type Part = "scene" | "event" | "cards" | "map" | "market" | "gauges" | "threat" | "supplies" | "log" | "strip";
type Plan = Partial<Record<Part, Rect>> & { scene: Rect; height: number; columns: number };

const gap = 8;

/** Three columns from 960 pixels on, two from 620 on, else what the chosen tab shows. */
export function planOf(width: number, tab: number): Plan {
  if (width >= 960) return widePlan(width);
  return width >= narrow ? middlePlan(width) : narrowPlan(width, tab);
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

function narrowPlan(width: number, tab: number): Plan {
  const plan: Plan = { scene: { x: 0, y: 0, w: width, h: 0 }, height: 0, columns: width >= 340 ? 3 : 2 };
  const strip: [Part, number] = ["strip", plan.columns === 3 ? 128 : 168];
  const rows: [Part, number][][] = [
    [["scene", clamp(width * 0.68, 220, 330)], strip, ["event", 74]],
    [strip, ["cards", 350]],
    [strip, ["map", 348]],
    [strip, ["market", 292], ["supplies", 52]],
  ];
  let y = 0;
  for (const [part, h] of rows[tab]!) {
    plan[part] = { x: 0, y, w: width, h };
    y += h + gap;
  }
  plan.height = y - gap;
  return plan;
}

interface Running {
  visual: string;
  good: number;
  /** what the step brought or cost */
  credits: number;
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

/** The board in the host's box. */
class Board implements ViewInstance {
  private readonly memory = new Memory();
  private readonly tabs: Tabs;
  private readonly stage: Stage;
  private readonly shown: Record<GaugeKey, number> = { fuel: 0, hull: 0, heat: 0, tool: 0, cargo: 0, alert: 0 };
  private tone: Theme;
  private frame: Frame | null = null;
  private before: State | null = null;
  private running: Running[] = [];
  private still: Running[] = [];
  private stale = true;
  private alive = 0; // until when the scene idles
  private tween = 0; // until when gauges move
  private last = 0;
  private hits: Hit[] = []; // of the panels
  private rockHits: Hit[] = [];
  private pointer: { x: number; y: number } | null = null;
  readonly keys: BoardKey[] = [
    { key: "[", label: "aim at the previous rock", act: () => this.aim(-1) },
    { key: "]", label: "aim at the next rock", act: () => this.aim(1) },
  ];

  constructor(private readonly host: ViewHost) {
    this.tone = host.theme;
    this.tabs = new Tabs(host.element, ["Scene", "Rocks", "Map", "Market"], () => (this.stage.refit(), this.redraw()));
    this.stage = new Stage(host, (width) => planOf(width, this.tabs.chosen).height, (now) => this.paint(now));
    const { canvas } = this.stage;
    canvas.addEventListener("pointermove", this.move);
    canvas.addEventListener("pointerleave", this.leave);
    canvas.addEventListener("pointerup", this.click);
    void loadPack().then(() => this.stage.draw());
    this.resize();
  }

  learn(frame: Frame): void {
    this.memory.learn(frame);
  }

  show(now: Frame, near: { before: Frame | null; animate: boolean; speed: number }): void {
    const state = now.state as State;
    const animate = near.animate && !this.host.reduced;
    if (near.before) this.memory.learn(near.before);
    this.memory.learn(now);
    this.before = near.before ? (near.before.state as State) : null;
    const moved = !this.before || this.before.node !== state.node;
    if (moved) this.running = [];
    this.frame = now;
    if (now.over) this.tabs.choose(0); // the end is told there
    this.start(now, state.selected, animate, near.speed);
    if (near.animate) for (const effect of effectsOf(now)) this.host.sound(effect.cue);
    if (animate) {
      this.tween = performance.now() + Math.min(350, 1000 / near.speed);
      this.alive = performance.now() + ambient;
    } else {
      this.settle();
      this.tween = 0;
      this.alive = 0;
      this.running = [];
    }
    this.stage.describe(wordsOf(now));
    this.redraw();
  }

  resize(): void {
    this.stage.fit();
    this.tabs.fit(this.stage.width);
    this.redraw();
  }

  theme(next: Theme): void {
    this.tone = next;
    this.redraw();
  }

  destroy(): void {
    const { canvas } = this.stage;
    canvas.removeEventListener("pointermove", this.move);
    canvas.removeEventListener("pointerleave", this.leave);
    canvas.removeEventListener("pointerup", this.click);
    this.stage.destroy();
    this.tabs.remove();
  }

  /** Aims at the next rock that can be aimed at, in either direction. */
  private aim(by: 1 | -1): void {
    const state = this.frame?.state as State | undefined;
    const count = state?.rocks.length ?? 0;
    for (let k = 1; k <= count; k++) {
      const rock = ((state!.selected < 0 && by < 0 ? 0 : state!.selected) + by * k + count * k) % count;
      if (this.host.legal?.()[aimAt(rock)]) return this.host.choose?.([aimAt(rock)]);
    }
  }

  // ---- the pointer ----

  private under(at: { x: number; y: number } | null): Hit | null {
    if (!at) return null;
    const inside = ({ rect }: Hit): boolean => at.x >= rect.x && at.x < rect.x + rect.w && at.y >= rect.y && at.y < rect.y + rect.h;
    return this.rockHits.find(inside) ?? this.hits.findLast(inside) ?? null;
  }

  private readonly move = (event: PointerEvent): void => {
    const { canvas } = this.stage;
    const box = canvas.getBoundingClientRect();
    this.pointer = { x: event.clientX - box.left, y: event.clientY - box.top };
    canvas.style.cursor = this.host.choose && (this.under(this.pointer)?.option ?? -1) >= 0 ? "pointer" : "default";
    this.redraw();
  };

  private readonly leave = (): void => {
    this.pointer = null;
    this.redraw();
  };

  private readonly click = (event: PointerEvent): void => {
    this.move(event);
    const option = this.under(this.pointer)?.option ?? -1;
    if (option >= 0 && this.host.choose) this.host.choose([option]);
    if (event.pointerType === "touch") setTimeout(this.leave, 1500);
  };

  // ---- the picture ----

  private redraw(): void {
    this.stale = true;
    this.stage.draw();
  }

  /** Draws what changed; true while something moves. */
  private paint(now: number): boolean {
    if (!this.frame) return false;
    const plan = planOf(this.stage.width, this.tabs.chosen);
    const moving = now < this.tween;
    if (moving) this.glide(now - this.last);
    else if (this.tween) {
      this.settle();
      this.stale = true;
      this.tween = 0;
    }
    this.last = now;
    this.running = this.running.filter((effect) => now < effect.from + effect.ms);
    if (this.stale || moving) this.paintPanels(plan, this.frame);
    this.paintScene(plan, this.frame, now);
    this.paintTip();
    this.stale = false;
    return moving || this.running.length > 0 || now < this.alive;
  }

  private sheetOf(now: Frame): Sheet {
    const { host, hits, memory, shown } = this;
    const mask = host.choose && host.legal ? host.legal() : null;
    return {
      ctx: this.stage.ctx,
      paint: paintOf(this.tone),
      state: now.state as State,
      frame: now,
      memory,
      shown,
      hits,
      legal: mask ? (option) => mask[option] === 1 : null,
      hover: host.choose ? (this.under(this.pointer)?.option ?? -1) : -1,
    };
  }

  private paintPanels(plan: Plan, now: Frame): void {
    const sheet = this.sheetOf(now); // looks up the pointer among the last hits
    this.hits = [];
    sheet.hits = this.hits;
    this.stage.ctx.clearRect(0, 0, this.stage.width, this.stage.height);
    if (plan.strip) drawStrip(sheet, plan.strip, plan.columns);
    for (const [part, draw] of drawers) {
      const rect = plan[part];
      if (rect) draw(sheet, rect);
    }
  }

  private paintScene(plan: Plan, now: Frame, time: number): void {
    const { ctx } = this.stage;
    const state = now.state as State;
    const paints = paintOf(this.tone);
    const { scene } = plan;
    if (!scene.h) return void (this.rockHits = []);
    const layout = layoutOf(scene, state);
    ctx.save();
    round(ctx, scene.x, scene.y, scene.w, scene.h, 10);
    ctx.clip();
    const flying = this.running.some((effect) => effect.visual === "streak" || effect.visual === "burn");
    drawScene(ctx, layout, state, paints, this.tone, this.host.reduced ? 0 : time, flying ? 0.8 + 0.2 * Math.sin(time / 30) : 0.18);
    for (const effect of [...this.still, ...this.running]) {
      const visual = visuals[effect.visual];
      if (!visual) continue;
      const t = effect.ms ? clamp((time - effect.from) / effect.ms, 0, 1) : visual.still;
      ctx.save();
      visual.draw({ ctx, layout, state, credits: effect.credits, paint: paints, good: effect.good, target: layout.rocks[effect.rock] ?? null, t });
      ctx.restore();
    }
    drawTitles(ctx, scene, state, paints);
    drawEnd(ctx, scene, state, paints);
    ctx.restore();
    this.rockHits = layout.rocks.map(({ x, y, r }, a) => ({
      rect: { x: x - r, y: y - r, w: 2 * r, h: 2 * r },
      option: (state.rocks[a]?.depletion ?? 1) < 1 ? first.select + a : -1,
      tip: [],
    }));
  }

  private paintTip(): void {
    const { pointer, stage } = this;
    const hit = this.under(pointer);
    if (!hit?.tip.length || !pointer) return;
    const { ctx } = stage;
    const paints = paintOf(this.tone);
    ctx.font = fontOf(12);
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

  // ---- gauges and effects on their way ----

  private settle(): void {
    if (!this.frame) return;
    for (const dial of dials) this.shown[dial.key] = valueOf(this.frame.state as State, dial.key);
  }

  private glide(ms: number): void {
    if (!this.frame) return;
    const share = 1 - Math.exp(-ms / 70);
    for (const dial of dials) this.shown[dial.key] += (valueOf(this.frame.state as State, dial.key) - this.shown[dial.key]) * share;
  }

  private start(now: Frame, rock: number, animate: boolean, speed: number): void {
    const option = now.action?.[0] ?? -1;
    const clock = performance.now();
    const credits = this.before ? (now.state as State).credits - this.before.credits : 0;
    this.still = [];
    for (const effect of effectsOf(now)) {
      // an effect may outlast its frame, but not pile up
      const ms = animate ? Math.min(visuals[effect.visual]?.ms ?? 0, Math.max(250, 2200 / speed)) : 0;
      const entry = { visual: effect.visual, good: goodOf(option), credits, rock, from: clock, ms };
      if (animate) this.running = [...this.running.slice(-7), entry];
      else this.still.push(entry);
    }
  }
}

/** The effects of a step: its action's, then its events'. */
function effectsOf(now: Frame): { visual: string; cue: string }[] {
  const own = now.state.invalid ? undefined : manifest.actions[now.actionName];
  return [...(own ? [own] : []), ...now.events.flatMap((event) => manifest.events[event] ?? [])];
}

/** The board in words, for people who cannot see it. */
function wordsOf(now: Frame): string {
  const state = now.state as State;
  const place = state.node === 0 ? "home station" : `node ${state.node}, ${state.hops} ${state.hops === 1 ? "hop" : "hops"} from home`;
  return (
    `Asteroid Belt Prospector. At ${place}. Fuel ${whole(state.fuel)} of 1000, hull ${whole(state.hull)}, heat ${whole(state.heat)}, ` +
    `tool ${whole(state.tool)}, hold ${whole(sum(state.cargo))} of 200, threat ${levelNames[threatLevel(state)].toLowerCase()}, ` +
    `${whole(state.credits)} credits. ${now.story}`
  );
}

export const mount = (host: ViewHost): ViewInstance => new Board(host);
