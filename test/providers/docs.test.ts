import { readFileSync } from 'node:fs';
import type { LLMRequest } from 'brooklet';
import * as providers from 'brooklet/providers';
import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { all } from './all.ts';
import { acme } from './guide/acme.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const docs = read('../../docs/providers.md');

describe('docs/providers.md', () => {
  it('names every export of brooklet/providers', () => {
    expect(Object.keys(providers).filter((name) => !docs.includes(`\`${name}`))).toEqual([]);
  });

  it.each(all)('has a row for %s, with its address and whether it accepts pages', (name, { baseURL, pages }) => {
    const row = docs.split('\n').find((line) => new RegExp(`^\\| \`${name}\\b`).test(line));
    expect(row).toContain(name === 'azure' ? '.openai.azure.com/openai/v1' : name === 'compatible' ? 'any' : baseURL);
    expect(row).toContain({ allowed: 'yes', 'when-told': 'when told', refused: 'no' }[pages]);
  });

  it('explains every option of compat', () => {
    const habits = [...read('../../src/llm/wires/chat-completions/compat.ts').matchAll(/^ {2}readonly (\w+)\?:/gm)].map(
      ([, name]) => name,
    );
    expect(habits).toContain('shortCallIds');
    expect(habits.filter((name) => !docs.includes(`| \`${name}\` |`))).toEqual([]);
  });

  it('contains the provider of the guide, which is type-checked and run here, in at most fifteen lines', () => {
    const guide = read('./guide/acme.ts');
    expect(docs).toContain(`\`\`\`ts\n${guide}\`\`\``);
    expect(guide.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
  });
});

describe('the provider of the guide', () => {
  const chat =
    'data: {"choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1000000,"completion_tokens":500000}}\n\n';
  const request: LLMRequest = {
    sessionId: 's',
    maxTokens: 7,
    messages: [
      { id: 'a', role: 'user', content: [{ type: 'text', text: 'hi' }], timestamp: 0 },
      {
        id: 'b',
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm' },
          { type: 'tool', callId: 'c', name: 'f', status: 'succeeded', inputText: '{}', input: {}, output: 1 },
        ],
        timestamp: 0,
      },
    ],
  };

  it('applies its options, answers, and costs its prices', async () => {
    let asked = '';
    const client = providers.createProviderClient(acme, {
      apiKey: 'k',
      model: 'acme-1',
      fetch: (url, init) => {
        if (typeof url === 'string' && typeof init?.body === 'string') asked = `${url} ${init.body}`;
        return Promise.resolve(new Response(chat));
      },
    });
    const chunks = await lastValueFrom(client.sendRequest(request).pipe(toArray()));
    expect(asked).toContain('https://llm.acme.example/v2/chat/completions {"model":"acme-1"');
    expect(asked).toContain('"max_completion_tokens":7');
    expect(asked).toContain('"content":"","reasoning_content":"hm"');
    expect(asked).not.toContain('stream_options');

    const usage = chunks.find((chunk) => chunk.type === 'usage')?.usage;
    const price = providers.findModel(acme.models, 'acme-1')?.price;
    expect(usage && price && providers.costOf(usage, price)).toBe(1.5);
  });

  it('names the remedy where there is no answer', async () => {
    const client = providers.createProviderClient(acme, {
      fetch: () => Promise.reject(new TypeError('Failed')),
      maxRetries: 0,
    });
    await expect(lastValueFrom(client.sendRequest(request))).rejects.toThrow(
      'No answer from llm.acme.example. Add null to the allowed origins in your Acme project.',
    );
  });
});
