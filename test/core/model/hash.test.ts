import { describe, expect, test } from 'vitest';
import { contentIdOf, hash } from '../../../src/core/model/hash.ts';

describe('the short hash', () => {
  // Logs, approval rules and recordings contain these values: another function would make them unknown.
  test('of a text is always the same', () => {
    expect(hash('')).toBe('000000000');
    const instructions = {
      id: 'instructions',
      role: 'system',
      content: [{ type: 'text', text: 'Be brief.' }],
      timestamp: 0,
    };
    expect(contentIdOf([instructions])).toBe('seberibvj');
  });

  test('has nine letters and digits, however long the text is', () => {
    for (const length of [1, 2, 10, 1_000]) expect(hash('x'.repeat(length))).toMatch(/^[a-z0-9]{9}$/);
  });
});

test('the content id of a value is computed once for each identity', () => {
  const value = { text: 'a' };
  const id = contentIdOf(value);
  expect(contentIdOf({ text: 'a' })).toBe(id);
  expect(contentIdOf({ text: 'b' })).not.toBe(id);
  value.text = 'b';
  expect(contentIdOf(value)).toBe(id);
});
