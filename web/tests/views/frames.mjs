// Real frames for the views' tests: episodes that `ludus` plays and tells as JSON.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ludus = process.argv[2];
if (!ludus) throw new Error("name the program: node web/tests/views/views.mjs LUDUS");

const run = (args, input = "") => execFileSync(ludus, args, { input, maxBuffer: 1 << 28, encoding: "utf8", stdio: ["pipe", "pipe", "ignore"] });

export const specOf = (game) => JSON.parse(run(["spec", game, "--json"]));

/** One trip of prospector on seed 3 that scans, mines, breaks a rock, meets pirates, trades, ends. */
export const tour = [
  "threat listen", "travel 2", "wide scan", "select rock 3", "focused scan", "deep scan", "stabilise rock", "mine careful",
  "mine normal", "mine hard", "refine", "active cooling", "tool maintenance", "hull patch", "jettison iron", "emergency burn",
  "hold", "threat listen", "select rock 4", "mine hard", "travel 1", "dock", "sell volatiles 100%", "sell rare isotopes 100%",
  "sell water ice 100%", "sell platinum group 50%", "sell nickel 25%", "buy fuel 120", "buy fuel 260", "buy kit", "cash out",
];

/** Frames as the site makes them; `legal` is the mask's set of the next decision. */
export function record(game, seed, { bot, commands }) {
  const folder = mkdtempSync(join(tmpdir(), "ludus-view-"));
  try {
    const file = join(folder, "a.ludus");
    if (bot) run(["watch", game, "--bot", bot, "--seed", `${seed}`, "--fast", "--record", file]);
    else run(["play", game, "--seed", `${seed}`, "--record", file], `${commands.join("\n")}\n`);
    const options = specOf(game).heads[0].options;
    let total = 0;
    return run(["replay", file, "--json", "--legal"])
      .split("\n")
      .filter(Boolean)
      .slice(1)
      .map((line, index) => {
        const row = JSON.parse(line);
        const action = row.action === null ? null : [row.action].flat();
        total += row.rewards[0];
        return {
          index, action, total,
          state: row.state,
          actionName: action ? options[action[0]] : "",
          story: row.story,
          events: row.events,
          reward: row.rewards[0],
          terms: row.terms,
          info: row.info,
          over: row.terminated || row.truncated,
          seed: `${seed}`,
          board: "",
          legal: row.legal,
        };
      });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
