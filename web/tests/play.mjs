// The Play page in Chromium: the game by keys, buttons, taps and the board; reasons at what is not legal; a
// hint, the agent playing on, the same seed by others; taking over from a replay, links, reloads,
// settings; play on the server without a module; both themes, phone and desktop, axe.
// Usage: node web/tests/play.mjs LUDUS [FOLDER for screenshots [options of ludus serve]]
import { accessible as axe, browser, camera, check, finish, folder, holds, reads, rests, serve, touchable, train, visit } from "./helper.mjs";

const [ludus, shots = "", ...more] = process.argv.slice(2);
const shoot = camera(shots, "play");
const story = (page) => page.locator(".p-story").innerText();
const decisions = (page) => page.locator(".play-title p").innerText().then((text) => Number(/([\d,]+) decisions?/.exec(text)[1].replaceAll(",", "")));
const newest = (page) => page.locator(".p-log-lines li").first().innerText();
const action = (page, option) => page.locator(`.p-action[data-option="${option}"]`);
const hold = 6; // options of prospector
const mineHard = 30;

async function reaches(page, count) {
  const seen = (least) => Number(/([\d,]+) decisions?/.exec(document.querySelector(".play-title p")?.textContent ?? "0 decisions")[1].replaceAll(",", "")) >= least;
  return page.waitForFunction(seen, count).then(() => true);
}

/** A page that has seen how to play, at a path. */
async function opened(it, address, path, options = {}, prepare = async () => {}) {
  const { page, context, wrong } = await visit(it, "about:blank", options);
  await context.addInitScript(() => localStorage.setItem("ludus.play.taught", '["prospector","cartpole","corridor","acrobot"]'));
  await prepare(context);
  await page.goto(address + path);
  await page.locator(".play-board, .notice.bad").first().waitFor();
  return { page, context, wrong };
}

async function accessible(page, what) {
  await axe(page, what);
  await holds(`${what}: no more room than the screen`, async () => await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
}

async function firstVisit(it, address) {
  const { page, context, wrong } = await visit(it, `${address}/play`);
  await page.locator(".p-coach").waitFor();
  await holds("the first visit shows the board and three steps", async () => (await page.locator(".p-coach li").count()) === 3 && (await page.locator(".play-board canvas").isVisible()) && (await page.locator("dialog[open]").count()) === 0);
  await holds("the address names game and seed", async () => /\/play\/prospector\?seed=\d+$/.test(page.url()), () => page.url());
  await accessible(page, "First visit");
  await page.keyboard.press("?");
  await holds("? shows how to play", async () => /How to play Asteroid Belt Prospector/.test(await page.locator("dialog[open] h2").innerText()));
  await accessible(page, "How to play");
  await page.locator("dialog[open]").getByRole("button", { name: "Play", exact: true }).click();
  await holds("and lets one play", async () => (await page.locator("dialog[open]").count()) === 0);
  await page.getByRole("button", { name: "Got it" }).click();
  await page.reload();
  await page.locator(".play-board canvas").waitFor();
  await holds("the second visit does not", async () => (await page.locator(".p-coach").count()) === 0);
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function byKeys(it, address) {
  const { page, context, wrong } = await opened(it, address, "/play/prospector?seed=7");
  await page.keyboard.press("1");
  await holds("a key acts", async () => (await decisions(page)) === 1 && /^Flies/.test(await story(page)), async () => await story(page));
  const drill = action(page, mineHard);
  await holds("what is not legal is marked so", async () => (await drill.getAttribute("aria-disabled")) === "true");
  await holds("with the reason as tooltip", async () => (await drill.getAttribute("title")) === "Not now: no rock selected", async () => await drill.getAttribute("title"));
  await reads("and as description", () => drill.evaluate((button) => document.getElementById(button.getAttribute("aria-describedby"))?.textContent), (described) => described === "Not now: no rock selected");
  await drill.click({ force: true });
  await holds("a click on it tells the reason", async () => /no rock selected/.test(await page.locator(".p-story [role=status]").innerText()));
  await page.keyboard.press("k");
  await holds("and nothing happens", async () => (await decisions(page)) === 1);
  await action(page, 0).focus();
  await page.keyboard.press("ArrowRight");
  await holds("arrows move inside a group", async () => (await page.evaluate(() => document.activeElement.dataset.option)) === "1");
  await holds("a group is one stop of Tab", async () => (await page.locator('.p-action-group[data-group="Navigation"] [tabindex="0"]').count()) === 1);
  await action(page, hold).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press(" ");
  await holds("Enter and space act once each", async () => (await decisions(page)) === 3);
  await page.keyboard.press(".");
  await holds("a point repeats the last action", async () => (await decisions(page)) === 4);
  await page.keyboard.down("h");
  await holds("a key that is held repeats", async () => await reaches(page, 7));
  await page.keyboard.up("h");
  const held = await rests("until it is let go", () => decisions(page));
  await page.getByRole("button", { name: "Repeat", exact: true }).click();
  await action(page, hold).click();
  await holds("repeat goes on by itself", async () => await reaches(page, held + 3));
  await page.keyboard.press("Escape");
  const stopped = await rests("Escape stops it", () => decisions(page));
  const before = await newest(page);
  await page.reload();
  await page.locator(".play-board canvas").waitFor();
  await holds("a reload keeps the game", async () => (await decisions(page)) === stopped && (await newest(page)) === before);
  await page.getByRole("button", { name: "Restart" }).click();
  await holds("restart begins the same seed", async () => (await decisions(page)) === 0 && page.url().endsWith("?seed=7"), () => page.url());
  await page.getByRole("button", { name: "New seed" }).click();
  await holds("a new seed is another one", async () => /\?seed=\d+$/.test(page.url()) && !page.url().endsWith("seed=7"), () => page.url());
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

/** What throws cargo away asks first. */
async function asksFirst(it, address) {
  const { page, context, wrong } = await opened(it, address, "/play/prospector?seed=7");
  for (const key of ["1", "Shift+Digit1", "k"]) await page.keyboard.press(key);
  await holds("a rock is aimed at and mined by key", async () => (await decisions(page)) === 3 && /^Mines hard/.test(await story(page)), async () => await story(page));
  await page.keyboard.press("x");
  const question = page.getByRole("dialog", { name: "Are you sure?" });
  await question.waitFor();
  await holds("to cash out with cargo asks first", async () => /cargo/i.test(await question.innerText()) && (await decisions(page)) === 3, async () => await question.innerText());
  await accessible(page, "Are you sure?");
  await question.getByRole("button", { name: "Keep playing" }).click();
  await holds("no keeps playing", async () => (await decisions(page)) === 3 && (await page.locator(".p-ending").count()) === 0);
  await question.waitFor({ state: "hidden" });
  await page.keyboard.press("x");
  await question.getByRole("button", { name: "Yes, do it" }).click();
  await page.locator(".p-ending").waitFor();
  check("yes does it", (await decisions(page)) === 4);
  await page.goto(`${address}/play/craft?seed=7`);
  await page.locator(".p-action").first().waitFor();
  await page.keyboard.press("q");
  await holds("to stop a craft without the item asks too", async () => /does not have all/.test(await question.innerText()) && (await decisions(page)) === 0);
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

/** An episode of corridor by taps: to the wall, which says that it is one, and back to the lamp. */
async function byTouch(it, address) {
  for (const [width, height] of [[390, 844], [820, 1180]]) {
    const options = { viewport: { width, height }, hasTouch: true, isMobile: true };
    const { page, context, wrong } = await opened(it, address, "/play/corridor?seed=7", options);
    const [left, right] = [action(page, 0), action(page, 1)];
    while ((await right.getAttribute("aria-disabled")) === null) await right.tap();
    await right.tap({ force: true });
    await holds(`${width} pixels: the wall says why nobody walks on`, async () => /Walk right: the corridor ends here/.test(await story(page)) && (await decisions(page)) === 7, () => story(page));
    for (let k = 0; k < 8; k++) await left.tap();
    await holds("and taps lead back to the lamp", async () => /^Found after 15 decisions/.test(await page.locator(".p-ending p").innerText()));
    check("nothing went wrong in the page", wrong.length === 0, wrong);
    await context.close();
    const first = await visit(it, `${address}/play/prospector`, options);
    await first.page.locator(".p-coach").waitFor();
    const tops = () => first.page.evaluate(() => [".play-actions", ".play-board canvas"].map((part) => document.querySelector(part).getBoundingClientRect().top));
    await reads("the first visit has both the board and the actions in sight", tops, ([sheet, board]) => sheet - board > 200 && sheet < height - 200);
    await first.context.close();
  }
}

async function withAgent(it, address) {
  const { page, context, wrong } = await opened(it, address, "/play/prospector?seed=11", { colorScheme: "light" });
  await reads("the newest model is asked", () => page.locator(".p-agent select").first().locator("option:checked").innerText(), (asked) => /^Newest of prospector/.test(asked));
  await page.keyboard.press("g");
  await page.locator(".p-hinted").waitFor();
  await holds("a hint is marked and told", async () => /^Newest model: .+ \(.+ sure\)/.test(await story(page)), async () => await story(page));
  await page.locator(".p-agent select").first().selectOption({ label: "prospector-v1" });
  await page.getByRole("button", { name: "Explain each move" }).click();
  await page.locator(".p-bars").waitFor();
  const shares = (await page.locator(".p-bar-value").allInnerTexts()).map((text) => Number.parseInt(text.replace(/[<>]/, ""), 10));
  check("likeliest actions come first", shares.length >= 2 && shares.every((share, k) => k === 0 || share <= shares[k - 1]), shares);
  await holds("with the value", async () => /value [−\d]/.test(await page.locator(".p-thought").innerText()));
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("l");
  await holds("the agent plays on", async () => await reaches(page, 3));
  await page.keyboard.press("l");
  await rests("and gives back", () => decisions(page));
  await holds("so that it can be asked again", async () => (await page.getByRole("button", { name: /Let the agent play/ }).count()) === 1);
  await page.getByLabel("Decisions per second").selectOption("0");
  await page.getByRole("button", { name: /Let the agent play/ }).click();
  await page.locator(".p-ending").waitFor({ timeout: 90_000 });
  await holds("to the end", async () => /after [\d,]+ decisions: true profit/.test(await page.locator(".p-ending p").innerText()));
  await page.getByRole("button", { name: /Compare with/ }).click();
  await page.locator(".p-scores").waitFor();
  await page.locator(".p-rivals .p-progress").waitFor({ state: "detached", timeout: 90_000 });
  const rows = (await page.locator(".p-scores tbody tr").allInnerTexts()).map((row) => row.split("\t"));
  const row = (name) => rows.find((one) => one[0] === name)?.slice(1).join(" ");
  check("the same seed by bots and models", ["ace", "pilot", "random", "prospector-v1"].every(row), rows);
  check("the agent alone gets what it got here", row("You") === row("prospector-v1"), rows);
  check("the best stands first", rows[0][0] === "ace", rows);
  await accessible(page, "After the game, light");
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

const api = (address, path) => fetch(`${address}/api/v1/${path}`).then((answer) => answer.json());

async function takesOver(it, address) {
  const [replay] = (await api(address, "replays?game=prospector&limit=1")).replays;
  const frame = Math.floor(replay.decisions / 2);
  const from = `/play/prospector?run=${replay.run_id}&replay=${replay.replay_id}&frame=${frame}`;
  const { page, context, wrong } = await opened(it, address, from, { permissions: ["clipboard-read", "clipboard-write"] });
  await holds("a replay's frame is taken over", async () => (await decisions(page)) === frame && /It is your turn/.test(await page.locator(".p-banner").innerText()));
  await page.keyboard.press("h");
  await holds("and played on", async () => await reaches(page, frame + 1));
  const last = await newest(page);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByText(/^Copied: seed/).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.reload();
  await page.locator(".play-board canvas").waitFor();
  await holds("a reload keeps what was played on", async () => (await decisions(page)) === frame + 1);
  await page.getByRole("button", { name: /Back to move/ }).click();
  await page.getByText("It is your turn").waitFor();
  await holds("one can go back to where it was taken over", async () => (await decisions(page)) === frame);
  await context.close();
  await links(it, address, link, { decisions: frame + 1, last }, from);
  check("nothing went wrong in the page", wrong.length === 0, wrong);
}

async function links(it, address, link, shared, from) {
  const path = link.slice(address.length);
  const { page, context } = await opened(it, address, path);
  await holds("the link opens the same game", async () => (await decisions(page)) === shared.decisions && (await newest(page)) === shared.last, async () => await newest(page));
  await page.keyboard.press("h");
  await holds("which goes on", async () => (await decisions(page)) === shared.decisions + 1);
  await context.close();
  const bad = {
    "cut off": [path.slice(0, -6), /cut off|damaged/],
    changed: [path.replace(/#m=(.{12})(.)/, (_, before, one) => `#m=${before}${one === "A" ? "B" : "A"}`), /damaged/],
    "of another seed": [path.replace(/seed=\d+/, "seed=1"), /another seed/],
    "with foreign letters": [`${path}%3Cb%3E`, /letters/],
    "with a bad seed": ["/play/prospector?seed=-1", /seed/],
    "with bad settings": ["/play/prospector?seed=1&set=%7B%22time_max%22%3A-5%7D", /time_max/],
    "to a frame too far": [from.replace(/frame=\d+/, "frame=99999999"), /frames 0 to/],
    "to another game's replay": [from.replace("/prospector?", "/corridor?"), /is of prospector-v1/],
    "to no replay": ["/play/prospector?run=none&replay=replay-000001-00000000&frame=1", /new episode/],
  };
  for (const [what, [to, sentence]] of Object.entries(bad)) {
    const visited = await opened(it, address, to);
    const said = await visited.page.locator(".p-banner.bad").innerText().catch(() => "nothing");
    await holds(`a link ${what} is refused`, async () => sentence.test(said) && (await decisions(visited.page)) === 0, () => said);
    await visited.context.close();
  }
  const none = await opened(it, address, "/play/%3Cimg%20src=x%20onerror=alert(1)%3E");
  await holds("a game that is none is told as text", async () => /There is no game called <img src=x/.test(await none.page.locator(".notice.bad").innerText()));
  await none.context.close();
}

async function settings(it, address) {
  const { page, context, wrong } = await opened(it, address, "/play/prospector?seed=5");
  await page.getByText("Seed and settings").click();
  await page.getByLabel("time max").fill("-3");
  await page.getByRole("button", { name: "Start with these" }).click();
  await holds("a bad setting is told", async () => /time_max/.test(await page.locator(".p-setup [role=alert]").innerText()));
  await page.getByLabel("time max").fill("3");
  await page.getByRole("button", { name: "Start with these" }).click();
  await page.waitForURL(/time_max/);
  await page.evaluate(() => document.activeElement.blur());
  for (let k = 0; k < 3; k++) await page.keyboard.press("h");
  await holds("a budget of three ticks ends after three", async () => /Time limit after 3 decisions/i.test(await page.locator(".p-ending p").innerText()), async () => await story(page));
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function otherGames(it, address) {
  for (const [game, key] of [["cartpole", "d"], ["acrobot", "d"], ["corridor", "d"]]) {
    const { page, context, wrong } = await opened(it, address, `/play/${game}?seed=3`);
    await page.keyboard.press(key);
    await holds(`${game} is played too`, async () => (await decisions(page)) === 1 && (await story(page)).length > 5 && wrong.length === 0, () => wrong);
    if (game === "cartpole") {
      await page.getByRole("button", { name: "Compare", exact: true }).click();
      await reads("who balances to the end met the time limit", () => page.locator(".p-scores tr", { hasText: "balancer" }).innerText(), (row) => /500.*time limit/s.test(row));
    }
    await page.getByRole("link", { name: "Prospector" }).click();
    await page.waitForURL(/prospector/);
    await context.close();
  }
}

/** The network goes away and comes back: the game goes on, pages that are not there yet open when it is back. */
async function survives(it, address) {
  const { page, context } = await opened(it, address, "/play/prospector?seed=7");
  await reads("there is somebody to ask", () => page.locator(".p-agent select").first().locator("option:checked").innerText(), (asked) => /^Newest of prospector/.test(asked));
  await context.setOffline(true);
  await page.keyboard.press("1");
  await holds("the game goes on without the server", async () => (await decisions(page)) === 1);
  await page.keyboard.press("g");
  await holds("a hint that cannot be had says why", async () => /cannot play here: the server does not answer/.test(await story(page)), async () => await story(page));
  await page.getByRole("link", { name: "Runs", exact: true }).first().click();
  await page.getByText("This page opens by itself when the server is back.").waitFor();
  check("a page that cannot be loaded says so", true);
  await page.goBack();
  await page.locator(".play-board canvas").waitFor();
  await holds("and the one before is still there", async () => (await decisions(page)) === 1);
  await page.goForward();
  await page.getByText("This page opens by itself when the server is back.").waitFor();
  await context.setOffline(false);
  await page.locator(".runs-page").waitFor();
  check("it opens by itself", true);
  await context.close();
}

async function onServer(it, address) {
  const without = (context) => context.route("**/wasm/*", (route) => route.abort());
  const { page, context } = await opened(it, address, "/play/prospector?seed=7", {}, without);
  await holds("without a module it says so", async () => /played on the server/.test(await page.locator(".p-banner.warn").innerText()));
  await page.keyboard.press("1");
  await holds("and is played on the server", async () => (await reaches(page, 1)) && /^Flies/.test(await story(page)), async () => await story(page));
  await holds("with the same mask", async () => (await action(page, mineHard).getAttribute("aria-disabled")) === "true");
  await holds("and without a hint", async () => (await page.getByRole("button", { name: /Hint/ }).count()) === 0);
  await context.close();
}

async function looks(it, address) {
  for (const [width, height] of [[360, 740], [1280, 800], [1920, 1080]]) {
    for (const colorScheme of ["dark", "light"]) {
      const options = { viewport: { width, height }, colorScheme, reducedMotion: "reduce", hasTouch: width < 1000 };
      const { page, context } = await opened(it, address, "/play/prospector?seed=11", options);
      await page.keyboard.press("1");
      await page.keyboard.press("q");
      if (width < 620) {
        const top = () => page.locator(".play-board").boundingBox().then((box) => Math.round(box.y));
        await reads(`${width} pixels, ${colorScheme}: the first decision brings the board to the top`, top, (y) => y >= 0 && y < 20);
        const tall = async () => Math.round((await page.locator(".play-board canvas").boundingBox()).height);
        const scene = await tall();
        await page.getByRole("button", { name: "Rocks", exact: true }).click();
        await reads("a tab shows another part of the picture, in sight above the actions", tall, (height) => height !== scene && height < 500);
      }
      await page.keyboard.press("g");
      await page.locator(".p-hinted").waitFor();
      await shoot(page, `${width}-${colorScheme}`);
      await page.getByText("Seed and settings").click();
      await page.getByText("Numbers").click();
      if (options.hasTouch) await touchable(page, `Play, ${width} pixels, ${colorScheme}`);
      await accessible(page, `Play, ${width} pixels, ${colorScheme}`);
      await context.close();
    }
  }
}

const runs = folder();
train(ludus, runs, "prospector", "200k", "100k", "--preset", "prospector-profit");
const it = await browser();
const server = await serve(ludus, runs, ...more);
try {
  await firstVisit(it, server.address);
  await byKeys(it, server.address);
  await asksFirst(it, server.address);
  await byTouch(it, server.address);
  await withAgent(it, server.address);
  await takesOver(it, server.address);
  await settings(it, server.address);
  await otherGames(it, server.address);
  await survives(it, server.address);
  await onServer(it, server.address);
  await looks(it, server.address);
} catch (error) {
  check("the visit comes to its end", false, error.stack ?? String(error));
} finally {
  await it.close();
  await server.stop();
}
finish();
