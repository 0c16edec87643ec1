import { defineTool } from 'brooklet';
import type { ContextReport, Usage } from 'brooklet';
import { costOf } from 'brooklet/providers';
import { reply } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';
import { addTurns, createStage, words } from '../../support/context-stage.ts';
import { settled } from '../../support/manual-client.ts';

const small = { contextWindow: 1_000, context: { countTokens: words } } as const;

describe('the context report', () => {
  test('has its zones, their contents, and the contents of the last request', async () => {
    const { session } = await createStage(
      { ...small, instructions: 'Be brief please.', scratch: 'It is nine.' },
      { chat: () => [reply.text('Yes.'), reply.usage(900, 10)] },
    );
    await session.send('One two three');
    expect(session.getContext()).toMatchObject({
      window: 1_000,
      usable: 900,
      trigger: 765,
      zones: {
        immutable: { tokens: 7, messages: [{ role: 'system' }] },
        compressed: { tokens: 0, messages: [] },
        incremental: { tokens: 12, messages: [{ role: 'user' }, { role: 'assistant' }] },
        scratch: { tokens: 3 },
      },
      tokens: 22,
      calibration: 1,
      lastRequest: {
        estimate: { immutable: 7, compressed: 0, incremental: 7, scratch: 3 },
        usage: { input: 900, output: 10 },
      },
      isPaused: false,
      compactions: [],
    });
  });

  test('is also a stream, once the code that counts is loaded, and is the same for the same state', async () => {
    const { session } = await createStage(small);
    const reports: ContextReport[] = [];
    const subscription = session.context$.subscribe((report) => reports.push(report));
    await settled();
    expect(reports).toHaveLength(1);
    session.addMessage({ role: 'user', content: 'Hello there' });
    expect(reports.at(-1)?.zones.incremental.tokens).toBe(6);
    expect(session.getContext()).toBe(reports.at(-1));
    expect(session.getContext()).toBe(session.getContext());
    subscription.unsubscribe();
  });

  test('is absent if the agent has no context options', async () => {
    const { session } = await createStage({});
    await session.send('Hello');
    expect(session.getContext()).toBeUndefined();
    expect(session.getState().messages.at(-1)).not.toHaveProperty('context');
  });

  test('records each compaction, tokens before and after, and its cost', async () => {
    const { session } = await createStage({
      ...small,
      context: { ...small.context, cost: (usage: Usage) => costOf(usage, { input: 10_000, output: 100_000 }) },
    });
    addTurns(session, 8, 45);
    await session.send('And now?');
    const report = session.getContext();
    expect(report?.foldedMessages).toBeGreaterThan(4);
    expect(report?.zones.compressed.messages).toHaveLength(1);
    expect(report?.compactions).toMatchObject([
      { cause: 'trigger', tokens: { before: expect.any(Number) }, usage: { input: 50 } },
    ]);
    expect(report?.runUsage).toEqual({ input: 50, output: 5 });
    expect(report?.cost).toBeCloseTo(1);
  });
});

describe('usage and cost', () => {
  test('add up over messages, runs and the session, compactions included, each at its own price', async () => {
    const { session } = await createStage(
      {
        ...small,
        context: {
          ...small.context,
          cost: ({ input, output }, model) => (model === 'dear' ? 1 : 0.001) * (input + output),
        },
      },
      {
        chat: (_request, index) => [
          reply.text('Yes.'),
          reply.usage(100, 10),
          reply.chunk({ type: 'finish', reason: 'stop', model: index === 0 ? 'dear' : 'cheap' }),
        ],
      },
    );
    await session.send('One');
    const first = session.getState().run?.usage;
    addTurns(session, 8, 45);
    await session.send('Two');
    expect(first).toEqual({ input: 100, output: 10 });
    expect(session.getState().run?.usage).toEqual({ input: 150, output: 15 });
    expect(session.getState().usage).toEqual({ input: 250, output: 25 });
    expect(session.getContext()?.cost).toBeCloseTo(110 + 0.11 + 0.055);
  });

  test('of regenerated answers stay counted', async () => {
    const { session } = await createStage(
      { ...small, context: { ...small.context, cost: ({ input }: Usage) => input } },
      { chat: () => [reply.text('Yes.'), reply.usage(100, 10)] },
    );
    await session.send('One');
    await session.regenerate();
    expect(session.getContext()?.cost).toBeCloseTo(200);
  });

  test('are not estimated without a price', async () => {
    const { session } = await createStage(
      { ...small, context: { ...small.context, cost: () => undefined } },
      { chat: () => [reply.text('Yes.'), reply.usage(100, 10)] },
    );
    await session.send('One');
    expect(session.getContext()).not.toHaveProperty('cost');
  });
});

test('a tool that is added later counts at once, and changes the version of the immutable zone', async () => {
  const { agent, session } = await createStage({ contextWindow: 8_000 });
  await session.send('Hi.');
  const before = session.getContext()?.zones.immutable;
  agent.addTool(
    defineTool({ name: 'long', description: 'word '.repeat(500), input: { type: 'object' }, execute: () => 1 }),
  );
  const after = session.getContext()?.zones.immutable;
  expect(after?.tokens).toBeGreaterThan((before?.tokens ?? Infinity) + 400);
  expect(after?.version).not.toBe(before?.version);
  agent.removeTool('long');
  expect(session.getContext()?.zones.immutable).toEqual(before);
});
