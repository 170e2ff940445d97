// The shape of the site's sources. TypeScript, by its own parser: no function above 100 lines, no file
// above 600, and games name parts of the site by the alias ludus/, never by a path. Style sheets: type and
// distances only in the six sizes each of web/src/app.css. Checks itself first on sources that have one of each.
//   web/node web/shape.mjs
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isFunctionLikeDeclaration } from "typescript/unstable/ast/is";
import { createVirtualFileSystem } from "typescript/unstable/fs";
import { API } from "typescript/unstable/sync";

const most = { function: 100, file: 600 };

/** Its own name, or that of what it is given to. */
function nameOf(node) {
  for (let one = node, up = 0; one && up < 4; one = one.parent, up++) if (one.name?.text) return one.name.text;
  return "a function";
}

/** Sentences about a file: what is too long, and what is imported by a path. */
function* findings(file, path) {
  const line = (position) => file.getLineAndCharacterOfPosition(position).line + 1;
  const all = file.text.trimEnd().split("\n").length;
  if (all > most.file) yield `${path}: ${all} lines, at most ${most.file}: split the file`;
  for (const nodes = [file]; nodes.length; ) {
    const node = nodes.pop();
    node.forEachChild((child) => void nodes.push(child));
    const start = line(node.getStart(file));
    const length = line(node.end) - start + 1;
    if (isFunctionLikeDeclaration(node) && length > most.function) {
      yield `${path}:${start}: ${nameOf(node)} has ${length} lines, at most ${most.function}: split it`;
    }
    const from = node.moduleSpecifier?.text;
    if (path.startsWith("games/") && /^\.\.?\/.*web\/src/.test(from)) yield `${path}:${start}: imports ${from}: name it ludus/...`;
  }
}

/** The findings of a tree whose web/tsconfig.json says which files there are. */
function check(root, files) {
  const project = `${root}web/tsconfig.json`;
  const api = new API({ cwd: root, ...(files ? { fs: createVirtualFileSystem(files) } : {}) });
  const { program } = api.updateSnapshot({ openProjects: [project] }).getProject(project);
  const own = program.getSourceFileNames().filter((name) => name.startsWith(root) && !name.includes("/node_modules/"));
  const found = own.flatMap((name) => [...findings(program.getSourceFile(name), name.slice(root.length))]);
  api.close();
  return { count: own.length, found };
}

/** A tree that must be refused, and one sentence per rule that it breaks. */
const broken = {
  "/broken/web/tsconfig.json": '{ "compilerOptions": { "noLib": true }, "include": ["src", "../games"] }',
  "/broken/web/src/canvas.ts": `export const pen = 1;${"\n//".repeat(most.file)}\n`,
  "/broken/games/lantern/view.ts": `import { pen } from "../../web/src/canvas";\nexport const mount = () => {${"\n  void pen;".repeat(most.function - 1)}\n};\n`,
};
const expected = [/^web\/src\/canvas\.ts: 601 lines/, /^games\/lantern\/view\.ts:1: imports/, /^games\/lantern\/view\.ts:2: mount has 101 lines/];
const refused = check("/broken/", broken).found;
const missing = expected.find((sentence) => !refused.some((line) => sentence.test(line)));
if (missing || refused.length !== expected.length) {
  console.log(`this check does not find what it is for (${missing ?? "it finds more"}):`, refused);
  process.exit(1);
}

/** Sentences about a style sheet: sizes of type that are none of the six. */
function* sizes(text, path) {
  for (const [line, words] of text.split("\n").entries()) {
    for (const [all] of words.matchAll(/(?:font-size|font): *[^;}]*?[\d.]+(?:px|r?em)[^;}]*/g)) yield `${path}:${line + 1}: ${all}: take one of --text-xs to --text-xxl`;
  }
}
/** Sentences about a style sheet: distances that are none of the six, except hairs of up to 3 px. */
function* distances(text, path) {
  for (const [line, words] of text.split("\n").entries()) {
    const plain = words.replaceAll(/var\([\w-]+\)/g, "0"); // what is calculated is left alone
    for (const [all] of plain.matchAll(/(?<![\w-])(?:(?:row-|column-)?gap|(?:padding|margin)(?:-[a-z-]+)?): *(?![^;}]*\()[^;}]*?(?<![\d.])(?:[4-9]|\d\d+)px[^;}]*/g)) yield `${path}:${line + 1}: ${all}: take one of --s1 to --s6`;
  }
}
if ([...distances("a { gap: 6px 12px; margin: 2px 0 }\nb { padding: calc(4px + 1em); padding-left: 22px; top: 7px; margin: var(--s1) 0 }", "x")].length !== 2) {
  console.log("this check does not find distances");
  process.exit(1);
}
if ([...sizes("a { font: 14px/1.5 x }\nb { font-size: var(--text-s) } c { font-size: 0.9rem; }", "x")].length !== 2) {
  console.log("this check does not find sizes of type");
  process.exit(1);
}

const root = fileURLToPath(new URL("..", import.meta.url));
const { count, found } = check(root);
for (const path of globSync(["web/src/**/*.css", "games/*/{view,page}/*.css"], { cwd: root })) {
  const text = readFileSync(join(root, path), "utf8");
  found.push(...sizes(text, path), ...distances(text, path));
}
for (const line of found) console.log(line);
console.log(found.length ? `${found.length} findings in ${count} files` : `ok ${count} files; a broken tree is refused`);
process.exit(found.length ? 1 : 0);
