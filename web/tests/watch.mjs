// The Watch page in Chromium: the newest replay plays at once; mouse, keys, links, choosing, export,
// states, hostile names, both themes, phone and desktop, axe.
// Usage: node web/tests/watch.mjs LUDUS [FOLDER for screenshots]
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { accessible, browser, camera, check, finish, folder, holds, patience, plainPreset, project, reads, rests, run, serve, touchable, train, training, visit } from "./helper.mjs";

const [ludus, shots = ""] = process.argv.slice(2);
const shoot = camera(shots, "watch");
const frameOf = (page) => page.locator(".transport-frame b").innerText().then(Number);
const until = (page, what) => page.waitForFunction(what, null, { timeout: patience });
const proved = (page) => page.getByText("every hash agreed").first().waitFor({ state: "attached" });
const paused = async (page) => {
  await page.getByRole("button", { name: "Pause (Space)" }).click();
  return frameOf(page);
};

// without a click: the newest replay moves, and tells what the agent thought
async function arrives(it, address) {
  const { page, context, wrong } = await visit(it, `${address}/watch`, { colorScheme: "dark" });
  await until(page, () => Number(document.querySelector(".transport-frame b")?.textContent) > 2);
  await proved(page);
  await holds("the newest replay plays without a click", async () => /^Prospector: Window \d+ of prospector/.test(await page.locator("h1").textContent()));
  await holds("it moves on", async () => await until(page, () => Number(document.querySelector(".transport-frame b")?.textContent) > 5).then(() => true));
  const frame = await paused(page);
  await holds("the step is told in words", async () => (await page.locator(".happened-story").innerText()).length > 5);
  await holds("the choice has probabilities", async () => /\d%/.test(await page.locator(".choices").innerText()));
  await holds("the value is shown", async () => /value\s+[+−\d]/.test(await page.locator(".facts").innerText()));
  await holds("legal actions are counted", async () => /\d+ of 69 actions were legal/.test(await page.locator(".legal summary").innerText()));
  await reads("the reward's terms that have a weight are listed", () => page.locator(".terms .term-name").allInnerTexts(), (names) => names.join() === "credits,stranded,destroyed");
  await holds("the log's newest line is this frame", async () => Number(await page.locator(".log-frame").first().innerText()) === frame);
  await holds("raw data is folded away", async () => !(await page.locator(".raw pre").isVisible()));
  await page.locator(".raw summary").click();
  await holds("and can be unfolded", async () => JSON.parse(await page.locator(".raw pre").innerText()).index === frame);
  await page.getByText("proven best").or(page.locator(".dots-bot").first()).first().waitFor();
  await holds("bots stand beside the window", async () => await until(page, () => document.querySelectorAll(".dots-bot").length >= 3).then(() => true));
  await holds("no more room than the screen", async () => await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await shoot(page, "desktop-dark");
  await accessible(page, "Watch, dark");
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

/** A game's newest replay is found however many windows other games have written since. */
async function ofGame(it, address) {
  const { page, context } = await visit(it, "about:blank");
  await page.route("**/api/v1/replays?*", (route) => (new URL(route.request().url()).searchParams.has("game") ? route.continue() : route.fulfill({ json: { replays: [] } })));
  await page.goto(`${address}/watch/prospector`);
  await reads("the newest replay of a game is asked for by its game", () => page.locator("h1").textContent(), (title) => /^Prospector: Window \d+ of prospector/.test(title));
  await context.close();
}

async function keys(it, address) {
  const { page, context, wrong } = await visit(it, `${address}/watch`, { colorScheme: "light" });
  await until(page, () => Number(document.querySelector(".transport-frame b")?.textContent) > 1);
  await proved(page);
  const press = async (key, times = 1) => {
    for (let k = 0; k < times; k++) await page.keyboard.press(key);
  };
  await press(" ");
  await page.getByRole("button", { name: "Play (Space)" }).waitFor();
  const start = await rests("space pauses", () => frameOf(page));
  await press("ArrowRight");
  await holds("right steps", async () => (await frameOf(page)) === start + 1);
  await press("ArrowLeft", 2);
  await holds("left steps back", async () => (await frameOf(page)) === start - 1);
  await press("Home");
  await holds("home goes to the start", async () => (await frameOf(page)) === 0);
  await press("ArrowUp");
  await holds("up goes ten on", async () => (await frameOf(page)) === 10);
  await press("ArrowDown");
  await holds("down goes ten back", async () => (await frameOf(page)) === 0);
  const last = Number((await page.locator(".transport-frame").innerText()).match(/\/ (\d+)/)[1]);
  await press("End");
  await holds("end goes to the last", async () => (await frameOf(page)) === last);
  await holds("the episode's end is told", async () => /terminated|truncated/.test(await page.locator(".happened-events").innerText()));
  await press("Home");
  await press("n");
  await holds("n goes to the next event", async () => (await frameOf(page)) > 0 && (await page.locator(".happened-events .badge").count()) > 0);
  await press(">", 2);
  await holds("> is faster", async () => (await page.locator(".speed select").inputValue()) === "4");
  await press("<", 4);
  await holds("< is slower", async () => (await page.locator(".speed select").inputValue()) === "0.25");
  await press("?");
  await holds("? shows the keys", async () => await page.getByRole("dialog", { name: "Keys" }).isVisible());
  await accessible(page, "the list of keys");
  await page.getByLabel("Keyboard shortcuts").uncheck();
  await press("Escape");
  const still = await frameOf(page);
  await press("ArrowRight");
  await holds("keys can be switched off", async () => (await frameOf(page)) === still);
  await page.getByRole("button", { name: "Forward one frame (Right)" }).focus();
  await press("Enter");
  await holds("and buttons work by keyboard", async () => (await frameOf(page)) === still + 1);
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await shoot(page, "desktop-light");
  await accessible(page, "Watch, light");
  await context.close();
}

async function links(it, address) {
  const { page, context, wrong } = await visit(it, `${address}/watch`, { permissions: ["clipboard-read", "clipboard-write"] });
  await proved(page);
  await page.keyboard.press(" ");
  await page.keyboard.press("Home");
  for (let k = 0; k < 2; k++) await page.keyboard.press("ArrowUp");
  await page.keyboard.press(">");
  const told = await page.locator(".happened").innerText();
  await page.getByRole("button", { name: "Copy the link to this frame (C)" }).click();
  const link = await reads("the link names run, replay, frame, speed", () => page.evaluate(() => navigator.clipboard.readText()), (link) => /run=.+&replay=replay-\d{6}-[0-9a-f]{8}&frame=20&speed=2$/.test(link));
  await until(page, () => location.search.includes("frame=20"));
  const other = await visit(it, link);
  await proved(other.page);
  await until(other.page, () => document.querySelector(".transport-frame b")?.textContent === "20");
  await holds("and leads to the very frame", async () => (await other.page.locator(".happened").innerText()) === told);
  await holds("which stands still", async () => await other.page.getByRole("button", { name: "Play (Space)" }).isVisible());
  await holds("at the same speed", async () => (await other.page.locator(".speed select").inputValue()) === "2");
  await reads("the frame can be taken over", () => other.page.getByRole("link", { name: "Take over from here" }).getAttribute("href"), (takes) => /^\/play\/prospector\?run=.+&frame=20$/.test(takes));

  // scrubbing, also by touch-like drag of the range input
  await page.getByLabel("Frame", { exact: true }).fill("12");
  await holds("the timeline goes to a frame", async () => (await frameOf(page)) === 12);
  await page.locator(".log button").nth(5).click();
  await holds("a line of the log goes to its frame", async () => (await frameOf(page)) === 7);

  // export
  await page.getByLabel("Export").click();
  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name: /Replay file/ }).click();
  const file = await saving;
  check("the replay file is saved", /^replay-.*\.ludus$/.test(file.suggestedFilename()));
  const frames = page.waitForEvent("download");
  await page.getByRole("button", { name: /Frames as JSON/ }).click();
  const lines = readFileSync(await (await frames).path(), "utf8").trim().split("\n").map((line) => JSON.parse(line));
  check("frames are saved as lines", lines.length === lines[0].decisions + 2 && lines[1].t === -1 && lines.at(-1).hash.length === 16, lines[0]);
  check("nothing went wrong in the page", wrong.length + other.wrong.length === 0, [...wrong, ...other.wrong]);
  await other.context.close();
  await context.close();
}

async function chooses(it, address) {
  const { page, context } = await visit(it, `${address}/watch`);
  await proved(page);
  await page.getByRole("button", { name: "worst" }).click();
  await until(page, () => document.querySelector('.segments [aria-pressed="true"]')?.textContent === "worst");
  await proved(page);
  await holds("the worst of the window is a click away", async () => new URL(page.url()).searchParams.get("replay")?.startsWith("replay-"));
  await page.keyboard.press("r");
  const dialog = page.getByRole("dialog", { name: "Choose a replay" });
  await dialog.locator(".picker-list button").first().waitFor();
  await accessible(page, "choosing a replay");
  await shoot(page, "picker");
  const all = await dialog.locator(".picker-list button").count();
  await dialog.locator("select").nth(1).selectOption("0");
  await until(page, () => [...document.querySelectorAll(".picker-window b")].every((id) => id.textContent === "0"));
  await reads("a window narrows the list", () => dialog.locator(".picker-list button").count(), (some) => some > 0 && some < all);
  await dialog.locator("select").nth(2).selectOption("window_median");
  await until(page, () => document.querySelectorAll(".picker-list button").length === 1);
  await dialog.locator(".picker-list button").first().click();
  await until(page, () => document.querySelector(".watch-title")?.textContent.includes("Window 0"));
  await holds("a choice opens", async () => !(await dialog.isVisible()));
  await page.goBack();
  await until(page, () => !document.querySelector(".watch-title")?.textContent.includes("Window 0"));
  check("back leads back", true);
  await context.close();
}

async function phone(it, address) {
  const { page, context, wrong } = await visit(it, `${address}/watch`, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
  await until(page, () => Number(document.querySelector(".transport-frame b")?.textContent) > 2);
  await proved(page);
  await holds("no sideways scrolling at 360 px", async () => await page.evaluate(() => document.documentElement.scrollWidth <= 360));
  await reads("the picture is as wide as the screen", () => page.locator(".stage-box").boundingBox(), (box) => box.width > 330);
  await reads("the play button is in reach", () => page.locator(".play-button").boundingBox(), (play) => play.y + play.height <= 740 && play.width >= 44);
  await page.locator(".stage-box").tap({ position: { x: 150, y: 200 } });
  await page.getByRole("button", { name: "Play (Space)" }).waitFor();
  await rests("a tap on the picture pauses", () => frameOf(page));
  await touchable(page, "Watch on a phone");
  await shoot(page, "phone");
  await accessible(page, "Watch on a phone");
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
  const calm = await visit(it, `${address}/watch`, { reducedMotion: "reduce" });
  await proved(calm.page);
  await calm.page.waitForTimeout(700);
  await holds("with less motion it waits for a click", async () => (await frameOf(calm.page)) === 0);
  await calm.context.close();
}

// the server's frames stand in when the module cannot be had, and when a file is damaged
async function withoutModule(it, address) {
  const context = await it.newContext();
  const page = await context.newPage();
  await page.route("**/wasm/*", (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto(`${address}/watch`);
  await page.getByText("played by the server").waitFor();
  await until(page, () => Number(document.querySelector(".transport-frame b")?.textContent) > 2);
  await holds("without the module the server plays it", async () => (await page.locator(".happened-story").innerText()).length > 5);
  await page.unroute("**/wasm/*");
  await page.route("**/file", async (route) => {
    const answer = await route.fetch();
    const bytes = await answer.body();
    bytes[bytes.length >> 1] ^= 4;
    await route.fulfill({ response: answer, body: bytes });
  });
  await page.goto(`${address}/watch`);
  await page.getByText("played by the server").waitFor();
  await holds("a damaged file is not believed", async () => /damaged/.test(await page.locator(".proof span").getAttribute("title")));
  await context.close();
}

/** Sizes of type that a page shows, in pixels. */
const typeSizes = (page) => page.evaluate(() => [...new Set([...document.querySelectorAll("body *")].filter((one) => one.checkVisibility() && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())).map((one) => parseFloat(getComputedStyle(one).fontSize)))].sort((a, b) => a - b));
const scale = [12, 13, 15, 17, 22, 30];

// a card per game with its picture and the places that it leads to; nothing was trained yet
async function home(it, address) {
  const { page, context, wrong } = await visit(it, address, { colorScheme: "light" });
  await holds("a card per game", async () => (await page.locator(".home-card h3").allInnerTexts()).map((text) => text.split("\n")[0]).join() === "Prospector,Joker,Potion,Craft,Duel,Train your own,Cart and Pole,Acrobot,Corridor", async () => await page.locator(".home-card h3").allInnerTexts());
  const told = await page.locator(".home-cards").innerText();
  check("with the names people know", ["Balatro", "Potionomics", "Path of Exile 2", "Old School RuneScape"].every((name) => told.includes(name)), told);
  await page.locator(".home-picture img").last().scrollIntoViewIfNeeded();
  await holds("every picture is there", async () => await page.evaluate(() => [...document.images].every((one) => one.complete && one.naturalWidth > 0)));
  await reads("six sizes of type", () => typeSizes(page), (sizes) => sizes.every((size) => scale.includes(size)));
  await accessible(page, "Home, light");
  await shoot(page, "home-light");
  await page.getByRole("link", { name: "Watch a script of Corridor" }).click();
  await proved(page);
  await holds("a card leads to its agent", async () => /Corridor: The script seeker/.test(await page.locator("h1").textContent()));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator(".tabs").getByRole("link", { name: "Home" }).click();
  await holds("on a phone tabs at the bottom lead on", async () => new URL(page.url()).pathname === "/" && !(await page.locator(".top nav").isVisible()));
  await accessible(page, "Home on a phone");
  const finger = await visit(it, address, { viewport: { width: 820, height: 1180 }, hasTouch: true });
  await touchable(finger.page, "Home on a tablet");
  await finger.context.close();
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
  const files = join(project, "web", "public", "replays");
  for (const name of readdirSync(files)) run(ludus, "replay", join(files, name), "--json"); // fails where one goes another way
  check("every replay that comes with the site is played again as it was", readdirSync(files).length >= 8);
}

async function states(it, ludus) {
  const empty = await serve(ludus, folder());
  await home(it, empty.address);
  const first = await visit(it, `${empty.address}/watch/duel`);
  await proved(first.page);
  await holds("before anything was trained the replay of the game that comes with the site plays", async () => /Duel: The agent duel-v1/.test(await first.page.locator("h1").textContent()));
  await accessible(first.page, "a replay that comes with the site");
  await first.page.setViewportSize({ width: 360, height: 740 });
  await accessible(first.page, "a long one on a phone");
  await first.page.goto(`${empty.address}/watch?run=nobody&replay=replay-000001-00000000`);
  await first.page.getByText("There is no such replay").waitFor();
  check("a link to what is gone says so", true);
  await first.page.goto(`${empty.address}/watch/nosuch`);
  await first.page.getByText("there is no game called nosuch").waitFor();
  check("so does a link to no game", true);
  await first.page.goto(`${empty.address}/nowhere`);
  await first.page.getByText("There is no such page").waitFor();
  check("an unknown page says so", true);
  await first.page.goto(`${empty.address}/watch?run=nobody&replay=replay-000001-00000000`);
  await first.page.getByText("There is no such replay").waitFor();
  await empty.stop();
  await first.page.getByText("The server does not answer").waitFor();
  check("a stopped server is told", true);
  await first.context.close();
}

async function stays(it, ludus, runs) {
  const server = await serve(ludus, runs);
  const { page, context } = await visit(it, `${server.address}/watch`);
  await proved(page);
  await server.stop();
  await page.getByText("The server does not answer; what is loaded stays").waitFor();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await holds("what is loaded stays without the server", async () => (await frameOf(page)) === 1);
  await context.close();
}

// texts of a run are data: they are shown and never run
async function hostile(it, ludus, runs) {
  const room = folder();
  cpSync(runs, room, { recursive: true });
  const bad = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
  for (const name of readdirSync(room).filter((entry) => entry.startsWith("20"))) {
    const file = join(room, name, "run.json");
    const run = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify({ ...run, notes: bad, tags: [bad, "javascript:alert(3)"], status: "crashed", problem: bad }));
  }
  const server = await serve(ludus, room);
  const { page, context, wrong } = await visit(it, `${server.address}/watch`);
  let alerted = false;
  page.on("dialog", (dialog) => ((alerted = true), void dialog.dismiss()));
  await proved(page);
  await page.keyboard.press("r");
  await page.locator(".picker-list button").first().waitFor();
  await page.goto(`${server.address}/watch?run=${encodeURIComponent(bad)}&replay=${encodeURIComponent(bad)}&frame=${encodeURIComponent(bad)}`);
  await page.locator(".notice").waitFor();
  await holds("hostile names do not script the page", async () => !alerted && (await page.locator('img[src="x"]').count()) === 0);
  check("and break no rule of the page", wrong.filter((text) => /Content Security|Refused/.test(text)).length === 0, wrong);
  await context.close();
  await server.stop();
}

// a replay that comes while one is watched
async function live(it, ludus, runs) {
  const room = folder();
  cpSync(runs, room, { recursive: true });
  const server = await serve(ludus, room);
  const { page, context } = await visit(it, `${server.address}/watch`);
  await proved(page);
  const going = training(ludus, room, "prospector", "70k", "--preset", plain);
  const news = page.locator(".news .link-button");
  await news.waitFor();
  await holds("a new replay is told", async () => /New replay: window \d+/.test(await news.innerText()));
  const before = await page.locator(".watch-title").innerText();
  await page.getByLabel("Follow").check();
  await page.keyboard.press("End");
  await until(page, () => !document.querySelector(".news"));
  await holds("follow goes on with it", async () => (await page.locator(".watch-title").innerText()) !== before);
  let opened = 0;
  page.on("request", (request) => request.url().endsWith("/events") && opened++);
  await page.waitForTimeout(2500);
  check("and the training that goes on is followed by one connection", opened <= 1, `${opened} connections`);
  await going.kill();
  await context.close();
  await server.stop();
}

const runs = folder();
const plain = plainPreset();
train(ludus, runs, "cartpole", "70k", "70k");
train(ludus, runs, "prospector", "800k", "200k", "--preset", plain);
const it = await browser();
const server = await serve(ludus, runs);
try {
  await arrives(it, server.address);
  await ofGame(it, server.address);
  await keys(it, server.address);
  await links(it, server.address);
  await chooses(it, server.address);
  await phone(it, server.address);
  await withoutModule(it, server.address);
  await states(it, ludus);
  await stays(it, ludus, runs);
  await hostile(it, ludus, runs);
  await live(it, ludus, runs);
} catch (error) {
  check("the visit comes to its end", false, error.stack ?? String(error));
} finally {
  await it.close();
  await server.stop();
}
finish();
