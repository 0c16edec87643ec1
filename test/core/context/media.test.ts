import type { MediaPart } from 'brooklet';
import { anthropicImage, estimateMedia, imageSize, openAIImage } from 'brooklet/context';
import { describe, expect, test } from 'vitest';

/** The first bytes of an image, written by hand. */
const image = (...bytes: readonly (number | string)[]): MediaPart => ({
  type: 'image',
  mediaType: 'image/*',
  data: Buffer.concat(
    bytes.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'latin1') : Buffer.from([piece]))),
  ).toString('base64'),
});

const png = image(0x89, 'PNG\r\n\x1a\n', 0, 0, 0, 13, 'IHDR', 0, 0, 4, 0, 0, 0, 3, 0);

describe('the size of an image', () => {
  test.each<[string, MediaPart, { width: number; height: number }]>([
    ['PNG', png, { width: 1_024, height: 768 }],
    ['GIF', image('GIF89a', 0x40, 0x01, 0xf0, 0x00), { width: 320, height: 240 }],
    [
      'WebP',
      image('RIFF', 0, 0, 0, 0, 'WEBPVP8 ', 0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 0x40, 0x01, 0xf0, 0x00),
      { width: 320, height: 240 },
    ],
    [
      'extended WebP',
      image('RIFF', 0, 0, 0, 0, 'WEBPVP8X', 10, 0, 0, 0, 0, 0, 0, 0, 0x3f, 0x01, 0, 0xef, 0, 0),
      { width: 320, height: 240 },
    ],
    [
      'JPEG',
      image(0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 11, 8, 0, 240, 1, 64, 3),
      { width: 320, height: 240 },
    ],
    [
      'progressive JPEG',
      image(0xff, 0xd8, 0xff, 0xc4, 0, 4, 0, 0, 0xff, 0xc2, 0, 11, 8, 0, 240, 1, 64, 3),
      { width: 320, height: 240 },
    ],
  ])('is read from a %s', (_what, part, size) => {
    expect(imageSize(part)).toEqual(size);
  });

  test.each<[string, MediaPart]>([
    ['at a URL', { type: 'image', mediaType: 'image/png', url: 'https://example.com/a.png' }],
    ['of no known kind', image('hello, I am no image at all')],
    ['that is cut off', image(0x89, 'PNG')],
    ['of no base64', { type: 'image', mediaType: 'image/png', data: '!!!' }],
  ])('is unknown for one %s', (_what, part) => {
    expect(imageSize(part)).toBeUndefined();
  });
});

describe('tokens', () => {
  test('of an image follow the rule of its provider', () => {
    expect(openAIImage({ width: 1_024, height: 1_024 })).toBe(765);
    expect(openAIImage({ width: 2_048, height: 4_096 })).toBe(1_105);
    expect(openAIImage({ width: 300, height: 200 })).toBe(255);
    expect(anthropicImage({ width: 1_000, height: 1_000 })).toBe(1_334);
    expect(anthropicImage({ width: 200, height: 200 })).toBe(54);
    expect(anthropicImage({ width: 9_000, height: 9_000 })).toBe(1_600);
  });

  test('of a part follow the more expensive rule', () => {
    expect(estimateMedia(png)).toBe(1_049);
    expect(estimateMedia({ type: 'image', mediaType: 'image/png', url: 'https://example.com/a.png' })).toBe(1_600);
    expect(estimateMedia({ type: 'audio', mediaType: 'audio/mp3', data: 'A'.repeat(1_000_000) })).toBe(1_500);
    expect(estimateMedia({ type: 'file', mediaType: 'application/pdf', data: 'A'.repeat(200_000) })).toBe(6_000);
    expect(estimateMedia({ type: 'file', mediaType: 'text/plain', data: 'A'.repeat(4_000) })).toBe(1_000);
  });
});
