/**
 * Returns the version of a tool whose definition another party writes, a server for example: approvals apply to one version. A cryptographic
 * digest, because that party could write two definitions with the same `hash`; without `crypto.subtle` (a page without HTTPS) the
 * definition itself.
 *
 * @param definition all that the other party says about the tool, and who it is
 */
export async function versionOf(definition: readonly unknown[]): Promise<string> {
  const text = JSON.stringify(definition);
  if (globalThis.crypto?.subtle === undefined) return text;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
