// Play with several seats in Chromium, by the probes of tests/: a person against a bot and a model, two
// persons at one keyboard at once and in turn, a seat that the game drives, the clock; keyboard only,
// phone and desktop, axe. And Watch of an episode for two.
// Usage: node web/tests/seats.mjs LUDUS [FOLDER for screenshots]
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { accessible, browser, camera, check, finish, folder, holds, project, rests, serve, train, visit } from "./helper.mjs";

const [ludus, shots = ""] = process.argv.slice(2);
const probes = join(dirname(ludus), "probes_ludus");
const shoot = camera(shots, "seats");
const title = (page) => page.locator(".play-title p").innerText();
const decisions = async (page) => Number(/([\d,]+) decisions?/.exec(await title(page))[1]);
const story = (page) => page.locator(".p-story").innerText();
const turn = (page) => page.locator(".p-turn").innerText();
const player = (page, seat) => page.locator(".p-seat").nth(seat - 1).locator("select");
const totals = (page) => page.locator(".p-seat-total").allInnerTexts().then((all) => all.map((text) => Number(text.replace(/[^\d.−-]/g, "").replace("−", "-"))));
const action = (page, option) => page.locator(`.p-action[data-option="${option}"]`);
const [rock, paper, scissors] = [0, 1, 2]; // options of duet

/** A page at a path of Play; the modules of the probes are not part of the site. */
async function opened(it, address, path, options = {}, modules = true) {
  const { page, context, wrong } = await visit(it, "about:blank", options);
  await context.route(/\/wasm\/(duet|turns|house)\.wasm$/, (route) => {
    if (!modules) return route.abort();
    const name = new URL(route.request().url()).pathname.split("/").at(-1);
    return route.fulfill({ contentType: "application/wasm", body: readFileSync(join(project, "build/wasm/test", name)) });
  });
  await context.addInitScript(() => localStorage.setItem("ludus.play.taught", '["duet","turns","house","corridor"]'));
  await page.goto(address + path);
  await page.locator(".play-board, .watch .stage, .notice.bad").first().waitFor();
  return { page, context, wrong };
}

async function againstBot(it, address) {
  const { page, context, wrong } = await opened(it, address, "/play/duet?seed=3");
  await holds("a game for two opens with a person and its strongest bot", async () => (await player(page, 1).inputValue()) === "person" && (await player(page, 2).inputValue()) === "bot:answer");
  await holds("it is said who chooses", async () => (await turn(page)) === "You choose.", async () => await turn(page));
  await page.keyboard.press("r");
  await holds("a key of the person makes the decision of both", async () => (await decisions(page)) === 1);
  await holds("told for both seats", async () => /wins \d|nobody wins/i.test(await story(page)), async () => await story(page));
  const [mine, theirs] = await totals(page);
  check("returns stand at each seat", mine === -theirs, [mine, theirs]);
  await page.keyboard.press("r");
  await holds("and goes on", async () => (await decisions(page)) === 2);
  await holds("masks are those of the person's seat", async () => (await action(page, rock).getAttribute("title")) === "Not now: played twice in a row already");
  await page.keyboard.press("g");
  await page.locator(".p-hinted").waitFor();
  await holds("a hint is for the person's seat", async () => /: (paper|scissors)/i.test(await story(page)), async () => await story(page));
  const kept = await page.locator(".p-log-lines").innerText();
  await page.reload();
  await page.locator(".play-board").waitFor();
  await holds("a reload keeps the episode of both", async () => (await decisions(page)) === 2 && (await page.locator(".p-log-lines").innerText()) === kept);
  await player(page, 1).selectOption("bot:random");
  await holds("the last person never leaves: the other seat is theirs", async () => (await player(page, 2).inputValue()) === "person");
  await page.locator('.p-action:not([aria-disabled="true"])').first().click();
  await holds("and is played from there", async () => (await decisions(page)) === 3);
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function agentPlaysOn(it, address) {
  const { page, context, wrong } = await opened(it, address, "/play/duet?seed=5");
  await page.getByLabel("Decisions per second").selectOption("0");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("l");
  await page.locator(".p-ending").waitFor();
  await holds("the agent plays the person's seat to the end", async () => /after 12 decisions/.test(await page.locator(".p-ending").innerText()), async () => await page.locator(".p-ending").innerText());
  await holds("the end tells the returns of both", async () => /Returns: You .+, Opponent /.test(await page.locator(".p-ending").innerText()), async () => await page.locator(".p-ending").innerText());
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function againstModel(it, address) {
  const { page, context, wrong } = await opened(it, address, "/play/duet?seed=4");
  await page.locator(".p-seats option", { hasText: /^Newest of duet/ }).first().waitFor({ state: "attached" });
  const newest = await page.locator(".p-seats optgroup option", { hasText: /^Newest of duet/ }).last().getAttribute("value");
  await player(page, 2).selectOption(newest);
  await page.evaluate(() => document.activeElement.blur());
  for (const key of ["r", "p", "s"]) {
    const before = await decisions(page);
    await page.keyboard.press(key);
    await holds(`a model answers ${key}`, async () => (await decisions(page)) === before + 1);
  }
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function atOneKeyboard(it, address) {
  const { page, context, wrong } = await opened(it, address, "/play/duet?seed=3");
  await player(page, 2).selectOption("person");
  await page.evaluate(() => document.activeElement.blur());
  await holds("two persons: both choose", async () => /Player 1 chooses\s+Player 2 chooses/.test(await turn(page)));
  await holds("nothing repeats by itself then", async () => (await page.getByRole("button", { name: "Repeat", exact: true }).count()) === 0);
  await page.keyboard.press("r");
  await holds("the first has chosen, the second is asked", async () => /Player 1 has chosen\s+Player 2 chooses/.test(await turn(page)));
  await holds("the choice of the first is not shown to the second", async () => (await page.locator(".p-running").count()) === 0);
  await holds("and nothing is decided yet", async () => (await decisions(page)) === 0);
  await holds("the buttons show the keys of the second", async () => (await action(page, paper).locator("kbd").innerText()) === "2");
  await page.keyboard.press("2");
  await holds("the second key set decides it", async () => (await decisions(page)) === 1);
  await holds("paper beats rock", async () => /Player 2 wins/.test(await story(page)), async () => await story(page));
  await page.keyboard.press("1");
  await holds("the second may choose first", async () => /Player 1 chooses\s+Player 2 has chosen/.test(await turn(page)));
  await page.keyboard.press("3");
  await page.keyboard.press("r");
  await holds("and think again", async () => (await decisions(page)) === 2 && /Player 1 wins/.test(await story(page)));
  await page.getByRole("button", { name: /Player 2/ }).click();
  await action(page, rock).click();
  await holds("buttons serve the person who is asked", async () => /Player 2 has chosen/.test(await turn(page)));
  await action(page, scissors).click();
  await holds("both by buttons", async () => (await decisions(page)) === 3);
  await accessible(page, "Two persons at one keyboard");
  await shoot(page, "two-persons");
  await page.keyboard.press("?");
  await holds("how to play lists both key sets", async () => /R\s*1\s*Rock/.test((await page.locator("dialog[open] .p-keys").innerText()).replace(/\n/g, " ")));
  await page.keyboard.press("Escape");
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function inTurn(it, address) {
  const { page, context, wrong } = await opened(it, address, "/play/turns?seed=8");
  const first = page.locator('.p-action:not([aria-disabled="true"])').first();
  await first.focus();
  await page.keyboard.press("Enter");
  await holds("in turn: the bot answers by itself", async () => (await decisions(page)) === 2);
  await holds("the log says who moved", async () => /by \w+/.test(await page.locator(".p-log-lines li").first().innerText()), async () => await page.locator(".p-log-lines li").first().innerText());
  await holds("and the person is to choose again", async () => (await turn(page)) === "You choose.");
  await player(page, 2).selectOption("person");
  await holds("two persons in turn: one waits", async () => /Player 1 chooses\s+Player 2 waits/.test(await turn(page)));
  await first.focus();
  await page.keyboard.press("Enter");
  await holds("then the other", async () => /Player 1 waits\s+Player 2 chooses/.test(await turn(page)));
  await page.locator('.p-action:not([aria-disabled="true"])').first().focus();
  await page.keyboard.press("Enter");
  await holds("with the same keys", async () => (await decisions(page)) === 4);
  await player(page, 1).selectOption({ index: 1 });
  await holds("a bot that is to move begins", async () => (await decisions(page)) === 5 && (await turn(page)) === "You choose.");
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function driven(it, address) {
  const { page, context, wrong } = await opened(it, address, "/play/house?seed=2");
  await holds("a seat that the game drives is told", async () => /Player 2: the game itself/.test(await page.locator(".p-seats").innerText()), async () => await page.locator(".p-seats").innerText());
  await action(page, 0).click();
  await holds("and asked of nobody", async () => (await decisions(page)) === 1);
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function clock(it, address) {
  const { page, context, wrong } = await opened(it, address, "/play/duet?seed=3");
  await page.locator(".p-repeat select").selectOption("2");
  await page.evaluate(() => document.activeElement.blur());
  await holds("the page says what the clock does", async () => /starts with the first choice\. A player who has not chosen by the tick takes the first legal option: Rock\./.test(await page.locator(".p-clock").innerText()), async () => await page.locator(".p-clock").innerText());
  await page.waitForTimeout(1200);
  await holds("it waits for the first choice", async () => (await decisions(page)) === 0);
  await page.keyboard.press("s");
  await holds("a choice waits for the tick, marked", async () => (await decisions(page)) > 0 || (await page.locator(".p-running").count()) === 1);
  await holds("the clock ticks on without a choice", async () => (await decisions(page)) >= 4);
  await page.keyboard.press("Escape");
  await holds("Escape stops it", async () => /starts with the first choice/.test(await page.locator(".p-clock").innerText()));
  await rests("for good", () => decisions(page));
  await context.close();

  check("nothing went wrong in the page", wrong.length === 0, wrong);
}

async function withoutModule(it, address) {
  const { page, context, wrong } = await opened(it, address, "/play/turns?seed=8", {}, false);
  const first = page.locator('.p-action:not([aria-disabled="true"])').first();
  await holds("without a module the server plays the bot", async () => (await player(page, 2).inputValue()) === "bot:expert" && (await turn(page)) === "You choose.");
  await first.click();
  await holds("which answers", async () => (await decisions(page)) === 2 && (await turn(page)) === "You choose." && /Player 2 takes/.test(await story(page)));
  await player(page, 1).selectOption("bot:random");
  await holds("from either seat, in a new episode", async () => (await player(page, 2).inputValue()) === "person" && (await decisions(page)) === 1 && (await turn(page)) === "You choose.");
  await first.click();
  await holds("and goes on", async () => (await decisions(page)) === 3);
  await page.reload();
  await page.locator(".play-board").waitFor();
  await holds("a reload begins with the same players", async () => (await player(page, 1).inputValue()) === "bot:random" && (await decisions(page)) === 1);
  await player(page, 1).selectOption("person");
  await holds("two persons play on the server too", async () => (await decisions(page)) === 0 && /Player 1 chooses\s+Player 2 waits/.test(await turn(page)));
  await first.click();
  await holds("in turn", async () => (await decisions(page)) === 1 && /Player 1 waits\s+Player 2 chooses/.test(await turn(page)));
  await first.click();
  await holds("each with a mask of their own", async () => (await decisions(page)) === 2 && /Player 1 chooses/.test(await turn(page)));
  check("nothing went wrong in the page", wrong.filter((one) => !/wasm|ERR_FAILED/.test(one)).length === 0, wrong);
  await context.close();
}

async function modelOnServer(it, address) {
  const { page, context } = await opened(it, address, "/play/duet?seed=4", {}, false);
  await page.locator(".p-seats option", { hasText: /^Newest of duet/ }).first().waitFor({ state: "attached" });
  const newest = await page.locator(".p-seats optgroup option", { hasText: /^Newest of duet/ }).last().getAttribute("value");
  const late = (path, ms) =>
    page.route(`**/api/v1/${path}`, async (route) => {
      const response = await route.fetch();
      await new Promise((done) => setTimeout(done, ms));
      await route.fulfill({ response }).catch(() => undefined); // the page may be gone
    }, { times: 1 });
  await late("sessions", 300);
  await late("sessions/*/step", 900); // were it asked for while the seat is taken, its answer would come last
  await player(page, 2).selectOption(newest);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("r");
  for (const key of ["r", "p"]) {
    const before = await decisions(page);
    await holds(`a model on the server answers ${key}`, async () => {
      if ((await decisions(page)) === before) await page.keyboard.press(key); // one that comes while the seat is taken is lost
      return (await decisions(page)) > before;
    });
  }
  await page.evaluate((key) => localStorage.setItem(key, '["person","model:gone"]'), await page.evaluate(() => Object.keys(localStorage).find((key) => key.endsWith("play.seats.duet"))));
  await page.reload();
  await page.locator(".play-board").waitFor();
  await holds("whom the server no longer has is replaced", async () => (await player(page, 2).inputValue()) === "bot:answer" && (await turn(page)) === "You choose.");
  await context.close();
}

async function looks(it, address) {
  for (const [width, height] of [[360, 740], [1440, 900]]) {
    for (const colorScheme of ["dark", "light"]) {
      const { page, context } = await opened(it, address, "/play/duet?seed=3", { viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
      await page.locator(".p-repeat select").selectOption("1");
      await player(page, 2).selectOption("person");
      await page.locator(".segments.p-turn").waitFor();
      await shoot(page, `${width}-${colorScheme}`);
      await accessible(page, `Two seats, ${width} pixels, ${colorScheme}`);
      await holds(`Two seats, ${width} pixels: no more room than the screen`, async () => await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await context.close();
    }
  }
}

const api = (address, path) => fetch(`${address}/api/v1/${path}`).then((answer) => answer.json());

async function watched(it, address) {
  const [replay] = (await api(address, "replays?limit=1")).replays;
  const { page, context, wrong } = await opened(it, address, `/watch?run=${replay.run_id}&replay=${replay.replay_id}&frame=2`, { reducedMotion: "reduce" });
  await page.locator(".happened").waitFor();
  await holds("Watch: every hash of an episode for two agrees", async () => /every hash agreed/.test(await page.locator(".controls").innerText()));
  await page.getByText("Raw data of this frame").click();
  const raw = JSON.parse(await page.locator(".raw pre").innerText());
  check("Watch shows everything, also what is hidden", raw.seat === -1 && "rng" in raw.state, Object.keys(raw.state));
  check("the decision of both is named", / \| /.test(raw.actionName), raw.actionName);
  check("with the returns of both", raw.totals.length === 2 && raw.totals[0] === -raw.totals[1], raw.totals);
  check("and what the first thought", raw.seats.length === 2 && raw.seats[0].thought.top.length === 3, raw.seats);
  await page.getByRole("button", { name: "Player 2" }).click();
  await holds("each seat's thoughts and terms are a click away", async () => /what player 2 thought/i.test(await page.locator(".thinking h2").innerText()) && /reward of player 2/i.test(await page.locator(".terms h2").innerText()));
  await shoot(page, "watch");
  await page.locator('a[aria-label="Take over from here"]').click();
  await page.locator(".play-board").waitFor();
  await holds("and is taken over with all seats", async () => (await decisions(page)) === 2);
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

/** A file of version 1 and an earlier specification in place of the replay's own. */
async function earlier(it, address) {
  const [replay] = (await api(address, "replays?limit=1")).replays;
  const { page, context, wrong } = await opened(it, address, "/play/corridor");
  await context.route(new RegExp(`/replays/${replay.replay_id}/file`), (route) => route.fulfill({ contentType: "application/octet-stream", body: readFileSync(join(project, "fuzz/corpus/replay/duet-v1.replay")) }));
  await page.goto(`${address}/watch?run=${replay.run_id}&replay=${replay.replay_id}&frame=2`);
  await page.locator(".happened").waitFor();
  await holds("Watch: the hashes of an earlier replay agree", async () => /every hash agreed/.test(await page.locator(".controls").innerText()), async () => await page.locator(".controls").innerText());
  await page.getByText("Raw data of this frame").click();
  const raw = JSON.parse(await page.locator(".raw pre").innerText());
  check("and it is that file which is shown", raw.seed === "7", raw.seed);
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

const runs = folder();
train(probes, runs, "duet", "8k", "4k");
const it = await browser();
const server = await serve(probes, runs);
try {
  for (const part of [againstBot, agentPlaysOn, againstModel, atOneKeyboard, inTurn, driven, clock, withoutModule, modelOnServer, looks, watched, earlier]) await part(it, server.address);
} catch (error) {
  check("the visit comes to its end", false, error.stack ?? String(error));
} finally {
  await it.close();
  await server.stop();
}
finish();
