// Makes the API reference of the declarations of the built package: a page for each entry, and an index.

import { format } from 'oxfmt';
import { toAnchor } from './map.mjs';

/** @typedef {import('../declarations.mjs').Surface} Surface */
/** @typedef {import('../declarations.mjs').Declared} Declared */

/** The page of an entry: `brooklet/react/lists` → `api/react-lists.md`. @param {string} entry */
const pageOf = (entry) => `api/${entry.split('/').slice(1).join('-') || entry}.md`;

/** Whether an export has no code. What has some is shown first. @param {import('../declarations.mjs').Exported} exported */
const isType = ({ declared }) =>
  declared.declarations.every(({ text }) => /^(?:export )?(?:interface|type) /.test(text));

/** @param {string} name */
const nameOf = (name) => name.replace(/^.*\//, '').replace(/\.md$/, '');

/**
 * @param {{ readonly surfaces: readonly Surface[], readonly mentioned: readonly Declared[] }} declarations
 * @returns {Promise<ReadonlyMap<string, string>>} page → Markdown
 */
export async function toReference({ surfaces, mentioned }) {
  /** @type {Map<string, string>} */
  const pages = new Map();
  /** @type {Map<string, { entry: string, name: string }>} where a declaration was shown */
  const shown = new Map();
  const rows = [];
  for (const { name: entry, exports: unsorted } of surfaces) {
    const exports = unsorted.toSorted((one, other) => Number(isType(one)) - Number(isType(other)));
    const sections = [];
    for (const { name, declared } of exports) {
      const before = shown.get(declared.id);
      shown.set(declared.id, before ?? { entry, name });
      const link = before && `${nameOf(pageOf(before.entry))}.md#${toAnchor(before.name)}`;
      const body = link
        ? `The same as [\`${before.name}\` of \`${before.entry}\`](${link}).\n`
        : await toSection(declared);
      sections.push(`## ${name}\n\n${body}`);
    }
    pages.set(pageOf(entry), `# ${entry}\n\n${sections.join('\n')}`);
    const page = `${nameOf(pageOf(entry))}.md`;
    const names = exports.map(({ name }) => `[${name}](${page}#${toAnchor(name)})`);
    rows.push(`## [${entry}](${page})\n\n${names.join(' · ')}\n`);
  }
  const others = [];
  for (const declared of mentioned) others.push(`## ${declared.name}\n\n${await toSection(declared)}`);
  const note = 'These types are part of the declarations of exports. No entry exports them by name.';
  pages.set('api/mentioned.md', `# Other declarations\n\n${note}\n\n${others.join('\n')}`);
  const more = 'Types that exports mention, and no entry exports: [other declarations](mentioned.md).';
  pages.set(
    'api/index.md',
    `# API reference\n\nMade of the declarations of the package.\n\n${rows.join('\n')}\n${more}\n`,
  );
  return pages;
}

/** @param {Declared} declared */
async function toSection({ declarations }) {
  const docs = declarations.map(({ doc }) => toMarkdown(doc)).filter(Boolean);
  const text = declarations.map(({ source }) => source).join('\n');
  const { code, errors } = await format('declaration.d.ts', text, { printWidth: 100, singleQuote: true });
  if (errors[0]) throw new Error(`${text}\n${errors[0].message}`);
  return `${[...docs, ''].join('\n\n')}\`\`\`ts\n${code.replaceAll(/\n\s*\n/g, '\n').trim()}\n\`\`\`\n`;
}

/**
 * Returns a docstring as Markdown: its tags become sentences, its indented examples become blocks with colours.
 *
 * @param {string} doc the text between the marks of the comment
 */
export function toMarkdown(doc) {
  const lines = doc.split('\n').map((line) => line.replace(/^\s*\* ?/, ''));
  const [text = '', ...examples] = lines.join('\n').split(/^@example\n?/m);
  const prose = text
    .replaceAll(/^@param (\S+) /gm, '- `$1`: ')
    .replaceAll(/^@returns /gm, '- Returns ')
    .replaceAll(/^@throws /gm, '- Throws ')
    .replaceAll(/(?:^ {4}.*\n?(?:\n(?= {4}))?)+/gm, (block) => `${toBlock(block.replaceAll(/^ {4}/gm, ''))}\n`);
  const blocks = examples.map((example) => toBlock(example));
  // Prose is no HTML.
  const escaped = prose
    .split(/(^```.*?^```$|`[^`\n]*`)/ms)
    .map((piece, index) => (index % 2 === 1 ? piece : piece.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;')));
  return [escaped.join('').trim(), ...blocks].filter(Boolean).join('\n\n');
}

/** @param {string} example */
const toBlock = (example) => `\`\`\`tsx\n${example.trim()}\n\`\`\``;
