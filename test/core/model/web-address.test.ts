import { expect, test } from 'vitest';
import { toWebAddress } from '../../../src/core/model/web-address.ts';

test.each([
  ['https://notes.example/a?b#c', 'https://notes.example/a?b#c'],
  ['https://notes.example', 'https://notes.example/'],
  ['http://localhost:5173/', 'http://localhost:5173/'],
  ['http://127.0.0.1/', 'http://127.0.0.1/'],
])('a page may open %s', (text, address) => expect(toWebAddress(text)).toBe(address));

test.each([
  'http://notes.example/',
  'http://localhost.evil.example/',
  'http://127.0.0.1.evil.example/',
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,hi',
  'blob:https://notes.example/1',
  'file:///etc/passwd',
  'vbscript:x',
  'https://notes.example@evil.example/',
  'https://user:secret@notes.example/',
  'https://:secret@notes.example/',
  '/relative',
  '//notes.example/',
  '',
  `https://notes.example/${'a'.repeat(4_000)}`,
])('a page may not open %s', (text) => expect(toWebAddress(text)).toBeUndefined());
