import { createAgent, defineTool, type LLMRequest, type SessionEvent } from 'brooklet';
import { createReview, type Review, type ReviewOptions } from 'brooklet/review';
import type { StoredSession } from 'brooklet/core';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect } from 'vitest';
import { toEvents } from '../storage/arbitrary-log.ts';
import { heldIn } from '../support/person.ts';
import { until } from '../support/until.ts';

/** A session with two approved calls, one of them edited, a failed call, a compaction and a run that failed. */
export async function record(): Promise<{ readonly stored: StoredSession; readonly requests: readonly LLMRequest[] }> {
  const client = createScriptedClient([
    [reply.reasoning('I should pay.'), reply.call('pay', { n: 1 }), reply.usage(100, 10)],
    [reply.call('break', {}), reply.usage(120, 5)],
    [reply.text('Paid with a change; the other tool is broken.'), reply.usage(140, 20)],
    [reply.text('You are welcome.'), reply.usage(200, 4)],
    [reply.fail('INSUFFICIENT_QUOTA', 'No credit is left.')],
  ]);
  const store = createMemoryStore();
  const pay = defineTool({
    name: 'pay',
    description: 'Pays an amount.',
    input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    needsApproval: true,
    execute: ({ n }) => `paid ${JSON.stringify(n)}`,
  });
  const broken = defineTool({
    name: 'break',
    description: 'Always fails.',
    input: { type: 'object' },
    execute: () => {
      throw new Error('The lever came off.');
    },
  });
  const agent = createAgent({
    client,
    store,
    tools: [pay, broken],
    instructions: 'Be brief.',
    contextWindow: 100_000,
    context: { strategy: () => 'They paid.' },
  });
  const id = agent.createSession();
  const session = await agent.openSession(id);
  const first = session.send('Please pay the bill.');
  const callId = await until(() => heldIn(session)[0] ?? expect.unreachable());
  await session.approve(callId, { input: { n: 2 }, userName: 'Ada' });
  await first;
  await session.send('Thank you!', { model: 'small' });
  await session.compact();
  await session.send('And now?');
  await session.flushed();
  const stored = await store.read(id);
  if (stored === undefined) throw new Error('The session is not stored.');
  return { stored: JSON.parse(JSON.stringify(stored)), requests: client.requests };
}

export async function recordedReview(options?: ReviewOptions): Promise<Review> {
  return createReview((await record()).stored.events, options);
}

/** The log of one reply whose text streamed in three pieces, each event at its time. */
export function streamedLog(timeOf: (event: SessionEvent) => number): readonly SessionEvent[] {
  const events = toEvents(
    [
      {
        type: 'message.added',
        message: { id: 'm1', role: 'user', content: [{ type: 'text', text: 'Hello' }], timestamp: 1 },
      },
      { type: 'run.started', runId: 'r' },
      { type: 'reply.started', messageId: 'm2' },
      { type: 'text.delta', text: 'abcdef', cadence: [0, 1, 100, 2, 200, 3] },
      { type: 'reply.ended', finish: 'stop' },
      { type: 'run.ended', runId: 'r', outcome: 'completed' },
    ],
    's',
  );
  return events.map((event) => ({ ...event, at: timeOf(event) }));
}
