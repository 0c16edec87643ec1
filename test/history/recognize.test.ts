import { recognizeFile } from 'brooklet/storage';
import { expect, test } from 'vitest';
import { branched } from './samples/chatgpt.ts';

const lines = (...values: readonly object[]): string => values.map((value) => JSON.stringify(value)).join('\n');
const claudeCode = { type: 'user', sessionId: 's', uuid: 'u', message: { role: 'user', content: 'Hi' } };

test.each<[string, string, string | undefined]>([
  ['an export of this package', lines({ format: 'brooklet', version: 1 }), 'brooklet'],
  ['an export of ChatGPT', JSON.stringify([branched]), 'chatgpt'],
  ['a log of Claude Code', lines(claudeCode), 'claude-code'],
  ['a log whose first lines do not say whose it is', lines({}, { note: 1 }, claudeCode), 'claude-code'],
  ['a log of Codex', lines({ type: 'session_meta', payload: {} }), 'codex'],
  [
    'a conversation of Gemini CLI',
    JSON.stringify({ sessionId: 's', projectHash: 'p', messages: [{ id: 'm', type: 'user', content: 'Hi' }] }),
    'gemini-cli',
  ],
  ['a document with messages', JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }] }), 'messages'],
  ['messages as lines', lines({ role: 'user', content: 'Hi' }), 'messages'],
  ['a list of messages', JSON.stringify([{ role: 'user', content: 'Hi' }]), 'messages'],
  ['items with a type alone', lines({ type: 'message' }), 'messages'],
  ['other values', lines({ a: 1 }, { b: 2 }), undefined],
  ['many other values', lines(...Array.from({ length: 80 }, (_, at) => ({ at }))), undefined],
])('%s is recognized', async (_what, text, format) => {
  expect(await recognizeFile(text)).toBe(format);
  expect(await recognizeFile(new Blob([text]))).toBe(format);
});

test('a file that is no JSON is refused', async () => {
  await expect(recognizeFile('Dear diary')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});
