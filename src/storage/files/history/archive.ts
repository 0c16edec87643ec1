import { fail } from '../../../core/error.ts';
import {
  entriesOfZip,
  isZip,
  unzipped,
  type ZipEntry,
  ZipError,
  type ZipFlaw,
  type ZipSource,
} from '../../../files/zip.ts';
import { bytesOf, decoded, type TextSource } from '../text-chunks.ts';

/** Whether a file begins as an archive. */
export async function isArchive(file: Blob): Promise<boolean> {
  return isZip(await bytesOf(file, 0, 4));
}

/**
 * Returns the files of an archive that may contain conversations: `conversations.json`, or its pieces, as ChatGPT and Claude export them; else
 * all JSON files.
 *
 * Rejects with AgentError `INVALID_INPUT` for an archive that is damaged, encrypted or larger than 4 GB, and for one without such a file.
 */
export async function conversationFiles(file: Blob): Promise<readonly TextSource[]> {
  const source: ZipSource = { size: file.size, read: (start, end) => bytesOf(file, start, end) };
  const all = await entriesOfZip(source).catch(refuse);
  const entries = all.filter(({ name }) => !/(^|\/)(__MACOSX\/|\.)/.test(name));
  const named = entries.filter(({ name }) => /(^|\/)conversations([-_]\d+)?\.json$/.test(name));
  const chosen = named.length > 0 ? named : entries.filter(({ name }) => /\.jsonl?$/.test(name));
  if (chosen.length === 0)
    fail('INVALID_INPUT', 'The archive contains no conversations: expected conversations.json, or other JSON files.');
  return chosen
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((entry) => ({ size: entry.size, unit: 'bytes', chunks: () => decoded(contentOf(source, entry)) }));
}

async function* contentOf(source: ZipSource, entry: ZipEntry): AsyncGenerator<Uint8Array, void> {
  try {
    yield* unzipped(source, entry);
  } catch (error) {
    refuse(error);
  }
}

const words: Readonly<Record<ZipFlaw, string>> = {
  damaged: 'The archive is damaged: expected a ZIP file with conversations.json.',
  encrypted: 'The archive is encrypted: unpack it, and pass the JSON file.',
  'too-large': 'The archive is larger than 4 GB: unpack it, and pass conversations.json.',
  'too-many': 'The archive has too many files: unpack it, and pass conversations.json.',
};

function refuse(error: unknown): never {
  if (error instanceof ZipError) return fail('INVALID_INPUT', words[error.flaw], error);
  throw error;
}
