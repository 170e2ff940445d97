// Who sits where and decides: persons at this page, bots and models. What persons chose waits until every
// person who chooses next has chosen, or until the clock ticks; who has not chosen by then takes the first
// legal option.
import { createMemo, createSignal } from "solid-js";
import { firstLegal } from "../lib/game";
import { recall, remember } from "../lib/store";
import type { Choices } from "./agent";
import { Player, type Choice } from "./players";
import type { Session } from "./session";
import { person, type Facts } from "./table";

const nameOfSeats = (facts: Facts): string => `play.seats.${facts.path}`;

/** Keys of who sits at each seat, as the page remembers them; one at least is a person. */
export function holdersOf(facts: Facts): string[] {
  const { seats, bots, strongest } = facts;
  const other = bots.length ? `bot:${strongest || bots[0]!.name}` : person;
  const usual = Array.from({ length: seats }, (_, seat) => (seat === 0 ? person : other));
  const before = recall<string[]>(nameOfSeats(facts), usual);
  return before.length === seats && before.includes(person) ? before : usual;
}

/** Seats the opponent that a link names (`against=bot:ace`, `model:NAME`), if it does, beside a person. */
export function seatAsked(facts: Facts): void {
  const asked = new URLSearchParams(location.search).get("against") ?? "";
  if (facts.seats > 1 && /^(bot|model):[A-Za-z0-9._:-]{1,160}$/.test(asked)) remember(nameOfSeats(facts), Array.from({ length: facts.seats }, (_, seat) => (seat === 0 ? person : asked)));
}

/** The usual ones sit down next time. */
export const forgetHolders = (facts: Facts): void => remember(nameOfSeats(facts), []);

function createHolders(session: Session) {
  const [holders, setHolders] = createSignal(holdersOf(session.facts));
  /** Where the last person would leave, another seat becomes theirs. Who cannot play leaves all as it was. */
  const seat = async (at: number, key: string): Promise<void> => {
    const before = holders();
    const next = before.with(at, key);
    const free = next.findIndex((_, place) => place !== at && !session.table.drives(place));
    if (!next.includes(person)) next[free < 0 ? at : free] = person;
    setHolders(next);
    try {
      await session.sit(next);
      remember(nameOfSeats(session.facts), next);
    } catch (cause) {
      setHolders(before);
      session.setTrouble(cause instanceof Error ? cause.message : String(cause));
    }
  };
  return { holders, seat };
}

/** What a seat is told to choose, by its number; null where nobody knows yet. */
export type Answers = (seat: number) => Promise<number[] | null>;

export function createSeats(session: Session, { list, told }: Choices, stance: (seat: number) => number[] | null) {
  const { facts, table } = session;
  const { holders, seat: sit } = createHolders(session);
  const blank = () => Array.from({ length: facts.seats }, (): number[] | null => null);
  const [chosen, setChosen] = createSignal(blank());
  const [asked, ask] = createSignal<number | null>(null);
  const players = new Map<string, Promise<Player>>();

  const isPerson = (seat: number): boolean => holders()[seat] === person && !table.drives(seat);
  const persons = createMemo(() => (session.choosing(), holders().flatMap((_, seat) => (isPerson(seat) ? [seat] : []))));
  /** persons who choose next, and those of them who have not chosen yet */
  const deciding = () => session.choosing().filter(isPerson);
  const open = () => deciding().filter((seat) => !chosen()[seat]);
  /** the person who is asked, and whose sight is shown */
  const seat = createMemo<number>((last) => {
    const [free, wish] = [open(), asked()];
    if (wish !== null && deciding().includes(wish)) return wish;
    return free[0] ?? (persons().includes(last) ? last : (persons()[0] ?? 0));
  }, 0);

  const choiceOf = (at: number): Choice | undefined => list()?.all.find((one) => one.key === holders()[at]);
  /** As the one person says it who plays here, if there is only one. */
  const nameOf = (at: number): string => {
    if (facts.seats > 1 && persons().length !== 1) return `Player ${at + 1}`;
    if (facts.seats === 1 || isPerson(at)) return "You";
    return facts.seats === 2 ? "Opponent" : `Player ${at + 1}`;
  };
  /** A story with these names. */
  const inWords = (story: string): string =>
    story.replace(/Player (\d+)(:| won| has won)/g, (all, number, deed) => {
      const name = nameOf(Number(number) - 1);
      if (deed === ":") return `${name}:`;
      return name === "You" ? `you${deed.replace("has", "have")}` : name === "Opponent" ? `the opponent${deed}` : all;
    });

  /** What the bot or model of a seat does now. */
  async function answer(at: number): Promise<number[] | null> {
    const choice = (await told).all.find((one) => one.key === holders()[at]);
    if (!choice) throw new Error(`Nobody is here to play seat ${at + 1}: choose another player for it`);
    const key = `${at} ${choice.key}`;
    if (!players.has(key)) players.set(key, Player.open(facts, choice, at));
    try {
      return (await (await players.get(key)!).advise(session.plan(), at))?.move ?? null;
    } catch (cause) {
      players.delete(key);
      throw new Error(`${choice.title} cannot play here: ${cause instanceof Error ? cause.message : String(cause)}`);
    }
  }

  /** One decision of all seats: persons by `answers`, others by who sits there; null when one is missing. */
  async function gather(answers: Answers): Promise<number[] | null> {
    const { length } = facts.heads;
    const joint = new Array<number>(facts.seats * length).fill(0);
    for (const at of table.choosing()) {
      const move = isPerson(at) ? await answers(at) : await answer(at);
      if (!move) return null;
      joint.splice(at * length, length, ...move);
    }
    return joint;
  }

  return {
    holders,
    sit,
    persons,
    deciding,
    open,
    seat,
    /** asks this person next, where several choose at once */
    ask,
    chosen,
    nameOf,
    inWords,
    choiceOf,
    choose: (at: number, move: number[]) => (setChosen(chosen().with(at, move)), ask(null)),
    /** before the next decision; on the clock who is asked stays so */
    clear: (stays = false) => (setChosen(blank()), stays || ask(null)),
    gather,
    /** what persons chose */
    byChoice: (async (at) => chosen()[at] ?? null) satisfies Answers,
    /** the same; for those who have not, what stands on the board, or the first legal option */
    byClock: (async (at) => chosen()[at] ?? stance(at) ?? firstLegal(facts.heads, table.legal(at))) satisfies Answers,
  };
}

export type Seats = ReturnType<typeof createSeats>;
