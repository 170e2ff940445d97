// A game's WASM module in the page (docs/wasm.md): fetched and compiled once per game.
import { API_BASE, ApiError } from "./api";
import { GameError } from "./instance";

export { GameError, Instance } from "./instance";

const compiled = new Map<string, Promise<WebAssembly.Module>>();

async function fetchModule(address: string): Promise<WebAssembly.Module> {
  const response = await fetch(address).catch(() => {
    throw new ApiError("offline", "the server does not answer");
  });
  if (!response.ok || (response.headers.get("content-type") ?? "").includes("html")) {
    throw new GameError("LU_NOT_FOUND", "this game has no build for the browser");
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Takes a module that the page has in itself. */
export function bring(name: string, bytes: BufferSource): void {
  compiled.set(name, WebAssembly.compile(bytes));
}

/** The module of a game by its folder's name: from the site's own origin, else from the server. */
export function compile(name: string): Promise<WebAssembly.Module> {
  const file = `/wasm/${encodeURIComponent(name)}.wasm`;
  let module = compiled.get(name);
  if (!module) {
    module = fetchModule(file).catch((cause) => (API_BASE ? fetchModule(`${API_BASE}${file}`) : Promise.reject(cause)));
    module.catch(() => compiled.delete(name));
    compiled.set(name, module);
  }
  return module;
}
