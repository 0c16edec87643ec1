import {
  AgentError,
  type AgentSession,
  createAgent,
  defineTool,
  type LLMRequest,
  type SessionEvent,
  toolParts,
} from 'brooklet';
import {
  coalesce,
  type EventBody,
  evolve,
  initialState,
  isEnded,
  recover,
  type SessionState,
  statusOf,
} from 'brooklet/core';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply, type Script } from 'brooklet/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toRequestMessages } from '../../src/core/context/visible-messages.ts';
import { toChatBody } from '../../src/llm/wires/chat-completions/request.ts';
import { toCompat } from '../../src/llm/wires/chat-completions/compat.ts';
import { toSummary } from '../../src/core/model/summary.ts';
import { settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';
import { problemsOfChatBody } from '../support/valid-chat-body.ts';
import { seeded } from '../support/seeded.ts';

/** Tools of every kind; each notifies the test when it runs. */
function tools(ran: string[]) {
  const tool = (name: string, execute: () => unknown, more: object = {}) =>
    defineTool({
      name,
      description: name,
      input: { type: 'object', properties: { n: { type: 'number' } } },
      execute: (_input, { callId }) => {
        ran.push(callId);
        return String(execute());
      },
      ...more,
    });
  return [
    tool('works', () => 'ok'),
    tool('throws', () => {
      throw new Error('no');
    }),
    tool('asks', () => 'ok', { needsApproval: true }),
    tool('presents', () => 'ok', {
      present: () => {
        throw new Error('ugly');
      },
    }),
  ];
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 12 }).map((text) => reply.text(text)) },
  { weight: 2, arbitrary: fc.string({ maxLength: 12 }).map((text) => reply.reasoning(text)) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.constantFrom('works', 'throws', 'asks', 'presents', 'unknown', '__proto__', ''),
        fc.constantFrom('{}', '{"n":1}', '{"n":"x"}', '{"n":', '[]', ''),
      )
      .map(([name, input]) => reply.call(name, input)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      reply.cut(),
      reply.fail('RATE_LIMIT_EXCEEDED'),
      reply.finish('length'),
      reply.usage(3, 4),
    ),
  },
);
const scripts = fc.array(fc.array(step, { maxLength: 5 }), { minLength: 1, maxLength: 4 });
const decisions = fc.array(fc.boolean(), { maxLength: 6 });

interface Played {
  readonly session: AgentSession;
  readonly events: readonly SessionEvent[];
  /** The result of `getMessages()` after each event, as a subscriber received it. */
  readonly shown: readonly unknown[];
  readonly requests: readonly LLMRequest[];
  readonly ran: readonly string[];
}

/** Runs one run to its end; `verdicts` decides, in turn, each call that awaits approval. */
async function play(
  script: readonly Script[],
  verdicts: readonly boolean[],
  disturb: (session: AgentSession) => void = () => {},
): Promise<Played> {
  const ran: string[] = [];
  const client = createScriptedClient([...script, [reply.text('That is all.')]]);
  const agent = createAgent({ client, tools: tools(ran), maxSteps: 4, ports: createManualPorts() });
  const session = agent.getSession(agent.createSession());
  if (session === undefined) throw new Error('no session');
  const events: SessionEvent[] = [
    { type: 'session.started', sessionId: session.id, seq: 1, at: session.getState().createdAt, v: 2 },
  ];
  const shown: unknown[] = [session.getMessages()];
  disturb(session);
  const pending = [...verdicts];
  session.events$.subscribe((event) => {
    events.push(event);
    shown.push(session.getMessages());
    if (event.type === 'approval.requested')
      // A call that has been cancelled meanwhile cannot be decided.
      ((pending.shift() ?? true) ? session.approve(event.callId) : session.reject(event.callId)).catch(() => {});
  });
  await session.send('Begin.');
  return { session, events, shown, requests: client.requests, ran };
}

const fold = (events: readonly SessionEvent[]): SessionState => events.reduce(evolve, initialState(''));
const bodyOf = (messages: LLMRequest['messages']) =>
  toChatBody({ sessionId: 's', messages }, 'm', toCompat('api.example.com'));

describe('in every scenario,', () => {
  test('a run ends in exactly one terminal event, and then appends nothing', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, decisions, async (script, verdicts) => {
        const { events, session } = await play(script, verdicts);
        const ends = events.filter(({ type }) => type === 'run.ended');
        expect(ends).toHaveLength(1);
        expect(events.at(-1)).toBe(ends[0]);
        expect(['idle', 'failed', 'interrupted', 'limit']).toContain(session.getStatus());
      }),
      seeded(300),
    );
  });

  test('a stream that breaks off is never a success', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 4 }), async (steps) => {
        const whole = steps.filter((one) => one.do !== 'fail' && !(one.do === 'send' && one.chunk.type === 'finish'));
        const { session } = await play([[...whole, reply.cut()]], []);
        expect(session.getState().run).toMatchObject({ outcome: 'interrupted', error: { code: 'STREAM_INTERRUPTED' } });
      }),
      seeded(100),
    );
  });

  test('a coalesced log folds to the same state as the log', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, decisions, async (script, verdicts) => {
        const { events, session } = await play(script, verdicts);
        expect(fold(events)).toEqual(session.getState());
        expect(fold(coalesce(events))).toEqual(session.getState());
      }),
      seeded(200),
    );
  });

  test('the log up to any event folds to the state that was shown then', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, decisions, async (script, verdicts) => {
        const { events, shown } = await play(script, verdicts);
        let state = initialState('');
        for (const [index, event] of events.entries()) {
          state = evolve(state, event);
          expect(state.messages).toEqual(shown[index]);
        }
      }),
      seeded(200),
    );
  });

  test('every request of a run is valid on the wire, and starts with the messages of the previous request', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, decisions, async (script, verdicts) => {
        const { requests } = await play(script, verdicts);
        let before: readonly unknown[] = [];
        for (const request of requests) {
          const body = bodyOf(request.messages);
          expect(problemsOfChatBody(body)).toEqual([]);
          const texts = (Array.isArray(body.messages) ? body.messages : []).map((message) => JSON.stringify(message));
          expect(texts.slice(0, before.length)).toEqual(before);
          before = texts;
        }
      }),
      seeded(200),
    );
  });

  test('after a tab has died at any event, the next request is valid on the wire and nothing runs by itself', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, decisions, fc.boolean(), async (script, verdicts, resumes) => {
        const { events } = await play(script, verdicts);
        for (let cut = 2; cut <= events.length; cut++) {
          const before = fold(events.slice(0, cut));
          const after = recover(before).reduce(
            (state: SessionState, body: EventBody) => evolve(state, { ...body, seq: state.seq + 1, at: 0, v: 2 }),
            before,
          );
          expect(statusOf(after)).not.toBe('running');
          // The next request of the user.
          const goesOn: EventBody[] = [
            { type: 'run.started', runId: 'next', ...(resumes && after.run && { resumes: after.run.id }) },
          ];
          if (!resumes)
            goesOn.push({
              type: 'message.added',
              message: { id: 'u', role: 'user', content: [{ type: 'text', text: 'And now?' }], timestamp: 0 },
            });
          const asked = goesOn.reduce(
            (state: SessionState, body) => evolve(state, { ...body, seq: state.seq + 1, at: 0, v: 2 }),
            after,
          );
          const hasOpenCalls = asked.messages.flatMap(toolParts).some(({ status }) => !isEnded(status));
          const problems = problemsOfChatBody(bodyOf(toRequestMessages(asked.messages, {})));
          // A run that is resumed after its last answer has nothing to request: it ends.
          const last = asked.messages.at(-1);
          if (resumes && last?.role === 'assistant' && last.status === 'complete' && problems.length === 1)
            expect(problems[0]).toMatch('own words');
          else expect(problems).toEqual([]);
          if (!resumes) expect(hasOpenCalls).toBe(false);
        }
      }),
      seeded(60),
    );
  });

  test('no tool runs twice for one call, nor without its approval, nor before its message was complete', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, decisions, async (script, verdicts) => {
        const { events, ran } = await play(script, verdicts);
        expect(new Set(ran).size).toBe(ran.length);
        let replyOpen = false;
        const approved = new Set<string>();
        for (const event of events) {
          if (event.type === 'reply.started') replyOpen = true;
          if (event.type === 'reply.ended') replyOpen = false;
          if (event.type === 'approval.decided' && event.verdict === 'approved') approved.add(event.callId);
          if (event.type === 'call.started') {
            expect(replyOpen).toBe(false);
            expect(approved).toContain(event.callId);
          }
        }
        for (const callId of ran) expect(approved).toContain(callId);
      }),
      seeded(200),
    );
  });

  test('after a cancel at any event, only the end of the run is appended, and the conversation continues', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, fc.nat({ max: 40 }), async (script, at) => {
        let count = 0;
        let cancelledAt = -1;
        const seen: SessionEvent[] = [];
        const { session, events } = await play(script, [true, true, true, true], (one) => {
          one.events$.subscribe((event) => {
            seen.push(event);
            if (count++ >= at && cancelledAt < 0 && one.getStatus() === 'running') {
              cancelledAt = one.getState().seq;
              one.cancel();
            }
          });
        });
        if (cancelledAt >= 0) {
          expect(seen.filter(({ seq }) => seq > cancelledAt).map(({ type }) => type)).toEqual(['run.ended']);
          expect(events.at(-1)).toMatchObject({ type: 'run.ended', outcome: 'cancelled' });
        }
        expect((await session.send('And now?')).outcome).toBeDefined();
        expect(
          problemsOfChatBody(bodyOf(toRequestMessages(session.getMessages().slice(0, -1), {}))).filter(
            (problem) => !problem.includes('own words'),
          ),
        ).toEqual([]);
      }),
      seeded(200),
    );
  });

  test('a store that fails, hangs or throws neither breaks a run nor slows it', async () => {
    const bad = fc.constantFrom('reject', 'throw', 'hang');
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.string({ minLength: 1, maxLength: 9 }).filter((text) => text.trim() !== ''),
          { minLength: 1, maxLength: 4 },
        ),
        bad,
        async (words, how) => {
          const store = {
            ...createMemoryStore(),
            write: (): Promise<void> => {
              if (how === 'throw') throw new Error('a bad store');
              return how === 'hang'
                ? new Promise(() => {})
                : Promise.reject(new AgentError('full', { code: 'QUOTA_EXCEEDED' }));
            },
          };
          const client = createScriptedClient([words.map((text) => reply.text(text))]);
          const ports = createManualPorts();
          const agent = createAgent({ client, store, ports });
          const session = agent.getSession(agent.createSession());
          const sent = session?.send('x');
          await settled();
          // The request waits this long for the message to be stored, and no longer.
          ports.pass(1_000);
          expect((await sent)?.outcome).toBe('completed');
        },
      ),
      seeded(30),
    );
  });
});

test('the row of a session equals the summary of its folded log', async () => {
  const { session } = await play([[reply.text('a'), reply.usage(3, 4)]], []);
  expect(toSummary(session.getState())).toMatchObject({
    title: 'Begin.',
    messageCount: 2,
    status: 'idle',
    usage: { input: 3, output: 4 },
  });
});
