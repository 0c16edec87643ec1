import { readFileSync } from 'node:fs';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../../src/core/json.ts';
import type { LLMChunk, LLMClient, LLMRequest } from '../../../../src/core/model/llm.ts';
import { createAISDKClient } from '../../../../src/llm/wires/ai-sdk/client.ts';
import type { AISDKModel } from '../../../../src/llm/wires/ai-sdk/model.ts';
import { createAnthropicClient } from '../../../../src/llm/wires/anthropic/client.ts';
import { createChatCompletionsClient } from '../../../../src/llm/wires/chat-completions/client.ts';
import { createResponsesClient } from '../../../../src/llm/wires/responses/client.ts';
import { createListener, type Heard } from '../../../support/llm-answer.ts';

// The recorded streams of the corpus, once through the client of this package and once through the provider package of the AI SDK: both
// answers are the same. What cannot be equal is listed below, field by field, with the reason: a listed field must differ.
//
// Never compared: opaque data (each client keeps it in its own form) and `provider` parts (the AI SDK pairs calls and results of a
// provider's tools, the wires have items), which has tests of its own.

const corpus = new URL('../../../corpus/', import.meta.url);
const baseURL = 'https://api.test/v1';
type Fetch = typeof globalThis.fetch;

interface Pair {
  readonly own: (fetch: Fetch) => LLMClient;
  readonly model: (fetch: Fetch) => AISDKModel;
  readonly frame: (line: string) => string;
  readonly closing: string;
}

const wires: Record<string, Pair> = {
  'chat-completions': {
    own: (fetch) => createChatCompletionsClient({ baseURL, fetch }),
    model: (fetch) => createOpenAICompatible({ name: 'test', baseURL, fetch }).chatModel('m'),
    frame: (line) => `data: ${line}\n\n`,
    closing: 'data: [DONE]\n\n',
  },
  responses: {
    own: (fetch) => createResponsesClient({ baseURL, fetch }),
    model: (fetch) => createOpenAI({ baseURL, apiKey: 'k', fetch }).responses('gpt-5'),
    frame: (line) => `data: ${line}\n\n`,
    closing: '',
  },
  messages: {
    own: (fetch) => createAnthropicClient({ fetch }),
    model: (fetch) => createAnthropic({ apiKey: 'k', fetch })('claude-sonnet-4-5'),
    frame: (line) => `event: ${(JSON.parse(line) as { type: string }).type}\ndata: ${line}\n\n`,
    closing: '',
  },
};

type Field =
  | 'text'
  | 'reasoning'
  | 'calls'
  | 'finish'
  | 'raw'
  | 'model'
  | 'usage'
  | 'error'
  | 'sources'
  | 'media'
  | 'order';

/** What differs, by the name of a stream. */
const differences: readonly (readonly [stream: RegExp, fields: readonly Field[], why: string])[] = [
  [
    /^responses\/(?!.*(openai-error|parallel-tool-call-wrapper)\.1)/,
    ['raw'],
    'The package reports the reason of an incomplete answer only, not the status "completed".',
  ],
  [
    /(alibaba-text|deepseek-text|groq-reasoning|groq-text|mistral-reasoning|mistral-text|mistral-tool-call|perplexity-text)\.jsonl/,
    ['usage'],
    'The package counts 0 cached and reasoning tokens where the service states no count.',
  ],
  [
    /^responses\/.*programmatic-tool-calling\.[13]\.jsonl$/,
    ['usage'],
    'The package states no cached tokens where the service counts 0.',
  ],
  [/anthropic-compaction/, ['usage'], 'The package adds the tokens of the compaction, the wire has them apart.'],
  [
    /anthropic-tool-search-(bm25|regex)|messages\/.*programmatic-tool-calling/,
    ['order', 'raw', 'text'],
    'The recording has several messages. The package ends its answer with the first; this client joins them.',
  ],
  [
    /anthropic-tool-search-(bm25|regex)|messages\/.*programmatic-tool-calling/,
    ['usage'],
    'The same: the usage is that of the first message.',
  ],
  [/tool-search-deferred/, ['calls', 'order', 'raw', 'text', 'usage'], 'The same, and the second message has a call.'],
  [
    /lmstudio-tool-call/,
    ['order', 'reasoning'],
    'The package of OpenAI reads summaries of reasoning only, not `response.reasoning_text.delta`.',
  ],
  [
    /azure-model-router/,
    ['model'],
    'The package takes the name of the model from the first event, where Azure states none.',
  ],
  [
    /apply-patch|client-tool-search\.1|custom-tool|local-shell-tool|shell-container\.1|shell-skills|shell-tool/,
    ['calls', 'finish', 'order'],
    'A tool that OpenAI defines and the page runs: a call of the AI SDK, a `provider` part of the wire.',
  ],
  [/perplexity/, ['sources'], 'The package for compatible services reads no sources.'],
  [/xai-image-generation/, ['media', 'order'], 'The package of OpenAI expects the name of its own tool.'],
  [
    /xai-(web|x)-search-tool/,
    ['error', 'finish', 'model', 'order', 'sources', 'usage'],
    'The package of OpenAI refuses events that only xAI sends. An answer that lacks a piece is no answer.',
  ],
];

const all = Object.entries(
  JSON.parse(readFileSync(new URL('expected.json', corpus), 'utf8')) as Record<string, { wire: string }>,
);

/** The body of a recorded stream. */
function bodyOf(name: string, { frame, closing }: Pair): string {
  const lines = readFileSync(new URL(name, corpus), 'utf8').trimEnd().split('\n');
  return lines.map(frame).join('') + closing;
}

const request: LLMRequest = {
  sessionId: 's',
  messages: [{ id: 'a', role: 'user', content: [{ type: 'text', text: 'Hi' }], timestamp: 0 }],
};

interface Answer extends Heard {
  /** The kinds of chunks, in order. */
  order: string[];
}

function ask(client: LLMClient): Promise<Answer> {
  const { heard, emit } = createListener();
  const order: string[] = [];
  return new Promise((resolve) => {
    client.sendRequest(request).subscribe({
      next(chunk) {
        emit(chunk);
        const kind = kindOf(chunk);
        if (kind !== undefined && kind !== order.at(-1)) order.push(kind);
      },
      error: (error) => resolve({ ...heard, order, error }),
      complete: () => resolve({ ...heard, order }),
    });
  });
}

/** The kind of a chunk; `undefined` for what is not compared. */
function kindOf(chunk: LLMChunk): string | undefined {
  if (chunk.type === 'reasoning') return chunk.text === '' ? undefined : chunk.type;
  if (chunk.type === 'call' || chunk.type === 'call-end') return `${chunk.type} ${chunk.index}`;
  if (chunk.type !== 'part') return chunk.type;
  // The wires state sources at different places.
  return chunk.part.type === 'provider' || chunk.part.type === 'source' ? undefined : chunk.part.type;
}

const byText = (a: string, b: string): number => a.localeCompare(b);

/** What is compared of an answer. */
function toFields({
  text,
  reasoning,
  calls,
  parts,
  finish,
  raw,
  model,
  usage,
  error,
  order,
}: Answer): Record<Field, unknown> {
  const shown = parts as { type: string; url?: string; mediaType?: string; data?: string }[];
  return {
    text,
    reasoning,
    calls: calls.map(({ id, name, inputText }) => [
      id,
      name,
      inputText === '' ? '' : (parseJson(inputText) ?? inputText),
    ]),
    finish,
    raw,
    model,
    usage,
    error: error && { code: error.code, retryable: error.retryable },
    sources: [...new Set(shown.flatMap(({ type, url = '' }) => (type === 'source' ? [url] : [])))].toSorted(byText),
    media: shown
      .filter(({ type }) => type !== 'source' && type !== 'provider')
      .map(({ mediaType, data }) => [mediaType, data?.length]),
    order,
  };
}

describe('the same answer through the provider package', () => {
  test.each(all)('%s', async (name, { wire }) => {
    const pair = wires[wire] ?? expect.unreachable();
    const body = bodyOf(name, pair);
    const fetch: Fetch = () =>
      Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
    const own = toFields(await ask(pair.own(fetch)));
    const theirs = toFields(await ask(createAISDKClient(pair.model(fetch), { maxRetries: 0 })));
    const fields = new Set(differences.flatMap(([stream, some]) => (stream.test(name) ? some : [])));
    const different = Object.keys(own).filter(
      (field) => JSON.stringify(own[field as Field]) !== JSON.stringify(theirs[field as Field]),
    );
    expect(different.toSorted()).toEqual([...fields].toSorted());
  });
});
