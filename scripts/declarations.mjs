// Reads what the entries of the built package export, from their declaration files: each name with the text of its declaration,
// and the declarations that these mention and no entry exports.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync, Visitor } from 'vite';

/**
 * @typedef {object} Declaration
 * @property {string} text without comments
 * @property {string} source with its comments
 * @property {string} doc the docstring directly before it; empty where there is none
 * @property {readonly string[]} mentions the names of its module that it mentions
 *
 * One declared name of one file. An overloaded function, or a value and a type of one name, are several declarations.
 * @typedef {object} Declared
 * @property {string} id the same for the same declaration, whichever entry exports it
 * @property {string} file
 * @property {string} name as declared, which an entry may rename
 * @property {readonly Declaration[]} declarations
 *
 * @typedef {import('vite').ESTree.Program['body'][number]} Statement
 * @typedef {{ readonly file: string | undefined, readonly name: string }} Origin a name of a file; of a package without `file`
 *
 * @typedef {object} Module
 * @property {Map<string, Declaration[]>} declared
 * @property {Map<string, Origin>} imported by local name
 * @property {Map<string, Origin>} exported by exported name
 *
 * @typedef {{ readonly name: string, readonly file: string }} Entry an import path, and its declaration file
 * @typedef {{ readonly name: string, readonly declared: Declared }} Exported
 * @typedef {{ readonly name: string, readonly exports: readonly Exported[] }} Surface
 */

/**
 * @param {readonly Entry[]} entries
 * @returns {{ readonly surfaces: readonly Surface[], readonly mentioned: readonly Declared[] }}
 */
export function readDeclarations(entries) {
  /** @type {Map<string, Module>} */
  const modules = new Map();
  /** @param {string} file */
  const load = (file) => {
    const module = modules.get(file) ?? parseModule(file);
    modules.set(file, module);
    return module;
  };

  /**
   * Follows exports and imports to the declaration; `undefined` for a name of a package, or one of the language's own.
   *
   * @param {Origin} origin
   * @returns {Declared | undefined}
   */
  function find({ file, name }) {
    if (file === undefined) return undefined;
    const { declared, imported, exported } = load(file);
    const declarations = declared.get(name);
    if (declarations) return { id: `${file} ${name}`, file, name, declarations };
    const origin = imported.get(name) ?? exported.get(name);
    return origin && find(origin);
  }

  const surfaces = entries.map((entry) => ({
    name: entry.name,
    exports: [...load(entry.file).exported]
      .map(([name, origin]) => {
        const declared = find(origin);
        if (!declared) throw new Error(`${entry.file} exports ${name}, whose declaration was not found.`);
        return { name, declared };
      })
      .toSorted(byName),
  }));

  const seen = new Set(surfaces.flatMap(({ exports }) => exports.map(({ declared }) => declared.id)));
  /** @type {Declared[]} */
  const mentioned = [];
  const queue = surfaces.flatMap(({ exports }) => exports.map(({ declared }) => declared));
  // The queue grows while it is walked.
  for (const { file, declarations } of queue) {
    for (const name of declarations.flatMap(({ mentions }) => mentions)) {
      const declared = find({ file, name });
      if (!declared || seen.has(declared.id)) continue;
      seen.add(declared.id);
      mentioned.push(declared);
      queue.push(declared);
    }
  }
  return { surfaces, mentioned: mentioned.toSorted(byName) };
}

/** By name, in the same order on every machine. @param {{ name: string }} one @param {{ name: string }} other */
function byName({ name: one }, { name: other }) {
  return one < other ? -1 : Number(one > other);
}

/**
 * @param {string} file
 * @returns {Module}
 */
function parseModule(file) {
  const text = readFileSync(file, 'utf8');
  const { program, comments, errors } = parseSync(file, text, { sourceType: 'module' });
  if (errors[0]) throw new SyntaxError(`${file}: ${errors[0].message}`);

  /** @type {Module} */
  const module = { declared: new Map(), imported: new Map(), exported: new Map() };

  /** @param {string} specifier */
  const toFile = (specifier) =>
    specifier.startsWith('.') ? join(dirname(file), specifier.replace(/\.[jt]sx?$/, '.d.ts')) : undefined;

  /**
   * @param {string} name
   * @param {Statement} node
   * @param {number} start where the statement begins, with its `export`
   */
  function declare(name, node, start) {
    const doc = comments.find(
      ({ type, value, end }) =>
        type === 'Block' && value.startsWith('*') && end <= start && !text.slice(end, start).trim(),
    );
    let code = text.slice(start, node.end);
    for (const comment of comments.filter((one) => one.start >= start && one.end <= node.end).toReversed())
      code = code.slice(0, comment.start - start) + code.slice(comment.end - start);
    const before = module.declared.get(name) ?? [];
    module.declared.set(name, [
      ...before,
      {
        text: code,
        source: text.slice(start, node.end),
        doc: doc?.value.slice(1).trim() ?? '',
        mentions: mentionsIn(node),
      },
    ]);
  }

  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') {
      for (const specifier of statement.specifiers) {
        const name = specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : specifier.local.name;
        module.imported.set(specifier.local.name, { file: toFile(statement.source.value), name });
      }
    } else if (statement.type === 'ExportNamedDeclaration') {
      for (const { local, exported } of statement.specifiers) {
        const from = statement.source ? toFile(statement.source.value) : file;
        module.exported.set(nameOf(exported), { file: from, name: nameOf(local) });
      }
      const { declaration, start } = statement;
      for (const name of declaration ? namesOf(declaration) : []) {
        if (declaration) declare(name, declaration, start);
        module.exported.set(name, { file, name });
      }
    } else if (statement.type === 'ExportAllDeclaration' || statement.type === 'ExportDefaultDeclaration') {
      throw new SyntaxError(`${file}: exports are by name here, not ${statement.type}`);
    } else {
      for (const name of namesOf(statement)) declare(name, statement, statement.start);
    }
  }
  return module;
}

/** @param {import('vite').ESTree.ModuleExportName} name */
const nameOf = (name) => (name.type === 'Literal' ? name.value : name.name);

/**
 * @param {import('vite').ESTree.Node} node
 * @returns {readonly string[]}
 */
function namesOf(node) {
  switch (node.type) {
    case 'VariableDeclaration':
      return node.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
    case 'TSDeclareFunction':
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return node.id ? [node.id.name] : [];
    default:
      return [];
  }
}

/**
 * The names of types and values that a declaration mentions, without those of its own properties.
 *
 * @param {Statement} node
 * @returns {readonly string[]}
 */
function mentionsIn(node) {
  /** @type {Set<string>} */
  const names = new Set();
  /** @param {{ type: string }} name */
  const add = (name) => {
    if ('name' in name && typeof name.name === 'string') names.add(name.name);
  };
  const visitor = new Visitor({
    TSTypeReference: ({ typeName }) => add(typeName),
    TSTypeQuery: ({ exprName }) => add(exprName),
    TSInterfaceHeritage: ({ expression }) => add(expression),
    TSClassImplements: ({ expression }) => add(expression),
    TSQualifiedName: ({ left }) => add(left),
    ClassDeclaration: ({ superClass }) => superClass && add(superClass),
  });
  visitor.visit({ type: 'Program', body: [node], sourceType: 'module', hashbang: null, start: 0, end: 0 });
  return [...names];
}
