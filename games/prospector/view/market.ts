// The market: prices now and before, what the hold would fetch, slippage.
import { round, text } from "ludus/canvas";
import { fade, panel, type Rect } from "./pen";
import { cargoValue, first, goods, percent, slippage, sum, units, whole } from "./rules";
import { allowed, face, type Sheet } from "./sheet";
import { actions } from "./words";

/** At most `count` means of neighbours, the newest point as it is. */
function thin<T extends { tick: number; price: number }>(points: T[], count: number): { tick: number; price: number }[] {
  const share = Math.ceil(points.length / Math.max(1, count));
  const result: { tick: number; price: number }[] = [];
  for (let end = points.length - 1; end > 0; end -= share) {
    const part = points.slice(Math.max(0, end - share), end);
    result.push({ tick: part[0]?.tick ?? 0, price: sum(part.map((point) => point.price)) / part.length });
  }
  return [...result.reverse(), ...points.slice(-1)];
}

function spark(sheet: Sheet, good: number, rect: Rect): void {
  const { ctx, paint, frame, memory } = sheet;
  const points = thin(memory.prices(frame.index, good, 300), rect.w / 3);
  const base = goods[good]?.base ?? 1;
  const color = paint.goods[good] ?? paint.ink;
  const prices = points.map((point) => point.price);
  const lowest = Math.min(base * 0.85, ...prices);
  const highest = Math.max(base * 1.15, ...prices);
  const now = points.at(-1)?.tick ?? 0;
  const start = Math.min(points[0]?.tick ?? 0, now - 60);
  const px = (tick: number): number => rect.x + ((tick - start) / Math.max(1, now - start)) * (rect.w - 3);
  const py = (price: number): number => rect.y + rect.h - ((price - lowest) / (highest - lowest)) * rect.h;
  ctx.strokeStyle = paint.line;
  ctx.lineWidth = 1;
  ctx.setLineDash([3, 3]);
  ctx.beginPath();
  ctx.moveTo(rect.x, py(base));
  ctx.lineTo(rect.x + rect.w, py(base));
  ctx.stroke();
  ctx.setLineDash([]);
  if (!points.length) return;
  ctx.beginPath();
  for (const point of points) ctx.lineTo(px(point.tick), py(point.price));
  ctx.strokeStyle = color;
  ctx.lineWidth = 1.6;
  ctx.lineJoin = "round";
  ctx.stroke();
  ctx.lineTo(px(now), rect.y + rect.h);
  ctx.lineTo(px(points[0]?.tick ?? now), rect.y + rect.h);
  ctx.fillStyle = fade(color, 0.14);
  ctx.fill();
  ctx.fillStyle = color;
  ctx.beginPath();
  ctx.arc(px(now), py(points.at(-1)?.price ?? base), 2.6, 0, 7);
  ctx.fill();
}

function drawGood(sheet: Sheet, c: number, rect: Rect): void {
  const { ctx, paint, state, frame, memory } = sheet;
  const good = goods[c];
  if (!good) return;
  const color = paint.goods[c] ?? paint.ink;
  const amount = state.cargo[c] ?? 0;
  const shown = state.price[c] ?? 0;
  const change = state.price_change[c] ?? 0;
  const known = memory.price(frame.index, c);
  const price = known ?? shown;
  const slip = slippage(amount, state.stock[c] ?? null);
  const y1 = rect.y + rect.h * 0.3;
  const y2 = rect.y + rect.h * 0.72;
  round(ctx, rect.x, rect.y + rect.h / 2 - 12, 24, 24, 6);
  ctx.fillStyle = fade(color, 0.2);
  ctx.fill();
  text(ctx, good.sign, rect.x + 12, rect.y + rect.h / 2, { size: 12, weight: 700, color, align: "center" });
  const label = 74;
  text(ctx, good.short, rect.x + 31, y1, { size: 13, weight: 600, color: paint.ink, room: label });
  const buttons = sheet.legal !== null && state.node === 0 && amount > 0;
  const loss = slip === null ? "slip ?" : `slip ${percent(slip)}`;
  text(ctx, buttons ? `${units(amount)}, ${loss}` : amount ? `hold ${units(amount)}` : "none", rect.x + 31, y2, { size: 11, weight: amount ? 600 : 400, color: amount ? color : paint.dim, room: label });
  const right = rect.x + rect.w;
  const arrow = change > 0.05 ? "▲" : change < -0.05 ? "▼" : "";
  const tone = change > 0 ? paint.good : paint.bad;
  const side = 92;
  const used = text(ctx, known === null ? `${whole(shown)}+` : price.toFixed(1), right, y1, { size: 14, weight: 700, color: paint.ink, align: "right" });
  if (arrow) text(ctx, `${arrow}${Math.abs(change).toFixed(1)}`, right - used - 6, y1, { size: 10, weight: 600, color: tone, align: "right" });
  const options = [0, 1, 2].map((k) => first.sell + 3 * c + k);
  if (buttons) sellButtons(sheet, options, { x: right - side, y: y2 - 9, w: side, h: 18 });
  else {
    const words = amount ? `${slip === null ? "≈" : ""}${whole(amount * price * (1 - (slip ?? 0)))} cr · ${loss}` : stockWords(state.stock[c] ?? null);
    text(ctx, words, right, y2, { size: 11, color: paint.dim, align: "right", room: side + 20 });
  }
  const x = rect.x + 31 + label + 4;
  spark(sheet, c, { x, y: rect.y + 7, w: right - side - 14 - x, h: rect.h - 14 });
  sheet.hits.push({
    rect,
    option: -1,
    tip: [
      `${good.name}: ${known === null ? `above ${whole(shown)}` : price.toFixed(1)} credits a unit, base ${good.base}`,
      slip === null ? "The station does not publish this stock." : `Stock ${whole(state.stock[c] ?? 0)}; selling all ${units(amount)} loses ${percent(slip)} of the price.`,
    ],
  });
}

const stockWords = (stock: number | null): string => (stock === null ? "stock not shown" : `stock ${whole(stock)}`);

function sellButtons(sheet: Sheet, options: number[], rect: Rect): void {
  const w = (rect.w - 6) / 3;
  options.forEach((option, k) => {
    const cell = { x: rect.x + k * (w + 3), y: rect.y, w, h: rect.h };
    const can = allowed(sheet, option);
    face(sheet, cell, can ? option : -1, false);
    text(sheet.ctx, ["¼", "½", "all"][k] ?? "", cell.x + w / 2, cell.y + rect.h / 2, { size: 11, weight: 600, color: sheet.paint.ink, align: "center" });
    sheet.hits.push({ rect: cell, option: can ? option : -1, tip: [actions[option]?.label ?? "", actions[option]?.hint ?? ""] });
  });
}

export function drawMarket(sheet: Sheet, rect: Rect): void {
  const { ctx, paint, state } = sheet;
  const worth = cargoValue(state);
  panel(ctx, rect, paint, "Market", worth > 0 ? `cargo worth ${whole(worth)} credits` : "price now and before, slippage");
  const step = (rect.h - 34) / goods.length;
  goods.forEach((_, c) => {
    const row = { x: rect.x + 12, y: rect.y + 28 + c * step, w: rect.w - 24, h: step };
    if (c) {
      ctx.fillStyle = fade(paint.line, 0.7);
      ctx.fillRect(row.x, row.y, row.w, 1);
    }
    drawGood(sheet, c, row);
  });
}
