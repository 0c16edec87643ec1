import {
  AgentError,
  type AgentErrorCode,
  type AgentSession,
  type ErrorListener,
  type ErrorSource,
  fingerprintOf,
  type JsonObject,
  type SessionEvent,
  type SessionStore,
  type ToolOptions,
  toolParts,
} from 'brooklet';
import { replay } from 'brooklet/testing';
import { NEVER } from 'rxjs';
import { describe, expect, test, vi } from 'vitest';
import { call, createManualClient, say, settled } from '../support/manual-client.ts';
import { createBrowser } from '../support/tabs.ts';
import { recorded } from '../support/stage.ts';

/** A page that asks, and a page that only decides: without the tool, and with a client that must not be asked. */
async function stage(
  answer?: JsonObject,
  timeout: Pick<ToolOptions<JsonObject>, 'approvalTimeout'> = {},
  calls: readonly (readonly [name: string, inputText: string])[] = [['pay', '{"n":1}']],
  spoil?: (store: SessionStore) => SessionStore,
) {
  const errors: (readonly [AgentErrorCode, ErrorSource])[] = [];
  const browser = createBrowser();
  const pay = recorded('pay', { ...(answer ? { answer } : { needsApproval: true }), input: inputSchema, ...timeout });
  const [one, other] = [createManualClient(), createManualClient()];
  const onError: ErrorListener = ({ code }, source) =>
    void (source.callId !== undefined && errors.push([code, source]));
  const asker = browser.open({ client: one, tools: [pay.tool], onError }, spoil);
  const decider = browser.open({ client: other });
  const a = await asker.agent.openSession(asker.agent.createSession());
  await settled();
  const b = await decider.agent.openSession(a.id);
  const sent = a.send('Pay.');
  await settled();
  call(one.last(), ...calls);
  await settled();
  return { browser, pay, one, other, asker, decider, a, b, sent, errors, callId: callOf(b).callId };
}

const inputSchema = { type: 'object', properties: { n: { type: 'number' } } };

function callOf(session: AgentSession) {
  const [found] = session.getMessages().flatMap(toolParts);
  return found ?? expect.unreachable();
}

/** A store that reports no changes. */
const deaf = (store: SessionStore): SessionStore => ({ ...store, changes$: NEVER });

describe('a decision of a page that does not drive the run', () => {
  test('is carried out by the page that asked, with its tool and its client', async () => {
    const { pay, one, other, a, b, callId } = await stage();
    await b.approve(callId, { drive: false, userName: 'Ann', input: { n: 2 } });
    await settled();
    expect(pay.runs.map(([input]) => input)).toEqual([{ n: 2 }]);
    expect(callOf(a)).toMatchObject({ status: 'succeeded', approval: { decidedBy: 'user', userName: 'Ann' } });
    expect(one.asked).toHaveLength(2);
    expect(other.asked).toHaveLength(0);
    expect(b.getState()).toEqual(a.getState());
  });

  test('may be a rejection, whose reason the model reads', async () => {
    const { pay, one, a, b, callId } = await stage();
    await b.reject(callId, { drive: false, reason: 'Too much.' });
    await settled();
    expect(pay.runs).toEqual([]);
    expect(callOf(a)).toMatchObject({ status: 'rejected', approval: { reason: 'Too much.' } });
    expect(one.asked).toHaveLength(2);
  });

  test('may be an answer, which the page with the tool checks', async () => {
    const { pay, a, b, callId } = await stage({ type: 'string' });
    await b.answer(callId, 'tea', { drive: false });
    await settled();
    expect(pay.runs.map(([, context]) => context.answer)).toEqual(['tea']);
    expect(callOf(a).status).toBe('succeeded');
  });

  test.each<[what: string, answer: JsonObject | undefined, decide: (b: AgentSession, callId: string) => Promise<void>]>(
    [
      ['an input', undefined, (b, callId) => b.approve(callId, { drive: false, input: { n: 'two' } })],
      ['an answer', { type: 'string' }, (b, callId) => b.answer(callId, 5, { drive: false })],
    ],
  )('is not carried out with %s that does not fit the tool: the call still waits', async (_what, answer, decide) => {
    const { pay, a, b, callId, errors } = await stage(answer);
    await decide(b, callId);
    await settled();
    expect(pay.runs).toEqual([]);
    expect(callOf(a).status).toBe('awaiting-approval');
    expect(errors).toEqual([['INVALID_INPUT', { sessionId: a.id, callId }]]);
  });

  test('names the call as it was shown', async () => {
    const { asker, a, b, callId } = await stage();
    asker.kill();
    await b.approve(callId, { drive: false, remember: 'once' });
    expect(callOf(b).approval?.proposal).toEqual({ verdict: 'approved', fingerprint: fingerprintOf(callOf(a)) });
  });

  test('becomes a rule of the session', async () => {
    const { a, b, callId } = await stage();
    await b.approve(callId, { drive: false, remember: 'session' });
    await settled();
    expect(a.getState().approvalRules).toMatchObject([{ name: 'pay', verdict: 'approved' }]);
  });

  test('waits while the page that asked is closed, and is not carried out by its successor; a person goes on anywhere', async () => {
    const { browser, pay, asker, a, b, callId } = await stage();
    asker.kill();
    await b.approve(callId, { drive: false });
    const client = createManualClient();
    const again = browser.open({ client, tools: [pay.tool] });
    const c = await again.agent.openSession(a.id);
    await settled();
    expect(pay.runs).toEqual([]);
    expect(c.getStatus()).toBe('waiting');
    expect(callOf(c)).toMatchObject({ status: 'awaiting-approval', approval: { proposal: { verdict: 'approved' } } });
    await c.approve(callId);
    await settled();
    expect(pay.runs).toHaveLength(1);
    expect(client.asked).toHaveLength(1);
    expect(callOf(b).status).toBe('succeeded');
  });

  test('leaves the end of the time to decide to the page that asked; a page that is opened later ends the run', async () => {
    const { browser, pay, other, asker, decider, a, b, callId } = await stage(undefined, { approvalTimeout: 1_000 });
    asker.kill();
    await b.approve(callId, { drive: false });
    decider.ports.pass(1_000);
    await vi.dynamicImportSettled();
    await settled();
    expect(callOf(b).status).toBe('awaiting-approval');
    expect(other.asked).toHaveLength(0);
    const client = createManualClient();
    const later = browser.open({ client, tools: [pay.tool] });
    later.ports.pass(1_001);
    const c = await later.agent.openSession(a.id);
    later.ports.pass(0);
    await vi.dynamicImportSettled();
    await settled();
    expect(callOf(c)).toMatchObject({ status: 'expired', approval: { decidedBy: 'timeout' } });
    expect(c.getStatus()).toBe('interrupted');
    expect([...client.asked, ...other.asked]).toEqual([]);
  });

  test('is carried out when the page that asked can store it, and is no error until then', async () => {
    let isFull = false;
    const { pay, asker, a, b, callId, errors } = await stage(undefined, {}, undefined, (store) => ({
      ...store,
      write: (write) =>
        isFull
          ? Promise.reject(new AgentError('The disk is busy.', { code: 'STORAGE_FAILED', retryable: true }))
          : store.write(write),
    }));
    isFull = true;
    await b.approve(callId, { drive: false });
    await settled();
    expect([callOf(a).status, pay.runs, errors]).toEqual(['awaiting-approval', [], []]);
    isFull = false;
    asker.ports.pass(4_999);
    await settled();
    expect(pay.runs).toEqual([]);
    asker.ports.pass(1);
    await settled();
    expect([callOf(a).status, pay.runs.length, errors]).toEqual(['succeeded', 1, []]);
  });

  test('is no error for the page that asked where a person has decided there meanwhile', async () => {
    const { pay, a, b, callId, errors } = await stage();
    const proposed = b.approve(callId, { drive: false, input: { n: 2 } });
    const results = await Promise.allSettled([proposed, a.reject(callId)]);
    await settled();
    expect(results[1]).toMatchObject({ status: 'fulfilled' });
    expect([callOf(a).status, pay.runs, errors]).toEqual(['rejected', [], []]);
  });

  test('is the first of two, and nothing runs twice when the page that asked decides as well', async () => {
    const { browser, pay, a, b, callId } = await stage();
    const third = browser.open({ client: createManualClient() });
    const c = await third.agent.openSession(a.id);
    const results = await Promise.allSettled([
      b.approve(callId, { drive: false }),
      c.reject(callId, { drive: false }),
      a.approve(callId),
    ]);
    await settled();
    expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(pay.runs.length).toBeLessThanOrEqual(1);
    expect(callOf(a).status).toBe(pay.runs.length === 1 ? 'succeeded' : 'rejected');
    expect(b.getState()).toEqual(a.getState());
    expect(c.getState()).toEqual(a.getState());
  });

  test('is refused for a call that is proposed already, that has changed, or whose run has ended', async () => {
    const { asker, a, b, callId } = await stage();
    await expect(b.approve(callId, { drive: false, fingerprint: 'old' })).rejects.toMatchObject({
      code: 'DECISION_STALE',
    });
    asker.kill();
    await b.approve(callId, { drive: false });
    await expect(b.reject(callId, { drive: false })).rejects.toMatchObject({ code: 'CALL_NOT_PENDING' });
    expect(callOf(b).approval?.proposal).toMatchObject({ verdict: 'approved' });
    b.cancel();
    await settled();
    await expect(b.approve(callId, { drive: false })).rejects.toMatchObject({ code: 'CALL_NOT_PENDING' });
    expect(a.id).toBe(b.id);
  });

  test('is told that another page was first, also where it hears of the other decision from its own refused write', async () => {
    const { browser, asker, a, b, callId } = await stage();
    asker.kill();
    const third = browser.open({ client: createManualClient() }, deaf);
    const c = await third.agent.openSession(a.id);
    await b.approve(callId, { drive: false });
    expect(callOf(c).approval).not.toHaveProperty('proposal');
    await expect(c.reject(callId, { drive: false })).rejects.toMatchObject({ code: 'CALL_NOT_PENDING' });
    expect(callOf(c).approval?.proposal).toMatchObject({ verdict: 'approved' });
    expect(c.getState()).toEqual(b.getState());
  });

  /** A page that has not heard of the decision on the first of two calls, which the page that asked has taken since. */
  async function lateDecider(write: (store: SessionStore) => SessionStore['write'] = ({ write }) => write) {
    const its = await stage(undefined, {}, [
      ['pay', '{"n":1}'],
      ['pay', '{"n":2}'],
    ]);
    const late = its.browser.open({ client: createManualClient() }, (store) => ({
      ...deaf(store),
      write: write(store),
    }));
    const c = await late.agent.openSession(its.a.id);
    await its.a.approve(its.callId);
    await settled();
    const second = c.getMessages().flatMap(toolParts)[1]?.callId ?? expect.unreachable();
    return { ...its, late, c, second };
  }

  test('is made again above a decision on another call that was stored first', async () => {
    const { pay, a, c, second } = await lateDecider();
    await c.approve(second, { drive: false });
    await settled();
    expect(pay.runs.map(([input]) => input)).toEqual([{ n: 1 }, { n: 2 }]);
    expect(
      a
        .getMessages()
        .flatMap(toolParts)
        .map(({ status }) => status),
    ).toEqual(['succeeded', 'succeeded']);
  });

  test('waits for the disk once it has been made again above the events of another page', async () => {
    let isFull = false;
    const { pay, late, c, second } = await lateDecider(({ write }) => async (request) => {
      if (isFull) throw new Error('The disk is full.');
      return write(request).catch((error: unknown) => {
        isFull = true;
        throw error;
      });
    });
    let isTaken = false;
    const decided = c.approve(second, { drive: false }).then(() => (isTaken = true));
    await settled();
    late.ports.pass(4_999);
    await settled();
    expect([isFull, isTaken, pay.runs.length]).toEqual([true, false, 1]);
    isFull = false;
    late.ports.pass(1);
    await decided;
    await settled();
    expect(pay.runs.map(([input]) => input)).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test('has not been taken where its write was refused and the session is removed before the log is read again', async () => {
    const { browser, pay, a, callId } = await stage();
    let isRefused = false;
    const third = browser.open({ client: createManualClient() }, (store) => ({
      ...store,
      write: async (write) =>
        isRefused
          ? Promise.reject(new AgentError('Another tab was first.', { code: 'STORAGE_CONFLICT' }))
          : store.write(write),
      async read(...args) {
        if (isRefused) third.agent.removeSession(a.id);
        return store.read(...args);
      },
    }));
    const c = await third.agent.openSession(a.id);
    isRefused = true;
    await expect(c.approve(callId, { drive: false })).rejects.toMatchObject({ code: 'STORAGE_CONFLICT' });
    expect(pay.runs).toEqual([]);
  });

  test('has not been taken when it cannot be stored', async () => {
    const { browser, pay, a, callId } = await stage();
    const decider = browser.open({ client: createManualClient() }, (store) => ({
      ...store,
      write: () => Promise.reject(new Error('The disk is full.')),
    }));
    const c = await decider.agent.openSession(a.id);
    await expect(c.approve(callId, { drive: false })).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
    expect(callOf(c)).not.toHaveProperty('approval.proposal');
    await settled();
    expect(pay.runs).toEqual([]);
  });

  test('is taken at once by a page that drives the run itself', async () => {
    const { pay, a, callId } = await stage();
    await a.approve(callId, { drive: false });
    await settled();
    expect(pay.runs).toHaveLength(1);
    expect(callOf(a)).not.toHaveProperty('approval.proposal');
  });

  test.each<[string, (session: AgentSession, callId: string) => Promise<void>]>([
    ['an approval', (session, callId) => session.approve(callId, { drive: false, input: { n: 2 }, userName: 'Ann' })],
    ['a rejection', (session, callId) => session.reject(callId, { drive: false, reason: 'Too much.' })],
  ])('is repeated by a replay: %s', async (_name, decide) => {
    const { asker, a, b, one, callId } = await stage();
    await decide(b, callId);
    await settled();
    say(one.last(), 'Done.');
    await settled();
    const stored = await asker.agent.store?.read(a.id);
    const log: readonly SessionEvent[] = JSON.parse(JSON.stringify(stored?.events ?? []));
    expect(log.map(({ type }) => type)).toEqual(expect.arrayContaining(['approval.proposed', 'run.ended']));
    const { state } = await replay(log);
    expect(state.messages).toEqual(a.getMessages());
  });
});
