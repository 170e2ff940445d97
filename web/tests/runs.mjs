// The pages about runs in Chromium: table, charts, comparison, one run, constellation; live growth, a
// killed training, an empty folder, a server that goes and comes; hostile texts, both themes, phone to
// desktop, axe.
// Usage: node web/tests/runs.mjs LUDUS [FOLDER for screenshots]
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { accessible, browser, camera, check, finish, folder, patience, holds, reads, rests, say, serve, steady, touchable, train, training, visit } from "./helper.mjs";

const [ludus, shots = ""] = process.argv.slice(2);
const shoot = camera(shots, "runs");

const rates = ["0.002", "0.0005"];
const idsIn = (runs) => readdirSync(runs).filter((name) => existsSync(join(runs, name, "run.json"))).sort();
const query = (page, key) => new URL(page.url()).searchParams.get(key);
const until = (page, what, given = null) => page.waitForFunction(what, given, { timeout: patience }).then(() => true);
const asked = (page, key, value) => until(page, ([k, v]) => new URLSearchParams(location.search).get(k) === v, [key, value]);
const narrow = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
/** The page is looked at again: it asks the server at once and not only after some seconds. */
const look = (page) => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
const chart = (page, title) => page.locator(".chart-card", { hasText: title });
const drawn = async (page, title) => {
  await chart(page, title).scrollIntoViewIfNeeded();
  await chart(page, title).locator("canvas").waitFor();
};
/** A field by the word above it. */
const field = (page, name) => page.locator("label.field", { has: page.locator("span", { hasText: new RegExp(`^${name}$`) }) }).locator("select, input");
/** How many colours a chart's picture has. */
const colours = (page, title) =>
  chart(page, title).locator("canvas").evaluate((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });
const rowsOf = (page) => page.locator(".runs-table tbody tr");
const numbers = async (page, column) =>
  (await page.locator(`.runs-table tbody tr td:nth-child(${column})`).allInnerTexts()).map((text) => Number.parseFloat(text.replaceAll(",", "")));

async function table(it, address, ids) {
  const { page, context, wrong } = await visit(it, `${address}/runs`, { colorScheme: "dark" });
  await rowsOf(page).nth(3).waitFor();
  await holds("the table has a row per run", async () => (await rowsOf(page).count()) === ids.length);
  await holds("the newest three are compared at first", async () => (await page.locator(".legend .chip").count()) === 3);
  const best = page.getByRole("columnheader", { name: "Best evaluation" });
  await best.getByRole("button").click();
  await asked(page, "sort", "best");
  const falling = await numbers(page, 9);
  await holds("a header sorts, the best first", async () => (await best.getAttribute("aria-sort")) === "descending" && falling.every((value, k) => k === 0 || value <= falling[k - 1]), () => falling);
  await best.getByRole("button").click();
  await asked(page, "sort", "-best");
  await reads("and again the other way", () => numbers(page, 9), (rising) => rising.join() === falling.toReversed().join() && rising[0] < rising.at(-1));
  await field(page, "Tag").selectOption("good");
  await until(page, () => document.querySelectorAll(".runs-table tbody tr").length === 1);
  await holds("a tag filters", async () => /1 of 4 runs/.test(await page.locator(".filters output").innerText()));
  await field(page, "Tag").selectOption("");
  await field(page, "Find").fill("twice the");
  await until(page, () => document.querySelectorAll(".runs-table tbody tr").length === 1);
  await holds("a word of the note finds its run", async () => /twice the rate/.test(await rowsOf(page).first().innerText()));
  await field(page, "Find").fill("nothing is called so");
  await holds("what is not found is told", async () => await page.getByText("No run matches these filters").isVisible());
  await field(page, "Find").fill("");
  await field(page, "Status").selectOption("crashed");
  await page.getByText("No run matches these filters").waitFor();
  await field(page, "Status").selectOption("finished");
  await rowsOf(page).nth(3).waitFor();
  await holds("a status filters", async () => query(page, "status") === "finished");
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByText("Choose runs in the table").waitFor();
  await page.getByLabel(`Compare ${ids[0]}`, { exact: true }).focus();
  await page.keyboard.press(" ");
  await page.getByLabel(`Compare ${ids[1]}`, { exact: true }).check();
  await asked(page, "runs", `${ids[0]},${ids[1]}`);
  await holds("runs are chosen, also by keyboard", async () => (await page.locator(".legend .chip").count()) === 2);
  await until(page, () => document.querySelector(".diff"));
  const differs = page.locator(".diff tr", { has: page.locator("th", { hasText: /^train\.rate$/ }) });
  await holds("what differs is shown", async () => /0\.002\s+0\.0005/.test(await differs.innerText()), async () => await differs.innerText());
  await holds("and what does not is not", async () => (await page.locator(".diff th", { hasText: /^train\.horizon$/ }).count()) === 0);
  await page.getByLabel("All settings").check();
  await page.locator(".diff th", { hasText: /^train\.horizon$/ }).waitFor();
  check("until it is asked for", true);
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function charts(it, address, ids) {
  const { page, context, wrong } = await visit(it, `${address}/runs?runs=${ids.slice(0, 3).join(",")}`, { viewport: { width: 1280, height: 900 }, permissions: ["clipboard-read", "clipboard-write"] });
  await drawn(page, "Episode return");
  await holds("charts are drawn", async () => (await page.locator(".chart-card").count()) === 6 && (await colours(page, "Episode return")) > 8);
  await drawn(page, "Evaluation");
  await reads("names of levels lie beside the curves", () => chart(page, "Evaluation").locator(".plot-stage").evaluate((stage) => stage.clientWidth - stage.querySelector(".u-over").offsetLeft - stage.querySelector(".u-over").offsetWidth), (room) => room > 60);
  await chart(page, "Evaluation").locator("details summary").click();
  await holds("evaluations have intervals, as numbers too", async () => /low\s+high/.test(await chart(page, "Evaluation").locator("thead").innerText()));
  await holds("with a row per run and window", async () => (await chart(page, "Evaluation").locator("tbody tr").count()) >= 3 * 8);

  const plot = chart(page, "Episode return").locator(".plot");
  await plot.focus();
  for (const key of ["Home", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
  await holds("arrows read values", async () => /decisions: .+;.+;/.test(await plot.locator("[aria-live]").innerText()), async () => await plot.locator("[aria-live]").innerText());
  await page.keyboard.press("+");
  await until(page, () => new URLSearchParams(location.search).has("from"));
  const near = Number(query(page, "to")) - Number(query(page, "from"));
  check("plus zooms", near > 0 && near < 25_000, page.url());
  await page.keyboard.press("0");
  await holds("0 shows everything", async () => await until(page, () => !new URLSearchParams(location.search).has("from")));
  const box = await plot.locator(".u-over").boundingBox();
  await page.mouse.move(box.x + box.width * 0.3, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, box.y + 60, { steps: 5 });
  await page.mouse.up();
  await holds("a drag zooms", async () => await until(page, () => Number(new URLSearchParams(location.search).get("from")) > 0));
  await page.getByRole("button", { name: /Show everything/ }).click();
  await until(page, () => !new URLSearchParams(location.search).has("from"));

  await field(page, "A row per").selectOption("updates");
  await field(page, "Axis").selectOption("update");
  await page.locator(".smoothing input").fill("5");
  await page.getByLabel("Log scale").check();
  await page.locator(".chart-controls .pick-box summary").click();
  await page.getByLabel("Find a metric").fill("value loss");
  await page.locator(".pick-list").getByLabel("value loss", { exact: true }).setChecked(false);
  await page.keyboard.press("Escape");
  await chart(page, "Episode return").getByRole("button", { name: "Make this chart large" }).click();
  await plot.focus();
  for (const key of ["Home", "+"]) await page.keyboard.press(key);
  await until(page, () => new URLSearchParams(location.search).has("from") && new URLSearchParams(location.search).has("big"));
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Copied").waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const how = async (one) => ({
    chosen: await one.locator(".legend .chip a").allInnerTexts(),
    titles: await one.locator(".chart-card h2").allInnerTexts(),
    axis: await field(one, "Axis").inputValue(),
    rows: await field(one, "A row per").inputValue(),
    smooth: await one.locator(".smoothing input").inputValue(),
    log: await one.getByLabel("Log scale").isChecked(),
    zoom: await one.locator(".control-end small").innerText(),
    big: await one.locator(".chart-card.big h2").innerText(),
  });
  const here = await how(page);
  const other = await visit(it, link, { viewport: { width: 1280, height: 900 } });
  await drawn(other.page, "Episode return");
  await reads("the link keeps the whole state", () => how(other.page), (there) => JSON.stringify(here) === JSON.stringify(there));
  check("which is what was chosen", here.rows === "updates" && here.axis === "update" && here.smooth === "5" && here.log && here.titles.length === 5 && !here.titles.includes("value loss"), here);
  await holds("and the curves are there", async () => (await colours(other.page, "Episode return")) > 8);
  await shoot(other.page, "chart");
  check("nothing went wrong in the page", wrong.length + other.wrong.length === 0, [...wrong, ...other.wrong]);
  await other.context.close();
  await context.close();
}

/** The best is found by a paired test: where another window has the highest mean, both are told. */
async function higherMeans(page, address, id) {
  const evaluations = page.locator('section[aria-label="Evaluations"]');
  const { best_window } = await (await fetch(`${address}/api/v1/runs/${id}`)).json();
  const means = async (of) => {
    await page.route(/\/evaluations\?/, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      for (const row of body.evaluations) row.value.mean = of(row.window_id);
      await route.fulfill({ response, json: body });
    });
    await page.reload();
    await evaluations.locator("tbody tr").first().waitFor();
    await page.unrouteAll({ behavior: "wait" });
  };
  const other = best_window === 7 ? 6 : 7;
  await means((window) => (window === best_window ? 40 : window === other ? 50 : 30));
  await reads("a higher mean than that of the best is explained", () => evaluations.innerText(), (text) => text.includes(`Best by paired test: window ${best_window} (40); highest mean: window ${other} (50), not significantly better${other > best_window ? "" : " than the best before it"}.`));
  await means((window) => (window === best_window ? 50 : 30));
  check("and nothing where the best has it", !/paired test/.test(await evaluations.innerText()), await evaluations.innerText());
}

async function oneRun(it, address, ids) {
  const { page, context, wrong } = await visit(it, `${address}/runs/${ids[0]}`);
  await drawn(page, "Episode return");
  await reads("a run tells its figures", () => page.locator(".run-facts").innerText(), (facts) => /Windows\s+8/.test(facts) && /Seed\s+1\b/.test(facts) && facts.includes(ids[0]));
  await page.locator('section[aria-label="Evaluations"] tbody tr').first().waitFor();
  await holds("its evaluations", async () => (await page.locator('section[aria-label="Evaluations"] tbody tr').count()) === 8);
  await higherMeans(page, address, ids[0]);
  await page.locator('section[aria-label="Evaluations"] tbody button').first().click();
  await asked(page, "window", "7");
  await page.getByRole("button", { name: /Window 7 only/ }).waitFor();
  await holds("the replays of a window", async () => (await page.locator('section[aria-label="Replays"] a[href*="replay-000007-"]').count()) > 0);
  const chosen = page.getByRole("region", { name: "Settings chosen for this run" });
  await holds("its settings with where they came from", async () => /train\.rate\s+0\.002\s+command line/.test(await chosen.innerText()), async () => await chosen.innerText());
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "windows.csv" }).click();
  const lines = readFileSync(await (await saving).path(), "utf8").trim().split("\r\n");
  check("its windows as a file", lines.length === 9 && /episode_return/.test(lines[0]), lines[0]);
  await page.getByRole("link", { name: "Compare" }).click();
  await page.locator(".legend .chip").waitFor();
  await holds("and leads to the comparison", async () => query(page, "runs") === ids[0]);
  await page.goto(`${address}/runs/20200101T000000Z-0000000-nobody`);
  await page.getByText("There is no such run").waitFor();
  await holds("a run that is not there is told in a sentence", async () => /^Nothing on this server has this name\.$/.test(await page.locator(".notice-body p").first().innerText()), async () => await page.locator(".notice-body p").first().innerText());
  check("nothing went wrong in the page", wrong.filter((text) => !/404/.test(text)).length === 0, wrong);
  await context.close();
}

async function constellation(it, address, ids) {
  const { page, context, wrong } = await visit(it, `${address}/constellation`, { viewport: { width: 1280, height: 900 } });
  await until(page, () => document.querySelectorAll(".star").length === 4);
  check("every run is a star", true);
  await until(page, () => document.querySelector(".parallel .axis-name")?.textContent.includes("rate"));
  check("a setting that differs is an axis", true);
  const best = page.locator(".star.best");
  await holds("the front is drawn", async () => (await best.count()) >= 1 && /^M/.test(await page.locator(".front").getAttribute("d")));
  const yes = await page.locator("tbody td:nth-child(3)", { hasText: "yes" }).count();
  await holds("and stands in the table", async () => yes === (await best.count()), () => yes);
  await field(page, "X axis").selectOption("set:train.rate");
  await asked(page, "x", "set:train.rate");
  await until(page, () => new Set([...document.querySelectorAll(".star")].map((one) => one.getAttribute("cx"))).size === 2);
  check("any quantity goes across", true);
  await field(page, "Colour").selectOption("seed");
  await asked(page, "c", "seed");

  const room = page.locator(".brush-room").first();
  await room.scrollIntoViewIfNeeded();
  const box = await room.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await until(page, () => document.querySelectorAll(".star.dim").length === 2);
  await holds("a drag along an axis keeps the runs that pass", async () => /2 of 4 runs within the limits/.test(await page.locator(".filters output").first().innerText()));
  const other = await visit(it, page.url(), { viewport: { width: 1280, height: 900 } });
  await holds("the link keeps it", async () => await until(other.page, () => document.querySelectorAll(".star.dim").length === 2));
  await shoot(other.page, "constellation");
  await other.context.close();
  await page.getByRole("button", { name: "No limits" }).click();
  await holds("and all pass again", async () => await until(page, () => document.querySelectorAll(".star.dim").length === 0));
  await page.locator(".sky").focus();
  await page.keyboard.press("End");
  await reads("arrows read the stars", () => page.locator(".sky [aria-live]").innerText(), (told) => /train\.rate 0\.002/.test(told));
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/runs\/20/);
  await holds("Enter opens a run", async () => ids.includes(new URL(page.url()).pathname.slice(6)));
  await page.goBack();
  await until(page, () => document.querySelectorAll(".star").length === 4);
  await page.locator(".star").first().click();
  await page.waitForURL(/\/runs\/20/);
  await holds("so does a click", async () => ids.includes(new URL(page.url()).pathname.slice(6)));
  check("nothing went wrong in the page", wrong.length === 0, wrong);
  await context.close();
}

async function looks(it, address, ids) {
  const pages = { list: `/runs?runs=${ids.join(",")}`, run: `/runs/${ids[0]}`, constellation: "/constellation?c=set:train.rate" };
  for (const width of [820, 1440]) {
    await steady(it, `${address}/runs/${ids[0]}`, `a run, ${width} pixels`, (page) => page.locator(".plot canvas").first().waitFor(), { viewport: { width, height: 900 }, hasTouch: width < 1000 });
    await steady(it, `${address}${pages.list}`, `the list, ${width} pixels`, (page) => page.locator(".plot canvas").first().waitFor(), { viewport: { width, height: 900 }, hasTouch: width < 1000 });
  }
  const ready = async (page, name) => {
    await page.locator(name === "constellation" ? ".star" : ".plot canvas").first().waitFor();
    if (name === "list") await page.locator(".diff").waitFor();
  };
  for (const [name, path] of Object.entries(pages)) {
    for (const colorScheme of ["dark", "light"]) {
      const { page, context } = await visit(it, address + path, { viewport: { width: 1280, height: 800 }, colorScheme, reducedMotion: "reduce" });
      await ready(page, name);
      await accessible(page, `${name}, 1280 pixels, ${colorScheme}`);
      await shoot(page, `${name}-1280-${colorScheme}`);
      if (name === "list" && colorScheme === "dark") await focusInSight(page);
      const phone = await visit(it, address + path, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
      await phone.page.locator(name === "constellation" ? ".star" : ".chart-card").first().waitFor();
      await touchable(phone.page, `${name} on a phone`);
      await phone.context.close();
      for (const width of [1920, 360]) {
        await page.setViewportSize({ width, height: 800 });
        await holds(`${name}, ${width} pixels, ${colorScheme}: no sideways scrolling`, async () => await narrow(page), async () => await page.evaluate(() => document.documentElement.scrollWidth));
        await shoot(page, `${name}-${width}-${colorScheme}`);
      }
      await context.close();
    }
  }
}

// what gets the focus is not left below the sticky header
async function focusInSight(page) {
  const close = page.locator(".chip button").first();
  await close.evaluate((button) => scrollTo(0, scrollY + button.getBoundingClientRect().top - 10));
  await page.locator(".chart-controls summary").focus();
  await page.keyboard.press("Shift+Tab"); // "Clear"
  await page.keyboard.press("Shift+Tab");
  const hidden = await page.evaluate(() => {
    const [focus, header] = [document.activeElement, document.querySelector(".top")].map((one) => one.getBoundingClientRect());
    return focus.top < header.bottom;
  });
  await holds("the focus stays in sight", async () => !hidden && (await page.evaluate(() => document.activeElement.closest(".chip") !== null)));
}

// rows come by server-sent events while a training goes on; then its process is killed
async function live(it, ludus) {
  const runs = folder();
  const server = await serve(ludus, runs);
  const { page, context, wrong } = await visit(it, `${server.address}/runs`);
  await page.getByText("There is no run yet").waitFor();
  const going = training(ludus, runs, "cartpole", "40k", "--preset", "cartpole-classic");
  try {
    const row = rowsOf(page).first();
    while (!(await row.isVisible())) {
      await look(page);
      await page.waitForTimeout(300);
    }
    await holds("a new run appears by itself", async () => /running/.test(await row.innerText()));
    const [id] = idsIn(runs);
    await row.getByRole("link").click();
    await page.locator(".page-head").getByText("live", { exact: true }).waitFor();
    await drawn(page, "Episode return");
    let fetched = 0;
    page.on("request", (request) => /\/metrics\?.*key=/.test(request.url()) && fetched++);
    await chart(page, "Episode return").locator("details summary").click();
    const points = chart(page, "Episode return").locator("tbody tr");
    await points.first().waitFor();
    // rows that came while a chart was still asked for are asked for again, 3 seconds later
    await rests("the charts are all there", () => fetched, 4500);
    fetched = 0;
    await points.nth((await points.count()) + 1).waitFor();
    check("the curve grows by events alone", fetched === 0, `${fetched} requests`);
    await page.locator('section[aria-label="Evaluations"] tbody tr').nth(1).waitFor();
    check("so do the evaluations", true);
    await shoot(page, "live");
    await going.kill();
    await look(page);
    await page.locator(".status.crashed").waitFor();
    await holds("a killed training is told", async () => new RegExp(`ludus train cartpole --resume ${id}`).test(await page.locator(".advice.bad").innerText()));
    const written = JSON.parse(say(ludus, "runs", "list", "--json", "--run.folder", runs)).runs[0].windows;
    await points.nth(written - 1).waitFor();
    await holds("and nothing of it is missing", async () => (await points.count()) === written && new RegExp(`Windows\\s+${written}\\b`).test(await page.locator(".run-facts").innerText()), () => written);
    await shoot(page, "crashed");
    check("nothing went wrong in the page", wrong.length === 0, wrong);
  } finally {
    await going.kill();
    await context.close();
    await server.stop();
  }
}

/** The server may not have the metrics' names yet when it tells that the first window has ended. */
async function late(it, address, ids) {
  const { page, context } = await visit(it, "about:blank");
  let asked = 0;
  await page.route(/\/metrics\?rows=windows$/, (route) => (asked++ ? route.continue() : route.fulfill({ json: { keys: [] } })));
  await page.goto(`${address}/runs/${ids[0]}`);
  await chart(page, "Episode return").first().waitFor();
  check("names of metrics that come late are asked for again", asked > 1, `${asked}`);
  await context.close();
}

async function states(it, ludus, runs) {
  const empty = await serve(ludus, folder());
  const first = await visit(it, `${empty.address}/runs`);
  await first.page.getByText("There is no run yet").waitFor();
  await holds("an empty folder names the command", async () => /ludus train cartpole/.test(await first.page.locator(".notice").innerText()));
  await accessible(first.page, "no runs");
  await first.page.goto(`${empty.address}/constellation`);
  await first.page.getByText("There is no run yet").waitFor();
  await holds("so does the constellation", async () => /ludus train cartpole/.test(await first.page.locator(".notice").innerText()));
  await first.context.close();
  await empty.stop();

  const room = folder();
  cpSync(runs, room, { recursive: true });
  const [damaged, bare] = idsIn(room);
  writeFileSync(join(room, damaged, "run.json"), "{");
  rmSync(join(room, bare, "metrics"), { recursive: true });
  const broken = await serve(ludus, room);
  const seen = await visit(it, `${broken.address}/runs/${damaged}`);
  await reads("a damaged run says what names its files", () => seen.page.locator(".advice.bad").innerText(), (text) => text.includes(`ludus runs show ${damaged}`));
  await seen.page.goto(`${broken.address}/runs/${bare}`);
  await seen.page.getByText("There are no metrics").waitFor();
  await holds("a run without metrics keeps no room for charts", async () => (await seen.page.locator(".chart-grid").count()) === 0);
  await seen.context.close();
  await broken.stop();

  let server = await serve(ludus, runs);
  const { page, context } = await visit(it, `${server.address}/runs`);
  await drawn(page, "Episode return");
  await server.stop();
  await look(page);
  await page.getByText("The server has not answered").waitFor();
  await holds("a server that is gone is told, and the table stays", async () => (await rowsOf(page).count()) === 4);
  await accessible(page, "offline");
  server = await serve(ludus, runs, "--port", new URL(server.address).port);
  await look(page);
  await page.getByText("The server has not answered").waitFor({ state: "detached" });
  check("and so is its return", true);
  await context.close();
  await server.stop();
}

const evil = `"><img src=x onerror="window.__pwned=1"><script>window.__pwned=2</script>\u202etxt.exe`;
const evilTag = `"><img/src=x/onerror=window.__pwned=5>`; // tags have no blanks
const link = "javascript:window.__pwned=3";

/** A run beside the others whose texts are an attack, and folders whose names are no ids. */
function poison(runs, room) {
  cpSync(runs, room, { recursive: true });
  const [from] = idsIn(runs);
  const id = "20200101T000000Z-0000000-cartpole";
  cpSync(join(runs, from), join(room, id), { recursive: true });
  for (const name of ["windows", "evals", "updates"]) {
    const file = join(room, id, "metrics", `${name}.jsonl`);
    const rows = readFileSync(file, "utf8").trim().split("\n").map((line) => ({ ...JSON.parse(line), run_id: id }));
    if (name === "windows") for (const row of rows) row.infos = { ...row.infos, [evil]: 1 };
    writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  }
  const file = join(room, id, "run.json");
  const run = JSON.parse(readFileSync(file, "utf8"));
  const settings = { ...run.settings, "run.experiment": { value: evil, origin: evil, where: evil }, "train.rate": { value: link, origin: "flag", where: link } };
  writeFileSync(file, JSON.stringify({ ...run, run_id: id, status: "failed", problem: evil, notes: evil, tags: [evilTag, link], commit: evil, host: evil, cpu: evil, settings }));
  mkdirSync(join(room, id, "wandb"), { recursive: true });
  writeFileSync(join(room, id, "wandb", "cursor.json"), JSON.stringify({ targets: { [`${link}// a/b`]: {} }, [`${link}// a/b`]: {} }));
  for (const name of ["<img src=x onerror=window.__pwned=4>", "a b", `${link}`]) cpSync(join(room, id), join(room, name), { recursive: true });
  return id;
}

async function hostile(it, ludus, runs) {
  const room = folder();
  const id = poison(runs, room);
  const server = await serve(ludus, room);
  const { page, context, wrong } = await visit(it, "about:blank");
  const dialogs = [];
  page.on("dialog", (dialog) => (dialogs.push(dialog.message()), void dialog.dismiss()));
  await context.addInitScript(() => {
    globalThis.__broken = [];
    document.addEventListener("securitypolicyviolation", (event) => globalThis.__broken.push(event.violatedDirective));
  });
  const safe = async (what) => {
    const found = await page.evaluate(() => ({
      pwned: globalThis.__pwned,
      broken: globalThis.__broken,
      made: document.querySelectorAll('img:not([src="/icon.svg"]), script:not([src]), [onerror], a[href^="javascript:" i]').length,
    }));
    check(`${what}: no script runs`, found.pwned === undefined && found.broken.length === 0 && found.made === 0 && dialogs.length === 0, [found, dialogs]);
  };
  const others = idsIn(runs);
  await page.goto(`${server.address}/runs?runs=${id},${others[0]}`);
  await page.locator(".diff").waitFor();
  await drawn(page, "Episode return");
  await holds("folders whose names are no ids are not listed", async () => (await rowsOf(page).count()) === others.length + 1, async () => await rowsOf(page).allInnerTexts());
  const row = rowsOf(page).filter({ has: page.getByLabel(`Compare ${id}`, { exact: true }) });
  await holds("a note is shown as text", async () => (await row.locator(".note").last().textContent()) === evil, async () => await row.locator(".note").last().textContent());
  await holds("so is a tag", async () => (await row.locator(".badge").allTextContents()).some((text) => text.includes("<img/src=x/onerror")), async () => await row.locator(".badge").allTextContents());
  await holds("so is a setting", async () => (await page.locator(".diff").textContent()).includes(link));
  await field(page, "Tag").selectOption(evilTag);
  await asked(page, "tag", evilTag);
  await page.locator(".chart-controls .pick-box summary").click();
  await safe("the table");
  await page.goto(`${server.address}/runs/${id}`);
  await drawn(page, "Episode return");
  await holds("an experiment is shown as text", async () => (await page.locator(".run-facts").textContent()).includes(evil));
  await holds("so is where a setting came from", async () => (await page.getByRole("region", { name: "Settings chosen for this run" }).textContent()).includes(evil.slice(0, 20)));
  await holds("an address that is none is no link", async () => (await page.getByRole("link", { name: /Weights/ }).count()) === 0);
  await safe("the run");
  await page.goto(`${server.address}/constellation?x=set:run.experiment&c=set:train.rate`);
  await until(page, () => document.querySelectorAll(".star").length > 0);
  await safe("the constellation");
  const text = encodeURIComponent(evil);
  await page.goto(`${server.address}/constellation?x=set:${text}&y=met:${text}@${text}&c=${text}&p=${text}&b=${text}~0~1&q=`);
  await page.locator(".sky").waitFor();
  await safe("an address of the constellation");
  await page.goto(`${server.address}/runs?q=&sort=${text}&runs=${id},${text}&x=${text}&m=${text},episode_return&big=${text}&smooth=${text}&from=${text}&to=${text}`);
  await drawn(page, "Episode return");
  await safe("an address of the table");
  await page.goto(`${server.address}/runs/${encodeURIComponent(evilTag.replaceAll(".", "").replaceAll("/", " "))}`);
  await page.getByText("There is no such run").waitFor();
  await safe("an address of a run");
  check("nothing was refused by the policy", wrong.filter((one) => /Content Security|Refused to/.test(one)).length === 0, wrong);
  await context.close();
  await server.stop();
}

const runs = folder();
for (let seed = 1; seed <= 4; seed++) {
  train(ludus, runs, "cartpole", "40k", "5k", "--preset", "cartpole-classic", "--seed", `${seed}`, "--set", `train.rate=${rates[(seed - 1) % 2]}`);
}
const ids = idsIn(runs);
say(ludus, "runs", "tag", ids[1], "+good", "--run.folder", runs);
say(ludus, "runs", "note", ids[2], "twice the rate", "--run.folder", runs);
const it = await browser();
const server = await serve(ludus, runs);
try {
  await table(it, server.address, ids);
  await charts(it, server.address, ids);
  await oneRun(it, server.address, ids);
  await constellation(it, server.address, ids);
  await late(it, server.address, ids);
  await looks(it, server.address, ids);
  await live(it, ludus);
  await states(it, ludus, runs);
  await hostile(it, ludus, runs);
} catch (error) {
  check("the visit comes to its end", false, error.stack ?? String(error));
} finally {
  await it.close();
  await server.stop();
}
finish();
