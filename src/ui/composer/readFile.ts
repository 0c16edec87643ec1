import { toMediaPart } from '../../index.ts';
import type { MediaPart } from '../../core/model/index.ts';
import type { Labels } from '../labels/english.ts';

/** What files a message takes. */
export interface FileRules {
  /** As `accept` of an `<input type="file">`. */
  readonly accept: string;
  /** Bytes of one file. */
  readonly maxBytes: number;
  readonly maxFiles: number;
}

/** Pictures that all services read, PDF, and text. */
export const usualFiles = 'image/png,image/jpeg,image/gif,image/webp,application/pdf,text/*';

function kindsIn(accept: string): readonly string[] {
  return accept.split(',').map((one) => one.trim().toLowerCase());
}

/** Whether a message takes text files. */
export const isTextAccepted = (accept: string): boolean =>
  kindsIn(accept).some((kind) => kind === 'text/*' || kind === 'text/plain');

/** Reads a file as a part of a message. Resolves to a sentence when the file cannot be attached. */
export async function readFile(file: File, rules: FileRules, labels: Labels['composer']): Promise<MediaPart | string> {
  if (file.size > rules.maxBytes) return labels.tooLarge(file.name, `${rules.maxBytes / 1_000_000} MB`);
  try {
    const readable = await toReadable(file, kindsIn(rules.accept));
    return readable === undefined ? labels.unsupported(file.name) : await toMediaPart(readable);
  } catch {
    return labels.unreadable(file.name);
  }
}

/** Returns the file in the form in which it is sent; `undefined` if it is of another kind. */
async function toReadable(file: File, accepted: readonly string[]): Promise<File | undefined> {
  const isText = file.type.startsWith('text/');
  const isAccepted = accepted.some((kind) => isOfKind(file, kind));
  if (isAccepted && !isText) return file;
  // Browsers know the types of few text files: what reads as text is text.
  if (!accepted.includes('text/*')) return isAccepted ? file : undefined;
  return /^(?:image|audio|video|font)\//u.test(file.type) ? undefined : asText(file);
}

function isOfKind({ name, type }: File, kind: string): boolean {
  if (kind.startsWith('.')) return name.toLowerCase().endsWith(kind);
  return kind.endsWith('/*') ? type.startsWith(kind.slice(0, -1)) : type === kind;
}

/** Returns a file as plain text; `undefined` if it is not a text. */
async function asText(file: File): Promise<File | undefined> {
  const bytes = await file.arrayBuffer();
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : new File([text], file.name, { type: 'text/plain' });
  } catch {
    return undefined;
  }
}
