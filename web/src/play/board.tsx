// The game's own view, mounted large, and numbers as a list.
import { createEffect, For, on, onCleanup, onMount } from "solid-js";
import { number, words } from "../lib/format";
import { bringToSight } from "../lib/sight";
import { player } from "../lib/sound";
import { fontsCame, reduced, theme } from "../lib/theme";
import { runTool } from "../lib/tools";
import type { Frame, GameView, ViewInstance } from "../view";
import type { Session } from "./session";

interface BoardProps {
  session: Session;
  view: GameView;
  choose: (move: number[]) => void;
  speed: () => number;
  /** for controls that the board brings */
  controls: HTMLElement;
  /** told when the view is mounted, anew when motion is switched */
  ready: (instance: ViewInstance) => void;
}

export function Board(props: BoardProps) {
  let box!: HTMLDivElement;
  let shown: Frame | null = null;
  let instance: ViewInstance | null = null;

  function mount(): void {
    instance?.destroy();
    box.replaceChildren();
    props.controls.replaceChildren();
    shown = null;
    instance = props.view.mount({
      element: box,
      reduced: reduced(),
      theme: theme(),
      sound: player(props.view.effects),
      choose: (move) => props.choose(move),
      legal: (seat) => (seat === undefined ? props.session.legal() : props.session.table.legal(seat)),
      asked: () => props.session.asked,
      can: (move) => props.session.can(move),
      controls: props.controls,
      why: (head, option) => props.session.reason(option, head),
      ...(props.session.table.where === "page" ? { tool: (call, told) => runTool(props.session.facts.name, call, told) } : {}),
    });
    props.ready(instance);
    show(props.session.frame());
  }

  /** the first decision begins one as well: the head of the page has done its work */
  const phase = (frame: Frame): string => `${frame.index > 0} ${props.view.phase?.(frame) ?? ""}`;

  function show(frame: Frame | null): void {
    if (!frame || !instance) return;
    const next = shown && frame.index === shown.index + 1 && frame.seed === shown.seed && frame.seat === shown.seat;
    if (shown && phase(frame) !== phase(shown)) bringToSight(box);
    instance.show(frame, { before: next ? shown : null, animate: Boolean(next) && !reduced(), speed: props.speed() });
    shown = frame;
  }

  onMount(() => {
    mount();
    const watcher = new ResizeObserver(() => instance?.resize());
    watcher.observe(box);
    onCleanup(() => {
      watcher.disconnect();
      instance?.destroy();
    });
    createEffect(on(props.session.frame, show, { defer: true }));
    createEffect(on([theme, fontsCame], ([now]) => instance?.theme(now), { defer: true }));
    createEffect(on(reduced, mount, { defer: true }));
  });

  return <div class="play-board" classList={{ "p-text": props.view.actions.length === 0 }} ref={box} role="group" aria-label={`Board of ${props.session.facts.title}`} />;
}

/** Numbers by name. */
export function Figures(props: { info: Record<string, any> }) {
  const shown = () => Object.entries(props.info).filter(([, value]) => value !== null && value !== "");
  return (
    <dl class="p-figures">
      <For each={shown()}>
        {([name, value]) => (
          <div>
            <dt>{words(name)}</dt>
            <dd>{typeof value === "number" ? number(value) : words(String(value))}</dd>
          </div>
        )}
      </For>
    </dl>
  );
}
