import { decodeText } from '../../files/decode-text.ts';
import { sha256 } from '../../files/sha256.ts';

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
  // With its byte order mark, which would be lost otherwise.
  const text = decodeText(bytes, { ignoreBOM: true });
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

async function hashOf(bytes: Uint8Array): Promise<string> {
  return (await sha256(bytes)).slice(0, 16);
}
