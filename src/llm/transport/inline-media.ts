import { readDataURL } from '../../core/model/data-url.ts';
import type { MediaPart } from '../../core/model/message.ts';

/** Returns the media type and the base64 data of a part, also of one whose URL is a `data:` URL. */
export function inlineMedia({ mediaType, data, url = '' }: MediaPart): {
  readonly mediaType: string;
  readonly data: string | undefined;
} {
  const [typeInURL = mediaType, dataInURL = data] = readDataURL(url);
  return { mediaType: typeInURL, data: dataInURL };
}
