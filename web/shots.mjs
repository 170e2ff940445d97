// Pictures of every page of the built site, for the eye: by width and theme, into a folder, with one
// sheet per page that has them side by side (where ImageMagick is there).
//   web/node web/shots.mjs build/release/ludus [--out build/shots] [--pages home,watch] [--widths 390,1440] [--themes dark]
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { browser, folder, project, say, serve, train } from "./tests/helper.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: "string", default: "build/shots" },
    pages: { type: "string", default: "" },
    widths: { type: "string", default: "390,820,1440,1920" },
    themes: { type: "string", default: "dark,light" },
    runs: { type: "string", default: "" },
    full: { type: "boolean", default: false },
  },
});
const ludus = resolve(positionals[0] ?? "build/release/ludus");
const out = resolve(project, values.out);
const heights = { 390: 844, 820: 1180, 1440: 900, 1920: 1080 };
mkdirSync(out, { recursive: true });

/** Runs that pages can show: two of cartpole, one of prospector. */
function fill(runs) {
  train(ludus, runs, "cartpole", "120k", "20000", "--seed", "1");
  train(ludus, runs, "cartpole", "120k", "20000", "--seed", "2", "--set", "train.rate=0.001");
  train(ludus, runs, "prospector", "300k", "60000", "--preset", "prospector-profit");
  return runs;
}

const plays = ["prospector", "joker", "potion", "craft", "duel", "cartpole", "acrobot", "corridor"];
const pages = {
  home: "/",
  ...Object.fromEntries(plays.map((game) => [`watch-${game}`, `/watch/${game}`])),
  ...Object.fromEntries(plays.map((game) => [`play-${game}`, `/play/${game}`])),
  runs: "/runs",
  run: "/runs/RUN",
  constellation: "/constellation",
  league: "/league",
  seeds: "/joker",
  seed: "/joker?seed=TESTSEED",
  brew: "/potion",
  craft: "/craft",
};

const runs = values.runs || fill(folder());
const { address } = await serve(ludus, runs);
const newest = JSON.parse(say(ludus, "runs", "list", "--json", "--run.folder", runs).split("\n")[0]);
const run = newest.run_id ?? newest.runs?.[0]?.run_id ?? "";
const it = await browser();
const wanted = values.pages ? values.pages.split(",") : Object.keys(pages);
for (const name of wanted) {
  const files = [];
  const slug = name.replaceAll(/\W+/g, "-");
  for (const theme of values.themes.split(",")) {
    for (const width of values.widths.split(",").map(Number)) {
      const touch = width < 1000;
      const context = await it.newContext({ viewport: { width, height: heights[width] ?? 900 }, colorScheme: theme, hasTouch: touch, isMobile: width < 500 });
      const page = await context.newPage();
      page.on("pageerror", (error) => console.log(`${name} ${width} ${theme}: ${error.message}`));
      page.on("console", (message) => message.type() === "error" && console.log(`${name} ${width} ${theme}: ${message.text()}`));
      await page.goto(`${address.replace(/\/$/, "")}${(pages[name] ?? name).replace("RUN", run)}`);
      await page.waitForLoadState("networkidle").catch(() => undefined);
      await page.waitForTimeout(900);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (wide > 0) console.log(`${name} ${width} ${theme}: ${wide} px wider than the screen`);
      const file = join(out, `${slug}-${theme}-${width}.png`);
      await page.screenshot({ path: file, fullPage: values.full });
      files.push(file);
      await context.close();
    }
  }
  if (files.length > 1 && existsSync("/usr/bin/montage")) execFileSync("montage", [...files, "-tile", `${values.widths.split(",").length}x`, "-geometry", "x900+8+8", join(out, `sheet-${slug}.png`)]);
  console.log(`${name}: ${files.length} pictures`);
}
process.exit(0);
