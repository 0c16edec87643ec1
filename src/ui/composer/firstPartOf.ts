import type { MediaPart } from '../../core/model/index.ts';
import { textOf } from '../base/bytesOf.ts';

/** Of what the model takes: the question, the instructions and the answer need room, too. */
const usedShare = 0.7;

/**
 * Returns the first part of a text file, up to the end of a line, with a note on what is left out. A file of another kind is returned unchanged.
 *
 * @param share of the file that the model takes
 */
export function firstPartOf(part: MediaPart, share: number, noteOn: (characters: number) => string): MediaPart {
  const text = textOf(part);
  const length = Math.floor((text?.length ?? 0) * share * usedShare);
  if (text === undefined || length >= text.length) return part;
  const cut = text.slice(0, length);
  const end = cut.lastIndexOf('\n');
  // A text without lines is cut within one, but not within a character.
  const kept = end > 0 ? cut.slice(0, end) : cut.replace(/[\uD800-\uDBFF]$/u, '');
  const bytes = new TextEncoder().encode(`${kept}\n\n${noteOn(text.length - kept.length)}\n`);
  return { ...part, data: toBase64(bytes) };
}

/** Bytes that one call of `String.fromCharCode` takes. */
const stride = 32_768;

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let from = 0; from < bytes.length; from += stride)
    binary += String.fromCharCode(...bytes.subarray(from, from + stride));
  return btoa(binary);
}
