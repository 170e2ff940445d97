// The bar of a person's choices: a button per choice with its key, pressed while it is chosen, dim while
// the rules do not allow it. Styles and protections can be chosen ahead, the rest only when it is legal.
import { make } from "ludus/make";
import type { BoardKey, Frame, ViewHost } from "ludus/view";
import { isLegal, Plan, variantOf, type Choice, type Group, type Variant } from "./choices";
import { icon } from "./shapes";
import { doses, leftOf, prayersOf, stateOf } from "./state";

const keyNames: Record<string, string> = { ArrowUp: "↑", ArrowDown: "↓", ArrowRight: "→", ArrowLeft: "←" };
const keyName = (key: string): string => keyNames[key] ?? key.toUpperCase();

export class Bar {
  readonly element = make("div", "du-bar");
  readonly keys: BoardKey[];
  private readonly variant: Variant;
  private readonly buttons = new Map<string, HTMLButtonElement>();
  private readonly plans: Plan[];
  private seat = 0;
  private prays = "";
  private left: Record<string, number> = {};
  private hinted: number[] | null = null;

  constructor(private readonly host: ViewHost) {
    this.variant = variantOf(host.legal?.().length ?? 0);
    this.plans = [new Plan(this.variant), new Plan(this.variant)];
    for (const group of this.variant.groups) this.element.append(this.row(group));
    this.keys = this.variant.groups.flatMap((group) => group.choices.map((choice) => ({ key: choice.key, label: group.name === "Prayer" ? choice.hint.replace(/\.$/, "").toLowerCase() : choice.label, act: () => this.press(group, choice) })));
  }

  private row(group: Group): HTMLElement {
    const row = make("div", "du-choices");
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", group.name);
    row.append(make("h3", "", group.name));
    for (const choice of group.choices) {
      const button = make("button", "du-choice", icon(choice.shape), make("span", "", choice.label, make("small", "")), make("kbd", "", keyName(choice.key)));
      button.type = "button";
      button.dataset["choice"] = choice.id;
      button.setAttribute("aria-keyshortcuts", choice.key);
      button.querySelector("kbd")!.setAttribute("aria-hidden", "true");
      button.addEventListener("click", () => this.press(group, choice));
      this.buttons.set(choice.id, button);
      row.append(button);
    }
    return row;
  }

  private get plan(): Plan {
    return this.plans[this.seat]!;
  }

  private press(group: Group, choice: Choice): void {
    if (!group.stays && !isLegal(this.variant, choice, this.legal())) return;
    this.plan.press(choice.id);
    this.draw();
  }

  private legal(): Uint8Array {
    return this.host.legal?.() ?? new Uint8Array(0);
  }

  /** What the next tick takes. */
  decision(): number[] {
    return this.plan.decision(this.legal(), this.prays);
  }

  suggest(actions: number[]): void {
    this.hinted = actions;
    this.draw();
  }

  /** Another moment; `passed`: a tick has gone by. */
  show(frame: Frame, passed: boolean): void {
    if (passed) {
      for (const plan of this.plans) plan.ticked();
      this.hinted = null;
    }
    this.seat = leftOf(frame);
    const own = stateOf(frame).fighters[this.seat]!;
    const over = prayersOf(own).over?.shape ?? "";
    this.left = { food: own.food ?? 0, karambwan: own.karambwan ?? 0, ...Object.fromEntries(doses.map((name, k) => [name, own.dose?.[k] ?? 0])) };
    this.prays = over === "smite" || over === "redemption" ? over : `pray_${over}`;
    this.draw();
  }

  private draw(): void {
    const mask = this.legal();
    for (const group of this.variant.groups) {
      for (const choice of group.choices) {
        const button = this.buttons.get(choice.id)!;
        const legal = isLegal(this.variant, choice, mask);
        const hinted = this.hinted !== null && choice.id !== "hold" && choice.sets.every(([head, option]) => this.hinted![head] === option);
        button.setAttribute("aria-pressed", String(this.plan.has(choice.id)));
        button.classList.toggle("du-later", !legal);
        button.classList.toggle("du-hinted", hinted);
        if (legal || group.stays) button.removeAttribute("aria-disabled");
        else button.setAttribute("aria-disabled", "true");
        button.querySelector("small")!.textContent = choice.id in this.left ? ` ${this.left[choice.id]}` : "";
        button.title = legal ? choice.hint : `${choice.hint} Not now: ${this.why(choice, mask)}.`;
      }
    }
  }

  private why(choice: Choice, mask: Uint8Array): string {
    const closed = choice.sets.find(([head, option]) => mask[(this.variant.offsets[head] ?? 0) + option] !== 1);
    return (closed && this.host.why?.(...closed)) || "the rules do not allow it";
  }
}
