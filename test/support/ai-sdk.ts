import type { LLMChunk, LLMClient, LLMRequest } from '../../src/core/model/llm.ts';
import type { AgentError } from '../../src/core/error.ts';
import type { Message, Part } from '../../src/core/model/message.ts';
import type { AISDKModel } from '../../src/llm/wires/ai-sdk/model.ts';

/** A model of the AI SDK that streams these parts, and keeps the options of its calls. */
export interface FakeModel extends AISDKModel {
  readonly calls: Readonly<Record<string, unknown>>[];
}

export interface FakeModelOptions {
  readonly version?: string;
  readonly provider?: string;
  /** Further fields of the model, or others in the place of its own. */
  readonly [field: string]: unknown;
}

/** Creates a model of a version of the interface. Each call answers with the next list of parts; an error among the lists is thrown. */
export function createFakeModel(
  answers: readonly (readonly object[] | Error)[],
  { version = 'v3', provider = 'test.chat', ...more }: FakeModelOptions = {},
): FakeModel {
  const calls: Record<string, unknown>[] = [];
  const next = (options: object): readonly object[] => {
    calls.push({ ...options });
    const answer = answers[Math.min(calls.length, answers.length) - 1] ?? [];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return {
    specificationVersion: version,
    provider,
    modelId: 'm',
    supportedUrls: {},
    calls,
    doGenerate: (options) => Promise.resolve(next(options)[0] ?? {}),
    async doStream(options) {
      const parts = await Promise.resolve(next(options));
      return {
        stream: new ReadableStream({
          start(controller) {
            for (const part of parts) controller.enqueue(part);
            controller.close();
          },
        }),
      };
    },
    ...more,
  };
}

/** The end of an answer (`LanguageModelV3`). */
export const finish = (unified = 'stop', raw: string | undefined = unified, more: object = {}): object => ({
  type: 'finish',
  finishReason: { unified, raw },
  usage: { inputTokens: { total: 3 }, outputTokens: { total: 2 } },
  ...more,
});

export const textOf = (id: string, text: string, metadata?: object): readonly object[] => [
  { type: 'text-start', id },
  { type: 'text-delta', id, delta: text },
  { type: 'text-end', id, ...(metadata && { providerMetadata: metadata }) },
];

/** Asks a client, and returns all chunks and the error. */
export function collect(
  client: LLMClient,
  request: Partial<LLMRequest> = {},
): Promise<{ chunks: LLMChunk[]; error?: AgentError }> {
  const chunks: LLMChunk[] = [];
  return new Promise((resolve) => {
    client.sendRequest({ sessionId: 's', messages: [user('Hi')], ...request }).subscribe({
      next: (chunk) => chunks.push(chunk),
      error: (error: AgentError) => resolve({ chunks, error }),
      complete: () => resolve({ chunks }),
    });
  });
}

let ids = 0;
export function message(role: Message['role'], ...content: readonly (Part | string)[]): Message {
  ids += 1;
  const parts = content.map((part): Part => (typeof part === 'string' ? { type: 'text', text: part } : part));
  return { id: `m${ids}`, role, content: parts, timestamp: 0, ...(role === 'assistant' && { status: 'complete' }) };
}
export const user = (...content: readonly (Part | string)[]): Message => message('user', ...content);
export const reply = (...content: readonly (Part | string)[]): Message => message('assistant', ...content);
