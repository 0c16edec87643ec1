import { defined, parseJson } from '../../../core/json.ts';
import { type Cadence, type DeltaEvent, isDelta, type SessionEvent } from '../../../core/model/event.ts';
import { createPartialJsonReader } from '../../../core/model/partial-json.ts';
import { masked, type Patterns, type Range } from './patterns.ts';

/** Returns the log with its streamed texts masked: a match may begin in one delta and end in a later one. */
export function maskDeltas(events: readonly SessionEvent[], patterns: Patterns): readonly SessionEvent[] {
  const changed = new Map<SessionEvent, SessionEvent>();
  for (const deltas of toTexts(events)) {
    const after = deltas[0]?.type === 'call.delta' ? maskCall(deltas, patterns) : maskText(deltas, patterns);
    for (const [index, delta] of deltas.entries()) changed.set(delta, after[index] ?? delta);
  }
  return events.map((event) => changed.get(event) ?? event);
}

/** Events at which the parts of a reply and the inputs of its calls end. */
const bounds: ReadonlySet<SessionEvent['type']> = new Set([
  'run.started',
  'run.ended',
  'reply.started',
  'reply.refused',
  'reply.ended',
]);

/** Returns the deltas of each text: of a part of a reply, or of the input of a call. */
function toTexts(events: readonly SessionEvent[]): readonly (readonly DeltaEvent[])[] {
  const texts: DeltaEvent[][] = [];
  let calls = new Map<string, DeltaEvent[]>();
  /** The part that grows: its deltas. */
  let growing: DeltaEvent[] | undefined;

  function begin(event: DeltaEvent): DeltaEvent[] {
    const text = [event];
    texts.push(text);
    return text;
  }

  function addCall(event: DeltaEvent & { readonly type: 'call.delta' }): void {
    const call = calls.get(event.callId);
    if (call) call.push(event);
    else {
      calls.set(event.callId, begin(event));
      growing = undefined;
    }
  }

  for (const event of events) {
    if (event.type === 'call.delta') addCall(event);
    else if (isDelta(event)) {
      if (growing?.[0]?.type === event.type) growing.push(event);
      else growing = begin(event);
      if (event.type === 'reasoning.delta' && event.provider !== undefined) growing = undefined;
    } else if (bounds.has(event.type)) {
      calls = new Map();
      growing = undefined;
    } else if (event.type === 'part.added' || (event.type === 'call.requested' && !calls.has(event.callId)))
      growing = undefined;
  }
  return texts;
}

function maskText(deltas: readonly DeltaEvent[], { find }: Patterns): readonly DeltaEvent[] {
  const ranges = find(deltas.map(({ text }) => text).join(''));
  if (ranges.length === 0) return deltas;
  let start = 0;
  return deltas.map((delta) => {
    const result = withoutRanges(delta, start, ranges);
    start += delta.text.length;
    return result;
  });
}

/** Returns a delta that begins at `start` of its text. `[masked]` is in the delta in which a range begins. */
function withoutRanges(delta: DeltaEvent, start: number, ranges: readonly Range[]): DeltaEvent {
  const { text, cadence } = delta;
  /** Returns what is left of the first characters of the delta. */
  function before(length: number): string {
    let result = '';
    let kept = start;
    const end = start + length;
    for (const [from, to] of ranges) {
      if (from >= end) break;
      if (from >= start) result += text.slice(kept - start, from - start) + masked;
      kept = Math.max(kept, to);
    }
    return kept < end ? result + text.slice(kept - start, length) : result;
  }
  return { ...delta, text: before(text.length), ...defined({ cadence: cadence && moved(cadence, before) }) };
}

/** Returns the cadence with the lengths of the masked pieces. */
function moved(cadence: Cadence, before: (length: number) => string): Cadence {
  let end = 0;
  let shown = 0;
  return cadence.map((number, index) => {
    if (index % 2 === 0) return number;
    end += number;
    const length = before(end).length - shown;
    shown += length;
    return length;
  });
}

/** Masks the input of a call. An input that changes is in its first delta, as a whole. */
function maskCall(deltas: readonly DeltaEvent[], patterns: Patterns): readonly DeltaEvent[] {
  const before = deltas.map(({ text }) => text).join('');
  const after = maskInput(before, patterns);
  if (after === before) return deltas;
  return deltas.map(({ cadence: _cadence, ...delta }, index) => ({ ...delta, text: index === 0 ? after : '' }));
}

/** Masks the text of an input: also what its JSON escapes, and of a text that was cut the fields so far. */
export function maskInput(text: string, { json, text: mask, matches }: Patterns): string {
  const value = parseJson(text) ?? createPartialJsonReader()(text);
  if (value === undefined) return mask(text);
  const after = JSON.stringify(json(value));
  return after === JSON.stringify(value) && !matches(text) ? text : mask(after);
}
