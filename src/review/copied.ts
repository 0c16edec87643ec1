import { defined } from '../core/json.ts';
import type { CallOutcome, SessionEvent } from '../core/model/event.ts';
import { type CallStatus, type Message, toolParts, type ToolPart } from '../core/model/message.ts';
import type { ReviewCall, ReviewDecision } from './review-call.ts';

// A fork, an import and a session that was restored have the messages of another log, whole: no run of this log made them.

type Added = Extract<SessionEvent, { readonly type: 'message.added' }>;

/** Returns a reply that the event copied from another log: a message of the model of which more is known than its content. */
export function copiedReply({ message }: Added): Message | undefined {
  const { role, status, finish, usage, model } = message;
  const isReply = (status ?? finish ?? usage ?? model) !== undefined;
  return role === 'assistant' && isReply ? message : undefined;
}

const outcomes: Partial<Record<CallStatus, CallOutcome>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  'timed-out': 'timed-out',
  cancelled: 'cancelled',
  uncertain: 'uncertain',
  invalid: 'invalid',
};

/** Returns the calls of a message that the event copied from another log. */
export function copiedCalls(event: Added): readonly ReviewCall[] {
  return toolParts(event.message).map((call) => copiedCall(call, event));
}

function copiedCall(call: ToolPart, { seq, at }: Added): ReviewCall {
  const { callId, name, status, inputText, input, output, startedAt, durationMs: duration, server, session } = call;
  const outcome = outcomes[status];
  const hasRun = startedAt !== undefined || (outcome !== undefined && outcome !== 'cancelled' && outcome !== 'invalid');
  const endedAt = startedAt !== undefined && duration !== undefined ? startedAt + duration : undefined;
  const attempts = call.attempt ?? Number(hasRun);
  const decision = copiedDecision(call, { seq, at });
  const facts = defined({ input, output, startedAt, duration, endedAt, server, session, outcome, decision });
  return { callId, name, seq, at, inputText, attempts, isCopied: true, ...facts };
}

function copiedDecision(
  { approval, editedInput }: ToolPart,
  place: Pick<ReviewDecision, 'seq' | 'at'>,
): ReviewDecision | undefined {
  const { verdict, decidedBy, reason, userName, answer } = approval ?? {};
  if (verdict === undefined || decidedBy === undefined) return undefined;
  const facts = defined({ reason, userName, answer, editedInput });
  return { ...place, verdict, decidedBy, ...facts, seen: undefined, fingerprint: undefined };
}
