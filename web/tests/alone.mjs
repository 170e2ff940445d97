// The page of one replay (`ludus replay --html`) in Chromium, as a file without a server: it draws the game as
// Watch does, proves the episode, takes keys and a frame behind #, runs tools, and asks nobody. Axe.
// Usage: node web/tests/alone.mjs LUDUS [FOLDER for screenshots]
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { accessible, browser, camera, check, finish, folder, holds, project, reads, run, visit } from "./helper.mjs";

const [ludus, shots = ""] = process.argv.slice(2);
const shoot = camera(shots, "alone");
const room = folder();
const frameOf = (page) => page.locator(".transport-frame b").innerText().then(Number);
const proved = (page) => page.getByText("every hash agreed").first().waitFor({ state: "attached" });

/** An episode that is recorded, then written as a page; `more` are options of `replay`. */
function pageOf(name, words, ...more) {
  const [file, html] = [join(room, `${name}.ludus`), join(room, `${name}.html`)];
  run(ludus, "watch", ...words, "--fast", "--record", file);
  run(ludus, "replay", file, "--html", html, ...more);
  return html;
}

/** Opens it as a person does, and counts what it asks for beside itself. */
async function open(it, html, hash = "", options = {}) {
  const seen = await visit(it, "about:blank", options);
  const asked = [];
  seen.page.on("request", (request) => /^(blob|data):/.test(request.url()) || asked.push(request.url()));
  await seen.page.goto(`${pathToFileURL(html)}${hash}`);
  return { ...seen, asked };
}

async function plays(it) {
  const html = pageOf("flight", ["prospector", "--model", join(project, "models/prospector-v1.safetensors"), "--seed", "7", "--time_max", "200"]);
  const { page, context, wrong, asked } = await open(it, html, "", { colorScheme: "dark" });
  await reads("the episode plays by itself", () => frameOf(page), (frame) => frame > 3);
  await proved(page);
  check("the game is drawn", (await page.locator(".stage-box canvas").count()) > 0);
  await page.keyboard.press("Space");
  await page.keyboard.press("End");
  const last = await frameOf(page);
  check("keys go through it", last > 20, String(last));
  await reads("the address names the frame", () => page.evaluate(() => location.hash), (hash) => hash === `#${last}`);
  await holds("the agent's thoughts stand beside it", async () => /\d%/.test(await page.locator(".choices").innerText()));
  await holds("how it ended is told", async () => /true profit/i.test(await page.locator(".about").innerText()));
  await shoot(page, "prospector");
  await accessible(page, "the page of a replay");
  check("it asks nobody", asked.length === 1, asked);
  check("nothing went wrong in it", wrong.length === 0, wrong);
  await context.close();
  const phone = await open(it, html, "#12", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await reads("a frame behind # is shown", () => frameOf(phone.page), (frame) => frame === 12);
  check("a phone needs no more room than its screen", await phone.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await shoot(phone.page, "phone");
  await phone.context.close();
}

async function runsTools(it) {
  const html = pageOf("cards", ["joker", "--option.seed", "TESTSEED"], "--from", "5");
  const { page, context, wrong, asked } = await open(it, html);
  await proved(page);
  await reads("--from says the frame", () => frameOf(page), (frame) => frame === 5);
  await holds("joker's advice comes from its tool in the page", async () => /expected|exact|sampled/i.test(await page.locator(".beside").innerText()));
  check("asking a tool asks nobody else", asked.length === 1, asked);
  check("nothing went wrong beside the cards", wrong.length === 0, wrong);
  await shoot(page, "joker");
  await context.close();
}

async function hostile(it) {
  const html = pageOf("x", ["corridor", "--seed", "3"]);
  const text = readFileSync(html, "utf8");
  const broken = join(room, "broken.html");
  writeFileSync(broken, text.replace(/(id="replay">.{40})./, "$1_"));
  const { page, context } = await open(it, broken);
  await page.getByText("This replay cannot be played").waitFor();
  check("a damaged page says so", true);
  await context.close();
  const sneaky = join(room, "sneaky.html");
  writeFileSync(sneaky, text.replace("</body>", "<script>document.title = 'taken'</script></body>"));
  const other = await open(it, sneaky);
  await proved(other.page);
  check("a script that was added does not run", (await other.page.title()) !== "taken");
  await other.context.close();
}

const it = await browser();
await plays(it);
await runsTools(it);
await hostile(it);
finish();
