// The page's reader of replay files (docs/replay-format.md): both versions, and bytes that are no replay.
// Usage: node web/tests/replay.mjs
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { createServer } from "vite";
import { check, finish, project } from "./helper.mjs";

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** A thought as both versions store it. */
function thoughtBytes({ value, entropy, top }) {
  const bytes = Buffer.alloc(9 + 8 * top.length);
  bytes.writeFloatLE(value, 0);
  bytes.writeFloatLE(entropy, 4);
  bytes[8] = top.length;
  top.forEach(({ option, probability }, k) => {
    bytes.writeInt32LE(option, 9 + 8 * k);
    bytes.writeFloatLE(probability, 13 + 8 * k);
  });
  return bytes;
}

/** A file of two decisions of two seats with one head; checks are the program's business. */
function fileOf(version, thoughts, change = () => {}) {
  const plain = (text) => [Buffer.from(text), Buffer.byteLength(text)];
  const packed = (bytes) => [zstdCompressSync(bytes), bytes.length];
  const parts = [plain("duet-v1"), plain('{"rounds":2}'), plain(""), packed(Buffer.from([0, 1, 2, 0])), [Buffer.alloc(16, 7), 16], packed(thoughts)];
  const head = Buffer.alloc(136);
  head.set([0x8c, 0x4c, 0x55, 0x52, 0x45, 0x50, 0x0d, 0x0a]);
  head.writeUInt32LE(version, 8);
  head.writeUInt32LE(3, 12);
  head.writeBigUInt64LE(5n, 32);
  head.writeBigUInt64LE(2n, 40);
  head.writeUInt16LE(2, 48);
  head.writeUInt16LE(1, 50);
  head.writeUInt32LE(64, 52);
  parts.forEach(([stored, unpacked], p) => {
    head.writeUInt32LE(stored.length, 56 + 12 * p);
    head.writeUInt32LE(unpacked, 60 + 12 * p);
  });
  const all = Buffer.concat([head, ...parts.map(([stored]) => stored), Buffer.alloc(8)]);
  all.writeUInt32LE(all.length, 128);
  change(all);
  return new Uint8Array(all);
}

const vite = await createServer({ root: join(project, "web"), configFile: join(project, "web", "vite.config.ts"), logLevel: "error", server: { middlewareMode: true, hmr: false, watch: null }, appType: "custom", optimizeDeps: { noDiscovery: true } });
const { readReplay } = await vite.ssrLoadModule("/src/lib/replay.ts");
const one = { value: 0.5, entropy: 1, win: null, top: [{ option: 1, probability: 0.75 }, { option: 0, probability: 0.25 }] };
const other = { value: -0.5, entropy: 0, win: null, top: [{ option: 2, probability: 1 }] };
const [a, b] = [thoughtBytes(one), thoughtBytes(other)];

const second = readReplay(fileOf(2, Buffer.concat([Buffer.from([3]), a, b, Buffer.from([2]), b])));
check("version 2: settings, seed and actions of both seats", second.gameId === "duet-v1" && same(second.settings, { rounds: 2 }) && second.seed === 5n && same([...second.actions], [0, 1, 2, 0]), second.settings);
check("version 2: a thought or none for every seat", second.thoughtsBySeat && same(second.thoughts, [[one, other], [null, other]]), second.thoughts);
const wins = Buffer.alloc(16);
[0.25, 0.75, NaN, 0.5].forEach((win, k) => wins.writeFloatLE(win, 4 * k));
const foreseen = readReplay(fileOf(2, Buffer.concat([Buffer.from([3]), a, b, Buffer.from([2]), b, wins]), (bytes) => bytes.writeUInt32LE(11, 12)));
check("version 2: how likely each seat wins", same(foreseen.thoughts, [[{ ...one, win: 0.25 }, { ...other, win: 0.75 }], [null, { ...other, win: 0.5 }]]), foreseen.thoughts);
const first = readReplay(fileOf(1, Buffer.concat([a, b])));
check("version 1: one thought per decision", !first.thoughtsBySeat && same(first.thoughts, [[one], [other]]), first.thoughts);
const many = { value: 0, entropy: 0, top: Array.from({ length: 9 }, () => ({ option: 0, probability: 0 })) };
const bad = {
  "of version 3": [fileOf(3, a), /newer version/],
  "that thinks for a third seat": [fileOf(2, Buffer.concat([Buffer.from([4]), a, Buffer.from([0])])), /of a seat that does not exist/],
  "whose thoughts end early": [fileOf(2, Buffer.concat([Buffer.from([3]), a])), /cut off/],
  "with a thought too many": [fileOf(2, Buffer.concat([Buffer.from([0]), Buffer.from([0]), a])), /too many/],
  "of version 1 with nine options": [fileOf(1, Buffer.concat([thoughtBytes(many), a])), /cut off/],
  "with nine seats": [fileOf(2, Buffer.from([0, 0]), (bytes) => bytes.writeUInt16LE(9, 48)), /impossible/],
  "that is cut": [fileOf(2, Buffer.from([0, 0])).subarray(0, 150), /cut off|damaged/],
  "that is none": [new Uint8Array(200), /a replay file/],
};
for (const [what, [bytes, sentence]] of Object.entries(bad)) {
  let said = "nothing";
  try {
    readReplay(bytes);
  } catch (cause) {
    said = cause.message;
  }
  check(`a file ${what} is refused`, sentence.test(said), said);
}
await vite.close();
finish();
