import { AgentError, type AgentErrorCode } from '../error.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../json.ts';
import { toList, toObject, toText } from './loose.ts';
import { redact } from './redact.ts';

/** What a service said when it refused, or broke off. */
export interface Refusal {
  /** Host and port, for the message. */
  readonly host: string;
  readonly status?: number;
  /** The body, or the event, in which it said so. */
  readonly said: Json;
  /** ms */
  readonly retryAfter?: number | undefined;
  /** Never to appear in the message. */
  readonly secrets?: readonly string[];
}

/**
 * What a refusal is, by the first row whose words are in `status type code|message`; what happened, and what to do next.
 * Too long is said in some twenty ways: OpenAI, Anthropic, Google, Bedrock, xAI, Groq, Mistral, OpenRouter, Together, llama.cpp,
 * LM Studio, Ollama, MiniMax, Kimi, Z.ai, Qwen, Copilot; by Cerebras not at all.
 */
const kinds: readonly (readonly [AgentErrorCode, RegExp, what: string, next: string])[] = [
  [
    'CONTEXT_OVERFLOW',
    /^413|^400 *\|$|^(?!429).*(context.(length|window|size)|(prompt|input|request)(.is)?.too.(long|large)|token.{0,60} exceeds? the|exceed.{0,20} token limit|maximum prompt length|reduce the length|range of input|max_new_tokens|max tokens allowed)/is,
    'the conversation is longer than the model can read',
    'Shorten it, or choose a model that reads more.',
  ],
  [
    'INSUFFICIENT_QUOTA',
    /^402|insufficient.(quota|balance|credit|funds)|credit balance|your current quota/is,
    'the account has no credit left',
    'Top it up, or use another key.',
  ],
  ['OVERLOADED', /^(503|529)|overloaded/is, 'the service is overloaded', 'Try again in a while.'],
  ['RATE_LIMIT_EXCEEDED', /^429|rate.limit|too many requests|throttl/is, 'too many requests', 'Try again in a while.'],
  [
    'CONTENT_FILTERED',
    /content.(filter|policy|management)|moderation|flagged/is,
    'a content filter stopped it',
    'Say it in another way.',
  ],
  [
    'AUTHENTICATION_FAILED',
    /^401|authentication|api.?key/is,
    'the key was refused',
    'Check that it is complete, and made for this service.',
  ],
  ['PERMISSION_DENIED', /^403|permission_/is, 'the key may not do this', 'Check what it is allowed to use.'],
  [
    'MODEL_NOT_FOUND',
    /^404.*model|model.{0,100}not.(exist|found)|(unknown|no such|a valid) model/is,
    'the model is not known there',
    'Check its name, and whether the key may use it.',
  ],
  ['INVALID_REQUEST', /^404/, 'there is nothing at this address', 'Check the base URL; most end in /v1.'],
  ['REQUEST_TIMEOUT', /^(408|504)|^[^|]*timeout/i, 'the service ran out of time', 'Try again.'],
  ['INVALID_REQUEST', /^4(?!09|25)|^[^|]*invalid/i, 'the request was refused', 'Check the model and its parameters.'],
];
const unknown = ['LLM_API_ERROR', /^/, 'the service failed', 'Try again later.'] as const;

/** Makes an AgentError of a refusal, whatever its shape: with a code, and a message that says what happened and what to do next. */
export function toFailure({ host, status: sent, said, retryAfter, secrets }: Refusal): AgentError {
  const error = unwrap(said);
  const { type, param, failed_generation: attempt } = error;
  const named = plain(error.code);
  const status = sent ?? (/^[45]\d\d$/.test(named) ? Number(named) : undefined);
  const message = [error.message, toObject(error.metadata).raw, attempt].map(plain).filter(Boolean).join(' ');

  const subject = `${status ?? ''} ${plain(type)} ${named === String(status) ? '' : named}`.trimEnd();
  const kind = kinds.find(
    // Google says "quota" for a minute's limit too, but then it says when to come back.
    ([code, words]) =>
      words.test(`${subject}|${message}`) && !(code === 'INSUFFICIENT_QUOTA' && retryAfter !== undefined),
  );
  // The call that the model wrote wrongly (Groq) may be right the next time.
  const [code, , what, next] = attempt === undefined && kind !== undefined ? kind : unknown;
  const field = code === 'INVALID_REQUEST' && plain(param) !== '' ? ` because of "${plain(param)}"` : '';
  const quote = excerpt(redact(message, secrets));
  return new AgentError(
    `${status === undefined ? '' : `${status} from `}${host}: ${what}${excerpt(redact(field, secrets))}. ${quote && `It said: "${quote}" `}${next}`,
    {
      code,
      status,
      retryAfter,
      retryable: code === 'LLM_API_ERROR' || undefined,
    },
  );
}

/** The object that describes the error: `{error}`, `[{error}]` (Google), `{detail}` (FastAPI), a bare text. */
function unwrap(said: Json): JsonObject {
  if (typeof said === 'string') {
    const json = parseJson(said);
    if (typeof json === 'object' && json !== null) return unwrap(json);
    // A web page says nothing that helps.
    return { message: said.trimStart().startsWith('<') ? '' : said };
  }
  const all = isJsonObject(said) ? said : toObject(toList(said)[0]);
  const { error, detail } = all;
  if (isJsonObject(error)) return error;
  const first = toObject(toList(detail)[0]);
  return {
    param: toList(first.loc).map(plain).join('.'),
    ...all,
    message: plain(error) || plain(detail) || plain(first.msg) || plain(all.message),
  };
}

function plain(value: Json | undefined): string {
  return typeof value === 'number' ? String(value) : toText(value);
}

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trimEnd();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
