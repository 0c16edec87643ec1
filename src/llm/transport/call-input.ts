import { isJsonObject, parseJson } from '../../core/json.ts';
import { createBracketScanner } from './json-documents.ts';

/** What services write for a call without input. */
const none = /^(|null|undefined|none|nil|\[\s*\]|"\s*"|'\s*')$/i;
const emptyObject = /^\s*\{\s*\}\s*$/;

/** Whether a text is one of the spellings of "no input" beside `{}`. */
export function isNoInput(text: string): boolean {
  return none.test(text.trim());
}

/** Whether a text is an object without fields: some relays send one before the input (Bedrock and Gemini behind relays). */
export function isEmptyObject(text: string): boolean {
  return emptyObject.test(text);
}

/**
 * Returns the input of a complete call: the text itself where it is a JSON object. Repaired are the spellings of "no input", JSON within a
 * JSON string, an empty object before the input, the same input twice, and brackets too many. A text with two different inputs, and every
 * other text, is returned unchanged: the call is invalid.
 *
 * Invariant: where the text begins with an object that has fields, the result begins with it too.
 */
export function toInput(text: string, host: string): string {
  const json = parseJson(text);
  if (isJsonObject(json)) return text;
  if (isNoInput(text)) return '{}';
  if (typeof json === 'string') return isJsonObject(parseJson(json)) ? json : isNoInput(json) ? '{}' : text;
  const ends = createBracketScanner(host).push(text);
  const rest = text.slice(ends.at(-1) ?? 0);
  if (ends.length === 0 || /[^\s}\]]/.test(rest)) return text;
  const documents = ends.map((end, n) => text.slice(ends[n - 1] ?? 0, end).replace(/^\s*(null|undefined|"")\s*/, ''));
  const inputs = documents.filter((document) => !isEmptyObject(document) && !isNoInput(document));
  const [first = '{}', ...others] = inputs;
  const isOne = isJsonObject(parseJson(first)) && others.every((other) => isSameInput(other, first));
  return isOne ? first : text;
}

/** Whether two inputs are the same JSON. */
export function isSameInput(a: string, b: string): boolean {
  const [first, second] = [parseJson(a), parseJson(b)];
  return first === undefined || second === undefined ? a === b : canonical(first) === canonical(second);
}

/** Returns JSON text that does not depend on the order of fields. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isJsonObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}
