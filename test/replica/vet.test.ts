import { createAgent, defineTool } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { filter, firstValueFrom } from 'rxjs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { EventBody, SessionEvent } from '../../src/core/model/event.ts';
import type { Vetting } from '../../src/sync/decision-guard.ts';
import { type Check, vet } from '../../src/sync/devices/vet.ts';

type Decided = Extract<EventBody, { readonly type: 'approval.decided' }>;

/** The log of a session with two calls, `a` and `b`, that await a decision. */
let asked: readonly SessionEvent[] = [];
let [a, b] = ['', ''];

beforeAll(async () => {
  const store = createMemoryStore();
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: { type: 'object' },
    needsApproval: true,
    execute: () => 'paid',
  });
  const agent = createAgent({
    client: createScriptedClient([[reply.call('pay', { to: 'a' }), reply.call('pay', { to: 'b' })]]),
    store,
    tools: [pay],
  });
  const session = await agent.openSession(agent.createSession({ id: 's' }), { create: true });
  void session.send('Pay both.');
  await firstValueFrom(session.approvals$.pipe(filter(({ length }) => length === 2)));
  await session.flushed();
  asked = (await store.read('s'))?.events ?? [];
  [a = '', b = ''] = session.getApprovals().map(({ callId }) => callId);
  await agent.dispose();
});

/** A delta that is stored stands for several. */
const endOf = (log: readonly SessionEvent[]): number => log.at(-1)?.seq ?? 0;

/** Gives events their places after a log. */
const after = (log: readonly SessionEvent[], ...bodies: readonly EventBody[]): readonly SessionEvent[] =>
  bodies.map((body, index) => ({ ...body, seq: endOf(log) + index + 1, at: 1_000, v: 2 }));

const signed = { proof: { key: 'known', signature: 'x', at: 1 } as unknown as NonNullable<Decided['proof']> };
const signedBy = (key: string) => ({ proof: { ...signed.proof, key } as NonNullable<Decided['proof']> });
const approved = (callId: string, more: Partial<Decided> = {}): Decided => ({
  type: 'approval.decided',
  callId,
  verdict: 'approved',
  decidedBy: 'user',
  ...more,
});
const rejected = (callId: string, more: Partial<Decided> = {}): Decided =>
  approved(callId, { verdict: 'rejected', ...more });
const requested = (callId: string): EventBody => ({ type: 'approval.requested', callId });
const started = (callId: string, attempt = 1): EventBody => ({ type: 'call.started', callId, attempt });
const ended = (callId: string, outcome: 'succeeded' | 'uncertain' = 'succeeded'): EventBody => ({
  type: 'call.ended',
  callId,
  outcome,
  output: 'paid',
});
const answered: EventBody = { type: 'reply.started', messageId: 'later' };

/** The key of a signature names its device: `known` counts, the others do not. */
const check: Check = async (_statement, proof) => {
  const { key } = proof as unknown as { readonly key: string };
  return key === 'known'
    ? { device: 'Laptop' }
    : key === 'removed'
      ? { why: 'removed-device', device: 'Phone' }
      : { why: 'unknown-device' };
};

/** Vets what follows the log with the two open calls. */
const vetAfter = (theirs: readonly SessionEvent[], more: Partial<Vetting> = {}) =>
  vet({ sessionId: 's', theirs, mine: asked, from: endOf(asked), agreed: endOf(asked), spent: [], ...more }, check);

/** What became of each decision: `stands`, `dropped`, or a record `without rule`. */
const fateOf = (event: SessionEvent): string =>
  event.type === 'event.dropped'
    ? 'dropped'
    : event.type === 'approval.decided' && event.remember
      ? 'stands with its rule'
      : 'stands';
const fates = (events: readonly SessionEvent[]) =>
  events.filter(({ type }) => /^approval\.(?:decided|proposed)$|^event\.dropped$/u.test(type)).map(fateOf);

const rule = { remember: true } as unknown as Partial<Decided>;

describe('what a known device has signed', () => {
  test('goes on as it is', async () => {
    const theirs = after(asked, approved(a, { ...signed, ...rule }), started(a), ended(a));
    const { events, ...rest } = await vetAfter(theirs, { spent: [b] });
    expect(events).toBe(theirs);
    expect(rest).toEqual({ held: [], isOpen: false, spent: [b] });
  });

  test('counts in a whole log', async () => {
    const theirs = [...asked, ...after(asked, approved(a, signed))];
    expect(await vetAfter(theirs, { from: 0 })).toEqual({ events: theirs, held: [], isOpen: false, spent: [] });
  });

  test('counts as a proposal', async () => {
    const theirs = after(asked, { type: 'approval.proposed', callId: a, proposal: { verdict: 'approved' }, ...signed });
    expect((await vetAfter(theirs)).events).toBe(theirs);
  });

  test('is invalid where the call is in the log twice', async () => {
    const again = asked.find((event) => event.type === 'call.requested' && event.callId === a) ?? expect.unreachable();
    const theirs = [...asked, ...after(asked, again, approved(a, signed))];
    expect((await vetAfter(theirs, { from: 0 })).events.at(-1)?.type).toBe('event.dropped');
  });

  test('does not count on a call that was spent, and does on the other one', async () => {
    const theirs = after(asked, approved(a, signed), approved(b, signed));
    const vetted = await vetAfter(theirs, { spent: [a] });
    expect(fates(vetted.events)).toEqual(['dropped', 'stands']);
    expect(vetted).toMatchObject({
      held: [{ callId: a, why: 'replayed' }],
      isOpen: true,
      spent: [a],
    });
  });
});

describe('what no known device has signed', () => {
  test.each<readonly [what: string, decision: () => EventBody, held: object]>([
    ['an approval without a signature', () => approved(a), { why: 'unsigned', decision: { verdict: 'approved' } }],
    [
      'a rejection',
      () => rejected(a, { reason: 'No.' }),
      { why: 'unsigned', decision: { verdict: 'rejected', reason: 'No.' } },
    ],
    [
      'an edited input',
      () => approved(a, { input: { to: 'c' }, userName: 'Eve' }),
      { why: 'unsigned', decision: { verdict: 'approved', input: { to: 'c' }, userName: 'Eve' } },
    ],
    ['an approval of an unknown device', () => approved(a, signedBy('other')), { why: 'unknown-device' }],
    [
      'an approval of a removed device',
      () => approved(a, signedBy('removed')),
      { why: 'removed-device', device: 'Phone' },
    ],
    [
      'a proposal',
      () => ({ type: 'approval.proposed', callId: a, proposal: { verdict: 'approved', answer: 7 } }),
      { why: 'unsigned', decision: { verdict: 'approved', answer: 7 } },
    ],
  ])('%s is held, and its call is open', async (_what, decision, held) => {
    const vetted = await vetAfter(after(asked, decision(), approved(b, signed)));
    expect(vetted.events.map(({ type }) => type)).toEqual(['event.dropped', 'approval.decided']);
    expect(vetted.held).toEqual([expect.objectContaining({ callId: a, ...held })]);
    expect(vetted).toMatchObject({ isOpen: true, summary: { waiting: [{ callId: a }] } });
  });

  test('an expiry counts: any page records it', async () => {
    const theirs = after(asked, approved(a, { verdict: 'expired', decidedBy: 'timeout' as Decided['decidedBy'] }));
    expect((await vetAfter(theirs)).events).toBe(theirs);
  });

  test('of two decisions on a call the last one is held', async () => {
    const { held } = await vetAfter(after(asked, approved(a), rejected(a), approved(b)));
    expect(held.map(({ callId, decision }) => [callId, decision.verdict])).toEqual([
      [a, 'rejected'],
      [b, 'approved'],
    ]);
  });

  test('a call that is said to run by it is open, and asked about', async () => {
    const vetted = await vetAfter(after(asked, approved(a), started(a)));
    expect(fates(vetted.events)).toEqual(['dropped']);
    expect(vetted).toMatchObject({ isOpen: true, held: [{ callId: a }] });
  });

  test('is not held where a decision after it counts', async () => {
    const vetted = await vetAfter(after(asked, approved(a), approved(a, signed)));
    expect([fates(vetted.events), vetted.held]).toEqual([['dropped', 'stands'], []]);
  });
});

describe('what was carried out elsewhere', () => {
  test.each<readonly [what: string, bodies: () => readonly EventBody[], fates: readonly string[], isOpen: boolean]>([
    [
      'an approval whose call has ended is a record, without its rule',
      () => [approved(a, rule), started(a), ended(a)],
      ['stands'],
      false,
    ],
    [
      'an approval is none where another call has ended',
      () => [approved(a, rule), approved(b, signed), started(b), ended(b)],
      ['dropped', 'stands'],
      true,
    ],
    ['an approval is none where its call has only begun', () => [approved(a), started(a)], ['dropped'], true],
    ['an approval is none where an answer has begun', () => [approved(a), answered], ['dropped'], true],
    [
      'an approval is none where its call may have run',
      () => [approved(a), started(a), ended(a, 'uncertain')],
      ['dropped'],
      true,
    ],
    [
      'a rejection that was answered is a record',
      () => [rejected(a), rejected(b, signed), answered],
      ['stands', 'stands'],
      false,
    ],
    [
      'a rejection is none where nothing has answered it',
      () => [rejected(a), rejected(b, signed)],
      ['dropped', 'stands'],
      true,
    ],
    [
      'an approval before one that counts is none',
      () => [approved(a), approved(a, signed), started(a), ended(a)],
      ['dropped', 'stands'],
      false,
    ],
    [
      'an approval before another that does not count is one',
      () => [approved(a), approved(a), started(a), ended(a)],
      ['stands', 'stands'],
      false,
    ],
    [
      'an approval before one on another call is one',
      () => [approved(a), approved(b, signed), started(a), ended(a)],
      ['stands', 'stands'],
      false,
    ],
    [
      'an approval before another question is one',
      () => [approved(a), started(a), ended(a), requested(a), approved(a, signed)],
      ['stands', 'stands'],
      false,
    ],
    [
      'a proposal is none',
      () => [{ type: 'approval.proposed', callId: a, proposal: { verdict: 'approved' } }, started(a), ended(a)],
      ['dropped'],
      true,
    ],
    [
      'a proposal is none where its call has ended, and was answered',
      () => [
        { type: 'approval.proposed', callId: a, proposal: { verdict: 'approved' } },
        approved(a),
        started(a),
        ended(a),
        answered,
      ],
      ['dropped', 'stands'],
      false,
    ],
  ])('%s', async (_what, bodies, expected, isOpen) => {
    const vetted = await vetAfter(after(asked, ...bodies()));
    expect([fates(vetted.events), vetted.isOpen]).toEqual([expected, isOpen]);
  });
});

describe('what this device has already', () => {
  test('is not checked again, once for each time that it is there', async () => {
    const mine = [...asked, ...after(asked, approved(a))];
    const once = after(asked, approved(a));
    expect((await vetAfter(once, { mine })).events).toBe(once);
    const twice = after(asked, approved(a), requested(a), approved(a));
    expect(fates((await vetAfter(twice, { mine })).events)).toEqual(['stands', 'dropped']);
  });

  test('is not checked where both logs are the same, and a copy of it is', async () => {
    const mine = [...asked, ...after(asked, approved(a))];
    const same = { mine, from: endOf(mine), agreed: endOf(mine) };
    const theirs = after(mine, started(a), ended(a), requested(a), approved(a, signed));
    expect((await vetAfter(theirs, same)).events).toBe(theirs);
    const copied = after(mine, started(a), ended(a), requested(a), approved(a));
    expect(fates((await vetAfter(copied, same)).events)).toEqual(['dropped']);
  });

  test('keeps the record without its rule, when the other side still has the rule', async () => {
    const tail = [started(a), ended(a)];
    const mine = [...asked, ...after(asked, approved(a, signedBy('other')), ...tail)];
    const theirs = after(asked, approved(a, { ...signedBy('other'), ...rule }), ...tail);
    expect(fates((await vetAfter(theirs, { mine })).events)).toEqual(['stands']);
  });

  test.each<readonly [what: string, between: () => readonly EventBody[]]>([
    ['before it', () => []],
    ['before it, whose call has begun', () => [started(a)]],
  ])('overrules the decision %s', async (_what, between) => {
    const mine = [...asked, ...after(asked, rejected(a))];
    const vetted = await vetAfter(after(asked, approved(a, signed), ...between(), rejected(a)), { mine });
    expect([fates(vetted.events), vetted.held]).toEqual([['dropped', 'stands'], []]);
  });

  test.each<readonly [what: string, bodies: () => readonly EventBody[]]>([
    ['on another call', () => [approved(b, signed), rejected(a)]],
    ['on another question', () => [approved(a, signed), requested(a), rejected(a)]],
    ['where it is another one', () => [approved(a, signed), rejected(a, { ...signed, reason: 'Later.' })]],
  ])('overrules no decision %s', async (_what, bodies) => {
    const mine = [...asked, ...after(asked, rejected(a))];
    expect(fates((await vetAfter(after(asked, ...bodies()), { mine })).events)).toEqual(['stands', 'stands']);
  });
});

describe('a call that was over here', () => {
  /** Vets a whole log against one in which the call `a` has run. */
  const vetAgainst = (past: readonly EventBody[], bodies: readonly EventBody[], log = asked) => {
    const mine = [...asked, ...after(asked, ...past)];
    return vetAfter([...log, ...after(log, ...bodies)], { mine, from: 0, agreed: endOf(mine) });
  };
  const ran = (): readonly EventBody[] => [approved(a, { ...signed, reason: 'before' }), started(a), ended(a)];

  test.each<
    readonly [what: string, past: () => readonly EventBody[], bodies: () => readonly EventBody[], spent: boolean]
  >([
    ['whose start was taken out', ran, () => [approved(a, signed)], true],
    ['whose end was taken out', ran, () => [approved(a, signed), started(a)], true],
    ['that is the same', ran, () => [approved(a, signed), started(a), ended(a)], false],
    ['that had begun, and has not', () => ran().slice(0, 2), () => [approved(a, signed)], true],
    [
      'that had begun once more',
      () => [...ran().slice(0, 2), started(a)],
      () => [approved(a, signed), started(a)],
      true,
    ],
    ['of which another start is there', ran, () => [approved(a, signed), started(a, 2), ended(a)], true],
    [
      'that may have run, and was begun',
      () => [...ran().slice(0, 2), ended(a, 'uncertain')],
      () => [approved(a, signed), started(a)],
      false,
    ],
    ['that was open', () => [], () => [approved(a, signed)], false],
  ])('%s', async (_what, past, bodies, isSpent) => {
    const { spent } = await vetAgainst(past(), bodies());
    expect(spent).toEqual(isSpent ? [a] : []);
  });

  test('does not run again by a decision that was signed', async () => {
    const { events, isOpen, held } = await vetAgainst(ran(), [approved(a, signed)]);
    expect([fates(events), isOpen, held]).toEqual([
      ['dropped'],
      true,
      [expect.objectContaining({ callId: a, why: 'replayed' })],
    ]);
  });

  test('is spent where the log does not have it at all', async () => {
    const without = asked.filter((event) => !('callId' in event) || event.callId !== a);
    expect((await vetAgainst(ran(), [], without)).spent).toEqual([a]);
  });

  test('is spent where the log has its question, and not the call', async () => {
    const without = asked.filter((event) => event.type !== 'call.requested' || event.callId !== a);
    expect((await vetAgainst([rejected(a, signed)], [], without)).spent).toEqual([a]);
    expect((await vetAgainst([rejected(a, signed)], [rejected(a, signed)])).spent).toEqual([]);
  });

  test('is compared as far as both logs were the same', async () => {
    const mine = [...asked, ...after(asked, ...ran())];
    const theirs = [...asked, ...after(asked, approved(a, signed))];
    expect((await vetAfter(theirs, { mine, from: 0, agreed: endOf(asked) })).spent).toEqual([]);
  });
});
