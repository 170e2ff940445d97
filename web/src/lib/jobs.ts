// Tools of games on the server (docs/server.md), for what is too large for a page: a job is started,
// its progress is told, and whoever loses interest ends it.
import type { ToolCall } from "../view";
import { ApiError, ask, url } from "./api";
import { GameError } from "./instance";

interface Job {
  id: string;
  state: "queued" | "running" | "done" | "failed" | "cancelled";
  share: number;
  what: string;
  answer?: unknown[];
  problem?: { detail: string };
}

export interface Told {
  progress?: (share: number, what: string) => void;
  signal?: AbortSignal;
}

const waitSeconds = 2;
const lookMs = 300;

const later = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** A host without a server answers with its page. */
function isJson(response: Response): boolean {
  return /json/.test(response.headers.get("content-type") ?? "");
}

/** The body of a call. The page's bound of memory is not the server's; an agent is asked where the page would ask one. */
function bodyOf({ settings = {}, inputs = [], agent }: ToolCall): string {
  const { memory: _, ...rest } = settings;
  return JSON.stringify({ settings: agent ? rest : { ...rest, agent: "none" }, inputs });
}

/** Looks at a job until it has ended; an abort ends it. */
async function follow<T>(path: string, { progress, signal }: Told): Promise<T[]> {
  for (;;) {
    await later(lookMs);
    if (signal?.aborted) {
      void ask(url(path), { method: "DELETE" }).catch(() => undefined);
      throw signal.reason;
    }
    const job = (await (await ask(url(path))).json()) as Job;
    progress?.(job.share, job.what);
    if (job.state === "done") return job.answer as T[];
    if (job.state === "failed") throw new GameError("LU_FAILED", job.problem?.detail ?? "the job has failed");
    if (job.state === "cancelled") throw new GameError("LU_INTERRUPTED", "the job was ended on the server");
  }
}

/** The documents that a tool gives on the server. An ApiError tells why there is no such server. */
export async function runOnServer<T = any>(game: string, call: ToolCall, told: Told = {}): Promise<T[]> {
  const path = `/api/v1/games/${encodeURIComponent(game)}/tools/${encodeURIComponent(call.tool)}`;
  const response = await ask(url(path, { wait: waitSeconds }), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: bodyOf(call),
    ...(told.signal ? { signal: told.signal } : {}),
  });
  if (!isJson(response)) throw new ApiError("offline", "there is no ludus server at this address");
  if (response.status === 202) return follow<T>(`/api/v1/jobs/${((await response.json()) as Job).id}`, told);
  const lines = (await response.text()).split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as T);
}
