import { type AgentSession, createAgent, defineTool, toolParts } from 'brooklet';
import { type AGUIEvent, toAGUIEvents } from 'brooklet/agui';
import { createScriptedClient, reply, type Script } from 'brooklet/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { settled } from '../support/manual-client.ts';
import { verify } from '../support/verify-agui.ts';

const word = fc.constantFrom('a', 'one two', 'é', '');
const step = fc.oneof(
  word.map((text) => reply.text(text)),
  word.map((text) => reply.reasoning(text)),
  fc.constantFrom('look', 'pay', 'ask', 'fail', 'missing').map((name) => reply.call(name)),
  fc.constant(reply.call('look', '{"cut')),
  fc.constant(reply.usage(3, 2)),
  fc.constant(reply.chunk({ type: 'part', part: { type: 'source', url: 'https://example.com/' } })),
);
const script: fc.Arbitrary<Script> = fc
  .tuple(fc.array(step, { maxLength: 4 }), fc.constantFrom('', 'cut', 'fail'))
  .map(([steps, end]) =>
    end === 'cut' ? [...steps, reply.cut()] : end === 'fail' ? [...steps, reply.fail('LLM_API_ERROR')] : steps,
  );
/** What a person does: decides, cancels, sends, subscribes. */
const act = fc.constantFrom('approve', 'reject', 'cancel', 'send', 'resume', 'regenerate', 'describe', 'join');

const tool = (name: string, more: object = {}) =>
  defineTool({ name, description: '', input: { type: 'object' }, execute: () => 'done', ...more });
const tools = [
  tool('look'),
  tool('pay', { needsApproval: true }),
  tool('ask', { answer: { type: 'string' } }),
  tool('fail', { execute: () => Promise.reject(new Error('no')) }),
];

async function perform(session: AgentSession, what: string, index: number): Promise<void> {
  const call = session
    .getMessages()
    .flatMap(toolParts)
    .find(({ status }) => status === 'awaiting-approval');
  const sent = { whenBusy: 'queue' } as const;
  if (what === 'send') void session.send('Go', sent);
  else if (what === 'describe') session.setMetadata({ index });
  else if (what === 'cancel') session.cancel();
  else if (what === 'resume')
    void Promise.resolve()
      .then(() => session.resume())
      .catch(() => {});
  else if (what === 'regenerate')
    void Promise.resolve()
      .then(() => session.regenerate())
      .catch(() => {});
  else if (what === 'reject' && call) await session.reject(call.callId).catch(() => {});
  else if (what === 'approve' && call?.name === 'ask') await session.answer(call.callId, 'x').catch(() => {});
  else if (what === 'approve' && call) await session.approve(call.callId).catch(() => {});
}

test('the events of random sessions pass the protocol’s own schemas and verifyEvents, from the start and joined later', async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(script, { minLength: 1, maxLength: 5 }),
      fc.array(act, { maxLength: 8 }),
      fc.boolean(),
      async (scripts, acts, isDescribed) => {
        const client = createScriptedClient((_request, index) => scripts[index] ?? [reply.text('End.')]);
        const agent = createAgent({ client, tools, maxSteps: 4 });
        const session = await agent.openSession(agent.createSession(isDescribed ? { metadata: { a: 1 } } : {}));
        const lists: AGUIEvent[][] = [];
        const join = (): void => {
          const events: AGUIEvent[] = [];
          lists.push(events);
          toAGUIEvents(session).subscribe((event) => events.push(event));
        };
        join();
        void session.send('Go');
        for (const [index, what] of acts.entries()) {
          if (what === 'join') join();
          else await perform(session, what, index);
          for (let turn = 0; turn < index % 3; turn++) await settled();
        }
        await settled();
        for (const events of lists) verify(events);
        for (const { type } of lists.flat()) seen.set(type, (seen.get(type) ?? 0) + 1);
        for (const event of lists.flat())
          if (event.type === 'RUN_FINISHED') seen.set(event.outcome.type, (seen.get(event.outcome.type) ?? 0) + 1);
      },
    ),
    { numRuns: 300 },
  );
  // The sessions reach what the test is about.
  for (const type of ['interrupt', 'cancelled', 'success', 'RUN_ERROR', 'STATE_DELTA', 'TOOL_CALL_RESULT', 'CUSTOM'])
    expect([type, (seen.get(type) ?? 0) > 5]).toEqual([type, true]);
});
