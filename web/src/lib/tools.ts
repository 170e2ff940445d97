// Tools of games in the page (docs/wasm.md), each run in a worker so that the page stays alive:
//   const [answer] = await runTool("potion", { tool: "solve", settings }, { signal, progress });
// A worker is used again for the next call of its game, unless it failed, was cancelled or holds
// much memory. Calls at the same time get workers of their own. What a page has too little memory for
// is asked of the server, where there is one.
import type { ToolCall } from "../view";
import { alone } from "./alone";
import { api, ApiError } from "./api";
import { GameError } from "./instance";
import { runOnServer } from "./jobs";
import type { FromWorker } from "./tool_worker";
import ToolWorker from "./tool_worker?worker";
import { compile } from "./wasm";

export type { ToolCall } from "../view";

export interface ToolOptions<T = any> {
  /** share done in 0..1, and what is being done */
  progress?: (share: number, what: string) => void;
  /** ends the run; the promise is then refused with the signal's reason */
  signal?: AbortSignal;
  /** false: the page's memory gave no full answer, and the server's is wanted */
  enough?: (documents: T[]) => boolean;
}

const keptBytes = 64 << 20;
const idle = new Map<string, Worker>();
const models = new Map<string, Promise<Uint8Array | null>>();
/** the variant whose model a worker was given */
const given = new WeakMap<Worker, string>();

async function fetchModel(variant: string): Promise<Uint8Array | null> {
  const entry = (await api.models()).find((one) => !one.run_id && one.name === variant && one.game === variant);
  return entry ? api.model(entry) : null;
}

/** The published model of a variant, asked for once; null: there is none, or no server. */
function modelOf(variant: string): Promise<Uint8Array | null> {
  let model = models.get(variant);
  if (!model) models.set(variant, (model = alone ? Promise.resolve(null) : fetchModel(variant).catch(() => null)));
  return model;
}

async function workerOf(game: string): Promise<Worker> {
  const waiting = idle.get(game);
  if (waiting) {
    idle.delete(game);
    return waiting;
  }
  const module = await compile(game);
  const worker = new ToolWorker({ name: `${game} tools` });
  worker.postMessage({ module });
  return worker;
}

function keep(game: string, worker: Worker, bytes: number): void {
  worker.onmessage = worker.onerror = null;
  if (bytes > keptBytes || idle.has(game)) worker.terminate();
  else idle.set(game, worker);
}

/** The documents that a tool of a game gives in the page. */
async function runHere<T>(game: string, call: ToolCall, { progress, signal }: ToolOptions<T>): Promise<T[]> {
  signal?.throwIfAborted();
  const model = call.agent ? await modelOf(call.agent) : null;
  const worker = await workerOf(game);
  if (model && call.agent && given.get(worker) !== call.agent) {
    worker.postMessage({ model, variant: call.agent });
    given.set(worker, call.agent);
  }
  return new Promise<T[]>((done, fail) => {
    const lost = (cause: unknown): void => {
      worker.terminate();
      fail(cause);
    };
    const stop = (): void => lost(signal?.reason);
    worker.onerror = () => lost(new GameError("LU_FAILED", "the worker of the tool could not start"));
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.kind === "progress") return progress?.(data.share, data.what);
      signal?.removeEventListener("abort", stop);
      if (data.kind === "failed") return lost(new GameError(data.status, data.message));
      keep(game, worker, data.bytes);
      done(data.answer as T[]);
    };
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) stop();
    else worker.postMessage({ call });
  });
}

const isTooLarge = (cause: unknown): cause is GameError => cause instanceof GameError && cause.status === "LU_LIMIT";

/** The documents that a tool of a game gives, or a GameError with its sentence. */
export async function runTool<T = any>(game: string, call: ToolCall, options: ToolOptions<T> = {}): Promise<T[]> {
  const here = await runHere<T>(game, call, options).catch((cause: unknown) => {
    if (isTooLarge(cause)) return cause;
    throw cause;
  });
  if (!(here instanceof GameError) && (options.enough?.(here) ?? true)) return here;
  try {
    return await runOnServer<T>(game, call, options);
  } catch (cause) {
    options.signal?.throwIfAborted();
    if (!(here instanceof GameError)) return here; // as far as the page came
    if (!(cause instanceof ApiError)) throw cause;
    throw new GameError("LU_LIMIT", `${here.message}; no server does it either: ${cause.message}`);
  }
}
