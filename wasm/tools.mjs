// Tests of what a game's WASM module offers to a page: opening, playing, states, tools, and bad
// input of every kind. Usage: node wasm/tools.mjs build/wasm games build/release/ludus
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Module } from "./module.mjs";

const [folder, games, ludus] = process.argv.slice(2);
let passed = 0;
let failed = 0;

function check(what, good, detail = "") {
  good ? passed++ : failed++;
  console.log(`${good ? "ok" : "FAIL"} ${what}${good ? "" : `: ${detail}`}`);
}

// a call that must be refused with this status, in one sentence, leaving the state as it was
function refused(module, what, name, want, ...args) {
  const hash = `${module.game.ludus_state_hash(1)},${module.game.ludus_state_hash(0)}`;
  const code = module.game[name](...args);
  const answer = code === 0 ? {} : module.answer();
  const same = hash === `${module.game.ludus_state_hash(1)},${module.game.ludus_state_hash(0)}`;
  check(what, answer.status === want && answer.error?.length > 10 && same, JSON.stringify(answer));
}

const native = (...args) => execFileSync(ludus, args, { encoding: "utf8", maxBuffer: 1 << 28 });

function closed(module, name) {
  const { game } = module;
  for (const call of ["ludus_spec", "ludus_forms", "ludus_info"]) refused(module, `${name}: ${call} while closed`, call, "LU_USAGE");
  refused(module, `${name}: reset while closed`, "ludus_reset", "LU_USAGE", 1, 0, 0);
  refused(module, `${name}: state while closed`, "ludus_state_json", "LU_USAGE", 0);
  refused(module, `${name}: from_json while closed`, "ludus_from_json", "LU_USAGE", 0);
  refused(module, `${name}: determinise while closed`, "ludus_determinise", "LU_USAGE", 0, 1, 2);
  refused(module, `${name}: model while closed`, "ludus_model_open", "LU_USAGE", 0);
  refused(module, `${name}: thinking while closed`, "ludus_model_run", "LU_USAGE", 0);
  const quiet = game.ludus_observation() === 0 && game.ludus_mask() === 0 && game.ludus_actions() === 0;
  const zero = game.ludus_reward(0) === 0 && game.ludus_to_move() === 0 && game.ludus_step() === 8;
  check(`${name}: nothing to see while closed`, quiet && zero && game.ludus_logits() === 0 && game.ludus_best() === 0);
}

function opening(module, name) {
  for (const index of [-1, 99, 0x7fffffff, -0x80000000]) {
    refused(module, `${name}: variant ${index}`, "ludus_open", "LU_NOT_FOUND", index, 0);
  }
  module.game.ludus_take(8);
  for (const length of [9, -1, 0x7fffffff, -0x80000000]) {
    refused(module, `${name}: settings of ${length} lent bytes`, "ludus_open", "LU_USAGE", 0, length);
  }
  refused(module, `${name}: settings without braces`, "ludus_open", "LU_BAD_DATA", 0, module.lend("[1]"));
  refused(module, `${name}: an unknown setting`, "ludus_open", "LU_UNKNOWN_KEY", 0, module.lend('{"nosuch":1}'));
  refused(module, `${name}: broken JSON`, "ludus_open", "LU_BAD_DATA", 0, module.lend('{"a":'));
  check(`${name}: no buffer below 1 or above 256 MiB`,
    [0, -1, -0x80000000, (1 << 28) + 1, 0x7fffffff].every((n) => module.game.ludus_take(n) === 0));
}

// the specification, states and hidden things, against the native program
function playing(module, name) {
  const spec = module.ask("ludus_spec");
  const program = JSON.parse(native("spec", spec.id, "--json"));
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  check(`${name}: the specification is that of the program`,
    Object.keys(spec).length > 5 && Object.keys(spec).every((key) => same(spec[key], program[key])), spec.id);
  check(`${name}: so are the settings`, same(module.ask("ludus_forms").settings, program.settings));
  const { game } = module;
  check(`${name}: reset`, game.ludus_reset(5, 0, 0) === 0);
  refused(module, `${name}: an unknown option of reset`, "ludus_reset", "LU_UNKNOWN_KEY", 1, 0, module.lend('{"nosuch":1}'));
  refused(module, `${name}: options beyond what is lent`, "ludus_reset", "LU_USAGE", 1, 0, 1 << 20);
  for (const seat of [-2, 8, 99, 0x7fffffff]) {
    refused(module, `${name}: state of seat ${seat}`, "ludus_state_json", "LU_NOT_FOUND", seat);
    refused(module, `${name}: hidden things of seat ${seat}`, "ludus_determinise", "LU_NOT_FOUND", seat, 1, 2);
  }
  check(`${name}: somebody is to move`, game.ludus_to_move() > 0);

  // illegal numbers have the effect the game defines
  const heads = spec.heads.length;
  for (const wild of [-1, 0x7fffffff, -0x80000000]) {
    new Int32Array(game.memory.buffer, game.ludus_actions(), heads).fill(wild);
    check(`${name}: action ${wild}`, [4, 5, 6, 8].includes(game.ludus_step()));
  }
  game.ludus_reset(5, 0, 0);
  const everything = JSON.stringify(module.ask("ludus_state_json", -1));
  const hash = () => [game.ludus_state_hash(0), game.ludus_state_hash(1)].join();
  const before = hash();
  const seen = JSON.stringify(module.ask("ludus_state_json", 0));
  game.ludus_determinise(0, 7, 0);
  const drawn = hash();
  check(`${name}: hidden things drawn anew show nothing`, JSON.stringify(module.ask("ludus_state_json", 0)) === seen);
  check(`${name}: the state comes back from JSON`,
    game.ludus_from_json(module.lend(everything)) === 0 && hash() === before, `${before} ${drawn}`);
  const info = module.ask("ludus_info");
  check(`${name}: info has the fields of the specification`, Object.keys([info].flat()[0]).length === spec.info.length);
  for (const text of ["", "{", "[]", "7", "\u0000", "[".repeat(70)]) {
    refused(module, `${name}: the state ${JSON.stringify(text).slice(0, 16)}`, "ludus_from_json", "LU_BAD_DATA", module.lend(text));
  }
  // states with one character changed are refused or are states that play on; none traps
  let storm = 0;
  for (let k = 1; k <= 400; k++) {
    const at = (k * 2654435761) % everything.length;
    const text = everything.slice(0, at) + "0123456789-.e,[]{}"[k % 18] + everything.slice(at + 1);
    const code = game.ludus_from_json(module.lend(text));
    new Int32Array(game.memory.buffer, game.ludus_actions(), heads).fill(k % 5);
    storm += code === 0 ? game.ludus_step() >= 0 : module.answer().error.length > 10;
  }
  check(`${name}: states with a wrong character`, storm === 400);
  refused(module, `${name}: a state beyond what is lent`, "ludus_from_json", "LU_USAGE", 1 << 27);
}

// an option of reset changes the start, and is refused outside its range
function options(module, name) {
  const [[key, row] = []] = Object.entries(module.ask("ludus_forms").options.properties ?? {});
  if (key === undefined) return;
  const start = (value) => {
    const code = module.game.ludus_reset(5, 0, module.lend(JSON.stringify({ [key]: value })));
    return code === 0 ? module.ask("ludus_state_json", -1)[key] : null;
  };
  const text = row.type === "string";
  const half = row.type === "integer" ? Math.floor(row.maximum / 2) : row.maximum / 2;
  const [one, other, beyond] = text ? ["SEED", "A1", JSON.stringify("A".repeat(200))] : [half, 0, 2 * row.maximum];
  const fewer = () => module.answer().status === "LU_BAD_VALUE"; // the open settings may allow
  check(`${name}: reset takes ${key}`, (start(one) === one || fewer()) && start(other) === other);
  refused(module, `${name}: ${key} out of range`, "ludus_reset", "LU_BAD_VALUE", 5, 0, module.lend(`{"${key}":${beyond}}`));
  refused(module, `${name}: ${key} as a list`, "ludus_reset", "LU_BAD_DATA", 5, 0, module.lend(`{"${key}":[1]}`));
}

const call = (module, value) => module.game.ludus_tool_run(module.lend(JSON.stringify(value)));

async function tools(module, name) {
  const list = module.ask("ludus_tools");
  check(`${name}: tools are listed with their settings`,
    list.every((tool) => tool.game === name && tool.sentence && tool.settings.type === "object" && "agent" in tool), JSON.stringify(list));
  const bad = [
    ["[]", "LU_BAD_DATA"], ["{}", "LU_BAD_DATA"], ['{"tool":3}', "LU_BAD_DATA"], ['{"tool":"nosuch"}', "LU_NOT_FOUND"],
    ['{"tool":"verify","more":1}', "LU_UNKNOWN_KEY"], ['{"tool"', "LU_BAD_DATA"], ["", "LU_BAD_DATA"],
  ];
  for (const [text, want] of bad) refused(module, `${name}: the call ${text}`, "ludus_tool_run", want, module.lend(text));
  refused(module, `${name}: a call beyond what is lent`, "ludus_tool_run", "LU_USAGE", 1 << 20);
  if (!list.some((tool) => tool.name === "verify")) return;
  const more = [
    [{ tool: "verify", inputs: 5 }, "LU_BAD_DATA"], [{ tool: "verify", inputs: [{ name: "a" }] }, "LU_BAD_DATA"],
    [{ tool: "verify", inputs: [5] }, "LU_BAD_DATA"], [{ tool: "verify", settings: [] }, "LU_BAD_DATA"],
    [{ tool: "verify", settings: { nosuch: 1 } }, "LU_UNKNOWN_KEY"], [{ tool: "verify", settings: { a: [] } }, "LU_UNKNOWN_KEY"],
    [{ tool: "verify", inputs: Array(1025).fill({ name: "a", text: "" }) }, "LU_LIMIT"],
    [{ tool: "verify", inputs: [{ name: "a", text: "nonsense" }] }, "LU_BAD_DATA"],
  ];
  for (const [value, want] of more) {
    refused(module, `${name}: the call ${JSON.stringify(value).slice(0, 50)}`, "ludus_tool_run", want, module.lend(JSON.stringify(value)));
  }
  await verify(module, name);
}

// the recorded vectors, as `ludus verify` judges them; then stopped by the host
async function verify(module, name) {
  const vectors = join(games, name, "vectors");
  const files = (await readdir(vectors)).filter((file) => /jsonl?(\.gz)?$/.test(file)).sort();
  const inputs = [];
  for (const file of files) {
    const bytes = await readFile(join(vectors, file));
    inputs.push({ name: join(vectors, file), text: (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString() });
  }
  const code = call(module, { tool: "verify", settings: {}, inputs });
  const cases = module.answer().filter?.((line) => "ok" in line) ?? [];
  const want = native("verify", name, ...inputs.map((input) => input.name), "--json").trim().split("\n")
    .map((line) => JSON.parse(line)).filter((line) => "ok" in line);
  check(`${name}: verify answers as the program does`,
    code === 0 && cases.length > 0 && JSON.stringify(cases) === JSON.stringify(want), JSON.stringify(module.answer()).slice(0, 300));
  let told = 0;
  const other = await Module.load(join(folder, `${name}.wasm`), () => ++told > 2);
  call(other, { tool: "verify", inputs });
  check(`${name}: the host stops a run`, other.answer().status === "LU_INTERRUPTED" && told === 3, JSON.stringify(other.answer()).slice(0, 200));
}

// what tools that ask a trained agent are asked
const questions = {
  craft: {
    optimize: { settings: { base: "Ruby Ring", ilvl: 60, want: "T6 life", actions: "orb_of_transmutation,orb_of_augmentation", episodes: 10, spread: "off" } },
    measure: { settings: { targets: 1, episodes: 5 } },
  },
  joker: { advise: { settings: { samples: 10 }, text: '{"phase":3,"money":22,"jokers":["j_joker"],"shop":[{"joker":{"key":"j_duo"},"price":8}]}' } },
};

// with the model of its variant open, a tool answers as the program does with the same file, bit for bit
async function agents(module, name) {
  for (const { name: tool, agent } of module.ask("ludus_tools").filter((one) => one.agent !== null)) {
    const question = questions[name][tool];
    const place = await mkdtemp(join(tmpdir(), "ludus-tools-"));
    const [state, model] = [join(place, "state.json"), join(place, `${agent}.safetensors`)];
    const inputs = question.text ? [{ name: "state", text: question.text }] : [];
    if (question.text) await writeFile(state, question.text);
    execFileSync(join(dirname(ludus), "make_model"), [place, agent]);
    const ask = () => {
      const code = call(module, { tool, settings: question.settings, inputs });
      return code === 0 ? module.answer()[0] : module.answer();
    };
    module.open(0);
    const alone = ask();
    let index = 0;
    while (module.open(index), module.ask("ludus_spec").id !== agent) index++;
    module.ask("ludus_model_open", module.lend(await readFile(model)));
    const got = ask();
    const flags = Object.entries(question.settings).flatMap(([key, value]) => [`--${key}`, String(value)]);
    const want = JSON.parse(native(name, tool, ...(question.text ? [state] : []), ...flags, "--agent", model, "--json"));
    // without what a host calls the model, and how long it took
    const plain = (answer) => JSON.stringify({ ...answer, words: [] }, (key, value) => (["model", "seconds"].includes(key) ? 0 : key === "agent" && value?.length ? "" : value));
    check(`${name}: ${tool} asks nobody while no model is open`, (alone.agent ?? null) === null, JSON.stringify(alone).slice(0, 300));
    check(`${name}: ${tool} asks the open model`, (got.agent?.model ?? got.agent) === agent && plain(got) === plain(want), JSON.stringify(got).slice(0, 600));
    await rm(place, { recursive: true });
  }
}

for (const file of (await readdir(folder)).filter((entry) => entry.endsWith(".wasm")).sort()) {
  const name = basename(file, ".wasm");
  const module = await Module.load(join(folder, file));
  closed(module, name);
  opening(module, name);
  for (let index = 0; index < module.game.ludus_games(); index++) {
    module.open(index);
    playing(module, name);
    options(module, name);
  }
  await tools(module, name);
  await agents(module, name);
}
// a tool that uses threads where there are some, and that takes a file: as the program does it
async function strain() {
  const place = await mkdtemp(join(tmpdir(), "ludus-tools-"));
  const [text, file] = ["gold 5\n", join(place, "prices.txt")];
  await writeFile(file, text);
  const module = await Module.load(join(folder, "test", "house.wasm"));
  const settings = { threads: 4, "old.rounds": 1000, data: { name: file, text } };
  const code = call(module, { tool: "strain", settings, inputs: [{ name: "a", text: "b" }] });
  await writeFile(join(place, "a"), "b");
  const flags = ["house", "strain", join(place, "a"), "--threads", "3", "--rounds", "1000", "--data", file, "--json"];
  const want = JSON.parse(execFileSync(join(dirname(ludus), "probes_ludus"), flags, { encoding: "utf8" }));
  check("house: a tool with threads and a file answers as the program does", code === 0 && JSON.stringify(module.answer()) === JSON.stringify([want]), JSON.stringify(module.answer()));
  for (const data of [file, { name: file, hash: "0123456789abcdef" }]) {
    call(module, { tool: "strain", settings: { data } });
    check("house: no path is read in a page", module.answer().error?.includes("no path is read here"), JSON.stringify(module.answer()));
  }
  await rm(place, { recursive: true });
}

await strain();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
