import { type AgentSession, extractTextContent } from 'brooklet';
import { reply, type Script } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';
import { when } from '../../src/core/log/current.ts';
import { createStage, only } from '../support/context-stage.ts';
import { recorded, statusesOf, textsOf } from '../support/stage.ts';

/** More messages than a fold keeps in view, twice over. Before the first one there is nothing to compact. */
const lengths = Array.from({ length: 20 }, (_, index) => index + 1);
/** A context that repeats a refused request after a compaction. */
const window = { contextWindow: 100_000 };
const tooLong: Script = [reply.fail('CONTEXT_OVERFLOW')];

const lastText = (session: AgentSession): string => {
  const last = session.getMessages().at(-1);
  return last?.role === 'assistant' ? extractTextContent(last) : '';
};

/** Adds messages at rest: questions and answers, in turn. */
function addMessages(session: AgentSession, count: number): void {
  for (let index = 0; index < count; index++)
    session.addMessage({
      id: `m${index}`,
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `message ${index} ${'about boats '.repeat(200)}`,
    });
}

describe('a request that the service refuses as too long', () => {
  test.each(lengths)('is sent again and answered, with %i messages before the question', async (before) => {
    const { session } = await createStage(window, {
      chat: (_request, index) => (index === 0 ? tooLong : [reply.text('The answer.')]),
    });
    addMessages(session, before);
    expect(await session.send('And now?')).toMatchObject({ outcome: 'completed', finish: 'stop' });
    expect(lastText(session)).toBe('The answer.');
  });

  test.each(lengths)('is sent again after a step with a tool, with %i messages before the question', async (before) => {
    const { tool } = recorded('look');
    const { session } = await createStage(
      { ...window, tools: [tool] },
      {
        chat: (_request, index) =>
          [[reply.call('look')], tooLong, [reply.text('The answer.')]][index] ?? expect.unreachable(),
      },
    );
    addMessages(session, before);
    expect(await session.send('And now?')).toMatchObject({ outcome: 'completed', finish: 'stop' });
    expect(lastText(session)).toBe('The answer.');
  });

  test.each(lengths)('is sent again for an edited message, with %i messages before it', async (before) => {
    const { session } = await createStage(window, {
      chat: (_request, index) => (index === 1 ? tooLong : [reply.text(`Answer ${index}.`)]),
    });
    addMessages(session, before);
    await session.send('And now?');
    const asked = session.getMessages().findLast(({ role }) => role === 'user');
    expect(await session.edit(asked?.id ?? '', 'And then?')).toMatchObject({ outcome: 'completed', finish: 'stop' });
    expect(lastText(session)).toBe('Answer 2.');
  });

  test.each(lengths)('is sent again for a message of long ago, with %i messages after it', async (before) => {
    const { session } = await createStage(window, {
      chat: (_request, index) => (index === 0 ? tooLong : [reply.text('The answer.')]),
    });
    addMessages(session, before + 3);
    expect(await session.edit('m2', 'And then?')).toMatchObject({ outcome: 'completed', finish: 'stop' });
    expect(lastText(session)).toBe('The answer.');
  });

  test.each(lengths)('is sent again for a new answer, with %i messages before the question', async (before) => {
    const { session } = await createStage(window, {
      chat: (_request, index) => (index === 1 ? tooLong : [reply.text(`Answer ${index}.`)]),
    });
    addMessages(session, before);
    await session.send('And now?');
    expect(await session.regenerate()).toMatchObject({ outcome: 'completed', finish: 'stop' });
    expect(lastText(session)).toBe('Answer 2.');
  });

  test.each(lengths)('is sent again when a failed run is resumed, with %i messages before it', async (before) => {
    const { session } = await createStage(window, {
      chat: (_request, index) =>
        [[reply.fail('OVERLOADED')], tooLong, [reply.text('The answer.')]][index] ?? expect.unreachable(),
    });
    addMessages(session, before);
    expect(await session.send('And now?')).toMatchObject({ outcome: 'failed' });
    expect(await session.resume()).toMatchObject({ outcome: 'completed', finish: 'stop' });
    expect(lastText(session)).toBe('The answer.');
  });

  test.each(lengths)('is sent again before a queued message is answered, with %i messages before', async (before) => {
    const { session } = await createStage(window, {
      chat: (_request, index) => (index === 0 ? tooLong : [reply.text(`Answer ${index}.`)]),
    });
    addMessages(session, before);
    const [first, second] = [session.send('And now?'), session.send('And then?', { whenBusy: 'queue' })];
    expect([await first, await second]).toMatchObject([{ finish: 'stop' }, { finish: 'stop' }]);
    expect(textsOf(session).slice(-4)).toEqual(['And now?', 'Answer 1.', 'And then?', 'Answer 2.']);
  });

  test.each(lengths)(
    'is sent again with a steering message that came meanwhile, with %i messages before',
    async (before) => {
      const { session } = await createStage(window, {
        chat: (_request, index) => (index === 0 ? tooLong : [reply.text(`Answer ${index}.`)]),
      });
      addMessages(session, before);
      const [first, second] = [session.send('And now?'), session.send('In short.', { whenBusy: 'steer' })];
      expect([await first, await second]).toMatchObject([{ finish: 'stop' }, { finish: 'stop' }]);
      expect(textsOf(session).slice(-3)).toEqual(['And now?', 'In short.', 'Answer 1.']);
    },
  );

  test.each(lengths)('counts as no step of the run, with %i messages before the question', async (before) => {
    const { session } = await createStage(
      { ...window, maxSteps: 1, tools: [recorded('look').tool] },
      { chat: (_request, index) => (index === 0 ? tooLong : [reply.call('look')]) },
    );
    addMessages(session, before);
    expect(await session.send('And now?')).toMatchObject({ outcome: 'limit' });
    expect(statusesOf(session)).toEqual(['succeeded']);
  });

  test.each(lengths)(
    'that fails leaves a session that can compact, with %i messages before the question',
    async (before) => {
      const { session, events } = await createStage({ ...window, autoCompress: false }, { chat: () => tooLong });
      addMessages(session, before);
      expect(await session.send('And now?')).toMatchObject({ outcome: 'failed', error: { code: 'CONTEXT_OVERFLOW' } });
      expect(textsOf(session).at(-1)).toBe('And now?');
      // A compaction answers nothing: the question stays unanswered.
      expect(await session.compact()).toMatchObject({ outcome: 'cancelled' });
      expect(session.getState().run?.promptId).toBe(session.getMessages().at(-1)?.id);
      expect(only(events, 'context.compacted')).toHaveLength(1);
    },
  );

  test.each(lengths)('is followed by a call that expires in time, with %i messages before', async (before) => {
    const { tool, runs } = recorded('send', { needsApproval: true, approvalTimeout: 1_000 });
    const { session, ports } = await createStage(
      { ...window, tools: [tool] },
      {
        chat: (_request, index) =>
          [tooLong, [reply.call('send')], [reply.text('Not sent.')]][index] ?? expect.unreachable(),
      },
    );
    addMessages(session, before);
    const sent = session.send('And now?');
    await when(session.status$, (status) => status === 'waiting');
    ports.pass(1_000);
    expect(await sent).toMatchObject({ outcome: 'completed', finish: 'stop' });
    expect(statusesOf(session)).toEqual(['expired']);
    expect(runs).toHaveLength(0);
  });
});
