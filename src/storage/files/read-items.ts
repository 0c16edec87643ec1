import { fail } from '../../core/error.ts';
import { isJsonObject, parseJson, toJson, type Json } from '../../core/json.ts';
import { toList } from '../../core/model/read-json.ts';
import { defaultLimits, overLimit } from './limits.ts';
import type { Pauses } from './pause.ts';

/** Values in a JSON document, against files made to exhaust memory. */
const maxValues = 5_000_000;

/** What an item costs besides its text, in characters as `createPauses` counts them: some µs. */
export const itemCost = 500;

/**
 * Returns a copy of the items in a list, or those in a text: a JSON array, an object with `messages`, or JSON Lines of either. Pauses
 * between the items of a list and between lines; one JSON document is parsed in one piece.
 *
 * Rejects with AgentError `INVALID_INPUT` for what is no JSON, or beyond the limits.
 */
export async function readItems(source: string | readonly unknown[], pauses: Pauses): Promise<readonly Json[]> {
  const items: Json[] = [];
  for (const item of typeof source === 'string' ? itemsInText(source) : copiesOf(source)) {
    items.push(item);
    await pauses.spend(itemCost + JSON.stringify(item).length);
  }
  return items;
}

function* copiesOf(items: readonly unknown[]): Generator<Json> {
  for (const item of items) {
    try {
      yield toJson(item);
    } catch (cause) {
      fail('INVALID_INPUT', 'An item is no JSON: pass messages as plain objects.', cause);
    }
  }
}

function* itemsInText(text: string): Generator<Json> {
  if (text.length > defaultLimits.size)
    fail('INVALID_INPUT', `The source is longer than ${defaultLimits.size} characters.`);
  const lines = text.split(/\r?\n/);
  const isLines = parseJson(lines.find((line) => line.trim() !== '') ?? '') !== undefined;
  const whole = isLines ? undefined : parseWithin(text);
  if (whole !== undefined) return yield* itemsIn(whole);
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const value = parseWithin(line);
    yield* itemsIn(value ?? fail('INVALID_INPUT', `Line ${index + 1} of the source is not JSON.`));
  }
}

function parseWithin(text: string): Json | undefined {
  const reason = overLimit(text, { ...defaultLimits, values: maxValues });
  if (reason !== undefined) fail('INVALID_INPUT', `The source ${reason}.`);
  return parseJson(text);
}

function itemsIn(value: Json): readonly Json[] {
  const messages = isJsonObject(value) ? value.messages : undefined;
  if (Array.isArray(messages)) return toList(messages);
  return Array.isArray(value) ? toList(value) : [value];
}
