// Scripts that wait while they are evaluated. WebKit runs a module too early where several `import()` meet in one that waits
// (webkit.org/b/242740): what the module imports is `undefined` then.

import { parseSync } from 'vite';

/**
 * Whether a module has an `await` outside of its functions.
 *
 * @param {string} code JavaScript
 */
export function hasTopLevelAwait(code) {
  return waits(parseSync('module.js', code, { sourceType: 'module' }).program);
}

/** @param {unknown} node of a syntax tree @returns {boolean} */
function waits(node) {
  if (Array.isArray(node)) return node.some(waits);
  if (typeof node !== 'object' || node === null) return false;
  const { type, await: isAwaited } = /** @type {{ type?: string, await?: unknown }} */ (node);
  if (type !== undefined && /Function/.test(type)) return false;
  if (type === 'AwaitExpression' || (type === 'ForOfStatement' && isAwaited === true)) return true;
  return Object.values(node).some(waits);
}
