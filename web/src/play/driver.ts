// What acts by itself at a pace: an action that is held or repeated, or a player who was handed the
// game. One at a time; it ends when the action is no longer legal or the episode is over.
import { createSignal, onCleanup } from "solid-js";
import type { Player } from "./players";
import type { Session } from "./session";

export type Driving = { kind: "repeat"; move: number[] } | { kind: "player"; player: Player };

/** Decisions per second that players are offered; 0 is as fast as it goes. */
export const paces = [1, 2, 4, 8, 16, 32, 0] as const;

export function createDriver(session: Session, rate: () => number, pace: () => number) {
  const [driving, setDriving] = createSignal<Driving | null>(null);
  let timer = 0;

  function stop(): void {
    clearTimeout(timer);
    setDriving(null);
  }

  /** One decision, or as many as fit between two pictures; false when it cannot go on. */
  function decide(now: Driving, hurry: boolean): Promise<boolean> {
    if (now.kind === "repeat") return session.act(now.move, "");
    const ask = async () => {
      const advice = await now.player.advise(session.plan());
      // stopped while it thought
      return driving() === now ? (advice?.move ?? null) : null;
    };
    return session.acts(ask, now.player.choice.short, hurry ? 30 : 0);
  }

  async function turn(now: Driving): Promise<void> {
    const started = performance.now();
    const each = now.kind === "repeat" ? rate() : pace();
    const went = await decide(now, each === 0);
    if (driving() !== now) return;
    if (!went) return stop();
    const wait = each === 0 ? 16 : 1000 / each - (performance.now() - started);
    timer = window.setTimeout(() => void turn(now), Math.max(0, wait));
  }

  function start(next: Driving): void {
    clearTimeout(timer);
    setDriving(next);
    void turn(next);
  }

  onCleanup(stop);
  return { driving, start, stop };
}

export type Driver = ReturnType<typeof createDriver>;
