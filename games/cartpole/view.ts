// How cartpole looks in the page: a cart on its rail, the pole, the limits of both.
import type { Frame, GameView, Manifest, Tone } from "ludus/view";
import { round, text } from "ludus/canvas";
import { arrow, banner, between, figure, ground, mountSmall, signed, type Scene } from "ludus/small_view";

const track = 2.4; // m from the middle to each end
const limit = (12 / 180) * Math.PI; // the pole may lean so far
const degrees = (radians: number): number => (radians * 180) / Math.PI;
const tone = (share: number): Tone => (share > 0.75 ? "bad" : share > 0.45 ? "warn" : "good");

const effects: Manifest = {
  actions: { left: { visual: "push", cue: "push-left" }, right: { visual: "push", cue: "push-right" } },
  events: {
    fell: { visual: "fall", cue: "fall" },
    left_track: { visual: "fall", cue: "fall" },
    survived: { visual: "cheer", cue: "cheer" },
  },
  cues: {
    "push-left": [{ wave: "sine", from: 190, to: 170, seconds: 0.05, gain: 0.1 }],
    "push-right": [{ wave: "sine", from: 230, to: 210, seconds: 0.05, gain: 0.1 }],
    fall: [
      { wave: "noise", from: 900, to: 200, seconds: 0.25, gain: 0.5 },
      { wave: "triangle", from: 160, to: 60, seconds: 0.3, gain: 0.3 },
    ],
    cheer: [
      { wave: "triangle", from: 523, to: 523, seconds: 0.12, gain: 0.2 },
      { wave: "triangle", from: 784, to: 784, seconds: 0.3, gain: 0.2 },
    ],
  },
};

/** What picture and gauges write of a frame: of its state, not of the movement towards it. */
const figuresOf = ({ state }: Frame) => ({ pole: `${signed(degrees(state.theta), 1)}°`, cart: `${signed(state.x, 2)} m` });

function drawRail(scene: Scene, y: number, scale: number): void {
  const { ctx, width, height, inks } = scene;
  const middle = width / 2;
  ctx.fillStyle = `${inks.bad}26`;
  ctx.fillRect(0, 0, middle - track * scale, height);
  ctx.fillRect(middle + track * scale, 0, width, height);
  ctx.fillStyle = inks.raised;
  ctx.fillRect(0, y + 26, width, height);
  ctx.fillStyle = inks.dim;
  ctx.fillRect(0, y + 22, width, 4);
  for (let metre = -2; metre <= 2; metre++) {
    const x = middle + metre * scale;
    ctx.fillRect(x - 1, y + 26, 2, 8);
    text(ctx, `${signed(metre, 0)} m`, x, y + 45, { size: 12, color: inks.dim, align: "center" });
  }
  ctx.fillStyle = inks.bad;
  for (const side of [-1, 1]) {
    round(ctx, middle + side * track * scale - 4, y - 12, 8, 36, 3);
    ctx.fill();
  }
}

/** The angles at which the pole still stands. */
function drawFan(scene: Scene, x: number, y: number, length: number): void {
  const { ctx, inks } = scene;
  ctx.fillStyle = `${inks.good}22`;
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.arc(x, y, length * 1.08, -Math.PI / 2 - limit, -Math.PI / 2 + limit);
  ctx.fill();
}

function drawCart(scene: Scene, x: number, y: number, color: string): void {
  const { ctx, inks } = scene;
  round(ctx, x - 44, y - 16, 88, 30, 8);
  ctx.fillStyle = inks.accent;
  ctx.fill();
  round(ctx, x - 44, y - 16, 88, 10, 6);
  ctx.fillStyle = "#ffffff33";
  ctx.fill();
  for (const side of [-24, 24]) {
    ctx.beginPath();
    ctx.arc(x + side, y + 14, 9, 0, 7);
    ctx.fillStyle = inks.ink;
    ctx.fill();
    ctx.beginPath();
    ctx.arc(x + side, y + 14, 3.5, 0, 7);
    ctx.fillStyle = inks.panel;
    ctx.fill();
  }
  ctx.beginPath();
  ctx.arc(x, y - 14, 8, 0, 7);
  ctx.fillStyle = color;
  ctx.fill();
}

function draw(scene: Scene): void {
  const { ctx, width, height, inks, frame } = scene;
  const x = between(scene, "x");
  const theta = between(scene, "theta");
  const share = Math.max(Math.abs(theta) / limit, Math.abs(x) / track);
  const color = inks[tone(share)];
  const scale = width / 6.2;
  const y = height * 0.78;
  const length = Math.min(height * 0.56, scale * 2);
  const cart = width / 2 + x * scale;
  ground(scene, inks.panel, inks.page);
  drawRail(scene, y, scale);
  drawFan(scene, cart, y - 14, length);
  ctx.strokeStyle = color;
  ctx.lineWidth = 11;
  ctx.lineCap = "round";
  ctx.beginPath();
  ctx.moveTo(cart, y - 14);
  ctx.lineTo(cart + Math.sin(theta) * length, y - 14 - Math.cos(theta) * length);
  ctx.stroke();
  ctx.beginPath();
  ctx.arc(cart + Math.sin(theta) * length, y - 14 - Math.cos(theta) * length, 10, 0, 7);
  ctx.fillStyle = inks.ink;
  ctx.fill();
  drawCart(scene, cart, y, inks.warn);
  const push = frame.action?.[0];
  if (push !== undefined && !frame.over) arrow(ctx, cart + (push ? -88 : 88), y - 1, push ? 38 : -38, inks.ink);
  figure(scene, "Steps", `${frame.state.steps}`, "left", 0);
  const told = figuresOf(frame);
  figure(scene, "Pole", told.pole, "right", 0, inks[tone(Math.abs(frame.state.theta) / limit)]);
  figure(scene, "Cart", told.cart, "right", 1, inks[tone(Math.abs(frame.state.x) / track)]);
  if (frame.over) banner(scene, frame.events.includes("survived"), 0.5);
}

const words = (frame: Frame): string => `Cart and pole after ${frame.state.steps} steps. ${frame.story}`;

const view: GameView = {
  game: "cartpole",
  mount: (host) => mountSmall(host, { effects, height: (width) => Math.min(480, Math.max(260, width * 0.5)), draw, words, at: (x, _, width) => (x < width / 2 ? 0 : 1) }),
  actions: [
    { option: 0, name: "left", label: "Push left", group: "Push", key: "a", icon: "left", hint: "Push the cart to the left." },
    { option: 1, name: "right", label: "Push right", group: "Push", key: "d", icon: "right", hint: "Push the cart to the right." },
  ],
  coach: ["Keep the pole upright: push the cart left or right.", "Push towards the side to which the pole falls.", "It ends at 12 degrees, at the edge of the track, or at 500 steps: then you have won."],
  howTo: [
    { title: "Keep the pole up", text: "A pole stands on a cart. Each turn you push the cart left (A) or right (D); standing still is not possible." },
    { title: "Two limits", text: "The game ends when the pole leans more than 12 degrees or the cart leaves the track, 2.4 m from the middle." },
    { title: "How to win", text: "Push towards the side to which the pole falls. Every step counts one point; 500 steps are the best possible." },
  ],
  gauges: (frame) => [
    { label: "Pole", value: degrees(Math.abs(frame.state.theta)), max: 12, unit: "", shown: figuresOf(frame).pole, tone: tone(Math.abs(frame.state.theta) / limit) },
    { label: "Cart", value: Math.abs(frame.state.x), max: track, unit: "", shown: figuresOf(frame).cart, tone: tone(Math.abs(frame.state.x) / track) },
    { label: "Steps", value: frame.state.steps, max: 500, unit: "", tone: "good" },
  ],
  effects,
  rate: 25,
  eventTones: { fell: "bad", left_track: "bad", survived: "good" },
};
export default view;
