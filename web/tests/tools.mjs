// Tools that are too large for a page: the brewing page asks the server, tells its progress, ends the
// job with its question, and says so where there is no server; the page of seeds asks it too. The modules
// of these pages may take little memory, or their worker is replaced by one that proves nothing.
// Usage: node web/tests/tools.mjs LUDUS
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { browser, check, finish, folder, holds, project, reads, say, serve, visit } from "./helper.mjs";

const [ludus] = process.argv.slice(2);
const settings = (request) => JSON.parse(request.postData()).settings;
const worker = /\/assets\/tool_worker-[^/]*\.js$/;
const tools = /\/api\/v1\/games\/(potion|joker)\/tools\/(solve|seed)\?/;
const unsure = `onmessage = ({ data }) => "call" in data && postMessage({ kind: "done", bytes: 1, answer: [{ best_total: { proof: "none found" }, best_profit: null }] });`;
const script = (body) => (route) => route.fulfill({ contentType: "text/javascript", body });
const question = "/potion?r=3&c=10&shop=3";

/** Reads a number of a module from `at`: its value, and where the next begins. */
function numberAt(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    value += (bytes[at] & 127) * 2 ** shift;
    if (bytes[at++] < 128) return [value, at];
  }
}

/** A module whose memory, its section 5, may not grow by more than so many pages of 64 KiB. */
function bounded(bytes, pages) {
  for (let at = 8; at < bytes.length; ) {
    const [length, body] = numberAt(bytes, at + 1);
    if (bytes[at] === 5) {
      const [least, most] = numberAt(bytes, body + 2);
      const limit = [least + pages, (least + pages) >> 7, (least + pages) >> 14].map((part, index) => (part & 127) | (index < 2 ? 128 : 0));
      const memory = [...bytes.subarray(body, most), ...limit];
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([5, memory.length, ...memory]), bytes.subarray(body + length)]);
    }
    at = body + length;
  }
  throw new Error("the module has no memory");
}

const littleMemory = (name) => bounded(readFileSync(join(project, "build/wasm", name)), name === "potion.wasm" ? 8 : 0);

/** A page whose worker does as the script says, or without one whose modules have little memory; `asked` are
 * its requests to the server's tools. */
async function open(it, path, body = "", more = async () => {}) {
  const context = await it.newContext({ viewport: { width: 1440, height: 900 } });
  const asked = [];
  if (body) await context.route(worker, script(body));
  else await context.route(/\/wasm\/\w+\.wasm$/, (route) => route.fulfill({ contentType: "application/wasm", body: littleMemory(route.request().url().split("/").at(-1)) }));
  await more(context);
  const page = await context.newPage();
  page.on("request", (request) => tools.test(request.url()) && asked.push(request));
  await page.goto(path);
  return { page, context, asked };
}

async function isAskedOfTheServer(it, address) {
  for (const [name, body] of [["little memory", ""], ["no proof", unsure]]) {
    const { page, context, asked } = await open(it, address + question, body);
    await page.getByText(/^Solver: done in/).first().waitFor();
    check(`${name}: the server is asked`, asked.length >= 1 && settings(asked[0]).memory === undefined, asked.map((one) => one.postData()));
    const { recipe, cauldron, stock, shop } = settings(asked.at(-1));
    const flags = Object.entries({ recipe, cauldron, stock, shop }).flatMap(([key, value]) => (value === undefined ? [] : [`--${key}`, String(value)]));
    const want = JSON.parse(say(ludus, "potion", "solve", ...flags, "--json"));
    const shown = (await page.locator(".best").innerText()).replaceAll(",", "");
    check(`${name}: what it says is shown`, shown.includes(String(want.best_profit.profit)), shown.slice(0, 300));
    await context.close();
  }
}

async function asksForSeeds(it, address) {
  const { page, context, asked } = await open(it, `${address}/joker?seed=ABC`);
  const [, boss] = /Boss +(.+)/.exec(say(ludus, "joker", "seed", "ABC"));
  await reads("a page of seeds with little memory shows what the server says", () => page.locator("main").innerText(), (text) => text.includes(boss));
  check("and has asked it", asked.length === 1 && settings(asked[0]).seed === "ABC", asked.map((one) => one.postData()));
  await context.close();
}

async function isToldWithoutAServer(it, address) {
  const refuse = (context) => context.route(tools, (route) => route.abort());
  const { page, context } = await open(it, address + question, "", refuse);
  await page.getByText(/too large for a page: the tool stopped: unreachable; no server does it either/).first().waitFor();
  check("without a server it says so", true);
  await context.close();
  const second = await open(it, address + question, unsure, refuse);
  await second.page.getByText("Memory ran out before one was found").first().waitFor();
  check("without a server a page's answer stands as far as it came", true);
  await second.context.close();
}

/** A job that is made to last: the page follows it, and ends it when the question changes. */
async function isFollowedAndEnded(it, address) {
  const id = "0123456789abcdef".repeat(2);
  let ended = 0;
  const job = (state, share) => ({ contentType: "application/json", status: state === "queued" ? 202 : 200, body: JSON.stringify({ id, state, share, what: "proving" }) });
  const { page, context } = await open(it, address + question, "", async (context) => {
    await context.route(tools, (route) => route.fulfill(job("queued", 0)));
    await context.route(new RegExp(`/api/v1/jobs/${id}$`), (route) => {
      if (route.request().method() === "DELETE") ended++;
      return route.request().method() === "DELETE" ? route.fulfill({ status: 204 }) : route.fulfill(job("running", 0.42));
    });
  });
  await reads("the progress of the job is shown", () => page.locator("body").innerText(), (text) => /42 ?%/.test(text) || text.includes("proving"));
  await page.getByRole("button", { name: /^(Stop|Cancel)/ }).first().click();
  await holds("stopping ends the job on the server", () => ended >= 1);
  await context.close();
}

const server = await serve(ludus, folder());
const it = await browser();
try {
  await isAskedOfTheServer(it, server.address);
  await asksForSeeds(it, server.address);
  await isToldWithoutAServer(it, server.address);
  await isFollowedAndEnded(it, server.address);
  const { page, context, wrong } = await visit(it, server.address + question);
  await page.getByText(/^Solver: done in/).first().waitFor();
  const names = await page.evaluate(() => performance.getEntriesByType("resource").map((entry) => entry.name));
  check("a page with memory asks no server, and no error is told", wrong.length === 0 && !names.some((name) => tools.test(name)), wrong);
  await context.close();
} catch (cause) {
  check("the test runs to its end", false, String(cause));
}
finish();
