// Dragging by the mouse: a joker or hand card onto another of its kind. Fingers scroll instead; they have
// buttons.
import type { Place, Zone } from "./choice";

const least = 14; // pixels before a press is a drag

interface Found {
  place: Place;
  tile: HTMLElement;
}

function placeOf(target: EventTarget | null): Found | null {
  const tile = (target as Element | null)?.closest?.<HTMLElement>(".jk-tile");
  const [zone, index] = tile?.dataset["id"]?.split("-") ?? [];
  return tile && zone ? { place: { zone: zone as Zone, index: Number(index) }, tile } : null;
}

export function dragging(root: HTMLElement, drop: (from: Place, to: Place) => void): { busy(): boolean; destroy(): void } {
  let from: (Found & { x: number; y: number }) | null = null;
  let moved = false;
  const down = (event: PointerEvent): void => {
    moved = false;
    const found = event.button === 0 && event.pointerType !== "touch" ? placeOf(event.target) : null;
    from = found && (found.place.zone === "joker" || found.place.zone === "hand") ? { ...found, x: event.clientX, y: event.clientY } : null;
  };
  const over = (event: PointerEvent): void => {
    if (!from) return;
    const [x, y] = [event.clientX - from.x, event.clientY - from.y];
    if (!moved && Math.hypot(x, y) < least) return;
    moved = true;
    from.tile.classList.add("jk-dragged");
    from.tile.style.transform = `translate(${x}px, ${y}px)`;
  };
  const up = (event: PointerEvent): void => {
    const start = from;
    from = null;
    if (!start || !moved) return;
    start.tile.classList.remove("jk-dragged");
    start.tile.style.transform = "";
    const under = document.elementsFromPoint(event.clientX, event.clientY).map(placeOf).find((one) => one && one.tile !== start.tile);
    if (under && under.place.zone === start.place.zone) drop(start.place, under.place);
    setTimeout(() => (moved = false)); // the click that follows is part of the drag
  };
  const keep = (event: Event): void => event.preventDefault();
  root.addEventListener("pointerdown", down);
  root.addEventListener("dragstart", keep);
  addEventListener("pointermove", over);
  addEventListener("pointerup", up);
  return {
    busy: () => moved,
    destroy() {
      root.removeEventListener("pointerdown", down);
      root.removeEventListener("dragstart", keep);
      removeEventListener("pointermove", over);
      removeEventListener("pointerup", up);
    },
  };
}
