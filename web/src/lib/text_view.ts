// The view of a game that brings none: its board as the terminal shows it, scaled to the box.
import type { GameView } from "../view";

export function textView(game: string): GameView {
  return {
    game,
    actions: [],
    howTo: [],
    gauges: () => [],
    effects: { actions: {}, events: {}, cues: {} },
    mount({ element }) {
      const board = document.createElement("pre");
      board.className = "text-board";
      element.append(board);
      const fit = () => {
        const lines = (board.textContent ?? "").split("\n");
        const columns = Math.max(40, ...lines.map((line) => line.length));
        const size = (element.clientWidth - 24) / columns / 0.62;
        board.style.fontSize = `${Math.max(6, Math.min(20, size))}px`;
      };
      return {
        show(frame) {
          board.textContent = frame.board || JSON.stringify(frame.state, null, 1);
          fit();
        },
        resize: fit,
        theme() {},
        destroy: () => board.remove(),
      };
    },
  };
}
