// Prints "ID HASH" for each variant of a game's WASM module: the hash of the standard play, to be
// compared with `ludus conform --hash`. Usage: node wasm/hash.mjs build/wasm/GAME.wasm SEED STEPS
import { readFile } from "node:fs/promises";

const [path, seed, steps] = process.argv.slice(2);
// games import nothing; what libc's formatting pulls in is answered with "not supported"
const unsupported = new Proxy({}, { get: () => () => 52 });
const { instance } = await WebAssembly.instantiate(await readFile(path), {
  wasi_snapshot_preview1: unsupported,
});
const game = instance.exports;
game._initialize?.();
const hex = (value) => (value >>> 0).toString(16).padStart(8, "0");
for (let index = 0; index < game.ludus_games(); index++) {
  if (game.ludus_open(index, 0, 0) !== 0) throw new Error(`variant ${index} does not open`);
  const length = game.ludus_spec();
  const bytes = new Uint8Array(game.memory.buffer, game.ludus_text(), length);
  const { id } = JSON.parse(new TextDecoder().decode(bytes));
  const low = hex(game.ludus_hash(Number(seed), Number(steps), 0));
  console.log(`${id} ${hex(game.ludus_hash(0, 0, 1))}${low}`);
}
