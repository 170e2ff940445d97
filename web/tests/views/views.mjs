// Tests of the games' views in Chromium, with frames of real episodes: facts against the specification,
// pictures at all widths, motion, clicks, jumps, the art pack, sounds, size.
// Usage: node web/tests/views/views.mjs LUDUS [FOLDER for screenshots]
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { build } from "vite";
import { record, specOf, tour } from "./frames.mjs";

const web = fileURLToPath(new URL("../../", import.meta.url));
const games = ["prospector", "cartpole", "acrobot", "corridor", "potion"];
/** Views of elements instead of a picture: joker.mjs and duel.mjs visit them. */
const tables = ["joker", "duel"];
/** Variants whose first head has other options. */
const others = { joker: "joker-plan-v1", duel: "duel-dharok-v1" };
const shots = process.argv[3];
const folder = mkdtempSync(join(tmpdir(), "ludus-views-"));
const episodes = {};
const asked = [];
let pack = { sprites: {}, sounds: {} };
let server, browser, address;

const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="#f0f"/></svg>`;

/** Bundles one module into a file, without those named; returns its text. */
async function bundle(entry, name, external = []) {
  await build({
    root: web,
    configFile: join(web, "vite.config.ts"),
    logLevel: "error",
    build: { outDir: folder, emptyOutDir: false, copyPublicDir: false, rolldownOptions: { input: entry, external, preserveEntrySignatures: "strict", output: { entryFileNames: name, codeSplitting: false } } },
  });
  return readFileSync(join(folder, name), "utf8");
}

function serve(script) {
  const answers = {
    "/": ["text/html", "<!doctype html><title>views</title><style>body{margin:0}</style><div id=box></div><script type=module src=/page.js></script>"],
    "/page.js": ["text/javascript", script],
    "/kenney/ship.svg": ["image/svg+xml", picture],
  };
  return createServer((request, response) => {
    asked.push(request.url);
    const found = request.url === "/kenney/manifest.json" ? pack && ["application/json", JSON.stringify(pack)] : answers[request.url];
    response.writeHead(found ? 200 : 404, { "content-type": found?.[0] ?? "text/plain" });
    response.end(found?.[1] ?? "");
  });
}

before(async () => {
  server = serve(await bundle(join(web, "tests/views/page.ts"), "page.js"));
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  address = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  episodes.prospector = record("prospector", 3, { commands: tour });
  episodes.cartpole = record("cartpole", 7, { bot: "random" });
  episodes.acrobot = record("acrobot", 7, { bot: "swinger" });
  episodes.corridor = record("corridor", 3, { commands: ["stay", "left", "right", "right", "right", "right"] });
  episodes.potion = record("potion", 3, { bot: "brewer" });
  if (shots) mkdirSync(shots, { recursive: true });
});

after(async () => {
  await browser?.close();
  server?.close();
  rmSync(folder, { recursive: true });
});

/** A page of that width with the views loaded; what goes wrong there fails the test. */
async function opened(width, use, scale = 1) {
  const tab = await browser.newPage({ viewport: { width, height: 900 }, deviceScaleFactor: scale });
  const found = [];
  tab.on("pageerror", (error) => found.push(String(error)));
  await tab.goto(address);
  await tab.waitForFunction(() => "page" in globalThis);
  try {
    await use(tab);
  } finally {
    await tab.close();
  }
  assert.deepEqual(found, []);
}

test("every action and event has words, an effect and a cue", async () => {
  await opened(800, async (tab) => {
    for (const game of [...games, ...tables]) {
      const spec = specOf(game);
      const view = await tab.evaluate((name) => {
        const { actions, otherActions, howTo, effects, eventTones } = globalThis.page.views[name];
        return { actions, otherActions, howTo, effects, eventTones };
      }, game);
      const options = spec.heads[0].options;
      assert.deepEqual(view.actions.map((action) => action.name), options, `${game}: actions in the specification's order`);
      assert.deepEqual(view.actions.map((action) => action.option), options.map((_, i) => i));
      const keys = view.actions.flatMap((action) => action.key ?? []);
      assert.equal(new Set(keys).size, keys.length, `${game}: a key has one meaning`);
      for (const action of view.actions) assert.ok(action.label && action.group && action.hint.endsWith("."), `${game}: words of ${action.name}`);
      assert.deepEqual(Object.keys(view.effects.actions).sort(), [...options].sort(), `${game}: effects of actions`);
      const events = spec.events.map((event) => event.name).sort();
      assert.deepEqual(Object.keys(view.effects.events).sort(), events, `${game}: effects of events`);
      for (const name of Object.keys(view.eventTones)) assert.ok(events.includes(name), `${game}: ${name} is an event`);
      for (const [name, effect] of Object.entries({ ...view.effects.actions, ...view.effects.events })) {
        assert.ok(effect.visual, `${game}: ${name} has a visual effect`);
        assert.ok(effect.cue === "none" || view.effects.cues[effect.cue]?.length, `${game}: the cue of ${name} has notes`);
      }
      for (const note of Object.values(view.effects.cues).flat()) assert.ok(note.from > 0 && note.to > 0 && note.seconds > 0 && note.seconds < 2 && note.gain > 0 && note.gain <= 1);
      assert.deepEqual((view.otherActions ?? []).map(({ option, name }) => [option, name]), others[game] ? specOf(others[game]).heads[0].options.map((name, option) => [option, name]) : [], `${game}: actions of its variants`);
      assert.ok(view.howTo.length >= 3 && view.howTo.every((card) => card.title && card.text.length < 260), `${game}: how to play`);
      if (game !== "prospector") continue;
      assert.equal(options.length, 69);
      assert.ok(view.howTo.length >= 5 && view.howTo.length <= 7);
      const known = await tab.evaluate(() => globalThis.page.prospector);
      assert.deepEqual([...known.events].sort(), events, "every event has a headline");
      for (const effect of Object.values({ ...view.effects.actions, ...view.effects.events })) {
        assert.ok(known.visuals.includes(effect.visual) && effect.visual !== "none", `${effect.visual} is drawn`);
      }
    }
  });
});

test("pictures fit their box, are sharp, have words, and differ by theme", async () => {
  for (const width of [320, 360, 768, 1280, 1920]) {
    const scale = width < 1000 ? 2 : 1;
    await opened(width, async (tab) => {
      for (const game of games) {
        const frames = episodes[game];
        const seen = [];
        for (const theme of ["dark", "light"]) {
          const facts = await tab.evaluate(([name, list, look]) => {
            globalThis.page.open(name, look, false, false);
            globalThis.page.show(list);
            globalThis.page.pass(100);
            const canvas = globalThis.page.canvas();
            const box = canvas.getBoundingClientRect();
            document.body.style.background = look === "dark" ? "#0c1017" : "#f5f6f8";
            return { css: box.width, pixels: canvas.width, height: box.height, wide: document.documentElement.scrollWidth, words: canvas.getAttribute("aria-label"), ...globalThis.page.look() };
          }, [game, frames.slice(0, Math.min(21, frames.length)), theme]);
          assert.equal(facts.css, width);
          assert.equal(facts.pixels, width * scale, "as many pixels as the screen has");
          assert.ok(facts.wide <= width, `${game} at ${width}: no sideways scrolling`);
          assert.ok(facts.height > 200 && facts.height < 1700, `${game} at ${width}: ${facts.height} high`);
          assert.ok(facts.colors > (game === "prospector" ? 300 : 20), `${game} at ${width}: ${facts.colors} colours`);
          if (game === "prospector") assert.match(facts.words, /Fuel \d+ of 1000, hull .* threat \w+/);
          assert.ok(facts.words.includes(frames[Math.min(20, frames.length - 1)].story));
          seen.push(facts.hash);
          if (shots) await tab.locator("#box").screenshot({ path: join(shots, `${game}-${width}-${theme}.png`) });
        }
        assert.notEqual(seen[0], seen[1]);
      }
    }, scale);
  }
});

test("every frame of an episode can be drawn, moving or not", async () => {
  await opened(1000, async (tab) => {
    for (const game of games) {
      const still = await tab.evaluate(([name, frames]) => {
        const { open, show, pass, destroy } = globalThis.page;
        open(name, "dark", false, false);
        for (let i = 0; i < frames.length; i++) {
          show(frames.slice(Math.max(0, i - 1), i + 1), true);
          pass(80);
        }
        const moves = pass(20000);
        destroy();
        return !moves && document.querySelector("canvas") === null;
      }, [game, episodes[game].slice(0, 120)]);
      assert.ok(still, `${game}: comes to rest, and leaves nothing behind`);
    }
  });
});

test("motion: played frames move, reduced motion and jumps do not; sounds follow the frames", async () => {
  await opened(1000, async (tab) => {
    for (const game of games) {
      const frames = episodes[game].slice(0, 3);
      const run = (reduced, animate) => tab.evaluate(([name, list, less, moving]) => {
        const { open, show, pass, told } = globalThis.page;
        open(name, "dark", less, false);
        pass(16);
        show(list, moving);
        pass(17);
        return { moves: pass(33), sounds: [...told.sounds] };
      }, [game, frames, reduced, animate]);
      const played = await run(false, true);
      assert.ok(played.moves, `${game}: a played frame moves`);
      assert.ok(!(await run(true, true)).moves, `${game}: reduced motion stands still`);
      const jump = await run(false, false);
      assert.ok(!jump.moves && jump.sounds.length === 0, `${game}: a jump is still and silent`);
      const cues = await tab.evaluate(([name, frame]) => {
        const { effects } = globalThis.page.views[name];
        return [effects.actions[frame.actionName], ...frame.events.map((event) => effects.events[event])].map((effect) => effect.cue);
      }, [game, frames[2]]);
      assert.deepEqual(played.sounds, cues);
    }
  });
});

test("clicks choose what is legal: ways, rocks, trade", async () => {
  for (const width of [360, 800, 1280]) {
    await opened(width, async (tab) => {
      const at = async (index) => {
        const frames = episodes.prospector.slice(0, index + 1);
        const chosen = await tab.evaluate((list) => {
          globalThis.page.open("prospector", "dark", true, true);
          globalThis.page.show(list);
          globalThis.page.pass(50);
          return globalThis.page.clickAll();
        }, frames);
        const { legal } = frames.at(-1);
        for (const option of chosen) assert.ok(legal.includes(option), `option ${option} is legal`);
        return (low, high) => assert.deepEqual(chosen.filter((o) => o >= low && o < high), legal.filter((o) => o >= low && o < high), `at ${width} px, frame ${index}`);
      };
      const field = await at(20); // rock 4 has just broken
      field(0, 6);
      field(12, 28);
      const docked = await at(25);
      docked(0, 6);
      docked(61, 69);
    });
  }
});

test("potion: the shelf's clicks are legal and hold the finish, and every end has its picture", async () => {
  const frames = episodes.potion;
  const short = record("potion", 3, { commands: ["Fairy Flower Bulb", "finish"] });
  for (const width of [360, 1280]) {
    await opened(width, async (tab) => {
      const clicks = (list) => tab.evaluate((shown) => {
        globalThis.page.open("potion", "dark", true, true);
        globalThis.page.show(shown);
        globalThis.page.pass(50);
        return globalThis.page.clickAll();
      }, list);
      const chosen = await clicks(frames.slice(0, 3));
      assert.ok(chosen.includes(0) && chosen.length > 8, `at ${width} px: ${chosen}`);
      for (const option of chosen) assert.ok(frames[2].legal.includes(option), `option ${option} is legal`);
      assert.deepEqual(await clicks(frames), [], "nothing can be added to a brew that is done");
      const looks = await tab.evaluate((all) => all.map((list) => {
        globalThis.page.open("potion", "dark", true, false);
        globalThis.page.show(list);
        globalThis.page.pass(50);
        return { hash: globalThis.page.look().hash, words: globalThis.page.canvas().getAttribute("aria-label") };
      }), [frames, short, frames.slice(0, -1)]);
      assert.equal(new Set(looks.map((one) => one.hash)).size, 3);
      assert.match(looks[0].words, /perfect, 5 potions of \w+, (\d|no) stars? at \d+ gold/);
      assert.match(looks[1].words, /cannot brew, no potion/);
      if (shots) await tab.locator("#box").screenshot({ path: join(shots, `potion-running-${width}.png`) });
    });
  }
});

test("potion: what play offers are the same actions, grouped by the recipe, with what is left", async () => {
  await opened(800, async (tab) => {
    const [first, later] = [episodes.potion[0], episodes.potion[4]];
    const [all, now] = await tab.evaluate((frames) => frames.map((frame) => globalThis.page.views.potion.offered(frame)), [first, later]);
    const { actions } = await tab.evaluate(() => ({ actions: globalThis.page.views.potion.actions }));
    assert.deepEqual(all.map((one) => one.option).sort((a, b) => a - b), actions.slice(0, -1).map((one) => one.option), "all but the free one");
    for (const one of all) assert.ok(actions[one.option].name === one.name && actions[one.option].key === one.key);
    assert.deepEqual([...new Set(all.map((one) => one.group))], ["Brew", "All of it is wanted", "Part of it is wanted", "None of it is wanted"]);
    assert.deepEqual(now.map((one) => one.option), all.map((one) => one.option), "the order stays through an episode");
    const used = later.action[0];
    const left = (list) => Number(/×(\d+)$/.exec(list.find((one) => one.option === used).detail)[1]);
    assert.ok(left(now) < left(all));
  });
});

test("frames learned after a jump give what stepping gives; another course forgets", async () => {
  await opened(1280, async (tab) => {
    const frames = episodes.prospector.slice(0, 27);
    const knows = (list, index) => tab.evaluate(([all, at]) => globalThis.page.knows(all, at), [list, index]);
    const stepped = await knows(frames, 26);
    assert.ok(stepped.places.length > 6 && stepped.log.length > 20 && stepped.prices[3].length > 20);
    assert.deepEqual(await knows([frames[26], ...frames.slice(0, 26)], 26), stepped);
    assert.notDeepEqual(await knows([frames[26]], 26), stepped);
    assert.deepEqual(await knows(frames, 5), await knows(frames.slice(0, 6), 5), "going back goes back to what was known");
    const other = { ...frames[1], story: "holds", action: [6], actionName: "hold", events: [], state: { ...frames[0].state, ticks: 1 } };
    const [again, fresh] = [await knows([...frames, frames[0], other], 1), await knows([frames[0], other], 1)];
    assert.deepEqual({ ...again, prices: [] }, { ...fresh, prices: [] });
    assert.deepEqual(await knows([{ ...frames[9], seed: "4" }, ...frames], 26), stepped);
  });
});

test("gauges name fuel, hull and threat with values inside their bounds", async () => {
  await opened(800, async (tab) => {
    for (const game of games) {
      const all = await tab.evaluate(([name, frames]) => frames.map((frame) => globalThis.page.views[name].gauges(frame)), [game, episodes[game].slice(0, 60)]);
      for (const gauge of all.flat()) assert.ok(gauge.label && gauge.max > 0 && gauge.value >= 0 && Number.isFinite(gauge.value), `${game}: ${gauge.label} ${gauge.value}`);
      if (game === "corridor") assert.ok(all.every((gauges) => gauges.some((gauge) => gauge.label === "Light here")), "the state tells the light");
      if (game === "prospector") for (const label of ["Fuel", "Hull", "Heat", "Tool", "Hold", "Alert", "Threat"]) assert.ok(all[5].some((gauge) => gauge.label === label));
    }
  });
});

test("a pack replaces pictures; names that leave its folder are not asked for", async () => {
  const image = async () => {
    let data = 0;
    await opened(800, async (tab) => {
      data = await tab.evaluate(async (frames) => {
        const { open, show, pass, look, loadPack } = globalThis.page;
        open("prospector", "dark", true, false);
        show(frames);
        await loadPack();
        show(frames);
        pass(50);
        return look().hash;
      }, episodes.prospector.slice(0, 3));
    });
    return data;
  };
  const drawn = await image();
  pack = null;
  assert.equal(await image(), drawn, "without a manifest everything is drawn");
  asked.length = 0;
  pack = { sprites: { ship: "ship.svg", pirate: "../../secret.png", station: "http://example.invalid/x.png", "rock-1": "//example.invalid/y.png" }, sounds: { raid: "..%2f" } };
  assert.notEqual(await image(), drawn, "the pack's ship is shown");
  assert.deepEqual(asked.filter((path) => path.includes("secret") || path.includes("example") || path.includes("%2f")), []);
  assert.ok(asked.includes("/kenney/ship.svg"));
  pack = { sprites: {}, sounds: {} };
});

test("sound is off at first and remembered; every cue starts its notes", async () => {
  await opened(800, async (tab) => {
    const facts = await tab.evaluate(() => {
      const { views, player, soundOn, setSoundOn } = globalThis.page;
      let made = 0;
      let started = 0;
      const param = () => ({ value: 0, setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} });
      const node = () => ({ gain: param(), frequency: param(), Q: param(), connect: (next) => next, disconnect() {}, stop() {}, start() { started++; queueMicrotask(() => this.onended?.()); } });
      globalThis.AudioContext = class {
        state = "running"; currentTime = 0; sampleRate = 100; destination = {};
        constructor() { made++; }
        createGain = node; createOscillator = node; createBufferSource = node; createBiquadFilter = node;
        createBuffer = (_, length) => ({ getChannelData: () => new Float32Array(length) });
      };
      const first = soundOn();
      const play = player(views.prospector.effects);
      play("engine");
      const silent = made === 0;
      setSoundOn(true);
      return (async () => {
        const wrong = [];
        for (const [cue, notes] of Object.entries(views.prospector.effects.cues)) {
          started = 0;
          play(cue);
          await new Promise((done) => setTimeout(done)); // notes end in between: only so many sound at once
          if (started !== notes.length) wrong.push(cue);
        }
        started = 0;
        play("none");
        play("nothing of that name");
        for (let i = 0; i < 5; i++) await new Promise((done) => setTimeout(done));
        return { first, silent, made, wrong, extra: started, kept: localStorage.getItem("ludus.sound") };
      })();
    });
    assert.deepEqual(facts, { first: false, silent: true, made: 1, wrong: [], extra: 0, kept: "true" });
    await tab.reload();
    await tab.waitForFunction(() => "page" in globalThis);
    assert.equal(await tab.evaluate(() => globalThis.page.soundOn()), true);
  });
});

test("views are under 25 kB gzip, without what all views share", async () => {
  for (const game of ["prospector", "potion"]) {
    const text = await bundle(join(web, `../games/${game}/view.ts`), `${game}.js`, [/src\/(canvas|pack|tabs)/, /page\/share/]);
    const size = gzipSync(text, { level: 9 }).length;
    assert.ok(size > 10_000 && size < 25_000, `${game}: ${size} bytes`);
  }
});
