// What the tests' page offers to them: the views, the sounds, and a host that writes down what it is told.
import type { Frame, GameView, ViewInstance } from "../../src/view";
import { loadPack } from "../../src/pack";
import { visuals } from "../../../games/prospector/view/scene_effects";
import { Memory } from "../../../games/prospector/view/memory";
import { namedEvents } from "../../../games/prospector/view/events";
import { player, setSoundOn, soundOn } from "../../src/lib/sound";

const found = import.meta.glob<{ default: GameView }>("../../../games/*/view.ts", { eager: true });
const views = Object.fromEntries(Object.values(found).map((file) => [file.default.game, file.default]));

/** A clock and a screen that move when the test says so. */
let now = 1000;
let queue: FrameRequestCallback[] = [];
performance.now = () => now;
globalThis.requestAnimationFrame = (call) => queue.push(call);
globalThis.cancelAnimationFrame = () => undefined;

/** Draws until nothing moves or the time is over; returns whether something still moves. */
function pass(ms: number): boolean {
  const end = now + ms;
  do {
    const calls = queue;
    queue = [];
    for (const call of calls) call(now);
    now += 16;
  } while (queue.length && now < end);
  return queue.length > 0;
}

interface Told {
  sounds: string[];
  chosen: number[];
}

const told: Told = { sounds: [], chosen: [] };
let instance: ViewInstance | undefined;
let legal = new Uint8Array(0);

function open(game: string, theme: "dark" | "light", reduced: boolean, play: boolean): void {
  instance?.destroy();
  queue = [];
  told.sounds = [];
  told.chosen = [];
  document.documentElement.dataset["theme"] = theme;
  const element = document.getElementById("box") as HTMLElement;
  instance = views[game]?.mount({
    element,
    reduced,
    theme,
    sound: (cue) => told.sounds.push(cue),
    ...(play ? { choose: ([option = -1]: number[]) => told.chosen.push(option), legal: () => legal } : {}),
  });
}

/** Shows frames one behind the other; the last one moves if asked to. */
function show(frames: (Frame & { legal?: number[] })[], animate = false): void {
  frames.forEach((frame, i) => {
    legal = new Uint8Array(512);
    for (const option of frame.legal ?? []) legal[option] = 1;
    instance?.show(frame, { before: frames[i - 1] ?? null, animate: animate && i === frames.length - 1, speed: 2 });
  });
}

const canvas = () => document.querySelector("canvas") as HTMLCanvasElement;

/** Clicks every few pixels, under every tab where there are tabs, and returns what was chosen. */
function clickAll(): number[] {
  const tabs = [...document.querySelectorAll<HTMLButtonElement>("#box [role=group]:not([hidden]) > button")];
  told.chosen = [];
  for (let tab = 0; tab < Math.max(1, tabs.length); tab++) {
    tabs[tab]?.click();
    pass(50);
    const box = canvas().getBoundingClientRect();
    for (let y = 3; y < box.height; y += 9) {
      for (let x = 3; x < box.width; x += 9) {
        canvas().dispatchEvent(new PointerEvent("pointerup", { clientX: box.left + x, clientY: box.top + y, pointerType: "mouse", isPrimary: true }));
      }
      pass(16);
    }
  }
  return [...new Set(told.chosen)].sort((a, b) => a - b);
}

/** The pixels of the picture as a hash, and how many colours it has, up to 400. */
function look(): { hash: number; colors: number } {
  const { width, height } = canvas();
  const data = new Uint32Array(canvas().getContext("2d")?.getImageData(0, 0, width, height).data.buffer ?? new ArrayBuffer(0));
  const seen = new Set<number>();
  let hash = 0;
  for (const pixel of data) {
    hash = Math.imul(hash ^ pixel, 0x01000193);
    if (seen.size < 400) seen.add(pixel);
  }
  return { hash, colors: seen.size };
}

/** What prospector's view knows at a frame after learning frames in the given order. */
function knows(frames: Frame[], index: number): object {
  const memory = new Memory();
  for (const frame of frames) memory.learn(frame);
  const { places, roads } = memory.map(index);
  return {
    places: places.map((place) => `${place.node}:${place.type}`).sort(),
    roads: roads.map(({ road, threat }) => `${road.key}:${threat}`).sort(),
    log: memory.log(index, 50),
    prices: [0, 1, 2, 3, 4, 5].map((good) => memory.prices(index, good, 300).map(({ price }) => price.toFixed(2))),
  };
}

const prospector = { visuals: Object.keys(visuals), events: namedEvents };
const page = { views, prospector, pass, told, open, show, canvas, clickAll, look, knows, loadPack, player, soundOn, setSoundOn, learn: (frame: Frame) => instance?.learn?.(frame), resize: () => instance?.resize(), theme: (theme: "dark" | "light") => instance?.theme(theme), destroy: () => instance?.destroy() };
Object.assign(globalThis, { page });
export default page;
