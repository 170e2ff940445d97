// How acrobot looks in the page: two links that hang from a joint, the line to reach, the torque.
import type { Frame, GameView, Manifest } from "ludus/view";
import { text } from "ludus/canvas";
import { angleBetween, banner, figure, ground, mountSmall, signed, type Scene } from "ludus/small_view";

const goal = 1; // m above the joint
const turn = (from: number, to: number): Manifest["cues"][string] => [{ wave: "triangle", from, to, seconds: 0.06, gain: 0.1 }];

const effects: Manifest = {
  actions: {
    minus: { visual: "torque", cue: "minus" },
    none: { visual: "none", cue: "none" },
    plus: { visual: "torque", cue: "plus" },
  },
  events: {
    reached: { visual: "cheer", cue: "cheer" },
    over_joint: { visual: "spark", cue: "over" },
    timeout: { visual: "end", cue: "end" },
  },
  cues: {
    minus: turn(210, 180),
    plus: turn(210, 250),
    over: [{ wave: "sine", from: 520, to: 880, seconds: 0.18, gain: 0.18 }],
    cheer: [
      { wave: "triangle", from: 523, to: 523, seconds: 0.12, gain: 0.2 },
      { wave: "triangle", from: 784, to: 784, seconds: 0.12, gain: 0.2 },
      { wave: "triangle", from: 1047, to: 1047, seconds: 0.3, gain: 0.2 },
    ],
    end: [{ wave: "sine", from: 300, to: 150, seconds: 0.5, gain: 0.2 }],
  },
};

/** Height of the free end above the joint, in links. */
const heightOf = (theta1: number, theta2: number): number => -Math.cos(theta1) - Math.cos(theta1 + theta2);

function link(ctx: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number, width: number, color: string): void {
  ctx.strokeStyle = color;
  ctx.lineWidth = width;
  ctx.lineCap = "round";
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  ctx.stroke();
}

function knob(ctx: CanvasRenderingContext2D, x: number, y: number, r: number, color: string): void {
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 7);
  ctx.fillStyle = color;
  ctx.fill();
}

/** A bent arrow around the elbow: the way the torque turns the lower link. */
function torque(scene: Scene, x: number, y: number, way: number): void {
  const { ctx, inks } = scene;
  const start = way > 0 ? 2.4 : 0.7;
  const end = start - way * 1.9;
  ctx.strokeStyle = ctx.fillStyle = inks.warn;
  ctx.lineWidth = 5;
  ctx.beginPath();
  ctx.arc(x, y, 30, start, end, way > 0);
  ctx.stroke();
  ctx.save();
  ctx.translate(x + Math.cos(end) * 30, y + Math.sin(end) * 30);
  ctx.rotate(end + (way > 0 ? -Math.PI / 2 : Math.PI / 2));
  ctx.beginPath();
  ctx.moveTo(12, 0);
  ctx.lineTo(-4, -9);
  ctx.lineTo(-4, 9);
  ctx.fill();
  ctx.restore();
}

function draw(scene: Scene): void {
  const { ctx, width, height, inks, frame } = scene;
  const theta1 = angleBetween(scene, "theta1");
  const theta2 = angleBetween(scene, "theta2");
  const scale = Math.min(width / 5, (height - 30) / 4.4);
  const x = width / 2;
  const y = height / 2 + 6;
  const ex = x + Math.sin(theta1) * scale;
  const ey = y + Math.cos(theta1) * scale;
  const tx = ex + Math.sin(theta1 + theta2) * scale;
  const ty = ey + Math.cos(theta1 + theta2) * scale;
  const up = heightOf(frame.state.theta1, frame.state.theta2); // of the frame itself, as the gauges have it
  ground(scene, inks.panel, inks.page);
  // the zone above the line, the reach of the free end
  ctx.fillStyle = `${inks.good}1f`;
  ctx.fillRect(0, 0, width, y - goal * scale);
  ctx.setLineDash([10, 7]);
  link(ctx, 0, y - goal * scale, width, y - goal * scale, 2.5, inks.good);
  ctx.setLineDash([3, 7]);
  ctx.strokeStyle = inks.line;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.arc(x, y, 2 * scale, 0, 7);
  ctx.stroke();
  ctx.setLineDash([]);
  text(ctx, "reach this line", width - 16, y - goal * scale - 12, { size: 13, weight: 600, color: inks.good, align: "right" });
  if (scene.before) {
    // where the free end was one decision ago
    const was = scene.before.state;
    const bx = x + (Math.sin(was.theta1) + Math.sin(was.theta1 + was.theta2)) * scale;
    const by = y + (Math.cos(was.theta1) + Math.cos(was.theta1 + was.theta2)) * scale;
    link(ctx, bx, by, tx, ty, 8, `${inks.warn}40`);
  }
  const thick = Math.max(8, scale * 0.13);
  link(ctx, x, y, ex, ey, thick, inks.accent);
  link(ctx, ex, ey, tx, ty, thick * 0.8, inks.ink);
  knob(ctx, x, y, thick * 0.75, inks.dim);
  knob(ctx, ex, ey, thick * 0.62, inks.warn);
  knob(ctx, tx, ty, thick * 0.62 + (frame.state.reached ? 6 * scene.flash : 0), frame.state.reached ? inks.good : inks.bad);
  const way = (frame.action?.[0] ?? 1) - 1;
  if (way && !frame.over) torque(scene, ex, ey, way);
  figure(scene, "Steps", `${frame.state.steps}`, "left", 0);
  figure(scene, "Free end", `${signed(up, 2)} m`, "left", 1, up > 0 ? inks.good : inks.ink);
  if (frame.over) banner(scene, frame.state.reached, 0.84);
}

const words = (frame: Frame): string => `Acrobot after ${frame.state.steps} steps. ${frame.story}`;

const view: GameView = {
  game: "acrobot",
  mount: (host) =>
    mountSmall(host, { effects, height: (width) => Math.min(560, Math.max(320, width * 0.62)), draw, words, at: (x, _, width) => (x < width / 3 ? 0 : x < (2 * width) / 3 ? 1 : 2) }),
  actions: [
    { option: 0, name: "minus", label: "Twist back", group: "Torque", key: "a", icon: "left", hint: "Torque at the elbow, clockwise." },
    { option: 1, name: "none", label: "Let swing", group: "Torque", key: "s", icon: "hold", hint: "No torque." },
    { option: 2, name: "plus", label: "Twist forth", group: "Torque", key: "d", icon: "right", hint: "Torque at the elbow, anticlockwise." },
  ],
  coach: ["Bring the free end above the green line.", "Only the elbow has a motor: twist with the swing, and the height grows.", "Each step costs a point; below 100 steps is good."],
  howTo: [
    { title: "Swing up", text: "Two links hang from a fixed joint. Only the elbow between them has a motor. Bring the free end above the green line." },
    { title: "Pump", text: "The motor is too weak to lift the links at once. Twist with the swing (A or D), as on a swing, and the height grows." },
    { title: "Be quick", text: "Each step costs a point; below 100 steps is good." },
  ],
  gauges: (frame) => {
    const up = heightOf(frame.state.theta1, frame.state.theta2);
    return [
      { label: "Free end", value: up + 2, max: 4, unit: "", shown: `${signed(up, 2)} m`, tone: up > 0 ? "good" : "warn" },
      { label: "Steps", value: frame.state.steps, max: 500, unit: "", tone: frame.state.steps > 300 ? "bad" : "good" },
    ];
  },
  effects,
  rate: 8,
  eventTones: { reached: "good", over_joint: "warn", timeout: "bad" },
};
export default view;
