import { readDataURL } from '../core/model/data-url.ts';
import type { MediaPart } from '../core/model/message.ts';

interface MediaFacts {
  /** MIME type; may be missing. */
  readonly mediaType?: string;
  /** Base64 */
  readonly data?: string;
  readonly url?: string;
  readonly name?: string;
  /** The kind where the MIME type is missing. Default `file`. */
  readonly kind?: MediaPart['type'];
}

/** Returns an image, a sound or a file; `undefined` where the file has neither its content nor an address that others can reach. */
export function mediaPart({
  mediaType = '',
  data = '',
  url = '',
  name = '',
  kind = 'file',
}: MediaFacts): MediaPart | undefined {
  const [ownType = '', ownData] = readDataURL(data || url);
  const base64 = ownData ?? data;
  if (base64 === '' && !/^(https?|data):/i.test(url)) return undefined;
  const type = mediaType || ownType || { image: 'image/*', audio: 'audio/*', file: 'application/octet-stream' }[kind];
  return {
    type: type.startsWith('image/') ? 'image' : type.startsWith('audio/') ? 'audio' : 'file',
    mediaType: type,
    ...(base64 === '' ? { url } : { data: base64 }),
    ...(name !== '' && { name }),
  };
}

/** Returns a text as a file. */
export function textFile(text: string, name: string, mediaType = 'text/plain'): MediaPart {
  let binary = '';
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return { type: 'file', mediaType, data: btoa(binary), ...(name !== '' && { name }) };
}
