// How corridor looks in the page: dark cells, a walker with the light that falls on it, the lamp once
// it is found.
import type { Frame, GameView, Manifest } from "ludus/view";
import { round, text } from "ludus/canvas";
import { banner, between, figure, ground, mountSmall, type Scene } from "ludus/small_view";

const step = (from: number, to: number): Manifest["cues"][string] => [{ wave: "sine", from, to, seconds: 0.07, gain: 0.16 }];

const effects: Manifest = {
  actions: {
    left: { visual: "step", cue: "step-left" },
    right: { visual: "step", cue: "step-right" },
    stay: { visual: "none", cue: "none" },
  },
  events: { found: { visual: "glow", cue: "found" }, wall: { visual: "bump", cue: "bump" } },
  cues: {
    "step-left": step(250, 220),
    "step-right": step(280, 310),
    bump: [{ wave: "noise", from: 300, to: 120, seconds: 0.14, gain: 0.4 }],
    found: [
      { wave: "triangle", from: 659, to: 659, seconds: 0.12, gain: 0.2 },
      { wave: "triangle", from: 988, to: 988, seconds: 0.35, gain: 0.2 },
    ],
  },
};

const most = 21; // cells in view; a longer corridor shows the part around the walker

const shine = "#ffc45c"; // of the lamp, in both themes

function lamp(scene: Scene, x: number, y: number, size: number): void {
  const { ctx, inks, flash } = scene;
  const glow = ctx.createRadialGradient(x, y, 0, x, y, size * (2.2 + flash));
  glow.addColorStop(0, `${shine}cc`);
  glow.addColorStop(1, `${shine}00`);
  ctx.fillStyle = glow;
  ctx.fillRect(x - size * 3.5, y - size * 3.5, size * 7, size * 7);
  ctx.strokeStyle = inks.dim;
  ctx.lineWidth = 3;
  ctx.beginPath();
  ctx.moveTo(x, y - size * 1.8);
  ctx.lineTo(x, y - size * 0.5);
  ctx.stroke();
  ctx.beginPath();
  ctx.arc(x, y, size * 0.5, 0, 7);
  ctx.fillStyle = shine;
  ctx.fill();
}

function walker(scene: Scene, x: number, y: number, size: number, stride: number): void {
  const { ctx, inks } = scene;
  ctx.strokeStyle = inks.ink;
  ctx.lineCap = "round";
  ctx.lineWidth = size * 0.17;
  const limb = (x0: number, y0: number, x1: number, y1: number): void => {
    ctx.beginPath();
    ctx.moveTo(x + x0 * size, y + y0 * size);
    ctx.lineTo(x + x1 * size, y + y1 * size);
    ctx.stroke();
  };
  limb(0, -0.65, 0, -0.15);
  limb(0, -0.15, 0.22 * stride, 0.42);
  limb(0, -0.15, -0.22 * stride, 0.42);
  limb(0, -0.55, 0.28, -0.3 + 0.05 * stride);
  limb(0, -0.55, -0.28, -0.3 - 0.05 * stride);
  ctx.beginPath();
  ctx.arc(x, y - size * 0.88, size * 0.2, 0, 7);
  ctx.fillStyle = inks.ink;
  ctx.fill();
}

/** The wall behind a cell, as far as there is light, and its floor. */
function bricks({ ctx, inks }: Scene, x: number, y: number, w: number, h: number, light: number): void {
  ctx.fillStyle = inks.dim;
  ctx.globalAlpha = 0.25;
  ctx.fillRect(x, y + h - 5, w, 5);
  ctx.globalAlpha = 0.06 + 0.25 * light;
  for (let row = 1; row < 7; row++) {
    const at = y + (row * h) / 7;
    ctx.fillRect(x, at, w, 1);
    for (let k = 0; k < 2; k++) ctx.fillRect(x + w * (row % 2 ? 0.25 + k * 0.5 : 0.5 * k), at, 1, h / 7);
  }
  ctx.globalAlpha = 1;
}

function draw(scene: Scene): void {
  const { ctx, width, height, inks, frame, theme } = scene;
  const { length: cells, brightness: light } = frame.state;
  const shown = Math.min(cells, most);
  const position = between(scene, "position");
  const from = Math.min(Math.max(0, Math.round(frame.state.position) - Math.floor(shown / 2)), cells - shown);
  const w = (width - 48) / shown;
  const h = Math.min(height * 0.42, Math.max(70, w * 1.5));
  const y = height * 0.5 - h / 2;
  ground(scene, inks.panel, inks.page);
  for (let k = 0; k < shown; k++) {
    const x = 24 + k * w;
    const near = Math.max(0, 1 - Math.abs(from + k - position) / 2.4);
    ctx.fillStyle = theme === "dark" ? "#05070c" : "#39424f";
    ctx.fillRect(x, y, w - 2, h);
    ctx.fillStyle = `${shine}${Math.round(190 * near * (0.12 + 0.88 * light)).toString(16).padStart(2, "0")}`;
    ctx.fillRect(x, y, w - 2, h);
    bricks(scene, x, y, w - 2, h, near * light);
    text(ctx, `${from + k + 1}`, x + w / 2 - 1, y + h + 16, { size: 12, color: inks.dim, align: "center" });
  }
  // the walls at both ends, where they are in view
  ctx.fillStyle = inks.dim;
  for (const [at, there] of [[10, from === 0], [width - 22, from + shown === cells]] as const) {
    if (!there) continue;
    round(ctx, at, y - 8, 12, h + 16, 3);
    ctx.fill();
  }
  const x = 24 + (position - from + 0.5) * w - 1;
  const bump = frame.events.includes("wall") ? Math.sin(scene.t * 9) * 4 * (1 - scene.t) : 0;
  if (frame.events.includes("found")) lamp(scene, x, y + h * 0.22, Math.min(w * 0.5, 22));
  const body = { ...scene, inks: { ...inks, ink: light > 0.4 ? "#10131a" : "#ffffff" } };
  walker(body, x + bump, y + h * 0.66, Math.min(w * 0.8, h * 0.45), scene.t < 1 ? Math.cos(scene.t * 6) : 1);
  figure(scene, "Light here", `${Math.round(light * 100)}%`, "left", 0, inks.warn);
  figure(scene, "Steps", `${frame.state.steps}`, "right", 0);
  if (frame.over) banner(scene, frame.events.includes("found"), 1 - 29 / height); // below the corridor
}

const words = (frame: Frame): string => `Corridor, cell ${frame.state.position + 1}, step ${frame.state.steps}. ${frame.story}`;

const view: GameView = {
  game: "corridor",
  mount: (host) => mountSmall(host, { effects, height: (width) => Math.min(420, Math.max(240, width * 0.36)), draw, words, at: (x, _, width) => (x < width / 2 ? 0 : 1) }),
  actions: [
    { option: 0, name: "left", label: "Walk left", group: "Walk", key: "a", icon: "left", hint: "One cell to the left." },
    { option: 1, name: "right", label: "Walk right", group: "Walk", key: "d", icon: "right", hint: "One cell to the right." },
    { option: 2, name: "stay", label: "Stay", group: "Walk", key: "s", icon: "hold", hint: "Wait one step." },
  ],
  coach: ["Find the lamp: it hangs at one end, in the dark.", "The nearer it is, the brighter your cell; if it gets darker, turn around.", "Every step costs a little: be quick."],
  howTo: [
    { title: "Find the lamp", text: "It is dark. A lamp hangs at one end, and you do not know which." },
    { title: "Follow the light", text: "The nearer the lamp, the brighter your cell. If it gets darker, turn around (A left, D right)." },
    { title: "Be quick", text: "The lamp gives one point, each step costs a hundredth." },
  ],
  gauges: (frame) => {
    const { length, position, brightness } = frame.state;
    return [
      { label: "Light here", value: 100 * brightness, max: 100, unit: "", shown: `${Math.round(100 * brightness)}%`, tone: brightness > 0.4 ? "good" : "warn" },
      { label: "Cell", value: position + 1, max: length, unit: "", tone: "good" },
    ];
  },
  effects,
  rate: 3,
  eventTones: { found: "good", wall: "warn" },
};
export default view;
