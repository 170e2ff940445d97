// What the tests of the site share: a folder of runs, the server, a browser, and one line per check.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const project = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const environment = { ...process.env, LUDUS_HOME: project, NO_COLOR: "1" };
process.setMaxListeners(100);
let passed = 0;
let failed = 0;
let last = performance.now();

/** How long a page may take for what it does at once when the machine is idle. */
export const patience = 45_000;
/** A test that hangs has failed. */
setTimeout(() => (check("the test comes to its end", false, "it hangs"), finish()), 900_000).unref();

/** One line per check, with the seconds since the one before. */
export function check(what, good, detail = "") {
  good ? passed++ : failed++;
  const now = performance.now();
  const why = good ? "" : `: ${typeof detail === "string" ? detail : JSON.stringify(detail)}`;
  console.log(`${good ? "ok  " : "FAIL"} ${((now - last) / 1000).toFixed(2)} s  ${what}${why}`);
  last = now;
}

/** Reads again and again until what is read is good or patience is over. What throws is not good yet. */
async function settled(read, good) {
  for (const until = performance.now() + patience; ; ) {
    let value;
    try {
      value = await read();
      if (good(value)) return { value, is: true };
    } catch (cause) {
      value = String(cause);
    }
    if (performance.now() > until) return { value, is: false };
    await new Promise((done) => setTimeout(done, 40));
  }
}

/** A check that waits until what is read is good; resolves with it. */
export async function reads(what, read, good) {
  const { value, is } = await settled(read, good);
  check(what, is, value);
  return value;
}

/** A check that what is read comes to rest: equal for so many milliseconds; resolves with it. */
export async function rests(what, read, ms = 800) {
  let last;
  let since = performance.now();
  return reads(what, read, (now) => {
    if (now !== last) [last, since] = [now, performance.now()];
    return performance.now() - since > ms;
  });
}

/** A check that waits until `is` holds; `detail` tells what stands there when it never does. */
export async function holds(what, is, detail = async () => "") {
  const end = await settled(is, Boolean);
  check(what, end.is, end.is ? "" : (await Promise.resolve().then(detail).catch(String)) || String(end.value));
}

/** Prints the count and ends the process, and with it what was started: with 1 when something failed. */
export function finish() {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 && passed > 0 ? 0 : 1);
}

export function folder() {
  const room = mkdtempSync(join(tmpdir(), "ludus-site-"));
  process.on("exit", () => rmSync(room, { recursive: true, force: true }));
  return room;
}

/** A preset that sets nothing, in place of the game's own: that one is for long trainings. */
export function plainPreset() {
  const file = join(folder(), "plain.ini");
  writeFileSync(file, "# nothing is set\n");
  return file;
}

/** A finished training with evaluated windows and replays. */
export function train(ludus, runs, game, steps, window, ...more) {
  const args = ["train", game, "--steps", steps, "--out", runs, "--set", `run.window_env_steps=${window}`, "--set", "train.threads=1", ...more];
  execFileSync(ludus, args, { env: environment, stdio: ["ignore", "ignore", "pipe"] });
}

/** Ends a program, unless it has ended. */
const end = (child, signal) =>
  child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : new Promise((ended) => (child.once("exit", ended), child.kill(signal)));

/** A training that goes on until it is killed. */
export function training(ludus, runs, game, window, ...more) {
  const args = ["train", game, "--steps", "1G", "--out", runs, "--set", `run.window_env_steps=${window}`, "--set", "train.threads=1", ...more];
  const child = spawn(ludus, args, { env: environment, stdio: "ignore" });
  process.on("exit", () => child.kill("SIGKILL"));
  return { kill: () => end(child, "SIGKILL") };
}

/** Runs `ludus`; throws when it fails. */
export const run = (ludus, ...args) => void execFileSync(ludus, args, { env: environment, stdio: ["ignore", "ignore", "pipe"] });

/** What `ludus` says. */
export const say = (ludus, ...args) => execFileSync(ludus, args, { env: environment, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** A server over the runs; resolves with its address and a way to end it. */
export function serve(ludus, runs, ...more) {
  const child = spawn(ludus, ["serve", "--port", "0", "--run.folder", runs, ...more], { env: environment, stdio: ["ignore", "pipe", "pipe"] });
  process.on("exit", () => child.kill());
  return new Promise((done, fail) => {
    let said = "";
    child.stdout.on("data", (part) => {
      said += part;
      const address = /http:\/\/\S+/.exec(said)?.[0];
      if (address) done({ address, stop: () => end(child, "SIGTERM") });
    });
    child.stderr.on("data", (part) => (said += part));
    child.on("exit", (code) => fail(new Error(`ludus serve ended with ${code}: ${said}`)));
  });
}

export async function browser() {
  const it = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  process.on("exit", () => it.process?.()?.kill());
  return it;
}

/** A page that collects what went wrong in it. */
export async function visit(it, address, options = {}) {
  const context = await it.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  page.setDefaultNavigationTimeout(patience);
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  await page.goto(address);
  return { page, context, wrong };
}

/** Takes pictures of a page into a folder; none when it has no name. */
export function camera(shots, prefix) {
  if (shots) mkdirSync(shots, { recursive: true });
  return async (page, name) => shots && (await page.screenshot({ path: join(shots, `${prefix}-${name}.png`) }));
}

const axe = () => readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What a finger meets is at least 40 px high: buttons, fields, and links that are not part of a sentence. */
export async function touchable(page, what) {
  const small = await page.evaluate(() =>
    [...document.querySelectorAll("button, a[href], summary, select, input:not([type=hidden])")].flatMap((element) => {
      const inSentence = element.matches("a, .link-button, .link") && getComputedStyle(element).display === "inline";
      const target = element.matches("[type=checkbox], [type=radio]") ? (element.closest("label") ?? element) : element;
      const { width, height } = target.getBoundingClientRect();
      const seen = width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true });
      return seen && !inSentence && !element.matches(".skip") && height < 39.5 ? [`${element.className || element.localName} ${Math.round(height)} ${(element.textContent || element.ariaLabel || "").trim().slice(0, 24)}`] : [];
    }),
  );
  check(`${what}: every target is at least 40 px high`, small.length === 0, [...new Set(small)].slice(0, 12).join("; "));
}

/** Opens a page anew and adds up by how much its parts move while it loads; `ready` waits for what comes last. */
export async function steady(it, address, what, ready, options = {}) {
  const { page, context } = await visit(it, "about:blank", options);
  await context.addInitScript(() => {
    globalThis.moved = [];
    new PerformanceObserver((list) => list.getEntries().forEach((one) => globalThis.moved.push(one.value))).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(address);
  await ready(page);
  const moved = await rests(`${what}: it comes to rest`, () => page.evaluate(() => globalThis.moved.reduce((sum, one) => sum + one, 0)));
  check(`${what}: nothing moves while it loads`, moved < 0.05, String(moved));
  await context.close();
}

/** Looks for barriers by axe-core, from the top of the page or of a part of it: elsewhere what is sticky hides a part. */
export async function accessible(page, what, part = "body") {
  await page.evaluate((name) => document.querySelector(name).scrollIntoView({ behavior: "instant" }), part);
  await page.evaluate(axe());
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }));
  check(`${what}: axe finds nothing`, violations.length === 0, violations.map((one) => `${one.id} ${one.nodes[0]?.html?.slice(0, 120)}`).join("; "));
}
