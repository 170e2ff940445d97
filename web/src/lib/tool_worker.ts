// A game's tools in a worker, for tools.ts: a run holds its thread. A worker gets one compiled module
// and then runs calls one behind the other; a call is ended by ending the worker.
import type { ToolCall } from "../view";
import { GameError, Instance } from "./instance";

export type ToWorker = { module: WebAssembly.Module } | { model: Uint8Array; variant: string } | { call: ToolCall };

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
let opened: Promise<void> = Promise.resolve(); // the model, before the call behind it
let told = 0;

function tell(share: number, what: string): boolean {
  const now = performance.now();
  if (now - told >= everyMs) {
    told = now;
    say({ kind: "progress", share, what });
  }
  return false;
}

/** Opens a variant with its model. One that this module cannot read is as none: the tool says that it asked nobody. */
async function open(model: Uint8Array, variant: string): Promise<void> {
  try {
    const game = await instance;
    for (let index = 0; game && index < game.calls.ludus_games!(); index++) {
      game.must("ludus_open", index, 0);
      if (game.ask<{ id: string }>("ludus_spec").id === variant) return game.must("ludus_model_open", game.lend(model));
    }
  } catch {
    return;
  }
}

async function run({ tool, settings, inputs }: ToolCall): Promise<void> {
  try {
    if (!instance) throw new GameError("LU_USAGE", "the worker has no module");
    await opened;
    const game = await instance;
    const runs = game.calls.ludus_tool_run;
    if (!runs) throw new GameError("LU_OTHER_VERSION", "the game's module has no tools: build it again");
    const status = runs(game.lend(JSON.stringify({ tool, settings, inputs })));
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
  else if ("model" in data) opened = open(data.model, data.variant);
  else void run(data.call);
});
