// Pieces as short texts for addresses and for what the browser remembers. Whatever is read may come
// from a stranger's link: what is not understood is left out.
import { ingredients } from "../view/tables";
import type { Pieces } from "./rules";
import { entriesOf } from "./rules";

export const mostOwned = 255;
export const mostInside = 14;
/** Ingredients that stay out; more would not fit into an address (servers take 2048 bytes). */
export const mostForbidden = 100;
export const mostText = 30;

/** Few pieces, readable: "102x4.7" is four of 102 and one of 7. */
export const piecesText = (pieces: Pieces): string => entriesOf(pieces).map(([action, count]) => (count === 1 ? `${action}` : `${action}x${count}`)).join(".");

/** Reads them back; never more than `most` pieces together. */
export function readPieces(text: string, most = mostInside): Record<number, number> {
  const pieces: Record<number, number> = {};
  let room = most;
  for (const part of text.slice(0, 4000).split(".")) {
    const [, action, count = "1"] = /^(\d{1,3})(?:x(\d{1,3}))?$/.exec(part) ?? [];
    if (!action || Number(action) < 1 || Number(action) > ingredients.length) continue;
    const taken = Math.min(room, Number(count));
    if (taken > 0) pieces[Number(action)] = (pieces[Number(action)] ?? 0) + taken;
    room -= taken;
  }
  return pieces;
}

const version = "1";

/** A whole stock: runs of equal numbers as pairs of bytes (length, pieces), in base64 for addresses. */
export function stockText(stock: Pieces): string {
  const bytes: number[] = [];
  for (const { action } of ingredients) {
    const count = Math.max(0, Math.min(mostOwned, stock[action] ?? 0));
    if (bytes.length && bytes.at(-1) === count && bytes.at(-2)! < 255) bytes[bytes.length - 2]!++;
    else bytes.push(1, count);
  }
  if (bytes.at(-1) === 0) bytes.splice(-2);
  return version + btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Reads a stock back; null when the text is none. */
export function readStock(text: string): Record<number, number> | null {
  if (text.length > 1000 || !/^1[\w-]*$/.test(text)) return null;
  let bytes: string;
  try {
    bytes = atob(text.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return null;
  }
  const stock: Record<number, number> = {};
  let at = 0;
  for (let k = 0; k + 1 < bytes.length; k += 2) {
    for (let run = bytes.charCodeAt(k); run > 0 && at < ingredients.length; run--) {
      const count = bytes.charCodeAt(k + 1);
      const { action } = ingredients[at++]!;
      if (count > 0) stock[action] = count;
    }
  }
  return stock;
}
