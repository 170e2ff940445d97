// The actions in plain words, those that fit the moment while a person plays, whole decisions in words,
// and how to play.
import type { ActionInfo, Frame } from "ludus/view";
import { briefHeads } from "./brief";
import { cardsIn, placesOf, zoneOf } from "./choice";
import { deedOf, goOn, planChoices, type PlanChoice } from "./plan";
import { cardShort, deeds, itemTitle, jokerTitle, modes, phases, type State } from "./state";

const row = (option: number, name: string, label: string, group: string, key: string, hint: string): ActionInfo => ({ option, name, label, group, ...(key ? { key } : {}), icon: "card", hint });

export const actions: ActionInfo[] = [
  row(0, "select", "Select cards", "Round", "", "Cards are chosen on the board; every action carries them."),
  row(1, "play", "Play hand", "Round", "p", "Plays the selected cards, 1 to 5."),
  row(2, "discard", "Discard", "Round", "d", "Discards the selected cards, 1 to 5, and draws new ones."),
  row(3, "select blind", "Start the blind", "Blind", "b", "Starts the next blind."),
  row(4, "cash out", "Cash out", "Round", "c", "Collects the round's pay and opens the shop."),
  row(5, "buy", "Buy", "Shop", "y", "Buys the shop card selected on the board."),
  row(6, "next round", "Next round", "Shop", "n", "Leaves the shop."),
  row(7, "reroll", "Reroll", "Shop", "r", "New cards in the shop, for a rising price."),
  row(8, "sell joker", "Sell joker", "Owned", "s", "Sells the joker selected on the board."),
  row(9, "skip blind", "Skip the blind", "Blind", "k", "Skips the blind for its tag: no pay, no shop."),
  row(10, "use", "Use", "Owned", "e", "Uses the selected consumable, on the selected cards if it needs some."),
  row(11, "buy voucher", "Buy voucher", "Shop", "v", "Buys a voucher: it lasts for the run."),
  row(12, "buy pack", "Open a pack", "Shop", "o", "Buys and opens the pack selected on the board."),
  row(13, "pick", "Take", "Pack", "t", "Takes the selected card of the pack; some act on selected cards of the hand."),
  row(14, "skip pack", "Leave the pack", "Pack", "x", "Takes nothing more from the pack."),
  row(15, "sell consumable", "Sell consumable", "Owned", "z", "Sells the consumable selected on the board."),
  row(16, "move joker", "Move joker", "Owned", "", "Moves the selected joker one place; the order matters for the score."),
  row(17, "move card", "Move card", "Owned", "", "Moves the selected card one place; cards score from left to right."),
  row(18, "reroll boss", "Reroll the boss", "Blind", "h", "Another boss for $10; needs Director's Cut or Retcon."),
  row(19, "buy and use", "Buy and use", "Shop", "q", "Buys a consumable and uses it at once, on the selected cards if it needs some."),
];

const numbered: Record<number, string> = { [deeds.buy]: "Buy card", [deeds.buyVoucher]: "Buy voucher", [deeds.buyPack]: "Open pack", [deeds.pick]: "Take card", [deeds.use]: "Use consumable" };

function planRow({ deed, index, name }: PlanChoice, option: number): ActionInfo {
  if (deed === goOn) return row(option, name, "Play on", "Round", "p", "The planner plays or discards, as it thinks best.");
  const known = actions[deed]!;
  const label = numbered[deed];
  return label ? row(option, name, `${label} ${index + 1}`, known.group, "", `${label} ${index + 1}, if it is there and can be paid.`) : row(option, name, known.label, known.group, known.key ?? "", known.hint);
}

/** The choices of joker-plan-v1. */
export const planActions: ActionInfo[] = planChoices.map(planRow);

const always = [deeds.use, deeds.sellJoker, deeds.sellConsumable, deeds.moveJoker, deeds.moveCard];
const byPhase: Record<number, number[]> = {
  [phases.select]: [deeds.selectBlind, deeds.skipBlind, deeds.rerollBoss],
  [phases.play]: [deeds.play, deeds.discard],
  [phases.cashOut]: [deeds.cashOut],
  [phases.shop]: [deeds.buy, deeds.buyAndUse, deeds.buyVoucher, deeds.buyPack, deeds.reroll, deeds.nextRound],
};

/** What belongs to the moment comes first; what belongs to another is left out. */
export function offered(frame: Frame): ActionInfo[] {
  const state = frame.state as State;
  const now = state.pack_open ? [deeds.pick, deeds.skipPack] : (byPhase[state.phase] ?? []);
  return [...[...now, ...always].flatMap((option) => actions[option] ?? []), ...planOffered(state, now)];
}

/** The choices of joker-plan-v1 that have something to choose, by its name. */
function planOffered(state: State, now: number[]): ActionInfo[] {
  const moment = now.includes(deeds.play) ? [goOn] : now;
  return planChoices.flatMap(({ deed, index }, option) => {
    const zone = zoneOf[deed];
    const there = deed === deeds.use ? !state.pack_open : moment.includes(deed);
    if (!there || (zone && !placesOf(state, zone).includes(index))) return [];
    return [{ ...planActions[option]!, label: tellDeed(state, deed, index, 0, "") }];
  });
}

/** joker-plan-v1: what a choice with a number is about. */
export function named(frame: Frame, option: number): string {
  const choice = frame.action?.length === 1 ? planChoices[option] : undefined;
  const zone = choice && zoneOf[choice.deed];
  const state = frame.state as State;
  return zone && placesOf(state, zone).includes(choice.index) ? tellDeed(state, choice.deed, choice.index, 0, "") : "";
}

const listed = (state: State, move: number[]): string => cardsIn(move, state).map((place) => cardShort(state.hand[place]!)).join(" ");

/** "Play K♥ K♠" */
export function tell(frame: Frame, move: number[]): string {
  const state = frame.state as State;
  const { deed, index } = deedOf(move);
  if (![1, briefHeads, modes.full].includes(move.length)) return "";
  return tellDeed(state, deed, index, move[2] ?? 0, listed(state, move));
}

/** A deed with a thing, a place it goes to and the cards it is done on, in words. */
function tellDeed(state: State, deed: number, which: number, to: number, on: string): string {
  if (deed === goOn) return "Play on";
  if (deed === deeds.select) return on ? `Select ${on}` : "Deselect all";
  const label = actions[deed]?.label ?? "";
  const item = { [deeds.buy]: state.shop, [deeds.buyAndUse]: state.shop, [deeds.pick]: state.pack }[deed]?.[which];
  const offer = { [deeds.buyVoucher]: state.shop_vouchers, [deeds.buyPack]: state.packs }[deed]?.[which];
  if (deed === deeds.play || deed === deeds.discard) return `${deed === deeds.play ? "Play" : "Discard"} ${on}`;
  if (item) return `${label} ${itemTitle(item)}${on && deed !== deeds.buy ? ` on ${on}` : ""}`;
  if (offer) return `${deed === deeds.buyPack ? "Open" : "Buy"} ${offer.title}`;
  if (deed === deeds.use || deed === deeds.sellConsumable) return `${deed === deeds.use ? "Use" : "Sell"} ${state.consumables[which]?.title ?? ""}${on && deed === deeds.use ? ` on ${on}` : ""}`;
  if (deed === deeds.sellJoker || deed === deeds.moveJoker) {
    const joker = state.jokers[which];
    const title = joker ? jokerTitle(joker) : "a joker";
    return deed === deeds.sellJoker ? `Sell ${title}` : `Move ${title} to place ${to + 1}`;
  }
  if (deed === deeds.moveCard) return `Move ${cardShort(state.hand[which] ?? "")} to place ${to + 1}`;
  return label;
}

export const howTo = [
  {
    title: "Beat the blind",
    text: "Each blind has a target. Choose 1 to 5 cards of your hand and play them as a poker hand; score chips × mult until the target is reached. Hands are few, discards swap cards first.",
  },
  {
    title: "Choose cards",
    text: "Click or tap cards, or press 1 to 9 and 0. What they would score stands above the hand. P plays, D discards, W deselects all.",
  },
  {
    title: "Jokers",
    text: "They act while you score, from left to right: first what adds, then what multiplies. Select one to read it, sell it (S) or move it ([ and ]); cards and jokers can also be dragged.",
  },
  {
    title: "Money and shop",
    text: "A beaten blind pays, hands left pay $1 each, and every $5 you keep earns $1, up to $5. Buy jokers, packs and vouchers; reroll (R) for other cards; N goes on.",
  },
  {
    title: "Consumables",
    text: "Planets raise a hand's level, Tarots and Spectrals change cards. Select one, and cards if it needs some, then press E. Packs let you take one or two of several cards (T), or none (X).",
  },
  {
    title: "Antes and bosses",
    text: "Small Blind, Big Blind, boss: then the next ante with higher targets. A boss has a rule of its own. Skipping a blind gives a tag instead. Beat the boss of ante 8 to win.",
  },
  {
    title: "Joker, brief",
    text: "In this variant selecting is a decision of its own: choose cards as always, then P or D. Packs resolve by themselves. Only the first eight cards, five jokers, two consumables and two cards of the shop are within reach, and nothing is moved.",
  },
  {
    title: "Joker, planned",
    text: "In this variant a planner plays the cards and orders the jokers: P goes on. You choose blinds, what to buy, take and use: 1 to 5 for cards of the shop or pack, V, O and E for vouchers, packs and consumables. A full row sells what it misses least.",
  },
];
