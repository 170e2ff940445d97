// On phones and tablets pages are one column: what something was done to may lie above or below the screen.
import { reduced } from "./theme";

const tabs = 56; // at the bottom of a phone

/** What a sheet of actions covers of the screen. */
function covered(): number {
  const sheet = document.querySelector(".play-actions");
  return sheet && getComputedStyle(sheet).position === "sticky" ? Math.max(0, innerHeight - tabs - sheet.getBoundingClientRect().top) : 0;
}

/** In one column, what is not wholly in sight comes to the top of the screen. */
export function bringToSight(element: Element | null | undefined): void {
  if (!matchMedia("(max-width: 899px)").matches) return;
  requestAnimationFrame(() => {
    if (!element?.isConnected) return;
    const { top, bottom } = element.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight - tabs - covered()) element.scrollIntoView({ block: "start", behavior: reduced() ? "auto" : "smooth" });
  });
}
