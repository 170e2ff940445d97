// How the site is built: one page, a chunk per page and per game's view, everything hashed.
// VITE_API_BASE names a server on another origin; LUDUS_API is where `npm run dev` finds one.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import solid from "vite-plugin-solid";

const api = process.env["LUDUS_API"] ?? "http://127.0.0.1:8321";

/** The licence of the font stands beside it. */
const fontLicence = {
  name: "font-licence",
  generateBundle(this: { emitFile(file: object): void }) {
    const source = readFileSync(new URL("./node_modules/@fontsource-variable/inter/LICENSE", import.meta.url), "utf8");
    this.emitFile({ type: "asset", fileName: "assets/inter-licence.txt", source });
  },
};

export default defineConfig({
  plugins: [solid(), fontLicence],
  // what games' views and pages may name: the site's parts, and the packages of web/
  resolve: { alias: { "ludus/": fileURLToPath(new URL("./src/", import.meta.url)) }, dedupe: ["solid-js"] },
  server: {
    proxy: { "/api": { target: api, ws: true }, "/wasm": api },
    fs: { allow: [".."] },
  },
  build: {
    target: "es2023",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});
