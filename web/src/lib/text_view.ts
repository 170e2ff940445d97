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
        const size = Math.min(element.clientWidth / columns / 0.62, element.clientHeight / (lines.length + 1) / 1.35);
        board.style.fontSize = `${Math.max(9, Math.min(22, size))}px`;
      };
      return {
        show(frame) {
          board.textContent = frame.board;
          fit();
        },
        resize: fit,
        theme() {},
        destroy: () => board.remove(),
      };
    },
  };
}
