// The brewing page in Chromium: its rules against the game's module, the table, the cauldron, the stock,
// the solver in its worker against the program, front, contests, share links (hostile ones too); mouse,
// touch and keyboard, both themes, phone to desktop, axe.
// Usage: node web/tests/brew.mjs LUDUS [FOLDER for screenshots]; LUDUS_SITE names another build of the site
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createServer } from "vite";
import { Module } from "../../wasm/module.mjs";
import { accessible, browser, camera, check, finish, folder, holds, patience, project, reads, say, serve, touchable, visit } from "./helper.mjs";

const [ludus, shots = ""] = process.argv.slice(2);
const shoot = camera(shots, "brew");
const dist = process.env.LUDUS_SITE ?? join(project, "web", "dist");
const data = (name) => {
  const [head, ...lines] = readFileSync(join(project, "games/potion/data", name), "utf8").trim().split("\n");
  return lines.map((line) => Object.fromEntries(line.split(",").map((cell, k) => [head.split(",")[k], cell])));
};
const rows = data("ingredients.csv");
const senses = ["taste", "touch", "smell", "sight", "sound"];
const query = (page, key) => new URL(page.url()).searchParams.get(key);
const until = (page, what, given = null) => page.waitForFunction(what, given, { timeout: patience }).then(() => true);
const asked = (page, key, value) => until(page, ([k, v]) => new URLSearchParams(location.search).get(k) === v, [key, value]);
const field = (page, name) => page.locator("label.field", { has: page.locator("span", { hasText: new RegExp(`^${name}$`) }) }).locator("select, input").first();
const list = (page) => page.locator(".shelf tbody tr");
const names = (page) => page.locator(".shelf tbody .name-text").allInnerTexts();
const addButton = (page, name) => page.getByRole("button", { name: new RegExp(`^Add ${name}(,|$)`) });
const solved = (page) => page.getByText(/^Solver: done in/).waitFor();
const card = (page, title) => page.locator(".best .found", { has: page.locator("h3", { hasText: new RegExp(`^${title}$`) }) });
const figures = async (page, title) => (await card(page, title).locator(".found-figures").innerText()).replaceAll(",", "");
const narrow = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
const solve = (...args) => JSON.parse(say(ludus, "potion", "solve", ...args, "--json"));

/** Numbers that are the same in every run. */
function dice(seed) {
  let state = seed;
  return (below) => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % 65536) % below;
}

// ---- without a browser ----

/** What the page computes of a mix is what the game says. */
async function rules(load) {
  const { brewOf, shopDay } = await load("rules");
  const { ingredients } = await load("../view/tables");
  const game = await Module.load(join(dist, "wasm", "potion.wasm"));
  const roll = dice(7);
  const wrong = [];
  let potions = 0;
  let ties = 0;
  game.open(0);
  const options = game.ask("ludus_spec").heads[0].options;
  check("the page's ingredients are the game's", ingredients.length === 206 && ingredients.every((piece) => options[piece.action] === piece.name));
  for (let k = 0; k < 800; k++) {
    const [recipe, cauldron] = [roll(20), roll(38)];
    const parts = "abcde".split("").map((letter) => Number(data.recipes[recipe][letter]));
    // mixes of what the recipe wants, so that many become potions
    const clean = rows.filter((row) => "abcde".split("").every((letter, i) => parts[i] > 0 || row[letter] === "0"));
    const from = roll(4) ? clean : rows;
    const { items, magimins } = data.cauldrons[cauldron];
    const added = [];
    let total = 0;
    for (let tries = 2 + roll(24); tries > 0 && added.length < Number(items); tries--) {
      const row = from[roll(from.length)];
      const takes = "abcde".split("").reduce((sum, letter) => sum + Number(row[letter]), 0);
      if (total + takes > Number(magimins)) continue;
      total += takes;
      added.push(Number(row.action));
    }
    const mix = {};
    for (const action of added) mix[action] = (mix[action] ?? 0) + 1;
    const mine = brewOf(recipe, cauldron, mix);
    if (game.game.ludus_from_json(game.lend(JSON.stringify({ recipe, cauldron, stock: {}, added }))) !== 0) throw new Error(JSON.stringify(game.answer()));
    const theirs = game.ask("ludus_state_json", 0);
    const words = game.ask("ludus_show", 0).split(/[,\n] ?/);
    const signs = mine.traits.map(({ good, bad }) => (good && bad ? "?" : good ? "+" : bad ? "-" : ""));
    const equal =
      mine.amounts.join() === theirs.magimins.join() &&
      mine.total === theirs.total &&
      mine.cost === theirs.cost &&
      ["cannot brew", "unstable", "stable", "very stable", "perfect"][mine.code] === theirs.stability &&
      Math.abs(1 - mine.error - theirs.accuracy) < 1e-12 &&
      mine.grade === theirs.expected_grade &&
      mine.price === theirs.price &&
      mine.brewed === theirs.brewed &&
      Math.abs(mine.profit - theirs.profit) < 1e-6 &&
      (mine.code === 0 || senses.every((sense, i) => (words.find((word) => word.startsWith(`${sense} `)) ?? `${sense} `) === `${sense} ${signs[i]}`));
    potions += mine.code > 0 ? 1 : 0;
    ties += signs.includes("?") ? 1 : 0;
    if (!equal) wrong.push({ recipe, cauldron, added, mine, theirs, words });
  }
  check(`800 random mixes give what the game says (${potions} potions, ${ties} with ties)`, wrong.length === 0 && potions > 100 && ties > 20, wrong[0]);
  const shops = [1, 2, 3, 4, 5].filter((chapter) => {
    const text = JSON.stringify({ stock: `shop:${chapter}` });
    if (game.game.ludus_reset(1, 0, game.lend(text)) !== 0) return true;
    const { stock } = game.ask("ludus_state_json", 0);
    return JSON.stringify(stock) !== JSON.stringify(shopDay(chapter));
  });
  check("a day of the shop is the game's", shops.length === 0, shops);
  let refused = false;
  try {
    game.game.memory.grow(8192);
  } catch {
    refused = true;
  }
  check("a module takes no more than 512 MB", refused);
}

/** Contests are won from the lowest grade on that the page names. */
async function contests(load) {
  const { winningGrade } = await load("rules");
  const { rounds, prices } = await load("tables");
  const wrong = rounds.filter((round) => {
    const least = winningGrade(round, true);
    const wins = (grade) => grade >= round.grade && prices[round.recipe][grade] >= round.target;
    return least === null ? prices[round.recipe].some((_, grade) => wins(grade)) : !wins(least) || (least > 0 && wins(least - 1));
  });
  check("the lowest winning grade of 15 rounds", rounds.length === 15 && wrong.length === 0, wrong);
  check("no price reaches Robin's targets", rounds.filter((round) => winningGrade(round, true) === null).every((round) => round.contest === "robin"));
}

async function codes(load) {
  const { stockText, readStock, piecesText, readPieces } = await load("share");
  const roll = dice(3);
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  let bad = 0;
  let longest = 0;
  for (let k = 0; k < 300; k++) {
    const stock = {};
    for (let action = 1; action <= 206; action++) if (roll(5) < k % 6) stock[action] = 1 + roll(255);
    const text = stockText(stock);
    longest = Math.max(longest, text.length);
    bad += same(readStock(text), stock) && same(readPieces(piecesText(stock), 1e6), stock) ? 0 : 1;
  }
  check(`stocks come back from links (at most ${longest} letters)`, bad === 0 && longest < 600, bad);
  const hostile = ["", "1", "2AAAA", "1%%%", "1" + "_".repeat(900), "1" + "A".repeat(2000), "<script>", "1AA==", "\u0000", "1____________"];
  const kept = hostile.map((text) => readStock(text)).filter((stock) => stock && (Object.keys(stock).length > 206 || Object.values(stock).some((count) => !(count > 0 && count <= 255))));
  check("texts that are no stock are refused or cut", kept.length === 0, kept);
  const pieces = readPieces("1x999.0.207x2.-3.5x.1e3.NaN.__proto__.4x3.4x99999.6x0");
  check("texts that are no mix too", same(pieces, { 1: 14 }), pieces);
}

// ---- in the page ----

async function table(it, address) {
  const { page, context, wrong } = await visit(it, `${address}/potion`, { colorScheme: "dark" });
  await list(page).nth(205).waitFor();
  await holds("all ingredients are there", async () => (await list(page).count()) === 206);
  await holds("the page is named and in the list of pages", async () => (await page.title()) === "Brew potions · ludus" && (await page.locator('nav.places a[aria-current="page"]').innerText()) === "Brew");
  const expect = async (what, wanted) => {
    const count = rows.filter(wanted).length;
    await reads(`${what}: ${count}`, () => names(page), (shown) => count > 0 && count < 206 && shown.length === count && rows.filter(wanted).every((row) => shown.includes(row.name)));
  };
  await page.getByRole("checkbox", { name: "A red" }).focus();
  await page.keyboard.press(" ");
  await expect("has red", (row) => row.a !== "0");
  await page.getByRole("checkbox", { name: "C yellow" }).check({ force: true });
  await expect("has red and yellow", (row) => row.a !== "0" && row.c !== "0");
  await page.getByLabel("How magimins are filtered").selectOption("only");
  await expect("has only red and yellow", (row) => row.b + row.d + row.e === "000");
  await field(page, "Rarity").selectOption("rare");
  await expect("and is rare", (row) => row.b + row.d + row.e === "000" && row.rarity === "rare");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await field(page, "Place").selectOption("Arctic");
  await expect("found in the Arctic", (row) => row.places.split("|").includes("Arctic"));
  await field(page, "Place").selectOption("");
  await field(page, "Chapter").selectOption("-2");
  await expect("of chapters 1 and 2", (row) => Number(row.chapter) <= 2);
  await page.locator(".feel summary").click();
  await field(page, "smell").selectOption("good");
  await field(page, "taste").selectOption("fair");
  await expect("with good smell and no bad taste", (row) => Number(row.chapter) <= 2 && row.smell === "1" && row.taste !== "-1");
  await holds("filters stand in the address", async () => (await asked(page, "ch", "-2")) && query(page, "feel") === "40100", () => page.url());
  await page.reload();
  await expect("and come back", (row) => Number(row.chapter) <= 2 && row.smell === "1" && row.taste !== "-1");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await field(page, "Find").fill("slime");
  await expect("by a word", (row) => /slime/i.test(row.name + row.kind));
  await field(page, "Find").fill("<img src=x onerror=alert(1)>");
  await holds("what is not found is told", async () => await page.getByText("No ingredient matches these filters").isVisible());
  await field(page, "Find").fill("");
  await page.getByRole("columnheader", { name: "Gold" }).getByRole("button").click();
  await reads("a header sorts", () => page.locator(".shelf tbody td:nth-child(5)").allInnerTexts(), (falling) => falling.length === 206 && falling.every((text, k) => k === 0 || Number(text) >= Number(falling[k - 1])));
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function cauldron(it, address) {
  const { page, context, wrong } = await visit(it, `${address}/potion?r=0&c=2`, { colorScheme: "light" });
  await addButton(page, "Feyberry").click();
  await addButton(page, "Feyberry").click();
  await addButton(page, "Mandrake Root").focus();
  for (const key of ["Enter", " "]) await page.keyboard.press(key);
  await page.getByText("24 of 160 magimins").waitFor();
  await holds("clicks and keys add pieces", async () => (await page.locator(".slot:not(.free)").count()) === 2 && (await page.locator(".verdict").innerText()).includes("perfect"));
  await holds("with grade, price and profit", async () => /2 × Minor/.test(await page.locator(".result").innerText()) && (await page.locator(".stars").first().getAttribute("aria-label")) === "4 stars", async () => await page.locator(".outcome").innerText());
  const price = Number(data("prices.csv")[0]["4"]);
  const figure = (name) => page.locator(".figure", { has: page.locator("dt", { hasText: name }) }).locator("dd").innerText();
  await holds("as the tables have them", async () => (await figure("Price of one")).startsWith(`${price}`) && (await figure("Cost")) === "20" && (await figure("Profit")) === `+${2 * price - 20}`, async () => await figure("Profit"));
  await page.keyboard.press("-");
  await page.getByText("18 of 160 magimins").waitFor();
  await holds("minus takes one out again, and the bars tell", async () => (await page.locator(".verdict").innerText()).includes("16.7%"), async () => await page.locator(".verdict").innerText());
  await page.keyboard.press("ArrowUp");
  await holds("arrows go from row to row", async () => (await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))) === "Add Feyberry, 2 inside");
  for (let k = 0; k < 4; k++) await page.keyboard.press("+");
  await page.getByText("6 of 6 slots").waitFor();
  await reads("a full cauldron takes no more, and says why", () => page.locator(".shelf [aria-live=polite]").last().innerText(), (refused) => /does not go in: all 6 slots are taken/.test(refused));
  await field(page, "Cauldron").selectOption("0");
  await page.getByText("too much for this cauldron").waitFor();
  check("a smaller cauldron says that it is too much", true);
  await page.goto(`${address}/potion?r=10&c=37&mix=1.2.31.32`);
  await page.locator(".senses").waitFor();
  await holds("senses are told", async () => /taste|good|bad/.test(await page.locator(".senses").innerText()));
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function inventory(it, address) {
  const { page, context, wrong } = await visit(it, `${address}/potion?r=1&c=2`);
  await page.getByText("Enter what you own").waitFor();
  await page.getByRole("button", { name: "Read an inventory" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.locator("textarea").fill("4 Mandrake Root\n3 Sack of Slim\n");
  await dialog.getByRole("button", { name: "Use this inventory" }).click();
  await until(page, () => document.querySelector("#inventory-problem")?.textContent);
  await reads("a wrong line is named", () => page.locator("#inventory-problem").innerText(), (told) => /:2:.*Sack of Slim.*did you mean 'Sack of Slime'/.test(told));
  await dialog.locator("input[type=file]").setInputFiles({ name: "mine.txt", mimeType: "text/plain", buffer: Buffer.from("# mine\nMandrake Root 4\n4 Sack of Slime\nImpstool Mushroom x2\n") });
  await until(page, () => document.querySelector("dialog textarea").value.includes("# mine"));
  await dialog.getByRole("button", { name: "Use this inventory" }).click();
  await page.getByText("I own 10 pieces of 3 ingredients").waitFor();
  await holds("a file is read", async () => (await page.getByLabel("Mandrake Root: pieces I own").inputValue()) === "4");
  await solved(page);
  const [one] = [solve("--recipe", "1", "--cauldron", "2", "--stock", '{"Mandrake Root":4,"Sack of Slime":4,"Impstool Mushroom":2}')].flat();
  await holds("and solved as the program does", async () => (await figures(page, "Largest total")).includes(`${one.best_total.total} magimins`) && (await figures(page, "Best profit")).includes(`profit +${one.best_profit.profit}`), () => one);
  await page.getByLabel("Rotfly Larva: pieces I own").fill("3");
  await page.keyboard.press("Enter");
  await holds("Enter goes on to the next number", async () => (await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))) === "Feyberry: pieces I own");
  await page.getByText("I own 13 pieces of 4 ingredients").waitFor();
  await page.reload();
  await page.getByText("I own 13 pieces of 4 ingredients").waitFor();
  await holds("the browser remembers it", async () => !page.url().includes("stock="));
  await page.getByRole("button", { name: "Shop 2", exact: true }).click();
  const shop = rows.filter((row) => Number(row.chapter) <= 2).reduce((sum, row) => sum + { common: 10, uncommon: 4, rare: 2, epic: 1 }[row.rarity], 0);
  await page.getByText(`I own ${shop} pieces of 82 ingredients`).waitFor();
  check("a day of the shop", true);
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await page.getByText("What do you own?").waitFor();
  await holds("and nothing", async () => (await page.getByText("Enter what you own").count()) === 1);
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function best(it, address) {
  const { page, context, wrong } = await visit(it, `${address}/potion?r=3&c=10`);
  await page.getByRole("button", { name: "Shop 2", exact: true }).click();
  await solved(page);
  const task = ["--recipe", "3", "--cauldron", "10", "--stock", "shop:2"];
  const plain = solve(...task, "--front");
  await holds("largest total and best profit are the program's", async () => (await figures(page, "Largest total")).includes(`${plain.best_total.total} magimins`) && (await figures(page, "Best profit")).includes(`profit +${plain.best_profit.profit}`), () => plain.best_profit);
  await holds("and said to be optimal", async () => (await page.locator(".best .badge", { hasText: "optimal" }).count()) === 2);
  await card(page, "Best profit").getByRole("button").click();
  await page.getByText(`${plain.best_profit.items} of 9 slots`).waitFor();
  await holds("it goes into the cauldron", async () => /perfect/.test(await page.locator(".verdict").innerText()));

  await page.getByText(/^Front: done/).waitFor();
  const chart = page.locator(".front-chart");
  await chart.locator("canvas").waitFor();
  await chart.scrollIntoViewIfNeeded();
  await reads("the front is drawn", () => chart.locator("canvas").evaluate((canvas) => new Set(new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size), (colours) => colours > 8);
  await page.locator(".front-card summary").click();
  const points = [...plain.front].sort((a, b) => a.cost - b.cost);
  const told = (await page.locator(".front-card tbody tr").allInnerTexts()).map((text) => text.replaceAll(",", "").split(/\s/).slice(0, 2).join());
  check(`and told as a table of ${points.length}`, told.join(";") === points.map((one) => `${one.cost},${one.profit > 0 ? "+" : one.profit < 0 ? "−" : ""}${Math.abs(one.profit)}`).join(";"), told);
  const costs = page.locator(".figure", { has: page.locator("dt", { hasText: "Cost" }) }).locator("dd");
  await chart.focus();
  for (const key of ["Home", "ArrowRight", "Enter"]) await page.keyboard.press(key);
  await until(page, (cost) => [...document.querySelectorAll(".figure")].some((one) => one.querySelector("dt").textContent === "Cost" && one.querySelector("dd").textContent === cost), `${points[1].cost}`);
  await holds("keys choose a point", async () => (await costs.innerText()) === `${points[1].cost}`);
  const box = await chart.locator(".u-over").boundingBox();
  await page.mouse.click(box.x + box.width * 0.93, box.y + box.height / 2);
  await until(page, (cost) => [...document.querySelectorAll(".figure")].some((one) => one.querySelector("dt").textContent === "Cost" && one.querySelector("dd").textContent === cost), `${points.at(-1).cost}`);
  await holds("a click too", async () => (await costs.innerText()) === `${points.at(-1).cost}`);

  await page.locator(".wishes summary").click();
  await field(page, "Ingredient").fill("nothing like this");
  await page.getByRole("button", { name: "Must be in" }).click();
  await holds("a wish for what is no ingredient is told", async () => /isn’t an ingredient/.test(await page.locator(".named .problem").innerText()));
  const [first] = Object.keys(plain.best_profit.names);
  await field(page, "Ingredient").fill(first);
  await page.getByRole("button", { name: "Stays out" }).click();
  await field(page, "Most gold").fill("200");
  await field(page, "Most gold").press("Tab");
  await page.getByLabel("Count traits").check();
  await card(page, "Best profit with traits").waitFor();
  await solved(page);
  const wished = solve(...task, "--forbid", JSON.stringify([first]), "--budget", "200", "--traits");
  await holds("wishes are heeded: out, budget, traits", async () => Math.abs(Number(/profit ([+−][\d.]+)/.exec(await figures(page, "Best profit with traits"))[1].replace("−", "-")) - wished.best_traits.profit) < 1 && new RegExp(`cost ${wished.best_total.cost}\\b`).test(await figures(page, "Largest total")), async () => [wished, await figures(page, "Best profit with traits")]);
  await page.getByLabel("Count traits").uncheck();
  await field(page, "Stability").selectOption("3");
  await field(page, "May buy").selectOption("1");
  await page.getByLabel("What I own costs nothing").check();
  await solved(page);
  const bought = solve(...task, "--forbid", JSON.stringify([first]), "--budget", "200", "--stability", "very_stable", "--shop", "1", "--free");
  await holds("and a lower stability, the shop, what is owned for nothing", async () => new RegExp(`cost ${bought.best_profit.paid}\\b[^]*profit \\+${bought.best_profit.profit}\\b`).test(await figures(page, "Best profit")), async () => [bought.best_profit, await figures(page, "Best profit")]);
  await field(page, "May buy").selectOption("0");
  await field(page, "At least").selectOption("5");
  await page.getByText("No potion of this kind can be made").waitFor();
  check("what cannot be is told", true);
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

/** The largest question: it shows how far it is, another one ends it, so does Stop. */
async function cancel(it, address) {
  const { page, context, wrong } = await visit(it, `${address}/potion?r=10&c=37`);
  const workers = () => page.workers().length;
  await page.getByRole("button", { name: "Everything" }).click();
  await page.getByRole("button", { name: "Stop" }).first().waitFor();
  await until(page, () => document.querySelector(".best progress")?.value > 0);
  check("a long search tells how far it is", true);
  await field(page, "Recipe").selectOption("0");
  await field(page, "Cauldron").selectOption("2");
  await solved(page);
  const small = solve("--recipe", "0", "--cauldron", "2", "--stock", "all");
  await holds("another question ends it", async () => (await figures(page, "Largest total")).includes(`${small.best_total.total} magimins`));
  await field(page, "Cauldron").selectOption("37");
  await field(page, "Recipe").selectOption("10");
  await until(page, () => document.querySelector(".best progress")?.value > 0);
  await page.locator(".best").getByRole("button", { name: "Stop" }).click();
  await page.locator(".best .running", { hasText: "Stopped." }).waitFor();
  await page.locator(".front-card").getByRole("button", { name: "Stop" }).click();
  await holds("Stop stops, and leaves no worker that works", async () => workers() <= 1, workers);
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function contest(it, address) {
  const { page, context, wrong } = await visit(it, `${address}/potion?r=0&c=10`);
  await field(page, "Contest and round").selectOption({ label: "Corsac, round 3: Speed Potion" });
  const card = page.locator(".contest");
  await card.getByText("What you own does not win it").waitFor();
  await holds("what a round needs is told", async () => /Day 20: Speed Potion, at least Greater, no stars, worth 215 gold/.test(await card.innerText()), async () => await card.innerText());
  await card.locator(".shopping li").first().waitFor();
  const bought = (await card.locator(".shopping li").allInnerTexts()).reduce((sum, text) => sum + Number(/(\d+) gold/.exec(text)[1]), 0);
  const least = data("prices.csv")[3];
  const grade = Array.from({ length: 36 }, (_, k) => k).find((k) => k >= 12 && Number(least[k]) >= 215);
  const task = ["--recipe", "3", "--cauldron", "10", "--least_grade", `${grade}`];
  const purchase = solve(...task, "--stock", "{}", "--shop", "2").least_purchase;
  check("with the least to buy for it", bought > 0 && bought === purchase.buy_gold, { bought, purchase });
  const cheapest = solve(...task, "--stock", "shop:2", "--front").front.reduce((a, b) => (b.cost < a.cost ? b : a));
  await page.getByRole("button", { name: "Shop 2", exact: true }).click();
  await card.getByText("What you own wins it").waitFor();
  await holds("what one owns wins it, at the least cost", async () => (await card.locator(".found-figures").innerText()).includes(`cost ${cheapest.cost}`));
  await card.getByRole("button", { name: /Put it in the cauldron/ }).click();
  await asked(page, "r", "3");
  await holds("and goes into the cauldron with its recipe", async () => /perfect/.test(await page.locator(".verdict").innerText()));
  await field(page, "Contest and round").selectOption({ label: "Robin, round 1: Radiation Tonic" });
  await card.getByText("No base price of this recipe reaches 3,800").waitFor();
  check("a target that no price reaches is told", true);
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function links(it, address) {
  const first = await visit(it, `${address}/potion?r=3&c=10&mix=61x2.70`, { permissions: ["clipboard-read", "clipboard-write"] });
  const { page } = first;
  await page.getByLabel("Feyberry: pieces I own").fill("7");
  await page.getByLabel("Sack of Slime: pieces I own").fill("200");
  await page.locator(".wishes summary").click();
  await field(page, "Most gold").fill("123");
  await field(page, "Ingredient").fill("Puckberry");
  await page.getByRole("button", { name: "Stays out" }).click();
  await page.getByRole("button", { name: "Copy the link" }).click();
  await page.getByText("Link copied").waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const second = await visit(it, link);
  await second.page.getByText("This stock came with the link").waitFor();
  const read = async (where) => [await where.locator(".slots").innerText(), await where.locator(".stock-bar b").innerText(), await where.locator(".choosers").evaluate((box) => [...box.querySelectorAll("select")].map((one) => one.value).join()), await where.locator(".wish-list").innerText(), await field(where, "Most gold").inputValue()].join("|");
  await second.page.locator(".wishes summary").click();
  await holds("a link brings recipe, cauldron, mix, stock and wishes", async () => (await read(second.page)) === (await read(page)), async () => [await read(second.page), link]);
  await second.page.getByRole("button", { name: "Back to my own" }).click();
  await second.page.getByText("What do you own?").waitFor();
  await holds("and leaves one's own stock alone", async () => await until(second.page, () => !location.search.includes("stock=")));
  check("nothing went wrong in the pages", first.wrong.length + second.wrong.length === 0, [...first.wrong, ...second.wrong]);
  await first.context.close();
  const hostile = [
    "r=999&c=-1&mix=<script>alert(1)</script>&stock=1%00%ff&q=%3Cimg%20src=x%20onerror=alert(1)%3E&m=ZZZ&feel=999999999",
    `mix=${"1x99.".repeat(2000)}&stock=1${"_".repeat(3000)}&must=${"5x9.".repeat(300)}&not=${"7.".repeat(500)}&budget=-1e99&least=NaN&class=9&sort=__proto__&round=1e9`,
    "stock=1____&mix=206x14&c=0&r=__proto__&place=constructor&ch=99&rare=toString&judge=%E0%A4%A",
  ];
  for (const text of hostile) {
    // as the browser takes it, not as the server would refuse it
    await second.page.evaluate((query) => (history.pushState(null, "", `/potion?${query}`), dispatchEvent(new PopStateEvent("popstate"))), text);
    await list(second.page).first().or(second.page.getByText("No ingredient matches")).waitFor();
    await second.page.waitForTimeout(300);
  }
  await holds("hostile links break nothing", async () => second.wrong.length === 0 && (await second.page.locator("h1").innerText()) === "Brew", () => second.wrong);
  await second.context.close();
}

async function looks(it, address) {
  const sizes = [
    ["phone", { width: 360, height: 760 }, { hasTouch: true, isMobile: true }],
    ["tablet", { width: 820, height: 1100 }, { hasTouch: true }],
    ["desktop", { width: 1440, height: 900 }, {}],
  ];
  for (const [name, viewport, more] of sizes) {
    for (const colorScheme of name === "tablet" ? ["dark"] : ["dark", "light"]) {
      const { page, context, wrong } = await visit(it, `${address}/potion?r=3&c=10&round=5&traits=1&not=77`, { viewport, colorScheme, reducedMotion: "reduce", ...more });
      const press = (where) => (more.hasTouch ? where.tap() : where.click());
      await press(page.getByRole("button", { name: "Shop 2", exact: true }));
      await page.getByText(/^Front: done/).waitFor();
      await page.getByText("What you own wins it").waitFor();
      await press(page.getByRole("button", { name: "Put it in the cauldron: Best profit", exact: true }));
      await page.locator(".wishes summary").click();
      await page.locator(".front-card summary").click();
      await holds(`${name}, ${colorScheme}: nothing is wider than the screen`, async () => await narrow(page), async () => await page.evaluate(() => document.documentElement.scrollWidth));
      await holds(`${name}, ${colorScheme}: nothing moves`, async () => await page.evaluate(() => document.getAnimations().every((one) => one.playState !== "running")));
      await shoot(page, `${name}-${colorScheme}`);
      if (shots) await page.screenshot({ path: join(shots, `brew-${name}-${colorScheme}-whole.png`), fullPage: true });
      // a few rows are like all
      await field(page, "Find").fill("berry");
      if (name !== "tablet") await accessible(page, `${name}, ${colorScheme}`);
      if (more.hasTouch) await touchable(page, `${name}, ${colorScheme}`);
      if (name === "phone") {
        await page.locator(".slot button").first().tap();
        await page.locator(".slot.free").waitFor();
        check(`${name}, ${colorScheme}: a tap takes a piece out`, true);
        await page.getByRole("button", { name: "Read an inventory" }).tap();
        await page.getByRole("dialog").waitFor();
        await accessible(page, `${name}, ${colorScheme}, dialog`);
      }
      check(`${name}, ${colorScheme}: nothing went wrong`, wrong.length === 0, wrong);
      await context.close();
    }
  }
}

data.recipes = data("recipes.csv");
data.cauldrons = data("cauldrons.csv");
const vite = await createServer({ root: join(project, "web"), configFile: join(project, "web", "vite.config.ts"), logLevel: "error", server: { middlewareMode: true, hmr: false, watch: null }, appType: "custom", optimizeDeps: { noDiscovery: true } });
const load = (name) => vite.ssrLoadModule(join(project, "games/potion/page", `${name}.ts`));
let it = null;
let server = null;
try {
  await rules(load);
  await contests(load);
  await codes(load);
  await vite.close();
  it = await browser();
  server = await serve(ludus, folder(), ...(process.env.LUDUS_SITE ? ["--site", dist] : []));
  for (const part of [table, cauldron, inventory, best, cancel, contest, links, looks]) await part(it, server.address);
} catch (error) {
  check("the visit comes to its end", false, error.stack ?? String(error));
} finally {
  await it?.close();
  await server?.stop();
}
finish();
