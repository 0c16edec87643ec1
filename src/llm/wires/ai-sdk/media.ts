import { defined, type JsonObject } from '../../../core/json.ts';
import type { MediaPart } from '../../../core/model/message.ts';
import { fileText, mediaText } from '../../../core/model/tool-result.ts';
import { inlineMedia } from '../../transport/inline-media.ts';
import { isFilled } from './opaque.ts';

/** What a model reads of media: its interface's version, and the addresses that it fetches by itself. */
export interface MediaTarget {
  readonly version: string;
  readonly urls: Readonly<Record<string, readonly RegExp[]>>;
}

/** A part of a prompt. Not JSON: an address is a `URL`. */
export type PromptPart = { readonly type: string; readonly [field: string]: unknown };

/**
 * Maps media to a part of a user's message: a file, or text for a text file, and for media that cannot be sent: at an address that
 * neither the model nor its service fetches, for example. The page fetches nothing.
 *
 * @param inWords whether media is only named
 */
export function toMediaPart(part: MediaPart, target: MediaTarget, inWords: boolean): PromptPart {
  const { mediaType, data } = inlineMedia(part);
  const text = fileText({ ...part, mediaType, ...defined({ data }) });
  if (text !== undefined) return { type: 'text', text };
  const file = inWords ? undefined : toFilePart({ ...part, mediaType, ...defined({ data }) }, target);
  return file ?? { type: 'text', text: mediaText(part) };
}

/** Maps media to a file of a prompt; `undefined` where the model cannot read it. */
export function toFilePart(
  { mediaType, data, url, name }: MediaPart,
  { version, urls }: MediaTarget,
  metadata: JsonObject = {},
  type: 'file' | 'reasoning-file' = 'file',
): PromptPart | undefined {
  const address = data === undefined ? toReadableUrl(mediaType, url, urls) : undefined;
  if (data === undefined && address === undefined) return undefined;
  const tagged = data === undefined ? { type: 'url', url: address } : { type: 'data', data };
  return {
    type,
    mediaType,
    data: version === 'v4' ? tagged : (data ?? address),
    ...(name !== undefined && type === 'file' && { filename: name }),
    ...(isFilled(metadata) && { providerOptions: metadata }),
  };
}

/** Returns an address that a model reads by itself, by the patterns of `supportedUrls`. */
function toReadableUrl(mediaType: string, text: string | undefined, urls: MediaTarget['urls']): URL | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const type = mediaType.toLowerCase();
  const isRead = Object.entries(urls).some(
    ([pattern, addresses]) =>
      fitsType(pattern.toLowerCase(), type) &&
      addresses.some((address) => new RegExp(address).test(text.toLowerCase())),
  );
  return isRead ? new URL(text) : undefined;
}

function fitsType(pattern: string, type: string): boolean {
  if (pattern === '*' || pattern === '*/*') return true;
  return pattern.endsWith('/*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}
