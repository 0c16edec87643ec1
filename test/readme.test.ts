import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

test('the README shows the chat of test/readme/chat.tsx, in at most twenty lines', () => {
  const chat = read('./readme/chat.tsx');
  expect(read('../README.md')).toContain(`\`\`\`tsx\n${chat}\`\`\``);
  expect(chat.trimEnd().split('\n').length).toBeLessThanOrEqual(20);
});

test('the README shows the commands of package.json', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('../package.json'));
  expect(read('../README.md')).toContain('npm ci && npm start');
  expect(read('../README.md')).toContain('npm ci && npm test');
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['start', 'test', 'check']));
});
