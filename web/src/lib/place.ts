// The game that a page turned out to show, where its address does not name it: the navigation follows.
import { createSignal } from "solid-js";

export const [gameShown, setGameShown] = createSignal("");
