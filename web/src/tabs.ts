// On narrow screens a picture of many panels shows some of them at a time: tabs above it choose which.
import "./tabs.css";

export const narrow = 620; // px

export class Tabs {
  chosen = 0;
  private readonly row = document.createElement("div");

  /** `change` hears of another choice. */
  constructor(
    box: HTMLElement,
    names: readonly string[],
    private readonly change: () => void,
  ) {
    this.row.className = "segments picture-tabs";
    this.row.role = "group";
    this.row.ariaLabel = "Part of the picture";
    names.forEach((name, tab) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.onclick = () => this.choose(tab);
      this.row.append(button);
    });
    box.append(this.row);
    this.choose(0);
  }

  choose(tab: number): void {
    [...this.row.children].forEach((button, k) => (button.ariaPressed = String(k === tab)));
    if (tab === this.chosen) return;
    this.chosen = tab;
    this.change();
  }

  /** Where the picture is wide it shows everything. */
  fit(width: number): void {
    this.row.hidden = width >= narrow;
  }

  remove(): void {
    this.row.remove();
  }
}
