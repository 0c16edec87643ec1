import { type AgentError, type LLMClient, toAgentError, type Usage } from 'brooklet';
import { type Timeouts, withRetry } from 'brooklet/llm';
import { anthropic, createProviderClient, listModels, ollama, openai, openaiChat } from 'brooklet/providers';
import type { Subscription } from 'rxjs';
import { canary } from '../canary.ts';

export type WireName = 'chat completions' | 'Responses' | 'Messages' | 'Ollama';

export interface Question {
  readonly wire: WireName;
  readonly baseURL: string;
  readonly text: string;
  readonly timeouts?: Partial<Timeouts>;
  /** Retries after the first attempt, without a delay. */
  readonly retries?: number;
  readonly tools?: boolean;
}

/** The result of a request. */
export interface Outcome {
  readonly text: string;
  readonly calls: readonly string[];
  readonly usage?: Usage;
  readonly finish?: string;
  readonly error?: Pick<AgentError, 'code' | 'message' | 'retryable' | 'status' | 'retryAfter'>;
  /** The number of retries. */
  readonly retried: number;
}

declare global {
  var ask: (question: Question) => Promise<Outcome>;
  /** Aborts the current request. Returns the time, in ms since the epoch. */
  var halt: () => number;
  /** The ids of a service's models, or the code of the error. */
  var list: (baseURL: string) => Promise<readonly string[]>;
}

const providers = { 'chat completions': openaiChat, Responses: openai, Messages: anthropic, Ollama: ollama };
const shown = document.querySelector('output');
const tools = [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object' } }];
let asking: Subscription | undefined;

globalThis.ask = ({ wire, baseURL, text, timeouts = {}, retries = 0, ...question }) => {
  let retried = 0;
  if (shown) shown.textContent = '';
  const plain = createProviderClient(providers[wire], { baseURL, apiKey: canary, model: 'm', timeouts });
  const client: LLMClient = withRetry(plain, {
    retries,
    onRetry: () => (retried += 1),
    delay: (callback) => {
      const timer = setTimeout(callback);
      return () => clearTimeout(timer);
    },
  });
  return new Promise((resolve) => {
    let outcome: Omit<Outcome, 'retried'> = { text: '', calls: [] };
    asking = client
      .sendRequest({
        sessionId: 's',
        messages: [{ id: 'm', role: 'user', content: [{ type: 'text', text }], timestamp: 0 }],
        ...(question.tools && { tools }),
      })
      .subscribe({
        next(chunk) {
          if (chunk.type === 'text') outcome = { ...outcome, text: outcome.text + chunk.text };
          if (chunk.type === 'call-end')
            outcome = { ...outcome, calls: [...outcome.calls, `${chunk.name} ${chunk.inputText}`] };
          if (chunk.type === 'usage') outcome = { ...outcome, usage: chunk.usage };
          if (chunk.type === 'finish') outcome = { ...outcome, finish: chunk.reason };
          if (shown) shown.textContent = outcome.text;
        },
        error(thrown: unknown) {
          const { code, message, retryable, status, retryAfter } = toAgentError(thrown);
          const error = { code, message, retryable, ...(status && { status }), ...(retryAfter && { retryAfter }) };
          resolve({ ...outcome, retried, error });
        },
        complete: () => resolve({ ...outcome, retried }),
      });
  });
};

globalThis.halt = () => {
  const at = Date.now();
  asking?.unsubscribe();
  return at;
};

globalThis.list = (baseURL) =>
  listModels(openaiChat, { baseURL, apiKey: canary }).then(
    (models) => models.map(({ id }) => id),
    (thrown: unknown) => [toAgentError(thrown).code],
  );
