// Beside a fight: in Watch what both sides thought and how it stands, and, when its end is known, the
// review of the whole.
import { draw, make } from "ludus/make";
import type { BesideHost, BesideInstance, Episode, Frame, HeadWords, Thought } from "ludus/view";
import "./beside.css";
import { estimateOf, luckOf, luckWords, predicts, review, type Review, type Side } from "./review";
import { fullOf, leftOf, nameOf, stateOf } from "./state";
import { dharokHeads, heads } from "./words";

const percent = (share: number): string => `${Math.round(100 * share)}%`;
const wide = (share: number): string => `${(100 * share).toFixed(1)}%`;
const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(1)}`;

/** Heads that are shown whole; of the others what they are likely to do. */
const whole = new Set(["Attack", "Prayer"]);

/** The heads of the variant that a decision of both seats is of, each with its first flat option. */
function headsOf({ action }: Frame): (HeadWords & { first: number })[] {
  let first = 0;
  return (action?.length === 2 * dharokHeads.length ? dharokHeads : heads).map((head) => ({ ...head, first: (first += head.options.length) - head.options.length }));
}

function bar(name: string, share: number, chosen: boolean): HTMLElement {
  const fill = make("span", "");
  fill.style.width = wide(share);
  const row = make("li", chosen ? "du-chosen" : "", make("span", "", name, chosen ? make("span", "sr-only", " (chosen)") : null), make("span", "du-share", fill), make("b", "", percent(share)));
  return row;
}

/** The probabilities of one side. */
function mind(thought: Thought, seat: number, frame: Frame): HTMLElement[] {
  const known = new Map(thought.top.map((entry) => [entry.option, entry.probability]));
  const all = headsOf(frame);
  const chosen = (head: number): number => frame.action?.[seat * all.length + head] ?? 0;
  const rows = all.map(({ first, options }, head) => options.map((name, k) => ({ name, k, share: known.get(first + k) ?? 0, chosen: chosen(head) === k })));
  const bars = (list: (typeof rows)[number]): HTMLElement => make("ul", "", ...list.map((one) => bar(one.name, one.share, one.chosen)));
  const parts = rows.flatMap((row, head) => {
    const list = row.filter(({ share }) => share >= 0.005);
    return whole.has(all[head]!.title) && list.length ? [make("h4", "", all[head]!.title), bars(list)] : [];
  });
  // how far away is no deed of its own
  const rest = rows.flatMap((row, head) => (whole.has(all[head]!.title) || all[head]!.title === "Distance" ? [] : row.filter(({ k, share }) => k > 0 && share >= 0.05)));
  const more = rest.sort((a, b) => b.share - a.share).slice(0, 6);
  return more.length ? [...parts, make("h4", "", "Also"), bars(more)] : parts;
}

function scale(estimate: number, frame: Frame): HTMLElement {
  const left = make("span", "du-a");
  left.style.width = wide(estimate);
  // a return beyond that of a win is no chance
  const beyond = (estimate === 0 || estimate === 1) && !predicts(frame.thoughts);
  const [first, second] = beyond ? [estimate ? "ahead" : "behind", `${nameOf(frame, 1)} ${estimate ? "behind" : "ahead"}`] : [percent(estimate), `${percent(1 - estimate)} ${nameOf(frame, 1)}`];
  return make("div", "du-estimate", make("div", "du-scale", left, make("span", "du-b")), make("p", "", make("b", "", `${nameOf(frame, 0)} ${first}`), make("b", "", second)));
}

/** What both thought before the step that led here. */
function minds(frame: Frame): HTMLElement[] {
  const estimate = estimateOf(frame.thoughts);
  if (!frame.thoughts || estimate === null) return [make("p", "du-note", frame.index === 0 ? "No thoughts yet." : "This replay holds no thoughts here.")];
  const columns = frame.thoughts.map((thought, seat) => make("div", "", make("h3", "", nameOf(frame, seat)), ...(thought ? mind(thought, seat, frame) : [make("p", "du-note", "It was not asked, or it isn’t a model.")])));
  return [
    make("h2", "", "How it stands"),
    scale(estimate, frame),
    make("p", "du-note", predicts(frame.thoughts) ? "Estimated by the predictors of the models." : "Estimated from the return that the models expect (1 for a win, −1 for a loss). Models trained on other rewards as well give no win rate."),
    make("h2", "", "What both thought"),
    make("div", "du-minds", ...columns),
  ];
}

function table(names: string[], rows: [string, string, string, string?][]): HTMLElement {
  const cell = (tag: "th" | "td", text: string, scope = "") => {
    const element = make(tag, "", text);
    if (scope) element.setAttribute("scope", scope);
    return element;
  };
  const head = make("thead", "", make("tr", "", make("td", "", make("span", "sr-only", "Figure")), ...names.map((name) => cell("th", name, "col"))));
  const body = make("tbody", "");
  for (const [name, left, right, hint] of rows) {
    const label = cell("th", name, "row");
    if (hint) label.title = hint;
    body.append(make("tr", "", label, cell("td", left), cell("td", right)));
  }
  return make("table", "", head, body);
}

const share = (part: number, whole: number): string => (whole ? `${part} of ${whole} (${percent(part / whole)})` : "none");

function figures({ sides }: Review, order: [number, number], names: string[]): HTMLElement {
  const [a, b] = order.map((seat) => sides[seat]!) as [Side, Side];
  const both = (tell: (one: Side) => string): [string, string] => [tell(a), tell(b)];
  const luck = (one: Side) => `${signed(luckOf(one).points)} (usual ±${luckOf(one).usual.toFixed(0)})`;
  return table(names, [
    ["Damage dealt", ...both((one) => one.dealt.toFixed(0)), "Of all attacks, when they were made"],
    ["Damage expected", ...both((one) => one.expected.toFixed(1)), "The mean of the same attacks"],
    ["Luck", ...both(luck), "Damage dealt minus damage expected, and how far from zero that usually is over so many attacks"],
    ["That is", ...both(luckWords)],
    ["Off-prayer hits", ...both((one) => share(one.open, one.attacks)), "Attacks that no protection matched"],
    ["Correct prayers", share(b.attacks - b.open, b.attacks), share(a.attacks - a.open, a.attacks), "Attacks by the opponent that the protection matched"],
    ["Specials", ...both((one) => (one.specials ? `${one.specials}: ${one.specialDealt} for ${one.specialExpected.toFixed(1)}` : "none")), "How many, damage dealt and expected"],
    ["Largest hit", ...both((one) => String(one.best))],
    ["Food and brews", ...both((one) => String(one.meals))],
    ["Ticks frozen", ...both((one) => String(one.frozen))],
  ]);
}

const size = { x: 300, y: 84 };

/** Hitpoints of both by tick, and the estimate where there are thoughts. */
function chart({ sides, estimates }: Review, first: Frame, order: [number, number]): { element: SVGElement; mark: (index: number) => void } {
  const last = Math.max(1, estimates.length - 1);
  const line = (kind: string, values: (number | null)[], full: number) =>
    draw("polyline", { class: kind, points: values.flatMap((value, k) => (value === null ? [] : [`${((k / last) * size.x).toFixed(1)},${(size.y - (value / full) * (size.y - 4) - 2).toFixed(1)}`])).join(" ") });
  const full = Math.max(...stateOf(first).fighters.map(fullOf), ...sides.flatMap((one) => one.hitpoints));
  const cursor = draw("line", { class: "du-cursor", y1: 0, y2: size.y, x1: 0, x2: 0 });
  const mine = estimates.map((value) => (value === null ? null : order[0] === 0 ? value : 1 - value));
  const element = draw("svg", { viewBox: `0 0 ${size.x} ${size.y}`, preserveAspectRatio: "none", role: "img", class: "du-chart" }, line("du-value", mine, 1), line("du-a", sides[order[0]]!.hitpoints, full), line("du-b", sides[order[1]]!.hitpoints, full), cursor);
  element.setAttribute("aria-label", `Hitpoints of both by tick, ${last} ticks`);
  return { element, mark: (index) => ["x1", "x2"].forEach((side) => cursor.setAttribute(side, String((Math.min(index, last) / last) * size.x))) };
}

export function beside(host: BesideHost, episode: Episode): BesideInstance {
  const abort = new AbortController();
  const now = make("div", "du-now");
  const whole = make("div", "du-review");
  let mark: (index: number) => void = () => undefined;
  let shown = episode.first;
  host.element.classList.add("du-beside");
  host.element.append(now, whole);

  async function tell(): Promise<void> {
    const end = await episode.end;
    if (abort.signal.aborted) return;
    whole.replaceChildren(make("p", "du-note", "Reviewing the fight …"));
    const sums = await review(episode.whole(), abort.signal);
    if (!sums) return;
    const left = leftOf(end);
    const order: [number, number] = [left, 1 - left];
    const names = order.map((seat) => nameOf(end, seat));
    const drawn = chart(sums, episode.first, order);
    mark = drawn.mark;
    mark(shown.index);
    const legend = make("p", "du-note du-legend", make("span", "du-a", names[0]!), make("span", "du-b", names[1]!), sums.estimates.some((one) => one !== null) ? make("span", "du-value", `estimate for ${names[0]}`) : null);
    whole.replaceChildren(make("h2", "", "Review of the fight"), drawn.element, legend, figures(sums, order, names), make("p", "du-note", "Damage counts when an attack is made; its mean is exact for what both wore, drank and prayed then. What follows later (poison, recoil, vengeance) is not included."));
  }
  void tell().catch(() => whole.replaceChildren(make("p", "du-note", "The fight cannot be reviewed here.")));

  return {
    show(frame) {
      shown = frame;
      if (frame.seat < 0) now.replaceChildren(...minds(frame));
      mark(frame.index);
    },
    destroy() {
      abort.abort();
      host.element.replaceChildren();
    },
  };
}
