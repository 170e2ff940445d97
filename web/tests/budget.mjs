// The first load of the built site: what index.html names, compressed, without the font and the games' own data.
// Usage: node web/tests/budget.mjs
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { check, finish, project } from "./helper.mjs";

const most = 60_000;
const dist = join(project, "web", "dist");
const html = readFileSync(join(dist, "index.html"), "utf8");
const named = [...html.matchAll(/(?:src|href)="\/([^"]+)"/g)].map((match) => match[1]);
const size = (file) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
const total = size("index.html") + named.filter((file) => !file.endsWith(".woff2")).reduce((sum, file) => sum + size(file), 0);
check(`first load: ${(total / 1000).toFixed(1)} kB of ${most / 1000} kB, ${named.length} files`, named.length >= 2 && total < most);
const chunks = readdirSync(join(dist, "assets"));
const fonts = chunks.filter((file) => file.endsWith(".woff2"));
const all = chunks.filter((file) => /\.(js|css)$/.test(file)).reduce((sum, file) => sum + size(join("assets", file)), 0);
check("one font of at most 50 kB, with its licence", fonts.length === 1 && readFileSync(join(dist, "assets", fonts[0])).length < 50_000 && chunks.includes("inter-licence.txt"), chunks);
check(`all of the site: ${(all / 1000).toFixed(1)} kB of 400 kB, ${chunks.length} chunks`, all < 400_000);
check("no inline script or style", !/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/.test(html), html);
const foreign = chunks.filter((file) => /\.(js|css)$/.test(file)).filter((file) => /(["'(])https?:\/\/(?!www\.w3\.org|127\.0\.0\.1)/.test(readFileSync(join(dist, "assets", file), "utf8")));
check("nothing is fetched from elsewhere", foreign.length === 0, foreign);
finish();
