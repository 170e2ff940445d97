// The panel that a view may bring to stand beside an episode: what it is compared with.
import { createEffect, createSignal, onCleanup, onMount, Show, type Accessor } from "solid-js";
import { runTool } from "../lib/tools";
import type { BesideHost, BesideInstance, Episode, Frame, GameView } from "../view";

interface BesideProps {
  view: GameView;
  /** the game's folder */
  game: string;
  episode: Episode;
  frame: Accessor<Frame>;
  /** play only */
  suggest?: ((move: number[]) => void) | undefined;
}

export function Beside(props: BesideProps) {
  let box!: HTMLElement;
  const [broken, setBroken] = createSignal(false);
  onMount(() => {
    let panel: BesideInstance | undefined;
    const guard = (act: () => void) => {
      try {
        act();
      } catch {
        setBroken(true);
      }
    };
    guard(() => {
      const host: BesideHost = {
        element: box,
        tool: (call, told) => runTool(props.game, call, told),
        get suggest() {
          return props.suggest; // the board may come later
        },
      };
      panel = props.view.beside?.(host, props.episode);
    });
    createEffect(() => {
      const frame = props.frame();
      guard(() => panel?.show(frame));
    });
    onCleanup(() => guard(() => panel?.destroy()));
  });
  return (
    <section class="card beside" ref={box} aria-label={props.view.advises ? "Advice" : "Compared with"}>
      <Show when={broken()}>
        <p class="muted">{props.view.advises ? "The advice" : "The comparison"} cannot be shown.</p>
      </Show>
    </section>
  );
}
