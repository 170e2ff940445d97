// The 69 actions in plain words, with groups, keys and hints, and how to play in seven cards.
import type { ActionInfo, Frame } from "ludus/view";
import { goods, type State } from "./rules";

const navigation = "Navigation";
const target = "Scan and target";
const mining = "Mining";
const survival = "Survival";
const trade = "Dock and trade";

type Row = [name: string, label: string, group: string, key: string, icon: string, hint: string];

const travel: Row[] = Array.from({ length: 6 }, (_, k) => [
  `travel ${k + 1}`,
  `Fly way ${k + 1}`,
  navigation,
  `${k + 1}`,
  "travel",
  `Fly along way ${k + 1} of the map; it takes its ticks and its fuel, more with a heavy hold.`,
]);

const select: Row[] = Array.from({ length: 16 }, (_, a) => [
  `select rock ${a + 1}`,
  `Aim at rock ${a + 1}`,
  target,
  a < 10 ? `Shift+${(a + 1) % 10}` : "",
  "target",
  `Make rock ${a + 1} the target of the scanner and the drill.`,
]);

// Shift with a row of the keyboard: sell all, half, a quarter of each good; the right hand drops
const byGood = ["qwerty", "asdfgh", "zxcvbn", "uiopjk"];
const shareRow: Record<number, number> = { 100: 0, 50: 1, 25: 2 };

const jettison: Row[] = goods.map((good, k) => [
  `jettison ${good.name.toLowerCase()}`,
  `Drop ${good.short.toLowerCase()}`,
  survival,
  `Shift+${byGood[3]![k]}`,
  "drop",
  `Throw all ${good.name.toLowerCase()} overboard; alert falls by 8.`,
]);

const sell: Row[] = goods.flatMap((good, k) =>
  [25, 50, 100].map(
    (share): Row => [
      `sell ${good.name.toLowerCase()} ${share}%`,
      `Sell ${good.short.toLowerCase()} ${share}%`,
      trade,
      `Shift+${byGood[shareRow[share]!]![k]}`,
      "coin",
      `Sell ${share === 100 ? "all" : share === 50 ? "half of" : "a quarter of"} the ${good.name.toLowerCase()}; large lots press the price.`,
    ],
  ),
);

const rows: Row[] = [
  ...travel,
  ["hold", "Hold", navigation, "h", "hold", "Wait one tick: the ship cools by 2.5 and alert falls by 3."],
  ["emergency burn", "Emergency burn", navigation, "b", "burn", "Shake off pirates for a few ticks; costs 18 fuel and raises alert by 10."],
  ["wide scan", "Wide scan", target, "q", "scan", "Learn a little about every rock here; 3 ticks, 5 fuel."],
  ["focused scan", "Focused scan", target, "e", "scan", "Learn more about the target rock; 2 ticks, 4 fuel."],
  ["deep scan", "Deep scan", target, "w", "scan", "Learn most about the target rock; 4 ticks, 8 fuel."],
  ["threat listen", "Listen for threats", target, "t", "listen", "Estimate how dangerous each way from here is; 2 ticks."],
  ...select,
  ["mine careful", "Mine carefully", mining, "n", "mine", "Little heat and wear, and the rock is least likely to break."],
  ["mine normal", "Mine", mining, "m", "mine", "The middle way: more ore, more heat, more risk."],
  ["mine hard", "Mine hard", mining, "k", "mine", "Most ore per tick; heat, wear and the risk of a fracture are highest."],
  ["stabilise rock", "Stabilise rock", mining, "s", "clamp", "Use a stabilizer: the target is less likely to break for 6 ticks."],
  ["refine", "Refine", mining, "r", "refine", "Turn 15% of iron and nickel into rare isotopes; heats the ship by 6."],
  ["active cooling", "Cool down", survival, "c", "cool", "Heat falls by 20; 2 ticks, 2 fuel."],
  ["tool maintenance", "Mend the tool", survival, "f", "wrench", "Use a repair kit: the tool gains 25."],
  ["hull patch", "Patch the hull", survival, "p", "shield", "Use a repair kit: the hull gains 20."],
  ...jettison,
  ["dock", "Dock", trade, "d", "dock", "Rest at the station: alert falls by 20."],
  ...sell,
  ["buy fuel 120", "Buy 120 fuel", trade, "7", "fuel", "120 fuel for 60 credits."],
  ["buy fuel 260", "Buy 260 fuel", trade, "8", "fuel", "260 fuel for 120 credits."],
  ["buy fuel 480", "Buy 480 fuel", trade, "9", "fuel", "480 fuel for 210 credits."],
  ["buy kit", "Buy a repair kit", trade, "y", "kit", "A kit mends tool or hull; 150 credits, at most 12 aboard."],
  ["buy stabilizer", "Buy a stabilizer", trade, "u", "clamp", "Keeps a rock from breaking; 175 credits, at most 12 aboard."],
  ["buy decoy", "Buy a decoy", trade, "i", "decoy", "May draw raiders off your cargo; 110 credits, at most 12 aboard."],
  ["overhaul", "Overhaul", trade, "o", "wrench", "Hull and tool as new for 280 credits; 3 ticks."],
  ["cash out", "Cash out", trade, "x", "flag", "End the trip here and keep your credits."],
];

export const actions: ActionInfo[] = rows.map(([name, label, group, key, icon, hint], option) => ({
  option,
  name,
  label,
  group,
  icon,
  hint,
  ...(key ? { key } : {}),
}));

const place = (name: string): number => rows.findIndex(([one]) => one === name);
const first = { select: place("select rock 1"), mine: place("mine careful"), jettison: place("jettison iron"), dock: place("dock"), sell: place("sell iron 25%"), fuel: place("buy fuel 120"), cashOut: place("cash out") };

/** Only what exists is offered: ways that lead somewhere, rocks that are there, goods that are aboard, and the
 * desk of the station at the station. */
export function offered(frame: Frame): ActionInfo[] {
  const state = frame.state as State;
  const home = state.type === 0;
  const aboard = (good: number): boolean => (state.cargo[good] ?? 0) > 0;
  return actions.filter(({ option }) => {
    if (option < travel.length) return option < state.neighbours.length;
    if (option >= first.select && option < first.select + select.length) return option - first.select < state.rocks.length;
    if (option >= first.mine && option <= first.mine + 3) return state.rocks.length > 0;
    if (option >= first.jettison && option < first.dock) return aboard(option - first.jettison);
    if (option >= first.sell && option < first.fuel) return home && aboard(Math.floor((option - first.sell) / 3));
    return option < first.dock || option === first.cashOut || home;
  });
}

/** The option that aims at a rock. */
export const aimAt = (rock: number): number => first.select + rock;

/** Credits that the cargo would bring about, by prices as they were last seen. */
const worthOf = (state: State, good: number): number => (state.cargo[good] ?? 0) * ((state.price[good] ?? 0) || (goods[good]?.base ?? 0));

/** A question before cargo is thrown away; "" where none is. */
export function asks(frame: Frame, [option = -1]: number[]): string {
  const state = frame.state as State;
  const credits = (value: number): string => `about ${Math.round(value).toLocaleString("en")} credits`;
  if (option === first.cashOut) {
    const lost = goods.reduce((all, _, good) => all + worthOf(state, good), 0);
    return lost >= 1 ? `Cash out now? The trip ends, and cargo worth ${credits(lost)} is lost.` : "";
  }
  const good = option - first.jettison;
  const worth = good >= 0 && good < goods.length ? worthOf(state, good) : 0;
  return worth >= 50 ? `Throw all ${goods[good]!.name.toLowerCase()} overboard, worth ${credits(worth)}?` : "";
}

export const coach = ["Fly to a cluster: choose a way on the map.", "Aim at a rock by its card, then mine it: carefully, normally or hard.", "Come home, sell, and cash out while the ship is whole: credits are your score."];

export const howTo = [
  {
    title: "Bring credits home",
    text: "You fly one ship from one station. Mine the asteroid fields, come home, sell, and cash out while the ship is whole: credits are your score.",
  },
  {
    title: "Fly",
    text: "Keys 1 to 6 take the numbered ways of the map. Each costs ticks and fuel. Fuel 0 away from the station ends the trip, so keep enough for the way home.",
  },
  {
    title: "Scan and aim",
    text: "A rock card shows an estimate: with low confidence it is a guess. Q scans all rocks a little, E and W scan the target well. Click a card to aim, or press Shift and its number; [ and ] aim at the previous and the next rock.",
  },
  {
    title: "Mine",
    text: "N mines carefully, M normally, K hard. Harder means more ore, but also heat, wear and fractures, which hurt the hull. Unstable rocks break first.",
  },
  {
    title: "Stay out of sight",
    text: "Every scan and every drill stroke raises alert, and rich cargo attracts pirates. Hold (H) or go home to calm things down; B shakes raiders off.",
  },
  {
    title: "Keep the ship alive",
    text: "C cools, P patches the hull, F mends the tool. Above 100 heat the hull burns. R refines iron and nickel into isotopes, best done at the station.",
  },
  {
    title: "Sell well",
    text: "Prices swing. Selling much at once into a small stock costs up to 45% of the price: sell in parts, at good prices, then buy fuel and repairs.",
  },
];
