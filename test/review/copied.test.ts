import { createAgent, extractTextContent } from 'brooklet';
import { createReview, type Review } from 'brooklet/review';
import { createMemoryStore, exportSession, importHistory, importSessions } from 'brooklet/storage';
import { toOTLP } from 'brooklet/telemetry';
import { createScriptedClient, reply } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';
import { record } from './recorded.ts';

/** The review of a recorded session, and that of its fork. */
async function forked(): Promise<{ readonly original: Review; readonly fork: Review }> {
  const { stored } = await record();
  const store = createMemoryStore();
  await importSessions(store, exportSession(stored));
  const agent = createAgent({ client: createScriptedClient([[reply.text('Later'), reply.usage(7, 1)]]), store });
  const id = await agent.forkSession(stored.summary.id);
  await (await agent.openSession(id)).send('And now?');
  await agent.dispose();
  return { original: createReview(stored.events), fork: createReview((await store.read(id))?.events ?? []) };
}

describe('the review of a fork', () => {
  test('shows the calls of the messages that it copied, with decisions and results', async () => {
    const { original, fork } = await forked();
    const facts = ({ calls }: Review) =>
      calls.map(({ name, inputText, outcome, output, attempts, decision }) => [
        name,
        inputText,
        outcome,
        output,
        attempts,
        decision?.verdict,
        decision?.userName,
        decision?.editedInput,
      ]);
    expect(facts(fork)).toEqual(facts(original));
    expect(fork.calls.map(({ isCopied }) => isCopied)).toEqual([true, true]);
    expect(fork.calls[0]).toMatchObject({ seq: expect.any(Number), duration: expect.any(Number) });
    expect(fork.goTo({ seq: fork.calls[0]?.seq ?? 0 })).toBe(true);
    expect(
      fork
        .getView()
        .state.messages.at(-1)
        ?.content.some(({ type }) => type === 'tool'),
    ).toBe(true);
    expect(original.calls.some(({ isCopied }) => isCopied)).toBe(false);
  });

  test('shows its steps with model, tokens and answer, and then its own', async () => {
    const { original, fork } = await forked();
    const answered = original.steps.filter(({ answer }) => answer);
    expect(fork.steps.map(({ usage }) => usage?.input)).toEqual([...answered.map(({ usage }) => usage?.input), 7]);
    expect(fork.steps.map(({ answer }) => answer && extractTextContent(answer))).toEqual([
      ...answered.map(({ answer }) => answer && extractTextContent(answer)),
      'Later',
    ]);
    expect(fork.steps.map(({ index, isCopied = false, request }) => [index, isCopied, request !== undefined])).toEqual([
      [0, true, false],
      [1, true, false],
      [2, true, false],
      [3, true, false],
      [4, false, true],
    ]);
    expect(fork.steps[0]?.zones).toEqual(original.steps[0]?.zones);
    expect(fork.runs.map(({ steps }) => steps.length)).toEqual([1]);
    expect(fork.goTo({ step: 1 })).toBe(true);
    expect(fork.stepAt(fork.getView().seq)?.index).toBe(1);
  });

  test('shows its tokens, and sums them', async () => {
    const { fork } = await forked();
    expect(fork.usage.map(({ usage, total, isCopied = false }) => [usage.input, total.input, isCopied])).toEqual([
      [100, 100, true],
      [120, 220, true],
      [140, 360, true],
      [200, 560, true],
      [7, 567, false],
    ]);
  });

  test('shows the call that failed among its errors, and finds its output', async () => {
    const { fork } = await forked();
    expect(fork.errors).toMatchObject([{ of: 'call', outcome: 'failed', message: expect.stringContaining('lever') }]);
    expect(fork.search('lever came off')).toMatchObject([{ kind: 'message' }]);
  });

  test('has spans of its own run only', async () => {
    const { fork } = await forked();
    const trace = JSON.stringify(toOTLP(fork.events));
    expect(trace.match(/"name":"(chat|execute_tool)[^"]*"/g)).toHaveLength(1);
    expect(trace).toContain('"gen_ai.usage.input_tokens","value":{"intValue":"7"}');
  });
});

describe('the review of an imported session', () => {
  const line = (type: string, message: object, uuid: string): string =>
    JSON.stringify({
      type,
      uuid,
      sessionId: 's',
      timestamp: '2026-01-01T00:00:00Z',
      message: { role: type, ...message },
    });

  test('shows what the file has: its steps, calls and tokens', async () => {
    const usage = { input_tokens: 5, output_tokens: 2 };
    const use = { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } };
    const source = [
      line('user', { content: 'List' }, '1'),
      line('assistant', { id: 'm1', model: 'opus', stop_reason: 'tool_use', usage, content: [use] }, '2'),
      line('user', { content: [{ type: 'tool_result', tool_use_id: 't', content: 'no', is_error: true }] }, '3'),
      line(
        'assistant',
        { id: 'm2', model: 'opus', stop_reason: 'end_turn', usage, content: [{ type: 'text', text: 'No files.' }] },
        '4',
      ),
    ].join('\n');
    const store = createMemoryStore();
    const { conversations } = await importHistory(store, source);
    const review = createReview((await store.read(conversations[0]?.sessionId ?? ''))?.events ?? []);
    expect(review.calls).toMatchObject([
      { name: 'Bash', outcome: 'failed', output: 'no', attempts: 1, isCopied: true },
    ]);
    expect(review.steps).toMatchObject([
      { model: 'opus', finish: 'tool-calls', usage: { input: 5, output: 2 } },
      { model: 'opus', finish: 'stop', usage: { input: 5, output: 2 } },
    ]);
    expect(review.usage.at(-1)?.total).toMatchObject({ input: 10, output: 4 });
    expect(review.runs).toEqual([]);
  });

  test('of a file that states neither model nor tokens has no steps', async () => {
    const store = createMemoryStore();
    const { conversations } = await importHistory(
      store,
      '[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]',
    );
    const review = createReview((await store.read(conversations[0]?.sessionId ?? ''))?.events ?? []);
    expect([review.steps, review.calls, review.usage]).toEqual([[], [], []]);
  });
});
