// The pictures of Home: a moment of each replay that comes with the site, drawn by the game's own view in
// Chromium, one per theme, into web/public/pictures. Needed again when a view or such a replay has changed.
//   web/node web/pictures.mjs build/release/ludus [GAME...]
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { browser, folder, project, serve } from "./tests/helper.mjs";

/** Which frame of the replay, as a share of its length; the width that the view is drawn at; and the part of it
 * that is the picture: its upper left corner and its width. */
const moments = {
  prospector: { at: 313 / 1940, width: 1000, x: 250, y: 44, wide: 330 },
  joker: { at: 63 / 169, width: 760, x: 0, y: 110, wide: 540 },
  potion: { at: 0.8, width: 1000, x: 0, y: 0, wide: 590 },
  craft: { at: 0.9, width: 500, x: 0, y: 0, wide: 530 },
  duel: { at: 59 / 195, width: 900, x: 324, y: 125, wide: 250 },
  cartpole: { at: 0.3, width: 640, x: 110, y: 20, wide: 420 },
  acrobot: { at: 0.7, width: 640, x: 116, y: 92, wide: 420 },
  corridor: { at: 0.6, width: 640, x: 260, y: 30, wide: 300 },
};

/** A PNG as WebP of 640 x 400, made by the browser. */
const smaller = (page, png) =>
  page.evaluate(async (text) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob());
    const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 400 });
    // all of its width; below what is too low the ground goes on
    const pen = canvas.getContext("2d");
    const high = (640 * image.height) / image.width;
    pen.drawImage(image, 0, image.height - 1, image.width, 1, 0, high - 1, 640, 401 - high);
    pen.drawImage(image, 0, 0, 640, high);
    return canvas.toDataURL("image/webp", 0.82).split(",")[1];
  }, png.toString("base64"));

const out = join(project, "web", "public", "pictures");
mkdirSync(out, { recursive: true });
const { address } = await serve(resolve(process.argv[2] ?? "build/release/ludus"), folder());
const wanted = process.argv.slice(3);
const it = await browser();
for (const [game, { at, width, x, y, wide }] of Object.entries(moments)) {
  if (wanted.length && !wanted.includes(game)) continue;
  for (const theme of ["dark", "light"]) {
    const context = await it.newContext({ viewport: { width: width + 34, height: 1400 }, deviceScaleFactor: 2, colorScheme: theme, reducedMotion: "reduce" });
    const page = await context.newPage();
    await page.goto(`${address.replace(/\/$/, "")}/watch/${game}`);
    await page.getByText("every hash agreed").waitFor();
    const last = Number(await page.locator(".scrub input").getAttribute("max"));
    await page.locator(".scrub input").fill(String(Math.round(at * last)));
    await page.evaluate(() => document.fonts.ready);
    await page.waitForTimeout(1200);
    const box = await page.locator(".stage-box").boundingBox();
    const png = await page.screenshot({ clip: { x: box.x + x, y: box.y + y, width: Math.min(wide, box.width - x), height: Math.min(box.height - y - 6, wide / 1.6) } });
    const blank = await context.newPage();
    const webp = Buffer.from(await smaller(blank, png), "base64");
    writeFileSync(join(out, `${game}-${theme}.webp`), webp);
    console.log(`${game} ${theme}: ${webp.length} bytes`);
    await context.close();
  }
}
process.exit(0);
