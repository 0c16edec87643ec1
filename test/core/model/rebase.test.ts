import type { SessionEvent } from 'brooklet';
import { describe, expect, test } from 'vitest';
import { isConcurrent, shifted } from '../../../src/core/model/rebase.ts';
import { withFirstSeq } from '../../../src/core/model/rewrite.ts';
import { anyEvents } from '../../support/events.ts';
import fc from 'fast-check';
import { seeded } from '../../support/seeded.ts';
import { assertMeeting } from '../../support/subject.ts';

const at = { at: 0, v: 2 } as const;

/** The events that another tab may store below those of a run. */
const concurrent = [
  'message.queued',
  'message.unqueued',
  'session.renamed',
  'metadata.changed',
  'message.pinned',
] as const;

describe('a concurrent event', () => {
  test.each(concurrent)('is %s', (type) => {
    const body = { type, messageId: 'm', title: 't', metadata: {}, pinned: true, mode: 'queue' } as const;
    expect(isConcurrent({ ...body, message: { id: 'm', role: 'user', content: [], timestamp: 0 } })).toBe(true);
  });

  test('is no other event', () => {
    const names: readonly string[] = concurrent;
    assertMeeting(
      { 'a concurrent event': 30, 'another event': 100 },
      (met) =>
        fc.property(anyEvents, (log) => {
          for (const event of log) {
            met(names.includes(event.type) ? 'a concurrent event' : 'another event');
            expect(isConcurrent(event)).toBe(names.includes(event.type));
          }
        }),
      seeded(300),
    );
  });
});

describe('the numbers of an event', () => {
  const delta: SessionEvent = { ...at, seq: 7, type: 'text.delta', text: 'abc' };

  test('move together: its own, and that of the first event it was joined from', () => {
    expect(shifted(delta, 3)).toStrictEqual({ ...delta, seq: 10 });
    expect(shifted({ ...delta, since: 5 }, 3)).toStrictEqual({ ...delta, seq: 10, since: 8 });
    expect(shifted({ ...delta, since: 5 }, -1)).toStrictEqual({ ...delta, seq: 6, since: 4 });
  });

  test('are both stored with a delta, and with no other event', () => {
    expect(withFirstSeq(delta)).toStrictEqual({ ...delta, since: 7 });
    expect(withFirstSeq({ ...delta, since: 5 })).toStrictEqual({ ...delta, since: 5 });
    const renamed: SessionEvent = { ...at, seq: 7, type: 'session.renamed', title: 't' };
    expect(withFirstSeq(renamed)).toBe(renamed);
  });
});
