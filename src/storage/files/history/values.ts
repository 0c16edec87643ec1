import { fail } from '../../../core/error.ts';
import { parseJson, type Json } from '../../../core/json.ts';
import { type ImportLimits, overLimit } from '../limits.ts';
import type { Pauses } from '../pause.ts';
import type { TextSource } from '../text-chunks.ts';

/** One of the values of a file. */
export interface FileValue {
  readonly value: Json;
  /** Whether it is an element of a list. */
  readonly isElement: boolean;
}

/** What values are read with. */
export interface ValueOptions {
  readonly limits: ImportLimits;
  readonly pauses: Pauses;
  /** What the file should be, for messages. */
  readonly expected: string;
  /** Called with the characters or bytes read so far; throws to stop. */
  readonly onRead?: (read: number) => void;
}

/**
 * Yields the values of a text or a file, one at a time: the elements of a JSON array, one JSON document, or JSON Lines. Only one value is
 * in memory at a time. A byte order mark is skipped.
 *
 * Rejects with AgentError `INVALID_INPUT`, with the line, for a text that is not JSON, ends too early or is beyond the limits.
 */
export async function* valuesOf(source: TextSource, options: ValueOptions): AsyncGenerator<FileValue, void> {
  const { limits, pauses, expected, onRead } = options;
  if (source.size > limits.size) fail('INVALID_INPUT', `The source is longer than ${limits.size} ${source.unit}.`);

  /** Pieces of the value that is not complete yet. */
  let pieces: string[] = [];
  let length = 0;
  let line = 1;
  /** Line on which the value began. */
  let begun = 1;
  /** Arrays and objects that are open, without the list whose elements are the values. */
  let depth = 0;
  let isInList = false;
  let isInString = false;
  let isEscaped = false;
  /** Inside a number, `true`, `false` or `null` that is a value of its own. */
  let isInWord = false;

  const refuse = (at: number, reason: string): never =>
    fail('INVALID_INPUT', `Line ${at} of the source ${reason}: expected ${expected}.`);

  function take(piece: string): void {
    length += piece.length;
    if (length > limits.lineLength) refuse(begun, `begins a value of more than ${limits.lineLength} characters`);
    pieces.push(piece);
  }

  function complete(): FileValue {
    const text = pieces.join('');
    pieces = [];
    length = 0;
    const flaw = overLimit(text, limits);
    if (flaw !== undefined) refuse(begun, flaw);
    const value = parseJson(text);
    return { value: value === undefined ? refuse(begun, 'is not JSON') : value, isElement: isInList };
  }

  for await (const { text, read } of source.chunks()) {
    let start = 0;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code === newline) line++;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (code === backslash) isEscaped = true;
        else if (code === newline) refuse(begun, 'is not JSON');
        else if (code === quote) {
          isInString = false;
          if (depth === 0) {
            take(text.slice(start, index + 1));
            yield complete();
          }
        }
        continue;
      }
      const isSpace = code === space || code === newline || code === tab || code === carriageReturn;
      if (isInWord) {
        if (!isSpace && code !== comma && code !== closeList) continue;
        isInWord = false;
        take(text.slice(start, index));
        yield complete();
      }
      if (isSpace || (depth === 0 && isInList && code === comma)) continue;
      if (depth === 0 && code === closeList) {
        if (!isInList) refuse(line, 'is not JSON');
        isInList = false;
        continue;
      }
      if (depth === 0 && code === openList && !isInList) {
        isInList = true;
        continue;
      }
      if (depth === 0) {
        start = index;
        begun = line;
      }
      if (code === quote) isInString = true;
      else if (code === openList || code === openObject) {
        if (++depth > limits.depth) refuse(begun, `is nested deeper than ${limits.depth} levels`);
      } else if (code === closeList || code === closeObject) {
        if (--depth < 0) refuse(line, 'is not JSON');
        if (depth > 0) continue;
        take(text.slice(start, index + 1));
        yield complete();
      } else if (depth === 0) isInWord = true;
    }
    if (depth > 0 || isInString || isInWord) take(text.slice(start));
    onRead?.(read);
    await pauses.spend(text.length);
  }
  if (isInWord) yield complete();
  else if (depth > 0 || isInString) refuse(begun, 'is not complete');
  if (isInList) refuse(line, 'ends within a list');
}

const newline = 10;
const carriageReturn = 13;
const tab = 9;
const space = 32;
const quote = 34;
const comma = 44;
const backslash = 92;
const openList = 91;
const closeList = 93;
const openObject = 123;
const closeObject = 125;
