import { AgentError, messageOf } from '../../core/error.ts';

// `*` and `…` too: some services quote a key half masked.
const keyLike = /\b(?:sk-|sk_|gsk_|hf_|xai-|AIza|Bearer\s+)[\w.*…-]{4,}/gi;

/** Removes keys from a text: the secrets that are passed, and everything that looks like a key. Linear in the length of the text. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  // Shorter "secrets" would destroy ordinary words.
  for (const secret of secrets) if (secret.length >= 4) clean = clean.replaceAll(secret, '[redacted]');
  return clean.replace(keyLike, '[redacted]');
}

/** Returns the error without keys in its message and in that of its cause: a custom fetch, for example, may throw anything. */
export function redactError(error: AgentError, secrets: readonly string[]): AgentError {
  const message = redact(error.message, secrets);
  if (message === error.message && error.cause === undefined) return error;
  return new AgentError(message, { ...error, cause: error.cause && redact(messageOf(error.cause), secrets) });
}
