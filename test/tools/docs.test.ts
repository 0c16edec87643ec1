import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as tools from 'brooklet/tools';
import { expect, it } from 'vitest';
import { frameScript } from '../../src/tools/sandbox-frame.ts';

const read = (page: string): string => readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8');

it('docs/ready-tools.md contains the hash by which a strict page allows the sandbox', () => {
  expect(read('ready-tools')).toContain(`sha256-${createHash('sha256').update(frameScript).digest('base64')}`);
});

it('docs/ready-tools.md and docs/approvals.md name every export of brooklet/tools', () => {
  const docs = read('ready-tools') + read('approvals');
  expect(Object.keys(tools).filter((name) => !docs.includes(name))).toEqual([]);
});
