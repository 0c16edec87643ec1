import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { MediaPart } from '../../../core/model/message.ts';
import { toObject, toText } from '../../../core/model/read-json.ts';

/** Maps a file of an answer: base64, bytes, or an address (`LanguageModelV4`). Returns `undefined` for a file without content. */
export function toMedia({
  mediaType,
  data,
}: {
  readonly mediaType?: unknown;
  readonly data?: unknown;
}): MediaPart | undefined {
  const type = toText(mediaType) || 'application/octet-stream';
  const content: unknown = isTagged(data) ? (data.data ?? data.url) : data;
  const kind = type.startsWith('image') ? 'image' : type.startsWith('audio') ? 'audio' : 'file';
  if (content instanceof URL) return { type: kind, mediaType: type, url: content.href };
  if (content instanceof Uint8Array) return { type: kind, mediaType: type, data: toBase64(content) };
  const text = toText(content);
  if (text === '') return undefined;
  return /^https?:/.test(text)
    ? { type: kind, mediaType: type, url: text }
    : { type: kind, mediaType: type, data: text };
}

function isTagged(data: unknown): data is { readonly data?: unknown; readonly url?: unknown } {
  return isJsonObject(data) && typeof data.type === 'string';
}

/** Encodes bytes as base64, in pieces: the arguments of a call are limited. */
function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x80_00) text += String.fromCharCode(...bytes.subarray(at, at + 0x80_00));
  return btoa(text);
}

/** The beginnings of images in base64. */
const pictures: readonly (readonly [begin: string, mediaType: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['UklGR', 'image/webp'],
];

/** Separates the picture in the result of a tool that makes pictures at the provider (OpenAI's `image_generation`): a log shows it once. */
export function pictureOf(result: Json | undefined): { readonly picture?: MediaPart; readonly rest: JsonObject } {
  const { result: data, ...rest } = toObject(result);
  const text = toText(data);
  const found = pictures.find(([begin]) => text.startsWith(begin));
  return found ? { picture: { type: 'image', mediaType: found[1], data: text }, rest } : { rest: toObject(result) };
}
