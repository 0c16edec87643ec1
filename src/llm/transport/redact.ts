// `*` and `…` too: some services quote a key half masked.
const keyLike = /\b(?:sk-|sk_|gsk_|hf_|xai-|AIza|Bearer\s+)[\w.*…-]{4,}/gi;

/** Takes keys out of a text: the ones it is told, and whatever looks like one. Linear in the text. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  // Shorter "secrets" would shred ordinary words.
  for (const secret of secrets) if (secret.length >= 4) clean = clean.replaceAll(secret, '[redacted]');
  return clean.replace(keyLike, '[redacted]');
}
