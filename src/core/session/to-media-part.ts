import type { MediaPart } from '../model/message.ts';

/** Bytes that one call of `String.fromCharCode` takes. */
const stride = 32_768;

/**
 * Converts a file or a blob to a part of a message.
 *
 *     await session.send({ content: [{ type: 'text', text: 'What is this?' }, await toMediaPart(file)] });
 *
 * Rejects with the browser's `NotReadableError` when the file has changed since it was chosen.
 */
export async function toMediaPart(file: Blob & { readonly name?: string }): Promise<MediaPart> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let from = 0; from < bytes.length; from += stride)
    text += String.fromCharCode(...bytes.subarray(from, from + stride));
  // Without its parameters, as in `text/plain;charset=utf-8`.
  const mediaType = file.type.split(';', 1)[0] || 'application/octet-stream';
  const [kind] = mediaType.split('/');
  const type = kind === 'image' || kind === 'audio' ? kind : 'file';
  return { type, mediaType, data: btoa(text), ...(file.name && { name: file.name }) };
}
