import { describe, expect, test } from 'vitest';
import { call, settled } from '../support/manual-client.ts';
import { ask, callIdOf, callsOf, recorded, stage, statusesOf } from '../support/stage.ts';

const choice = { type: 'string', enum: ['tea', 'coffee'] } as const;

/** A tool that asks for a drink, and a call of it. */
async function asked(options: Parameters<typeof recorded>[1] = {}) {
  const drink = recorded('drink', {
    answer: choice,
    execute: (_input, { answer }) => `a cup of ${JSON.stringify(answer)}`,
    ...options,
  });
  const s = stage({ tools: [drink.tool] });
  await ask(s, ['drink', '{"for":"two"}']);
  return { ...s, drink, callId: callIdOf(s.session) };
}

describe('a call that asks a person for input', () => {
  test('waits with its prompt, and runs with the answer', async () => {
    const { session, drink, callId, client } = await asked();
    expect(callsOf(session)).toMatchObject([{ status: 'awaiting-approval', approval: { elicitation: choice } }]);
    await session.answer(callId, 'tea', { userName: 'Ada' });
    await settled();
    expect(drink.runs.map(([, { answer }]) => answer)).toEqual(['tea']);
    expect(callsOf(session)).toMatchObject([
      {
        status: 'succeeded',
        output: 'a cup of "tea"',
        approval: { answer: 'tea', userName: 'Ada', verdict: 'approved' },
      },
    ]);
    expect(client.asked).toHaveLength(2);
  });

  test('may derive its prompt from its input', async () => {
    const { session } = await asked({ answer: (input) => ({ title: `For ${JSON.stringify(input.for)}?`, ...choice }) });
    expect(callsOf(session)[0]?.approval?.elicitation).toEqual({ title: 'For "two"?', ...choice });
  });

  test('accepts a form', async () => {
    const form = { type: 'object', properties: { cups: { type: 'integer' } }, required: ['cups'] } as const;
    const { session, callId, drink } = await asked({ answer: form });
    await expect(session.answer(callId, { cups: 'two' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await session.answer(callId, { cups: 2 });
    await settled();
    expect(drink.runs[0]?.[1].answer).toEqual({ cups: 2 });
  });

  test.each([0, false, '', null])('accepts %j as an answer if it fits', async (answer) => {
    const { session, callId, drink } = await asked({ answer: {} });
    await session.answer(callId, answer);
    await settled();
    expect(drink.runs[0]?.[1]).toHaveProperty('answer', answer);
  });

  test('still waits after an answer that does not fit', async () => {
    const { session, callId, drink } = await asked();
    await expect(session.answer(callId, 'water')).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('answer'),
    });
    expect(statusesOf(session)).toEqual(['awaiting-approval']);
    expect(drink.runs).toEqual([]);
  });

  test('can be rejected, but not approved: an approval is not an answer', async () => {
    const { session, callId, drink } = await asked();
    await expect(session.approve(callId)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(statusesOf(session)).toEqual(['awaiting-approval']);
    await session.reject(callId, { reason: 'Not thirsty.' });
    await settled();
    expect(statusesOf(session)).toEqual(['rejected']);
    expect(drink.runs).toEqual([]);
  });

  test('is answered once', async () => {
    const { session, callId, drink } = await asked();
    const both = await Promise.allSettled([session.answer(callId, 'tea'), session.answer(callId, 'coffee')]);
    expect(both).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: { code: 'CALL_NOT_PENDING' } }]);
    await settled();
    expect(drink.runs.map(([, { answer }]) => answer)).toEqual(['tea']);
  });

  test('is not answered by an approval rule', async () => {
    const { session, callId, client } = await asked();
    await session.reject(callId, { remember: 'session' });
    await settled();
    call(client.last(), ['drink', '{}']);
    await settled();
    expect(statusesOf(session)).toEqual(['rejected', 'awaiting-approval']);
  });

  test('rejects an answer to a different prompt', async () => {
    const { session, callId } = await asked();
    await expect(session.answer(callId, 'tea', { fingerprint: 'another' })).rejects.toMatchObject({
      code: 'DECISION_STALE',
    });
  });
});

test('a call without a prompt accepts no answer', async () => {
  const pay = recorded('pay', { needsApproval: true });
  const s = stage({ tools: [pay.tool] });
  await ask(s, ['pay', '{}']);
  await expect(s.session.answer(callIdOf(s.session), 'yes')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  expect(statusesOf(s.session)).toEqual(['awaiting-approval']);
});
