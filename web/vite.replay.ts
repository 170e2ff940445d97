// The page of one replay (`ludus replay --html`), for the program to fill: Watch's screen and the views
// of all games in one file, dist/replay.html, with script and style inside. Its content security policy
// names both by their hashes, so that a browser runs these and nothing else.
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import solid from "vite-plugin-solid";

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Puts the script and the style into the page, when vite is done with both. */
const onePage: Plugin = {
  name: "one-page",
  enforce: "post",
  generateBundle: {
    order: "post",
    handler(_, bundle) {
      const files = Object.values(bundle);
      const page = files.find((file) => file.fileName.endsWith(".html"));
      const script = files.find((file) => file.type === "chunk");
      const style = files.find((file) => file.fileName.endsWith(".css"));
      if (page?.type !== "asset" || script?.type !== "chunk" || style?.type !== "asset" || files.length !== 3) {
        throw new Error(`the page of a replay is more than a script and a style: ${files.map((file) => file.fileName).join(", ")}`);
      }
      const code = script.code.trim().replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
      const rules = String(style.source).trim();
      const policy = `default-src 'none'; script-src ${hashOf(code)} 'wasm-unsafe-eval'; style-src ${hashOf(rules)}; img-src data: blob:; font-src data:; worker-src blob:; base-uri 'none'; form-action 'none'`;
      page.source = String(page.source)
        .replace(/\s*<script type="module"[^>]*><\/script>/, "")
        .replace(/\s*<link rel="stylesheet"[^>]*>/, () => `\n    <style>${rules}</style>`)
        .replace("@POLICY@", () => policy)
        .replace("</body>", () => `  <script type="module">${code}</script>\n  </body>`);
      delete bundle[script.fileName];
      delete bundle[style.fileName];
    },
  },
};

export default defineConfig({
  mode: "replay",
  plugins: [solid(), onePage],
  publicDir: false,
  resolve: {
    alias: [
      { find: "ludus/", replacement: fileURLToPath(new URL("./src/", import.meta.url)) },
      { find: /^\.\/tool_worker\?worker$/, replacement: `${fileURLToPath(new URL("./src/lib/tool_worker.ts", import.meta.url))}?worker&inline` },
    ],
    dedupe: ["solid-js"],
  },
  build: {
    target: "es2023",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    emptyOutDir: false,
    cssCodeSplit: false,
    assetsInlineLimit: 1 << 20,
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: { input: fileURLToPath(new URL("./replay.html", import.meta.url)), output: { codeSplitting: false }, checks: { pluginTimings: false } },
  },
});
