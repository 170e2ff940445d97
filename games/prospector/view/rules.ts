// What the pictures need of the rules: names, limits, prices, and what follows from what a pilot sees.
// Left out: drawing, and everything the pilot cannot know.

/** A way out of the current node, by slot. */
export interface Way {
  type: number;
  time: number;
  fuel: number;
  threat: number;
}

/** A rock at the current node, as estimated. */
export interface Rock {
  content: number[];
  stability: number;
  depletion: number;
  confidence: number;
}

/** The state as to_json writes it for seat 0. */
export interface State {
  fuel: number;
  hull: number;
  heat: number;
  tool: number;
  alert: number;
  time_left: number;
  credits: number;
  ticks: number;
  encounters: number;
  value_lost: number;
  kits: number;
  stabilizers: number;
  decoys: number;
  node: number;
  selected: number;
  dt: number;
  invalid: number;
  end: number;
  cargo: number[];
  price: number[];
  price_change: number[];
  stock: (number | null)[];
  type: number;
  hops: number;
  neighbours: Way[];
  rocks: Rock[];
}

export interface Good {
  name: string;
  short: string;
  sign: string;
  base: number;
}

export const goods: readonly Good[] = [
  { name: "Iron", short: "Iron", sign: "Fe", base: 45 },
  { name: "Nickel", short: "Nickel", sign: "Ni", base: 55 },
  { name: "Water ice", short: "Ice", sign: "Ic", base: 85 },
  { name: "Platinum group", short: "Platinum", sign: "Pt", base: 145 },
  { name: "Rare isotopes", short: "Isotopes", sign: "Is", base: 210 },
  { name: "Volatiles", short: "Volatiles", sign: "Vo", base: 120 },
];

export const most = { fuel: 1000, hull: 100, heat: 100, tool: 100, alert: 100, cargo: 200, supply: 12 };
export const typeNames = ["Station", "Asteroid cluster", "Hazard zone"] as const;
export const endNames = ["", "Cashed out", "Ship destroyed", "Stranded without fuel", "Ship destroyed", "Out of time"];

/** Offers of the station's desk: option, words, price in credits. */
export const offers = [
  { option: 61, label: "Fuel +120", price: 60 },
  { option: 62, label: "Fuel +260", price: 120 },
  { option: 63, label: "Fuel +480", price: 210 },
  { option: 67, label: "Overhaul", price: 280 },
  { option: 64, label: "Repair kit", price: 150 },
  { option: 65, label: "Stabilizer", price: 175 },
  { option: 66, label: "Decoy", price: 110 },
  { option: 68, label: "Cash out", price: 0 },
] as const;

export const first = { travel: 0, hold: 6, select: 12, mine: 28, jettison: 36, sell: 43 } as const;

export const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
export const clamp = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, value));

/** The good of a sale or a jettison, -1 otherwise. */
export function goodOf(option: number): number {
  if (option >= first.jettison && option < 42) return option - first.jettison;
  return option >= first.sell && option < 61 ? Math.floor((option - first.sell) / 3) : -1;
}

/** Cargo at the prices shown; prices above their base show as the base, so this is a lower bound. */
export function cargoValue(state: State): number {
  return sum(state.cargo.map((units, c) => units * (state.price[c] ?? 0)));
}

/** What a flight costs with this load. */
export const flightFuel = (fuel: number, cargo: number): number => fuel * (1 + (0.5 * cargo) / most.cargo);

/** Share of the price lost by selling `units` into a stock; null where the stock is not published. */
export function slippage(units: number, stock: number | null): number | null {
  if (stock === null) return null;
  const share = units / Math.max(1, stock + units);
  return clamp(0.25 * share + 0.2 * Math.sqrt(share), 0, 0.7);
}

/** What a unit of this rock should fetch, by its estimate. */
export const rockValue = (rock: Rock, price: readonly number[]): number =>
  sum(rock.content.map((share, c) => share * (price[c] ?? 0)));

/** Chance of a raid per tick here: by the rules from alert and cargo; the pirate level of the place
 * is hidden, so half the mean threat of the ways heard, else the mean of its type, stands in. */
export function raidChance(state: State): number {
  if (state.node === 0) return 0;
  const heard = state.neighbours.filter((way) => way.threat !== 0.5);
  const level = heard.length
    ? sum(heard.map((way) => way.threat)) / heard.length / 2
    : state.type === 2
      ? 0.295
      : 0.175;
  const x = -4 + 3 * level + (2.2 * state.alert) / 100 + 0.8 * Math.log(1 + cargoValue(state) / 1000);
  return 1 / (1 + Math.exp(-x));
}

export type Level = 0 | 1 | 2 | 3 | 4;
export const levelNames = ["Safe", "Low", "Elevated", "High", "Severe"] as const;

/** Five steps of threat. */
export function threatLevel(state: State): Level {
  const chance = raidChance(state);
  if (chance === 0) return 0;
  return chance < 0.06 ? 1 : chance < 0.12 ? 2 : chance < 0.2 ? 3 : 4;
}

export const whole = (value: number): string => Math.round(value).toLocaleString("en-US");
export const percent = (share: number): string => `${Math.round(share * 100)}%`;
/** Units of cargo: one decimal while it matters. */
export const units = (value: number): string =>
  value === 0 ? "0" : value < 0.05 ? "<0.1" : value < 99.95 ? value.toFixed(1) : value.toFixed(0);
