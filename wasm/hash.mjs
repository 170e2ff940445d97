// Prints "ID HASH" for each variant of a game's WASM module: the hash of the standard play, to be
// compared with `ludus conform --hash`. Usage: node wasm/hash.mjs build/wasm/GAME.wasm SEED STEPS
import { Module } from "./module.mjs";

const [path, seed, steps] = process.argv.slice(2);
const module = await Module.load(path);
const hex = (value) => (value >>> 0).toString(16).padStart(8, "0");
for (let index = 0; index < module.game.ludus_games(); index++) {
  module.open(index);
  const { id } = module.ask("ludus_spec");
  const low = hex(module.game.ludus_hash(Number(seed), Number(steps), 0));
  console.log(`${id} ${hex(module.game.ludus_hash(0, 0, 1))}${low}`);
}
