// The static build on another origin than the server: HTTP, server-sent events and modules by CORS,
// and a server that asks for its token.
// Usage: node web/tests/elsewhere.mjs LUDUS
import { createServer } from "node:http";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { build } from "vite";
import { browser, check, finish, folder, holds, project, serve, train, visit } from "./helper.mjs";

const [ludus] = process.argv.slice(2);
const kinds = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json" };

/** Any static host: files, and index.html for paths without a dot. */
function host(dist) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://host");
    const file = join(dist, pathname);
    const found = file.startsWith(dist) && extname(file) && existsSync(file) ? file : extname(pathname) ? null : join(dist, "index.html");
    response.writeHead(found ? 200 : 404, { "content-type": kinds[extname(found ?? "")] ?? "text/plain" });
    response.end(found ? readFileSync(found) : "not found");
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done({ address: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() })));
}

async function site(api) {
  const dist = folder();
  process.env.VITE_API_BASE = api;
  await build({ root: join(project, "web"), configFile: join(project, "web", "vite.config.ts"), logLevel: "error", build: { outDir: dist, emptyOutDir: true } });
  return dist;
}

const runs = folder();
train(ludus, runs, "cartpole", "70k", "70k");
const it = await browser();

// the site's address must be known to the server, the server's to the site
const dist = folder();
const pages = await host(dist);
const server = await serve(ludus, runs, "--allow-origin", pages.address);
const built = await site(server.address);
cpSync(built, dist, { recursive: true });
try {
  const first = await visit(it, `${pages.address}/watch`);
  await first.page.getByText("every hash agreed").first().waitFor({ state: "attached" });
  await holds("a static host shows the server's newest replay", async () => /^Cart and Pole: Window/.test(await first.page.locator("h1").textContent()));
  await first.page.goto(`${pages.address}/runs`);
  await first.page.locator('a[href^="/runs/20"]').first().waitFor();
  check("and its runs, by a path of its own", true);
  check("nothing went wrong in the page", first.wrong.filter((text) => !/404/.test(text)).length === 0, first.wrong);
  await first.context.close();

  const second = await visit(it, `${pages.address}/watch`, {});
  await second.page.route(`${server.address}/**`, (route) => route.abort());
  await second.page.goto(`${pages.address}/runs`);
  await second.page.getByText("the server does not answer").waitFor();
  check("a server that cannot be reached is told", true);
  await second.context.close();

  const secret = join(folder(), "token");
  writeFileSync(secret, "correct-horse-battery-staple\n", { mode: 0o600 });
  const locked = await serve(ludus, runs, "--token-file", secret);
  const third = await visit(it, `${locked.address}/watch`);
  await third.page.getByText("This server requires a token").waitFor();
  await third.page.getByLabel("Token").fill("wrong");
  await third.page.getByRole("button", { name: "Continue" }).click();
  await third.page.getByText("This server requires a token").waitFor();
  await third.page.getByLabel("Token").fill("correct-horse-battery-staple");
  await third.page.getByRole("button", { name: "Continue" }).click();
  await third.page.getByText("every hash agreed").first().waitFor({ state: "attached" });
  check("the token opens a locked server", true);
  await third.context.close();
  const fourth = await visit(it, `${locked.address}/watch#token=correct-horse-battery-staple`);
  await fourth.page.getByText("every hash agreed").first().waitFor({ state: "attached" });
  await holds("so does an address that carries it, which forgets it", async () => !fourth.page.url().includes("token"));
  await fourth.context.close();
  await locked.stop();
} catch (error) {
  check("the visit comes to its end", false, error.stack ?? String(error));
} finally {
  await it.close();
  await server.stop();
  pages.stop();
}
finish();
