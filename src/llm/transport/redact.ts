import { AgentError, messageOf } from '../../core/error.ts';

// `*` and `…` too: some services quote a key half masked.
const keyLike = /\b(?:sk-|sk_|gsk_|hf_|xai-|AIza|Bearer\s+)[\w.*…-]{4,}/gi;

/** Takes keys out of a text: the ones it is told, and whatever looks like one. Linear in the text. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  // Shorter "secrets" would shred ordinary words.
  for (const secret of secrets) if (secret.length >= 4) clean = clean.replaceAll(secret, '[redacted]');
  return clean.replace(keyLike, '[redacted]');
}

/** Returns the error without keys in its message or in that of its cause: a stand-in for fetch, for example, may throw anything. */
export function redactError(error: AgentError, secrets: readonly string[]): AgentError {
  const message = redact(error.message, secrets);
  if (message === error.message && error.cause === undefined) return error;
  return new AgentError(message, { ...error, cause: error.cause && redact(messageOf(error.cause), secrets) });
}
