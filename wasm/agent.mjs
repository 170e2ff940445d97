// Tests of trained models in a game's WASM module: bits equal to those of the native program
// (tests/model_answers.c wrote the models and their answers), and bad files refused.
// Usage: node wasm/agent.mjs build/wasm FOLDER
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Module } from "./module.mjs";

const [folder, models] = process.argv.slice(2);
let passed = 0;
let failed = 0;

function check(what, good, detail = "") {
  good ? passed++ : failed++;
  console.log(`${good ? "ok" : "FAIL"} ${what}${good ? "" : `: ${detail}`}`);
}

const hex = (bytes) => Buffer.from(bytes).toString("hex");

// the same play: every seat asks the model and takes its best options
function play(module, spec, seed) {
  const { game } = module;
  const { seats, heads, mask_length: options } = { ...spec, heads: spec.heads.length };
  const answers = [];
  game.ludus_reset(seed, 0, 0);
  for (let over = false; !over && answers.length < 40 * seats; ) {
    const chosen = [];
    for (let seat = 0; seat < seats; seat++) {
      const code = game.ludus_model_run(seat);
      if (code !== 0) throw new Error(JSON.stringify(module.answer()));
      const bytes = (at, length) => hex(new Uint8Array(game.memory.buffer, at, length));
      answers.push({
        logits: bytes(game.ludus_logits(), 4 * options),
        probabilities: bytes(game.ludus_probabilities(), 4 * options),
        value: hex(new Uint8Array(new Float32Array([game.ludus_value()]).buffer)),
      });
      chosen.push(...new Int32Array(game.memory.buffer, game.ludus_best(), heads));
    }
    new Int32Array(game.memory.buffer, game.ludus_actions(), chosen.length).set(chosen);
    over = (game.ludus_step() & 11) !== 0;
  }
  return answers;
}

// what is drawn at the start of an episode: the actions, and the probabilities of the first head under them
function drawn(module, spec, seed) {
  const { game } = module;
  game.ludus_reset(seed, 0, 0);
  if (game.ludus_model_draw(0) !== 0) throw new Error(JSON.stringify(module.answer()));
  const actions = [...new Int32Array(game.memory.buffer, game.ludus_best(), spec.heads.length)];
  const first = [...new Float32Array(game.memory.buffer, game.ludus_probabilities(), spec.heads[0].options.length)];
  return { actions, first };
}

// the likeliest option of the first head is drawn as often as the net says
function draws(module, spec, name) {
  let [sum, spread, odd] = [0, 0, 0];
  for (let seed = 0; seed < 400; seed++) {
    const { actions, first } = drawn(module, spec, seed);
    const most = Math.max(...first);
    sum += (actions[0] === first.indexOf(most) ? 1 : 0) - most;
    spread += most * (1 - most);
    odd += first[actions[0]] > 0 ? 0 : 1;
  }
  check(`${name}: drawn as often as its probabilities say`, odd === 0 && Math.abs(sum) <= 4.5 * Math.sqrt(spread) + 1e-3, `${sum} off, ${Math.sqrt(spread)} is usual, ${odd} impossible`);
  check(`${name}: the same seed draws the same`, JSON.stringify(drawn(module, spec, 7)) === JSON.stringify(drawn(module, spec, 7)));
}

// the variant of a module by its id
function openId(module, id) {
  for (let index = 0; index < module.game.ludus_games(); index++) {
    module.open(index);
    const spec = module.ask("ludus_spec");
    if (spec.id === id) return spec;
  }
  throw new Error(`no variant ${id}`);
}

function refused(module, what, bytes, length, ...want) {
  module.lend(bytes);
  const code = module.game.ludus_model_open(length ?? bytes.length);
  const answer = code === 0 ? {} : module.answer();
  check(what, want.includes(answer.status) && answer.error?.length > 10, JSON.stringify(answer));
}

function damage(module, name, bytes, strange) {
  module.game.ludus_reset(1, 0, 0); // a run that is over leaves nothing to choose
  const cut = (length) => bytes.subarray(0, length);
  refused(module, `${name}: more bytes than are lent`, bytes, bytes.length + 1, "LU_USAGE");
  refused(module, `${name}: a negative length`, bytes, -1, "LU_USAGE");
  refused(module, `${name}: an archive`, Buffer.from("PK\x03\x04nothing"), null, "LU_FOREIGN_FILE", "LU_DAMAGED_FILE", "LU_BAD_DATA");
  for (const length of [0, 7, 8, 100, bytes.length >> 1, bytes.length - 1]) {
    refused(module, `${name}: cut after ${length} bytes`, cut(length), null, "LU_FOREIGN_FILE", "LU_DAMAGED_FILE", "LU_BAD_DATA");
  }
  refused(module, `${name}: the model of another game`, strange, null, "LU_NOT_FOUND", "LU_OTHER_SPEC");
  // a flipped byte is refused or makes another model; it never traps, and what opens can be asked
  let flips = 0;
  for (let k = 1; k <= 300; k++) {
    const flipped = Uint8Array.from(bytes);
    flipped[(k * 2654435761) % (k % 2 ? 2000 : bytes.length)] ^= 1 << k % 8;
    const opened = module.game.ludus_model_open(module.lend(flipped)) === 0;
    flips += opened ? module.game.ludus_model_run(0) >= 0 : module.answer().error.length > 10;
  }
  check(`${name}: flipped bytes`, flips === 300);
  // a model that opened stays open when the next one is refused
  const whole = module.game.ludus_model_open(module.lend(bytes)) === 0;
  refused(module, `${name}: half of it`, cut(bytes.length >> 1), null, "LU_FOREIGN_FILE", "LU_DAMAGED_FILE", "LU_BAD_DATA");
  check(`${name}: the model stays open`, whole && module.game.ludus_model_run(0) === 0);
  check(`${name}: no such seat`, [-1, 99].every((seat) => module.game.ludus_model_run(seat) !== 0));
}

// the vectors of the kernels, where play hardly ever leads
const { game: vectors } = await Module.load(join(folder, "test", "vec_test.wasm"));
const bad = vectors.vec_differences(1 << 20);
check("the vectors have the bits of plain code", bad === 0 && vectors.vec_doubtful() > 1000, `${bad} differ, ${vectors.vec_doubtful()} doubtful`);

const files = (await readdir(models)).filter((file) => file.endsWith(".safetensors")).sort();
const all = await Promise.all(files.map((file) => readFile(join(models, file))));
let last = "";
for (const [k, file] of files.entries()) {
  const name = file.replace(".safetensors", "");
  const want = JSON.parse(await readFile(join(models, `${name}.json`), "utf8"));
  const module = await Module.load(join(folder, `${want.game.split("-")[0]}.wasm`));
  const spec = openId(module, want.game);
  const { game, kind } = module.ask("ludus_model_open", module.lend(all[k]));
  const got = play(module, spec, want.seed);
  const differs = got.findIndex((answer, i) => JSON.stringify(answer) !== JSON.stringify(want.answers[i]));
  check(`${name}: ${got.length} answers have the bits of the program`,
    game === want.game && got.length === want.answers.length && got.length > 0 && differs < 0,
    `answer ${differs}: ${JSON.stringify(got[differs])?.slice(0, 200)} not ${JSON.stringify(want.answers[differs])?.slice(0, 200)}`);
  check(`${name}: the same again`, JSON.stringify(play(module, spec, want.seed)) === JSON.stringify(got));
  if (kind === "policy") draws(module, spec, name);
  if (want.game !== last) {
    const other = files.findIndex((entry) => !entry.startsWith(want.game.split("-")[0]));
    damage(module, want.game, all[k], all[other]);
  }
  last = want.game;
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
