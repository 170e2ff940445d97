// Dark or light: as the system has it, or as the visitor chose.
import { createMemo, createRoot, createSignal } from "solid-js";
import type { Theme } from "../view";
import { kept } from "./store";

export type Choice = "system" | Theme;

const dark = matchMedia("(prefers-color-scheme: dark)");
const motion = matchMedia("(prefers-reduced-motion: reduce)");
const [system, setSystem] = createSignal<Theme>(dark.matches ? "dark" : "light");
const [still, setStill] = createSignal(motion.matches);
dark.addEventListener("change", () => setSystem(dark.matches ? "dark" : "light"));
motion.addEventListener("change", () => setStill(motion.matches));

export const [choice, choose] = kept<Choice>("theme", "system");
/** The document has it before any effect runs: what is drawn reads its colours from the style sheet. */
export const theme = createRoot(() =>
  createMemo((): Theme => {
    const chosen = choice();
    return (document.documentElement.dataset["theme"] = chosen === "dark" || chosen === "light" ? chosen : system());
  }),
);
const [fonts, setFonts] = createSignal(0);
document.fonts?.addEventListener("loadingdone", () => setFonts((count) => count + 1));

/** Counts fonts as they come: what is drawn on a canvas is drawn again then. */
export const fontsCame = fonts;

/** The visitor asked for less motion. */
export const reduced = still;
