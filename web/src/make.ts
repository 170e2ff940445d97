// Elements by one call; texts only as text.

type Inside = Node | string | null | false | undefined;

export function make<K extends keyof HTMLElementTagNameMap>(tag: K, name = "", ...inside: Inside[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (name) element.className = name;
  for (const part of inside) if (part) element.append(part);
  return element;
}

const space = "http://www.w3.org/2000/svg";

export function draw<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Record<string, string | number>, ...inside: Inside[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  for (const part of inside) if (part) element.append(part);
  return element;
}

/** A button; `why` greys it out and says the reason; its key is shown, and no part of its name. */
export function button(name: string, text: string, act: () => void, why = "", key = ""): HTMLButtonElement {
  const element = make("button", name, make("span", "", text));
  element.type = "button";
  if (key) {
    const cap = make("kbd", "", key);
    cap.ariaHidden = "true";
    element.append(cap);
    element.setAttribute("aria-keyshortcuts", key);
  }
  if (why) {
    element.setAttribute("aria-disabled", "true");
    element.title = `Not now: ${why}`;
  }
  element.addEventListener("click", () => !why && act());
  return element;
}
