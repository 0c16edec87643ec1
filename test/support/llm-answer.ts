import { createBodyParser } from '../../src/llm/transport/response-body.ts';
import { createChatReader } from '../../src/llm/wires/chat-completions/response.ts';
import { classifyError } from '../../src/llm/transport/classify-error.ts';
import type { Json } from '../../src/core/json.ts';
import type { LLMChunk } from '../../src/core/model/llm.ts';
import type { Reader, ReaderOptions } from '../../src/llm/transport/reader.ts';
import type { SseLimits } from '../../src/llm/transport/sse.ts';
import type { AgentError } from '../../src/core/error.ts';
import type { FinishReason, Usage } from '../../src/core/model/message.ts';

/** An answer with its pieces joined: the same for every way of cutting the stream. */
export interface Heard {
  text: string;
  reasoning: string;
  calls: { name: string; inputText: string; id?: string; provider?: unknown }[];
  parts: unknown[];
  providers: unknown[];
  usage?: Usage;
  finish?: FinishReason;
  raw?: string;
  model?: string;
  error?: AgentError;
}

export const limits: SseLimits = { event: 4 * 1024 * 1024, stream: 64 * 1024 * 1024 };

/** Joins chunks, and checks that they keep the contract of `LLMChunk`. */
export function createListener(): { heard: Heard; emit: (chunk: LLMChunk) => void } {
  const heard: Heard = { text: '', reasoning: '', calls: [], parts: [], providers: [] };
  const inputs: string[] = [];
  function emit(chunk: LLMChunk): void {
    if (heard.finish !== undefined) throw new Error(`${chunk.type} after finish`);
    switch (chunk.type) {
      case 'text':
        if (chunk.text === '') throw new Error('empty text');
        heard.text += chunk.text;
        break;
      case 'reasoning':
        heard.reasoning += chunk.text;
        if (chunk.provider !== undefined) heard.providers.push(chunk.provider);
        break;
      case 'call':
        if (inputs[chunk.index] === undefined) {
          if (chunk.index !== inputs.length || !chunk.name)
            throw new Error('a call begins without its name, or out of order');
          inputs.push('');
        }
        inputs[chunk.index] += chunk.text;
        break;
      case 'call-end': {
        if (inputs[chunk.index] !== chunk.inputText) throw new Error('pieces of a call do not add up');
        const { name, inputText, id, provider } = chunk;
        heard.calls.push({
          name,
          inputText,
          ...(id !== undefined && { id }),
          ...(provider !== undefined && { provider }),
        });
        break;
      }
      case 'part':
        heard.parts.push(chunk.part);
        break;
      case 'usage':
        heard.usage = chunk.usage;
        break;
      case 'finish':
        heard.finish = chunk.reason;
        if (chunk.raw !== undefined) heard.raw = chunk.raw;
        if (chunk.model !== undefined) heard.model = chunk.model;
    }
  }
  return { heard, emit };
}

type CreateReader = (options: ReaderOptions) => Reader;

/** Passes the pieces of an answer's bytes, then its end, to a reader, and returns the answer. */
export function hear(
  pieces: Iterable<Uint8Array>,
  createReader: CreateReader = createChatReader,
  options: { contentType?: string; limits?: SseLimits } = {},
): Heard {
  const { heard, emit } = createListener();
  const toError = (body: Json): Error =>
    classifyError({ host: 'api.test', body, secrets: ['sk-canary-0123456789'] }, 0);
  const reader = createReader({ host: 'api.test', emit, toError });
  const answer = createBodyParser(reader, { host: 'api.test', limits, ...options });
  try {
    for (const piece of pieces) answer.push(piece);
    answer.end();
  } catch (error) {
    heard.error = error as AgentError;
  }
  return heard;
}

const encoder = new TextEncoder();
export const bytes = (text: string): Uint8Array => encoder.encode(text);

/** Returns an answer as the lines of its events: `data: …` each, then the end mark. */
export function frame(events: readonly (object | string)[], { done = true, eol = '\n' } = {}): string {
  const lines = events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}${eol}${eol}`);
  return lines.join('') + (done ? `data: [DONE]${eol}${eol}` : '');
}

/** Returns the answer of a chat completion's events, in one piece. */
export function hearChat(events: readonly (object | string)[], options: { done?: boolean } = {}): Heard {
  return hear([bytes(frame(events, options))]);
}

/** Returns a chunk with one delta. */
export const delta = (fields: object, finish: string | null = null): object => ({
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
});
export const call = (fields: object): object => delta({ tool_calls: [fields] });
