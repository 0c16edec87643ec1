// Which files of the repository a file needs: what it imports, also by the name of the package and on demand; and what it names by its path
// (a page that a test builds, a script that it starts, a fixture). A folder that is named stands for all of its files. The configuration of the
// tests names entries and pages of all tests: what it names is left out, and a change of it reaches everything (scripts/change.mjs).

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { parseSync, Visitor } from 'vite';
import { alias } from './alias.mjs';
import { root } from './manifest.mjs';
import { virtualModules } from './viewer.mjs';

/** Files whose text is read for what they need. */
const isCode = /\.(tsx?|mjs|js)$/;
const isMarkup = /\.(html|css)$/;

/** Folders that hold everything: a file that lists one of them needs no single file of it. */
const isListed = /^(src|test|docs|scripts)$/;

/** The files of the repository as paths from the root, those not yet committed too. */
export function listFiles() {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\0')
    .filter((path) => path !== '');
}

/**
 * Returns what finds the files that some files need, themselves included.
 *
 * @param {readonly string[]} [files] of the repository
 * @param {(file: string) => string | undefined} [read] returns the text of a file; `undefined` if there is none
 */
export function createGraph(files = listFiles(), read = readText) {
  const all = new Set(files);
  /** @type {Map<string, readonly string[]>} */
  const byFolder = new Map();
  for (const file of files) {
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) {
      byFolder.set(folder, [...(byFolder.get(folder) ?? []), file]);
    }
  }
  /** @type {Map<string, readonly string[]>} */
  const known = new Map();
  const configuration = importsOf(['vite.config.ts', 'scripts/exceptions.mjs']);

  /** @param {string} from @param {string} specifier @returns {readonly string[]} */
  function resolveImport(from, specifier) {
    const virtual = Object.entries(virtualModules).find(([name]) => name === specifier);
    if (virtual) return [virtual[1]];
    const named = alias.find(({ find }) => find.test(specifier));
    if (named) return named.replacement.startsWith(root) ? [named.replacement.slice(root.length)] : [];
    return specifier.startsWith('.') ? resolvePath(from, specifier) : [];
  }

  /** A path is relative to the file that names it, or to the root. @param {string} from @param {string} text @returns {readonly string[]} */
  function resolvePath(from, text) {
    // A word is a path only with a folder or an ending, and folders above are not meant as a whole.
    if (!/^[\w@./-]*\w[\w@./-]*$/.test(text) || !/[./]/.test(text) || /(^|\/)\.\.?\/?$/.test(text)) return [];
    const candidates = [normalize(join(dirname(from), text)), normalize(text)].map((path) => path.replace(/\/$/, ''));
    return candidates.flatMap((path) =>
      all.has(path) ? [path] : isListed.test(path) ? [] : (byFolder.get(path) ?? []),
    );
  }

  /** @param {string} file @returns {readonly string[]} */
  function neededBy(file) {
    const before = known.get(file);
    if (before) return before;
    // A test that names the configuration builds Studio with it.
    if (file === 'vite.config.ts') return byFolder.get('demo') ?? [];
    const isRead = (isCode.test(file) || isMarkup.test(file)) && !configuration.has(file);
    const text = isRead ? read(file) : undefined;
    const needed = text === undefined ? [] : isCode.test(file) ? ofCode(file, text) : ofMarkup(file, text);
    known.set(file, needed);
    return needed;
  }

  /** @param {string} file @param {string} text @returns {readonly string[]} */
  function ofCode(file, text) {
    /** @type {Set<string>} */
    const found = new Set();
    /** @param {readonly string[]} paths */
    const add = (paths) => {
      for (const path of paths) found.add(path);
    };
    /** @param {{ readonly source?: { readonly value?: unknown } | null }} node */
    const addSource = ({ source }) => {
      if (typeof source?.value === 'string') add(resolveImport(file, source.value));
    };
    new Visitor({
      ImportDeclaration: (node) => addSource(node),
      ExportAllDeclaration: (node) => addSource(node),
      ExportNamedDeclaration: (node) => addSource(node),
      // Of `import()` and of `vi.mock`, too.
      Literal(node) {
        if (typeof node.value === 'string') add([...resolveImport(file, node.value), ...resolvePath(file, node.value)]);
      },
      TemplateElement: (node) => add(resolvePath(file, (node.value.cooked ?? '').replace(/^\//, ''))),
    }).visit(parseSync(file, text, { sourceType: 'module' }).program);
    return [...found];
  }

  /** @param {string} file @param {string} text @returns {readonly string[]} */
  function ofMarkup(file, text) {
    const named = text.matchAll(/(?:src|href)="([^"]+)"|url\(['"]?([^)'"]+)|@import\s+['"]([^'"]+)/g);
    return [...named].flatMap(([, one, two, three]) => {
      const path = (one ?? two ?? three ?? '').replace(/^\//, './');
      return resolvePath(file, path);
    });
  }

  /**
   * Returns the files that these files need, themselves included.
   *
   * @param {readonly string[]} some as paths from the root
   * @returns {ReadonlySet<string>}
   */
  function reach(some) {
    const found = new Set(some.filter((path) => all.has(path)));
    // The iteration includes files that are added meanwhile.
    for (const file of found) for (const next of neededBy(file)) found.add(next);
    return found;
  }

  /** Returns files with all that they import, without what they name otherwise. @param {readonly string[]} some @returns {ReadonlySet<string>} */
  function importsOf(some) {
    const found = new Set(some.filter((path) => all.has(path)));
    for (const one of found) {
      const specifiers = (read(one) ?? '').matchAll(/^(?:import|export) [^;]*?from '(\.[^']+)';$/gms);
      for (const [, specifier = ''] of specifiers) for (const path of resolvePath(one, specifier)) found.add(path);
    }
    return found;
  }

  return { reach, neededBy, configuration };
}

/** @param {string} file */
function readText(file) {
  try {
    return readFileSync(join(root, file), 'utf8');
  } catch {
    return undefined;
  }
}
