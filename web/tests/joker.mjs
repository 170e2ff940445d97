// Joker in Watch, Play and the seed browser in Chromium: a blind by keyboard, mouse and touch, with the steps
// of the score against the program's own, shop and pack, moving, the adviser, seeds in links, a replay with
// probabilities, seeds of the tool and the search. Usage: node web/tests/joker.mjs LUDUS [FOLDER for
// screenshots [options of ludus serve]]
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { accessible, browser, camera, check, finish, folder, say, serve, train, visit } from "./helper.mjs";

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
  check("a seed by name is in the link", /Seed TESTSEED/.test(await page.locator(".play-title").innerText()));
  check("the blinds of the ante are shown", (await page.locator(".jk-coming h4").allInnerTexts()).join() === "Small Blind,Big Blind,The Head");
  check("with their targets", (await page.locator(".jk-need").allInnerTexts()).join() === "Score 300,Score 450,Score 600");
  check("no heads are asked for beside the board", (await page.locator(".play-actions select").count()) === 0);
  await page.keyboard.press("p");
  check("what is not possible is told", /no blind is being played/.test(await page.locator(".p-story").innerText()));
  await page.keyboard.press("b");
  await tells(page, /Small Blind begins/);
  check("the hand is that of the seed", /Hand: Ace of Hearts; King of Hearts; Queen of Diamonds; 9 of Spades; 9 of Clubs; 5 of Clubs; 5 of Diamonds; 4 of Clubs\./.test(await told(page)), await told(page));
  await page.keyboard.press("p");
  check("a play without cards is told", /choose 1 to 5 cards/.test(await page.locator(".p-story").innerText()));
  for (const key of "45") await page.keyboard.press(key);
  await page.locator(".jk-cards .jk-tile").nth(5).click();
  await page.locator(".jk-cards .jk-tile").nth(6).click();
  check("keys and clicks choose cards", (await page.locator('.jk-cards [aria-pressed="true"]').count()) === 4);
  await page.getByText("Two Pair: 48 × 2 = 96.").waitFor();
  check("what they would score is told beforehand", true);
  await accessible(page, "Play joker, dark");
  await page.locator(".adv-do").waitFor();
  await shoot(page, "play-dark");
  await page.keyboard.press("p");
  await page.locator(".jk-tally").waitFor();
  const told96 = JSON.parse(say(ludus, "joker", "score", "--played", "9S 9C 5C 5D", "--held", "AH KH QD 4C", "--json"));
  check("the score stands with every step", (await page.locator(".jk-steps li").count()) === told96.steps.length && (await page.locator(".jk-result").innerText()) === "96" && /score 96 of 300/.test(await told(page)));
  await page.locator(".jk-tally summary").click();
  const steps = await page.locator(".jk-steps li").allInnerTexts();
  check("in the order of scoring", steps[0].startsWith("Two Pair, level 1") && steps[1] === "9♠: +9 chips 29 × 2" && steps[4] === "5♦: +5 chips 48 × 2", steps);
  await page.keyboard.press("1");
  await page.keyboard.press("]");
  await tells(page, /moved a card/);
  check("a card is moved and stays chosen", (await page.locator(".jk-cards .jk-tile").nth(1).getAttribute("aria-pressed")) === "true");
  await page.keyboard.press("w");
  await page.locator(".p-agent select").first().selectOption("bot:eager");
  await page.keyboard.press("g");
  await page.locator(".p-story:has-text('Eager: Play ')").waitFor();
  check("a hint chooses its cards on the board", (await page.locator('.jk-cards [aria-pressed="true"]').count()) > 0);
  await page.keyboard.press("w");
  check("the adviser beats the blind", await beat(page), await told(page));
  await page.keyboard.press("c");
  await tells(page, /was paid/);
  check("the shop has cards, vouchers and packs", (await page.locator(".jk-part h3").allInnerTexts()).join() === "Shop,Vouchers,Packs");
  await page.locator(".adv-offers tbody tr").first().waitFor();
  check("the adviser says what offers are worth", (await page.locator(".adv-offers tbody tr").count()) >= 4);
  await shops(page);
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

/** Buys a joker and a pack, reads, sells. */
async function shops(page) {
  const first = page.locator('[data-id="shop-0"]');
  const title = await first.locator(".jk-title").innerText();
  await first.click();
  check("what is picked out is told with its effect", (await page.locator(".jk-look h3").innerText()) === title && (await page.locator(".jk-look p").count()) >= 2);
  await page.keyboard.press("y");
  await tells(page, /bought/);
  check("Y buys what is picked out", (await page.locator(".jk-jokers .jk-title").innerText()) === title);
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
  check("what cannot be paid says why", /^Not now: it costs \$\d+ and you have \$\d+$/.test((await poor.getAttribute("title")) ?? ""), await poor.getAttribute("title"));
  await page.locator(".jk-jokers .jk-tile").click();
  await page.keyboard.press("s");
  await tells(page, /sold/);
  check("S sells the joker that is picked out", (await page.locator(".jk-jokers .jk-tile").count()) === 0);
  await page.keyboard.press("n");
  await tells(page, /left the shop/);
}

/** A Tarot of a pack is used on chosen cards: this seed's second pack holds The Empress. */
async function uses(it, address) {
  const { page, context, wrong } = await opened(it, seedLink(address, "C1111111"));
  await page.keyboard.press("b");
  check("the adviser beats the blind", await beat(page), await told(page));
  await page.keyboard.press("c");
  await tells(page, /was paid/);
  await page.locator('[data-id="booster-1-buy"]').click();
  await tells(page, /opened a pack/);
  const empress = page.locator(".jk-stall:has-text('The Empress') .jk-buy");
  check("a Tarot says how many cards it takes", /choose 1 to 2 cards/.test((await empress.getAttribute("title")) ?? ""), await empress.getAttribute("title"));
  await page.keyboard.press("2");
  const card = await page.locator(".jk-cards .jk-tile").nth(1).innerText();
  await empress.click();
  await tells(page, /picked/);
  await page.locator(".jk-folds summary").first().click();
  check("and changes the chosen card", /Among them 1 Mult\./.test(await page.locator(".jk-folds .jk-note").innerText()), card);
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

/** The count of a score with motion, from a state with jokers reached by the strongest bot's moves. */
async function counts(it, address) {
  const { page, context, wrong } = await opened(it, seedLink(address, "TESTSEED"), { colorScheme: "light", reducedMotion: "no-preference" });
  await page.keyboard.press("b");
  for (const key of "4567") await page.keyboard.press(key);
  await page.keyboard.press("p");
  await page.locator(".jk-counting").waitFor();
  const seen = new Set();
  const lit = new Set();
  for (let k = 0; k < 200 && (await page.locator(".jk-counting").count()); k++) {
    const now = await page.evaluate(() => [document.querySelector(".jk-chips")?.textContent, [...document.querySelectorAll(".jk-laid")].findIndex((card) => card.classList.contains("jk-lit")), document.querySelector(".jk-score b")?.textContent]);
    seen.add(Number(now[0]));
    lit.add(now[1]);
    if (k === 0) check("the score waits for the count", now[2] === "0", now);
    await page.waitForTimeout(40);
  }
  const order = [...seen];
  check("chips count up card by card", order.length >= 3 && order.every((value, k) => k === 0 || value > order[k - 1]) && order.at(-1) === 48, order);
  check("and what gives lights up", [...lit].filter((card) => card >= 0).length >= 2, [...lit]);
  await page.waitForFunction(() => document.querySelector(".jk-score b")?.textContent === "96");
  check("then the score stands", true);
  await page.locator(".jk-folds summary").nth(0).click();
  await page.locator(".jk-folds summary").nth(1).click();
  const left = await page.locator(".jk-deck tbody td:last-child").allInnerTexts();
  check("the deck shows what is left", left.map(Number).reduce((all, one) => all + one, 0) === 40, left);
  check("and the levels of hands", (await page.locator(".jk-levels tbody tr").count()) === 9);
  await accessible(page, "Play joker, light");
  await shoot(page, "play-light");
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function byTouch(it, address) {
  const { page, context, wrong } = await opened(it, seedLink(address, "TESTSEED"), { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await page.locator(".jk-part .button.primary").tap();
  await tells(page, /Small Blind begins/);
  await page.locator(".jk-cards .jk-tile").nth(2).tap();
  await page.locator(".jk-cards .jk-tile").nth(0).tap();
  await page.locator(".jk-hand-area .button:has-text('Discard')").tap();
  await tells(page, /discarded 2/);
  check("taps choose and discard", /3 discards/.test(await told(page)), await told(page));
  await accessible(page, "Play joker, phone");
  check("no more room than the screen", await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
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
  check("a card is dragged to its place", /Hand: King of Hearts; Queen of Diamonds; 9 of Spades; Ace of Hearts;/.test(await told(page)), await told(page));
  await page.getByRole("button", { name: "New seed" }).click();
  await page.waitForFunction(() => !/TESTSEED/.test(document.querySelector(".play-title").textContent));
  check("another seed leaves the name behind", /Seed \d+/.test(await page.locator(".play-title").innerText()));
  await page.goto(seedLink(address, "BAD-SEED"));
  await page.locator(".p-banner.bad").waitFor();
  check("a bad seed is told", /seed 'BAD-SEED' must be up to 8 letters/.test(await page.locator(".p-banner.bad").innerText()), await page.locator(".p-banner.bad").innerText());
  await page.goto(`${address}/play/joker-brief-v1?seed=3`);
  await page.locator(".p-action:has-text('Start the blind')").click();
  await tells(page, /begins/);
  check("the brief has its own heads beside the board", (await page.locator(".play-actions select").count()) === 16);
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
  check("the planned game has its choices beside the board", (await page.locator(".play-actions .p-action").allInnerTexts()).some((text) => /Start the blind/.test(text)));
  check("and no other heads", (await page.locator(".play-actions select").count()) === 0);
  await page.keyboard.press("b");
  await tells(page, /Small Blind begins/);
  check("cards are not chosen by hand", (await page.locator(".jk-hand-area .button").allInnerTexts()).every((text) => /^Go on/.test(text)), await page.locator(".jk-hand-area .button").allInnerTexts());
  await page.locator(".adv:not(.adv-stale) .adv-do").waitFor();
  check("the adviser stands beside it, without cards to choose", (await page.locator(".beside .button:has-text('Choose these')").count()) === 0);
  await after(page, () => page.locator(".jk-hand-area .button:has-text('Go on')").click());
  check("a click lets the planner go on", /(played|discarded)/.test(await told(page)), await told(page));
  for (let k = 0; k < 8 && !/beaten|lost/.test(await told(page)); k++) await after(page, () => page.keyboard.press("p"));
  check("keys let it beat the blind", /the blind is beaten/.test(await told(page)), await told(page));
  await after(page, () => page.keyboard.press("c"));
  check("things on offer are choices with their names", (await page.locator(".play-actions .p-action").allInnerTexts()).some((text) => /^Buy (?!card)/.test(text)), await page.locator(".play-actions .p-action").allInnerTexts());
  await page.locator(".p-agent select").first().selectOption("bot:keen");
  await page.keyboard.press("g");
  await page.locator(".p-story:has-text('Keen: ')").waitFor();
  const hinted = await page.locator(".p-story").innerText();
  check("a hint is told and picked out on the board", !/Keen: (Buy|Open)/.test(hinted) || (await page.locator('.jk-table [aria-pressed="true"]').count()) === 1, hinted);
  const title = await page.locator('[data-id="shop-0"] .jk-title').innerText();
  await after(page, () => page.keyboard.press("1"));
  check("1 buys the first card", (await told(page)).includes(`bought ${title}`), await told(page));
  await page.locator(".jk-jokers .jk-tile").click();
  check("what is owned can be read, not sold or moved", (await page.locator(".jk-look h3").innerText()) === title && (await page.locator(".jk-look .button").count()) === 0);
  const pack = page.locator('[data-id^="booster-"].button:not([aria-disabled])').first();
  if (await pack.count()) {
    await after(page, () => pack.click());
    await accessible(page, "Joker's pack, planned");
    await shoot(page, "plan-pack-dark");
    const taken = page.locator(".jk-stall .button:not([aria-disabled])").first();
    check("a card of the pack can be taken", (await taken.count()) === 1);
    await after(page, () => taken.click());
    check("by a click", /picked/.test(await told(page)), await told(page));
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
  const { page, context, wrong } = await opened(it, `${address}/?run=${replay.run_id}&replay=${replay.replay_id}&frame=1`, { colorScheme: "light" });
  await page.getByText("every hash agreed").waitFor();
  check("a replay is played again in the page", true);
  check("with the agent's probabilities", (await page.locator(".choices li:not(.empty)").count()) >= 1 && /%/.test(await page.locator(".choice-share").first().innerText()));
  await page.locator(".adv:not(.adv-stale) .adv-do").waitFor();
  check("and the adviser beside it", (await page.locator(".beside .button:has-text('Choose these')").count()) === 0);
  const names = await page.locator(".legal li").allTextContents();
  check("options of later heads have their head's name", names.includes("Start the blind") ? true : names.some((name) => /^card \d+: choose$/.test(name)), names.slice(0, 30));
  await accessible(page, "Watch joker, light");
  await shoot(page, "watch-light");
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function plansByTouch(it, address) {
  const { page, context, wrong } = await opened(it, seedLink(address, "TESTSEED", "joker-plan-v1"), { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await after(page, () => page.locator(".jk-part .button:has-text('Skip it for the tag')").tap());
  await after(page, () => page.locator(".jk-part .button.primary").tap());
  await after(page, () => page.locator(".jk-hand-area .button:has-text('Go on')").tap());
  check("taps skip, start and go on", /Big Blind/.test(await told(page)) && /(played|discarded)/.test(await told(page)), await told(page));
  check("no more room than the screen", await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

/** A replay of the planned game: its choices with their probabilities. */
async function watchesPlans(it, address) {
  const [replay] = (await (await fetch(`${address}/api/v1/replays?game=joker-plan-v1&limit=1`)).json()).replays;
  const { page, context, wrong } = await opened(it, `${address}/?run=${replay.run_id}&replay=${replay.replay_id}&frame=1`, { colorScheme: "light" });
  await page.getByText("every hash agreed").waitFor();
  const names = await page.locator(".choices li:not(.empty) .choice-name").allInnerTexts();
  check("a planned replay shows the agent's probabilities in words", names.some((name) => /^(Start the blind|Skip the blind)/.test(name)) && /%/.test(await page.locator(".choice-share").first().innerText()), names);
  check("and what was done", /^(Start the blind|Skip the blind)/.test(await page.locator(".happened-step b").innerText()), await page.locator(".happened-step b").innerText());
  check("on the same board", (await page.locator(".jk-head").count()) === 1 && (await page.locator(".jk-live").count()) === 0);
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
  check("the address holds the seed", new URL(page.url()).searchParams.get("seed") === "TESTSEED");
  check("a table per ante", (await page.locator(".ante").count()) === 8);
  const bosses = await page.locator(".ante .ante-facts > div:first-child .named").allInnerTexts();
  check("with the bosses", bosses.slice(0, 3).join() === "The Head,The Wall,The Hook", bosses);
  const cards = await page.locator(".ante").first().locator(".queue li").count();
  check("the shop's queue", cards === tool.queues[0].shop_queue.length && /Raised Fist/.test(await page.locator(".queue li").first().innerText()), cards);
  check("a gold card is no gold seal", /10♣ Gold, Red seal/.test(await page.locator(".packs").first().innerText()), await page.locator(".packs").first().innerText());
  check("and what packs hold", /Abstract Joker, Astronomer/.test(await page.locator(".packs li").first().innerText()), await page.locator(".packs li").first().innerText());
  await page.getByLabel("Stake").selectOption({ label: "Gold Stake" });
  await page.waitForURL(/stake=8/);
  await page.locator(".queue li:has-text('Eternal')").first().waitFor();
  await page.getByLabel("Deck").selectOption({ label: "Magic Deck" });
  await page.waitForURL(/deck=magic/);
  const link = new URL(await page.getByRole("link", { name: "Play this seed" }).getAttribute("href"), address);
  check("a link plays it", link.pathname === "/play/joker" && JSON.parse(link.searchParams.get("opt")).seed === "TESTSEED" && JSON.parse(link.searchParams.get("set")).stake === "gold", link.href);
  await page.getByLabel(/What a seed must have/).fill("joker no_such_joker shop 4 ante 1");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.locator(".seed-search .problem:not(:empty)").waitFor();
  check("a condition that means nothing is told", /no_such_joker/.test(await page.locator(".seed-search .problem").innerText()), await page.locator(".seed-search .problem").innerText());
  await page.getByLabel(/What a seed must have/).fill("voucher telescope ante 1; tag negative ante 2");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.locator(".found li").nth(9).waitFor();
  const found = await page.locator(".found li").first().innerText();
  const proof = JSON.parse(say(ludus, "joker", "seed", found, "--deck", "b_magic", "--stake", "8", "--antes", "2", "--json"));
  check("seeds that are found have what was wanted", proof.antes[0].voucher === "v_telescope" && [proof.antes[1].small_tag, proof.antes[1].big_tag].includes("tag_negative"), proof.antes);
  await accessible(page, "Seeds, dark");
  await shoot(page, "seeds-dark");
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
  const phone = await opened(it, `${address}/joker?seed=TESTSEED&antes=2`, { colorScheme: "light", viewport: { width: 360, height: 740 } });
  await phone.page.locator(".ante").nth(1).waitFor();
  check("no more room than the screen", await phone.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
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
  const choices = await page.locator(".adv-option ol li").allInnerTexts();
  check("the adviser tells the agent's choices", choices.length === 2 && choices.every((one) => /^\d+ % (play Small Blind|skip Small Blind for .* Tag)$/.test(one)), choices);
  check("and whether the search agrees", /agree|differ/.test(await page.locator(".adv-note").first().innerText()));
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

const runs = folder();
for (const game of ["joker", "joker-plan-v1"]) train(ludus, runs, game, "2k", "2k", "--set", "train.environments=32", "--set", "train.horizon=64", "--set", "train.minibatch=512");
const it = await browser();
const server = await serve(ludus, runs, ...more);
try {
  await plays(it, server.address);
  await uses(it, server.address);
  await counts(it, server.address);
  await byTouch(it, server.address);
  await dragsAndVariants(it, server.address);
  await plans(it, server.address);
  await plansByTouch(it, server.address);
  await watches(it, server.address);
  await watchesPlans(it, server.address);
  await seeds(it, server.address);
  await asksTheAgent(it, server.address);
} catch (error) {
  check("the visit comes to its end", false, error.stack ?? String(error));
} finally {
  await it.close();
  await server.stop();
}
finish();
