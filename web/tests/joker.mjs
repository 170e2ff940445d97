// Joker in Watch, Play and the seed browser in Chromium: a blind by keyboard, mouse and touch, with the steps
// of the score against the program's own, shop and pack, moving, the adviser, seeds in links, a replay with
// probabilities, seeds of the tool and the search. Usage: node web/tests/joker.mjs LUDUS [FOLDER for
// screenshots [options of ludus serve]]
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { accessible, browser, camera, check, finish, folder, holds, reads, say, serve, touchable, train, visit } from "./helper.mjs";

const [ludus, shots = "", ...more] = process.argv.slice(2);
const shoot = camera(shots, "joker");
const told = (page) => page.locator(".jk-told").innerText();
const seedLink = (address, seed, variant = "joker") => `${address}/play/${variant}?seed=${seed}`;

/** A page that has seen how to play. */
async function opened(it, address, options = {}) {
  const visited = await visit(it, "about:blank", { reducedMotion: "reduce", ...options });
  await visited.context.addInitScript(() => localStorage.setItem("ludus.play.taught", '["joker"]'));
  await visited.page.goto(address);
  await visited.page.locator(".jk, .seeds").first().waitFor();
  return visited;
}

/** Waits until the board tells something. */
const tells = (page, what) => page.waitForFunction((source) => new RegExp(source).test(document.querySelector(".jk-told")?.textContent ?? ""), what.source);

/** Chooses cards as the adviser says and plays or discards, until the blind is beaten. */
async function beat(page) {
  for (let k = 0; k < 9; k++) {
    await page.locator(".adv:not(.adv-stale) .adv-do").waitFor();
    const play = /^Play/.test(await page.locator(".adv-do b").innerText());
    await page.locator(".adv-best .button").click();
    if (!(await page.locator(".jk-hand-area .button.primary").innerText()).startsWith(play ? "Play" : "Discard")) return false;
    const before = await told(page);
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press(play ? "p" : "d");
    await page.waitForFunction((text) => document.querySelector(".jk-told").textContent !== text, before);
    if (/the blind is beaten/.test(await told(page))) return true;
  }
  return false;
}

async function plays(it, address) {
  const { page, context, wrong } = await opened(it, seedLink(address, "TESTSEED"), { colorScheme: "dark" });
  await holds("a seed by name is in the link", async () => /Seed TESTSEED/.test(await page.locator(".play-title").innerText()));
  await holds("the blinds of the ante are shown", async () => (await page.locator(".jk-coming h4").allInnerTexts()).join() === "Small Blind,Big Blind,The Head");
  await holds("with their targets", async () => (await page.locator(".jk-need").allInnerTexts()).join() === "Score 300,Score 450,Score 600");
  await holds("no heads are asked for beside the board", async () => (await page.locator(".play-actions > .field select").count()) === 0);
  await page.keyboard.press("p");
  await holds("what is not possible is told", async () => /no blind is being played/.test(await page.locator(".p-story").innerText()));
  await page.keyboard.press("b");
  await tells(page, /Small Blind begins/);
  await holds("the hand is that of the seed", async () => /Hand: Ace of Hearts; King of Hearts; Queen of Diamonds; 9 of Spades; 9 of Clubs; 5 of Clubs; 5 of Diamonds; 4 of Clubs\./.test(await told(page)), async () => await told(page));
  await page.keyboard.press("p");
  await holds("a play without cards is told", async () => /choose 1 to 5 cards/.test(await page.locator(".p-story").innerText()));
  for (const key of "45") await page.keyboard.press(key);
  await page.locator(".jk-cards .jk-tile").nth(5).click();
  await page.locator(".jk-cards .jk-tile").nth(6).click();
  await holds("keys and clicks choose cards", async () => (await page.locator('.jk-cards [aria-pressed="true"]').count()) === 4);
  await page.getByText("Two Pair: 48 × 2 = 96.").waitFor();
  const stands = () => page.locator(".jk-cards").boundingBox().then((box) => Math.round(box.y));
  const row = await stands();
  check("what they would score is told beforehand", true);
  await accessible(page, "Play joker, dark");
  await page.locator(".adv-do").waitFor();
  await shoot(page, "play-dark");
  await page.keyboard.press("p");
  await page.locator(".jk-tally").waitFor();
  const told96 = JSON.parse(say(ludus, "joker", "score", "--played", "9S 9C 5C 5D", "--held", "AH KH QD 4C", "--json"));
  await holds("the score stands with every step", async () => (await page.locator(".jk-steps li").count()) === told96.steps.length && (await page.locator(".jk-result").innerText()) === "96" && /score 96 of 300/.test(await told(page)));
  await holds("the hand has not moved", async () => (await stands()) === row, async () => `${row} ${await stands()}`);
  await holds("the round is counted as the game does", async () => /Round\s+1/.test(await page.locator(".jk-counters").innerText()));
  await page.getByRole("button", { name: "Suit", exact: true }).click();
  await holds("the hand is sorted by suit", async () => { const suits = (await page.locator(".jk-cards .sr-only").allInnerTexts()).map((text) => /of (\w+)/.exec(text)[1]); return suits.every((suit, k) => k === 0 || suits.indexOf(suit) >= suits.lastIndexOf(suits[k - 1]) || suit === suits[k - 1]); });
  await page.getByRole("button", { name: "As held" }).click();
  await page.locator(".jk-tally summary").click();
  await reads("in the order of scoring", () => page.locator(".jk-steps li").allInnerTexts(), (steps) => steps[0].startsWith("Two Pair, level 1") && steps[1] === "9♠: +9 chips 29 × 2" && steps[4] === "5♦: +5 chips 48 × 2");
  await page.keyboard.press("1");
  await page.keyboard.press("]");
  await tells(page, /moved a card/);
  await holds("a card is moved and stays chosen", async () => (await page.locator(".jk-cards .jk-tile").nth(1).getAttribute("aria-pressed")) === "true");
  await page.keyboard.press("w");
  await page.locator(".p-agent select").first().selectOption("bot:eager");
  await page.keyboard.press("g");
  await page.locator(".p-story:has-text('Eager: Play ')").waitFor();
  await holds("a hint chooses its cards on the board", async () => (await page.locator('.jk-cards [aria-pressed="true"]').count()) > 0);
  await page.keyboard.press("w");
  await holds("the adviser beats the blind", async () => await beat(page), async () => await told(page));
  await page.keyboard.press("c");
  await tells(page, /was paid/);
  await holds("the shop has cards, vouchers and packs", async () => (await page.locator(".jk-part h3").allInnerTexts()).join() === "Shop,Vouchers,Packs");
  await page.locator(".adv-offers tbody tr").first().waitFor();
  await holds("the adviser says what offers are worth", async () => (await page.locator(".adv-offers tbody tr").count()) >= 4);
  await shops(page);
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

/** Buys a joker and a pack, reads, sells. */
async function shops(page) {
  const first = page.locator('[data-id="shop-0"]');
  const title = await first.locator(".jk-title").innerText();
  await first.click();
  await holds("what is picked out is told with its effect", async () => (await page.locator(".jk-look h3").innerText()) === title && (await page.locator(".jk-look p").count()) >= 2);
  await page.keyboard.press("y");
  await tells(page, /bought/);
  await holds("Y buys what is picked out", async () => (await page.locator(".jk-jokers .jk-title").innerText()) === title);
  const pack = page.locator('[data-id^="booster-"].button:not([aria-disabled])').first();
  if (await pack.count()) {
    await pack.click();
    await tells(page, /opened a pack/);
    await page.locator(".jk-stall .button").first().waitFor();
    await accessible(page, "Joker's pack");
    await shoot(page, "pack-dark");
    await page.keyboard.press("x");
    await tells(page, /left the pack|picked/);
  } else check("a pack can be paid", false);
  const poor = page.locator(".jk-buy[aria-disabled]").first();
  await holds("what cannot be paid says why", async () => /^Not now: it costs \$\d+ and you have \$\d+$/.test((await poor.getAttribute("title")) ?? ""), async () => await poor.getAttribute("title"));
  await page.locator(".jk-jokers .jk-tile").click();
  await page.keyboard.press("s");
  await tells(page, /sold/);
  await holds("S sells the joker that is picked out", async () => (await page.locator(".jk-jokers .jk-tile").count()) === 0);
  await page.keyboard.press("n");
  await tells(page, /left the shop/);
}

/** Cards of a pack: this seed's second one is a Jumbo Standard Pack. */
async function readsCards(it, address) {
  const { page, context } = await opened(it, seedLink(address, "TESTSEED"));
  await page.keyboard.press("b");
  await holds("the adviser beats the blind", async () => await beat(page), async () => await told(page));
  await page.keyboard.press("c");
  await tells(page, /was paid/);
  await page.locator('[data-id="booster-1-buy"]').click();
  await tells(page, /opened a pack/);
  await reads("advice names cards of a pack as the table does", () => page.locator(".adv").innerText(), (words) => /9♦[\s\S]*6♠ Bonus[\s\S]*10♠ Purple seal/.test(words) && !/\b[2-9TJQKA][SHCD]\b|\$0/.test(words));
  await context.close();
}

/** A Tarot of a pack is used on chosen cards: this seed's second pack holds The Empress. */
async function uses(it, address) {
  const { page, context, wrong } = await opened(it, seedLink(address, "C1111111"));
  await page.keyboard.press("b");
  await holds("the adviser beats the blind", async () => await beat(page), async () => await told(page));
  await page.keyboard.press("c");
  await tells(page, /was paid/);
  await page.locator('[data-id="booster-1-buy"]').click();
  await tells(page, /opened a pack/);
  await reads("the agent's choices name cards as the table does", () => page.locator(".adv").innerText(), (words) => / on [2-9TJQKA1]0?[♠♥♦♣]/.test(words) && !/ on [2-9TJQKA][SHCD]/.test(words));
  const empress = page.locator(".jk-stall:has-text('The Empress') .jk-buy");
  await holds("a Tarot says how many cards it takes", async () => /choose 1 to 2 cards/.test((await empress.getAttribute("title")) ?? ""), async () => await empress.getAttribute("title"));
  await page.keyboard.press("2");
  const card = await page.locator(".jk-cards .jk-tile").nth(1).innerText();
  await empress.click();
  await tells(page, /picked/);
  await holds("and changes the chosen card", async () => /Among them 1 Mult\./.test(await page.locator(".jk-folds .jk-note").innerText()), () => card);
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

/** The count of a score with motion, from a state with jokers reached by the strongest bot's moves. */
async function counts(it, address) {
  const { page, context, wrong } = await opened(it, seedLink(address, "TESTSEED"), { colorScheme: "light", reducedMotion: "no-preference" });
  await page.keyboard.press("b");
  for (const key of "4567") await page.keyboard.press(key);
  // the page itself writes down what it shows while it counts
  await page.evaluate(() => {
    const seen = (globalThis.seen = { chips: [], lit: [], score: [] });
    const note = (list, value) => list.includes(value) || list.push(value);
    new MutationObserver(() => {
      if (!document.querySelector(".jk-counting")) return;
      note(seen.chips, Number(document.querySelector(".jk-chips")?.textContent));
      note(seen.lit, [...document.querySelectorAll(".jk-laid")].findIndex((card) => card.classList.contains("jk-lit")));
      note(seen.score, document.querySelector(".jk-score b")?.textContent);
    }).observe(document.querySelector(".play-board"), { subtree: true, childList: true, characterData: true, attributes: true });
  });
  await page.keyboard.press("p");
  await holds("chips count up card by card", () => page.evaluate(() => globalThis.seen.chips.at(-1) === 48));
  const { chips, lit, score } = await page.evaluate(() => globalThis.seen);
  check("one behind the other", chips.length >= 3 && chips.every((value, k) => k === 0 || value > chips[k - 1]), chips);
  check("the score waits for the count", score[0] === "0", score);
  check("and what gives lights up", lit.filter((card) => card >= 0).length >= 2, lit);
  await page.waitForFunction(() => document.querySelector(".jk-score b")?.textContent === "96");
  check("then the score stands", true);
  await page.locator(".jk-folds summary").nth(1).click();
  await reads("the deck shows what is left", () => page.locator(".jk-deck tbody td:last-child").allInnerTexts(), (left) => left.map(Number).reduce((all, one) => all + one, 0) === 40);
  await holds("and the levels of hands", async () => (await page.locator(".jk-levels tbody tr").count()) === 9);
  await accessible(page, "Play joker, light");
  await shoot(page, "play-light");
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function byTouch(it, address) {
  const { page, context, wrong } = await opened(it, seedLink(address, "TESTSEED"), { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await page.locator(".jk-part .button.primary").tap();
  await tells(page, /Small Blind begins/);
  const stands = () => page.evaluate(() => ["jk-cards", "jk-hand-area > .jk-bar"].map((name) => Math.round(document.querySelector(`.${name}`).getBoundingClientRect().y)));
  await reads("the hand comes into sight with the blind", stands, ([cards, bar]) => cards > 0 && cards + 80 < bar);
  await touchable(page, "Play joker, phone");
  await page.locator(".jk-cards .jk-tile").nth(2).tap();
  await page.locator(".jk-cards .jk-tile").nth(0).tap();
  await page.locator(".jk-hand-area .button:has-text('Discard')").tap();
  await tells(page, /discarded 2/);
  await holds("taps choose and discard", async () => /3 discards/.test(await told(page)), async () => await told(page));
  await accessible(page, "Play joker, phone", ".play-board");
  await holds("no more room than the screen", async () => await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await shoot(page, "play-phone");
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

/** Cards are dragged by the mouse; another variant is played by its own heads. */
async function dragsAndVariants(it, address) {
  const { page, context, wrong } = await opened(it, seedLink(address, "TESTSEED"));
  await page.keyboard.press("b");
  const from = await page.locator(".jk-cards .jk-tile").nth(0).boundingBox();
  const to = await page.locator(".jk-cards .jk-tile").nth(3).boundingBox();
  await page.mouse.move(from.x + 20, from.y + 40);
  await page.mouse.down();
  await page.mouse.move(to.x + 20, to.y + 40, { steps: 4 });
  await page.mouse.up();
  await tells(page, /moved a card/);
  await holds("a card is dragged to its place", async () => /Hand: King of Hearts; Queen of Diamonds; 9 of Spades; Ace of Hearts;/.test(await told(page)), async () => await told(page));
  await page.getByRole("button", { name: "New seed" }).click();
  await page.waitForFunction(() => !/TESTSEED/.test(document.querySelector(".play-title").textContent));
  await holds("another seed leaves the name behind", async () => /Seed \d+/.test(await page.locator(".play-title").innerText()));
  await page.goto(seedLink(address, "BAD-SEED"));
  await page.locator(".p-banner.bad").waitFor();
  await holds("a bad seed is told", async () => /seed 'BAD-SEED' must be up to 8 letters/.test(await page.locator(".p-banner.bad").innerText()), async () => await page.locator(".p-banner.bad").innerText());
  await page.goto(`${address}/play/joker-brief-v1?seed=3`);
  await page.locator(".jk .button:has-text('Start the blind')").click();
  await tells(page, /begins/);
  await page.keyboard.press("1");
  await page.keyboard.press("p");
  await tells(page, /[Pp]layed|scored|High Card/);
  for (const key of "1p1p1p") await after(page, () => page.keyboard.press(key));
  await holds("a blind that was lost counts as a round", async () => /The run is lost/.test(await page.locator(".jk-end").innerText()) && /Round\s+1/.test(await page.locator(".jk-counters").innerText()));
  await holds("the brief is played on the board alone", async () => (await page.locator(".play-actions > .field select").count()) === 0);
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

/** Waits until the board tells something else than before. */
async function after(page, act) {
  const before = await told(page);
  await act();
  await page.waitForFunction((text) => document.querySelector(".jk-told").textContent !== text, before);
}

/** joker-plan-v1: one list of choices; the planner plays the cards. */
async function plans(it, address) {
  const { page, context, wrong } = await opened(it, seedLink(address, "TESTSEED", "joker-plan-v1"), { colorScheme: "dark" });
  await holds("every choice of the planned game has its button on the board", async () => (await page.locator(".jk .button").allInnerTexts()).some((text) => /Start the blind/.test(text)) && (await page.locator(".p-action").count()) === 0);
  await holds("and no other heads", async () => (await page.locator(".play-actions > .field select").count()) === 0);
  await page.keyboard.press("b");
  await tells(page, /Small Blind begins/);
  await holds("cards are not chosen by hand", async () => (await page.locator(".jk-hand-area .button").allInnerTexts()).every((text) => /^Play on/.test(text)), async () => await page.locator(".jk-hand-area .button").allInnerTexts());
  await page.locator(".adv:not(.adv-stale) .adv-do").waitFor();
  await holds("the adviser stands beside it, without cards to choose", async () => (await page.locator(".beside .button:has-text('Choose these')").count()) === 0);
  await after(page, () => page.locator(".jk-hand-area .button:has-text('Play on')").click());
  await holds("a click lets the planner go on", async () => /(played|discarded)/.test(await told(page)), async () => await told(page));
  for (let k = 0; k < 8 && !/beaten|lost/.test(await told(page)); k++) await after(page, () => page.keyboard.press("p"));
  await holds("keys let it beat the blind", async () => /the blind is beaten/.test(await told(page)), async () => await told(page));
  await after(page, () => page.keyboard.press("c"));
  await holds("things on offer have their prices", async () => (await page.locator(".jk-buy").allInnerTexts()).some((text) => /^(Buy|Open) \$\d/.test(text)), async () => await page.locator(".jk-buy").allInnerTexts());
  await page.locator(".p-agent select").first().selectOption("bot:keen");
  await page.keyboard.press("g");
  await page.locator(".p-story:has-text('Keen: ')").waitFor();
  const hinted = await page.locator(".p-story").innerText();
  await holds("a hint is told and picked out on the board", async () => !/Keen: (Buy|Open)/.test(hinted) || (await page.locator('.jk-table [aria-pressed="true"]').count()) === 1, () => hinted);
  const title = await page.locator('[data-id="shop-0"] .jk-title').innerText();
  await after(page, () => page.keyboard.press("1"));
  await holds("1 buys the first card", async () => (await told(page)).includes(`bought ${title}`), async () => await told(page));
  await page.locator(".jk-jokers .jk-tile").click();
  await holds("what is owned can be read, not sold or moved", async () => (await page.locator(".jk-look h3").innerText()) === title && (await page.locator(".jk-look .button").count()) === 0);
  const pack = page.locator('[data-id^="booster-"].button:not([aria-disabled])').first();
  if (await pack.count()) {
    await after(page, () => pack.click());
    await accessible(page, "Joker's pack, planned");
    await shoot(page, "plan-pack-dark");
    const taken = page.locator(".jk-stall .button:not([aria-disabled])").first();
    await holds("a card of the pack can be taken", async () => (await taken.count()) === 1);
    await after(page, () => taken.click());
    await holds("by a click", async () => /picked/.test(await told(page)), async () => await told(page));
    if (await page.getByText(/^Open pack/).count()) await after(page, () => page.keyboard.press("x"));
  } else check("a pack can be paid", false);
  await shoot(page, "plan-dark");
  await accessible(page, "Play planned joker, dark");
  await after(page, () => page.locator(".jk-part .button:has-text('Next round')").click());
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function watches(it, address) {
  const [replay] = (await (await fetch(`${address}/api/v1/replays?game=joker-v1&limit=1`)).json()).replays;
  const { page, context, wrong } = await opened(it, `${address}/watch?run=${replay.run_id}&replay=${replay.replay_id}&frame=1`, { colorScheme: "light" });
  await page.getByText("every hash agreed").waitFor();
  check("a replay is played again in the page", true);
  await holds("with the agent's probabilities", async () => (await page.locator(".choices li:not(.empty)").count()) >= 1 && /%/.test(await page.locator(".choice-share").first().innerText()));
  await page.locator(".adv:not(.adv-stale) .adv-do").waitFor();
  await holds("and the adviser beside it", async () => (await page.locator(".beside .button:has-text('Choose these')").count()) === 0);
  await reads("options of later heads have their head's name", () => page.locator(".legal li").allTextContents(), (names) => names.includes("Start the blind") || names.some((name) => /^card \d+: choose$/.test(name)));
  await accessible(page, "Watch joker, light");
  await shoot(page, "watch-light");
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

/** Phases of the run that comes with the site, at three widths: what stands below the board stays where it is. */
async function staysInPlace(it, address) {
  const { page, context, wrong } = await opened(it, `${address}/watch?run=shipped&replay=joker`);
  await page.getByText("every hash agreed").waitFor({ state: "attached" });
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const heights = [];
    const phases = new Set();
    for (const frame of [0, 1, 3, 4, 5, 17, 38, 47, 156]) {
      await page.locator(".scrub input").fill(String(frame), { force: true });
      await page.waitForFunction((now) => document.querySelector(".scrub input").value === String(now), frame);
      heights.push(await page.locator(".jk").evaluate((board) => Math.round(board.getBoundingClientRect().height)));
      phases.add((await page.locator(".jk-part h3").allInnerTexts())[0] ?? "play");
    }
    check(`the board has one height in every phase, ${width} pixels`, phases.size > 4 && new Set(heights).size === 1, { heights, phases: [...phases] });
  }
  await page.locator(".scrub input").fill("11", { force: true });
  await holds("what was decided is named", async () => (await page.locator(".happened-step b").innerText()) === "Buy Mercury", async () => await page.locator(".happened-step").innerText());
  await reads("and so is what else was thought of", () => page.locator(".choice-name").allInnerTexts(), (names) => names.some((name) => /^Buy Mercury/.test(name)) && names.includes("Buy Uranus") && names.includes("Open Spectral Pack"));
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function plansByTouch(it, address) {
  const { page, context, wrong } = await opened(it, seedLink(address, "TESTSEED", "joker-plan-v1"), { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await after(page, () => page.locator(".jk-part .button:has-text('Skip it for the tag')").tap());
  await after(page, () => page.locator(".jk-part .button.primary").tap());
  await after(page, () => page.locator(".jk-hand-area .button:has-text('Play on')").tap());
  await holds("taps skip, start and go on", async () => /Big Blind/.test(await told(page)) && /(played|discarded)/.test(await told(page)), async () => await told(page));
  await holds("no more room than the screen", async () => await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

/** A replay of the planned game: its choices with their probabilities. */
async function watchesPlans(it, address) {
  const [replay] = (await (await fetch(`${address}/api/v1/replays?game=joker-plan-v1&limit=1`)).json()).replays;
  const { page, context, wrong } = await opened(it, `${address}/watch?run=${replay.run_id}&replay=${replay.replay_id}&frame=1`, { colorScheme: "light" });
  await page.getByText("every hash agreed").waitFor();
  const names = await page.locator(".choices li:not(.empty) .choice-name").allInnerTexts();
  await holds("a planned replay shows the agent's probabilities in words", async () => names.some((name) => /^(Start the blind|Skip the blind)/.test(name)) && /%/.test(await page.locator(".choice-share").first().innerText()), () => names);
  await holds("and what was done", async () => /^(Start the blind|Skip the blind)/.test(await page.locator(".happened-step b").innerText()), async () => await page.locator(".happened-step b").innerText());
  await holds("on the same board", async () => (await page.locator(".jk-head").count()) === 1 && (await page.locator(".jk-live").count()) === 0);
  await accessible(page, "Watch planned joker, light");
  await shoot(page, "watch-plan-light");
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function seeds(it, address) {
  const { page, context, wrong } = await opened(it, `${address}/joker`, { colorScheme: "dark" });
  await page.getByLabel("Seed", { exact: true }).fill("testseed");
  await page.keyboard.press("Enter");
  await page.locator(".ante").first().waitFor();
  const tool = JSON.parse(say(ludus, "joker", "seed", "TESTSEED", "--antes", "8", "--queues", "8", "--json"));
  await holds("the address holds the seed", async () => new URL(page.url()).searchParams.get("seed") === "TESTSEED");
  await holds("a table per ante", async () => (await page.locator(".ante").count()) === 8);
  await reads("with the bosses", () => page.locator(".ante .ante-facts > div:first-child .named").allInnerTexts(), (bosses) => bosses.slice(0, 3).join() === "The Head,The Wall,The Hook");
  const cards = await page.locator(".ante").first().locator(".queue li").count();
  await holds("the shop's queue", async () => cards === tool.queues[0].shop_queue.length && /Raised Fist/.test(await page.locator(".queue li").first().innerText()), () => cards);
  await holds("a gold card is no gold seal", async () => /10♣ Gold, Red seal/.test(await page.locator(".packs").first().innerText()), async () => await page.locator(".packs").first().innerText());
  await holds("and what packs hold", async () => /Abstract Joker[\s,]+Astronomer/.test(await page.locator(".packs li").first().innerText()), async () => await page.locator(".packs li").first().innerText());
  await page.getByLabel("Stake").selectOption({ label: "Gold Stake" });
  await page.waitForURL(/stake=8/);
  await page.locator(".queue li:has-text('Eternal')").first().waitFor();
  await page.getByLabel("Deck").selectOption({ label: "Magic Deck" });
  await page.waitForURL(/deck=magic/);
  const link = new URL(await page.getByRole("link", { name: "Play this seed" }).getAttribute("href"), address);
  check("a link plays it", link.pathname === "/play/joker" && JSON.parse(link.searchParams.get("opt")).seed === "TESTSEED" && JSON.parse(link.searchParams.get("set")).stake === "gold", link.href);
  await page.getByLabel(/^Highlight names/).fill("raised fist");
  await reads("what is highlighted is counted", () => page.locator(".highlight [role=status]").innerText(), (text) => /^\d+ in \d+ antes?$/.test(text));
  await page.getByLabel("Add what a seed must have").fill("negative bluep");
  await reads("an edition may be typed before the name", () => page.locator(".adder li b").allInnerTexts(), (names) => names.join() === "Negative Blueprint");
  await page.getByLabel("Add what a seed must have").fill("bluprint");
  await holds("a typo is understood", async () => (await page.locator(".adder li").first().innerText()).startsWith("Blueprint"), async () => await page.locator(".adder li").allInnerTexts());
  await page.keyboard.press("Enter");
  await page.waitForURL(/want=joker\+blueprint/);
  await holds("what is wanted is a chip", async () => /Blueprint/.test(await page.locator(".want").innerText()));
  await page.getByText("As text").click();
  const wish = async (text) => {
    await page.getByLabel(/What a seed must have; separate/).fill(text);
    await page.keyboard.press("Enter");
  };
  await wish("joker no_such_joker shop 4 ante 1");
  await page.locator(".seed-search .problem:not(:empty)").waitFor();
  await holds("a condition that means nothing is told", async () => /no_such_joker/.test(await page.locator(".seed-search .problem").innerText()), async () => await page.locator(".seed-search .problem").innerText());
  await wish("voucher telescope ante 1; tag negative ante 2");
  await holds("the text becomes chips", async () => (await page.locator(".want b").allInnerTexts()).join() === "Telescope,Negative Tag", async () => await page.locator(".want b").allInnerTexts());
  await page.locator(".found li").nth(9).waitFor();
  const found = await page.locator(".found li a.mono").first().innerText();
  await holds("a row says why", async () => /Telescope\s+ante 1/.test(await page.locator(".found li").first().innerText()) && /Negative Tag\s+(small|big) blind, ante 2/.test(await page.locator(".found li").first().innerText()), async () => await page.locator(".found li").first().innerText());
  const proof = JSON.parse(say(ludus, "joker", "seed", found, "--deck", "b_magic", "--stake", "8", "--antes", "2", "--json"));
  check("seeds that are found have what was wanted", proof.antes[0].voucher === "v_telescope" && [proof.antes[1].small_tag, proof.antes[1].big_tag].includes("tag_negative"), proof.antes);
  await page.getByLabel("Stake").selectOption({ label: "White Stake" });
  await holds("they are not those of another stake", async () => (await page.locator(".found li").count()) === 0);
  await page.getByLabel("Stake").selectOption({ label: "Gold Stake" });
  await holds("but still there", async () => (await page.locator(".found li").count()) === 10);
  await accessible(page, "Seeds, dark");
  await shoot(page, "seeds-dark");
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
  const tried = await opened(it, `${address}/joker?seed=!!!`);
  await reads("a link without a seed says so", () => tried.page.locator(".seed-form .problem").innerText(), (text) => text === "!!! isn't a seed: a seed is 1 to 8 letters and digits.");
  await tried.page.goto(`${address}/joker?seed=<script>`);
  await reads("so does one with more than a seed", () => tried.page.locator(".seed-form .problem").innerText(), (text) => text.startsWith("<script> isn't a seed"));
  await tried.page.getByRole("button", { name: "Perkeo in ante 1" }).click();
  await tried.page.locator(".found li").nth(9).waitFor();
  check("an example is searched at once", true);
  await tried.context.close();
  const away = await opened(it, `${address}/joker`);
  await away.context.setOffline(true);
  await away.page.getByRole("button", { name: "Random seed" }).click();
  await reads("without the server the page says so", () => away.page.locator(".seeds > .problem").innerText(), (text) => text === "The server does not answer.");
  await away.context.setOffline(false);
  await away.page.getByRole("button", { name: "Look up" }).click();
  await away.page.locator(".ante").first().waitFor();
  check("and the same is looked up when it is back", true);
  await away.context.close();
  const phone = await opened(it, `${address}/joker?seed=TESTSEED&antes=2`, { colorScheme: "light", viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await phone.page.locator(".ante").nth(1).waitFor();
  await reads("the seed that was asked for comes into sight", () => phone.page.locator(".seeds-head").boundingBox(), ({ y, height }) => y >= 0 && y + height < 700);
  await touchable(phone.page, "Seeds, phone");
  await holds("no more room than the screen", async () => await phone.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await accessible(phone.page, "Seeds, phone");
  await shoot(phone.page, "seeds-phone");
  await phone.context.close();
}

/** An untrained model of the variant that the adviser asks, as if it were published. */
async function asksTheAgent(it, address) {
  const room = folder();
  const variant = "joker-plan-v1";
  execFileSync(join(dirname(ludus), "make_model"), [room, variant]);
  const { page, context, wrong } = await visit(it, "about:blank", { reducedMotion: "reduce" });
  await context.addInitScript(() => localStorage.setItem("ludus.play.taught", '["joker"]'));
  await page.route("**/api/v1/models", (route) => route.fulfill({ json: { models: [{ name: variant, game: variant, title: variant, url: `/api/v1/models/${variant}` }] } }));
  await page.route(`**/api/v1/models/${variant}`, (route) => route.fulfill({ body: readFileSync(join(room, `${variant}.safetensors`)) }));
  await page.goto(seedLink(address, "TESTSEED"));
  await page.getByText("The trained agent would").waitFor();
  await reads("the adviser tells the agent's choices", () => page.locator(".adv-option ol li").allInnerTexts(), (choices) => choices.length === 2 && choices.every((one) => /^\d+% (play Small Blind|skip Small Blind for .* Tag)$/.test(one)));
  await holds("and whether the search agrees", async () => /agree|differ/.test(await page.locator(".adv-note").first().innerText()));
  await reads("it is the first that can be asked at the table", () => page.locator(".p-agent option").first().innerText(), (name) => name === variant);
  await page.keyboard.press("g");
  await holds("and gives a hint there", async () => /joker-plan-v1: (Start|Skip) the blind/i.test(await page.locator("body").innerText()));
  await page.locator(".p-agent select").last().selectOption("8");
  await page.keyboard.press("l");
  await reads("it plays cards at the table", () => page.locator(".jk").innerText().then(() => page.locator("body").innerText()), (text) => /(Played|Discarded) .*\s*by joker-plan-v1/.test(text));
  await page.keyboard.press("l");
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

const runs = folder();
for (const game of ["joker-v1", "joker-plan-v1"]) train(ludus, runs, game, "2k", "2k", "--set", "train.environments=32", "--set", "train.horizon=64", "--set", "train.minibatch=512", "--set", "eval.episodes=2");
const it = await browser();
const server = await serve(ludus, runs, ...more);
try {
  await plays(it, server.address);
  await uses(it, server.address);
  await readsCards(it, server.address);
  await counts(it, server.address);
  await byTouch(it, server.address);
  await dragsAndVariants(it, server.address);
  await plans(it, server.address);
  await plansByTouch(it, server.address);
  await watches(it, server.address);
  await watchesPlans(it, server.address);
  await staysInPlace(it, server.address);
  await seeds(it, server.address);
  await asksTheAgent(it, server.address);
} catch (error) {
  check("the visit comes to its end", false, error.stack ?? String(error));
} finally {
  await it.close();
  await server.stop();
}
finish();
