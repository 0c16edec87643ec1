import { describe, expect, test } from 'vitest';
import { readFile } from '../../demo/src/review/readFile.ts';
import { getReviewPath, parseMoment, reviewHref } from '../../demo/src/base/route.ts';
import { reviewEn } from '../../demo/src/texts/en/review.ts';

describe('the address of a review', () => {
  test.each([
    [{}, '#/review/'],
    [{ sessionId: 'a b@c/d' }, '#/review/a%20b%40c%2Fd'],
    [{ sessionId: 's', seq: 12 }, '#/review/s@12'],
  ])('names the moment %j', (moment, href) => {
    expect(reviewHref(moment)).toBe(href);
    location.hash = href;
    expect(parseMoment(getReviewPath() ?? 'none')).toEqual(moment);
  });

  test('is not that of another page, and survives nonsense', () => {
    for (const hash of ['', '#/', '#/s/review', '#/reviewer', '#/review/a/b']) {
      location.hash = hash;
      expect(getReviewPath()).toBeUndefined();
    }
    location.hash = '#/review';
    expect(getReviewPath()).toBe('');
    expect(parseMoment('%E0%A4%A')).toEqual({});
    expect(parseMoment('s@x')).toEqual({});
  });
});

test('a file without a session is refused with its reason', async () => {
  await expect(readFile(new Blob(['{"a":1}']), reviewEn.open)).rejects.toThrow(
    'There is no session in this file. Line 1: format is not "brooklet": the file is not an export of Brooklet.',
  );
});
