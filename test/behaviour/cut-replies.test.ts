import { describe, expect, test } from 'vitest';
import type { FinishReason } from 'brooklet/core';
import { callIdOf, callsOf, recorded, stage, statusesOf } from '../support/stage.ts';
import { type Asked, settled } from '../support/manual-client.ts';

/** A whole answer with one call, and the reason of its end. */
function callAndFinish(asked: Asked, inputText: string, reason: FinishReason, name = 'pay'): void {
  asked.chunks.next({ type: 'call', index: 0, name, text: inputText });
  asked.chunks.next({ type: 'call-end', index: 0, name, inputText });
  asked.chunks.next({ type: 'finish', reason });
  asked.chunks.complete();
}

describe('a call of a reply that ended for an unknown reason', () => {
  test('awaits approval, though its tool needs none, and names the cause', async () => {
    const { tool, runs } = recorded('pay');
    const { session, client } = stage({ tools: [tool] });
    void session.send('go');
    await settled();
    callAndFinish(client.last(), '{"sum":1}', 'unknown');
    await settled();
    expect(callsOf(session)).toMatchObject([{ status: 'awaiting-approval', approval: { cause: 'unknown-finish' } }]);
    expect(runs).toEqual([]);

    await session.approve(callIdOf(session));
    await settled();
    expect(statusesOf(session)).toEqual(['succeeded']);
    expect(runs).toMatchObject([[{ sum: 1 }, {}]]);
  });

  test('awaits approval also where a rule approves the tool, and is rejected by a rule that rejects it', async () => {
    for (const [verdict, status] of [
      ['approve', 'awaiting-approval'],
      ['reject', 'rejected'],
    ] as const) {
      const { tool, runs } = recorded('pay', { needsApproval: true });
      const { session, client } = stage({ tools: [tool] });
      void session.send('go');
      await settled();
      callAndFinish(client.last(), '{}', 'tool-calls');
      await settled();
      await session[verdict](callIdOf(session), { remember: 'session' });
      await settled();
      const before = runs.length;
      callAndFinish(client.last(), '{"sum":2}', 'unknown');
      await settled();
      expect(statusesOf(session).at(-1)).toBe(status);
      expect(runs).toHaveLength(before);
    }
  });
});

describe('a call that the output limit cut off', () => {
  test('tells the model that the output limit cut its input', async () => {
    const { tool, runs } = recorded('pay');
    const { session, client } = stage({ tools: [tool] });
    void session.send('go');
    await settled();
    callAndFinish(client.last(), '{"sum":1', 'length');
    await settled();
    expect(callsOf(session)).toMatchObject([
      { status: 'invalid', output: expect.stringMatching(/^Not run: the output limit cut the input off after 8 char/) },
    ]);
    expect(runs).toEqual([]);
  });
});
