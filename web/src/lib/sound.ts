// Whether sound is on: off until the visitor switches it on, and remembered. The part that makes
// sounds is fetched when the first one is to be heard.
import type { Manifest } from "../view";
import { kept } from "./store";

export const [soundOn, setSoundOn] = kept("sound", false);

/** The `sound` of a view's host. */
export const player = (effects: Manifest) => (cue: string) => {
  if (soundOn()) void import("../sound").then(({ playCue }) => playCue(cue, effects.cues));
};
