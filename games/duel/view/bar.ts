// The bar of a person's choices: a button per choice with its key, pressed while it is chosen, dim while
// the rules do not allow it. Styles and protections can be chosen ahead, the rest only when it is legal.
// Two persons on the clock look at one screen: both keys stand on the buttons, and nothing that they chose.
import { keyName } from "ludus/lib/key_name";
import { make } from "ludus/make";
import type { BoardKey, Frame, ViewHost } from "ludus/view";
import { isLegal, Plan, secondKeys, variantOf, type Choice, type Group, type Variant } from "./choices";
import { icon } from "./shapes";
import { doses, prayersOf, stateOf, type Fighter } from "./state";

/** The choice whose prayer a fighter has over the head. */
function overheadOf(fighter: Fighter): string {
  const shape = prayersOf(fighter).over?.shape ?? "";
  return shape === "smite" || shape === "redemption" ? shape : `pray_${shape}`;
}


export class Bar {
  readonly element = make("div", "du-bar");
  readonly keys: BoardKey[];
  private readonly variant: Variant;
  private readonly buttons = new Map<string, HTMLButtonElement>();
  private readonly plans: Plan[];
  private shared = false;
  /** by seat, as it is seen over the head */
  private prays = ["", ""];
  private left: Record<string, number> = {};
  private hinted: number[] | null = null;

  constructor(private readonly host: ViewHost) {
    this.variant = variantOf(host.legal?.().length ?? 0);
    this.plans = [new Plan(this.variant), new Plan(this.variant)];
    for (const group of this.variant.groups) this.element.append(this.row(group));
    this.keys = this.variant.groups.flatMap((group) => group.choices.map((choice) => ({ key: choice.key, second: secondKeys[choice.id]!, label: group.name === "Prayer" ? choice.hint.replace(/\.$/, "").toLowerCase() : choice.label, act: (seat) => this.press(group, choice, seat) })));
  }

  private row(group: Group): HTMLElement {
    const row = make("div", "du-choices");
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", group.name);
    row.append(make("h3", "", group.name));
    for (const choice of group.choices) {
      const button = make("button", "du-choice", icon(choice.shape), make("span", "", choice.label, make("small", "")), make("kbd", "", keyName(choice.key)), make("kbd", "du-second", keyName(secondKeys[choice.id]!)));
      button.type = "button";
      button.dataset["choice"] = choice.id;
      button.setAttribute("aria-keyshortcuts", choice.key);
      for (const key of button.querySelectorAll("kbd")) key.setAttribute("aria-hidden", "true");
      button.addEventListener("click", () => this.press(group, choice));
      this.buttons.set(choice.id, button);
      row.append(button);
    }
    return row;
  }

  private get seat(): number {
    return this.host.asked?.() ?? 0;
  }

  private press(group: Group, choice: Choice, seat = this.seat): void {
    if (!group.stays && !isLegal(this.variant, choice, this.legal(seat))) return;
    this.plans[seat]!.press(choice.id);
    this.draw();
  }

  private legal(seat: number): Uint8Array {
    return this.host.legal?.(seat) ?? new Uint8Array(0);
  }

  /** What the next tick takes for a seat. */
  decision(seat: number): number[] {
    return this.plans[seat]!.decision(this.legal(seat), this.prays[seat]!);
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
    this.shared = frame.seat < 0;
    this.element.classList.toggle("du-shared", this.shared);
    const { fighters } = stateOf(frame);
    const own = fighters[this.seat]!;
    this.prays = fighters.map(overheadOf);
    this.left = { food: own.food ?? 0, karambwan: own.karambwan ?? 0, ...Object.fromEntries(doses.map((name, k) => [name, own.dose?.[k] ?? 0])) };
    this.draw();
  }

  private draw(): void {
    const { seat, shared } = this;
    const masks = (shared ? [0, 1] : [seat]).map((one) => this.legal(one));
    for (const group of this.variant.groups) {
      for (const choice of group.choices) {
        const button = this.buttons.get(choice.id)!;
        const legal = masks.some((mask) => isLegal(this.variant, choice, mask));
        const hinted = this.hinted !== null && choice.id !== "hold" && choice.sets.every(([head, option]) => this.hinted![head] === option);
        button.setAttribute("aria-pressed", String(!shared && this.plans[seat]!.has(choice.id)));
        button.classList.toggle("du-later", !legal);
        button.classList.toggle("du-hinted", hinted);
        if (legal || group.stays) button.removeAttribute("aria-disabled");
        else button.setAttribute("aria-disabled", "true");
        button.querySelector("small")!.textContent = choice.id in this.left && !shared ? ` ${this.left[choice.id]}` : "";
        button.title = legal ? choice.hint : `${choice.hint} Not now: ${this.why(choice, masks[0]!)}.`;
      }
    }
  }

  private why(choice: Choice, mask: Uint8Array): string {
    const closed = choice.sets.find(([head, option]) => mask[(this.variant.offsets[head] ?? 0) + option] !== 1);
    return (closed && this.host.why?.(...closed)) || "the rules do not allow it";
  }
}
