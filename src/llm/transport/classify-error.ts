import { AgentError, type AgentErrorCode } from '../../core/error.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import { toList, toObject, toWord } from '../../core/model/read-json.ts';
import { redact } from './redact.ts';
import { retryAfter } from './retry-after.ts';

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
 * The kinds of errors. The first row counts whose pattern matches `status type code|message`; the row contains what happened and what to
 * do next. Services report a conversation that is too long in some twenty ways: OpenAI, Anthropic, Google, Bedrock, xAI, Groq, Mistral,
 * OpenRouter, Together, llama.cpp, LM Studio, Ollama, MiniMax, Kimi, Z.ai, Qwen, Copilot; Cerebras sends no message at all.
 */
const kinds: readonly (readonly [AgentErrorCode, RegExp, what: string, next: string])[] = [
  ['LLM_API_ERROR', /tool_use_failed/, 'the model wrote a broken tool call', 'Try again.'],
  [
    'CONTEXT_OVERFLOW',
    /^413|^400 *\|$|^(?!429).*(context.(length|window|size|limit)|prompt exceeds|(prompt|input|request)(.is)?.too.(long|large)|token.{0,60} exceeds? the|exceed.{0,20} token limit|maximum prompt length|reduce the length|range of input|max_new_tokens|max tokens allowed)/is,
    'the conversation is too long for the model',
    'Shorten it.',
  ],
  [
    'INSUFFICIENT_QUOTA',
    /^402|insufficient.(quota|balance|credit|funds)|credit balance|(any|available) credits|current.quota|arrearage|余额/is,
    'the account has no credit',
    'Add credit.',
  ],
  ['OVERLOADED', /^(498|503|529)|overloaded/is, 'the service is overloaded', 'Try again later.'],
  ['RATE_LIMIT_EXCEEDED', /^429|rate.limit|too many requests|throttl/is, 'too many requests', 'Try again later.'],
  [
    'CONTENT_FILTERED',
    /content.(filter|policy|management)|moderation|flagged|sensitive|inappropriate/is,
    'a content filter stopped it',
    'Rephrase the message.',
  ],
  [
    'AUTHENTICATION_FAILED',
    /^401|authentication|authorization header|api.?key/is,
    'the key was refused',
    'Check that it is complete, and made for this service.',
  ],
  ['PERMISSION_DENIED', /^403|permission_/is, 'the key may not be used for this', 'Check its permissions.'],
  [
    'MODEL_NOT_FOUND',
    /^404.*(model|deployment|no endpoints)|model.{0,100}not.(exist|found)|(unknown|no such|valid) model|no models loaded/is,
    'the model is not known there',
    'Check its name.',
  ],
  ['INVALID_REQUEST', /^404/, 'nothing is at this address', 'Check the base URL; most end in /v1.'],
  ['REQUEST_TIMEOUT', /^(408|504)|^[^|]*timeout/i, 'the service took too long', 'Try again later.'],
  ['INVALID_REQUEST', /^4(?!09|25)|^[^|]*invalid/i, 'the request was refused', 'Check the model and its parameters.'],
];
const unknown = ['LLM_API_ERROR', /^/, 'the service failed', 'Try again later.'] as const;

/**
 * Maps an error reply of any shape to an AgentError, with a code, and a message that states what happened and what to do next.
 *
 * @param now ms since the epoch
 */
export function classifyError({ host, status: sent, body, headers, secrets }: ErrorReply, now: number): AgentError {
  const error = unwrap(body);
  const wait = retryAfter(headers, typeof body === 'string' ? body : JSON.stringify(body), now);
  const errorCode = toWord(error.code);
  const status = sent ?? (/^[45]\d\d$/.test(errorCode) ? Number(errorCode) : undefined);
  const message = [error.message, toObject(error.metadata).raw, error.failed_generation].map(toWord).join(' ').trim();

  const all = `${[status, toWord(error.type), errorCode].join(' ')}|${message}`;
  const [code, , what, next] =
    // Google reports a limit per minute as "quota" too, but then states when to try again.
    kinds.find(([code, words]) => words.test(all) && !(code === 'INSUFFICIENT_QUOTA' && wait !== undefined)) ?? unknown;

  const excerpt = (text: string): string => redact(text, secrets).replace(/\s+/g, ' ').slice(0, 300);
  const field = code === 'INVALID_REQUEST' && excerpt(toWord(error.param));
  return new AgentError(
    `${status === undefined ? '' : `${status} from `}${host}: ${what}${field ? ` because of "${field}"` : ''}. ${message && `It said: "${toSentence(excerpt(message))}" `}${next}`,
    { code, status, retryAfter: wait, retryable: code === 'LLM_API_ERROR' || undefined },
  );
}

/** Returns a text with a mark at its end. */
const toSentence = (text: string): string => (/[.!?。！？…]$/.test(text) ? text : `${text}.`);

/** Returns the object that describes the error: `{error}`, `[{error}]` (Google), `{detail}` (FastAPI), `{message: {detail}}` (Mistral), a bare text. */
function unwrap(body: Json): JsonObject {
  const json = (typeof body === 'string' && parseJson(body)) || body;
  const all = isJsonObject(json) ? json : toObject(toList(json)[0]);
  const { error, detail, message } = all;
  const inner = [error, message].find(isJsonObject);
  if (inner) return unwrap(inner);
  const first = toObject(toList(detail)[0]);
  const text = [error, detail, first.msg, message, json].map(toWord).find(Boolean) ?? '';
  // A web page contains no useful message.
  return { param: toList(first.loc).map(toWord).join('.'), ...all, message: /^\s*<[!a-z]/i.test(text) ? '' : text };
}
