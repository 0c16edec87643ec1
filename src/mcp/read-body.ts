import { isJsonObject, type JsonObject } from '../core/json.ts';
import { Trouble } from './errors.ts';

/** Deepest nesting of a message. */
const maxDepth = 64;

/** One event of an event stream. */
export interface StreamEvent {
  readonly data: string;
  readonly id?: string;
  /** ms */
  readonly retry?: number;
}

/** The body of a response, and how much of it is read. */
export interface Body {
  readonly stream: ReadableStream<Uint8Array> | null;
  /** Of a text, or of one event: a stream of events may be endless. */
  readonly maxBytes: number;
}

/** Yields the text of a body in pieces. The rest of the body is cancelled when the caller stops. */
async function* readText({ stream }: Body): AsyncGenerator<string> {
  const reader = stream?.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done = true, value } = (await reader?.read()) ?? {};
      const text = decoder.decode(value, { stream: !done });
      if (text) yield text;
      if (done) return;
    }
  } finally {
    reader?.cancel().catch(() => {});
  }
}

export async function readAll(body: Body): Promise<string> {
  const pieces: string[] = [];
  let size = 0;
  for await (const piece of readText(body)) {
    size = checkSize(body, size + piece.length);
    pieces.push(piece);
  }
  return pieces.join('');
}

/** @throws Trouble `too-large` */
function checkSize({ maxBytes }: Body, size: number): number {
  if (size > maxBytes) throw new Trouble('too-large', { limit: maxBytes });
  return size;
}

/** Yields the events of an event stream (WHATWG HTML §9.2.6), also the last one without its blank line. */
export async function* readEvents(body: Body): AsyncGenerator<StreamEvent> {
  let event: { data?: string[]; id?: string; retry?: number } = {};
  let size = 0;
  for await (const line of readLines(body)) {
    if (line === '') {
      if (event.data || event.id !== undefined || event.retry !== undefined)
        yield { ...event, data: event.data?.join('\n') ?? '' };
      event = {};
      size = 0;
      continue;
    }
    size = checkSize(body, size + line.length + 1);
    const [field = '', value = ''] = splitField(line);
    if (field === 'data') (event.data ??= []).push(value);
    else if (field === 'id') event.id = value;
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) event.retry = Number(value);
  }
  if (event.data) yield { ...event, data: event.data.join('\n') };
}

function splitField(line: string): readonly string[] {
  const colon = line.indexOf(':');
  return colon < 0 ? [line] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
}

async function* readLines(body: Body): AsyncGenerator<string> {
  // Pieces, not one growing text: an endless line costs no more than its length.
  let pieces: string[] = [];
  let size = 0;
  let afterCR = false;
  for await (const piece of readText(body)) {
    const lines = (afterCR ? piece.replace(/^\n/, '') : piece).split(/\r\n|\r|\n/);
    afterCR = piece.endsWith('\r');
    const rest = lines.pop() ?? '';
    for (const line of lines) {
      yield pieces.join('') + line;
      pieces = [];
      size = 0;
    }
    if (rest) pieces.push(rest);
    size = checkSize(body, size + rest.length);
  }
  if (pieces.length > 0) yield pieces.join('');
}

/**
 * Parses an untrusted message. Members named `__proto__` are left out.
 *
 * @throws Trouble `malformed` for text that is not a JSON object, or nested too deeply
 */
export function parseMessage(text: string): JsonObject {
  if (isTooDeep(text))
    throw new Trouble('malformed', { what: `a message that is nested more than ${maxDepth} levels deep` });
  // The parser is five times slower with a function, which only a member of this name needs. An escape may write any name.
  const mayNamePrototype = text.includes('__proto__') || text.includes('\\u');
  const withoutPrototype = (key: string, value: unknown): unknown => (key === '__proto__' ? undefined : value);
  try {
    const message: unknown = JSON.parse(text, mayNamePrototype ? withoutPrototype : undefined);
    if (isJsonObject(message)) return message;
  } catch (cause) {
    throw new Trouble('malformed', { what: 'text that is not JSON', cause });
  }
  throw new Trouble('malformed', { what: 'JSON that is not a message' });
}

/** A scan of the text: the parser itself, and what walks the parsed value, would need a stack as deep as the message. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case codes.quote:
        at = endOfString(text, at + 1);
        break;
      case codes.brace:
      case codes.bracket:
        depth += 1;
        if (depth > maxDepth) return true;
        break;
      case codes.braceEnd:
      case codes.bracketEnd:
        depth -= 1;
    }
  }
  return false;
}

const codes = { quote: 34, bracket: 91, backslash: 92, bracketEnd: 93, brace: 123, braceEnd: 125 } as const;

/** Returns the place of the quote that ends a string, or the end of the text. A quote after an odd number of backslashes ends none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (first > start && text.charCodeAt(first - 1) === codes.backslash) first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}
