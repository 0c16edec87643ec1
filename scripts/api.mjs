// Writes the public surface of the built package to api/, one file an entry, so that each change of it is a diff to read:
//
//   npm run api                 builds, writes api/
//   npm run api -- --check      writes nothing, fails where api/ is stale
//
// Both fail where an export has no docstring, or a front door no example.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { format } from 'oxfmt';
import { readDeclarations } from './declarations.mjs';
import { entries, root } from './manifest.mjs';

/** What a reader meets first: its docstring shows an example. */
const frontDoors = [
  'createAgent',
  'createChatCompletionsClient',
  'createIndexedDBStore',
  'createReview',
  'defineOutput',
  'defineTool',
  'useChat',
];

const folder = `${root}api`;
const isCheck = process.argv.includes('--check');

const { surfaces, mentioned } = readDeclarations(entries.map(({ name, types }) => ({ name, file: types })));

/** The file of an entry: `brooklet/react/lists` → `react-lists.md`. @param {string} name */
const fileOf = (name) => `${name.split('/').slice(1).join('-') || name}.md`;

/** @param {import('./declarations.mjs').Declared} declared */
async function toCode({ declarations }) {
  const text = declarations.map((declaration) => declaration.text).join('\n');
  // TypeScript writes a long union in one line; formatted, a new member is a new line.
  const { code, errors } = await format('declaration.d.ts', text, { printWidth: 120, singleQuote: true });
  if (errors[0]) throw new Error(`${text}\n${errors[0].message}`);
  return `\`\`\`ts\n${code.replaceAll(/\n\s*\n/g, '\n').trim()}\n\`\`\`\n`;
}

/** @type {Map<string, string>} file → text */
const report = new Map();
/** @type {Map<string, { entry: string, name: string }>} where a declaration was printed */
const printed = new Map();

for (const { name: entry, exports } of surfaces) {
  const sections = [];
  for (const { name, declared } of exports) {
    const before = printed.get(declared.id);
    printed.set(declared.id, before ?? { entry, name });
    const renamed = declared.name === name ? '' : `Declared as \`${declared.name}\`.\n\n`;
    const same = before && `The same as \`${before.name}\` of [${before.entry}](${fileOf(before.entry)}).\n`;
    sections.push(`## ${name}\n\n${same ?? renamed + (await toCode(declared))}`);
  }
  report.set(fileOf(entry), `# ${entry}\n\n${exports.length} exports.\n\n${sections.join('\n')}`);
}

const others = [];
for (const declared of mentioned) others.push(`## ${declared.name}\n\n${await toCode(declared)}`);
report.set('mentioned.md', `# Declarations that exports mention and no entry exports\n\n${others.join('\n')}`);

const stale = new Set(existsSync(folder) ? readdirSync(folder) : []);
for (const [file, text] of report) {
  if (existsSync(`${folder}/${file}`) && readFileSync(`${folder}/${file}`, 'utf8') === text) stale.delete(file);
  else stale.add(file);
}
if (stale.size > 0 && !isCheck) {
  mkdirSync(folder, { recursive: true });
  for (const file of stale) rmSync(`${folder}/${file}`, { force: true });
  for (const [file, text] of report) writeFileSync(`${folder}/${file}`, text);
}

const documented = surfaces.flatMap(({ name: entry, exports }) =>
  exports.map(({ name, declared }) => ({
    where: `${name} (${entry}, ${declared.file
      .slice(root.length)
      .replace(/^dist/, 'src')
      .replace(/\.d\.ts$/, '')})`,
    name,
    doc: declared.declarations.map(({ doc }) => doc).join('\n'),
  })),
);
const problems = [
  ...(isCheck ? [...stale].map((file) => `api/${file} is stale: run \`npm run api\` and commit the difference.`) : []),
  ...documented.filter(({ doc }) => !doc.trim()).map(({ where }) => `No docstring: ${where}`),
  ...documented
    .filter(({ name, doc }) => frontDoors.includes(name) && !/^\s*\*? {5,}\S|@example/m.test(doc))
    .map(({ where }) => `No example in the docstring (\`@example\`, or a block indented by four spaces): ${where}`),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`api: ${entries.length} entries, ${documented.length} exports, each with a docstring.`);
