// What acts by itself at a pace: an action that is held or repeated, a player who was handed the game, or
// the clock. One at a time; it ends when an action is no longer legal or the episode is over.
import { createSignal, onCleanup } from "solid-js";
import type { Advising } from "./players";
import type { Seats } from "./seats";
import type { Session } from "./session";

export type Acting = { kind: "repeat"; seat: number; move: number[] } | { kind: "player"; player: Advising } | { kind: "clock" };

/** Decisions per second that players are offered; 0 is as fast as it goes. */
export const paces = [1, 2, 4, 8, 16, 32, 0] as const;
/** Ticks of the clock per second; 0 is no clock. */
const ticks = [0, 0.5, 1, 1.5, 2, 3, 5, 10];
/** The same with that of a game whose ticks have so many seconds; 0: it has no clock of its own. */
export const ticksOf = (seconds: number): number[] => (seconds ? [...ticks, 1 / seconds].sort((a, b) => a - b) : ticks);

export interface Rates {
  /** of repetitions, of players, and of the clock, per second */
  repeat: () => number;
  player: () => number;
  clock: () => number;
}

export function createAutoplay(session: Session, seats: Seats, rates: Rates) {
  const [acting, setActing] = createSignal<Acting | null>(null);
  let timer = 0;

  function stop(): void {
    clearTimeout(timer);
    setActing(null);
  }

  /** What persons' seats do, asked of who acts; nothing once that was stopped. */
  const asked = (now: Acting) => async (seat: number) => {
    if (now.kind === "clock") return seats.byClock(seat);
    if (now.kind === "repeat") return seat === now.seat ? now.move : seats.byChoice(seat);
    const advice = await now.player.advise(session.plan(), seat).catch(() => null);
    return acting() === now ? (advice?.move ?? null) : null;
  };

  /** One decision, or as many as fit between two pictures; false when it cannot go on. */
  async function decide(now: Acting, hurry: boolean): Promise<boolean> {
    // who reads how to play is not played on
    if (now.kind === "clock" && document.querySelector("dialog[open]")) return true;
    const next = async () => {
      const move = await seats.gather(asked(now));
      return acting() === now ? move : null;
    };
    const went = await session.acts(next, now.kind === "player" ? now.player.choice.short : "", hurry ? 30 : 0);
    seats.clear(now.kind === "clock");
    return went;
  }

  async function turn(now: Acting): Promise<void> {
    const started = performance.now();
    const each = rates[now.kind]();
    const went = await decide(now, each === 0);
    if (acting() !== now) return;
    if (!went) return stop();
    wait(now, each === 0 ? 16 : 1000 / each - (performance.now() - started));
  }

  const wait = (now: Acting, ms: number): void => void (timer = window.setTimeout(() => void turn(now), Math.max(0, ms)));

  function start(next: Acting): void {
    clearTimeout(timer);
    setActing(next);
    if (next.kind === "clock") wait(next, 1000 / rates.clock());
    else void turn(next);
  }

  onCleanup(stop);
  return { acting, start, stop };
}

export type Autoplay = ReturnType<typeof createAutoplay>;
