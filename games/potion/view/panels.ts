// The panels around the cauldron: ratio with its marks, what would come out, the slots, the shelf.
import { round, text } from "ludus/canvas";
import { amounts, badge, between, clamp, fade, glyph, gold, panel, percent, stars, type Rect, type Sheet } from "./pen";
import { classes, fits, limits, sharesOf, shelfOf, traitOf, wantedOf } from "./rules";
import { gradeName, ingredientOf, magimins, senses } from "./tables";

/** A bar per magimin: its share of the mix, and a mark where the recipe wants it. */
export function drawRatio(sheet: Sheet, rect: Rect): void {
  const { ctx, paint, state } = sheet;
  const box = panel(sheet, rect, "Ratio: ▾ marks what is wanted");
  const wanted = wantedOf(state);
  const shares = magimins.map((_, k) => between(sheet, (one) => sharesOf(one)[k] ?? 0));
  const top = 1; // the same scale for every mix, so that marks stand still
  const step = box.h / magimins.length;
  const words = box.w < 300 ? 78 : 108;
  const x = box.x + 26;
  const w = box.w - 26 - words;
  magimins.forEach((magimin, k) => {
    const y = box.y + step * (k + 0.5);
    const want = wanted[k]!;
    const bar = clamp(step * 0.5, 10, 18);
    const wrong = want === 0 && shares[k]! > 0;
    badge(sheet, k, box.x + 9, y, 9);
    round(ctx, x, y - bar / 2, w, bar, bar / 2);
    ctx.fillStyle = paint.raised;
    ctx.fill();
    if (shares[k]! > 0) {
      round(ctx, x, y - bar / 2, Math.max(bar, (w * shares[k]!) / top), bar, bar / 2);
      ctx.fillStyle = magimin.color;
      ctx.fill();
    }
    if (want > 0) {
      const at = x + (w * want) / top;
      ctx.fillStyle = paint.ink;
      ctx.fillRect(at - 1.5, y - bar / 2 - 4, 3, bar + 8);
      ctx.beginPath();
      ctx.moveTo(at - 5, y - bar / 2 - 7);
      ctx.lineTo(at + 5, y - bar / 2 - 7);
      ctx.lineTo(at, y - bar / 2 - 1);
      ctx.fill();
    }
    const right = box.x + box.w;
    const share = percent(shares[k]!, 1);
    const dim = want === 0 && !wrong;
    text(ctx, want > 0 || wrong ? (words > 80 ? `${share} of ${percent(want, 0)}` : share) : "not wanted", right, y, {
      size: 12,
      weight: wrong ? 700 : 500,
      color: wrong ? paint.bad : dim ? paint.dim : paint.ink,
      align: "right",
      room: words - 6,
    });
  });
}

/** Where the mix stands between perfect and no potion; each class is a fifth of the scale. An empty cauldron
 * stands nowhere; where names have no room, the one that holds is told alone. */
function drawStability(sheet: Sheet, x: number, y: number, w: number): void {
  const { ctx, paint, state } = sheet;
  const colors = [paint.gold, paint.good, paint.accent, paint.warn, paint.bad];
  const now = state.total === 0 ? -1 : Math.max(0, classes.indexOf(state.stability));
  const each = w / classes.length;
  const narrow = each < 62;
  classes.forEach((name, k) => {
    round(ctx, x + k * each + 1, y, each - 2, 9, 4);
    ctx.fillStyle = fade(colors[k]!, k === now ? 1 : 0.28);
    ctx.fill();
    if (narrow && k !== now) return;
    const align = !narrow || (k > 0 && k < 4) ? "center" : k ? "right" : "left";
    text(ctx, k === 4 ? "none" : name, x + (k + { left: 0, center: 0.5, right: 1 }[align]) * each, y + 20, { size: 12, weight: k === now ? 700 : 400, color: k === now ? paint.ink : paint.dim, align, ...(narrow ? {} : { room: each - 2 }) });
  });
  if (now < 0) return;
  const part = clamp((1 - state.accuracy - limits[now]!) / (limits[now + 1]! - limits[now]!), 0.04, 0.96);
  const at = x + (now + part) * each;
  ctx.fillStyle = paint.ink;
  ctx.beginPath();
  ctx.moveTo(at - 6, y - 8);
  ctx.lineTo(at + 6, y - 8);
  ctx.lineTo(at, y + 2);
  ctx.fill();
}

function figure({ ctx, paint }: Sheet, name: string, value: string, x: number, y: number, room: number, color = paint.ink): void {
  text(ctx, name, x, y, { size: 11, color: paint.dim, room });
  text(ctx, value, x, y + 17, { size: room < 78 ? 13 : 15, weight: 700, color, room });
}

/** The five senses with their signs. */
function drawTraits(sheet: Sheet, x: number, y: number, w: number): void {
  const { ctx, paint, state } = sheet;
  const each = w / senses.length;
  senses.forEach((sense, k) => {
    const sign = traitOf(state, k);
    const color = sign === "+" ? paint.good : sign === "-" ? paint.bad : sign === "?" ? paint.warn : paint.dim;
    round(ctx, x + k * each + 1, y, each - 4, 22, 7);
    ctx.fillStyle = sign ? fade(color, 0.18) : fade(paint.raised, 0.6);
    ctx.fill();
    text(ctx, `${sense}${sign ? ` ${sign.replace("-", "−")}` : ""}`, x + (k + 0.5) * each - 1, y + 11, { size: each < 58 ? 10 : 11, weight: sign ? 700 : 400, color, align: "center", room: each - 5 });
  });
}

/** What would come out now; at the end, what came out. */
export function drawVerdict(sheet: Sheet, rect: Rect): void {
  const { ctx, paint, state } = sheet;
  const box = panel(sheet, rect, state.end ? "What came out" : "Finished now, it would give");
  drawStability(sheet, box.x, box.y + 10, box.w);
  const y = box.y + 62;
  if (state.brewed > 0) {
    const wide = text(ctx, `${state.brewed} × ${gradeName(state.expected_grade)}`, box.x, y, { size: 18, weight: 800, color: paint.ink, room: box.w - 90 });
    stars(sheet, state.expected_grade, box.x + wide + 10, y, 6);
  } else {
    text(ctx, state.added.length < 2 ? `No potion${state.end ? "" : " yet"}: it takes two items` : "No potion: too much in the wrong place", box.x, y, { size: 15, weight: 700, color: state.added.length < 2 ? paint.dim : paint.bad, room: box.w });
  }
  const each = box.w / 4;
  const profit = between(sheet, (one) => one.profit);
  figure(sheet, "accuracy", percent(between(sheet, (one) => one.accuracy), each < 96 ? 1 : 2), box.x, y + 28, each - 6);
  figure(sheet, "sells for", state.brewed > 0 ? gold(state.price) : "–", box.x + each, y + 28, each - 6);
  figure(sheet, "cost", gold(between(sheet, (one) => one.cost)), box.x + 2 * each, y + 28, each - 6);
  figure(sheet, "profit", gold(profit), box.x + 3 * each, y + 28, each - 6, profit < 0 ? paint.bad : profit > 0 ? paint.good : paint.ink);
  if (box.y + box.h >= y + 78) drawTraits(sheet, box.x, y + 60, box.w);
}

/** The slots, each with what went in, in its order. */
export function drawSlots(sheet: Sheet, rect: Rect): void {
  const { ctx, paint, state, t } = sheet;
  const box = panel(sheet, rect, `Slots: ${state.added.length} of ${state.max_items} taken`);
  const columns = state.max_items > 7 || box.w > 420 ? 2 : 1;
  const rows = Math.ceil(state.max_items / columns);
  const step = Math.min(box.h / rows, 46);
  const each = box.w / columns;
  for (let k = 0; k < state.max_items; k++) {
    const x = box.x + Math.floor(k / rows) * each;
    const y = box.y + (k % rows) * step;
    const newest = k === state.added.length - 1 && sheet.frame.events.includes("added");
    const piece = newest && t < 0.5 ? undefined : ingredientOf(state.added[k] ?? 0);
    round(ctx, x, y + 1.5, each - 6, step - 3, 7);
    if (piece) {
      ctx.fillStyle = newest ? fade(paint.accent, 0.2) : fade(paint.raised, 0.75);
      ctx.fill();
      glyph(sheet, piece, x + 16, y + step / 2, Math.min(22, step * 0.7));
      text(ctx, piece.name, x + 32, y + step / 2 - 6, { size: 12, weight: 600, color: paint.ink, room: each - 42 });
      amounts(sheet, piece.amounts, x + 32, y + step / 2 + 8, each - 42, 10);
    } else {
      ctx.setLineDash([4, 4]);
      ctx.strokeStyle = paint.line;
      ctx.lineWidth = 1;
      ctx.stroke();
      ctx.setLineDash([]);
      text(ctx, `${k + 1}`, x + 16, y + step / 2, { size: 11, color: paint.dim, align: "center" });
    }
  }
}

/** What suits the recipe and was there at the reset; while a person plays, a click adds a piece. */
export function drawShelf(sheet: Sheet, rect: Rect): void {
  const { ctx, paint, state, legal, hover } = sheet;
  const box = panel(sheet, rect, legal ? "Shelf: what suits the recipe · click adds one" : "Shelf: what suits the recipe");
  const columns = Math.max(2, Math.floor(box.w / 168));
  const rows = Math.max(1, Math.floor((box.h + 4) / 44));
  const each = box.w / columns;
  const step = box.h / rows;
  const shown = shelfOf(state).slice(0, rows * columns - (legal ? 1 : 0));
  shown.forEach((piece, k) => {
    const tile: Rect = { x: box.x + (k % columns) * each, y: box.y + Math.floor(k / columns) * step, w: each - 6, h: step - 5 };
    const left = state.stock[piece.action] ?? 0;
    const able = legal ? legal(piece.action) : fits(state, piece);
    const chosen = sheet.frame.action?.[0] === piece.action && sheet.frame.events.includes("added");
    face(sheet, tile, chosen, hover === piece.action && able);
    ctx.globalAlpha = able || chosen || state.end ? 1 : 0.42;
    glyph(sheet, piece, tile.x + 20, tile.y + tile.h / 2, 26);
    text(ctx, piece.name, tile.x + 38, tile.y + tile.h / 2 - 8, { size: 12, weight: 600, color: paint.ink, room: tile.w - 44 });
    amounts(sheet, piece.amounts, tile.x + 38, tile.y + tile.h / 2 + 9, tile.w - 70, 11);
    text(ctx, `×${left}`, tile.x + tile.w - 8, tile.y + tile.h / 2 + 9, { size: 12, weight: 700, color: left ? paint.ink : paint.dim, align: "right" });
    ctx.globalAlpha = 1;
    if (able && legal) sheet.hits.push({ rect: tile, option: piece.action });
  });
  if (!legal || state.end) return;
  const tile: Rect = { x: box.x + (columns - 1) * each, y: box.y + (rows - 1) * step, w: each - 6, h: step - 5 };
  round(ctx, tile.x, tile.y, tile.w, tile.h, 8);
  ctx.fillStyle = fade(paint.accent, hover === 0 ? 0.4 : 0.22);
  ctx.fill();
  text(ctx, "Finish the brew", tile.x + tile.w / 2, tile.y + tile.h / 2, { size: 13, weight: 700, color: paint.ink, align: "center", room: tile.w - 12 });
  if (legal(0)) sheet.hits.push({ rect: tile, option: 0 });
}

function face({ ctx, paint }: Sheet, tile: Rect, chosen: boolean, over: boolean): void {
  round(ctx, tile.x + 0.5, tile.y + 0.5, tile.w - 1, tile.h - 1, 8);
  ctx.fillStyle = chosen ? fade(paint.accent, 0.22) : over ? paint.raised : fade(paint.raised, 0.5);
  ctx.fill();
  ctx.strokeStyle = chosen || over ? paint.accent : paint.line;
  ctx.lineWidth = chosen ? 2 : 1;
  ctx.stroke();
}
