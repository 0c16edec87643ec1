import { describe, expect, test } from 'vitest';
import { call, type createManualClient, say, settled } from '../support/manual-client.ts';
import { ask, callIdOf, recorded, stage } from '../support/stage.ts';

describe('a run with limits', () => {
  const usage = (s: { readonly client: ReturnType<typeof createManualClient> }, input: number): void =>
    s.client.last().chunks.next({ type: 'usage', usage: { input, output: 10 } });

  test('ends with `limit` when its tokens are used up, and gets the same number again when it is resumed', async () => {
    const s = stage({ tools: [recorded('look').tool], budget: { tokens: 100 } });
    const sent = s.session.send('go');
    for (const input of [80, 5]) {
      await settled();
      usage(s, input);
      call(s.client.last(), ['look', '{}']);
    }
    expect((await sent).outcome).toBe('limit');
    expect(s.session.getState().run).toMatchObject({
      outcome: 'limit',
      limit: 'tokens',
      usage: { input: 85, output: 20 },
      steps: 2,
    });
    const resumed = s.session.resume();
    await settled();
    expect(s.session.getState().run).toMatchObject({ steps: 1, usage: { input: 0, output: 0 } });
    say(s.client.last(), 'done');
    expect((await resumed).outcome).toBe('completed');
  });

  test('ends with `limit` when its time is up; the time that a person takes to decide does not count', async () => {
    const s = stage({
      tools: [recorded('pay', { needsApproval: true }).tool, recorded('look').tool],
      budget: { time: 60_000 },
    });
    await ask(s, ['pay', '{}']);
    s.ports.pass(3_600_000);
    await s.session.approve(callIdOf(s.session));
    await settled();
    expect(s.client.asked).toHaveLength(2);
    s.ports.pass(60_000);
    call(s.client.last(), ['look', '{}']);
    await settled();
    expect(s.session.getState().run).toMatchObject({ outcome: 'limit', limit: 'time' });
  });

  test('is not charged for the time between an interruption and its resumption', async () => {
    const s = stage({ tools: [recorded('look').tool], budget: { time: 60_000 } });
    await ask(s, ['look', '{}']);
    s.client.last().chunks.error(new Error('no'));
    await settled();
    s.ports.pass(3_600_000);
    const resumed = s.session.resume();
    await settled();
    say(s.client.last(), 'done');
    expect((await resumed).outcome).toBe('completed');
  });

  test('keeps its count of steps and tokens after an interruption', async () => {
    const s = stage({ tools: [recorded('look').tool], maxSteps: 2 });
    const sent = s.session.send('go');
    await settled();
    usage(s, 5);
    call(s.client.last(), ['look', '{}']);
    await settled();
    s.client.last().chunks.error(new Error('no'));
    expect((await sent).outcome).toBe('failed');
    expect((await s.session.resume()).outcome).toBe('limit');
    expect(s.session.getState()).toMatchObject({
      run: { steps: 2, usage: { input: 5, output: 10 } },
      usage: { input: 5, output: 10 },
    });
  });

  test("ends when the application's condition is met, and resumes", async () => {
    let enough = true;
    const s = stage({ tools: [recorded('look').tool], stopWhen: ({ messages }) => enough && messages.length > 1 });
    await ask(s, ['look', '{}']);
    expect(s.session.getState().run).toMatchObject({ outcome: 'limit', limit: 'stopWhen' });
    enough = false;
    const resumed = s.session.resume();
    await settled();
    say(s.client.last(), 'done');
    expect((await resumed).outcome).toBe('completed');
  });

  test("fails when the application's condition throws", async () => {
    const s = stage({
      tools: [recorded('look').tool],
      stopWhen: () => {
        throw new RangeError('too far');
      },
    });
    await ask(s, ['look', '{}']);
    expect(s.session.getState().run).toMatchObject({
      outcome: 'failed',
      error: { code: 'INVALID_CONFIG', message: 'too far' },
    });
  });
});
