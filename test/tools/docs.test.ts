import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as tools from 'brooklet/tools';
import { expect, it } from 'vitest';
import { frameScript } from '../../src/tools/sandbox-frame.ts';

const docs = readFileSync(new URL('../../docs/tools.md', import.meta.url), 'utf8');

it('docs/tools.md contains the hash by which a strict page allows the sandbox', () => {
  expect(docs).toContain(`sha256-${createHash('sha256').update(frameScript).digest('base64')}`);
});

it('docs/tools.md names every export of brooklet/tools', () => {
  expect(Object.keys(tools).filter((name) => !docs.includes(name))).toEqual([]);
});
