import type { MediaPart } from '../model/message.ts';

/** Width and height of an image. */
export interface ImageSize {
  /** px */
  readonly width: number;
  /** px */
  readonly height: number;
}

/** Tokens of an image of unknown size: Anthropic's maximum, and more than OpenAI counts for most images. */
const unknownImage = 1_600;

/**
 * Returns the tokens of an image by OpenAI's rule: 85, and 170 for each tile of 512 px after scaling into 2,048 px and to 768 px on the
 * short side (platform docs, "Images").
 */
export function openAIImage({ width, height }: ImageSize): number {
  const fit = Math.min(1, 2_048 / Math.max(width, height));
  const shrink = Math.min(1, 768 / (Math.min(width, height) * fit)) * fit;
  return 85 + 170 * Math.ceil((width * shrink) / 512) * Math.ceil((height * shrink) / 512);
}

/** Returns the tokens of an image by Anthropic's rule: one token for 750 px², after scaling into 1,568 px (docs, "Vision"). */
export function anthropicImage({ width, height }: ImageSize): number {
  const fit = Math.min(1, 1_568 / Math.max(width, height));
  return Math.min(unknownImage, Math.ceil((width * fit * height * fit) / 750));
}

/**
 * Returns the estimated tokens of a part for an unknown provider: the larger of OpenAI's and Anthropic's counts for an image, 32 tokens a
 * second for a sound (Gemini, at 128 kbit/s), a page of 2,000 tokens for each 50 KB of a PDF, one token for 3 bytes of any other file.
 */
export function estimateMedia(part: MediaPart): number {
  const bytes = (part.data?.length ?? 0) * 0.75;
  if (part.type === 'image') {
    const size = imageSize(part);
    return size === undefined ? unknownImage : Math.max(openAIImage(size), anthropicImage(size));
  }
  if (part.type === 'audio') return Math.max(100, Math.ceil(bytes / 500));
  return part.mediaType === 'application/pdf' || bytes === 0
    ? 2_000 * Math.max(1, Math.ceil(bytes / 50_000))
    : Math.ceil(bytes / 3);
}

/** Reads the size from the first bytes of a PNG, GIF, WebP (lossy or extended) or JPEG; `undefined` for other data or an image at a URL. */
export function imageSize({ data }: MediaPart): ImageSize | undefined {
  if (data === undefined) return undefined;
  const bytes = decode(data, 65_536);
  const at = (index: number): number => bytes[index] ?? 0;
  const big = (index: number): number => at(index) * 256 + at(index + 1);
  const little = (index: number): number => at(index) + at(index + 1) * 256;
  const is = (text: string, index: number): boolean =>
    [...text].every((char, offset) => at(index + offset) === char.charCodeAt(0));

  if (is('PNG', 1)) return sized(big(18), big(22));
  if (is('GIF', 0)) return sized(little(6), little(8));
  if (is('WEBPVP8 ', 8)) return sized(little(26) & 0x3fff, little(28) & 0x3fff);
  if (is('WEBPVP8X', 8)) return sized(little(24) + 1, little(27) + 1);
  if (big(0) !== 0xffd8) return undefined;
  for (let marker = 2; marker + 9 < bytes.length && at(marker) === 0xff; marker += 2 + big(marker + 2)) {
    const code = at(marker + 1);
    // A frame header (SOF) of any coding; 0xc4, 0xc8 and 0xcc are other segments.
    if (code >= 0xc0 && code <= 0xcf && (code === 0xc0 || code % 4 !== 0))
      return sized(big(marker + 7), big(marker + 5));
  }
  return undefined;
}

function sized(width: number, height: number): ImageSize | undefined {
  return width > 0 && height > 0 ? { width, height } : undefined;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Decodes the first `atMost` bytes of base64. Invalid characters count as zeros. */
function decode(base64: string, atMost: number): Uint8Array {
  const length = Math.min(atMost, Math.floor((base64.length * 3) / 4));
  const bytes = new Uint8Array(length);
  for (let index = 0, at = 0; index < length; at += 4) {
    let group = 0;
    for (let char = at; char < at + 4; char++) group = group * 64 + Math.max(0, alphabet.indexOf(base64.charAt(char)));
    for (const shift of [16, 8, 0]) if (index < length) bytes[index++] = (group >> shift) & 255;
  }
  return bytes;
}
