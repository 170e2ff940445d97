// Tables of games as pages read them: CSV with a head line. A cell with a comma stands in quotes.

export type Row = Record<string, string>;

const cellsOf = (line: string): string[] => [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");

/** Rows by column. */
export function rowsOf(text: string): Row[] {
  const [head = "", ...lines] = text.trim().split(/\r?\n/);
  const keys = cellsOf(head);
  return lines.map((line) => {
    const cells = cellsOf(line);
    return Object.fromEntries(keys.map((key, k) => [key, cells[k] ?? ""]));
  });
}
