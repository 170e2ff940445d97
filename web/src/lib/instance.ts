// One instance of a game's compiled module, in the page or in a worker. Texts and bytes go in through
// one lent buffer, answers come out as JSON.

type Call = (...args: number[]) => number;
export type Exports = { memory: WebAssembly.Memory; _initialize?: () => void } & Record<`ludus_${string}`, Call>;

export class GameError extends Error {
  constructor(
    readonly status: string,
    message: string,
  ) {
    super(message);
    this.name = "GameError";
  }
}

/** Told by running tools: share done, and of what; true ends the tool. */
export type Progress = (share: number, what: string) => boolean;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export class Instance {
  private constructor(readonly calls: Exports) {}

  static async make(module: WebAssembly.Module, progress: Progress = () => false): Promise<Instance> {
    // games import nothing; what libc's formatting pulls in is answered with "not supported"
    const unsupported = new Proxy({}, { get: () => () => 52 });
    const instance = await WebAssembly.instantiate(module, {
      wasi_snapshot_preview1: unsupported as WebAssembly.ModuleImports,
      ludus: {
        progress: (share: number, address: number, length: number) =>
          progress(share, decoder.decode(new Uint8Array(calls.memory.buffer, address, length))) ? 1 : 0,
      },
    });
    const calls = instance.exports as unknown as Exports;
    calls._initialize?.();
    return new Instance(calls);
  }

  bytes(address: number, length: number): Uint8Array {
    return new Uint8Array(this.calls.memory.buffer, address, length);
  }

  /** Bytes or a text into the module's buffer; returns their length. */
  lend(what: string | Uint8Array): number {
    const bytes = typeof what === "string" ? encoder.encode(what) : what;
    if (bytes.length === 0) return 0;
    const address = this.calls.ludus_take!(bytes.length);
    if (address === 0) throw new GameError("LU_LIMIT", `there is no room for ${bytes.length} bytes`);
    this.bytes(address, bytes.length).set(bytes);
    return bytes.length;
  }

  text(): string {
    return decoder.decode(this.bytes(this.calls.ludus_text!(), this.calls.ludus_text_length!()));
  }

  /** The answer of a call, or a GameError with the module's sentence. */
  ask<T = any>(name: `ludus_${string}`, ...args: number[]): T {
    this.must(name, ...args);
    return JSON.parse(this.text()) as T;
  }

  /** A call without an answer, or a GameError. */
  must(name: `ludus_${string}`, ...args: number[]): void {
    const call = this.calls[name];
    if (!call) throw new GameError("LU_OTHER_VERSION", `the game's module has no ${name}: build it again`);
    if (call(...args) !== 0) {
      const { status, error } = JSON.parse(this.text());
      throw new GameError(String(status), String(error));
    }
  }
}
