// Tests of an episode in a game's WASM module: words, events, terms, legal options and bots as the
// program has them, saved episodes that go on elsewhere, and bad input of every kind.
// Usage: node wasm/episode.mjs build/wasm build/release/ludus
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Module } from "./module.mjs";

const [folder, ludus] = process.argv.slice(2);
const room = mkdtempSync(join(tmpdir(), "ludus-episode-"));
let passed = 0;
let failed = 0;

function check(what, good, detail = "") {
  good ? passed++ : failed++;
  console.log(`${good ? "ok" : "FAIL"} ${what}${good ? "" : `: ${detail}`}`);
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const native = (...args) => execFileSync(ludus, args, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
const half = (value) => (value >>> 0).toString(16).padStart(8, "0");
const hash = (module) => half(module.game.ludus_state_hash(1)) + half(module.game.ludus_state_hash(0));

function refused(module, what, want, name, ...args) {
  const before = hash(module);
  const code = module.game[name](...args);
  const answer = code === 0 ? {} : module.answer();
  check(what, answer.status === want && answer.error?.length > 10 && hash(module) === before, JSON.stringify(answer));
}

function step(module, actions) {
  new Int32Array(module.game.memory.buffer, module.game.ludus_actions(), actions.length).set(actions);
  return module.game.ludus_step();
}

function save(module) {
  const length = module.game.ludus_save();
  return new Uint8Array(module.game.memory.buffer, module.game.ludus_saved(), length).slice();
}

function closed(module, name) {
  const calls = [["ludus_about"], ["ludus_story"], ["ludus_events"], ["ludus_terms", 0], ["ludus_why_not", 0, 0, 0], ["ludus_show", 0], ["ludus_bot_act", 0, 0], ["ludus_restore", 0]];
  for (const [call, ...args] of calls) refused(module, `${name}: ${call} while closed`, "LU_USAGE", call, ...args);
  check(`${name}: nothing to save while closed`, module.game.ludus_save() === 0 && module.game.ludus_saved() === 0 && module.game.ludus_over() === 1);
}

// an episode that the program played and tells frame by frame
function recorded(id, bot, seed) {
  const file = join(room, `${id}-${bot}.ludus`);
  native("watch", id, "--bot", bot, "--seed", String(seed), "--fast", "--record", file);
  return native("replay", file, "--json", "--legal").trim().split("\n").slice(1).map((line) => JSON.parse(line));
}

// the same episode here, led by the same bot; answers the first frame that differs, -1: none
function follow(module, spec, bots, bot, seed, frames) {
  const index = bots.findIndex((entry) => entry.name === bot);
  module.game.ludus_reset(seed, 0, 0);
  for (const [k, frame] of frames.entries()) {
    const events = module.ask("ludus_events");
    const mask = [...new Uint8Array(module.game.memory.buffer, module.game.ludus_mask(), spec.mask_length)];
    const legal = module.game.ludus_over() ? [] : mask.flatMap((bit, option) => (bit ? [option] : []));
    const terms = Array.from({ length: spec.seats }, (_, seat) => module.ask("ludus_terms", seat));
    const agree = module.ask("ludus_story") === frame.story && same(events, frame.events) && hash(module) === frame.hash &&
      same(spec.seats === 1 ? terms[0] : terms, frame.terms) && (spec.seats > 1 || same(legal, frame.legal));
    if (!agree) return k;
    if (k + 1 === frames.length) break;
    const actions = Array.from({ length: spec.seats }, (_, seat) => module.ask("ludus_bot_act", index, seat)).flat();
    if (!same([frames[k + 1].action].flat(), actions)) return k + 1;
    step(module, actions);
  }
  return -1;
}

function reasons(module, spec) {
  let wrong = 0;
  let illegal = 0;
  for (const [head, { offset, options }] of spec.heads.entries()) {
    for (let option = 0; option < options.length; option++) {
      const legal = new Uint8Array(module.game.memory.buffer)[module.game.ludus_mask() + offset + option] === 1;
      const why = module.ask("ludus_why_not", 0, head, option);
      illegal += legal ? 0 : 1;
      wrong += legal ? why !== null : !(typeof why === "string" && why.length > 3);
    }
  }
  check(`${spec.id}: a reason for each of ${illegal} illegal options and no other`, wrong === 0, `${wrong} wrong`);
}

// saved in one instance, restored in another: both go on alike, bots too
async function saving(path, module, spec, bots) {
  const other = await Module.load(path);
  other.open(0);
  const lead = (it) => Array.from({ length: spec.seats }, (_, seat) => it.ask("ludus_bot_act", bots.length - 1, seat)).flat();
  module.game.ludus_reset(11, 1, 0);
  for (let k = 0; k < 5 && !module.game.ludus_over(); k++) step(module, lead(module));
  const saved = save(module);
  const words = [module.ask("ludus_story"), module.ask("ludus_events"), module.ask("ludus_terms", 0), module.ask("ludus_info")];
  other.game.ludus_restore(other.lend(saved));
  const seen = [other.ask("ludus_story"), other.ask("ludus_events"), other.ask("ludus_terms", 0), other.ask("ludus_info")];
  check(`${spec.id}: a saved episode tells the same elsewhere`, same(words, seen) && same(saved, save(other)));
  let alike = true;
  for (let k = 0; k < 40 && !module.game.ludus_over(); k++) {
    const [mine, its] = [lead(module), lead(other)];
    alike &&= same(mine, its) && step(module, mine) === step(other, its) && hash(module) === hash(other);
  }
  check(`${spec.id}: and goes on alike`, alike && same(save(module), save(other)));
  module.game.ludus_restore(module.lend(saved));
  check(`${spec.id}: and comes back`, same(saved, save(module)));

  const bad = (what, bytes, want = "LU_BAD_DATA") => refused(module, `${spec.id}: ${what}`, want, "ludus_restore", module.lend(bytes));
  for (const length of [1, 31, 32, saved.length - 1]) bad(`a saved episode cut after ${length} bytes`, saved.subarray(0, length));
  bad("a saved episode with a byte more", Uint8Array.from([...saved, 0]));
  let flips = 0;
  for (let k = 0; k < 64; k++) {
    const flipped = saved.slice();
    flipped[k < 32 ? k : (k * 2654435761) % saved.length] ^= 1 << k % 8;
    flips += module.game.ludus_restore(module.lend(flipped)) !== 0;
  }
  check(`${spec.id}: flipped bytes are refused`, flips === 64 && same(saved, save(module)), `${flips} of 64`);
  module.lend(saved);
  refused(module, `${spec.id}: more bytes than are lent`, "LU_BAD_DATA", "ludus_restore", saved.length + 1);
  refused(module, `${spec.id}: a negative length`, "LU_BAD_DATA", "ludus_restore", -1);
  const { properties } = module.ask("ludus_forms").settings;
  const [key, schema] = Object.entries(properties).find(([name, rule]) => rule.type === "number" && !name.includes("."))
    ?? Object.entries(properties).find(([, rule]) => rule.type === "number") ?? [];
  if (key) {
    const value = (schema.default ?? 0) === schema.maximum ? schema.minimum : (schema.default ?? 0) + 1;
    other.open(0, JSON.stringify({ [key]: Math.min(value, schema.maximum ?? value) }));
    refused(other, `${spec.id}: a saved episode of other settings`, "LU_OTHER_SPEC", "ludus_restore", other.lend(saved));
  }
}

function strange(module, spec, bots) {
  module.game.ludus_reset(3, 0, 0);
  for (const seat of [-1, spec.seats, 0x7fffffff]) {
    for (const [call, ...args] of [["ludus_terms", seat], ["ludus_why_not", seat, 0, 0], ["ludus_bot_act", 0, seat]]) refused(module, `${spec.id}: ${call} of seat ${seat}`, "LU_NOT_FOUND", call, ...args);
  }
  refused(module, `${spec.id}: the board of seat -2`, "LU_NOT_FOUND", "ludus_show", -2);
  for (const [head, option] of [[-1, 0], [99, 0], [0, -1], [0, 1 << 30]]) refused(module, `${spec.id}: option ${option} of head ${head}`, "LU_NOT_FOUND", "ludus_why_not", 0, head, option);
  for (const bot of [-1, bots.length]) refused(module, `${spec.id}: bot ${bot}`, "LU_NOT_FOUND", "ludus_bot_act", bot, 0);
  check(`${spec.id}: nothing to tell after a reset`, module.ask("ludus_story") === "" && module.ask("ludus_events").length === 0);
}

try {
  for (const file of readdirSync(folder).filter((entry) => entry.endsWith(".wasm")).sort()) {
    const path = join(folder, file);
    const module = await Module.load(path);
    closed(module, file);
    for (let variant = 0; variant < module.game.ludus_games(); variant++) {
      module.open(variant);
      const spec = module.ask("ludus_spec");
      const about = module.ask("ludus_about");
      const program = JSON.parse(native("spec", spec.id, "--json"));
      check(`${spec.id}: the words are those of the program`, ["title", "sentence", "headline", "strongest", "modes"].every((key) => about[key] === program[key]) &&
        about.spec === program.hash && same(about.bots, program.bots) && same(about.events, program.events), JSON.stringify(about).slice(0, 200));
      for (const { name } of about.bots.slice(-3)) {
        const frames = recorded(spec.id, name, 7);
        const differs = follow(module, spec, about.bots, name, 7, frames);
        check(`${spec.id}: ${frames.length} frames of ${name} as the program tells them`, frames.length > 1 && differs < 0, `frame ${differs}`);
        check(`${spec.id}: an ended episode asks nobody`, !module.game.ludus_over() || module.game.ludus_bot_act(0, 0) !== 0);
      }
      module.game.ludus_reset(5, 0, 0);
      reasons(module, spec);
      const board = module.ask("ludus_show", 0);
      check(`${spec.id}: the board fits a terminal`, board.length > 20 && board.split("\n").every((line) => [...line].length <= 80));
      strange(module, spec, about.bots);
      if (variant === 0) await saving(path, module, spec, about.bots);
    }
  }
} finally {
  rmSync(room, { recursive: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
