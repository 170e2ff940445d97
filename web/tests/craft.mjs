// The crafting page in Chromium: a target in words and by modifiers, prices, the solver in its worker
// against the program, stop, sliders, share links (hostile ones too); both themes, phone and desktop, axe.
// Usage: node web/tests/craft.mjs LUDUS [FOLDER for screenshots]
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { accessible, browser, camera, check, finish, folder, holds, patience, reads, say, serve, touchable, visit } from "./helper.mjs";

const [ludus, shots = ""] = process.argv.slice(2);
const shoot = camera(shots, "craft");
/** four currencies that only add: solved at once */
const few = "no=chaos_orb~orb_of_alchemy~orb_of_annulment~divine_orb~fracturing_orb~*greater~*essences~*omens~*bones";
const list = "orb_of_transmutation,orb_of_augmentation,regal_orb,exalted_orb";
const example = "STR/DEX boots ilvl 82, T4 life, T3 move speed";
const target = "want=1*g-life-t4,1*g-move_speed-t3";
const words = (page) => page.getByRole("textbox", { name: /In words/ });
const understood = (page) => page.locator(".understood").innerText();
const solve = (page) => page.getByRole("button", { name: "Solve", exact: true });
const solved = (page) => page.getByText(/^Solver: done in/).waitFor();
const figure = (page, name, at = 0) => page.locator(".strategy").nth(at).locator(".figure", { has: page.locator("dt", { hasText: new RegExp(`^${name}$`) }) }).locator("dd").innerText();
const query = (page, key) => new URL(page.url()).searchParams.get(key);
const shown = (cost) => (cost >= 100 ? cost.toFixed(1) : cost.toFixed(2)).replace(/\.?0+$/, "");
const optimize = (...more) => JSON.parse(say(ludus, "craft", "optimize", "--base", "Blacksteel Sabatons", "--ilvl", "82", "--actions", list, "--json", ...more));

/** By words and by clicks; what was understood is told, and what was not. */
async function wants(it, address) {
  const { page, context, wrong } = await visit(it, `${address}/craft`);
  await words(page).fill(`${example}, blorp`);
  await reads("a target in words is echoed", () => understood(page), (text) => /Blacksteel Sabatons, item level 82: .*life tier 4 or better, movement speed tier 3 or better/.test(text));
  await reads("what was not understood is named", () => page.locator(".unparsed").innerText(), (text) => /“blorp”/.test(text));
  await holds("it stands in the address", async () => query(page, "want") === "1*g-life-t4,1*g-move_speed-t3", () => page.url());
  await page.getByRole("button", { name: "Remove: maximum life" }).click();
  const tiers = page.getByRole("group", { name: "+# to maximum Life" }).first();
  await tiers.getByRole("radio", { name: /^Tier 2 or better/ }).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowRight");
  await holds("tiers are chosen by keys", async () => query(page, "want") === "1*g-move_speed-t3,1*l-IncreasedLife-t3", () => page.url());
  await page.getByLabel("Open suffixes").fill("2");
  await page.getByLabel("Open suffixes").press("Tab");
  await reads("open places too", () => understood(page), (text) => /2 open suffix/.test(text));
  await page.getByRole("spinbutton", { name: "Item level" }).fill("20");
  await page.getByRole("spinbutton", { name: "Item level" }).press("Tab");
  await reads("what cannot be is told, with the reason", () => page.locator("[aria-labelledby=target-title] .problem").last().innerText(), (text) => text.length > 10);
  await holds("and not solved", () => solve(page).isDisabled());
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function solves(it, address) {
  const { page, context, wrong } = await visit(it, `${address}/craft?base=Blacksteel+Sabatons&ilvl=82&${target}&${few}`, { permissions: ["clipboard-read", "clipboard-write"] });
  await understood(page);
  await solve(page).click();
  await solved(page);
  const [best, short] = optimize("--want", "T4 life, T3 move speed").strategies;
  await reads("the optimum is the program's", () => figure(page, "Expected cost"), (text) => text === `${shown(best.expected_cost)} exalted`);
  await reads("so are the few rules", () => figure(page, "Expected cost", 1), (text) => text === `${shown(short.expected_cost)} exalted`);
  check("rules to follow", (await page.locator(".rules li").count()) === short.rules.length);
  check("a chart with its words", /half of all crafts within/.test((await page.locator(".chart").first().getAttribute("aria-label")) ?? ""));
  check("example paths", (await page.locator(".strategy").first().locator(".path").count()) === best.paths.length);
  const told = await page.locator(".flow > li").first().innerText();
  check("a flow with branch odds", /Normal, nothing wanted on it\s+Orb of Transmutation/i.test(told) && /%/.test(told), told);
  await page.getByRole("button", { name: "How sure is it?" }).click();
  await page.getByText(/^Comparison: done in/).waitFor();
  await reads("other rules and simpler strategies stand beside it", () => page.locator("[aria-labelledby=sensitivity-title]").innerText(), (text) => /If one uncertain rule is different: [\d.,]+ to [\d.,]+ exalted/.test(text) && /ladder/i.test(text) && /% of 200/.test(text));
  const bench = page.locator("[aria-labelledby=bench-title]");
  await holds("by hand: the cost to go of a white base is the optimum without it", async () => (await bench.innerText()).includes(`Still to come ${shown(best.expected_cost - 1)} exalted`), () => bench.innerText());
  await bench.getByRole("button", { name: "Exalted Orb" }).click();
  await holds("what cannot be used is told", async () => /cannot be used/.test(await bench.locator(".problem").innerText()));
  await bench.getByRole("button", { name: "Do the best" }).click();
  await holds("a use makes the item magic, and the plan goes on", async () => /magic/.test(await bench.innerText()) && /Spent 0.2138 exalted/.test(await bench.innerText()) && /best now/.test(await bench.innerText()), () => bench.innerText());
  await page.getByLabel("Price of New white base in exalted").fill("3");
  await page.getByLabel("Price of New white base in exalted").press("Tab");
  await page.getByText("Something has changed").waitFor();
  await solve(page).click();
  await solved(page);
  const dearer = Number(/[\d.]+/.exec(await figure(page, "Expected cost"))[0]);
  check("a dearer base costs more, at most as its uses say", dearer > best.expected_cost && dearer <= best.expected_cost + 2 * best.uses.white_base + 0.1, dearer);
  const slider = page.getByRole("slider", { name: /Exalted Orb/ });
  await slider.focus();
  for (let k = 0; k < 3; k++) await page.keyboard.press("ArrowRight");
  await reads("a slider solves again", async () => Number(/[\d.]+/.exec(await figure(page, "Expected cost"))[0]), (cost) => cost > dearer);
  await page.getByRole("button", { name: "Copy the link" }).click();
  await page.getByText("Link copied").waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const second = await visit(it, link);
  await reads("a link brings base, target and prices", async () => [await second.page.getByLabel("Price of New white base in exalted").inputValue(), await understood(second.page)].join(), (text) => /^3,Blacksteel Sabatons, item level 82: .*tier 4/.test(text));
  for (const text of ["base=__proto__&ilvl=-1&want=9*g-x,1*g-constructor,<script>&p=chaos_orb:-1~x:1&no=toString~*x&unit=x", `want=${"1*g-life-t99,".repeat(99)}&p=${"a".repeat(5000)}`]) {
    await second.page.evaluate((query) => (history.pushState(null, "", `/craft?${query}`), dispatchEvent(new PopStateEvent("popstate"))), text);
    await second.page.waitForTimeout(300);
  }
  await holds("hostile links break nothing", async () => second.wrong.length === 0 && (await second.page.locator("h1").innerText()) === "Workbench", () => second.wrong);
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await second.context.close();
  await context.close();
}

/** A long question tells how far it is, and ends when told. */
async function stops(it, address) {
  const { page, context, wrong } = await visit(it, `${address}/craft?base=Blacksteel+Sabatons&ilvl=85&want=1*g-life-t1,2*g-resistance-t2,1*g-move_speed-v25&os=1`);
  await understood(page);
  await solve(page).click();
  await page.waitForFunction(() => document.querySelector(".answer progress")?.value > 0, null, { timeout: patience });
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("Stopped.").waitFor();
  await holds("Stop stops a long search", async () => page.workers().length <= 1, async () => page.workers().length);
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

const copied = (rarity, ...mods) => `Item Class: Boots\nRarity: ${rarity}\nBlacksteel Sabatons\n--------\nItem Level: 82\n--------\n${mods.join("\n")}\n`;
const life = '{ Prefix Modifier "Stalwart" (Tier: 3) }\n+91(85-99) to maximum Life';
const fire = '{ Suffix Modifier "of the Drake" (Tier: 7) }\n+12(11-15)% to Fire Resistance';
const advisor = (page) => page.locator(".advisor");
const paste = async (page, text) => {
  await advisor(page).getByRole("textbox").fill(text);
  await advisor(page).getByRole("textbox").press("Control+Enter");
  await page.getByText(/^Advisor: done in/).waitFor();
};

/** An item that is pasted: the advice is the program's, the browser keeps the craft, a link the item. */
async function advises(it, address) {
  const asked = `base=Blacksteel+Sabatons&ilvl=82&${target}&${few}`;
  const { page, context, wrong } = await visit(it, `${address}/craft?${asked}&budget=200`);
  await understood(page);
  await paste(page, copied("Magic", life));
  const item = join(folder(), "item.txt");
  writeFileSync(item, copied("Magic", life));
  const told = JSON.parse(say(ludus, "craft", "advise", item, "--want", "T4 life, T3 move speed", "--actions", list, "--budget", "200", "--json"));
  await reads("the next action is the program's", () => page.locator(".next-step").innerText(), (text) => /Regal Orb/.test(text) && told.next === "regal_orb");
  await reads("so is the cost to go", () => advisor(page).locator(".figure").first().innerText(), (text) => text.includes(`${shown(told.cost_to_go)} exalted`));
  check("each kind of outcome has its odds and what to do then", (await page.locator(".outcomes li").count()) === told.outcomes.length);
  check("and the budget its chance", /Within 200 in all/.test(await advisor(page).innerText()));
  await paste(page, copied("Rare", life, fire));
  await reads("the outcome is known from the item", () => advisor(page).innerText(), (text) => /Regal Orb for [\d.]+ exalted; this outcome had a chance of/.test(text) && /1 step\b/.test(text));
  await page.reload();
  await understood(page);
  await paste(page, copied("Rare", life, fire.replace("+12", "+13")));
  await holds("the browser keeps the craft; what does not follow is told", async () => /not a result of the step that was advised/.test(await advisor(page).innerText()) && /2 steps/.test(await advisor(page).innerText()), () => advisor(page).innerText());
  await advisor(page).getByLabel("What was used?").selectOption("exalted_orb");
  await reads("the player says what was used", () => advisor(page).innerText(), (text) => /Exalted Orb for/.test(text) && /2 steps/.test(text));
  await advisor(page).getByRole("textbox").fill(copied("Rare", "+5 to Tea"));
  await advisor(page).getByRole("button", { name: "What next?" }).click();
  await reads("what is no modifier is named with its line", () => advisor(page).innerText(), (text) => /[Tt]he item:7: no modifier of Blacksteel Sabatons/.test(text));
  await holds("the item stands in the address", async () => /^rare~IncreasedLife7\.6~FireResist2\.2/.test(query(page, "item") ?? ""), () => page.url());
  const second = await visit(it, page.url());
  await understood(second.page);
  await advisor(second.page).getByRole("button", { name: "What next?" }).click();
  await reads("a link brings the item", () => advisor(second.page).innerText(), (text) => /\+91 to maximum Life/.test(text) && /Spent so far\s+0 exalted/.test(text));
  await second.page.getByRole("button", { name: "New craft" }).click();
  await holds("New craft forgets it", async () => (await advisor(second.page).locator(".next-step").count()) === 0 && query(second.page, "item") === null, () => second.page.url());
  check("nothing went wrong in the page", wrong.length + second.wrong.length === 0, [wrong, second.wrong]);
  await second.context.close();
  await context.close();
}

/** Options of a reveal: pasted ones are told with the cost of each, and kept by a button; by hand the same. */
async function keeps(it, address) {
  const bone = "no=chaos_orb~orb_of_alchemy~orb_of_annulment~divine_orb~fracturing_orb~*greater~*essences~*omens";
  const { page, context, wrong } = await visit(it, `${address}/craft?base=Heavy+Belt&ilvl=82&want=1*g-life-t4,1*g-fire_res-t3&${bone}&use=all`);
  await understood(page);
  const text = `Item Class: Belts\nRarity: Rare\nHeavy Belt\n--------\nItem Level: 82\n--------\n${life}\nUnrevealed Suffix\n+42% to Fire Resistance (option)\n+22 to Strength (option)\n`;
  await paste(page, text);
  await reads("options are told with what each costs to go", () => advisor(page).locator(".options").innerText(), (told) => /Fire Resistance[^]*0 exalted to go[^]*Strength[^]*exalted to go/.test(told));
  await reads("the best of them is advised", () => page.locator(".next-step").innerText(), (told) => /Keep \+42% to Fire Resistance/.test(told));
  await advisor(page).getByRole("button", { name: "Keep" }).nth(1).click();
  await reads("another is kept by its button", () => advisor(page).innerText(), (told) => /Keep2 for 0/.test(told) && /Suffix: \+\d+ to Strength/.test(told));
  await page.goto(`${address}/craft?base=Heavy+Belt&ilvl=14&want=1*g-life,1*g-fire_res&${bone}&use=all`);
  await understood(page);
  await solve(page).click();
  await solved(page);
  const bench = page.locator("[aria-labelledby=bench-title]");
  const best = bench.getByRole("button", { name: "Do the best" });
  const fresh = bench.getByRole("button", { name: /^New white base/ });
  for (let k = 0; k < 2000; k++) {
    await fresh.click({ trial: true }); // nothing is under way: what is shown is what came of the last step
    if (await bench.locator(".options").count()) break;
    await (/Done/.test(await bench.getByRole("status").innerText()) ? fresh : best).click();
  }
  await reads("by hand a reveal shows its options with the cost of each", () => bench.locator(".options").innerText(), (told) => (told.match(/exalted to go/g) ?? []).length === 3);
  await bench.getByRole("button", { name: "Keep" }).first().click();
  await reads("one is kept, and the craft goes on", () => bench.innerText(), (told) => /Kept .*: \d modifiers?/.test(told) && /(Still to come [\d.]+ exalted|Done: this is the item)/.test(told));
  if (shots) await page.screenshot({ path: join(shots, "craft-options.png"), fullPage: true });
  check("nothing went wrong where options are kept", wrong.length === 0, wrong);
  await context.close();
}

/** The view that Play and Watch share. */
async function plays(it, address) {
  const { page, context, wrong } = await visit(it, `${address}/play/craft?seed=3`);
  const canvas = page.locator("canvas").first();
  await canvas.waitFor();
  await page.getByRole("button", { name: "Got it" }).click();
  const buttons = await page.locator(".p-action").allInnerTexts();
  check("Play: buttons tell prices, and essences by their names", buttons.some((text) => /^Transmutation\s+[\d.]+\sex/.test(text)) && buttons.some((text) => /Essence of/.test(text)) && !buttons.some((text) => /^Essence \d/.test(text)), buttons);
  const keys = await page.locator(".play-actions [aria-keyshortcuts]").evaluateAll((all) => all.map((one) => one.getAttribute("aria-keyshortcuts")));
  check("each key stands on one button", keys.length > 8 && new Set(keys).size === keys.length, keys);
  await page.getByRole("button", { name: /^Transmutation/ }).first().click();
  await reads("Play: a transmutation costs, and the gauge tells", () => page.locator("main").innerText(), (text) => /Spent\s+1\.2/.test(text));
  check("each action is offered once", (await page.getByRole("button", { name: /^New white base/ }).count()) === 1);
  await shoot(page, "play");
  check("nothing went wrong in Play", wrong.length === 0, wrong);
  await context.close();
}

async function looks(it, address) {
  for (const [name, viewport, more] of [["phone", { width: 390, height: 844 }, { hasTouch: true, isMobile: true }], ["desktop", { width: 1440, height: 900 }, {}]]) {
    for (const colorScheme of ["dark", "light"]) {
      const { page, context, wrong } = await visit(it, `${address}/craft?base=Blacksteel+Sabatons&ilvl=82&${target}&${few}&budget=60&bases=20`, { viewport, colorScheme, reducedMotion: "reduce", ...more });
      await understood(page);
      await (more.hasTouch ? solve(page).tap() : solve(page).click());
      await solved(page);
      await page.locator(".path summary").first().click();
      if (!(await advisor(page).getAttribute("open"))) await advisor(page).evaluate((details) => (details.open = true));
      await paste(page, copied("Rare", life, fire));
      await holds(`${name}, ${colorScheme}: nothing is wider than the screen`, () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), () => page.evaluate(() => document.documentElement.scrollWidth));
      if (shots) await page.screenshot({ path: join(shots, `craft-${name}-${colorScheme}-whole.png`), fullPage: true });
      await shoot(page, `${name}-${colorScheme}`);
      if (shots) await advisor(page).screenshot({ path: join(shots, `craft-${name}-${colorScheme}-advisor.png`) });
      // each size and each theme once
      if ((name === "phone") === (colorScheme === "light")) await accessible(page, `${name}, ${colorScheme}`);
      if (more.hasTouch) await touchable(page, `${name}, ${colorScheme}`);
      check(`${name}, ${colorScheme}: nothing went wrong`, wrong.length === 0, wrong);
      await context.close();
    }
  }
}

let it = null;
let server = null;
try {
  it = await browser();
  server = await serve(ludus, folder());
  for (const part of [wants, solves, advises, keeps, stops, plays, looks]) await part(it, server.address);
} catch (error) {
  check("the visit comes to its end", false, error.stack ?? String(error));
} finally {
  await it?.close();
  await server?.stop();
}
finish();
