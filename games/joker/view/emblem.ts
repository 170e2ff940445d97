// Emblems of jokers and consumables: what a joker gives, read from its effect (+4 in red is mult, +50 in
// blue is chips, $4 is money), and below it what it looks at; a planet, a sun or a flame for the others. The
// field has the colour of the rarity or set, and a rosette that is made from the key.
import { draw } from "ludus/make";
import { dice, shapes } from "./face";
import { thingOf } from "./tables";

const hues: Record<string, number> = { common: 212, uncommon: 150, rare: 4, legendary: 282, Tarot: 268, Planet: 196, Spectral: 224 };
const inks = { mult: "#ff9a8f", chips: "#8fc4ff", money: "#ffd666", plain: "#f2f5fa" };
const font = { "font-family": "Inter, system-ui, sans-serif", "text-anchor": "middle", "font-weight": 800 };

type Ink = keyof typeof inks;

/** What a joker gives, as a word or a figure; the first row that its effect fits. */
const gifts: [RegExp, (found: RegExpExecArray) => string, Ink][] = [
  [/x1 mult/, () => "×", "mult"],
  [/x([\d.]+) mult|(?:[Gg]ains|[Gg]rows by) x([\d.]+)/, (found) => `×${found[1] ?? found[2]}`, "mult"],
  [/\+(\d+) mult/, (found) => `+${found[1]}`, "mult"],
  [/(to|in) mult/, () => "+?", "mult"],
  [/\+(\d+) chips/, (found) => `+${found[1]}`, "chips"],
  [/\$(\d+)/, (found) => (found[1] === "0" ? "$0" : `$${found[1]}`), "money"],
  [/money/, () => "$", "money"],
  [/\+(\d+) (hand|discard)/, (found) => `+${found[1]}`, "plain"],
];

/** Pictures in a box of 24 for effects that give no number. */
const signs: [RegExp, string][] = [
  [/extra trigger/, "M5 12a7 7 0 1 1 2.4 5.3M5 20.5v-4.6h4.6"],
  [/Acts as|duplicates|copy/i, "M4 3.5h10v13h-10zM10 7.5h10v13h-10z"],
  [/Makes?|make|joins|Puts|gives/, "M6 3h12v18h-12zM12 8.5v7M8.5 12h7"],
  [/level/, "M12 20v-15M6 11l6-6l6 6"],
  [/boss|lost/, "M12 2.5l8 3v6c0 5-3.5 8-8 10c-4.5-2-8-5-8-10v-6zM8.5 12l2.5 2.5l4.5-5"],
  [/odds|may|count|need|scores|Hearts and/, "M5 5h14v14h-14zM9 9h.1M15 9h.1M12 12h.1M9 15h.1M15 15h.1"],
];
const cap = "M3 18c0-6 1.5-9 4-11.5c.8 3 3 4 5-2.5c2 6.5 4.200 5.5 5 2.5c2.5 2.5 4 5.5 4 11.5zM4 21h16";

const suits = ["Spade", "Heart", "Club", "Diamond"];
const suitInks = ["#cfd8e3", "#ff8f8a", "#8fe0b4", "#ffc07a"];

/** What a joker looks at, in a word or two. */
const subjects: [RegExp, string][] = [
  [/face card/, "J Q K"],
  [/King or Queen/, "K Q"],
  [/held King/, "K"],
  [/held Queen/, "Q"],
  [/discarded.*Jack/, "J"],
  [/scored Ace/, "A"],
  [/scored (A, )?([\d, ]+ or \d+)/, ""],
  [/Full House/, "2 pair"],
  [/Two Pair/, "2 pair"],
  [/Pair/, "pair"],
  [/Three of a Kind/, "3 alike"],
  [/Four of a Kind/, "4 alike"],
  [/Straight Flush/, "str. flush"],
  [/Straight/, "straight"],
  [/Flush/, "flush"],
  [/\+\d+ hands/, "hands"],
  [/\+\d+ hand size/, "hand"],
  [/discard/, "discard"],
  [/extra trigger/, "again"],
  [/Tarot/, "tarot"],
  [/Planet/, "planet"],
  [/Spectral/, "spectral"],
  [/(a|per|one|\*|scored) (Steel|Stone|Glass|Lucky|Gold) card/, ""],
];

function subjectOf(effect: string): string {
  const row = subjects.find(([fits]) => fits.test(effect));
  if (!row) return "";
  if (row[1]) return row[1];
  const ranks = /scored ((?:A, )?[\d, ]+ or \d+)/.exec(effect)?.[1];
  return ranks ? ranks.replace(" or", ",").replaceAll(", ", " ") : (/Steel|Stone|Glass|Lucky|Gold/.exec(effect)?.[0].toLowerCase() ?? "");
}

function rosette(roll: () => number, hue: number): SVGElement {
  const arms = 4 + Math.floor(roll() * 7);
  const [inner, turn] = [5 + roll() * 8, roll() * 6.3];
  const points = Array.from({ length: 2 * arms }, (_, i) => {
    const [angle, far] = [turn + (i * Math.PI) / arms, i % 2 ? inner : 21];
    return `${(24 + far * Math.cos(angle)).toFixed(1)},${(17 + far * Math.sin(angle)).toFixed(1)}`;
  });
  return draw("polygon", { points: points.join(" "), fill: `hsl(${(hue + 60 * (roll() - 0.5) + 360) % 360} 46% 37%)` });
}

function sign(path: string, y: number, ink: string): SVGElement {
  return draw("path", { d: path, fill: "none", stroke: ink, "stroke-width": 2.4, "stroke-linecap": "round", "stroke-linejoin": "round", transform: `translate(${24 - 9} ${y}) scale(0.75)` });
}

function jokerParts(effect: string): SVGElement[] {
  const suit = suits.flatMap((name, index) => (effect.includes(`as ${name}`) ? [index] : []))[0];
  const subject = suit === undefined ? subjectOf(effect) : "";
  const below = subject !== "" || suit !== undefined;
  const gift = /^Makes/.test(effect) ? undefined : gifts.map(([fits, text, ink]) => ({ found: fits.exec(effect), text, ink })).find(({ found }) => found);
  const parts: SVGElement[] = [];
  if (gift?.found) {
    parts.push(draw("text", { x: 24, y: below ? 18.5 : 23, ...font, "font-size": 17, fill: inks[gift.ink], stroke: "#10151d", "stroke-width": 2.5, "paint-order": "stroke" }, gift.text(gift.found)));
  } else {
    parts.push(sign(signs.find(([fits]) => fits.test(effect))?.[1] ?? cap, below ? 3 : 8, inks.plain));
  }
  if (suit !== undefined) parts.push(draw("path", { d: shapes[suit]!, fill: suitInks[suit]!, transform: "translate(24 26.5) scale(0.42) translate(-12 -12)" }));
  if (subject) parts.push(draw("text", { x: 24, y: 29.5, ...font, "font-size": 8, "font-weight": 700, fill: inks.plain }, subject));
  return parts;
}

/** A planet with its ring, a sun, a flame. */
function consumableParts(kind: string, roll: () => number): SVGElement[] {
  const ink = `hsl(${Math.floor(roll() * 360)} 62% 66%)`;
  if (kind === "Planet") {
    const ring = draw("ellipse", { cx: 24, cy: 17, rx: 14, ry: 4, fill: "none", stroke: "#f2f5fa", "stroke-width": 1.6, transform: `rotate(${Math.floor(-40 + roll() * 80)} 24 17)` });
    return [draw("circle", { cx: 24, cy: 17, r: 5 + roll() * 4, fill: ink }), ring];
  }
  if (kind === "Spectral") return [draw("path", { d: "M24 4c6 6 8 10 8 15a8 8 0 0 1-16 0c0-3 1.5-5 3-6c.3 2 1 3 2.3 3.5c-.5-5 .5-9 2.7-12.5z", fill: "#bfe3ff", "fill-opacity": 0.9 })];
  const rays = Array.from({ length: 10 }, (_, k) => draw("path", { d: "M24 4.5v4", stroke: ink, "stroke-width": 1.8, "stroke-linecap": "round", transform: `rotate(${36 * k} 24 17)` }));
  return [draw("circle", { cx: 24, cy: 17, r: 6, fill: ink }), ...rays];
}

export function emblem(key: string, kind: string): SVGSVGElement {
  const roll = dice(key);
  const hue = hues[kind] ?? 40;
  const svg = draw("svg", { viewBox: "0 0 48 34", preserveAspectRatio: "xMidYMid meet", "aria-hidden": "true", class: "jk-emblem" });
  svg.append(draw("rect", { x: -60, y: -40, width: 168, height: 114, fill: `hsl(${hue} 42% 26%)` }), rosette(roll, hue));
  svg.append(...(key.startsWith("j_") ? jokerParts(thingOf(key).effect) : consumableParts(kind, roll)));
  return svg;
}
