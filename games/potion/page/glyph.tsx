// Small drawn signs: ingredients by kind and magimin, stars of a grade, the cauldron.
import { createMemo, For, Show } from "solid-js";
import { magimins, starsPerTier, tiers, type Ingredient } from "../view/tables";
import type { Brew } from "./rules";

const shapes: Record<string, string> = {
  bone: "M5.4 3.6a2.5 2.5 0 0 1 4.2 2.2l8 8a2.5 2.5 0 1 1 1.3 4.4 2.5 2.5 0 1 1-4.5-1.2l-8-8A2.5 2.5 0 1 1 4.2 5a2.5 2.5 0 0 1 1.2-1.4z",
  bug: "M12 6.2a4.6 4.6 0 0 1 4.3 3l4-1.6.8 1.8-4.2 1.8v1.6h4.3v2h-4.4l-.3 1.1 4 2.4-1 1.7-3.9-2.3a5 5 0 0 1-7.2 0L4.5 20l-1-1.7 4-2.4-.3-1.1H2.8v-2h4.3v-1.6L2.9 9.4l.8-1.8 4 1.6a4.6 4.6 0 0 1 4.3-3zM8 2.6l1.7-.6 1.3 3.2-1.7.6zM16 2.6 14.3 2 13 5.2l1.7.6z",
  essence: "M12 2c4.2 5 7 8.3 7 12.2a7 7 0 0 1-14 0C5 10.3 7.8 7 12 2zm-3.6 11.4c-.5 3 1.2 5 3.6 5.2l.3-1.8c-1.7-.2-2.5-1.5-2.2-3.2z",
  fish: "M2 12c4-6.5 10.5-6.5 14.2-1.3L21.5 7v10l-5.3-3.7C12.5 18.5 6 18.5 2 12zm5-2.2a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6z",
  flesh: "M12 20.5C4.5 14.8 2.8 11 2.8 8.2A4.7 4.7 0 0 1 12 6.6a4.7 4.7 0 0 1 9.2 1.6c0 2.8-1.7 6.6-9.2 12.3z",
  flower: "M12 9.3a3.7 3.7 0 1 1 2.7-6.2A3.7 3.7 0 0 1 12 9.3zm3.3 1.3a3.7 3.7 0 1 1 5.2 3.9 3.7 3.7 0 0 1-5.2-3.9zm-1 4a3.7 3.7 0 1 1 .8 6.6 3.7 3.7 0 0 1-.8-6.6zm-4.6 0a3.7 3.7 0 1 1-5.3 4 3.7 3.7 0 0 1 5.3-4zm-1-4a3.7 3.7 0 1 1-5.5-2 3.7 3.7 0 0 1 5.5 2zM12 10.6a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4z",
  fruit: "M11.8 8.6c4.5-2 8.7.6 8.7 5.2 0 4-2.8 7.7-5.3 7.7-1.4 0-1.9-.7-3.2-.7s-1.8.7-3.2.7c-2.5 0-5.3-3.7-5.3-7.7 0-4.6 4-7.2 8.3-5.2zM12 8c-.3-3.3 1.6-5.6 5-6 .3 3.4-1.7 5.7-5 6z",
  fungus: "M2.5 12.5C2.5 7 6.7 3.5 12 3.5s9.5 3.5 9.5 9zM9.3 14h5.4l.6 5.2c.1 1.3-1.2 2.3-3.3 2.3s-3.4-1-3.3-2.3z",
  gem: "M6.5 3.5h11L22 9.7 12 21 2 9.7zM7 9h10l-2-3.5H9z",
  mineral: "M3 20.5 6.5 10l4-1.5L13 3l5 6.5 3 11zM11 11l-2 7h3z",
  ore: "M2.5 16.5 6.3 8l6.2-4 7 4.8 2 7.7-6 4.5H7zM9 10l-2 4 3 1.5 2.5-3zm6 2.5-1.5 3.5 3.5.5 1-3z",
  plant: "M11 21.5c.2-6.5-.8-9.2-8-12.5 7.4-.6 9.3 2.2 9.7 6 .3-6.2 2.3-10 8.3-12-.4 8-2.9 11.3-7.9 12.8l-.1 5.7z",
  pure_mana: "M12 1.5l2.6 7.9 7.9 2.6-7.9 2.6L12 22.5l-2.6-7.9L1.5 12l7.9-2.6z",
  slime: "M3 18.5C3 10.5 6.5 5 12 5s9 5.5 9 13.5c0 2.2-2.2 2-3.2.8-.9 1.7-2.7 1.7-3.5.2-.8 1.7-3.8 1.7-4.6 0-.8 1.5-2.6 1.5-3.5-.2-1 1.2-3.2 1.4-3.2-.8zM9 11a1.3 1.6 0 1 0 0 3.2A1.3 1.6 0 0 0 9 11zm6 0a1.3 1.6 0 1 0 0 3.2 1.3 1.6 0 0 0 0-3.2z",
};

/** The magimin that an ingredient has most of. */
const hueOf = (piece: Ingredient): number => piece.amounts.indexOf(Math.max(...piece.amounts));

export function Glyph(props: { piece: Ingredient }) {
  return (
    <svg class={`glyph hue-${hueOf(props.piece)}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={shapes[props.piece.kind] ?? shapes["essence"]} fill-rule="evenodd" />
    </svg>
  );
}

/** A 12 C 4, each with its colour. */
export function Amounts(props: { amounts: number[] }) {
  return (
    <span class="amounts">
      <For each={props.amounts}>
        {(amount, k) => (
          <Show when={amount > 0}>
            <span class={`amount hue-${k()}`}>
              <i class="dot" />
              {magimins[k()]!.letter} {amount}
            </span>
          </Show>
        )}
      </For>
    </span>
  );
}

/** "Greater", and its stars. */
export function Grade(props: { grade: number }) {
  const stars = () => props.grade % starsPerTier;
  return (
    <span class="grade">
      {tiers[Math.floor(props.grade / starsPerTier)]}{" "}
      <span class="stars" role="img" aria-label={stars() === 1 ? "1 star" : `${stars()} stars`}>
        {"★".repeat(stars())}
        <span class="dark-stars">{"★".repeat(starsPerTier - 1 - stars())}</span>
      </span>
    </span>
  );
}

const inside = { top: 40, bottom: 138, left: 26, right: 174 };

/** A cauldron as full as the mix, in the colours of its magimins. */
export function Pot(props: { brew: Brew; most: number }) {
  const level = () => Math.min(1, props.brew.total / props.most);
  const bands = createMemo(() => {
    let bottom = inside.bottom;
    return props.brew.amounts.map((amount) => {
      const height = props.brew.total > 0 ? ((inside.bottom - inside.top) * level() * amount) / props.brew.total : 0;
      bottom -= height;
      return { y: bottom, height };
    });
  });
  const surface = () => inside.bottom - (inside.bottom - inside.top) * level();
  return (
    <svg class="pot" classList={{ bad: props.brew.over, perfect: props.brew.code === 4 }} viewBox="0 0 200 160" aria-hidden="true">
      <clipPath id="pot-inside">
        <path d="M30 40h140c8 24 10 44 2 64-10 24-34 36-72 36s-62-12-72-36c-8-20-6-40 2-64z" />
      </clipPath>
      <path class="pot-leg" d="M48 128l-10 26h16l8-20zM152 128l10 26h-16l-8-20z" />
      <path class="pot-body" d="M22 32h156c8 28 11 52 2 76-11 26-39 40-80 40s-69-14-80-40c-9-24-6-48 2-76z" />
      <g clip-path="url(#pot-inside)">
        <rect class="pot-empty" x="20" y="36" width="160" height="110" />
        <For each={bands()}>{(band, k) => <rect class={`pot-band hue-${k()}`} x={inside.left - 10} width={168} y={band.y} height={band.height + 0.5} />}</For>
        <Show when={props.brew.total > 0}>
          <ellipse class="pot-surface" cx="100" cy={surface()} rx="78" ry="4" />
          <circle class="bubble one" cx="70" cy={surface() + 16} r="4" />
          <circle class="bubble two" cx="104" cy={surface() + 24} r="3" />
          <circle class="bubble three" cx="134" cy={surface() + 14} r="5" />
        </Show>
      </g>
      <path class="pot-rim" d="M16 26h168a5 5 0 0 1 0 12H16a5 5 0 0 1 0-12z" />
    </svg>
  );
}
