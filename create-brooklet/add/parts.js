// The parts of `brooklet/ui` as the installed package has them: `src/ui/index.ts` names them, their imports name what each needs.

import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/**
 * @typedef {object} Part
 * @property {string} name as it is exported
 * @property {string} file its path in `src/ui`
 * @property {string} summary the first sentence of its docstring
 */

/** Where the parts are in the package. */
export const folderOfParts = 'src/ui';
export const styleSheet = 'style.css';

const exported = /^export \{([^}]*)\} from '\.\/([^']+)';/gm;
/** The paths of imports, also of those on demand. A sample in a comment imports by the name of the package. */
const imported =
  /^(?:import|export)\b[^;]*?\bfrom '([^']+)'|\bimport\('([^']+)'\)|^import '([^']+)'|^@import (?:url\()?["']([^"']+)["']/gm;

/**
 * Returns the parts in the order of the index. Types are none.
 *
 * @param {string} source the folder `src/ui`
 * @returns {readonly Part[]}
 */
export function readParts(source) {
  const index = readFileSync(join(source, 'index.ts'), 'utf8');
  return [...index.matchAll(exported)].flatMap(([, names = '', file = '']) => {
    const text = readFileSync(join(source, file), 'utf8');
    return names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => ({ name, file, summary: summaryOf(name, text) }));
  });
}

/** @param {string} name @param {string} text */
function summaryOf(name, text) {
  const at = text.search(new RegExp(`^export (?:const|function|class) ${name}\\b`, 'm'));
  const before = text.slice(0, Math.max(0, at)).trimEnd();
  if (!before.endsWith('*/')) return '';
  const comment = before.slice(before.lastIndexOf('/**') + 3, -2).replaceAll(/\s*\n\s*\* ?/g, ' ');
  return /^.*?[.:](?=\s|$)/.exec(comment.trim())?.[0].replace(/:$/, '.') ?? comment.trim();
}

/** @param {string} text @returns {readonly string[]} the paths and names that a file imports */
export const importsOf = (text) =>
  [...text.matchAll(imported)].map(([, from, later, effect, style]) => from ?? later ?? effect ?? style ?? '');

/** @param {string} file @param {string} specifier @returns the path that a relative import leads to */
export const targetOf = (file, specifier) => posix.join(posix.dirname(file), specifier);

/** @param {string} path @returns whether it leaves `src/ui` */
export const isOutside = (path) => path.startsWith('../');

/**
 * Returns the files that parts need, themselves included, each with its text.
 *
 * @param {string} source the folder `src/ui`
 * @param {readonly string[]} files
 * @returns {ReadonlyMap<string, string>}
 */
export function readFilesFor(source, files) {
  /** @type {Map<string, string>} */
  const texts = new Map();
  const rest = [...files];
  for (let file = rest.pop(); file !== undefined; file = rest.pop()) {
    if (texts.has(file)) continue;
    if (!existsSync(join(source, file))) throw new Error(`The package has no file ${posix.join(folderOfParts, file)}.`);
    const text = readFileSync(join(source, file), 'utf8');
    texts.set(file, text);
    for (const specifier of importsOf(text)) {
      const target = targetOf(file, specifier);
      if (specifier.startsWith('.') && !isOutside(target)) rest.push(target);
    }
  }
  return new Map([...texts].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
