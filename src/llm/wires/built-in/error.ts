import { AgentError, type AgentErrorCode, messageOf } from '../../../core/error.ts';

/** The name of what the browser throws → what it is, what happened, what to do next. */
const kinds: ReadonlyMap<string, readonly [AgentErrorCode, string]> = new Map([
  [
    'NotAllowedError',
    ['PERMISSION_DENIED', 'may not be used here: by a setting, or by a policy of this page. Allow it.'],
  ],
  ['NotSupportedError', ['INVALID_REQUEST', 'does not take this language, attachment or schema. Change it.']],
  ['NotReadableError', ['CONTENT_FILTERED', 'answered, but a filter stopped it. Say it in another way.']],
  ['QuotaExceededError', ['CONTEXT_OVERFLOW', 'cannot take a conversation this long. Shorten it.']],
  ['NetworkError', ['NETWORK_ERROR', 'could not be downloaded. Try again when the network is back.']],
  ['SyntaxError', ['INVALID_OUTPUT', 'found no answer that fits the schema. Ask again.']],
  ['EncodingError', ['INVALID_INPUT', 'cannot read an attachment. Attach it in another format.']],
  ['SecurityError', ['INVALID_INPUT', 'may not read an attachment from another site. Attach the file itself.']],
  ['InvalidStateError', ['STREAM_INTERRUPTED', 'was put away. Try again.']],
  ['AbortError', ['STREAM_INTERRUPTED', 'was put away. Try again.']],
  ['TypeError', ['INVALID_REQUEST', 'does not understand this request. Its Prompt API may be another version.']],
]);

/** The same names mean something else while the model is made ready. */
const whileDownloading: typeof kinds = new Map([
  ['NotAllowedError', ['MODEL_NOT_READY', 'is downloaded after a click only: call download() in its handler.']],
  [
    'NotSupportedError',
    ['MODEL_NOT_FOUND', 'cannot run here: the device or the language is not up to it. Use a provider.'],
  ],
]);

/** @param downloading whether it was thrown while the model was made ready */
export function toBuiltInError(thrown: unknown, downloading = false): AgentError {
  if (thrown instanceof AgentError) return thrown;
  const name = thrown instanceof Error ? thrown.name : '';
  const [code, what] = (downloading ? whileDownloading.get(name) : undefined) ??
    kinds.get(name) ?? ['LLM_API_ERROR', `failed: ${messageOf(thrown)} Try again.`];
  return new AgentError(`The browser's model ${what}`, {
    code,
    cause: thrown,
    retryable: code === 'LLM_API_ERROR' || undefined,
  });
}
