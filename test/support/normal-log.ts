import type { SessionEvent } from 'brooklet';
import type { SessionWrite } from 'brooklet/core';
import { isDelta } from '../../src/core/model/event.ts';

/**
 * Normalizes a log so that two logs with the same content are equal: the deltas of one part are one text, however they
 * were joined.
 */
type Fact = { readonly piece: string; text: string } | { readonly event: string };

function toFacts(events: readonly SessionEvent[]): Fact[] {
  const facts: Fact[] = [];
  for (const event of events) {
    if (!isDelta(event)) {
      facts.push({ event: JSON.stringify(event) });
      continue;
    }
    const piece = `${event.type} ${'callId' in event ? event.callId : ''}`;
    const last = facts.at(-1);
    if (last && 'piece' in last && last.piece === piece) last.text += event.text;
    else facts.push({ piece, text: event.text });
  }
  return facts;
}

/**
 * Returns, as a sentence, what `acknowledged` contains and `stored` lacks; `undefined` if nothing is missing. `stored`
 * may be longer.
 */
export function findLoss(acknowledged: readonly SessionEvent[], stored: readonly SessionEvent[]): string | undefined {
  const [kept, there] = [toFacts(acknowledged), toFacts(stored)];
  for (const [index, fact] of kept.entries()) {
    const found = there[index];
    const isSame =
      'piece' in fact
        ? found !== undefined &&
          'piece' in found &&
          found.piece === fact.piece &&
          (index === kept.length - 1 ? found.text.startsWith(fact.text) : found.text === fact.text)
        : found !== undefined && 'event' in found && found.event === fact.event;
    if (!isSame) return `fact ${index} of ${kept.length} was ${JSON.stringify(fact)}, and is ${JSON.stringify(found)}`;
  }
  return undefined;
}

/** An array as a store: returns the log after one more write. */
export function written(
  log: readonly SessionEvent[],
  { replaces = [], events }: Pick<SessionWrite, 'replaces' | 'events'>,
): readonly SessionEvent[] {
  const kept = log.filter(({ seq }) => !replaces.some(([from, to]) => from <= seq && seq <= to));
  return [...kept, ...events].toSorted((one, other) => one.seq - other.seq);
}
