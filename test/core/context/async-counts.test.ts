import { describe, expect, test } from 'vitest';
import { createAgent } from '../../../src/core/agent/create-agent.ts';
import { dropOldest } from '../../../src/core/context/drop-oldest.ts';
import type { ContextOptions } from '../../../src/core/context/options.ts';
import { estimateText } from '../../../src/core/context/tokens.ts';
import { untyped } from '../../support/untyped.ts';
import { createScriptedClient, reply } from '../../../src/testing/scripted.ts';

const image = { type: 'image', mediaType: 'image/png', url: 'https://a.test/b.png' } as const;
const long = 'word '.repeat(600);

/** A session whose window is 1,000 tokens. */
async function open(context: ContextOptions, autoCompress = false) {
  const client = createScriptedClient(() => [reply.text('Done.')]);
  const agent = createAgent({ client, contextWindow: 1_000, autoCompress, context });
  return { client, session: await agent.openSession(agent.createSession()) };
}
const later = async (tokens: number): Promise<number> => {
  await Promise.resolve();
  return tokens;
};

describe('an async token counter', () => {
  test('checks the window as a sync one does', async () => {
    for (const factor of [0.1, 10]) {
      const sync = await open({ countTokens: (text) => estimateText(text) * factor });
      const async_ = await open({ countTokens: (text) => later(estimateText(text) * factor) });
      const text = factor < 1 ? long.repeat(3) : 'word '.repeat(150);
      const results = [await sync.session.send(text), await async_.session.send(text)];
      expect(results.map(({ outcome, error }) => [outcome, error?.code])).toEqual(
        factor < 1
          ? [
              ['completed', undefined],
              ['completed', undefined],
            ]
          : [
              ['failed', 'CONTEXT_OVERFLOW'],
              ['failed', 'CONTEXT_OVERFLOW'],
            ],
      );
      expect(async_.client.requests.length).toBe(sync.client.requests.length);
    }
  });

  test('counts each text once, and the log has the exact counts', async () => {
    const counted: string[] = [];
    const { session } = await open({ countTokens: (text) => (counted.push(text), later(7)) });
    await session.send('Hello there');
    await session.send('And again');
    expect(counted.filter((text) => text === 'Hello there')).toHaveLength(1);
    // Two messages before the second reply, and the prompt: 7 tokens each, and 4 around each.
    expect(session.getMessages().at(-1)?.context?.incremental).toBe(33);
  });

  test('counts pictures, too', async () => {
    const { session } = await open({ mediaTokens: () => later(5_000) });
    expect(await session.send({ content: [image, { type: 'text', text: 'What?' }] })).toMatchObject({
      outcome: 'failed',
      error: { code: 'CONTEXT_OVERFLOW' },
    });
  });

  test('decides compactions', async () => {
    const { session } = await open({ countTokens: (text) => later(estimateText(text)), strategy: dropOldest }, true);
    for (let turn = 0; turn < 4; turn += 1) expect((await session.send('word '.repeat(250))).outcome).toBe('completed');
    expect(session.getState().context.some(({ type }) => type === 'context.compacted')).toBe(true);
  });

  test('is left alone when the run is cancelled', async () => {
    let finish = (_tokens: number): void => {};
    const { client, session } = await open({ countTokens: () => new Promise((resolve) => (finish = resolve)) });
    const sent = session.send('Hi');
    await expect.poll(session.getStatus).toBe('running');
    session.cancel();
    expect((await sent).outcome).toBe('cancelled');
    finish(1);
    await later(0);
    expect(client.requests).toHaveLength(0);
  });
});

describe('what is no count ends the run with an error', () => {
  const values: [string, unknown][] = [
    ['NaN', Number.NaN],
    ['undefined', undefined],
    ['null', null],
    ['-1', -1],
    ['Infinity', Infinity],
    ['a string', '12'],
    ['a object', { tokens: 12 }],
  ];
  test.each(values)('%s', async (name, value) => {
    for (const countTokens of [() => value, async () => value]) {
      const { client, session } = await open({ countTokens: untyped(countTokens) });
      const { outcome, error } = await session.send(long);
      expect([outcome, error?.code]).toEqual(['failed', 'INVALID_CONFIG']);
      expect(error?.message).toContain(`\`countTokens\` returned ${name}`);
      expect(client.requests).toHaveLength(0);
    }
    const { session } = await open({ mediaTokens: untyped(async () => value) });
    const { error } = await session.send({ content: [image, { type: 'text', text: 'What?' }] });
    expect(error?.message).toContain(`\`mediaTokens\` returned ${name}`);
  });

  test('a promise that rejects', async () => {
    const { session } = await open({ countTokens: () => Promise.reject(new Error('No worker.')) });
    expect(await session.send('Hi')).toMatchObject({
      outcome: 'failed',
      error: { code: 'INVALID_CONFIG', message: '`countTokens` failed: No worker.' },
    });
  });

  test('the report stays there, by an estimate', async () => {
    const { session } = await open({ countTokens: untyped(() => Number.NaN) });
    await session.send('Hi');
    expect(session.getContext()?.usable).toBeGreaterThan(0);
  });
});
