// Keys by the names that people know them by.
const arrows: Record<string, string> = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", " ": "space" };
const pad: Record<string, string> = { Decimal: ".", Add: "+", Subtract: "−", Multiply: "×", Divide: "÷" };

/** A key as people are told it. */
export function keyName(key: string): string {
  if (key.startsWith("Numpad")) return `pad ${pad[key.slice(6)] ?? key.slice(6)}`;
  if (key.startsWith("Shift+")) return `⇧${key.slice(6).toUpperCase()}`;
  return arrows[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}
