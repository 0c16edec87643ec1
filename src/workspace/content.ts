/** A text file as it is stored. */
export interface Version {
  readonly text: string;
  /** The first 16 hexadecimal digits of its SHA-256. */
  readonly hash: string;
  readonly bytes: number;
}

/** Reads a text file. Invariant: the text, written again, is the same bytes. */
export async function readVersion(file: File, path: string, maxBytes: number): Promise<Version> {
  if (file.size > maxBytes)
    throw new Error(`${path} has ${file.size} bytes, more than ${maxBytes}: it is too large for these tools.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = decode(bytes);
  if (text === undefined)
    throw new Error(`${path} is a binary file of ${bytes.length} bytes: these tools need UTF-8 text.`);
  return { text, hash: await hashOf(bytes), bytes: bytes.length };
}

/** Returns the version that a file has when it contains `text`. */
export async function versionOf(text: string, path: string, maxBytes: number): Promise<Version> {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > maxBytes)
    throw new Error(`${path} would have ${bytes.length} bytes, more than ${maxBytes}: write several smaller files.`);
  return { text, hash: await hashOf(bytes), bytes: bytes.length };
}

/** Returns `undefined` for bytes that are not UTF-8, or that contain a NUL as binary files do. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    // With its byte order mark, which would be lost otherwise.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

async function hashOf(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes)));
  return Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
