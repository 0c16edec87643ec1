import type { Part } from 'brooklet';

/** Returns the text of parts, for the message field. */
export function toText(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

/**
 * Returns parts as files for a message.
 *
 * @param kinds `media`: without texts
 */
export function toFiles(parts: readonly Part[], name: string, kinds: 'all' | 'media'): readonly File[] {
  return parts.flatMap((part): readonly File[] => {
    if (part.type === 'text') return kinds === 'all' ? [new File([part.text], name, { type: 'text/plain' })] : [];
    if (!('mediaType' in part) || !('data' in part) || typeof part.data !== 'string') return [];
    return [new File([fromBase64(part.data)], name, { type: part.mediaType })];
  });
}

function fromBase64(data: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
}
