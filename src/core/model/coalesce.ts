import { type DeltaEvent, isDelta, type SessionEvent } from './event.ts';

/** Returns the `seq` of the first of the events that an event was joined from. */
export function firstSeq({ since, seq }: SessionEvent): number {
  return since ?? seq;
}

/** Joins two consecutive deltas of the same part; returns `undefined` for any other events. */
export function join(first: SessionEvent | undefined, second: SessionEvent): DeltaEvent | undefined {
  if (first === undefined || !isDelta(first) || !isDelta(second)) return undefined;
  // A delta with a cadence is complete.
  if (first.cadence !== undefined || second.cadence !== undefined) return undefined;
  const since = firstSeq(first);
  switch (second.type) {
    case 'text.delta':
      return first.type === 'text.delta' ? { ...second, text: first.text + second.text, since } : undefined;
    case 'reasoning.delta':
      // A part with provider data is closed: the next delta begins a new part.
      return first.type === 'reasoning.delta' && first.provider === undefined
        ? { ...second, text: first.text + second.text, since, startedAt: first.startedAt ?? first.at }
        : undefined;
    case 'call.delta':
      return first.type === 'call.delta' && first.callId === second.callId
        ? { ...second, ...(first.name && { name: first.name }), text: first.text + second.text, since }
        : undefined;
  }
}

/** Returns the log with consecutive deltas of one part joined into one event. Invariant: both logs reduce to the same state. */
export function coalesce(events: readonly SessionEvent[]): readonly SessionEvent[] {
  const joined: SessionEvent[] = [];
  for (const event of events) add(joined, event);
  return joined;
}

/** Adds an event to a list, joined with the last event where possible. Returns the event at the end of the list. */
export function add(events: SessionEvent[], event: SessionEvent): SessionEvent {
  const longer = join(events.at(-1), event);
  if (longer !== undefined) events.pop();
  events.push(longer ?? event);
  return longer ?? event;
}
