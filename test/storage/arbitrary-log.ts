import type { SessionEvent } from 'brooklet';
import { evolve, eventVersion, initialState, statusOf, type StoredSession } from 'brooklet/core';
import fc from 'fast-check';

const string = fc.string({ unit: 'binary', maxLength: 12 });
const id = fc.constantFrom('m1', 'm2', 'c1', 'c2', '__proto__', 'constructor');
const json = fc.jsonValue({ maxDepth: 2 });
const jsonObject = fc.dictionary(fc.oneof(string, fc.constant('__proto__')), json, {
  maxKeys: 3,
  noNullPrototype: true,
});
const number = fc.nat();
const usage = fc.record(
  { input: number, output: number, cached: number, reasoning: number },
  { requiredKeys: ['input', 'output'] },
);
const zoneTokens = fc.record({ immutable: number, compressed: number, incremental: number, scratch: number });
const verdict = fc.constantFrom('approved', 'rejected', 'expired');
const details = fc.oneof(
  fc.record({ type: fc.constant('diff'), filePath: string, oldContent: string, newContent: string }),
  fc.record({ type: fc.constant('json'), value: json }),
  fc.record({ type: fc.constant('fileList'), files: fc.array(string, { maxLength: 2 }) }),
);
const status = fc.constantFrom(
  'requested',
  'awaiting-approval',
  'approved',
  'edited',
  'started',
  'succeeded',
  'cancelled',
);
const part = fc.oneof(
  fc.record({ type: fc.constant('text'), text: string }),
  fc.record({ type: fc.constant('reasoning'), text: string, provider: json }, { requiredKeys: ['type', 'text'] }),
  fc.record({ type: fc.constant('image'), mediaType: string, data: string }, { requiredKeys: ['type', 'mediaType'] }),
  fc.record({ type: fc.constant('source'), url: string }),
  fc.record({ type: fc.constant('provider'), name: string, data: json }),
  fc.record(
    {
      type: fc.constant('tool'),
      callId: id,
      name: string,
      status,
      inputText: string,
      input: jsonObject,
      output: json,
      details,
    },
    { requiredKeys: ['type', 'callId', 'name', 'status', 'inputText'] },
  ),
);
const message = fc.record(
  {
    id,
    role: fc.constantFrom('system', 'user', 'assistant'),
    content: fc.array(part, { maxLength: 3 }),
    timestamp: number,
    metadata: jsonObject,
    usage,
  },
  { requiredKeys: ['id', 'role', 'content', 'timestamp'] },
);
const cause = fc.constantFrom('trigger', 'overflow', 'user');
const overflow = fc.record({
  type: fc.constant('LLM_SERVICE'),
  code: fc.constant('CONTEXT_OVERFLOW'),
  message: string,
  retryable: fc.boolean(),
});
const type = <T extends string>(name: T): fc.Arbitrary<T> => fc.constant(name);

/** An event body of any type, without regard to a valid order. */
export const body = fc.oneof(
  fc.record({ type: type('session.renamed'), title: string }),
  fc.record({ type: type('session.cleared') }),
  fc.record({ type: type('session.rewound'), messageId: id }),
  fc.record({ type: type('message.added'), message, supersedes: id }, { requiredKeys: ['type', 'message'] }),
  fc.record({ type: type('alternative.selected'), messageId: id }),
  fc.record({ type: type('message.updated'), message }),
  fc.record({ type: type('run.started'), runId: id, resumes: id }, { requiredKeys: ['type', 'runId'] }),
  fc.record(
    {
      type: type('run.ended'),
      runId: id,
      outcome: fc.constantFrom('completed', 'interrupted', 'limit'),
      limit: fc.constantFrom('steps', 'tokens', 'time', 'stopWhen'),
    },
    { requiredKeys: ['type', 'runId', 'outcome'] },
  ),
  fc.record(
    { type: type('reply.started'), messageId: id, context: zoneTokens },
    { requiredKeys: ['type', 'messageId'] },
  ),
  fc.record(
    { type: type('text.delta'), text: string, cadence: fc.array(number, { maxLength: 4 }) },
    { requiredKeys: ['type', 'text'] },
  ),
  fc.record({ type: type('reasoning.delta'), text: string, provider: json }, { requiredKeys: ['type', 'text'] }),
  fc.record({ type: type('call.delta'), callId: id, name: string, text: string }),
  fc.record({ type: type('part.added'), part }),
  fc.record({ type: type('call.requested'), callId: id, name: string, inputText: string, input: jsonObject }),
  fc.record({ type: type('reply.ended'), finish: fc.constantFrom('stop', 'tool-calls'), usage }),
  fc.record({ type: type('message.queued'), message, mode: fc.constantFrom('queue', 'steer') }),
  fc.record({ type: type('message.unqueued'), messageId: id }),
  fc.record(
    { type: type('approval.requested'), callId: id, toolVersion: string, elicitation: jsonObject, expiresAt: number },
    { requiredKeys: ['type', 'callId'] },
  ),
  fc.record(
    {
      type: type('approval.decided'),
      callId: id,
      verdict,
      decidedBy: fc.constantFrom('user', 'rule', 'timeout', 'policy'),
      input: jsonObject,
      answer: json,
      userName: string,
      rejectionText: string,
      reason: string,
      toolVersion: string,
      remember: fc.constantFrom('session', 'agent'),
    },
    { requiredKeys: ['type', 'callId', 'verdict', 'decidedBy'] },
  ),
  fc.record({ type: type('rule.revoked'), name: string }),
  fc.record({ type: type('call.started'), callId: id, attempt: number }),
  fc.record({
    type: type('call.ended'),
    callId: id,
    outcome: fc.constantFrom('succeeded', 'failed'),
    output: json,
    details,
  }),
  fc.record({ type: type('reply.refused'), error: overflow }),
  fc.record(
    {
      type: type('context.compacted'),
      compactionId: id,
      cause,
      strategy: string,
      through: id,
      pruned: id,
      summary: string,
      tokens: fc.record({ before: number, after: number }),
      usage,
    },
    { requiredKeys: ['type', 'compactionId', 'cause', 'strategy', 'tokens'] },
  ),
  fc.record({ type: type('context.compaction-failed'), cause, error: overflow }),
  fc.record({ type: type('context.restored'), compactionId: id }),
  fc.record({ type: type('message.pinned'), messageId: id, pinned: fc.boolean() }),
  fc.record({ type: type('moon.landed'), crew: json }),
);

/** Events as plain JSON, as a store returns them. */
export function toEvents(bodies: readonly object[], sessionId: string): readonly SessionEvent[] {
  const all = [{ type: 'session.started', sessionId }, ...bodies];
  const events: readonly SessionEvent[] = JSON.parse(
    JSON.stringify(all.map((one, index) => ({ ...one, seq: 1 + index, at: 1000 + index, v: eventVersion }))),
  );
  return events;
}

export function toStored(events: readonly SessionEvent[], id: string): StoredSession {
  const state = events.reduce(evolve, initialState(id));
  const { title, createdAt, updatedAt, messages, usage: sum, seq } = state;
  const summary = {
    id,
    title,
    createdAt,
    updatedAt,
    status: statusOf(state),
    messageCount: messages.length,
    usage: sum,
    seq,
  };
  return { summary, events };
}

/** A log of any events, with no open run, call, queue or approval rule. */
export const settled = (sessionId: string): fc.Arbitrary<StoredSession> =>
  fc
    .array(body, { maxLength: 12 })
    .map((bodies) => [
      ...bodies,
      { type: 'run.started', runId: 'last' },
      { type: 'run.ended', runId: 'last', outcome: 'cancelled' },
    ])
    .map((bodies) => {
      const { queue, approvalRules } = toEvents(bodies, sessionId).reduce(evolve, initialState(sessionId));
      const closing = [
        ...queue.map((queued) => ({ type: 'message.unqueued', messageId: queued.message.id })),
        ...approvalRules.map((decision) => ({ type: 'rule.revoked', name: decision.name })),
      ];
      return toStored(toEvents([...bodies, ...closing], sessionId), sessionId);
    });

/** A log of any events, which may end within a run. */
export const open = (sessionId: string): fc.Arbitrary<StoredSession> =>
  fc.array(body, { maxLength: 12 }).map((bodies) => toStored(toEvents(bodies, sessionId), sessionId));
