import { isJsonObject, type Json, type JsonObject, parseJson } from '../json.ts';

/** An object or a list that has not ended. */
interface Open {
  /** Items of a list; missing for an object. */
  readonly items?: Json[];
  /** Fields of an object. */
  readonly fields: Map<string, Json>;
  /** The field whose value has not ended. */
  key?: string | undefined;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };
/** Numbers, `true`, `false`, `null`. */
const word = /[^\s,:{}[\]"]+/y;
/** Characters. A longer word is not valid JSON. */
const longestWord = 1_000;

/**
 * Creates a reader of one call's input while the input streams, for display. Call the reader with `call.inputText` each time the text has
 * grown. The reader returns the fields so far: a string as far as it has arrived, numbers and literals when they are complete.
 *
 * Each character is read once, however often the reader is called. Values that have ended keep their identity. For text that is not JSON
 * the reader returns the last valid result. Whether a call may run depends on its complete input, never on this reader.
 */
export function createPartialJsonReader(): (inputText: string) => JsonObject | undefined {
  const open: Open[] = [];
  let whole: Json | undefined;
  /** The string that has not ended: a field's name or a value. */
  let text: string | undefined;
  /** Text that cannot be read without the text after it. */
  let rest = '';
  let seen = 0;
  let broken = false;
  let shown: JsonObject | undefined;

  function isKey(): boolean {
    const parent = open.at(-1);
    return parent !== undefined && parent.items === undefined && parent.key === undefined;
  }

  function add(value: Json): void {
    const parent = open.at(-1);
    if (parent === undefined) whole = value;
    else if (parent.items !== undefined) parent.items.push(value);
    else if (parent.key !== undefined) {
      parent.fields.set(parent.key, value);
      parent.key = undefined;
    } else broken = true;
  }

  function endText(value: string): void {
    const parent = open.at(-1);
    if (parent && isKey()) parent.key = value;
    else add(value);
    text = undefined;
  }

  /** Returns the next position to read, or `undefined` when more text is needed first. */
  function readText(value: string, from: string, at: number): number | undefined {
    let end = at;
    while (end < from.length && from[end] !== '"' && from[end] !== '\\') end += 1;
    text = value + from.slice(at, end);
    if (from[end] === '"') {
      endText(text);
      return end + 1;
    }
    if (end === from.length) return end;
    const name = from[end + 1];
    const after = end + (name === 'u' ? 6 : 2);
    if (name === undefined || after > from.length) {
      rest = from.slice(end);
      return undefined;
    }
    text += name === 'u' ? String.fromCharCode(parseInt(from.slice(end + 2, after), 16)) : (escapes[name] ?? name);
    return after;
  }

  function readWord(from: string, at: number): number | undefined {
    word.lastIndex = at;
    word.test(from);
    const end = word.lastIndex;
    const value = end < from.length ? parseJson(from.slice(at, end)) : undefined;
    if (value !== undefined) add(value);
    else if (end < from.length || end - at > longestWord) broken = true;
    else rest = from.slice(at);
    return value === undefined ? undefined : end;
  }

  function close(): void {
    const closed = open.pop();
    if (closed === undefined) broken = true;
    else add(closed.items ?? Object.fromEntries(closed.fields));
  }

  /** Reads one token. Returns the next position, or `undefined` when reading cannot continue. */
  function read(from: string, at: number): number | undefined {
    if (broken || whole !== undefined) return undefined;
    if (text !== undefined) return readText(text, from, at);
    const char = from.charAt(at);
    if (/[\s,:]/.test(char)) return at + 1;
    if (char === '"') text = '';
    else if (char === '{') open.push({ fields: new Map() });
    else if (char === '[') open.push({ fields: new Map(), items: [] });
    else if (char === '}' || char === ']') close();
    else return readWord(from, at);
    return at + 1;
  }

  /** Returns the value so far: the open objects and lists, built from the innermost outwards. */
  function currentValue(): Json | undefined {
    let inner: Json | undefined = isKey() ? undefined : text;
    for (const { items, fields, key } of open.toReversed()) {
      if (items) inner = inner === undefined ? [...items] : [...items, inner];
      else inner = Object.fromEntries(key === undefined || inner === undefined ? fields : [...fields, [key, inner]]);
    }
    return open.length > 0 ? inner : whole;
  }

  return (inputText) => {
    if (inputText.length <= seen || broken) return shown;
    const from = rest + inputText.slice(seen);
    seen = inputText.length;
    rest = '';
    let at: number | undefined = 0;
    while (at !== undefined && at < from.length) at = read(from, at);
    const value = currentValue();
    if (isJsonObject(value)) shown = value;
    return shown;
  };
}
