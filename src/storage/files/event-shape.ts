import { AgentError, AgentErrorType } from '../../core/error.ts';
import { isJsonObject } from '../../core/json.ts';
import { eventVersion, type EventBody, type SessionEvent } from '../../core/model/event.ts';
import type { Message, Part, ToolDetails, Usage } from '../../core/model/message.ts';
import type { OutputSpec, RequestRecord, RunSettings, ToolSpec } from '../../core/model/settings.ts';
import {
  amount,
  anything,
  byType,
  count,
  flag,
  jsonObject,
  listOf,
  maybe,
  object,
  oneOf,
  text,
  time,
} from './shape.ts';
import type { Flaw, Shape } from './shape.ts';

/** A shape for each field: tsc reports a field of the type that is missing here. */
type Fields<T> = { readonly [K in Exclude<keyof T, 'type'>]-?: Shape };
type FieldsByType<T extends { readonly type: string }> = {
  readonly [K in T['type']]: Fields<Extract<T, { readonly type: K }>>;
};

export const maxIdLength = 1000;
const id = text(maxIdLength);
const word = text(1000);
const title = text(10_000);
const string = text();

const usage = object({
  input: amount,
  output: amount,
  cached: maybe(amount),
  reasoning: maybe(amount),
  cacheRead: maybe(amount),
  cacheWritten: maybe(amount),
} satisfies Fields<Usage>);
const zoneTokens = object({ immutable: amount, compressed: amount, incremental: amount, scratch: amount });
const finish = oneOf('stop', 'length', 'tool-calls', 'pause', 'content-filter', 'other', 'unknown');
const cadence = maybe(listOf(amount));

const media = { mediaType: word, data: maybe(string), url: maybe(string), name: maybe(string) };

const details = typed<ToolDetails>({
  diff: { filePath: string, oldContent: string, newContent: string },
  fileList: { files: listOf(string) },
  commandOutput: { stdout: string, stderr: string, exitCode: amount },
  json: { value: anything },
  text: { text: string },
  image: { mediaType: word, data: maybe(string), url: maybe(string) },
});

const decidedBy = oneOf('user', 'rule', 'timeout', 'policy');

const approvalCause = maybe(oneOf('unknown-finish'));

const approval = object({
  verdict: maybe(oneOf('approved', 'rejected', 'expired')),
  decidedBy: maybe(decidedBy),
  reason: maybe(string),
  cause: approvalCause,
  userName: maybe(string),
  rejectionText: maybe(string),
  expiresAt: maybe(amount),
  toolVersion: maybe(word),
  elicitation: maybe(jsonObject),
  answer: anything,
});

const callStatus = oneOf(
  ...(['streaming', 'requested', 'invalid', 'awaiting-approval', 'approved', 'edited', 'rejected', 'expired'] as const),
  ...(['started', 'succeeded', 'failed', 'timed-out', 'cancelled', 'uncertain'] as const),
);

const part = typed<Part>({
  text: { text: string },
  reasoning: { text: string, provider: anything, startedAt: maybe(amount), durationMs: maybe(amount) },
  image: media,
  audio: media,
  file: media,
  source: { url: string, title: maybe(string) },
  provider: { name: word, data: anything },
  tool: {
    callId: id,
    name: word,
    status: callStatus,
    inputText: string,
    input: maybe(jsonObject),
    editedInput: maybe(jsonObject),
    output: anything,
    progress: anything,
    isError: maybe(flag),
    attempt: maybe(amount),
    startedAt: maybe(amount),
    durationMs: maybe(amount),
    summary: maybe(string),
    details: maybe(details),
    approval: maybe(approval),
    provider: anything,
  },
});

const outputSpec = object({ name: word, schema: jsonObject, strict: flag } satisfies Fields<OutputSpec>);
const toolSpec = object({ name: word, description: string, inputSchema: jsonObject } satisfies Fields<ToolSpec>);
const toolChoice: Shape = (value, field) =>
  (isJsonObject(value) ? object({ name: word }) : oneOf('auto', 'none', 'required'))(value, field);
const settings = object({
  model: maybe(word),
  temperature: maybe(amount),
  maxTokens: maybe(amount),
  output: maybe(outputSpec),
  toolChoice: maybe(toolChoice),
  providerParams: maybe(jsonObject),
  contextWindow: maybe(amount),
  autoCompress: maybe(flag),
  maxSteps: maybe(amount),
  budget: maybe(object({ tokens: maybe(amount), time: maybe(amount) })),
  needs: maybe(listOf(oneOf('client', 'scratch'))),
} satisfies Fields<RunSettings>);
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

const messageFields: Fields<Message> = {
  id,
  role: oneOf('system', 'user', 'assistant'),
  content: listOf(part),
  timestamp: amount,
  metadata: maybe(jsonObject),
  status: maybe(oneOf('streaming', 'complete', 'interrupted')),
  finish: maybe(finish),
  usage: maybe(usage),
  context: maybe(zoneTokens),
  model: maybe(string),
  settings: maybe(settings),
};
const message = object(messageFields);

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
  'session.started': { sessionId: id, title: maybe(title) },
  'session.renamed': { title },
  'session.cleared': {},
  'session.rewound': { messageId: id },
  'message.added': { message },
  'message.updated': { message },
  'message.queued': { message, mode: oneOf('queue', 'steer'), settings: maybe(settings) },
  'message.unqueued': { messageId: id },
  'run.started': { runId: id, resumes: maybe(id), isCompaction: maybe(flag), settings: maybe(settings) },
  'run.ended': {
    runId: id,
    outcome: oneOf('completed', 'cancelled', 'limit', 'failed', 'interrupted'),
    error: maybe(error),
    limit: maybe(oneOf('steps', 'tokens', 'time', 'stopWhen')),
  },
  'instructions.changed': { contentId: word, messages: listOf(message) },
  'tools.changed': { contentId: word, tools: listOf(toolSpec) },
  'reply.started': { messageId: id, context: maybe(zoneTokens), request: maybe(requestRecord) },
  'reply.refused': { error },
  'text.delta': { text: string, cadence },
  'reasoning.delta': { text: string, provider: anything, cadence, startedAt: maybe(amount) },
  'call.delta': { callId: id, name: maybe(word), text: string, cadence },
  'part.added': { part },
  'call.requested': { callId: id, name: word, inputText: string, input: maybe(jsonObject), provider: anything },
  'reply.ended': { finish, raw: maybe(string), usage: maybe(usage), model: maybe(string) },
  'approval.requested': {
    callId: id,
    expiresAt: maybe(amount),
    toolVersion: maybe(word),
    elicitation: maybe(jsonObject),
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
    toolVersion: maybe(word),
  },
  'rule.revoked': { name: word },
  'call.progress': { callId: id, progress: anything },
  'call.started': { callId: id, attempt: amount },
  'call.ended': {
    callId: id,
    outcome: oneOf('succeeded', 'failed', 'timed-out', 'cancelled', 'uncertain', 'invalid'),
    output: anything,
    summary: maybe(string),
    details: maybe(details),
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
  },
  'context.compaction-failed': { cause, error, usage: maybe(usage), model: maybe(string) },
  'context.restored': { compactionId: id },
  'message.pinned': { messageId: id, pinned: flag },
};

const envelope = { seq: count(1), at: time, v: oneOf(eventVersion), since: maybe(count(1)) };
const events = typed(bodies, envelope);
/** An event of a type that this version does not know: kept unchanged, and skipped by the reducer. */
const stranger: Shape = (value, field) =>
  object({ ...envelope, type: word })(isJsonObject(value) ? { ...value } : value, field);

/** Returns an event of a file without fields that its type does not have, or its error. */
export function readEvent(value: unknown): { readonly event: SessionEvent } | { readonly flaw: Flaw } {
  const isStranger = isJsonObject(value) && typeof value.type === 'string' && !Object.hasOwn(bodies, value.type);
  const flaw = (isStranger ? stranger : events)(value, '');
  // The parse boundary between a file and the types: the shape has just checked the value.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return flaw === undefined ? { event: value as SessionEvent } : { flaw };
}

function typed<T extends { readonly type: string }>(
  fields: FieldsByType<T>,
  common: { readonly [field: string]: Shape } = {},
): Shape {
  const shapes = Object.entries<{ readonly [field: string]: Shape }>(fields);
  return byType(Object.fromEntries(shapes.map(([type, own]) => [type, object({ type: string, ...own, ...common })])));
}
