// Whether sounds are heard: off until the visitor switches them on, and that is remembered.
import { playCue } from "../sound";
import type { Manifest } from "../view";
import { kept } from "./store";

export const [soundOn, setSoundOn] = kept("sound", false);

/** The `sound` of a view's host. */
export const player = (effects: Manifest) => (cue: string) => {
  if (soundOn()) playCue(cue, effects.cues);
};
