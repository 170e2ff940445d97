// What stands around the cards: blind and score, counters, what is left in the deck, hand levels, tags and
// vouchers.
import { make } from "ludus/make";
import { blindDisc } from "./face";
import { discardsOf, handsOf, blindTitle, cardOf, money, multText, owned, phases, rankName, scoreText, suitName, suitNames, underWay, type State } from "./state";
import { baseTarget, blinds, decks, hands, modifierOf, stakes, tags, thingOf, vouchers } from "./tables";

const counter = (label: string, value: string, name = ""): HTMLElement => make("div", `jk-counter ${name}`, make("dt", "", label), make("dd", "", value));

/** The round as the game counts it: a blind that is being played, or was lost, is one. */
export const roundOf = (state: State): number => state.round + (state.phase === phases.play || state.lost ? 1 : 0);

/** Blind, score against target, and the counters; `score` may still be counting. */
export function headPanel(state: State, score: number): HTMLElement[] {
  const boss = state.blind === 2;
  const effect = boss ? (state.disabled ? "The boss is disabled." : state.boss_effect) : "";
  const meter = make("div", score >= state.target && state.target > 0 ? "jk-meter jk-met" : "jk-meter", make("span", ""));
  (meter.firstElementChild as HTMLElement).style.width = `${state.target > 0 ? Math.min(100, (100 * score) / state.target) : 0}%`;
  const title = make("div", "jk-blind", make("h3", "", state.phase === phases.shop || state.phase === phases.select ? `Next: ${blindTitle(state)}` : blindTitle(state)), effect ? make("p", "jk-boss", effect) : null);
  const points = underWay(state) ? make("div", "jk-score", make("p", "", make("b", "", scoreText(score)), make("span", "", ` of ${scoreText(state.target)}`)), meter) : null;
  const counters = make("dl", "jk-counters",
    counter("Hands", String(handsOf(state)), "jk-hands"),
    counter("Discards", String(discardsOf(state)), "jk-discards"),
    counter("Money", money(state.money), "jk-money"),
    counter("Ante", String(state.ante)),
    counter("Round", String(roundOf(state))));
  return [title, ...(points ? [points] : []), counters];
}

interface Coming {
  title: string;
  effect: string;
  factor: number;
  reward: number;
  tag: string;
}

/** The three blinds of the ante. */
export function comingBlinds(state: State): Coming[] {
  const of = (key: string, tag: string): Coming => {
    const row = blinds.find((blind) => blind.key === key) ?? blinds[0]!;
    // from the red stake on the Small Blind pays nothing
    const unpaid = key === "bl_small" && state.stake_key !== stakes[0]?.key;
    return { title: row.title, effect: row.effect, factor: row.factor, reward: unpaid ? 0 : row.reward, tag };
  };
  return [of("bl_small", state.tag_small_key), of("bl_big", state.tag_big_key), { ...of(state.boss_key, ""), title: state.boss_title, effect: state.boss_effect }];
}

export function blindTiles(state: State): HTMLElement {
  const list = make("div", "jk-blinds");
  const base = baseTarget(state.ante, state.stake_key, state.deck_key);
  const pays = (dollars: number): string => (dollars ? `Pays $${dollars}` : "Pays nothing");
  comingBlinds(state).forEach((blind, k) => {
    const when = k < state.blind ? "done" : k === state.blind ? "next" : "later";
    const tag = blind.tag ? thingOf(blind.tag) : null;
    list.append(
      make("section", `jk-coming jk-${when}`,
        blindDisc(["small", "big", blind.title][k]!),
        make("h4", "", blind.title),
        make("p", "jk-need", base === null ? `${multText(blind.factor)} × base` : `Score ${scoreText(base * blind.factor)}`),
        make("p", "", k === 2 ? blind.effect : pays(blind.reward)),
        k === 2 ? make("p", "", pays(blind.reward)) : null,
        tag ? make("p", "jk-tag", make("b", "", tag.title), ` ${tag.effect}`) : null,
        make("p", "jk-when", when === "next" ? "Next" : when === "done" ? "Passed" : "Later")),
    );
  });
  return list;
}

/** What may still be drawn: a table of suits and ranks. */
export function deckPanel(state: State): HTMLElement {
  const left = state.draw_pile.map(cardOf);
  const order = Array.from({ length: 13 }, (_, k) => 12 - k);
  const head = make("tr", "", make("th", "", make("span", "sr-only", "Suit")), ...order.map((rank) => make("th", "", rankName(rank).length > 2 ? rankName(rank)[0] : rankName(rank))), make("th", "", "All"));
  const body = suitNames.map((_, suit) => {
    const mine = left.filter((card) => card.suit === suit && card.enhancement !== "stone");
    const cells = order.map((rank) => {
      const count = mine.filter((card) => card.rank === rank).length;
      return make("td", count ? "" : "jk-none", String(count));
    });
    const name = make("th", `jk-suit-${suit}`, make("span", "jk-long", suitName(suit)), make("span", "jk-short", "♠♥♣♦"[suit]));
    name.scope = "row";
    return make("tr", "", name, ...cells, make("td", "", make("b", "", String(mine.length))));
  });
  const special = new Map<string, number>();
  for (const card of left) for (const word of [card.enhancement, card.edition, card.seal]) if (word) special.set(word, (special.get(word) ?? 0) + 1);
  const more = [...special].map(([word, count]) => `${count} ${modifierOf(word).title}`).join(", ");
  const table = make("table", "jk-deck", make("thead", "", head), make("tbody", "", ...body));
  return make("div", "", make("div", "jk-wide", table), make("p", "jk-note", more ? `Among them ${more}.` : "None of them is enhanced."));
}

export const deckLine = (state: State): string => {
  const all = state.draw_pile.length + state.discard_pile.length + state.hand.filter((text) => text !== "??").length;
  return `Deck: ${state.draw_pile.length} of ${all} may still be drawn`;
};

export function levelsPanel(state: State): HTMLElement {
  const head = make("tr", "", ...["Hand", "Level", "Chips × mult", "Played"].map((word) => make("th", "", word)));
  const rows = hands.flatMap((hand, h) => {
    if (!(Math.floor(state.visible / 2 ** h) % 2)) return [];
    const level = state.level[h] ?? 1;
    const up = Math.max(0, level - 1);
    const name = make("th", "", hand.title);
    name.scope = "row";
    return [make("tr", "", name, make("td", "", String(level)), make("td", "", `${hand.chips + up * hand.chipsStep} × ${hand.mult + up * hand.multStep}`), make("td", "", String(state.plays[h] ?? 0)))];
  });
  return make("table", "jk-levels", make("thead", "", head), make("tbody", "", ...rows));
}

/** Deck, stake, vouchers and tags of the run. */
export function runPanel(state: State): HTMLElement {
  const deck = decks.find((one) => one.key === state.deck_key);
  const stake = stakes.find((one) => one.key === state.stake_key);
  const rows: [string, string][] = [];
  if (deck) rows.push([deck.title, deck.effect]);
  if (stake) rows.push([stake.title, stake.effect]);
  for (const voucher of vouchers) if (owned(state, voucher.key)) rows.push([voucher.title, voucher.effect]);
  for (const tag of state.tags) {
    const known = tags.find((one) => one.key === tag.key);
    rows.push([known?.title ?? tag.key, known?.effect ?? ""]);
  }
  return make("dl", "jk-run", ...rows.flatMap(([title, effect]) => [make("dt", "", title), make("dd", "", effect)]));
}
