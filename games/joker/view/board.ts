// The table of joker as elements: blind, score, jokers, consumables, hand, shop, packs, deck. In Play
// cards are chosen and things picked out here, by mouse, touch or keys, and decisions made.
import type { BoardKey, Effect, Frame, ViewHost, ViewInstance } from "ludus/view";
import "./board.css";
import { compose, forcedOf, isFull, lackOf, modeOf, moveFor, moveOf, placesOf, toggle, zoneOf, type Choice, type Place, type Zone } from "./choice";
import { dragging } from "./drag";
import { manifest } from "./effects";
import { lookOf } from "./look";
import { button, make } from "./make";
import { deedOf, goOn } from "./plan";
import { blindTiles, deckLine, deckPanel, headPanel, levelsPanel, runPanel } from "./panels";
import { scoreOf, stepsOf } from "./score";
import { blindTitle, cardOf, cardShort, cardWords, deeds, jokerTitle, modes, money, multText, phases, rerollPrice, scoreText, type Item, type State } from "./state";
import { consumableOf } from "./tables";
import { tally, type Tally } from "./tally";
import { cardTile, consumableTile, itemTile, jokerTile, offerTile, priceText, type TileHost } from "./tiles";
import { actions } from "./words";

const stepMs = 330;
const mostMs = 6000;
const previewMs = 90;

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

/** The places that a frame's decision played. */
const playedOf = (frame: Frame): number[] => (frame.action?.[0] === deeds.play && frame.action.length === modes.full ? frame.action.slice(3).flatMap((bit, place) => (bit === 1 ? [place] : [])) : []);

/** The board in one sentence, for people who cannot see it. */
function wordsOf(frame: Frame): string {
  const state = frame.state as State;
  const cards = state.hand.length ? ` Hand: ${state.hand.map((text) => cardWords(cardOf(text))).join("; ")}.` : "";
  const jokers = state.jokers.length ? ` Jokers: ${state.jokers.map(jokerTitle).join(", ")}.` : "";
  return `Ante ${state.ante}, ${blindTitle(state)}, score ${scoreText(state.score)} of ${scoreText(state.target)}, ${state.hands} hands, ${state.discards} discards, ${money(state.money)}.${jokers}${cards} ${frame.story}`;
}

export function mount(host: ViewHost): ViewInstance {
  const mode = host.choose ? modeOf(host.legal?.().length ?? 0) : null;
  const live = mode !== null;
  const byHand = mode === "full"; // cards are chosen and moved; else a planner does that
  const choice: Choice = { mode: mode ?? "full", chosen: new Set(), picked: null };
  let frame: Frame | null = null;
  let score = 0; // as shown; behind the state's while it counts
  let last: Tally | null = null;
  let steps = new AbortController();
  let preview = new AbortController();
  let previewTimer = 0;

  const part = (name: string, label = ""): HTMLElement => {
    const element = make("section", name);
    if (label) element.setAttribute("aria-label", label);
    return element;
  };
  const told = make("p", "sr-only jk-told");
  const head = part("jk-head", "Blind and score");
  const jokers = part("jk-row jk-jokers", "Jokers");
  const bag = part("jk-row jk-bag", "Consumables");
  const table = part("jk-table", "Table");
  const laid = make("div", "jk-place");
  const hand = part("jk-hand-area", "Hand");
  const look = part("jk-look", "Picked out");
  const bar = make("div", "jk-bar");
  const worth = make("p", "jk-worth");
  worth.setAttribute("role", "status");
  const fold = (name: string): { box: HTMLDetailsElement; line: HTMLElement; inside: HTMLElement } => {
    const line = make("summary", "", name);
    const inside = make("div", "jk-inside");
    return { box: make("details", "jk-fold", line, inside), line, inside };
  };
  const deck = fold("Deck");
  const levels = fold("Hand levels");
  const run = fold("Deck, stake, vouchers and tags");
  const root = make("div", live ? "jk jk-live" : "jk", told, head, make("div", "jk-owned", jokers, bag), laid, table, hand, look, make("div", "jk-folds", deck.box, levels.box, run.box));
  host.element.append(root);

  const state = (): State => frame!.state as State;
  const can = (move: number[]): boolean => live && (host.can?.(move) ?? true);
  const moveTo = (deed: number, index = 0): number[] | string => moveFor(state(), choice, deed, index);
  /** Half a sentence when a decision cannot be made. */
  const whyNot = (move: number[] | string): string => (typeof move === "string" ? move : can(move) ? "" : lackOf(state(), move));

  function decide(move: number[] | string): void {
    if (typeof move !== "string" && can(move)) host.choose?.(move);
  }
  const deedButton = (name: string, text: string, move: number[] | string, key = ""): HTMLButtonElement => {
    const element = button(name, text, () => decide(move), whyNot(move), key);
    element.dataset["id"] = `do-${text}`;
    return element;
  };

  // ---- choosing and picking out ----

  const samePlace = (a: Place | null, b: Place): boolean => a?.zone === b.zone && a.index === b.index;
  function act(place: Place): void {
    if (drag?.busy()) return;
    if (place.zone === "hand" && byHand) {
      toggle(choice, place.index);
      if (!choice.picked || choice.picked.zone === "hand") choice.picked = place;
    } else choice.picked = samePlace(choice.picked, place) ? null : place;
    render();
  }
  const tiles: TileHost = {
    get state() {
      return state();
    },
    pressed: (place) => (place.zone === "hand" && byHand ? choice.chosen.has(place.index) : samePlace(choice.picked, place)),
    act,
  };

  /** Moves a joker or card, when that is one. */
  function shift(place: Place | null, by: number): void {
    if (!place || (place.zone !== "joker" && place.zone !== "hand")) return;
    const to = place.index + by;
    if (to < 0 || to >= placesOf(state(), place.zone).length) return;
    const move = moveOf(place.zone === "joker" ? deeds.moveJoker : deeds.moveCard, place.index, to);
    if (!can(move)) return;
    choice.picked = { zone: place.zone, index: to };
    if (place.zone === "hand") swapChosen(place.index, to);
    host.choose?.(move);
  }
  /** The cards that are chosen go with their places. */
  function swapChosen(from: number, to: number): void {
    const order = state().hand.map((_, place) => place);
    order.splice(to, 0, ...order.splice(from, 1));
    const chosen = order.flatMap((place, now) => (choice.chosen.has(place) ? [now] : []));
    choice.chosen = new Set(chosen);
    keepChosen = true;
  }
  let keepChosen = false;

  const drag = byHand ? dragging(root, (from, to) => shift(from, to.index - from.index)) : null;

  // ---- what is shown ----

  const rowOf = (title: string, list: HTMLElement[], none: string): HTMLElement[] => [make("h3", "", title), list.length ? make("div", "jk-tiles", ...list) : make("p", "jk-note", none)];

  function renderOwned(): void {
    const now = state();
    const full = now.joker_slots;
    jokers.replaceChildren(...rowOf(`Jokers ${now.jokers.length} of ${full}`, now.jokers.map((joker, index) => jokerTile(tiles, { zone: "joker", index }, joker)), "none yet"));
    bag.replaceChildren(...rowOf(`Consumables ${now.consumables.length} of ${now.bag_slots}`, now.consumables.map((one, index) => consumableTile(tiles, { zone: "bag", index }, one)), "none"));
  }

  /** A tile with its price and what one can do with it at once. */
  function stall(zone: Zone, index: number, tile: HTMLElement, price: string, deed: number, word: string): HTMLElement {
    const move = live ? moveTo(deed, index) : "";
    return make("div", "jk-stall", tile, live ? stallButton(`${zone}-${index}-buy`, price ? `${word} ${price}` : word, move) : price ? make("p", "jk-price", price) : null);
  }
  function stallButton(id: string, text: string, move: number[] | string): HTMLElement {
    const element = deedButton("button jk-buy", text, move);
    element.dataset["id"] = id;
    return element;
  }

  /** Where the planner makes room for a joker or uses a Planet at once, the button says so. */
  function buyWord(item: Item): string {
    if (byHand || !live) return "Buy";
    return isFull(state(), item) ? "Swap for" : consumableOf(item.key ?? "")?.set === "Planet" ? "Use for" : "Buy";
  }
  function shopParts(now: State): HTMLElement[] {
    const cards = now.shop.flatMap((item, index) => (item ? [stall("shop", index, itemTile(tiles, { zone: "shop", index }, item), priceText(item), deeds.buy, buyWord(item))] : []));
    const offers = now.shop_vouchers.flatMap((offer, index) => (offer ? [stall("voucher", index, offerTile(tiles, { zone: "voucher", index }, offer), priceText(offer), deeds.buyVoucher, "Buy")] : []));
    const packs = now.packs.flatMap((offer, index) => (offer ? [stall("booster", index, offerTile(tiles, { zone: "booster", index }, offer), priceText(offer), deeds.buyPack, "Open")] : []));
    const price = rerollPrice(now);
    const reroll = `Reroll ${price ? money(price) : "free"}`;
    return [
      make("div", "jk-part", make("h3", "", "Shop"), cards.length ? make("div", "jk-tiles", ...cards) : make("p", "jk-note", "sold out"), live ? make("div", "jk-bar", deedButton("button", reroll, moveTo(deeds.reroll), "R"), deedButton("button primary", "Next round", moveTo(deeds.nextRound), "N")) : make("p", "jk-note", reroll)),
      make("div", "jk-part", make("h3", "", "Vouchers"), offers.length ? make("div", "jk-tiles", ...offers) : make("p", "jk-note", "none left")),
      make("div", "jk-part", make("h3", "", "Packs"), packs.length ? make("div", "jk-tiles", ...packs) : make("p", "jk-note", "none left")),
    ];
  }

  function packParts(now: State): HTMLElement[] {
    const cards = now.pack.flatMap((item, index) => (item ? [stall("shown", index, itemTile(tiles, { zone: "shown", index }, item), "", deeds.pick, "Take")] : []));
    return [make("div", "jk-part", make("h3", "", `Open pack: take ${now.pack_picks} more`), make("div", "jk-tiles", ...cards), live ? make("div", "jk-bar", deedButton("button", "Leave the pack", moveTo(deeds.skipPack), "X")) : null)];
  }

  function selectParts(now: State): HTMLElement[] {
    const rerollBoss = moveTo(deeds.rerollBoss);
    const buttons = live
      ? make("div", "jk-bar", deedButton("button primary", "Start the blind", moveTo(deeds.selectBlind), "B"), now.blind < 2 ? deedButton("button", "Skip it for the tag", moveTo(deeds.skipBlind), "K") : null, whyNot(rerollBoss) ? null : deedButton("button", "Reroll the boss $10", rerollBoss, "H"))
      : null;
    return [make("div", "jk-part", make("h3", "", `Ante ${now.ante}`), blindTiles(now), buttons)];
  }

  function tableParts(now: State): HTMLElement[] {
    if (now.phase === phases.end) return [make("div", "jk-part jk-end", make("h3", "", now.lost ? "The run is lost" : "The run is won"), make("p", "", `Ante ${now.ante}, round ${now.round}, best hand ${scoreText(now.best)}.`))];
    if (now.pack_open) return packParts(now);
    if (now.phase === phases.select) return selectParts(now);
    if (now.phase === phases.shop) return shopParts(now);
    if (now.phase === phases.cashOut) return [make("div", "jk-part", make("h3", "", `${blindTitle(now)} is beaten`), make("p", "", `To be paid: ${money(now.owed)}.`), live ? make("div", "jk-bar", deedButton("button primary", `Cash out ${money(now.owed)}`, moveTo(deeds.cashOut), "C")) : null)];
    return [];
  }

  function renderHand(): void {
    const now = state();
    hand.hidden = now.hand.length === 0;
    if (hand.hidden) return hand.replaceChildren();
    const cards = now.hand.map((text, index) => cardTile(tiles, { zone: "hand", index }, text));
    const count = choice.chosen.size;
    bar.replaceChildren();
    if (byHand && now.phase === phases.play && !now.pack_open) {
      bar.append(deedButton("button primary", "Play hand", moveTo(deeds.play), "P"), deedButton("button", "Discard", moveTo(deeds.discard), "D"));
    } else if (live && now.phase === phases.play) bar.append(deedButton("button primary", "Go on", moveTo(goOn), "P"), make("p", "jk-note", "The planner plays or discards."));
    if (byHand && count) bar.append(button("button", `Let go of ${count}`, clear, "", "W"));
    hand.replaceChildren(make("h3", "", byHand && count ? `Hand, ${count} chosen` : "Hand"), make("div", "jk-cards", ...cards), bar, worth);
  }

  function renderLook(): void {
    const shown = choice.picked ? lookOf(choice.picked, state(), choice) : null;
    look.hidden = !shown;
    if (!shown) return look.replaceChildren();
    const buttons = live ? shown.deeds.map(([text, move, key]) => deedButton("button", text, move, key)) : [];
    const reasons = live ? [...new Set(shown.deeds.flatMap(([, move]) => (typeof move === "string" && /^choose/.test(move) ? [`To use it, ${move}.`] : [])))] : [];
    look.replaceChildren(make("h3", "", shown.title), ...shown.lines.filter(Boolean).map((line) => make("p", "", line)), ...reasons.map((line) => make("p", "jk-note", line)), buttons.length ? make("div", "jk-bar", ...buttons) : "");
  }

  /** What the chosen cards would score, as soon as the tool has told it. */
  function renderWorth(): void {
    clearTimeout(previewTimer);
    preview.abort();
    const now = state();
    const chosen = [...choice.chosen].sort((a, b) => a - b);
    worth.hidden = !(byHand && now.phase === phases.play && !now.pack_open);
    const asked = !worth.hidden && chosen.length > 0;
    if (!asked) {
      worth.textContent = worth.hidden ? "" : "Choose 1 to 5 cards.";
      return;
    }
    const ask = new AbortController();
    preview = ask;
    previewTimer = window.setTimeout(() => {
      if (!host.tool) return;
      scoreOf(host.tool, now, chosen, "worst", ask.signal).then(
        (scored) => {
          if (ask.signal.aborted) return;
          if (!scored) worth.textContent = "What lies face down decides what this scores.";
          else if (scored.blocked) worth.textContent = `${scored.hand}: the boss lets it score nothing.`;
          else {
            const { worst, mean, best } = scored.luck;
            const luck = best > worst ? `, by luck ${scoreText(worst)} to ${scoreText(best)}, on average ${scoreText(mean)}` : "";
            const enough = now.score + worst >= now.target ? " This beats the blind." : "";
            worth.textContent = `${scored.hand}: ${scoreText(scored.chips)} × ${multText(scored.mult)} = ${scoreText(scored.score)}${luck}.${enough}`;
          }
        },
        () => ask.signal.aborted || (worth.textContent = ""),
      );
    }, previewMs);
  }

  function render(): void {
    const now = state();
    const focused = root.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset["id"] : undefined;
    root.classList.remove("jk-deal"); // only what a frame brings is dealt
    told.textContent = wordsOf(frame!);
    head.replaceChildren(...headPanel(now, score));
    renderOwned();
    const parts = tableParts(now);
    table.hidden = parts.length === 0;
    table.replaceChildren(...parts);
    renderHand();
    renderLook();
    renderWorth();
    deck.line.textContent = deckLine(now);
    deck.inside.replaceChildren(deckPanel(now));
    levels.inside.replaceChildren(levelsPanel(now));
    run.inside.replaceChildren(runPanel(now));
    if (focused) root.querySelector<HTMLElement>(`[data-id="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  function clear(): void {
    choice.chosen.clear();
    render();
  }

  // ---- the last hand ----

  function light(place: number | null): void {
    jokers.querySelectorAll(".jk-tile").forEach((tile, k) => tile.classList.toggle("jk-lit", k === place));
  }
  function settle(): void {
    score = state().score;
    head.replaceChildren(...headPanel(state(), score));
  }
  async function showHand(before: Frame, after: Frame, chosen: number[], ms: number): Promise<void> {
    const { signal } = (steps = new AbortController());
    try {
      const scored = host.tool ? await stepsOf(host.tool, before.state, after.state, chosen, signal) : null;
      if (signal.aborted || frame !== after) return;
      if (!scored) return settle();
      last = tally({ sound: host.sound, light, done: settle }, before.state, chosen, scored, (after.state as State).last_score, Math.min(ms, stepMs * scored.steps.length));
      laid.replaceChildren(last.element);
      if (!last.element.classList.contains("jk-counting")) settle();
    } catch {
      if (!signal.aborted) settle(); // without the tool the sum stands alone
    }
  }
  /** Only the sum, where the steps are not known. */
  function showSum(now: State, chosen: number[], before: State | null): void {
    laid.replaceChildren();
    const fresh = now.phase === phases.play ? now.played_round > 0 : now.phase === phases.cashOut || now.phase === phases.end;
    if (now.last_score <= 0 || !fresh) return;
    const cards = before ? chosen.map((place) => cardShort(before.hand[place] ?? "?")).join(" ") : "";
    laid.append(make("p", "jk-sum", make("span", "jk-hand", cards || "Last hand"), " ", make("b", "jk-chips", scoreText(now.last_chips)), make("span", "jk-times", "×"), make("b", "jk-mult", multText(now.last_mult)), make("span", "jk-times", "="), make("b", "jk-result", scoreText(now.last_score))));
  }

  /** Card places after a step: what is chosen stays only where nothing moved. */
  function keepChoice(before: Frame | null): void {
    const now = state();
    const same = before !== null && (keepChosen || (before.state as State).hand.join() === now.hand.join());
    if (!same) choice.chosen.clear();
    if (byHand && now.phase === phases.play) for (const place of forcedOf(now)) choice.chosen.add(place);
    for (const place of choice.chosen) if (place >= now.hand.length) choice.chosen.delete(place);
    if (choice.picked && !placesOf(now, choice.picked.zone).includes(choice.picked.index)) choice.picked = null;
    // another thing at the same place is another thing
    if (choice.picked && before && !keepChosen && nameAt(before.state, choice.picked) !== nameAt(now, choice.picked)) choice.picked = null;
    keepChosen = false;
  }
  function nameAt(at: State, { zone, index }: Place): string {
    const lists: Record<Zone, unknown[]> = { hand: at.hand, joker: at.jokers.map((joker) => joker.key), bag: at.consumables.map((one) => one.key), shop: at.shop, voucher: at.shop_vouchers, booster: at.packs, shown: at.pack };
    return JSON.stringify(lists[zone][index] ?? null);
  }

  /** Decides for the thing of a kind that is picked out, or for the first that can be had. */
  function take(deed: number): void {
    const zone = zoneOf[deed]!;
    const places = choice.picked?.zone === zone ? [choice.picked.index] : placesOf(state(), zone);
    const index = places.find((place) => !whyNot(moveTo(deed, place)));
    if (index !== undefined) decide(moveTo(deed, index));
  }
  const planKeys: BoardKey[] = [
    ...Array.from({ length: 5 }, (_, k) => ({ key: String(k + 1), label: `take card ${k + 1} of the shop or pack`, act: () => frame && decide(moveTo(state().pack_open ? deeds.pick : deeds.buy, k)) })),
    { key: "v", label: "buy a voucher", act: () => take(deeds.buyVoucher) },
    { key: "o", label: "open a pack", act: () => take(deeds.buyPack) },
    { key: "e", label: "use a consumable", act: () => take(deeds.use) },
  ];
  const keys: BoardKey[] = [
    ...Array.from({ length: 10 }, (_, k) => ({ key: String((k + 1) % 10), label: `choose card ${k + 1}`, act: () => frame && k < state().hand.length && act({ zone: "hand", index: k }) })),
    { key: "w", label: "let go of all cards", act: clear },
    { key: "[", label: "move what is picked out to the left", act: () => shift(choice.picked, -1) },
    { key: "]", label: "move what is picked out to the right", act: () => shift(choice.picked, 1) },
  ];

  const instance: ViewInstance = {
    show(now, near) {
      steps.abort();
      last?.stop();
      last = null;
      const before = near.before;
      frame = now;
      const moves = near.animate && !host.reduced;
      const chosen = before ? playedOf(now) : [];
      const fast = 1000 / near.speed;
      score = chosen.length && moves && before ? (before.state as State).score : state().score;
      keepChoice(before);
      showSum(state(), chosen, before ? (before.state as State) : null);
      render();
      root.classList.toggle("jk-deal", moves);
      if (near.animate) for (const effect of effectsOf(now)) host.sound(effect.cue);
      if (before && chosen.length) {
        // nobody waits for the next frame while a person plays
        const room = live && fast >= 500 ? mostMs : fast * 0.9;
        void showHand(before, now, chosen, moves ? room : 0);
      }
    },
    resize: () => undefined,
    theme: () => undefined,
    destroy() {
      steps.abort();
      preview.abort();
      clearTimeout(previewTimer);
      last?.stop();
      drag?.destroy();
      root.remove();
    },
  };
  if (!live) return instance;
  const suggest = (move: number[]): void => {
    const { deed, index } = deedOf(move);
    const zone = zoneOf[deed];
    choice.chosen = new Set(move.slice(3).flatMap((bit, place) => (bit === 1 && place < state().hand.length ? [place] : [])));
    choice.picked = zone ? { zone, index } : null;
    render();
  };
  if (!byHand) return { ...instance, suggest, keys: planKeys };
  return { ...instance, suggest, keys, compose: (option) => (frame ? compose(state(), choice, option, can) : "the board is not ready") };
}
