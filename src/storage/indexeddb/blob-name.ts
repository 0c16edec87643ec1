/** Returns the name of a blob, so that equal values are stored once: the SHA-256 of the value's JSON, in hexadecimal digits. */
export async function blobNameOf(value: unknown): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(value)));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
