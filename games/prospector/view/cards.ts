// Rock cards and, at the station, the desk.
import { text, wrap } from "ludus/canvas";
import { bar, icon, panel, stacked, type Rect } from "./pen";
import { first, goods, offers, percent, rockValue, whole, type Rock, type State } from "./rules";
import { allowed, face, low, type Sheet } from "./sheet";
import { actions } from "./words";

const order = (rock: Rock): number[] => rock.content.map((_, c) => c).sort((a, b) => (rock.content[b] ?? 0) - (rock.content[a] ?? 0));

function rockTip(rock: Rock, a: number, state: State): string[] {
  if (rock.depletion >= 1) return [`Rock ${a + 1} is gone.`];
  return [
    `Rock ${a + 1}: about ${whole(rockValue(rock, state.price))} credits a unit`,
    order(rock).map((c) => `${goods[c]?.short} ${percent(rock.content[c] ?? 0)}`).join(", "),
    `Stability ${percent(rock.stability)}, confidence ${percent(rock.confidence)}, ${percent(1 - rock.depletion)} left`,
  ];
}

/** A named share: beside its bar when flat, above it otherwise, with its figure where there is room. */
function meter(sheet: Sheet, rect: Rect, name: string, share: number, color: string, flat: boolean): void {
  const { ctx, paint } = sheet;
  text(ctx, name, rect.x, rect.y, { size: rect.w < 30 ? 9 : 10, color: paint.dim });
  if (flat) return bar(ctx, { x: rect.x + 30, y: rect.y - 2, w: rect.w - 30, h: 5 }, share, color, paint);
  if (rect.w > 36) text(ctx, `${Math.round(share * 100)}`, rect.x + rect.w, rect.y, { size: 10, weight: 600, color: paint.ink, align: "right" });
  bar(ctx, { x: rect.x, y: rect.y + 7, w: rect.w, h: 4 }, share, color, paint);
}

function meters(sheet: Sheet, rock: Rock, rect: Rect, flat: boolean): void {
  const { paint } = sheet;
  const tone = paint.fill[low(rock.stability, 0.6, 0.35)];
  const rows: [string, number, string][] = [
    ["stab", rock.stability, tone],
    ["conf", rock.confidence, paint.accent],
    ["left", 1 - rock.depletion, paint.dim],
  ];
  const third = (rect.w - 16) / 3;
  rows.forEach(([name, share, color], k) => {
    const cell = flat ? { ...rect, y: rect.y + (k * rect.h) / 3 } : { ...rect, x: rect.x + k * (third + 8), w: third };
    meter(sheet, cell, name, share, color, flat);
  });
}

/** The two main goods and, where there is room, what a unit should fetch. */
function cardWords(sheet: Sheet, rock: Rock, x: number, y: number, w: number, tall: boolean): void {
  const { ctx, paint, state } = sheet;
  const [one = 0, two = 1] = order(rock);
  const long = w > 100;
  const share = (c: number): number => Math.round((rock.content[c] ?? 0) * 100);
  const words = (c: number): string => (long ? `${goods[c]?.short} ${share(c)}` : `${goods[c]?.sign}${share(c)}`);
  const worth = `${whole(rockValue(rock, state.price))} cr`;
  const used = text(ctx, words(one), x, y, { size: 12, weight: 650, color: paint.goods[one] ?? paint.ink, room: w });
  const rest = w - used - 10;
  if (tall) {
    text(ctx, words(two), x, y + 17, { size: 12, color: paint.goods[two] ?? paint.ink, room: w });
    if (rest > 44) text(ctx, worth, x + w, y, { size: 12, weight: 600, color: paint.dim, align: "right" });
  } else if (rest > 44 && long) {
    text(ctx, worth, x + w, y, { size: 12, weight: 600, color: paint.dim, align: "right" });
    if (rest > 140) text(ctx, words(two), x + used + 10, y, { size: 12, color: paint.goods[two] ?? paint.ink });
  } else if (rest > 30) text(ctx, `${goods[two]?.sign}${share(two)}`, x + used + 8, y, { size: 11, color: paint.goods[two] ?? paint.ink });
}

function drawCard(sheet: Sheet, rock: Rock, a: number, rect: Rect): void {
  const { ctx, paint, state } = sheet;
  const chosen = a === state.selected;
  const option = first.select + a;
  const gone = rock.depletion >= 1;
  sheet.hits.push({ rect, option: gone || !allowed(sheet, option) ? -1 : option, tip: rockTip(rock, a, state) });
  ctx.save();
  if (gone) ctx.globalAlpha = 0.5;
  face(sheet, rect, option, chosen && !gone);
  const small = rect.w < 120;
  const flat = small && rect.h >= 84; // three lines of names have room
  const tall = flat || rect.h >= 76;
  const pad = small ? 6 : 9;
  const x = rect.x + pad;
  const w = rect.w - 2 * pad;
  const y = rect.y + 13;
  const name = text(ctx, `${a + 1}`, x, y, { size: 14, weight: 800, color: chosen ? paint.accent : paint.ink }) + (small ? 5 : 7);
  if (gone) text(ctx, "gone", x + name, y, { size: 12, color: paint.dim });
  else {
    cardWords(sheet, rock, x + name, y, w - name, tall);
    const line = y + (tall ? 30 : 12);
    ctx.globalAlpha = 0.35 + 0.65 * rock.confidence;
    stacked(ctx, { x, y: line, w, h: 6 }, rock.content, paint.goods, paint);
    ctx.globalAlpha = 1;
    if (flat) meters(sheet, rock, { x, y: line + 15, w, h: rect.y + rect.h - line - 15 }, true);
    else meters(sheet, rock, { x, y: rect.y + rect.h - 18, w, h: 0 }, false);
    if (chosen) icon(ctx, "target", rect.x + rect.w - 2, rect.y + 2, 16, paint.accent);
  }
  ctx.restore();
}

/** Rock cards, or the desk when docked. */
export function drawCards(sheet: Sheet, rect: Rect): void {
  const { ctx, paint, state } = sheet;
  if (state.node === 0) return drawDesk(sheet, rect);
  const live = state.rocks.filter((rock) => rock.depletion < 1).length;
  const wide = rect.w > 480;
  panel(ctx, rect, paint, `${live} of ${state.rocks.length} rocks`, wide ? "estimated content, stability, confidence, what is left" : "estimates");
  const columns = 4;
  const between = wide ? 8 : 5;
  const rows = Math.max(2, Math.ceil(state.rocks.length / columns));
  const w = (rect.w - 20 - between * (columns - 1)) / columns;
  const h = Math.min(104, (rect.h - 38 - between * (rows - 1)) / rows);
  state.rocks.forEach((rock, a) => {
    drawCard(sheet, rock, a, { x: rect.x + 10 + (a % columns) * (w + between), y: rect.y + 30 + Math.floor(a / columns) * (h + between), w, h });
  });
}

const offerIcons: Record<number, string> = { 61: "fuel", 62: "fuel", 63: "fuel", 64: "kit", 65: "clamp", 66: "decoy", 67: "tool", 68: "flag" };

function drawDesk(sheet: Sheet, rect: Rect): void {
  const { ctx, paint, state } = sheet;
  panel(ctx, rect, paint, "Station desk", `${whole(state.credits)} credits to spend`);
  const columns = 4;
  const gap = 8;
  const w = (rect.w - 20 - gap * 3) / columns;
  const h = Math.min(96, (rect.h - 40 - gap) / 2);
  offers.forEach((offer, k) => {
    const cell = { x: rect.x + 10 + (k % columns) * (w + gap), y: rect.y + 30 + Math.floor(k / columns) * (h + gap), w, h };
    const can = sheet.legal ? sheet.legal(offer.option) : state.credits >= offer.price;
    const hint = actions[offer.option]?.hint ?? "";
    sheet.hits.push({ rect: cell, option: can ? offer.option : -1, tip: [offer.label, hint] });
    ctx.save();
    if (!can) ctx.globalAlpha = 0.5;
    face(sheet, cell, can ? offer.option : -1, false);
    const middle = cell.x + w / 2;
    icon(ctx, offerIcons[offer.option] ?? "kit", middle, cell.y + h * 0.27, Math.min(26, h * 0.3), can ? paint.accent : paint.dim);
    text(ctx, offer.label, middle, cell.y + h * 0.58, { size: w < 110 ? 11 : 13, weight: 600, color: paint.ink, align: "center", room: w - 6 });
    const price = offer.price ? `${offer.price} cr` : "end the trip";
    text(ctx, price, middle, cell.y + h * 0.81, { size: w < 110 ? 11 : 12, color: paint.dim, align: "center", room: w - 6 });
    ctx.restore();
  });
  const y = rect.y + 30 + 2 * (h + gap);
  const room = rect.y + rect.h - y - 8;
  if (room < 34) return;
  const notes = [
    "Sell in small lots: a lot that is large against the stock lowers its own price.",
    "Refining iron and nickel into isotopes is free of risk while docked.",
  ];
  let at = y + 10;
  for (const note of notes) {
    for (const line of wrap(ctx, note, 12, 400, rect.w - 28, 2)) {
      if (at > rect.y + rect.h - 10) return;
      text(ctx, line, rect.x + 14, at, { size: 12, color: paint.dim });
      at += 17;
    }
    at += 3;
  }
}
