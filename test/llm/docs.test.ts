import { readFileSync } from 'node:fs';
import * as anthropic from 'brooklet/anthropic';
import * as brooklet from 'brooklet/llm';
import * as openai from 'brooklet/openai';
import { describe, expect, it } from 'vitest';

const docs = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8');

describe('docs/clients.md', () => {
  it('names every client and every wrapper of clients', () => {
    const named = Object.keys({ ...brooklet, ...anthropic, ...openai }).filter((name) =>
      /^(create\w+Client|with[A-Z]\w+|defineOutput|createRequestQueue)$/.test(name),
    );
    expect(named).toContain('withFallback');
    expect(named.filter((name) => !docs.includes(`\`${name}`))).toEqual([]);
  });
});
