// The table of joker as elements: blind, score, jokers, consumables, hand, shop, packs, deck. In Play
// cards are chosen and things picked out here, by mouse, touch or keys, and decisions made.
import type { BoardKey, Effect, Frame, ViewHost, ViewInstance } from "ludus/view";
import "./board.css";
import { selectedOf } from "./brief";
import { cardsIn, compose, forcedOf, lackOf, modeOf, moveFor, moveOf, nameAt, placesOf, toggle, zoneOf, type Choice, type Place } from "./choice";
import { dragging } from "./drag";
import { manifest } from "./effects";
import { LastHand } from "./last_hand";
import { lookOf } from "./look";
import { button, make } from "ludus/make";
import { middleParts, type Desk } from "./middle";
import { deckLine, deckPanel, headPanel, levelsPanel, runPanel } from "./panels";
import { deedOf, goOn } from "./plan";
import { ordered, plannedPlay } from "./planned_play";
import { blindTitle, cardOf, cardWords, deeds, discardsOf, handsOf, jokerTitle, money, phases, scoreText, underWay, type State } from "./state";
import { cardTile, consumableTile, jokerTile } from "./tiles";
import { actions } from "./words";
import { Worth } from "./worth";

const mostMs = 6000;

/** What was done in a frame; what the planner did is told by its events. */
function doneIn({ action, events }: Frame): number {
  const { deed } = deedOf(action ?? []);
  if (deed !== goOn) return deed;
  return events.includes("played") ? deeds.play : events.includes("discarded") ? deeds.discard : deeds.sellJoker;
}
const effectsOf = (frame: Frame): Effect[] => {
  const action = frame.action ? manifest.actions[actions[doneIn(frame)]?.name ?? ""] : undefined;
  return [action, ...frame.events.map((event) => manifest.events[event])].filter((effect) => effect !== undefined);
};

/** The places that a frame's decision played; where the planner chose them, as far as the piles tell. */
function playedOf(frame: Frame, before: State): number[] {
  const { action } = frame;
  if (action?.length === 1) return frame.events.includes("played") ? plannedPlay(before, frame.state) : [];
  return action?.[0] === deeds.play ? cardsIn(action, before) : [];
}

/** In which order the hand is shown; cards always score in the order in which they are held. */
type Order = "held" | "rank" | "suit";
const orders: [Order, string][] = [["held", "As held"], ["rank", "Rank"], ["suit", "Suit"]];

/** Places of the hand in the order in which they are shown. */
function shownPlaces(hand: string[], order: Order): number[] {
  const cards = hand.map(cardOf);
  const places = hand.map((_, place) => place);
  if (order === "held") return places;
  const key = (place: number): number => (order === "rank" ? 10 * cards[place]!.rank - cards[place]!.suit : 20 * (3 - cards[place]!.suit) + cards[place]!.rank);
  return places.sort((a, b) => key(b) - key(a) || a - b);
}

/** The board in one sentence, for people who cannot see it. */
function wordsOf(frame: Frame): string {
  const state = frame.state as State;
  const cards = state.hand.length ? ` Hand: ${state.hand.map((text) => cardWords(cardOf(text))).join("; ")}.` : "";
  const jokers = state.jokers.length ? ` Jokers: ${state.jokers.map(jokerTitle).join(", ")}.` : "";
  const [hands, discards] = [handsOf(state), discardsOf(state)];
  const score = underWay(state) ? `score ${scoreText(state.score)} of ${scoreText(state.target)}, ` : "";
  return `Ante ${state.ante}, ${blindTitle(state)}, ${score}${hands} ${hands === 1 ? "hand" : "hands"}, ${discards} ${discards === 1 ? "discard" : "discards"}, ${money(state.money)}.${jokers}${cards} ${frame.story}`;
}

const section = (name: string, label: string): HTMLElement => {
  const element = make("section", name);
  element.setAttribute("aria-label", label);
  return element;
};

const fold = (name: string): { box: HTMLDetailsElement; line: HTMLElement; inside: HTMLElement } => {
  const line = make("summary", "", name);
  const inside = make("div", "jk-inside");
  return { box: make("details", "jk-fold", line, inside), line, inside };
};

/** Things that are owned, and a frame for each place that is free. */
function rowOf(title: string, list: HTMLElement[], places: number): HTMLElement[] {
  const free = Array.from({ length: Math.max(0, places - list.length) }, () => make("span", "jk-slot"));
  return [make("h3", "", `${title} ${list.length} of ${places}`), make("div", "jk-tiles", ...list, ...free)];
}

const samePlace = (a: Place | null, b: Place): boolean => a?.zone === b.zone && a.index === b.index;

class Board implements ViewInstance {
  readonly keys?: BoardKey[];
  readonly compose?: NonNullable<ViewInstance["compose"]>;
  readonly suggest?: NonNullable<ViewInstance["suggest"]>;
  readonly complete: boolean;
  private readonly live: boolean;
  private readonly byHand: boolean; // cards are chosen; else a planner does that
  private readonly brief: boolean; // what is chosen is selected in the game at once, nothing is moved
  private readonly choice: Choice;
  private readonly desk: Desk;
  private readonly drag: ReturnType<typeof dragging> | null;
  private readonly told = make("p", "sr-only jk-told");
  private readonly head = section("jk-head", "Blind and score");
  private readonly jokers = section("jk-row jk-jokers", "Jokers");
  private readonly bag = section("jk-row jk-bag", "Consumables");
  private readonly table = section("jk-table", "Table");
  private readonly hand = section("jk-hand-area", "Hand");
  private readonly look = section("jk-look", "Selected");
  private readonly bar = make("div", "jk-bar");
  private readonly deck = fold("Deck");
  private readonly levels = fold("Hand levels");
  private readonly run = fold("Deck, stake, vouchers and tags");
  private readonly worth: Worth;
  private readonly last: LastHand;
  private readonly root: HTMLElement;
  private frame: Frame | null = null;
  private score = 0; // as shown; behind the state's while it counts
  private order: Order = "held";
  private suggested: number | null = null; // what a hint or advice does with the cards that it chose
  private keepChosen = false; // the cards that are chosen moved with their places

  constructor(private readonly host: ViewHost) {
    const mode = host.choose ? modeOf(host.legal?.().length ?? 0) : null;
    this.live = mode !== null;
    this.complete = this.live;
    this.byHand = mode === "full" || mode === "brief";
    this.brief = mode === "brief";
    this.choice = { mode: mode ?? "full", chosen: new Set(), picked: null };
    this.worth = new Worth(host.tool);
    this.last = new LastHand(host, { light: (place) => this.light(place), done: () => this.settle() });
    this.desk = this.deskOf();
    const middle = make("div", "jk-middle", make("div", "jk-scoring", this.worth.element, this.last.element), this.table, this.hand, this.look);
    if (!this.live) middle.tabIndex = 0; // it may scroll
    this.root = make("div", this.live ? "jk jk-live" : "jk", this.told, make("div", "jk-board", this.head, make("div", "jk-owned", this.jokers, this.bag), middle), make("div", "jk-folds", this.deck.box, this.levels.box, this.run.box));
    host.element.append(this.root);
    this.deck.box.open = host.element.clientWidth >= 760;
    this.drag = mode === "full" ? dragging(this.root, (from, to) => (from.zone === "joker" || this.order === "held") && this.shift(from, to.index - from.index)) : null;
    if (this.live) {
      this.suggest = (move) => this.pickOut(move);
      this.keys = this.byHand ? this.handKeys() : this.planKeys();
    }
    if (this.byHand) this.compose = (option) => (this.frame ? compose(this.state, this.choice, option, (move) => this.can(move)) : "the board is not ready");
  }

  show(now: Frame, near: { before: Frame | null; animate: boolean; speed: number }): void {
    this.last.stop();
    const { before } = near;
    this.frame = now;
    this.suggested = null;
    const moves = near.animate && !this.host.reduced;
    const from = before ? (before.state as State) : null;
    const chosen = from ? playedOf(now, from) : [];
    const fast = 1000 / near.speed;
    this.score = chosen.length && moves && from ? from.score : this.state.score;
    this.keepChoice(before);
    this.last.sum(this.state, chosen, from);
    this.render();
    this.root.classList.toggle("jk-deal", moves);
    if (near.animate) for (const effect of effectsOf(now)) this.host.sound(effect.cue);
    if (from && chosen.length) {
      // nobody waits for the next frame while a person plays
      const room = this.live && fast >= 500 ? mostMs : fast * 0.9;
      const planned = now.action?.length === 1;
      void this.last.count(planned ? ordered(from, this.state) : from, this.state, chosen, planned, moves ? room : 0);
    }
  }

  resize(): void {}

  theme(): void {}

  destroy(): void {
    this.last.stop();
    this.worth.stop();
    this.drag?.destroy();
    this.root.remove();
  }

  private get state(): State {
    return this.frame!.state as State;
  }

  // ---- deciding ----

  private can(move: number[]): boolean {
    return this.live && (this.host.can?.(move) ?? true);
  }

  private decide(move: number[] | string): void {
    if (typeof move !== "string" && this.can(move)) this.host.choose?.(move);
  }

  private deskOf(): Desk {
    const board = this;
    return {
      live: this.live,
      byHand: this.byHand,
      tiles: {
        get state() {
          return board.state;
        },
        pressed: (place) => (place.zone === "hand" && this.byHand ? this.choice.chosen.has(place.index) : samePlace(this.choice.picked, place)),
        act: (place) => this.act(place),
      },
      moveTo: (deed, index = 0) => moveFor(this.state, this.choice, deed, index),
      whyNot: (move) => (typeof move === "string" ? move : this.can(move) ? "" : lackOf(this.state, move)),
      deedButton: (name, text, move, key = "") => {
        const element = button(name, text, () => this.decide(move), this.desk.whyNot(move), key);
        element.dataset["id"] = `do-${text}`;
        return element;
      },
    };
  }

  /** Decides for the thing of a kind that is picked out, or for the first that can be had. */
  private take(deed: number): void {
    const zone = zoneOf[deed]!;
    const { picked } = this.choice;
    const places = picked?.zone === zone ? [picked.index] : placesOf(this.state, zone);
    const index = places.find((place) => !this.desk.whyNot(this.desk.moveTo(deed, place)));
    if (index !== undefined) this.decide(this.desk.moveTo(deed, index));
  }

  private planKeys(): BoardKey[] {
    return [
      ...Array.from({ length: 5 }, (_, k) => ({ key: String(k + 1), label: `take card ${k + 1} of the shop or pack`, act: () => this.frame && this.decide(this.desk.moveTo(this.state.pack_open ? deeds.pick : deeds.buy, k)) })),
      { key: "v", label: "buy a voucher", act: () => this.take(deeds.buyVoucher) },
      { key: "o", label: "open a pack", act: () => this.take(deeds.buyPack) },
      { key: "e", label: "use a consumable", act: () => this.take(deeds.use) },
    ];
  }

  private handKeys(): BoardKey[] {
    return [
      ...Array.from({ length: 10 }, (_, k) => ({ key: String((k + 1) % 10), label: `choose card ${k + 1}`, act: () => this.frame && k < this.state.hand.length && this.act({ zone: "hand", index: shownPlaces(this.state.hand, this.order)[k]! }) })),
      { key: "w", label: "deselect all cards", act: () => this.clear() },
      ...(this.brief ? [] : this.shiftKeys()),
    ];
  }

  private shiftKeys(): BoardKey[] {
    return [
      { key: "[", label: "move what is selected to the left", act: () => this.shift(this.choice.picked, -1) },
      { key: "]", label: "move what is selected to the right", act: () => this.shift(this.choice.picked, 1) },
    ];
  }

  // ---- choosing and picking out ----

  private act(place: Place): void {
    if (this.drag?.busy()) return;
    const { choice } = this;
    if (place.zone === "hand" && this.byHand) {
      this.suggested = null;
      toggle(choice, place.index);
      if (!choice.picked || choice.picked.zone === "hand") choice.picked = place;
      if (this.brief) return this.select();
    } else choice.picked = samePlace(choice.picked, place) ? null : place;
    this.render();
  }

  private clear(): void {
    this.suggested = null;
    this.choice.chosen.clear();
    if (this.brief) this.select();
    else this.render();
  }

  /** Selects in the game what is chosen, where that is a decision. */
  private select(): void {
    const move = this.desk.moveTo(deeds.select);
    if (typeof move !== "string" && this.can(move)) this.host.choose?.(move);
    else this.choice.chosen = new Set(selectedOf(this.state));
    this.render();
  }

  /** Shows a decision without making it. */
  private pickOut(move: number[]): void {
    const { deed, index } = deedOf(move);
    const zone = zoneOf[deed];
    this.suggested = deed;
    this.choice.chosen = new Set(cardsIn(move, this.state));
    this.choice.picked = zone ? { zone, index } : null;
    this.render();
  }

  /** Moves a joker or card, when that is one. */
  private shift(place: Place | null, by: number): void {
    if (!place || (place.zone !== "joker" && place.zone !== "hand")) return;
    const to = place.index + by;
    if (to < 0 || to >= placesOf(this.state, place.zone).length) return;
    const move = moveOf(place.zone === "joker" ? deeds.moveJoker : deeds.moveCard, place.index, to);
    if (!this.can(move)) return;
    this.choice.picked = { zone: place.zone, index: to };
    if (place.zone === "hand") this.swapChosen(place.index, to);
    this.host.choose?.(move);
  }

  /** The cards that are chosen go with their places. */
  private swapChosen(from: number, to: number): void {
    const order = this.state.hand.map((_, place) => place);
    order.splice(to, 0, ...order.splice(from, 1));
    this.choice.chosen = new Set(order.flatMap((place, now) => (this.choice.chosen.has(place) ? [now] : [])));
    this.keepChosen = true;
  }

  /** Card places after a step: what is chosen stays only where nothing moved. */
  private keepChoice(before: Frame | null): void {
    const { choice, keepChosen, state: now } = this;
    const same = before !== null && (keepChosen || (before.state as State).hand.join() === now.hand.join());
    if (!same) choice.chosen.clear();
    if (this.brief) choice.chosen = new Set(selectedOf(now));
    if (this.byHand && now.phase === phases.play) for (const place of forcedOf(now)) choice.chosen.add(place);
    for (const place of choice.chosen) if (place >= now.hand.length) choice.chosen.delete(place);
    if (choice.picked && !placesOf(now, choice.picked.zone).includes(choice.picked.index)) choice.picked = null;
    // another thing at the same place is another thing
    if (choice.picked && before && !keepChosen && nameAt(before.state, choice.picked) !== nameAt(now, choice.picked)) choice.picked = null;
    this.keepChosen = false;
  }

  // ---- what is shown ----

  private render(): void {
    const now = this.state;
    const { root } = this;
    const focused = root.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset["id"] : undefined;
    root.classList.remove("jk-deal"); // only what a frame brings is dealt
    root.classList.toggle("jk-playing", now.phase === phases.play && !now.pack_open);
    this.told.textContent = wordsOf(this.frame!);
    this.head.replaceChildren(...headPanel(now, this.score));
    this.renderOwned(now);
    const parts = middleParts(this.desk, now);
    this.table.hidden = parts.length === 0;
    this.table.replaceChildren(...parts);
    this.renderHand(now);
    this.renderLook(now);
    this.worth.show(now, [...this.choice.chosen].sort((a, b) => a - b), this.byHand && now.phase === phases.play && !now.pack_open);
    this.deck.line.textContent = deckLine(now);
    this.deck.inside.replaceChildren(deckPanel(now));
    this.levels.inside.replaceChildren(levelsPanel(now));
    this.run.inside.replaceChildren(runPanel(now));
    if (focused) root.querySelector<HTMLElement>(`[data-id="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  private renderOwned(now: State): void {
    const { tiles } = this.desk;
    this.jokers.replaceChildren(...rowOf("Jokers", now.jokers.map((joker, index) => jokerTile(tiles, { zone: "joker", index }, joker)), now.joker_slots));
    this.bag.replaceChildren(...rowOf("Consumables", now.consumables.map((one, index) => consumableTile(tiles, { zone: "bag", index }, one)), now.bag_slots));
  }

  private renderHand(now: State): void {
    const { byHand, desk, hand } = this;
    hand.hidden = now.hand.length === 0;
    if (hand.hidden) return hand.replaceChildren();
    const cards = shownPlaces(now.hand, this.order).map((index) => cardTile(desk.tiles, { zone: "hand", index }, now.hand[index]!));
    const count = this.choice.chosen.size;
    const sorts = orders.map(([order, text]) => {
      const element = button("", text, () => ((this.order = order), this.render()));
      element.setAttribute("aria-pressed", String(order === this.order));
      element.dataset["id"] = `order-${order}`;
      return element;
    });
    const sorting = make("div", "segments jk-sorting", ...sorts);
    sorting.setAttribute("role", "group");
    sorting.setAttribute("aria-label", "Order in which the hand is shown");
    this.renderBar(now, count);
    hand.replaceChildren(make("div", "jk-hand-head", make("h3", "", byHand && count ? `Hand, ${count} chosen` : "Hand"), sorting), make("div", "jk-cards", ...cards), this.bar);
  }

  /** What can be done with the hand; the buttons keep their places. */
  private renderBar(now: State, count: number): void {
    const { bar, byHand, desk } = this;
    bar.replaceChildren();
    const playing = now.phase === phases.play && !now.pack_open;
    const discards = this.suggested === deeds.discard;
    if (byHand && playing) bar.append(desk.deedButton(discards ? "button" : "button primary", "Play hand", desk.moveTo(deeds.play), "P"), desk.deedButton(discards ? "button primary" : "button", "Discard", desk.moveTo(deeds.discard), "D"));
    else if (this.live && now.phase === phases.play) bar.append(desk.deedButton("button primary", "Play on", desk.moveTo(goOn), "P"), make("p", "jk-note", "The planner plays or discards."));
    if (!byHand || !this.live) return;
    const clear = button("button", "Deselect all", () => this.clear(), count ? "" : "no card is chosen", "W");
    clear.dataset["id"] = "deselect";
    bar.append(clear);
    if (this.brief) return this.renderSelect(now);
    const { picked } = this.choice;
    const moves = ([["←", -1, "["], ["→", 1, "]"]] as const).map(([text, by, key]) => {
      const card = picked?.zone === "hand" ? picked : null;
      const to = card ? card.index + by : -1;
      const element = button("button jk-shift", text, () => this.shift(card, by), card && to >= 0 && to < now.hand.length && this.order === "held" ? "" : "choose a card, shown as held", key);
      element.setAttribute("aria-label", `Move the last selected card to the ${by < 0 ? "left" : "right"}`);
      element.dataset["id"] = `shift-${by}`;
      return element;
    });
    bar.append(...moves);
  }

  /** A hint or advice marks cards that the game does not have selected yet. */
  private renderSelect(now: State): void {
    const marked = [...this.choice.chosen].sort((a, b) => a - b).join();
    if (marked === selectedOf(now).join()) return;
    this.bar.append(this.desk.deedButton("button", "Select these", this.desk.moveTo(deeds.select)));
  }

  private renderLook(now: State): void {
    const { look, live } = this;
    const { picked } = this.choice;
    const shown = picked && !(picked.zone === "hand" && this.byHand) ? lookOf(picked, now, this.choice) : null;
    look.hidden = !shown;
    if (!shown) return look.replaceChildren();
    const buttons = live ? shown.deeds.map(([text, move, key]) => this.desk.deedButton("button", text, move, key)) : [];
    const reasons = live ? [...new Set(shown.deeds.flatMap(([, move]) => (typeof move === "string" && /^choose/.test(move) ? [`To use it, ${move}.`] : [])))] : [];
    look.replaceChildren(make("h3", "", shown.title), ...shown.lines.filter(Boolean).map((line) => make("p", "", line)), ...reasons.map((line) => make("p", "jk-note", line)), buttons.length ? make("div", "jk-bar", ...buttons) : "");
  }

  private light(place: number | null): void {
    this.jokers.querySelectorAll(".jk-tile").forEach((tile, k) => tile.classList.toggle("jk-lit", k === place));
  }

  private settle(): void {
    this.score = this.state.score;
    this.head.replaceChildren(...headPanel(this.state, this.score));
  }
}

export const mount = (host: ViewHost): ViewInstance => new Board(host);
