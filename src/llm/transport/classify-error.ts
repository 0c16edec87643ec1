import { AgentError } from '../../core/error.ts';
import type { Json } from '../../core/json.ts';
import { readErrorBody } from './error-body.ts';
import { kindOfError } from './error-kinds.ts';
import { redact } from './redact.ts';
import { delayWords, retryAfter } from './retry-after.ts';

/** The error reply of a service, or the error that it reported within an answer. */
export interface ErrorReply {
  /** Host and port, for the message. */
  readonly host: string;
  readonly status?: number;
  /** The body of the reply, or the event that reported the error. */
  readonly body: Json;
  readonly headers?: { get(name: string): string | null } | undefined;
  /** Values that must not appear in the message. */
  readonly secrets?: readonly string[];
}

/**
 * Maps an error reply of any shape to an AgentError, with a code, and a message that states what happened and what to do next.
 *
 * @param now ms since the epoch
 */
export function classifyError({ host, status: sent, body, headers, secrets }: ErrorReply, now: number): AgentError {
  const reply = readErrorBody(body);
  const { message, field } = reply;
  const status = sent ?? reply.status;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const wait = retryAfter({ headers, repeated: reply.headers, body: text, isLimited: status === 429 }, now);
  const { code, what, next } = kindOfError(host, status, reply, wait !== undefined);

  const excerpt = (quote: string): string => redact(quote, secrets).replace(/\s+/g, ' ').slice(0, 300);
  const because = code === 'INVALID_REQUEST' && excerpt(field);
  const todo = wait !== undefined && next === 'Try again later.' ? `Try again in ${delayWords(wait)}.` : next;
  const isRetryable = adviceOf(headers) ?? (code === 'LLM_API_ERROR' || undefined);
  return new AgentError(
    `${status === undefined ? '' : `${status} from `}${host}: ${what}${because ? ` because of "${because}"` : ''}. ${message && `It said: "${toSentence(excerpt(message))}" `}${todo}`,
    { code, status, retryAfter: wait, retryable: isRetryable },
  );
}

/** Returns whether a repetition makes sense, where the service states it: OpenAI and Anthropic do, and their own SDKs follow it. */
function adviceOf(headers: ErrorReply['headers']): boolean | undefined {
  const advice = headers?.get('x-should-retry');
  return advice === 'true' || (advice === 'false' ? false : undefined);
}

/** Returns a text with a mark at its end. */
const toSentence = (text: string): string => (/[.!?。！？…]$/.test(text) ? text : `${text}.`);
