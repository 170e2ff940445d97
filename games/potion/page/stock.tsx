// What one owns: quick fillings, a text or file to read, and what came with a link.
import { createSignal, For, Show } from "solid-js";
import { counted } from "ludus/lib/format";
import { runTool } from "ludus/lib/tools";
import { Dialog } from "ludus/lib/ui";
import { ingredients } from "../view/tables";
import { entriesOf, shopDay } from "./rules";
import type { Brewing } from "./state";
import { chapters } from "./tables";
import { mostInside } from "./share";

const mostBytes = 200_000;

/** The stock as lines that the reader takes. */
export const inventoryText = (stock: Readonly<Record<number, number>>): string =>
  entriesOf(stock)
    .map(([action, count]) => `${count} ${ingredients[action - 1]!.name}`)
    .join("\n");

function ReadDialog(props: { brewing: Brewing; open: boolean; onClose: () => void }) {
  const [text, setText] = createSignal("");
  const [name, setName] = createSignal("inventory");
  const [problem, setProblem] = createSignal("");
  const [busy, setBusy] = createSignal(false);
  async function take(file: File | undefined): Promise<void> {
    if (!file) return;
    setProblem("");
    if (file.size > mostBytes) return void setProblem(`${file.name} has ${file.size} bytes; an inventory has at most ${mostBytes}.`);
    setName(file.name);
    setText(await file.text());
  }
  async function read(): Promise<void> {
    setBusy(true);
    setProblem("");
    try {
      const [got] = await runTool<{ stock: Record<number, number> }>("potion", { tool: "inventory", inputs: [{ name: name(), text: text() }] });
      props.brewing.stock(got!.stock);
      props.onClose();
    } catch (cause) {
      setProblem(cause instanceof Error ? cause.message : String(cause));
    }
    setBusy(false);
  }
  return (
    <Dialog open={props.open} title="Read an inventory" onClose={props.onClose}>
      <p>A line per ingredient, as “4 Mandrake Root” or “Mandrake Root, 4”; or a JSON object of pieces by name. It replaces what you own now.</p>
      <label class="field file-field">
        <span class="button">Choose a file</span>
        <input type="file" class="sr-only" accept=".txt,.csv,.json,text/plain,text/csv,application/json" onChange={(event) => void take(event.currentTarget.files?.[0])} />
      </label>
      <label class="field">
        <span>Text</span>
        <textarea
          rows={9}
          maxlength={mostBytes}
          value={text()}
          aria-invalid={problem() !== ""}
          aria-describedby="inventory-problem"
          placeholder={"4 Mandrake Root\n6 Feyberry\n3 Sack of Slime"}
          onInput={(event) => (setText(event.currentTarget.value), setName("inventory"))}
        />
      </label>
      <p id="inventory-problem" class="problem" role="alert">
        {problem()}
      </p>
      <div class="row">
        <button type="button" class="button primary" disabled={busy() || text().trim() === ""} onClick={() => void read()}>
          Use this inventory
        </button>
        <button type="button" class="button" onClick={() => setText(inventoryText(props.brewing.state.stock))}>
          Fill in current stock
        </button>
      </div>
    </Dialog>
  );
}

export function StockBar(props: { brewing: Brewing }) {
  const { state, stock } = props.brewing;
  const [open, setOpen] = createSignal(false);
  const fill = (word: string): void => {
    if (word === "all") stock(Object.fromEntries(ingredients.map(({ action }) => [action, mostInside])));
    else if (word !== "") stock(shopDay(Number(word)));
  };
  return (
    <section class="stock-bar" aria-label="What I own">
      <b>
        {entriesOf(state.stock).length ? `I own ${counted(entriesOf(state.stock).reduce((all, [, count]) => all + count, 0), "piece")} of ${counted(entriesOf(state.stock).length, "ingredient")}` : "What do you own?"}
      </b>
      <span class="row">
        <For each={chapters}>
          {(chapter) => (
            <button type="button" class="button" title={`A day’s stock of the shop in chapter ${chapter}`} onClick={() => fill(`${chapter}`)}>
              Shop {chapter}
            </button>
          )}
        </For>
        <button type="button" class="button" title={`${mostInside} of each`} onClick={() => fill("all")}>
          Everything
        </button>
        <button type="button" class="button" onClick={() => setOpen(true)}>
          Read an inventory…
        </button>
        <button type="button" class="button" disabled={entriesOf(state.stock).length === 0} onClick={() => stock({})}>
          Clear
        </button>
      </span>
      <Show when={state.shared}>
        <p class="advice warn" role="status">
          This stock came with the link; your own is kept.{" "}
          <button type="button" class="link" onClick={() => props.brewing.keepShared()}>
            Use this inventory
          </button>{" "}
          <button type="button" class="link" onClick={() => props.brewing.leaveShared()}>
            Back to my own
          </button>
        </p>
      </Show>
      <ReadDialog brewing={props.brewing} open={open()} onClose={() => setOpen(false)} />
    </section>
  );
}
