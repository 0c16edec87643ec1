import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

test('the README shows the chat that the tests check and run, in at most twenty lines', () => {
  const chat = read('./readme/chat.tsx');
  expect(read('../README.md')).toContain(`\`\`\`tsx\n${chat}\`\`\``);
  expect(chat.trimEnd().split('\n').length).toBeLessThanOrEqual(20);
});

test('the README’s two commands are what package.json runs', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('../package.json'));
  expect(read('../README.md')).toContain('npm ci && npm start');
  expect(read('../README.md')).toContain('npm ci && npm test');
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['start', 'test', 'check']));
});
