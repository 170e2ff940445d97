// A game's WASM module for node: loads it, and lends and reads texts. A page does the same with
// fetch in place of readFile.
import { readFile } from "node:fs/promises";

export class Module {
  // `progress(share, what)` may answer true to end a tool early
  static async load(path, progress = () => false) {
    const it = new Module();
    // games import nothing; what libc's formatting pulls in is answered with "not supported"
    const unsupported = new Proxy({}, { get: () => () => 52 });
    const { instance } = await WebAssembly.instantiate(await readFile(path), {
      wasi_snapshot_preview1: unsupported,
      ludus: { progress: (share, what, length) => (progress(share, it.read(what, length)) ? 1 : 0) },
    });
    it.game = instance.exports;
    it.game._initialize?.();
    return it;
  }

  read(address, length) {
    return new TextDecoder().decode(new Uint8Array(this.game.memory.buffer, address, length));
  }

  // bytes or a text into the module's buffer; returns their length
  lend(text) {
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    const address = this.game.ludus_take(bytes.length);
    if (bytes.length > 0 && address === 0) throw new Error(`no room for ${bytes.length} bytes`);
    new Uint8Array(this.game.memory.buffer, address, bytes.length).set(bytes);
    return bytes.length;
  }

  answer() {
    return JSON.parse(this.read(this.game.ludus_text(), this.game.ludus_text_length()));
  }

  // the answer of a call that must succeed
  ask(name, ...args) {
    const code = this.game[name](...args);
    if (code !== 0) throw new Error(`${name}: ${JSON.stringify(this.answer())}`);
    return this.answer();
  }

  open(index, settings = null) {
    const code = this.game.ludus_open(index, settings === null ? 0 : this.lend(settings));
    if (code !== 0) throw new Error(`ludus_open: ${JSON.stringify(this.answer())}`);
  }
}
