// A game's tools in a worker, for tools.ts: a run holds its thread. A worker gets one compiled module
// and then runs calls one behind the other; a call is ended by ending the worker.
import type { ToolCall } from "../view";
import { GameError, Instance } from "./instance";

export type ToWorker = { module: WebAssembly.Module } | { call: ToolCall };

/** What a worker says; `bytes` is the memory it holds. */
export type FromWorker =
  | { kind: "progress"; share: number; what: string }
  | { kind: "done"; answer: unknown[]; bytes: number }
  | { kind: "failed"; status: string; message: string };

const passes = 0;
const checkFailed = 12; // a check that failed still answers
const everyMs = 50;

const say = (what: FromWorker): void => postMessage(what);
let instance: Promise<Instance> | null = null;
let told = 0;

function tell(share: number, what: string): boolean {
  const now = performance.now();
  if (now - told >= everyMs) {
    told = now;
    say({ kind: "progress", share, what });
  }
  return false;
}

async function run(call: ToolCall): Promise<void> {
  try {
    if (!instance) throw new GameError("LU_USAGE", "the worker has no module");
    const game = await instance;
    const runs = game.calls.ludus_tool_run;
    if (!runs) throw new GameError("LU_OTHER_VERSION", "the game's module has no tools: build it again");
    const status = runs(game.lend(JSON.stringify(call)));
    const answer = JSON.parse(game.text());
    if (status === passes || status === checkFailed) say({ kind: "done", answer, bytes: game.calls.memory.buffer.byteLength });
    else say({ kind: "failed", status: String(answer.status), message: String(answer.error) });
  } catch (cause) {
    // a trap is out of memory or a fault of the module: either way the instance is lost
    const status = cause instanceof GameError ? cause.status : "LU_LIMIT";
    const message = cause instanceof WebAssembly.RuntimeError ? `the tool stopped: ${cause.message}` : cause instanceof Error ? cause.message : String(cause);
    say({ kind: "failed", status, message });
  }
}

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if ("module" in data) instance = Instance.make(data.module, tell);
  else void run(data.call);
});
