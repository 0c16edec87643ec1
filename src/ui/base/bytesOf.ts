import type { MediaPart } from '../../core/model/index.ts';

/** Decodes base64; `undefined` for what is not. */
export function bytesOf(data: string): ArrayBuffer | undefined {
  try {
    return Uint8Array.from(atob(data), (character) => character.charCodeAt(0)).buffer;
  } catch {
    return undefined;
  }
}

/** Whether a file is a text that can be shown. */
export function isText({ mediaType }: Pick<MediaPart, 'mediaType'>): boolean {
  return mediaType.startsWith('text/') || mediaType === 'application/json';
}

/** Returns the text of a file; `undefined` for a file of another kind. */
export function textOf(part: Omit<MediaPart, 'type'>): string | undefined {
  const bytes = part.data === undefined || !isText(part) ? undefined : bytesOf(part.data);
  return bytes && new TextDecoder().decode(bytes);
}
