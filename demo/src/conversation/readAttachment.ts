import { toMediaPart } from 'brooklet';
import type { Texts } from '../texts/en/en.ts';
import type { Attachment } from './useAttachments.ts';

/** Bytes of one file. The wires send files as base64 with every request of the conversation. */
const maxBytes = 5_000_000;
const pictures = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Reads a file as a part of a message. Resolves to a sentence when the file cannot be attached. */
export async function readAttachment(
  file: File,
  words: Pick<Texts['composer'], 'tooLarge' | 'unsupported' | 'unreadable'>,
): Promise<Attachment | string> {
  if (file.size > maxBytes) return words.tooLarge(file.name, `${maxBytes / 1_000_000} MB`);
  try {
    const isPicture = pictures.has(file.type);
    const readable = isPicture || file.type === 'application/pdf' ? file : await asText(file);
    if (readable === undefined) return words.unsupported(file.name);
    return {
      id: crypto.randomUUID(),
      name: file.name,
      part: await toMediaPart(readable),
      ...(isPicture && { preview: URL.createObjectURL(file) }),
    };
  } catch {
    return words.unreadable(file.name);
  }
}

/** Returns the file as plain text; `undefined` if it is no text. Browsers know the types of few text files. */
async function asText(file: File): Promise<File | undefined> {
  if (/^(?:image|audio|video|font)\//u.test(file.type)) return undefined;
  const bytes = await file.arrayBuffer();
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : new File([text], file.name, { type: 'text/plain' });
  } catch {
    return undefined;
  }
}
