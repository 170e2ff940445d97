// How ./check reads tests of node:test: a line per test with its seconds, and the count.
export default async function* report(source) {
  let passed = 0;
  let failed = 0;
  for await (const { type, data } of source) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    const good = type === "test:pass";
    good ? passed++ : failed++;
    const why = good ? "" : `: ${data.details.error?.cause?.stack ?? data.details.error?.message}`;
    yield `${good ? "ok  " : "FAIL"} ${(data.details.duration_ms / 1000).toFixed(2)} s  ${data.name}${why}\n`;
  }
  yield `${passed} passed, ${failed} failed\n`;
}
