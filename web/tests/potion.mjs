// Potion in Watch and Play in Chromium: a replay with the proven best brew beside it, an episode by mouse,
// keyboard and touch among 206 ingredients, its conditions by name, variants; then games whose view does
// not load, as text. Usage: node web/tests/potion.mjs LUDUS [FOLDER for screenshots [options of ludus serve]]
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { accessible, browser, camera, check, finish, folder, holds, reads, say, serve, touchable, train, visit } from "./helper.mjs";

const [ludus, shots = "", ...more] = process.argv.slice(2);
const shoot = camera(shots, "potion");
const words = (page) => page.locator("canvas").first().getAttribute("aria-label");
const cell = (page, row, column) => page.locator(`.best tr:has(th:text-is("${row}")) td`).nth(column).innerText();
const figure = (text) => Number(/[\d,]+/.exec(text)[0].replaceAll(",", ""));
const taught = (context) => context.addInitScript(() => localStorage.setItem("ludus.play.taught", '["potion","cartpole","corridor"]'));

/** A page that has seen how to play. */
async function opened(it, address, options = {}, prepare = async () => {}) {
  const visited = await visit(it, "about:blank", { reducedMotion: "reduce", ...options });
  await taught(visited.context);
  await prepare(visited.context);
  await visited.page.goto(address);
  await visited.page.locator(".play-board, .stage").first().waitFor();
  return visited;
}

/** The best total of a replay's task, as the program finds it. */
function bestOf(runs, replay) {
  const file = join(runs, replay.run_id, "replays", readdirSync(join(runs, replay.run_id, "replays")).find((name) => name.startsWith(replay.replay_id) && name.endsWith(".ludus")));
  const { state } = JSON.parse(say(ludus, "replay", file, "--json").split("\n")[1]);
  const answer = JSON.parse(say(ludus, "potion", "solve", "--recipe", String(state.recipe), "--cauldron", String(state.cauldron), "--stock", JSON.stringify(state.stock), "--json"));
  return { state, best: answer.best_total };
}

async function watches(it, address, runs) {
  const [replay] = (await (await fetch(`${address}/api/v1/replays?game=potion-v1&limit=1`)).json()).replays;
  const { state, best } = bestOf(runs, replay);
  const { page, context, wrong } = await opened(it, `${address}/watch?run=${replay.run_id}&replay=${replay.replay_id}`, { colorScheme: "dark" });
  await page.locator(".best table").waitFor();
  await holds("the best brew stands beside the agent's", async () => figure(await cell(page, "Magimins", 1)) === best.total && figure(await cell(page, "Profit", 1)) > 0, async () => [await cell(page, "Magimins", 1), best]);
  await holds("with its mix", async () => (await page.locator(".best-mixes > :last-child li").count()) === Object.keys(best.mix).length);
  await holds("proven", async () => /^Proven in .+ on this page/.test(await page.locator(".best-note").first().innerText()));
  await holds("and the share that was reached", async () => /^[\d.>]+%$/.test(await page.locator(".best-share b").innerText()));
  const later = page.locator(".best-mixes li.later");
  await page.keyboard.press("Home");
  await holds("what comes later stands back", async () => (await later.count()) === (await page.locator(".best-mixes > :first-child li").count()));
  await page.keyboard.press("End");
  await holds("until it is in", async () => (await later.count()) === 0);
  await holds("the end is told", async () => / (no potion|\d+ potions of .+)\. /.test(await words(page)), async () => await words(page));
  const link = new URL(await page.locator(".best-note a").last().getAttribute("href"), address);
  const keys = Object.fromEntries(link.searchParams);
  const mix = Object.fromEntries(keys.mix.split(".").map((part) => part.split("x")).map(([action, count = "1"]) => [action, Number(count)]));
  check("a link opens it in the brewing table", link.pathname === "/potion" && Number(keys.r) === state.recipe && Number(keys.c) === state.cauldron && JSON.stringify(mix) === JSON.stringify(best.mix), link.href);
  await accessible(page, "Watch potion, dark");
  await shoot(page, "watch-dark");
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

/** A replay of a variant is taken over by that variant. */
async function variants(it, address) {
  const [replay] = (await (await fetch(`${address}/api/v1/replays?game=potion-peer-v1&limit=1`)).json()).replays;
  const { page, context, wrong } = await opened(it, `${address}/watch?run=${replay.run_id}&replay=${replay.replay_id}&frame=1`);
  await page.locator(".best table").waitFor();
  await page.getByLabel("Take over from here").click();
  await page.locator(".p-banner").waitFor();
  await holds("a variant's replay is taken over", async () => /It is your turn/.test(await page.locator(".p-banner").innerText()));
  await holds("by the variant", async () => (await page.locator(".p-game select").inputValue()) === "potion-peer-v1");
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function plays(it, address) {
  const { page, context, wrong } = await opened(it, `${address}/play/potion?seed=3`, { colorScheme: "light" });
  await holds("the first variant is chosen", async () => (await page.locator(".p-game select").inputValue()) === "potion");
  await reads("actions are grouped by what the recipe wants", () => page.locator(".p-action-group").evaluateAll((all) => all.map((one) => one.dataset.group)), (groups) => groups.join() === "Brew,All of it is wanted,Part of it is wanted,None of it is wanted");
  await page.keyboard.press("/");
  await page.keyboard.type("creeping mildew");
  await holds("a search finds an ingredient", async () => (await page.locator(".p-action").count()) === 1);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await holds("Enter adds it", async () => /2 of 10 slots/.test(await words(page)), async () => await words(page));
  await holds("and the list tells what is left", async () => /×2$/.test(await page.locator(".p-action-label").innerText()));
  await page.keyboard.press("Control+a");
  await page.keyboard.type("no such thing");
  await holds("what is not there is told", async () => /none found/.test(await page.locator(".p-find [role=status]").innerText()));
  await page.keyboard.press("Escape");
  await page.evaluate(() => document.activeElement.blur());
  // the shelf's first tile: below the cauldron, right of the slots
  const box = await page.locator(".play-board canvas").boundingBox();
  for (let y = box.height - 240; y < box.height && !/3 of 10/.test(await words(page)); y += 40) await page.mouse.click(box.x + box.width * 0.5, box.y + y);
  await holds("a click on the shelf adds a piece", async () => /3 of 10 slots/.test(await words(page)), async () => await words(page));
  await shoot(page, "play-light");
  await page.keyboard.press("f");
  await page.locator(".p-ending").waitFor();
  await page.locator(".best table").waitFor();
  await holds("F finishes, and the best brew is told", async () => figure(await cell(page, "Magimins", 1)) >= figure(await cell(page, "Magimins", 0)));
  await accessible(page, "Play potion, light");
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function byTouch(it, address) {
  const { page, context, wrong } = await opened(it, `${address}/play/potion?seed=3`, { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
  await page.locator('.p-action[data-option="1"]').tap();
  await holds("a tap adds a piece", async () => /1 of 10 slots/.test(await words(page)), async () => await words(page));
  await accessible(page, "Play potion, phone");
  await touchable(page, "Play potion, phone");
  await holds("no more room than the screen", async () => await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await shoot(page, "play-phone");
  await page.getByRole("button", { name: "Restart" }).tap();
  await page.locator('.p-action[data-option="0"]').tap();
  await holds("one decision is one", async () => / after 1 decision:/.test(await page.locator(".p-ending p").innerText()), async () => await page.locator(".p-ending p").innerText());
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

/** A setting that is a file: its text is taken, kept over a reload, and left out again. */
async function ownInventory(page, field) {
  const begin = () => page.getByRole("button", { name: "Start with these" }).click();
  const mine = (text) => field("ingredients inventory", "input").setInputFiles({ name: "mine.txt", mimeType: "text/plain", buffer: Buffer.from(text) });
  const alert = page.locator(".p-setup [role=alert]");
  const summary = page.locator("summary:has-text('Seed and settings')");
  await field("stock", "input").fill("");
  await mine("Mandrak Root 4");
  await begin();
  await holds("a bad file is told with its line", async () => /mine\.txt:1: 'Mandrak Root' isn't an ingredient/.test(await alert.innerText()));
  await mine("Mandrake Root 4\n6 Feyberry");
  await begin();
  await page.waitForURL(/set=/);
  const stock = async () => (await page.locator(".p-action-label").allInnerTexts()).flatMap((label) => /^(.+?) [A-E] \d.* ×([1-9]\d*)$/.exec(label.replace(/\s+/g, " "))?.slice(1).join(" ") ?? []).join();
  await holds("the text of a file is the stock", async () => (await stock()) === "Feyberry 6,Mandrake Root 4", stock);
  const shelf = await stock();
  await page.reload();
  await page.locator(".play-board").waitFor();
  await holds("and stays so over a reload", async () => (await stock()) === shelf && /mine\.txt/.test(await summary.innerText()), async () => `${await stock()} ${await summary.innerText()}`);
  await summary.click();
  await page.getByRole("button", { name: "Leave out mine.txt" }).click();
  await begin();
  await holds("until it is left out", async () => !/mine\.txt/.test(await summary.innerText()), async () => await summary.innerText());
}

async function conditions(it, address) {
  // a worker that never answers: the solver is stopped by hand
  const deaf = (context) => context.addInitScript(() => {
    globalThis.ended = 0;
    globalThis.Worker = class {
      postMessage() {}
      terminate() { globalThis.ended++; }
    };
  });
  const { page, context, wrong } = await opened(it, `${address}/play/potion?seed=1`, {}, deaf);
  const field = (name, kind) => page.locator(`.p-setup label:has(span:text-is("${name}")) ${kind}`);
  await page.getByText("Seed and settings").click();
  await field("recipe", "select").selectOption({ label: "Seeking Enhancer" });
  await field("cauldron", "select").selectOption({ label: "Wooden: 4 items, 75 magimins" });
  await field("stock", "input").fill("nonsense");
  await page.getByRole("button", { name: "Start with these" }).click();
  await holds("a bad stock is told", async () => /stock/.test(await page.locator(".p-setup [role=alert]").innerText()));
  await field("stock", "input").fill("2");
  await page.getByRole("button", { name: "Start with these" }).click();
  await page.waitForURL(/opt=/);
  await holds("recipe, cauldron and stock are chosen by name", async () => /^Seeking Enhancer in Wooden: 0 of 4 slots/.test(await words(page)), async () => await words(page));
  await ownInventory(page, field);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("f");
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByText("Stopped.").waitFor();
  await holds("the solver can be stopped", async () => (await page.evaluate(() => globalThis.ended)) === 1);
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

/** A game without a view: its board as text, its actions from the specification. */
async function asText(it, address, replay) {
  const blocked = (context) => context.route("**/assets/view-*.js", (route) => route.abort());
  for (const game of ["cartpole", "corridor", "potion"]) {
    const { page, context } = await opened(it, `${address}/play/${game}?seed=3`, {}, blocked);
    const before = await page.locator(".text-board").innerText();
    await page.locator(".p-action:not([aria-disabled])").nth(1).click();
    await holds(`${game} is played as text`, async () => before.length > 20 && (await page.locator(".text-board").innerText()) !== before, () => before);
    if (game === "potion") await accessible(page, "Play as text");
    await context.close();
  }
  const { page, context } = await opened(it, `${address}/watch?run=${replay.run_id}&replay=${replay.replay_id}&frame=1`, {}, blocked);
  await page.locator(".text-board").waitFor();
  await holds("and watched as text", async () => /magimins/.test(await page.locator(".text-board").innerText()) && (await page.locator(".beside").count()) === 0);
  await context.close();
}

const runs = folder();
train(ludus, runs, "potion-v1", "20k", "20k");
train(ludus, runs, "potion-peer-v1", "10k", "10k");
const it = await browser();
const server = await serve(ludus, runs, ...more);
try {
  await watches(it, server.address, runs);
  await variants(it, server.address);
  await plays(it, server.address);
  await byTouch(it, server.address);
  await conditions(it, server.address);
  const [replay] = (await (await fetch(`${server.address}/api/v1/replays?game=potion-v1&limit=1`)).json()).replays;
  await asText(it, server.address, replay);
} catch (error) {
  check("the visit comes to its end", false, error.stack ?? String(error));
} finally {
  await it.close();
  await server.stop();
}
finish();
