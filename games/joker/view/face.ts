// Faces drawn by code: playing cards with their pips, chips of blinds, packs and vouchers that are made from
// their keys, so that each looks the same every time. Jokers and consumables: emblem.ts.
import { draw } from "ludus/make";
import { cardShort, type Card } from "./state";

/** Suits in a box of 24. */
export const shapes = [
  "M12 2C9.4 7 3 10 3 15a4.5 4.5 0 0 0 8 2.8C11 20 10 21.6 8.4 22h7.2C14 21.6 13 20 13 17.8A4.5 4.5 0 0 0 21 15c0-5-6.4-8-9-13z",
  "M12 21.5C8 17.5 2.5 13.6 2.5 8.4A4.9 4.9 0 0 1 12 6.2a4.9 4.9 0 0 1 9.5 2.2c0 5.2-5.5 9.1-9.5 13.1z",
  "M12 2.4a4.6 4.6 0 0 1 3.9 7.1 4.6 4.6 0 1 1-2.9 7.6c.1 2.5 1 4.2 2.7 4.9H8.3c1.7-.7 2.6-2.4 2.7-4.9a4.6 4.6 0 1 1-2.9-7.6A4.6 4.6 0 0 1 12 2.4z",
  "M12 1.5c2.3 3.9 4.8 7.1 7.8 10.5-3 3.4-5.5 6.6-7.8 10.5-2.3-3.9-4.8-7.1-7.8-10.5 3-3.4 5.5-6.6 7.8-10.5z",
] as const;

/** Each suit has a colour of its own, dark enough on the face. */
export const suitColors = ["#1b2531", "#c01829", "#0f6140", "#a84a00"] as const;

const left = 18;
const right = 42;
/** Where pips stand, by rank 2 to 10: x and y; those below the middle are upside down. */
const pips: [number, number][][] = (() => {
  const pair = (y: number): [number, number][] => [[left, y], [right, y]];
  const one = (y: number): [number, number] => [30, y];
  return [
    [one(22), one(62)],
    [one(22), one(42), one(62)],
    [...pair(22), ...pair(62)],
    [...pair(22), one(42), ...pair(62)],
    [...pair(22), ...pair(42), ...pair(62)],
    [...pair(22), one(32), ...pair(42), ...pair(62)],
    [...pair(22), one(32), ...pair(42), one(52), ...pair(62)],
    [...pair(20), ...pair(34.5), one(42), ...pair(49.5), ...pair(64)],
    [...pair(20), one(27), ...pair(34.5), ...pair(49.5), one(57), ...pair(64)],
  ];
})();

function pip(suit: number, x: number, y: number, size: number, fill: string): SVGElement {
  const turn = y > 43 && size < 20 ? ` rotate(180)` : "";
  return draw("path", { d: shapes[suit] ?? "", fill, transform: `translate(${x} ${y})${turn} scale(${size / 24}) translate(-12 -12)` });
}

/** A crown, a coronet or a feathered cap above the letter of a court card. */
const courts = [
  "M19 26c4-6 12-9 20-8-2 5-6 8-11 9z",
  "M19 27l2-8 5 5 4-8 4 8 5-5 2 8z",
  "M18 27V15l6 6 6-9 6 9 6-6v12z",
] as const;

function middle(card: Card, fill: string): SVGElement[] {
  const { rank, suit } = card;
  if (rank < 9) return (pips[rank] ?? []).map(([x, y]) => pip(suit, x, y, 13, fill));
  if (rank === 12) return [pip(suit, 30, 42, 30, fill)];
  return [
    draw("rect", { x: 13, y: 10, width: 34, height: 64, rx: 3, fill: "none", stroke: fill, "stroke-width": 0.8, "stroke-opacity": 0.5 }),
    draw("path", { d: courts[rank - 9] ?? "", fill, "fill-opacity": 0.85 }),
    draw("text", { x: 30, y: 50, "text-anchor": "middle", "font-size": 24, "font-weight": 700, "font-family": "Georgia, serif", fill }, "JQK"[rank - 9] ?? ""),
    pip(suit, 30, 63, 13, fill),
  ];
}

const sealColors: Record<string, string> = { goldseal: "#b07800", redseal: "#c01829", blueseal: "#1460c4", purpleseal: "#7a35c0" };
const tints: Record<string, string> = {
  bonus: "#d7e6fb", mult: "#fbdcd8", wild: "#f1e4f8", glass: "#dff4f4", steel: "#d9dee4", stone: "#b9b3a8", gold: "#f6e29b", lucky: "#e2f3d4",
};
const editionColors: Record<string, string> = { foil: "#3f83e0", holo: "#d6457f", polychrome: "#8a4fd3", negative: "#101010" };

/** A playing card, 60 by 84. */
export function cardFace(card: Card): SVGSVGElement {
  const svg = draw("svg", { viewBox: "0 0 60 84", "aria-hidden": "true", class: "jk-face" });
  if (card.rank < 0) {
    svg.append(draw("rect", { x: 1, y: 1, width: 58, height: 82, rx: 6, fill: "#2d4a73", stroke: "#0005" }));
    for (let k = 0; k < 6; k++) svg.append(draw("rect", { x: 6 + 4 * k, y: 6 + 6 * k, width: 48 - 8 * k, height: 72 - 12 * k, rx: 4, fill: "none", stroke: "#9dbbe6", "stroke-opacity": 0.55 }));
    return svg;
  }
  const fill = card.debuffed ? "#6d6d6d" : (suitColors[card.suit] ?? "#000");
  svg.append(draw("rect", { x: 1, y: 1, width: 58, height: 82, rx: 6, fill: tints[card.enhancement] ?? "#fdfcf7", stroke: editionColors[card.edition] ?? "#0004", "stroke-width": card.edition ? 2.4 : 1 }));
  if (card.enhancement === "stone") {
    svg.append(draw("path", { d: "M14 50l6-18 14-6 12 10 3 16-10 10H22z", fill: "#8d867a", stroke: "#5f594f" }));
  } else {
    const rank = cardShort(card.text).slice(0, -1);
    svg.append(...middle(card, fill));
    for (const turn of [0, 180]) {
      const corner = draw("g", { transform: turn ? "rotate(180 30 42)" : "" });
      corner.append(draw("text", { x: 7.5, y: 14, "text-anchor": "middle", "font-size": rank.length > 1 ? 10 : 12, "font-weight": 700, "font-family": "Inter, system-ui, sans-serif", fill, ...(rank.length > 1 ? { "letter-spacing": -1 } : {}) }, rank));
      corner.append(draw("path", { d: shapes[card.suit] ?? "", fill, transform: "translate(7.5 21) scale(0.34) translate(-12 -12)" }));
      svg.append(corner);
    }
  }
  if (card.seal) svg.append(draw("circle", { cx: 50, cy: 34, r: 6, fill: sealColors[card.seal] ?? "#888", stroke: "#fff", "stroke-width": 1.5 }));
  if (card.debuffed) svg.append(draw("path", { d: "M10 14l40 56M50 14L10 70", stroke: "#b3261e", "stroke-width": 4, "stroke-opacity": 0.55 }));
  return svg;
}

/** Numbers from a key, always the same ones. */
export function dice(key: string): () => number {
  let state = 2166136261;
  for (const letter of key) state = Math.imul(state ^ letter.charCodeAt(0), 16777619);
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
    state ^= state >>> 12;
    return (state >>> 0) / 2 ** 32;
  };
}

/** The chip of a blind: blue, orange, or a colour of the boss's own with an eye. */
export function blindDisc(name: string): SVGSVGElement {
  const roll = dice(name);
  const boss = name !== "small" && name !== "big";
  const hue = name === "small" ? 212 : name === "big" ? 32 : Math.floor(roll() * 360);
  const svg = draw("svg", { viewBox: "0 0 48 48", "aria-hidden": "true", class: "jk-disc" });
  svg.append(draw("circle", { cx: 24, cy: 24, r: 22, fill: `hsl(${hue} 55% 38%)` }));
  for (let k = 0; k < 8; k++) svg.append(draw("rect", { x: 21, y: 2, width: 6, height: 7, rx: 1.5, fill: `hsl(${hue} 60% 82%)`, transform: `rotate(${k * 45} 24 24)` }));
  svg.append(draw("circle", { cx: 24, cy: 24, r: 14, fill: `hsl(${hue} 55% 28%)`, stroke: `hsl(${hue} 60% 82%)`, "stroke-width": 1.5 }));
  const light = `hsl(${hue} 70% 88%)`;
  if (boss) svg.append(draw("path", { d: "M14 24q10-9 20 0q-10 9-20 0z", fill: light }), draw("circle", { cx: 24, cy: 24, r: 3.6, fill: `hsl(${hue} 60% 22%)` }));
  else svg.append(draw("path", { d: name === "small" ? "M24 17v14M19 22l5-5l5 5" : "M24 15v18M18 21l6-6l6 6M18 28l6-6l6 6", fill: "none", stroke: light, "stroke-width": 2.6, "stroke-linecap": "round", "stroke-linejoin": "round" }));
  return svg;
}

/** A pack of the shop: foil with crimped ends. */
export function packArt(key: string): SVGSVGElement {
  const roll = dice(key.replace(/_\d+$/, ""));
  const hue = Math.floor(roll() * 360);
  const svg = draw("svg", { viewBox: "0 0 60 84", "aria-hidden": "true", class: "jk-art" });
  const teeth = (y: number, way: number): string => Array.from({ length: 11 }, (_, k) => `${6 + k * 4.8},${y + (k % 2 ? way * 4 : 0)}`).join(" ");
  svg.append(draw("polygon", { points: `${teeth(8, -1)} 54,76 ${teeth(76, 1).split(" ").reverse().join(" ")} 6,8`, fill: `hsl(${hue} 48% 36%)` }));
  svg.append(draw("polygon", { points: "10,14 26,14 14,70 10,70", fill: "#ffffff22" }));
  svg.append(draw("rect", { x: 12, y: 30, width: 36, height: 24, rx: 4, fill: `hsl(${hue} 60% 84%)` }));
  for (let k = 0; k < 3; k++) svg.append(draw("rect", { x: 17 + 9 * k, y: 34 + (k % 2) * 2, width: 9, height: 14, rx: 1.5, fill: `hsl(${(hue + 50 * k) % 360} 50% 45%)`, stroke: "#fff", "stroke-width": 0.8 }));
  return svg;
}

/** A voucher: a ticket with a torn edge. */
export function voucherArt(key: string): SVGSVGElement {
  const roll = dice(key);
  const hue = Math.floor(roll() * 360);
  const svg = draw("svg", { viewBox: "0 0 60 84", "aria-hidden": "true", class: "jk-art" });
  svg.append(draw("path", { d: "M10 8h40v22a6 6 0 0 0 0 12v34h-40v-34a6 6 0 0 0 0-12z", fill: `hsl(${hue} 45% 34%)`, stroke: `hsl(${hue} 60% 82%)`, "stroke-width": 1.5 }));
  svg.append(draw("path", { d: "M16 36h28", stroke: `hsl(${hue} 60% 82%)`, "stroke-width": 1.5, "stroke-dasharray": "3 3" }));
  svg.append(draw("path", { d: "M30 46l4 8l9 1l-6.5 6l1.8 9l-8.3-4.5l-8.3 4.5l1.8-9l-6.5-6l9-1z", fill: `hsl(${(hue + 40) % 360} 80% 68%)` }));
  return svg;
}
