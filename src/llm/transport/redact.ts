import { AgentError, messageOf } from '../../core/error.ts';
import type { LLMChunk } from '../../core/model/llm.ts';

// `*` and `…` too: some services quote a key half masked.
const keyLike = /\b(?:sk-|sk_|gsk_|hf_|xai-|AIza|Bearer\s+)[\w.*…-]{4,}/gi;
const mark = '[redacted]';

/** Characters that a text and a credential must have in common to be redacted. */
const fragmentLength = 12;
/** Characters. Longer strings, images for example, are not searched for fragments. */
const longestText = 65_536;

/**
 * Removes keys from the text of an error: the secrets that are passed, every fragment of a credential among them (see `withoutFragments`),
 * and everything that looks like a key. Linear in the length of the text.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  // Shorter "secrets" would destroy ordinary words.
  for (const secret of secrets) if (secret.length >= 4) clean = clean.replaceAll(secret, mark);
  return withoutFragments(clean, fragmentsOf(secrets)).replace(keyLike, mark);
}

/** Returns the error without keys in its message and in that of its cause: a custom fetch, for example, may throw anything. */
export function redactError(error: AgentError, secrets: readonly string[]): AgentError {
  const message = redact(error.message, secrets);
  if (message === error.message && error.cause === undefined) return error;
  return new AgentError(message, { ...error, cause: error.cause && redact(messageOf(error.cause), secrets) });
}

/**
 * Returns the chunk without credentials in its names, ids, reasons and opaque data. Text, reasoning and the input of calls are the model's
 * own, arrive in pieces, and stay unchanged.
 */
export function redactChunk(chunk: LLMChunk, secrets: readonly string[]): LLMChunk {
  const { type, text, name, provider }: { type: string; text?: string; name?: string; provider?: unknown } = chunk;
  if (type === 'usage' || (text !== undefined && name === undefined && provider === undefined)) return chunk;
  const fragments = fragmentsOf(secrets);
  if (fragments.size === 0) return chunk;
  const clean: LLMChunk = JSON.parse(JSON.stringify(chunk), (field, value: unknown) =>
    typeof value === 'string' && field !== 'text' && field !== 'inputText' ? withoutFragments(value, fragments) : value,
  );
  return clean;
}

/**
 * Returns all fragments of the credentials among the secrets, in plain text, as base64, and escaped for a URL or JSON. Other secrets are
 * ordinary words or addresses.
 */
function fragmentsOf(secrets: readonly string[]): ReadonlySet<string> {
  const fragments = new Set<string>();
  const words = secrets.flatMap((secret) => secret.split(/\s+/));
  for (const credential of words.filter((word) => /^(?!https?:)(?=.*\d)[\x21-\x7e]{16,}$/.test(word)))
    for (const form of [credential, ...base64FormsOf(credential)].flatMap(escapedFormsOf))
      for (let at = 0; at + fragmentLength <= form.length; at += 1) fragments.add(form.slice(at, at + fragmentLength));
  return fragments;
}

/** Returns the text as it is, in a URL, with hex digits of both cases, and in JSON that escapes its slashes. */
function escapedFormsOf(text: string): readonly string[] {
  const inURL = encodeURIComponent(text);
  const lower = inURL.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase());
  return [text, inURL, lower, text.replaceAll('/', String.raw`\/`)];
}

/** Returns the base64 of every text that contains the secret, without the characters that depend on the rest of that text. */
function base64FormsOf(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((shift) => {
    const bits = (characters: number): number => (characters * 8) / 6;
    const form = btoa(' '.repeat(shift) + secret).slice(
      Math.ceil(bits(shift)),
      Math.floor(bits(shift + secret.length)),
    );
    return [form, form.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Removes every fragment from a text, also one that is broken by white space. */
function withoutFragments(text: string, fragments: ReadonlySet<string>): string {
  if (fragments.size === 0 || text.length < fragmentLength || text.length > longestText) return text;
  const places = Array.from(text.matchAll(/\S/g), ({ index }) => index);
  const compact = text.replace(/\s+/g, '');
  let clean = '';
  let end = 0;
  for (const [at, place] of places.entries()) {
    if (!fragments.has(compact.slice(at, at + fragmentLength))) continue;
    if (place >= end) clean += text.slice(end, place) + mark;
    end = (places[at + fragmentLength - 1] ?? place) + 1;
  }
  return clean + text.slice(end);
}
