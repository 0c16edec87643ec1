import { AgentError, type AgentErrorCode, messageOf } from '../../../core/error.ts';

/** By the name of the browser's error: the code, what happened, and what to do next. */
const kinds: ReadonlyMap<string, readonly [AgentErrorCode, string]> = new Map([
  [
    'NotAllowedError',
    ['PERMISSION_DENIED', 'may not be used here: a setting, or a policy of this page, forbids it. Allow it.'],
  ],
  ['NotSupportedError', ['INVALID_REQUEST', 'does not support this language, attachment or schema. Change it.']],
  [
    'NotReadableError',
    ['CONTENT_FILTERED', 'answered, but a content filter blocked the answer. Rephrase the message.'],
  ],
  ['QuotaExceededError', ['CONTEXT_OVERFLOW', 'does not accept a conversation this long. Shorten it.']],
  ['NetworkError', ['NETWORK_ERROR', 'could not be downloaded. Try again when the network is back.']],
  ['SyntaxError', ['INVALID_OUTPUT', 'found no answer that matches the schema. Send the prompt again.']],
  ['EncodingError', ['INVALID_INPUT', 'cannot read an attachment. Attach it in another format.']],
  ['SecurityError', ['INVALID_INPUT', 'may not read an attachment from another site. Attach the file itself.']],
  ['InvalidStateError', ['STREAM_INTERRUPTED', 'was unloaded. Try again.']],
  ['AbortError', ['STREAM_INTERRUPTED', 'was unloaded. Try again.']],
  ['TypeError', ['INVALID_REQUEST', 'does not understand this request. Its Prompt API may be another version.']],
]);

/** The names with another meaning while the model is downloaded. */
const whileDownloading: typeof kinds = new Map([
  ['NotAllowedError', ['MODEL_NOT_READY', 'is downloaded only after a click: call download() in the click handler.']],
  [
    'NotSupportedError',
    ['MODEL_NOT_FOUND', 'cannot run here: the device or the language is not supported. Use a provider.'],
  ],
]);

/**
 * Maps an error of the Prompt API to an AgentError.
 *
 * @param downloading whether the error was thrown while the model was downloaded
 */
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
