// The best possible brew of an episode's task beside what was brewed: recipe, cauldron and stock of the
// reset go to the exact solver (`ludus potion solve`), which runs in the page.
import type { BesideHost, BesideInstance, Episode, Frame } from "ludus/view";
import "./beside.css";
import { gold } from "./pen";
import { brewOf } from "../page/rules";
import type { State } from "./rules";
import { gradeName, ingredientOf } from "./tables";

const memory = 448; // MB for the solver; with the rest of the module it stays below 512

/** A potion of the solver's answer. */
interface Brew {
  proof: string;
  total: number;
  items: number;
  brewed: number;
  grade: number;
  unit_price: number;
  cost: number;
  profit: number;
  mix: Record<string, number>;
}

interface Answer {
  best_total: Brew | null;
  best_profit: Brew | null;
  /** reward of mode `code` for the largest potion, and whether nothing can score more */
  rl_reward_perfect?: number;
  rl_reward_is_maximum?: boolean;
}

function make<K extends keyof HTMLElementTagNameMap>(tag: K, name: string, ...inside: (Node | string)[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...inside);
  return element;
}

const score = (value: number): string => value.toFixed(3);

/** A share that is never rounded up to all of it. */
const shareText = (share: number): string => (share < 1 && share > 0.9995 ? ">99.9%" : `${(100 * share).toFixed(1)}%`);

/** What was added, by action. */
function piecesOf(added: number[]): Map<number, number> {
  const pieces = new Map<number, number>();
  for (const action of added) pieces.set(action, (pieces.get(action) ?? 0) + 1);
  return pieces;
}

const mixOf = (brew: Brew): Map<number, number> => new Map(Object.entries(brew.mix).map(([action, count]) => [Number(action), count]));

function list(title: string, pieces: Map<number, number>, other: Map<number, number>): HTMLElement {
  const rows = [...pieces].map(([action, count]) => {
    const row = make("li", other.get(action) === count ? "shared" : "", make("b", "", `${count} ×`), ` ${ingredientOf(action)?.name ?? action}`);
    row.dataset["action"] = String(action);
    return row;
  });
  return make("div", "", make("h3", "", title), rows.length ? make("ul", "", ...rows) : make("p", "best-note", "nothing"));
}

function table(by: string, rows: [name: string, agent: string, best: string][]): HTMLElement {
  const head = make("thead", "", make("tr", "", make("th", "", make("span", "sr-only", "Figure")), make("th", "", by), make("th", "", "Best")));
  const body = make("tbody", "");
  for (const [name, agent, best] of rows) {
    const label = make("th", "", name);
    label.scope = "row";
    body.append(make("tr", "", label, make("td", "", agent), make("td", "", best)));
  }
  for (const cell of head.querySelectorAll("th")) cell.scope = "col";
  return make("table", "", head, body);
}

/** Agent and optimum, with the share that the agent reached. */
function compare(end: Frame, by: string, answer: Answer, seconds: number): HTMLElement[] {
  const state = end.state as State;
  const best = answer.best_total;
  if (!best) return [make("p", "", "No potion of exactly this ratio can be made from the stock, so there is nothing to compare with.")];
  const top = answer.rl_reward_perfect ?? 1;
  const reached = Number(end.info["score"] ?? 0);
  const share = reached / top;
  const line = make("p", "best-share", make("b", "", shareText(share)), "of the best score");
  const bar = make("div", share >= 1 ? "best-bar top" : "best-bar", make("span", ""));
  (bar.firstElementChild as HTMLElement).style.width = `${Math.min(100, 100 * share)}%`;
  const bestProfit = answer.best_profit;
  const rows: [string, string, string][] = [
    ["Score", score(reached), score(top)],
    ["Magimins", `${state.total}`, `${best.total} of ${state.max_magimins}`],
    ["Stability", state.stability, "perfect"],
    ["Potions", state.brewed ? `${state.brewed} × ${gradeName(state.expected_grade)}` : "none", `${best.brewed} × ${gradeName(best.grade)}`],
    ["Profit", gold(state.profit), gold(brewOf(state.recipe, state.cauldron, best.mix).profit)],
  ];
  const mine = piecesOf(state.added);
  const theirs = mixOf(best);
  const mixes = make("div", "best-mixes", list(by, mine, theirs), list("Best", theirs, mine));
  const proven = best.proof === "optimal" ? "Proven" : "Best found, not proven";
  const note = [`${proven} in ${seconds < 1 ? `${Math.max(1, Math.round(1000 * seconds))} ms` : `${seconds.toFixed(1)} s`} on this page: the largest potion of exactly the recipe's ratio from the stock at the start.`];
  if (bestProfit && bestProfit.profit > best.profit) note.push(`Another exact mix brings a profit of ${gold(brewOf(state.recipe, state.cauldron, bestProfit.mix).profit)}.`);
  if (share > 1 + 1e-9) note.push("A mix up to 0.25% off still counts as perfect, so a score may lie above.");
  else if (answer.rl_reward_is_maximum === false) note.push("A fuller brew that is less exact may score more here.");
  return [line, bar, table(by, rows), mixes, make("p", "best-note", note.join(" "))];
}

/** Both mixes in the brewing table, with the stock of the reset. */
async function links({ recipe, cauldron, stock }: State, mixes: [title: string, mix: Map<number, number>][]): Promise<HTMLElement> {
  const { piecesText, stockText } = await import("../page/share");
  const parts = mixes.flatMap(([title, mix], k) => {
    const query = new URLSearchParams({ r: `${recipe}`, c: `${cauldron}`, mix: piecesText(Object.fromEntries(mix)), stock: stockText(stock) });
    const link = make("a", "", title);
    link.href = `/potion?${query}`;
    return k ? [", ", link] : [link];
  });
  return make("p", "best-note", "Open in the brewing table: ", ...parts);
}

export function beside(host: BesideHost, { first, end, by }: Episode): BesideInstance {
  const abort = new AbortController();
  const heading = make("h2", "", "The best possible brew");
  const place = make("div", "best");
  let shown: Frame = first;
  host.element.append(heading, place);

  /** What the agent has not yet added at the frame shown stands back. */
  function mark(): void {
    const so = piecesOf((shown.state as State).added);
    for (const row of place.querySelectorAll<HTMLElement>(".best-mixes > :first-child li")) row.classList.toggle("later", !so.has(Number(row.dataset["action"])));
  }

  async function solve(): Promise<void> {
    const { recipe, cauldron, stock } = first.state as State;
    const bar = make("progress", "");
    const words = make("span", "");
    bar.max = 1;
    bar.setAttribute("aria-label", "Solving");
    const stop = make("button", "button small", "Stop");
    stop.type = "button";
    stop.addEventListener("click", () => abort.abort());
    const status = make("p", "", "Looking for the best brew of this task … ", words);
    place.replaceChildren(status, bar, stop);
    const began = performance.now();
    try {
      const settings = { recipe: String(recipe), cauldron: String(cauldron), stock: JSON.stringify(stock), memory };
      const progress = (share: number, what: string): void => {
        bar.value = share;
        words.textContent = what;
      };
      const [answer] = (await host.tool({ tool: "solve", settings }, { signal: abort.signal, progress })) as Answer[];
      const seconds = (performance.now() - began) / 1000;
      const last = await end;
      const mixes: [string, Map<number, number>][] = [[by, piecesOf((last.state as State).added)]];
      if (answer?.best_total) mixes.push(["Best", mixOf(answer.best_total)]);
      place.replaceChildren(...compare(last, by, answer!, seconds), await links(first.state as State, mixes));
      mark();
    } catch (cause) {
      const why = abort.signal.aborted ? "Stopped." : `The best brew cannot be computed here: ${cause instanceof Error ? cause.message : String(cause)}.`;
      place.replaceChildren(make("p", "best-note", why));
    }
  }
  void solve();

  return {
    show(frame) {
      shown = frame;
      mark();
    },
    destroy() {
      abort.abort();
      heading.remove();
      place.remove();
    },
  };
}

