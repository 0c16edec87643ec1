import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createCertificate } from '../../scripts/packed/walk/certificate.mjs';
import { readSteps, startBy } from '../../scripts/packed/walk/readme-steps.mjs';

// The walk of a newcomer by the README alone: `npm run test:packed -- walk` plays it.

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** What a step is about. */
const linesOf = (text: string): readonly string[] =>
  readSteps(text).map((step) => (step.do === 'run' ? step.command : step.do === 'write' ? step.path : step.text));

describe('the README', () => {
  it('leads from an empty folder to a call that waits for approval', () => {
    expect(linesOf(readme)).toEqual([
      'cd ..',
      'npm create vite@latest my-chat -- --template react-ts --no-interactive',
      'cd my-chat',
      'npm install ../brooklet/brooklet-0.1.0.tgz',
      'src/agent.ts',
      'src/App.tsx',
      'src/index.css',
      'npm run dev',
      'What is a brooklet?',
      'npm install zod',
      'src/pay.ts',
      'src/agent.ts',
      'Pay 20 for invoice A-17.',
    ]);
  });

  it('starts a project of create-brooklet by commands alone', () => {
    expect(startBy('create-brooklet', readme)).toEqual(
      ['node create-brooklet/index.js ../my-chat', 'cd ../my-chat', 'npm install', 'npm run dev'].map((command) => ({
        do: 'run',
        command,
      })),
    );
  });

  it.each([
    ['no file', '`src/pay.ts`', 'The tool', /names no file/u],
    ['no folder', '`src/pay.ts`', '`pay.ts`', /names no file, with its folder/u],
    ['no chapter', '## Ask for approval', '## Approval', /no chapter "Ask for approval"/u],
    ['no start', 'npm create vite', 'npm create-vite', /starts nothing by npm create vite/u],
  ])('leaves a step to the reader where it names %s', (_, part, other, message) => {
    expect(() => readSteps(readme.replace(part, other))).toThrow(message);
  });
});

it('creates a certificate that its own key has signed, for some hours', () => {
  const { cert } = createCertificate('api.openai.com');
  const read = new X509Certificate(cert);
  expect(read.subject).toBe('CN=api.openai.com');
  expect(read.verify(read.publicKey)).toBe(true);
  expect(Date.parse(read.validFrom)).toBeLessThan(Date.now());
  expect(Date.parse(read.validTo)).toBeGreaterThan(Date.now());
});
