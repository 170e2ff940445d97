// Duel in Chromium: the view in Watch and Play, a fight by keys alone tick by tick and on the clock of
// 0.6 s, opponents by strength, the review, the Dharok variant, and the ratings of a league; phone and
// desktop, both themes, axe.
// Usage: node web/tests/duel.mjs LUDUS [FOLDER for screenshots]
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { accessible, browser, camera, check, finish, folder, holds, plainPreset, project, reads, rests, say, serve, train, visit } from "./helper.mjs";

const [ludus, shots = ""] = process.argv.slice(2);
const shoot = camera(shots, "duel");
const decisions = async (page) => Number(/([\d,]+) decisions?/.exec(await page.locator(".play-title p").innerText())[1].replace(",", ""));
const choice = (page, id) => page.locator(`.du-choice[data-choice="${id}"]`);
const pressed = async (page, id) => (await choice(page, id).getAttribute("aria-pressed")) === "true";
const player = (page, seat) => page.locator(".p-seat").nth(seat - 1).locator("select");
const words = (page) => page.locator(".du-arena canvas").getAttribute("aria-label");
const tick = (page) => words(page).then((text) => Number(/Tick (\d+)/.exec(text)[1]));

/** A page at a path; nobody is taught first. */
async function opened(it, address, path, options = {}) {
  const { page, context, wrong } = await visit(it, "about:blank", options);
  await context.addInitScript(() => localStorage.setItem("ludus.play.taught", '["duel"]'));
  await page.goto(address + path);
  await page.locator(".du, .league-ratings, .notice").first().waitFor();
  return { page, context, wrong };
}

/** Presses space until the fight is over. */
async function toTheEnd(page) {
  for (let k = 0; k < 600 && (await page.locator(".p-ending").count()) === 0; k++) {
    const before = await decisions(page);
    await page.keyboard.press(" ");
    await page.waitForFunction((was) => document.querySelector(".p-ending") || Number(/([\d,]+) decisions?/.exec(document.querySelector(".play-title p").innerText)[1].replace(",", "")) > was, before);
  }
}

/** Notes which names and freezes of the arena are drawn over each other from here on, in every picture of a move. */
const watchLabels = (page) =>
  page.evaluate(() => {
    const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
    const seen = (window.labels = { pictures: 0, over: [] });
    let drawn = [];
    CanvasRenderingContext2D.prototype.clearRect = function (...box) {
      drawn = [];
      seen.pictures++;
      return clearRect.apply(this, box);
    };
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...more) {
      if (/^(You|Opponent|frozen \d+)$/.test(text)) {
        const { actualBoundingBoxLeft: left, actualBoundingBoxRight: right, actualBoundingBoxAscent: up, actualBoundingBoxDescent: down } = this.measureText(text);
        const box = { text, left: x - left, right: x + right, top: y - up, bottom: y + down };
        for (const one of drawn) if (one.left < box.right && box.left < one.right && one.top < box.bottom && box.top < one.bottom) seen.over.push(`${one.text} and ${text}`);
        drawn.push(box);
      }
      return fillText.call(this, text, x, y, ...more);
    };
  });

async function byKeys(it, address) {
  const { page, context, wrong } = await opened(it, address, "/play/duel?seed=5");
  await watchLabels(page);
  await holds("arena and both fighters are told in words", async () => /Tick 0, distance \d+\. You: 99 of 99 hitpoints, .+ Opponent: unknown of 99/.test(await words(page)), () => words(page));
  check("gear of both is shown, supplies of the own side alone", (await page.locator(".du-slot").count()) === 22 && (await page.locator(".du-supplies").count()) === 1);
  await page.keyboard.press("e");
  await page.keyboard.press("1");
  await holds("keys choose a style and a protection", async () => (await pressed(page, "ranged")) && (await pressed(page, "pray_magic")));
  check("nothing is decided by that", (await decisions(page)) === 0);
  await page.keyboard.press("h");
  await holds("a potion is chosen", () => pressed(page, "combat"));
  await page.keyboard.press("j");
  await holds("another one takes its place", async () => (await pressed(page, "ranging")) && !(await pressed(page, "combat")));
  await page.keyboard.press(" ");
  await holds("space makes the tick", async () => (await decisions(page)) === 1 && (await tick(page)) === 1);
  await holds("style and protection stay, a potion is meant once", async () => (await pressed(page, "ranged")) && (await pressed(page, "pray_magic")) && !(await pressed(page, "ranging")));
  await holds("the shot was made", async () => /You: ranged/.test(await page.locator(".p-log-lines").innerText()));
  check("what is not possible says why", /Not now: /.test(await choice(page, "karambwan").getAttribute("title")));
  await page.keyboard.press("s");
  check("and is not taken", !(await pressed(page, "karambwan")));
  await page.keyboard.press("g");
  await holds("a hint is marked on the buttons", async () => (await page.locator(".du-hinted").count()) > 0 || /nothing/.test(await page.locator(".p-story").innerText()));
  await accessible(page, "A fight");
  await shoot(page, "play");
  await page.evaluate(() => document.activeElement.blur());
  await toTheEnd(page);
  const labels = await page.evaluate(() => window.labels);
  check("names and freezes are never drawn over each other", labels.pictures > 20 && labels.over.length === 0, { pictures: labels.pictures, over: labels.over.length, first: labels.over[0] });
  const ending = await page.locator(".p-ending").innerText();
  check("the fight comes to its end", /won|fell|tie|food/i.test(ending), ending);
  await page.locator(".du-review table").waitFor();
  check("the end names who won as the page does", /^(You|The opponent) won after/.test(ending), ending);
  const review = await page.locator(".du-review").innerText();
  check("the review tells damage, protections and luck of both", /Damage expected/.test(review) && /Off-prayer hits/.test(review) && /usual ±/.test(review) && /You\s+Opponent/.test(review), review);
  await sums(page);
  await accessible(page, "The review");
  await shoot(page, "review");
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

/** The review against the figures of the game itself. */
async function sums(page) {
  const row = async (name) => (await page.locator(".du-review tr", { hasText: name }).locator("td").allInnerTexts()).map((text) => Number.parseFloat(text));
  const [dealt, expected, open] = [await row("Damage dealt"), await row("Damage expected"), await row("Off-prayer hits")];
  const log = await page.locator(".p-log-lines").innerText();
  const told = ["You", "Opponent"].map((side) => [...log.matchAll(new RegExp(`${side}: (?:melee|ranged|magic)(?: special)? (\\d+)( into prayer)?`, "gm"))]);
  check("dealt is what the log tells", told.every((list, seat) => list.reduce((sum, [, damage]) => sum + Number(damage), 0) === dealt[seat]), { dealt, told: told.map((list) => list.map(([, damage]) => damage)) });
  check("off-prayer hits too", told.every((list, seat) => list.filter(([, , blocked]) => !blocked).length === open[seat]), open);
  check("something was to be expected", expected.every((value) => value > 0), expected);
}

async function onTheClock(it, address) {
  const { page, context, wrong } = await opened(it, address, "/play/duel?seed=8");
  await page.locator(".p-ticks select").selectOption({ label: "0.6 s (game)" });
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("q");
  await page.keyboard.press("3");
  await rests("the clock waits for its start", () => decisions(page));
  const stand = () => page.locator(".play-actions button", { hasText: "Ranged spec" }).boundingBox().then((box) => Math.round(box.y));
  const stood = await stand();
  await page.keyboard.press(" ");
  const began = Date.now();
  await page.waitForFunction(() => /[^\d]5 decisions/.test(document.querySelector(".play-title p").innerText));
  const seconds = (Date.now() - began) / 1000;
  check("five ticks take three seconds or more", seconds > 2.7, seconds);
  await holds("the clock takes what stands on the board", async () => /You: magic/.test(await page.locator(".p-log-lines").innerText()), () => page.locator(".p-log-lines").innerText());
  await holds("the buttons stay where they were", async () => (await stand()) === stood, async () => `${stood} ${await stand()}`);
  await page.keyboard.press("e");
  await holds("and is told otherwise meanwhile", () => pressed(page, "ranged"));
  await page.keyboard.press("Escape");
  await rests("Escape stops it", () => decisions(page));
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function byStrength(it, address, run) {
  const { page, context, wrong } = await opened(it, address, "/play/duel?seed=3");
  const group = page.locator(".p-seat").nth(1).locator('optgroup[label="Rated, strongest first"] option');
  await group.first().waitFor({ state: "attached" });
  const titles = await group.allInnerTexts();
  const elos = titles.map((title) => Number(/· (\d+) Elo$/.exec(title)?.[1]));
  check("opponents stand by their rating", elos.length === 5 && elos.every((elo, k) => k === 0 || elo <= elos[k - 1]), titles);
  check("a published model among them", titles.some((title) => title.startsWith("duel-v1 · ")), titles);
  await player(page, 2).selectOption(`model:${run}:0`);
  await page.evaluate(() => document.activeElement.blur());
  for (let k = 1; k < 4; k++) {
    await page.keyboard.press(" ");
    await holds(`a member of the league answers tick ${k}`, async () => (await decisions(page)) === k);
  }
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

/** The league that comes with ludus rates opponents on a first visit. */
async function firstRivals(it, address) {
  const { page, context } = await opened(it, address, "/play/duel?seed=3");
  const group = page.locator(".p-seat").nth(1).locator('optgroup[label="Rated, strongest first"] option');
  await reads("opponents stand by the ratings that come with ludus", () => group.allInnerTexts(), (names) => names.length === 13 && /^GeneralizedNh · 2\d{3} Elo$/.test(names[0]) && /^ace \(strongest\) · \d+ Elo$/.test(names[2]));
  await context.close();
}

async function dharok(it, address) {
  const { page, context, wrong } = await opened(it, address, "/play/duel-dharok-v1?seed=2");
  await holds("the Dharok variant has choices of its own", async () => (await page.locator(".du-choice").count()) === 12 && /Greataxe/.test(await page.locator(".du-bar").innerText()));
  await page.keyboard.press("w");
  await page.keyboard.press(" ");
  await holds("and is played", async () => (await decisions(page)) === 1 && (await pressed(page, "axe")));
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function withoutModule(it, address) {
  const { page, context } = await visit(it, "about:blank");
  await context.addInitScript(() => localStorage.setItem("ludus.play.taught", '["duel"]'));
  await context.route(/\/wasm\/duel\.wasm$/, (route) => route.abort());
  await page.goto(`${address}/play/duel?seed=5`);
  await page.locator(".du").waitFor();
  for (const key of ["e", "1", " "]) await page.keyboard.press(key);
  await holds("without the module the server fights, and the choices are the same", async () => (await decisions(page)) === 1 && (await pressed(page, "ranged")) && /You: ranged/.test(await page.locator(".p-log-lines").innerText()));
  await context.close();
}

async function twoPersons(it, address) {
  const { page, context, wrong } = await opened(it, address, "/play/duel?seed=6");
  await player(page, 2).selectOption("person");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("e");
  await page.keyboard.press(" ");
  await holds("of two persons the second is asked, and sees the own side", async () => /Player 2 chooses/.test(await page.locator(".p-turn").innerText()) && (await page.locator(".du-left").getAttribute("data-seat")) === "1");
  check("what the first chose is not shown", !(await pressed(page, "ranged")));
  await page.keyboard.press("q");
  await page.keyboard.press(" ");
  await reads("both are decided at once", () => page.locator(".p-log-lines").innerText(), (log) => /Player 1: ranged/.test(log) && /Player 2: magic/.test(log));
  await holds("and each keeps the own style", () => pressed(page, "ranged"));
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

/** Both at one keyboard while the clock runs, each by keys of their own. */
async function twoOnTheClock(it, address) {
  const { page, context, wrong } = await opened(it, address, "/play/duel?seed=6");
  await player(page, 2).selectOption("person");
  await page.locator(".p-ticks select").selectOption({ label: "5/s" });
  await page.evaluate(() => document.activeElement.blur());
  await holds("two on the clock: supplies of both are shown, and both keys on the buttons", async () => (await page.locator(".du-supplies").count()) === 2 && (await page.locator(".du-second:visible").count()) === 30);
  for (const key of ["e", "3", "o", ";", "NumpadDecimal", " "]) await page.keyboard.press(key);
  const log = () => page.locator(".p-log-lines").innerText();
  await reads("each fights by the own keys", log, (lines) => /Player 1: ranged/.test(lines) && /Player 2: magic/.test(lines));
  await page.keyboard.press("Escape");
  await reads("and protects by them", () => words(page), (text) => /Player 1: .*protects from melee.* Player 2: .*protects from ranged/.test(text));
  await reads("the number pad is the second's", () => page.locator(".du-supplies").allInnerTexts(), ([first, second]) => /combat 4/.test(first) && /combat 3/.test(second));
  check("what they chose is not shown", (await page.locator('.du-choice[aria-pressed="true"]').count()) === 0);
  await accessible(page, "Two on the clock");
  await page.locator(".p-turn button").nth(1).click();
  await choice(page, "pray_magic").click();
  await page.locator(".p-tick").click();
  await reads("buttons choose for who is asked", () => words(page), (text) => /Player 1: .*protects from melee.* Player 2: .*protects from magic/.test(text));
  await page.keyboard.press("Escape");
  await shoot(page, "two");
  await page.locator(".p-ticks select").selectOption({ label: "off" });
  await holds("without the clock each sees the own side again", async () => (await page.locator(".du-supplies").count()) === 1 && (await page.locator(".du-second:visible").count()) === 0);
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function watched(it, address, run) {
  const { page, context, wrong } = await opened(it, address, "/watch?frame=12", { reducedMotion: "reduce" });
  await holds("Watch: every hash agrees", async () => /every hash agreed/.test(await page.locator(".controls").innerText()));
  await holds("both fighters stand with everything", async () => (await page.locator(".du-supplies").count()) === 2 && /Player 1: .* Player 2: /.test(await words(page)), () => words(page));
  await reads("what both thought stands side by side", () => page.locator(".du-minds").innerText(), (text) => /Player 1\s[\s\S]*Player 2\s/.test(text) && (text.match(/Attack/g) ?? []).length === 2);
  await reads("with an estimate that is called one", () => page.locator(".du-now").innerText(), (text) => /Player 1 \d+%\s+\d+% Player 2/.test(text) && /Estimated from the return that the models expect/.test(text));
  await reads("options of every head stand in plain words", () => page.locator(".thinking .choices").innerText(), (text) => /Attack: /.test(text) && /Karambwan: none/.test(text) && !/dont|no op|_/.test(text));
  await page.locator(".du-review table").waitFor();
  check("and the review of the whole", /estimate for Player 1/.test(await page.locator(".du-review").innerText()));
  check("the decision is told in words", !/no_op/.test(await page.locator(".happened-step").innerText()), await page.locator(".happened-step").innerText());
  await accessible(page, "Watch");
  await shoot(page, "watch");
  await page.goto(`${address}/runs/${run}`);
  await reads("the run's page tells ends by players", () => page.locator('section[aria-label="Replays"] tbody').innerText(), (text) => /Player [12] won|tie/i.test(text) && !/seat/.test(text));
  await reads("and counts what there is one of", () => page.locator('section[aria-label="Downloads"]').innerText(), (text) => /, 1 evaluation, 1 window\./.test(text));
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function league(it, address, run) {
  const { page, context, wrong } = await opened(it, address, "/league");
  await holds("what comes with ludus stands apart", async () => (await page.locator('.league-head optgroup[label="Comes with ludus"] option').allInnerTexts()).join() === "duel (duel-v1)" && (await page.locator(".league-head .badge").count()) === 0);
  await holds("the league that there is opens", async () => /\/league\/test$/.test(page.url()) && (await page.locator("h1").innerText()) === "League");
  const rated = () => page.locator(".league-ratings tbody th").allInnerTexts();
  await reads("players by rating, a window of a run among them", rated, (names) => names.length === 5 && names.includes("duel-v1") && names.some((name) => /^duel.*, window 0$/.test(name)));
  check("each with its interval", (await page.locator(".league-ratings .interval").allInnerTexts()).every((text) => /^\d+ to \d+$/.test(text)));
  const shares = await page.locator(".league-payoff tbody tr").evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.innerText)));
  check("shares of a pair sum to 100", shares.every((row, a) => row.every((share, b) => (a === b ? share === "" : Math.abs(Number(share) + Number(shares[b][a]) - 100) <= 1))), shares);
  check("cells are shaded", await page.locator(".league-payoff tbody td").nth(1).evaluate((cell) => getComputedStyle(cell).backgroundColor !== "rgba(0, 0, 0, 0)"));
  check("two results make a history", (await page.locator(".league-history polyline").count()) === 5);
  await page.locator(".league-when select").selectOption("0");
  await holds("an earlier result has an address", async () => /[?]at=/.test(page.url()) && /2 games per pair/.test(await page.locator(".league").innerText()), async () => page.url());
  await page.locator(".league-ratings a", { hasText: "mixer" }).click();
  await page.locator(".du").waitFor();
  await holds("a player of the league is a click away as opponent", async () => (await player(page, 2).inputValue()) === "bot:mixer");
  await page.goto(`${address}/league/none`);
  await holds("one that is not there is told", async () => /There is no league “none”\s+Nothing on this server has this name/.test(await page.locator(".notice").innerText()), () => page.locator(".notice").innerText());
  await page.getByRole("link", { name: "All leagues" }).click();
  await holds("with a link to those that there are", async () => /\/league\/test$/.test(page.url()) && (await page.locator(".league-head option").count()) > 1, async () => page.url());
  check(`nothing went wrong in the page (${run})`, wrong.filter((one) => !/404/.test(one)).length === 0, wrong);
  await context.close();
}

/** Pages of a server without a league of its own. */
async function firstVisit(it) {
  const server = await serve(ludus, folder());
  const { page, context, wrong } = await opened(it, server.address, "/league");
  await holds("a first visit finds the league that comes with ludus, told as such", async () => /\/league\/duel$/.test(page.url()) && /Comes with ludus/.test(await page.locator(".league-head .badge").innerText()));
  await holds("with the published models among the bots", async () => (await page.locator(".league-ratings tbody th").allInnerTexts()).join().startsWith("GeneralizedNh,FineTunedNh,ace,"));
  await holds("and says how one of one's own comes there", async () => /ludus league rate .+ --keep/.test(await page.locator("section", { hasText: "A league of your own" }).innerText()));
  await page.goto(`${server.address}/watch/duel`);
  await reads("the replay that comes with ludus names both sides", () => page.locator("h1").innerText(), (title) => /The agent duel-v1 against the script ace$/.test(title));
  await page.goto(`${server.address}/league`);
  await page.locator(".league-ratings").waitFor();
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await shoot(page, "league-first");
  await accessible(page, "the league that comes with ludus");
  await context.close();
  await firstRivals(it, server.address);
  await server.stop();
}

async function looks(it, address) {
  for (const [width, height] of [[360, 740], [1440, 900]]) {
    for (const colorScheme of ["dark", "light"]) {
      for (const [name, path] of [["play", "/play/duel?seed=5"], ["league", "/league/test"]]) {
        const { page, context } = await opened(it, address, path, { viewport: { width, height }, colorScheme, reducedMotion: "reduce", hasTouch: width < 500 });
        if (name === "play") await page.locator(".du-choice").first().click();
        await shoot(page, `${name}-${width}-${colorScheme}`);
        await accessible(page, `${name}, ${width} pixels, ${colorScheme}`);
        await holds(`${name}, ${width} pixels: no more room than the screen`, () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        await context.close();
      }
    }
  }
}

const runs = folder();
train(ludus, runs, "duel", "4k", "4k", "--preset", plainPreset(), "--set", "eval.episodes=16");
const run = readdirSync(runs).find((name) => name.endsWith("-duel"));
for (const games of ["2", "4"]) say(ludus, "league", "rate", "ace", "mixer", "random", `${run}:0`, join(project, "models/duel-v1.safetensors"), "--game", "duel", "--games", games, "--keep", "test", "--run.folder", runs);
const it = await browser();
const server = await serve(ludus, runs);
try {
  for (const part of [byKeys, onTheClock, byStrength, dharok, twoPersons, twoOnTheClock, withoutModule, watched, league, firstVisit, looks]) await part(it, server.address, run);
} catch (error) {
  check("the visit comes to its end", false, error.stack ?? String(error));
} finally {
  await it.close();
  await server.stop();
}
finish();
