// Small parts that all pages share: icons, states, badges, dialogs.
import { createEffect, createSignal, For, onCleanup, onMount, Show, type JSX, type ParentProps } from "solid-js";
import { number, sentence, tagWords } from "./format";

const shapes = {
  play: "M7 4.5v15l12.5-7.5z",
  pause: "M6.5 4.5h4v15h-4zM13.5 4.5h4v15h-4z",
  next: "M6 5v14l9-7zM16 5h2.5v14H16z",
  back: "M18 5v14l-9-7zM5.5 5H8v14H5.5z",
  forward10: "M4 5v14l8-7zM12 5v14l8-7z",
  back10: "M20 5v14l-8-7zM12 5v14l-8-7z",
  first: "M4 5h2.5v14H4zM20 5v14l-6.5-7zM13 5v14l-6.5-7z",
  last: "M17.5 5H20v14h-2.5zM4 5v14l6.5-7zM11 5v14l6.5-7z",
  eventBack: "M15.5 6.5 21 12l-5.5 5.5L10 12zM9.5 6.2 3.7 12l5.8 5.8-1.4 1.4L.9 12l7.2-7.2z",
  eventNext: "M8.5 6.5 3 12l5.5 5.5L14 12zM14.5 6.2l5.8 5.8-5.8 5.8 1.4 1.4 7.2-7.2-7.2-7.2z",
  link: "M10.6 13.4a1 1 0 0 1 0-1.4l3.4-3.4a1 1 0 1 1 1.4 1.4L12 13.4a1 1 0 0 1-1.4 0zM8.5 19a4.5 4.5 0 0 1-3.2-7.7l2.5-2.5 1.4 1.4-2.5 2.5a2.5 2.5 0 0 0 3.6 3.6l2.5-2.5 1.4 1.4-2.5 2.5A4.5 4.5 0 0 1 8.5 19zm7.7-3.8-1.4-1.4 2.5-2.5a2.5 2.5 0 0 0-3.6-3.6l-2.5 2.5-1.4-1.4 2.5-2.5a4.5 4.5 0 0 1 6.4 6.4z",
  download: "M11 4h2v8.2l2.8-2.8 1.4 1.4L12 16l-5.2-5.2 1.4-1.4 2.8 2.8zM5 18h14v2H5z",
  sun: "M12 7.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM11 2h2v3h-2zM11 19h2v3h-2zM2 11h3v2H2zM19 11h3v2h-3zM4.2 5.6l1.4-1.4 2.1 2.1-1.4 1.4zM16.3 17.7l1.4-1.4 2.1 2.1-1.4 1.4zM4.2 18.4l2.1-2.1 1.4 1.4-2.1 2.1zM16.3 6.3l2.1-2.1 1.4 1.4-2.1 2.1z",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z",
  system: "M4 5h16v11H4zm2 2v7h12V7zM9 18h6v2H9z",
  sound: "M4 9.5v5h3.5L12 19V5L7.5 9.5zM14.5 8.3a5 5 0 0 1 0 7.4l-1.2-1.5a3 3 0 0 0 0-4.4zM17 5.6a8.6 8.6 0 0 1 0 12.8l-1.2-1.5a6.6 6.6 0 0 0 0-9.8z",
  mute: "M4 9.5v5h3.5L12 19V5L7.5 9.5zM14.2 10.2l1.4-1.4L17.4 10.6l1.8-1.8 1.4 1.4L18.8 12l1.8 1.8-1.4 1.4-1.8-1.8-1.8 1.8-1.4-1.4L16 12z",
  help: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zm0 2a7 7 0 1 0 0 14 7 7 0 0 0 0-14zm-1 10.2h2v2h-2zm1-8.4c2 0 3.5 1.3 3.5 3.1 0 1.4-.9 2.1-1.6 2.6-.6.5-.9.7-.9 1.3v.2h-2v-.3c0-1.6.9-2.3 1.6-2.8.6-.5.9-.6.9-1 0-.7-.6-1.2-1.5-1.2s-1.6.6-1.6 1.5h-2c0-2 1.5-3.4 3.6-3.4z",
  close: "M6.4 5 12 10.6 17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4-5.6-5.6L6.4 19 5 17.6l5.6-5.6L5 6.4z",
  list: "M4 6h3v2.4H4zM9.5 6H20v2.4H9.5zM4 10.8h3v2.4H4zM9.5 10.8H20v2.4H9.5zM4 15.6h3V18H4zM9.5 15.6H20V18H9.5z",
  hand: "M7.5 7.5h9a5.5 5.5 0 0 1 5.4 6.5l-.5 2.4a2.6 2.6 0 0 1-4.5 1.1L14.6 15H9.4l-2.3 2.5a2.6 2.6 0 0 1-4.5-1.1L2.1 14a5.5 5.5 0 0 1 5.4-6.5zM7 9.6v1.6H5.4v1.6H7v1.6h1.6v-1.6h1.6v-1.6H8.6V9.6zm9 .2a1.1 1.1 0 1 0 0 2.2 1.1 1.1 0 0 0 0-2.2zm2.4 2.2a1.1 1.1 0 1 0 0 2.2 1.1 1.1 0 0 0 0-2.2z",
  flag: "M6 3h2v1h11l-2.5 4.5L19 13H8v8H6z",
  home: "M12 3.5 3 11h2.5v9H10v-5.5h4V20h4.5v-9H21z",
  eye: "M12 5.5c4.6 0 8.2 3 9.8 6.5-1.6 3.5-5.2 6.5-9.8 6.5S3.8 15.5 2.2 12C3.8 8.5 7.4 5.5 12 5.5zm0 2c-3.300 0-6 1.9-7.5 4.5 1.5 2.6 4.2 4.5 7.5 4.5s6-1.9 7.5-4.5c-1.5-2.6-4.2-4.5-7.5-4.5zm0 1.5a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
  chart: "M4 4h2v14h14v2H4zM8 15.5l4-5 3 2.5 4.5-6 1.6 1.2-5.8 7.700-3-2.5-2.700 3.4z",
  full: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z",
} as const;

export type IconName = keyof typeof shapes;

export function Icon(props: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={shapes[props.name]} />
    </svg>
  );
}

/** A round or square button with an icon; `label` is what it is called. */
export function IconButton(props: {
  icon: IconName;
  label: string;
  onClick: (event: MouseEvent) => void;
  pressed?: boolean;
  disabled?: boolean;
  class?: string;
}) {
  return (
    <button
      type="button"
      class={`icon-button ${props.class ?? ""}`}
      title={props.label}
      aria-label={props.label}
      aria-pressed={props.pressed}
      disabled={props.disabled}
      onClick={(event) => props.onClick(event)}
    >
      <Icon name={props.icon} />
    </button>
  );
}

/** What a page says when there is nothing to show yet, or no longer. */
export function Notice(props: ParentProps<{ title: string; tone?: "plain" | "bad" | "warn"; busy?: boolean }>) {
  return (
    <section class={`notice ${props.tone ?? "plain"}`} role={props.tone === "bad" ? "alert" : "status"}>
      <Show when={props.busy}>
        <span class="spinner" aria-hidden="true" />
      </Show>
      <h2>{props.title}</h2>
      <div class="notice-body">{props.children}</div>
    </section>
  );
}

/** A command that a visitor may copy. */
export function Command(props: { text: string }) {
  return <code class="command">{props.text}</code>;
}

export function Badge(props: ParentProps<{ tone?: "good" | "warn" | "bad" | "accent" }>) {
  return <span class={`badge ${props.tone ?? ""}`}>{props.children}</span>;
}

const states: Record<string, ["good" | "warn" | "bad" | "accent", mark: string]> = {
  running: ["good", "●"],
  finished: ["accent", "✓"],
  stopped: ["warn", "■"],
  stale: ["warn", "!"],
  crashed: ["bad", "✕"],
  failed: ["bad", "✕"],
  damaged: ["bad", "!"],
};

/** How a run stands, by mark, colour and word. */
export function StatusBadge(props: { status: string }) {
  return (
    <span class={`badge status ${states[props.status]?.[0] ?? ""} ${props.status}`}>
      <span class="mark" aria-hidden="true">
        {states[props.status]?.[1] ?? "○"}
      </span>
      {props.status}
    </span>
  );
}

/** Of the milestones of one quantity the farthest; a better episode has passed the others too. */
const farthest = (tags: string[]): string[] => {
  const [of, far] = [(tag: string) => tag.slice(0, tag.lastIndexOf(":")), (tag: string) => Number(tag.slice(tag.lastIndexOf(":") + 1))];
  return tags.filter((tag) => !tag.startsWith("milestone:") || !tags.some((other) => of(other) === of(tag) && far(other) > far(tag)));
};

export function Tags(props: { tags: string[] }) {
  const tone = (tag: string) => (tag === "best_so_far" ? "accent" : tag.startsWith("milestone") ? "good" : undefined);
  return (
    <span class="tags">
      <For each={farthest(props.tags)}>{(tag) => <Badge {...(tone(tag) ? { tone: tone(tag)! } : {})}>{tagWords(tag)}</Badge>}</For>
    </span>
  );
}

/** A mean with its interval: 1,234 (1,100 to 1,350). */
export function MeanInterval(props: { mean: number; low: number; high: number }) {
  return (
    <span class="interval">
      <b>{number(props.mean)}</b>{" "}
      <small>
        {number(props.low)} to {number(props.high)}
      </small>
    </span>
  );
}

/** The width of an element, as it changes. */
export function widthOf(element: () => HTMLElement, first: number): () => number {
  const [width, setWidth] = createSignal(first);
  onMount(() => {
    const watch = new ResizeObserver(() => setWidth(Math.max(200, Math.floor(element().clientWidth))));
    watch.observe(element());
    onCleanup(() => watch.disconnect());
  });
  return width;
}

/** A modal dialog that the browser itself keeps the focus in. */
export function Dialog(props: ParentProps<{ open: boolean; title: string; onClose: () => void; wide?: boolean }>): JSX.Element {
  let box!: HTMLDialogElement;
  createEffect(() => {
    if (props.open && !box.open) box.showModal();
    if (!props.open && box.open) box.close();
  });
  onCleanup(() => box.open && box.close());
  return (
    <dialog
      ref={box}
      class={props.wide ? "dialog wide" : "dialog"}
      aria-label={props.title}
      onClose={() => !box.open && props.onClose()} // the event comes late: it may be of an opening before this one
      onClick={(event) => event.target === box && box.close()}
    >
      <header>
        <h2>{props.title}</h2>
        <IconButton icon="close" label="Close" onClick={() => box.close()} />
      </header>
      <div class="dialog-body">
        <Show when={props.open}>{props.children}</Show>
      </div>
    </dialog>
  );
}

/** A failure as a page says it. */
export function Failed(props: ParentProps<{ error: Error; what: string; again: () => void }>): JSX.Element {
  return (
    <Notice title={props.what} tone="bad">
      <p>{sentence(props.error.message)}</p>
      {props.children}
      <p>
        <button type="button" class="button" onClick={() => props.again()}>
          Try again
        </button>
      </p>
    </Notice>
  );
}

/** A header cell that sorts by its column: falling first, then rising. */
export function SortHeader(props: { column: string; label: string; sort: string; right?: boolean; onSort: (sort: string) => void }) {
  const falling = () => props.sort === props.column;
  const rising = () => props.sort === `-${props.column}`;
  return (
    <th scope="col" class={props.right ? "right" : ""} aria-sort={falling() ? "descending" : rising() ? "ascending" : "none"}>
      <button type="button" class="sort" onClick={() => props.onSort(falling() ? `-${props.column}` : props.column)}>
        {props.label}
        <span aria-hidden="true">{falling() ? "▼" : rising() ? "▲" : "↕"}</span>
      </button>
    </th>
  );
}

export function Options(props: { values: string[]; all: string; text?: (value: string) => string }) {
  return (
    <>
      <option value="">{props.all}</option>
      <For each={props.values}>{(value) => <option value={value}>{props.text ? props.text(value) : value}</option>}</For>
    </>
  );
}

/** A choice of a list as a select; "" is the first. */
export function Choice(props: { name: string; value: string; options: (readonly [string, string])[]; onChange: (value: string) => void }) {
  return (
    <label class="field">
      <span>{props.name}</span>
      <select value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
        <For each={props.options}>
          {([value, words]) => (
            <option value={value} selected={value === props.value}>
              {words}
            </option>
          )}
        </For>
      </select>
    </label>
  );
}

/** What one may try: each is a button that fills it in. */
export function Examples(props: { list: readonly (readonly [words: string, value: string])[]; onPick: (value: string) => void }) {
  return (
    <div class="examples" role="group" aria-label="Examples">
      <span class="muted">Try</span>
      <For each={props.list}>
        {([words, value]) => (
          <button type="button" class="button small" onClick={() => props.onPick(value)}>
            {words}
          </button>
        )}
      </For>
    </div>
  );
}

/** Copies an address that shows what one sees now; `holds` says what is in it. */
export function CopyLink(props: { link: () => string; holds: string }) {
  const [said, say] = createSignal("");
  const copy = async (): Promise<void> => {
    const link = props.link();
    try {
      await navigator.clipboard.writeText(link);
      say(`Link copied, with ${props.holds}`);
    } catch {
      // without the clipboard the address itself becomes the link
      history.replaceState(null, "", link);
      say("The address of this page is the link now");
    }
  };
  return (
    <span class="share">
      <span role="status" class="muted">
        {said()}
      </span>
      <button type="button" class="button" onClick={() => void copy()}>
        <Icon name="link" />
        Copy the link
      </button>
    </span>
  );
}
