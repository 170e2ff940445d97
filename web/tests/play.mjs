// The Play page in Chromium: the game by keys, buttons and the board; reasons at what is not legal; a
// hint, the agent playing on, the same seed by others; taking over from a replay, links, reloads,
// settings; play on the server without a module; both themes, phone and desktop, axe.
// Usage: node web/tests/play.mjs LUDUS [FOLDER for screenshots [options of ludus serve]]
import { accessible as axe, browser, camera, check, finish, folder, serve, train, visit } from "./helper.mjs";

const [ludus, shots = "", ...more] = process.argv.slice(2);
const shoot = camera(shots, "play");
const story = (page) => page.locator(".p-story").innerText();
const decisions = (page) => page.locator(".play-title p").innerText().then((text) => Number(/([\d,]+) decisions/.exec(text)[1].replaceAll(",", "")));
const newest = (page) => page.locator(".p-log-lines li").first().innerText();
const action = (page, option) => page.locator(`.p-action[data-option="${option}"]`);
const hold = 6; // options of prospector
const mineHard = 30;

async function reaches(page, count) {
  const seen = (least) => Number(/([\d,]+) decisions/.exec(document.querySelector(".play-title p")?.textContent ?? "0 decisions")[1].replaceAll(",", "")) >= least;
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
  check(`${what}: no more room than the screen`, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
}

async function firstVisit(it, address) {
  const { page, context, wrong } = await visit(it, `${address}/play`);
  await page.locator("dialog[open]").waitFor();
  check("the first visit shows how to play", /How to play Asteroid Belt Prospector/.test(await page.locator("dialog[open] h2").innerText()));
  check("the address names game and seed", /\/play\/prospector\?seed=\d+$/.test(page.url()), page.url());
  await accessible(page, "How to play");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  check("and lets one play", (await page.locator("dialog[open]").count()) === 0);
  await page.keyboard.press("?");
  check("? shows it again", (await page.locator("dialog[open]").count()) === 1);
  await page.keyboard.press("Escape");
  await page.reload();
  await page.locator(".play-board canvas").waitFor();
  check("the second visit does not", (await page.locator("dialog[open]").count()) === 0);
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function byKeys(it, address) {
  const { page, context, wrong } = await opened(it, address, "/play/prospector?seed=7");
  await page.keyboard.press("1");
  check("a key acts", (await decisions(page)) === 1 && /^Flies/.test(await story(page)), await story(page));
  const drill = action(page, mineHard);
  check("what is not legal is marked so", (await drill.getAttribute("aria-disabled")) === "true");
  check("with the reason as tooltip", (await drill.getAttribute("title")) === "Not now: no rock selected", await drill.getAttribute("title"));
  const described = await drill.evaluate((button) => document.getElementById(button.getAttribute("aria-describedby"))?.textContent);
  check("and as description", described === "Not now: no rock selected", described);
  await drill.click({ force: true });
  check("a click on it tells the reason", /no rock selected/.test(await page.locator(".p-story [role=status]").innerText()));
  await page.keyboard.press("k");
  check("and nothing happens", (await decisions(page)) === 1);
  await action(page, 0).focus();
  await page.keyboard.press("ArrowRight");
  check("arrows move inside a group", (await page.evaluate(() => document.activeElement.dataset.option)) === "1");
  check("a group is one stop of Tab", (await page.locator('.p-action-group[data-group="Navigation"] [tabindex="0"]').count()) === 1);
  await action(page, hold).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press(" ");
  check("Enter and space act once each", (await decisions(page)) === 3);
  await page.keyboard.press(".");
  check("a point repeats the last action", (await decisions(page)) === 4);
  await page.keyboard.down("h");
  check("a key that is held repeats", await reaches(page, 7));
  await page.keyboard.up("h");
  const held = await decisions(page);
  await page.waitForTimeout(700);
  check("until it is let go", (await decisions(page)) === held);
  await page.getByRole("button", { name: "Repeat", exact: true }).click();
  await action(page, hold).click();
  check("repeat goes on by itself", await reaches(page, held + 3));
  await page.keyboard.press("Escape");
  const stopped = await decisions(page);
  await page.waitForTimeout(700);
  check("Escape stops it", (await decisions(page)) === stopped);
  const before = await newest(page);
  await page.reload();
  await page.locator(".play-board canvas").waitFor();
  check("a reload keeps the game", (await decisions(page)) === stopped && (await newest(page)) === before);
  await page.getByRole("button", { name: "Restart" }).click();
  check("restart begins the same seed", (await decisions(page)) === 0 && page.url().endsWith("?seed=7"), page.url());
  await page.getByRole("button", { name: "New seed" }).click();
  check("a new seed is another one", /\?seed=\d+$/.test(page.url()) && !page.url().endsWith("seed=7"), page.url());
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function withAgent(it, address) {
  const { page, context, wrong } = await opened(it, address, "/play/prospector?seed=11", { colorScheme: "light" });
  const asked = await page.locator(".p-agent select").first().locator("option:checked").innerText();
  check("the newest model is asked", /^Newest of prospector/.test(asked), asked);
  await page.keyboard.press("g");
  await page.locator(".p-hinted").waitFor();
  check("a hint is marked and told", /^Newest model: .+ \(.+ sure\)/.test(await story(page)), await story(page));
  await page.locator(".p-agent select").first().selectOption({ label: "prospector-v1" });
  await page.getByRole("button", { name: "Think aloud" }).click();
  await page.locator(".p-bars").waitFor();
  const shares = (await page.locator(".p-bar-value").allInnerTexts()).map((text) => Number.parseInt(text.replace(/[<>]/, ""), 10));
  check("likeliest actions come first", shares.length >= 2 && shares.every((share, k) => k === 0 || share <= shares[k - 1]), shares);
  check("with the value", /expects a further return of/.test(await page.locator(".p-thought").innerText()));
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("l");
  check("the agent plays on", await reaches(page, 3));
  await page.keyboard.press("l");
  const given = await decisions(page);
  await page.waitForTimeout(700);
  check("and gives back", (await decisions(page)) === given && (await page.getByRole("button", { name: /Agent plays on/ }).count()) === 1);
  await page.getByLabel("Decisions per second").selectOption("0");
  await page.getByRole("button", { name: /Agent plays on/ }).click();
  await page.locator(".p-ending").waitFor({ timeout: 90_000 });
  check("to the end", /after [\d,]+ decisions: true profit/.test(await page.locator(".p-ending p").innerText()));
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
  check("a replay's frame is taken over", (await decisions(page)) === frame && /It is your turn/.test(await page.locator(".p-banner").innerText()));
  await page.keyboard.press("h");
  check("and played on", await reaches(page, frame + 1));
  const last = await newest(page);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByText(/^Copied: seed/).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.reload();
  await page.locator(".play-board canvas").waitFor();
  check("a reload keeps what was played on", (await decisions(page)) === frame + 1);
  await page.getByRole("button", { name: /Back to move/ }).click();
  await page.getByText("It is your turn").waitFor();
  check("one can go back to where it was taken over", (await decisions(page)) === frame);
  await context.close();
  await links(it, address, link, { decisions: frame + 1, last }, from);
  check("nothing went wrong in the page", wrong.length === 0, wrong);
}

async function links(it, address, link, shared, from) {
  const path = link.slice(address.length);
  const { page, context } = await opened(it, address, path);
  check("the link opens the same game", (await decisions(page)) === shared.decisions && (await newest(page)) === shared.last, await newest(page));
  await page.keyboard.press("h");
  check("which goes on", (await decisions(page)) === shared.decisions + 1);
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
    const said = await visited.page.locator(".p-banner.bad").innerText({ timeout: 5000 }).catch(() => "nothing");
    check(`a link ${what} is refused`, sentence.test(said) && (await decisions(visited.page)) === 0, said);
    await visited.context.close();
  }
  const none = await opened(it, address, "/play/%3Cimg%20src=x%20onerror=alert(1)%3E");
  check("a game that is none is told as text", /There is no game called <img src=x/.test(await none.page.locator(".notice.bad").innerText()));
  await none.context.close();
}

async function settings(it, address) {
  const { page, context, wrong } = await opened(it, address, "/play/prospector?seed=5");
  await page.getByText("Seed and settings").click();
  await page.getByLabel("time max").fill("-3");
  await page.getByRole("button", { name: "Begin with these" }).click();
  check("a bad setting is told", /time_max/.test(await page.locator(".p-setup [role=alert]").innerText()));
  await page.getByLabel("time max").fill("3");
  await page.getByRole("button", { name: "Begin with these" }).click();
  await page.waitForURL(/time_max/);
  await page.evaluate(() => document.activeElement.blur());
  for (let k = 0; k < 3; k++) await page.keyboard.press("h");
  check("a budget of three ticks ends after three", /Time limit after 3 decisions/i.test(await page.locator(".p-ending p").innerText()), await story(page));
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function otherGames(it, address) {
  for (const [game, key] of [["cartpole", "d"], ["acrobot", "d"], ["corridor", "d"]]) {
    const { page, context, wrong } = await opened(it, address, `/play/${game}?seed=3`);
    await page.keyboard.press(key);
    check(`${game} is played too`, (await decisions(page)) === 1 && (await story(page)).length > 5 && wrong.length === 0, wrong);
    await page.getByLabel("Game").selectOption("prospector");
    await page.waitForURL(/prospector/);
    await context.close();
  }
}

async function onServer(it, address) {
  const without = (context) => context.route("**/wasm/*", (route) => route.abort());
  const { page, context } = await opened(it, address, "/play/prospector?seed=7", {}, without);
  check("without a module it says so", /played on the server/.test(await page.locator(".p-banner.warn").innerText()));
  await page.keyboard.press("1");
  check("and is played on the server", (await reaches(page, 1)) && /^Flies/.test(await story(page)), await story(page));
  check("with the same mask", (await action(page, mineHard).getAttribute("aria-disabled")) === "true");
  check("and without a hint", (await page.getByRole("button", { name: /Hint/ }).count()) === 0);
  await context.close();
}

async function looks(it, address) {
  for (const [width, height] of [[360, 740], [1280, 800], [1920, 1080]]) {
    for (const colorScheme of ["dark", "light"]) {
      const { page, context } = await opened(it, address, "/play/prospector?seed=11", { viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
      await page.keyboard.press("1");
      await page.keyboard.press("q");
      await page.keyboard.press("g");
      await page.locator(".p-hinted").waitFor();
      await shoot(page, `${width}-${colorScheme}`);
      await page.getByText("Seed and settings").click();
      await page.getByText("Numbers").click();
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
  await withAgent(it, server.address);
  await takesOver(it, server.address);
  await settings(it, server.address);
  await otherGames(it, server.address);
  await onServer(it, server.address);
  await looks(it, server.address);
} catch (error) {
  check("the visit comes to its end", false, error.stack ?? String(error));
} finally {
  await it.close();
  await server.stop();
}
finish();
