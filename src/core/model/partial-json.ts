import { isJsonObject, type Json, type JsonObject, parseJson } from '../json.ts';

/** An object or a list whose end has not come. */
interface Open {
  /** Of a list. */
  readonly items?: Json[];
  /** Of an object. */
  readonly fields: Map<string, Json>;
  /** The field whose value has not ended. */
  key?: string | undefined;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };
/** Numbers, `true`, `false`, `null`. */
const word = /[^\s,:{}[\]"]+/y;
/** Characters; a longer word is no JSON that somebody means. */
const longestWord = 1_000;

/**
 * Reads a tool's input while it streams, to show it: give it `call.inputText` each time that has grown. Gives the fields that have come,
 * a text that is still growing as far as it is there; numbers and words when they are whole. One reader a call.
 *
 * Looks at each character once, however often it is asked. What has ended keeps its identity. Where the text is not JSON it stays at
 * what came before; whether a call may run is decided by its whole input, never by this.
 */
export function createPartialJsonReader(): (inputText: string) => JsonObject | undefined {
  const open: Open[] = [];
  let whole: Json | undefined;
  /** The text that has not ended: a field's name or a value. */
  let text: string | undefined;
  /** What cannot be understood without what follows. */
  let rest = '';
  let seen = 0;
  let broken = false;
  let shown: JsonObject | undefined;

  function isKey(): boolean {
    const into = open.at(-1);
    return into !== undefined && into.items === undefined && into.key === undefined;
  }

  function add(value: Json): void {
    const into = open.at(-1);
    if (into === undefined) whole = value;
    else if (into.items !== undefined) into.items.push(value);
    else if (into.key !== undefined) {
      into.fields.set(into.key, value);
      into.key = undefined;
    } else broken = true;
  }

  function endText(said: string): void {
    const into = open.at(-1);
    if (into && isKey()) into.key = said;
    else add(said);
    text = undefined;
  }

  /** Gives where to go on, or `undefined` where more must come first. */
  function readText(said: string, from: string, at: number): number | undefined {
    let end = at;
    while (end < from.length && from[end] !== '"' && from[end] !== '\\') end += 1;
    text = said + from.slice(at, end);
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
    const end = at + (word.exec(from)?.[0].length ?? 0);
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

  /** Reads one thing, if there is to be one more. */
  function read(from: string, at: number): number | undefined {
    if (broken || whole !== undefined) return undefined;
    if (text !== undefined) return readText(text, from, at);
    const char = from[at] ?? '';
    if (/[\s,:]/.test(char)) return at + 1;
    if (char === '"') text = '';
    else if (char === '{') open.push({ fields: new Map() });
    else if (char === '[') open.push({ fields: new Map(), items: [] });
    else if (char === '}' || char === ']') close();
    else return readWord(from, at);
    return at + 1;
  }

  /** The open ones, from the inside out, around what has ended in them. */
  function look(): Json | undefined {
    let inner: Json | undefined = isKey() ? undefined : text;
    for (const { items, fields, key } of open.toReversed()) {
      const last: readonly Json[] = inner === undefined ? [] : [inner];
      inner = items
        ? [...items, ...last]
        : Object.fromEntries([...fields, ...last.map((value) => [key ?? '', value] as const)]);
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
    const value = look();
    if (isJsonObject(value)) shown = value;
    return shown;
  };
}
