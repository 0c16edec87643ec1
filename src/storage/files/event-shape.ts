import { AgentError, AgentErrorType } from '../../core/error.ts';
import { isJsonObject } from '../../core/json.ts';
import { eventVersion, type EventBody, type SessionEvent } from '../../core/model/event.ts';
import type { Spending } from '../../core/model/message.ts';
import type { Proof, Proposal } from '../../core/model/call.ts';
import type { RequestRecord, ToolSpec } from '../../core/model/settings.ts';
import { type Fields, type FieldsByType, id, string, title, typed, word } from '../../core/model/shapes/fields.ts';
import { finish, message, origin, usage, zoneTokens } from '../../core/model/shapes/message-shape.ts';
import { approvalCause, decidedBy, details, elicitation, part } from '../../core/model/shapes/part-shape.ts';
import { path } from '../../core/model/shapes/path-shape.ts';
import { settings, toolChoice } from '../../core/model/shapes/settings-shape.ts';
import { verbFields } from '../../core/model/shapes/verb-shape.ts';
import {
  amount,
  anything,
  count,
  filled,
  flag,
  type Flaw,
  jsonObject,
  listOf,
  maybe,
  object,
  oneOf,
  range,
  type Shape,
  time,
} from '../../core/model/shapes/shape.ts';

const cadence = maybe(listOf(amount));

const spending = object({ tokens: range(0), steps: range(0), money: range(0) } satisfies Fields<Spending>);

const proof = maybe(object({ device: filled(100), signature: filled(200) } satisfies Fields<Proof>));

const toolSpec = object({ name: word, description: string, inputSchema: jsonObject } satisfies Fields<ToolSpec>);
const requestRecord = object({
  instructions: maybe(word),
  tools: maybe(word),
  model: maybe(word),
  temperature: maybe(amount),
  maxTokens: maybe(amount),
  toolChoice: maybe(toolChoice),
  providerParams: maybe(jsonObject),
  maxMessages: maybe(amount),
  toolOutput: maybe(amount),
  pinned: maybe(listOf(id)),
} satisfies Fields<RequestRecord>);

/** Only `AgentError` knows the codes: an error with an unknown code has the type `INTERNAL`, as two of the codes have. */
const errorCode: Shape = (value, field) => {
  const made: unknown = typeof value === 'string' && Reflect.construct(AgentError, ['', { code: value }]);
  const isKnown =
    made instanceof AgentError && (made.type !== 'INTERNAL' || value === 'UNKNOWN' || value === 'MODULE_UNAVAILABLE');
  return isKnown ? undefined : { field, reason: 'is not the code of an error' };
};

const error = object({
  type: oneOf(...Object.values(AgentErrorType)),
  code: errorCode,
  message: string,
  status: maybe(amount),
  retryable: flag,
  retryAfter: maybe(amount),
  timeout: maybe(oneOf('connect', 'first', 'idle', 'stall', 'total')),
});

const cause = oneOf('trigger', 'overflow', 'user');

const bodies: FieldsByType<EventBody> = {
  ...verbFields,
  'session.cleared': {},
  'session.rewound': { messageId: id },
  'session.started': { sessionId: id, title: maybe(title), path: maybe(path) },
  'session.imported': {},
  'event.dropped': { of: word },
  'alternative.selected': { messageId: id },
  'message.added': { message, supersedes: maybe(id) },
  'message.updated': { message },
  'message.queued': {
    message,
    mode: oneOf('queue', 'steer'),
    settings: maybe(settings),
    due: maybe(time),
    missed: maybe(oneOf('skip')),
    isDue: maybe(flag),
  },
  'run.started': {
    carried: maybe(spending),
    runId: id,
    resumes: maybe(id),
    isAutomatic: maybe(flag),
    isCompaction: maybe(flag),
    settings: maybe(settings),
  },
  'run.ended': {
    runId: id,
    outcome: oneOf('completed', 'cancelled', 'limit', 'failed', 'interrupted'),
    error: maybe(error),
    limit: maybe(oneOf('steps', 'tokens', 'time', 'money', 'stopWhen')),
    account: maybe(id),
    spent: maybe(spending),
  },
  'instructions.changed': { contentId: word, messages: listOf(message) },
  'tools.changed': { contentId: word, tools: listOf(toolSpec) },
  'reply.started': {
    messageId: id,
    origin: maybe(origin),
    context: maybe(zoneTokens),
    request: maybe(requestRecord),
    reserved: maybe(range(0)),
  },
  'reply.refused': { error },
  'text.delta': { text: string, cadence },
  'reasoning.delta': { text: string, provider: anything, cadence, startedAt: maybe(amount) },
  'call.delta': { callId: id, name: maybe(word), text: string, cadence },
  'part.added': { part },
  'call.requested': { callId: id, name: word, inputText: string, input: maybe(jsonObject), provider: anything },
  'reply.ended': { finish, raw: maybe(string), usage: maybe(usage), model: maybe(string), cost: maybe(range(0)) },
  'approval.requested': {
    callId: id,
    expiresAt: maybe(amount),
    toolVersion: maybe(string),
    elicitation: maybe(elicitation),
    cause: approvalCause,
  },
  'approval.decided': {
    callId: id,
    verdict: oneOf('approved', 'rejected', 'expired'),
    decidedBy,
    input: maybe(jsonObject),
    reason: maybe(string),
    answer: anything,
    userName: maybe(string),
    rejectionText: maybe(string),
    remember: maybe(oneOf('session', 'agent')),
    toolVersion: maybe(string),
    proof,
  },
  'approval.proposed': {
    callId: id,
    proposal: object({
      verdict: oneOf('approved', 'rejected'),
      input: maybe(jsonObject),
      reason: maybe(string),
      answer: anything,
      userName: maybe(string),
      fingerprint: maybe(string),
      remember: maybe(oneOf('session', 'agent')),
    } satisfies Fields<Proposal>),
    proof,
  },
  'call.progress': { callId: id, progress: anything },
  'call.started': { callId: id, attempt: amount, server: maybe(string), session: maybe(id) },
  'call.ended': {
    callId: id,
    outcome: oneOf('succeeded', 'failed', 'timed-out', 'cancelled', 'uncertain', 'invalid'),
    // A newer version may have other reasons.
    reason: maybe(word),
    timeout: maybe(amount),
    output: anything,
    summary: maybe(string),
    details: maybe(details),
    requiresFollowUp: maybe(flag),
    handoff: maybe(word),
    spent: maybe(spending),
    decidedAt: maybe(time),
  },
  'context.compacted': {
    compactionId: id,
    cause,
    strategy: word,
    through: maybe(id),
    pruned: maybe(id),
    summary: maybe(string),
    tokens: object({ before: amount, after: amount }),
    usage: maybe(usage),
    model: maybe(string),
    cost: maybe(range(0)),
  },
  'context.compaction-failed': {
    cause,
    error,
    usage: maybe(usage),
    model: maybe(string),
    cost: maybe(range(0)),
  },
};

const envelope = { seq: count(1), at: time, v: oneOf(eventVersion), since: maybe(count(1)) };
const events = typed(bodies, envelope);
/** An event of a type that this version does not know: kept unchanged, and skipped by the reducer. */
const stranger: Shape = (value, field) =>
  object({ ...envelope, type: word })(isJsonObject(value) ? { ...value } : value, field);

/** Whether this version has events of the type. */
export function isKnownType(type: string): boolean {
  return Object.hasOwn(bodies, type);
}

/** Returns an event of a file without fields that its type does not have, or its error. */
export function readEvent(value: unknown): { readonly event: SessionEvent } | { readonly flaw: Flaw } {
  const isStranger = isJsonObject(value) && typeof value.type === 'string' && !isKnownType(value.type);
  const flaw = (isStranger ? stranger : events)(value, '');
  // The parse boundary between a file and the types: the shape has just checked the value.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return flaw === undefined ? { event: value as SessionEvent } : { flaw };
}
