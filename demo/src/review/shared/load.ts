import { AgentError } from 'brooklet';
import { openSealedExport } from 'brooklet/encryption';
import { type FileTexts, type OpenedFile, readFile } from '../readFile.ts';
import type { SharedLink } from './link.ts';

/** Bytes of the largest file that is loaded. */
const most = 200_000_000;

/**
 * Loads the encrypted file of a link, without credentials. Rejects with AgentError `NETWORK_ERROR` where the file is gone, or its server refuses
 * pages.
 */
export async function loadFile(address: string, signal: AbortSignal): Promise<Blob> {
  try {
    const response = await fetch(address, { credentials: 'omit', cache: 'no-store', signal });
    const size = Number(response.headers.get('content-length') ?? 0);
    if (response.ok && size <= most) return await response.blob();
  } catch (cause) {
    throw new AgentError('The file cannot be loaded.', { code: 'NETWORK_ERROR', cause });
  }
  throw new AgentError('The file cannot be loaded.', { code: 'NETWORK_ERROR' });
}

/** Decrypts a file and reads it, as any exported file. Rejects as `openSealedExport` and `readFile` do. */
export async function openShared(file: Blob, { key }: SharedLink, words: FileTexts): Promise<OpenedFile> {
  return readFile(new Blob([await openSealedExport(file, key)]), words);
}
