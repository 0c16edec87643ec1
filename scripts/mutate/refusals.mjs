// Which mutants change a condition that refuses something: `npm run mutate -- mcp --refusals`.

import { readFileSync } from 'node:fs';
import { parseSync, traverse } from '@babel/core';

/** @typedef {import('@babel/core').Node} Node */
/** @typedef {import('./instrument.mjs').Mutant} Mutant */

/** Mutators that weaken a condition. Others change what follows from it. */
const mutators = new Set([
  'BooleanLiteral',
  'ConditionalExpression',
  'EqualityOperator',
  'LogicalOperator',
  'MethodExpression',
  'Regex',
]);

const predicate = /^(?:is|has|can|may|lacks|belongs|matches|allows|needs)(?=[A-Z]|$)/;
const refusal = /^(?:fail|refuse|reject|deny|abort|drop)/;
const sieve = /^(?:filter|some|every|find|findLast)$/;

/**
 * Returns the mutants in a condition that refuses: of an `if` or `?:` that leaves, throws, fails or gives nothing, in a predicate, and in
 * the callback of a `filter`, `some`, `every` or `find`.
 *
 * @param {string} root
 * @param {readonly Mutant[]} mutants
 */
export function refusalsAmong(root, mutants) {
  /** @type {Map<string, readonly Node[]>} */
  const conditions = new Map();
  return mutants.filter((mutant) => {
    const { fileName, mutatorName } = mutant;
    const known = conditions.get(fileName) ?? conditionsOf(readFileSync(root + fileName, 'utf8'));
    conditions.set(fileName, known);
    return mutators.has(mutatorName) && known.some((condition) => contains(condition, mutant));
  });
}

/** @param {Node} node @param {Mutant} mutant */
function contains({ loc }, { location: { start, end } }) {
  if (!loc) return false;
  // Lines of Babel begin with 1, those of Stryker with 0.
  const isAfter = start.line > loc.start.line - 1 || start.column >= loc.start.column;
  const isBefore = end.line < loc.end.line - 1 || end.column <= loc.end.column;
  return start.line >= loc.start.line - 1 && end.line <= loc.end.line - 1 && isAfter && isBefore;
}

/**
 * The conditions that refuse something, as nodes of Babel.
 *
 * @param {string} code
 * @returns {readonly Node[]}
 */
export function conditionsOf(code) {
  const tree = parseSync(code, { configFile: false, babelrc: false, parserOpts: { plugins: ['typescript', 'jsx'] } });
  /** @type {Node[]} */
  const found = [];
  /** @param {Node | null | undefined} node */
  const add = (node) => void (node && found.push(node));
  traverse(tree, {
    IfStatement({ node }) {
      if (leaves(node.consequent) || leaves(node.alternate)) add(node.test);
    },
    ConditionalExpression({ node }) {
      if (isNothing(node.consequent) || isNothing(node.alternate)) add(node.test);
    },
    Function({ node, parent }) {
      const { returnType, id } = node;
      const kind = returnType?.typeAnnotation?.type;
      const name = id?.name ?? parent.id?.name ?? parent.key?.name ?? '';
      const isPredicate = kind === 'TSBooleanKeyword' || kind === 'TSTypePredicate' || predicate.test(name);
      const isSieve = parent.type === 'CallExpression' && sieve.test(parent.callee?.property?.name ?? '');
      if (!isPredicate && !isSieve) return;
      for (const one of results(node.body)) add(one);
    },
    VariableDeclarator({ node }) {
      if (predicate.test(node.id?.name ?? '') && node.init?.type !== 'ArrowFunctionExpression') add(node.init);
    },
  });
  return found;
}

/** The statements of a block. @param {Node} block @returns {readonly Node[]} */
function statementsOf({ body }) {
  return body && !('type' in body) ? body : [];
}

/** What a function returns at its top level. @param {Node['body']} body @returns {readonly (Node | null | undefined)[]} */
function results(body) {
  if (!body || !('type' in body)) return [];
  if (body.type !== 'BlockStatement') return [body];
  return statementsOf(body).flatMap(({ type, argument }) => (type === 'ReturnStatement' ? [argument] : []));
}

/** Whether a branch leaves what it is in, or calls what refuses. @param {Node | null | undefined} node @returns {boolean} */
function leaves(node) {
  if (!node) return false;
  if (/^(?:Return|Throw|Continue|Break)Statement$/.test(node.type)) return true;
  if (node.type === 'ExpressionStatement') return isNothing(node.expression);
  return node.type === 'BlockStatement' && leaves(statementsOf(node).at(-1));
}

/** Whether an expression gives nothing, or calls what refuses. @param {Node | null | undefined} node @returns {boolean} */
function isNothing(node) {
  if (node?.type === 'AwaitExpression' || (node?.type === 'UnaryExpression' && node.operator === 'void'))
    return isNothing(node.argument);
  if (node?.type === 'CallExpression') return refusal.test(node.callee?.property?.name ?? node.callee?.name ?? '');
  return (
    node?.type === 'NullLiteral' ||
    (node?.type === 'BooleanLiteral' && node.value === false) ||
    (node?.type === 'Identifier' && node.name === 'undefined') ||
    (node?.type === 'ArrayExpression' && node.elements?.length === 0)
  );
}
