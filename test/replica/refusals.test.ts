import { createMemoryStore } from 'brooklet/storage';
import { createRemote, createSyncedStore } from 'brooklet/sync';
import { describe, expect, test } from 'vitest';
import type { SessionEvent } from '../../src/core/model/event.ts';
import type { StoredSession } from '../../src/core/model/store.ts';
import { checkConnectOptions, checkReplicaOptions } from '../../src/sync/replica/check-options.ts';
import { checkRows, isRow } from '../../src/sync/replica/check-rows.ts';
import { classify } from '../../src/sync/replica/classify.ts';
import { untyped } from '../support/untyped.ts';

const usage = { input: 0, output: 0 };
const row = {
  id: 's',
  title: 'T',
  createdAt: 1,
  updatedAt: 2,
  status: 'idle',
  messageCount: 1,
  usage,
  seq: 2,
} as const;
const started = { type: 'session.started', sessionId: 's', seq: 1, at: 1, v: 2 } as const;
const message = { id: 'm', role: 'user', timestamp: 1, content: [{ type: 'text', text: 'Hi' }] } as const;
const sent = { type: 'message.added', message, seq: 2, at: 2, v: 2 } as const;

const stored = (events: readonly unknown[] = [started, sent], summary: object = {}, more: object = {}): StoredSession =>
  untyped({ summary: { ...row, ...summary }, events, writeId: 'a/b', ...more });

describe('a session of the remote store', () => {
  test('that fits is taken over, as one of a device', () => {
    const { events } = checkRows('s', stored(), 0);
    expect(events).toEqual([started, { ...sent, message: { ...message, origin: { type: 'device' } } }]);
  });

  test('whose messages say that they are of the person, or of an interface here, has those of a device', () => {
    const origins = [
      undefined,
      { type: 'page' },
      { type: 'interface', callId: 'c', name: 'n', server: 'https://a.example' },
    ];
    for (const origin of origins) {
      const { events } = checkRows('s', stored([started, { ...sent, message: { ...message, origin } }]), 0);
      expect(events[1]).toMatchObject({ message: { origin: { type: 'device' } } });
    }
    const begun = { type: 'reply.started', messageId: 'r', runId: 'x', seq: 2, at: 2, v: 2 };
    const { events } = checkRows('s', stored([started, begun]), 0);
    expect(events[1]).toMatchObject({ origin: { type: 'device' } });
  });

  test.each<readonly [what: string, session: StoredSession, after: number, reason: RegExp]>([
    ['a row of another session', stored(undefined, { id: 't' }), 0, /another id/],
    ['a row without an id', stored(undefined, { id: '' }), 0, /its row: id/],
    ['a row with a status that is none', stored(undefined, { status: 'owned' }), 0, /its row: status/],
    ['a row with a title that is no text', stored(undefined, { title: 7 }), 0, /its row: title/],
    ['a row with the seq 0', stored(undefined, { seq: 0 }), 0, /its row: seq/],
    ['damage', stored(undefined, {}, { damage: 'a hole' }), 0, /a hole/],
    ['an event of an unknown shape', stored([started, { ...sent, message: 7 }]), 0, /event 2/],
    ['an event that is no object', stored([started, 'x']), 0, /event 2/],
    ['an event twice', stored([started, sent, sent]), 0, /does not come after 2/],
    ['events in another order', stored([started, { ...sent, seq: 3 }, sent], { seq: 3 }), 0, /does not come after 3/],
    ['an event that this device has', stored([sent]), 2, /does not come after 2/],
    ['no beginning', stored([sent]), 0, /event 2 is out of place/],
    ['two beginnings', stored([started, { ...started, seq: 2 }]), 0, /event 2 is out of place/],
    ['a beginning in its midst', stored([{ ...started, seq: 2 }]), 1, /event 2 is out of place/],
    ['the beginning of another session', stored([{ ...started, sessionId: 't' }, sent]), 0, /names another session/],
    ['a row of more events', stored(undefined, { seq: 3 }), 0, /last events are missing/],
    ['a row of fewer events', stored(undefined, { seq: 1 }), 0, /last events are missing/],
  ])('with %s is refused, and what is refused is named', (_what, session, after, reason) => {
    expect(() => checkRows('s', session, after)).toThrow(
      expect.objectContaining({ code: 'STORAGE_CORRUPT', message: expect.stringMatching(reason) }),
    );
  });

  test('may be read above what this device has, also where nothing is new', () => {
    expect(checkRows('s', stored([sent]), 1).events).toHaveLength(1);
    expect(checkRows('s', stored([]), 2).events).toEqual([]);
    // The row may be ahead of what was read.
    expect(checkRows('s', stored([], { seq: 3 }), 2).events).toEqual([]);
  });

  test('may have gaps, and nothing before them', () => {
    const later = { ...sent, seq: 9 };
    expect(checkRows('s', stored([started, later], { seq: 9 }), 0).events.map(({ seq }) => seq)).toEqual([1, 9]);
  });

  test('has a member of the name of a prototype nowhere', () => {
    const metadata: object = JSON.parse('{"__proto__":{"polluted":true}}');
    const { events } = checkRows('s', stored([started, { ...sent, message: { ...message, metadata } }]), 0);
    expect((events[1] as Extract<SessionEvent, { type: 'message.added' }>).message.metadata).not.toHaveProperty(
      'polluted',
    );
    expect(Object.prototype).not.toHaveProperty('polluted');
  });
});

test.each<readonly [field: string, value: unknown, fits: boolean]>([
  ['id', 's', true],
  ['id', 7, false],
  ['id', 'x'.repeat(1_001), false],
  ['title', null, false],
  ['createdAt', '1', false],
  ['updatedAt', NaN, false],
  ['status', 'waiting', true],
  ['status', 'done', false],
  ['messageCount', '1', false],
  ['usage', {}, false],
  ['seq', 1.5, false],
  ['metadata', [], false],
  ['waiting', 'x', false],
  ['path', 'x', false],
  ['children', 0, false],
  ['origin', { writeId: 'a/b', kind: 'mark' }, true],
  ['origin', { writeId: 'a/b', kind: 'person' }, false],
  ['origin', { kind: 'mark' }, false],
])('a row with the %s %j fits: %s', (field, value, fits) => {
  expect(isRow(untyped({ ...row, [field]: value }))).toBe(fits);
});

describe('options of a synced store', () => {
  const right = { local: createMemoryStore(), remote: createRemote(createMemoryStore()), device: 'Laptop' };
  const without = (name: string): object => ({ ...right.local, [name]: undefined });

  test.each<readonly [field: string, value: unknown]>([
    ['local', undefined],
    ['local', {}],
    ...['list', 'read', 'write', 'remove', 'wasRemoved'].map((name) => ['local', without(name)] as const),
    ['local', without('meta')],
    ['remote', null],
    ['remote', without('read')],
    ['device', ''],
    ['device', 7],
    ['device', 'x'.repeat(101)],
    ['devices', {}],
    ['devices', { sign: () => {} }],
    ['devices', { vet: () => {} }],
    ['name', 7],
    ['claims', 'both'],
    ['claims', 7],
    ['claimTimeout', 0],
    ['claimTimeout', '1'],
    ['requestTimeout', 0],
    ['requestTimeout', NaN],
    ['textInterval', -1],
    ['toForkTitle', 'x'],
    ['onFork', 7],
    ['onTrouble', {}],
  ])('refuse %s = %o', (field, value) => {
    expect(() => checkReplicaOptions(untyped({ ...right, [field]: value }))).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringContaining(`\`${field}`) }),
    );
    expect(() => createSyncedStore(untyped({ ...right, [field]: value }))).toThrow(`\`${field}`);
  });

  test.each<readonly [field: string, value: unknown]>([
    ['device', 'x'.repeat(100)],
    ['remote', undefined],
    ['claims', 'local'],
    ['claims', () => 'remote'],
    ['claimTimeout', 1],
    ['textInterval', 0],
  ])('accept %s = %o', (field, value) => {
    expect(checkReplicaOptions(untyped({ ...right, [field]: value }))).toBe(right.local.meta);
  });

  test('are refused where a connection has no remote, no device, no guard or no name', () => {
    const { remote, device } = right;
    for (const [given, options] of [
      [{}, { device }],
      [null, { device }],
      [right.local, { device }],
      [remote, {}],
      [remote, { device, name: 7 }],
      [remote, { device, devices: { sign: () => {} } }],
      [remote, { device, remote }],
    ] as const)
      expect(() => checkConnectOptions(untyped(given), untyped(options))).toThrow(
        expect.objectContaining({ code: 'INVALID_CONFIG' }),
      );
    expect(() => createSyncedStore(untyped({ ...right, device: undefined }))).toThrow('`device`');
    expect(() => createRemote(untyped(without('write')))).toThrow('`store.write`');
    expect(checkConnectOptions(remote, { device: 'Phone', name: 'home' }, { device, claims: 'local' })).toEqual({
      device: 'Phone',
      name: 'home',
      claims: 'local',
    });
    expect(checkConnectOptions(remote, untyped({ device: undefined }), { device })).toEqual({ device });
  });
});

describe('what a side has of a session', () => {
  const of = (origin: object | undefined, events: readonly unknown[] = [started], summary: object = {}) =>
    stored(events, { messageCount: 0, seq: 1, origin: origin && { writeId: 'a/b', ...origin }, ...summary });

  test.each<readonly [what: string, place: 'here' | 'there', session: StoredSession, is: string]>([
    ['a mark', 'there', of({ kind: 'mark' }), 'mark'],
    ['a mark', 'here', of({ kind: 'mark' }), 'mark'],
    ['a mark with messages, which was cut off,', 'here', of({ kind: 'mark' }, [started, sent]), 'mark'],
    ['a log that says it is a mark', 'there', of({ kind: 'mark' }, [started, sent]), 'log'],
    ['a log of messages that says it is a mark', 'there', of({ kind: 'mark' }, [started], { messageCount: 1 }), 'log'],
    ['a mark without its beginning', 'there', of({ kind: 'mark' }, [sent]), 'log'],
    ['a mark of no events', 'there', of({ kind: 'mark' }, []), 'log'],
    ['a row', 'here', of({ kind: 'row' }), 'row'],
    ['a log that says it is a row', 'there', of({ kind: 'row' }), 'log'],
    ['what another write states', 'here', of({ kind: 'row', writeId: 'other' }), 'log'],
    ['a log', 'here', of(undefined), 'log'],
  ])('by %s %s is known', (_what, place, session, is) => {
    expect(classify(place, session, false).is).toBe(is);
  });

  test('is removed only where a person has removed it', () => {
    expect(classify('there', undefined, true).is).toBe('removed');
    expect(classify('there', undefined, false).is).toBe('missing');
    expect(classify('there', of(undefined), true).is).toBe('log');
  });
});
