import { Observable } from 'rxjs';
import { AgentError, fail } from '../../../core/error.ts';
import { defined } from '../../../core/json.ts';
import { toBuiltInError } from './error.ts';
import { expectedTypes, toolClasses, toPromptMessages } from './request.ts';
import { toBuiltInChunks } from './response.ts';
import type { LLMChunk, LLMClient, LLMRequest } from '../../../core/model/llm.ts';
import { type Expected, isPromptApi, type LanguageModelOptions, type PromptApi } from './prompt-api.ts';

/**
 * `missing`: the browser has no model. `unavailable`: it has, but not on this device, or not for these languages. `downloadable`: after
 * a download of some gigabytes, which a person has to agree to. `downloading`: that goes on. `available`: now.
 */
export type BuiltInAvailability = 'missing' | 'unavailable' | 'downloadable' | 'downloading' | 'available';

/** Options of `createBuiltInClient`. */
export interface BuiltInOptions {
  /** BCP 47 tags of the languages that are spoken, `['en', 'de']` say. Default: whatever the model knows best. */
  readonly languages?: readonly string[];
  /** Whether a request goes without its tools where the browser offers none. Default no: it errors with `INVALID_REQUEST`. */
  readonly omitTools?: boolean;
  /** Where `LanguageModel` and its kin are looked for. Default: the global scope. */
  readonly scope?: object;
}

/** A client of the browser's own model, which may have to be downloaded first. */
export interface BuiltInClient extends LLMClient {
  /** Whether the model can answer. Never rejects. */
  availability(): Promise<BuiltInAvailability>;
  /**
   * Makes the model ready. Cold; subscribe in a click handler, for browsers download only after one. Emits how much is there, from 0
   * to 1, and completes when the model can answer. Unsubscribing stops the telling; the browser may go on.
   */
  download(): Observable<number>;
}

/**
 * A client for the browser's own model (Prompt API: Chrome and Edge on desktops), which needs no key and sends nothing away. It takes
 * text, images and sounds, tools where the browser offers them, and schemas; `model`, `maxTokens` and `temperature` do not exist there,
 * and `providerParams` are options of `LanguageModel.create` (`samplingMode`, `thinking`). Only in windows, not in workers.
 *
 * It errors with `MODEL_NOT_FOUND` where there is no model or the device cannot run it, `MODEL_NOT_READY` where it has to be downloaded
 * first (see `download`), `PERMISSION_DENIED` where it is switched off, `CONTEXT_OVERFLOW` for what is too long.
 */
export function createBuiltInClient({
  languages,
  omitTools = false,
  scope = globalThis,
}: BuiltInOptions = {}): BuiltInClient {
  const text: Expected = { type: 'text', ...defined({ languages }) };
  const plain: LanguageModelOptions = { expectedInputs: [text], expectedOutputs: [text] };

  async function availability(): Promise<BuiltInAvailability> {
    return isPromptApi(scope) ? ask(scope, plain) : 'missing';
  }

  async function* answer(request: LLMRequest, signal: AbortSignal): AsyncGenerator<LLMChunk, void> {
    const api = isPromptApi(scope)
      ? scope
      : fail(
          'MODEL_NOT_FOUND',
          'This browser has no model of its own. Use Chrome or Edge on a desktop, or a provider.',
        );
    const { messages, tools = [], output, providerParams } = request;
    const found = tools.length > 0 ? toolClasses(api) : undefined;
    const withTools: LanguageModelOptions = {
      expectedInputs: [text, { type: 'tool-call' }, { type: 'tool-response' }],
      expectedOutputs: [text, { type: 'tool-call' }],
      tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    };
    const classes = found && (await ask(api, withTools)) !== 'unavailable' ? found : undefined;
    if (tools.length > 0 && !classes && !omitTools)
      fail(
        'INVALID_REQUEST',
        "The browser's model takes no tools here. Leave them out (omitTools), or use a provider.",
      );

    const prompts = toPromptMessages(messages, classes);
    const base = classes ? withTools : plain;
    const known = new Set(base.expectedInputs?.map(({ type }) => type));
    const more = expectedTypes(prompts).filter((type) => !known.has(type));
    const options = { ...base, expectedInputs: [...(base.expectedInputs ?? []), ...more.map((type) => ({ type }))] };
    const state = await ask(api, options);
    if (state === 'unavailable')
      fail(
        more.length > 0 ? 'INVALID_REQUEST' : 'MODEL_NOT_FOUND',
        `The browser's model cannot run here${more.length > 0 ? ` with ${more.join(' and ')}` : ': the device or the language is not up to it'}. Use a provider.`,
      );
    if (state === 'downloadable')
      fail('MODEL_NOT_READY', "The browser's model is not downloaded yet. Ask for a click, and call download() there.");

    const input = prompts.slice(-1);
    const session = await api.LanguageModel.create({
      ...providerParams,
      ...options,
      initialPrompts: prompts.slice(0, -1),
      signal,
    });
    try {
      const asked = (await session.measureContextUsage?.(input, { signal }).catch(() => undefined)) ?? 0;
      const before = (session.contextUsage ?? 0) + asked;
      let calls = 0;
      const stream = session.promptStreaming(input, { signal, ...defined({ responseConstraint: output?.schema }) });
      const reader = stream.getReader();
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        for (const chunk of toBuiltInChunks(piece.value, calls)) {
          if (chunk.type === 'call-end') calls += 1;
          yield chunk;
        }
      }
      if (session.contextUsage !== undefined)
        yield { type: 'usage', usage: { input: before, output: Math.max(0, session.contextUsage - before) } };
      yield { type: 'finish', reason: calls > 0 ? 'tool-calls' : 'stop' };
    } finally {
      session.destroy();
    }
  }

  return {
    availability,
    download: () =>
      new Observable((subscriber) => {
        const controller = new AbortController();
        const api = isPromptApi(scope) ? scope : undefined;
        if (!api) return subscriber.error(new AgentError('This browser has no model.', { code: 'MODEL_NOT_FOUND' }));
        // At once, while the click that led here still counts.
        api.LanguageModel.create({
          ...plain,
          signal: controller.signal,
          monitor: (monitor) =>
            monitor.addEventListener('downloadprogress', (event) => {
              if ('loaded' in event && typeof event.loaded === 'number') subscriber.next(event.loaded);
            }),
        }).then(
          (session) => {
            session.destroy();
            subscriber.complete();
          },
          (thrown: unknown) => subscriber.error(toBuiltInError(thrown, true)),
        );
        return () => controller.abort();
      }),
    sendRequest: (request) =>
      new Observable((subscriber) => {
        const controller = new AbortController();
        async function run(): Promise<void> {
          for await (const chunk of answer(request, controller.signal)) {
            if (subscriber.closed) return;
            subscriber.next(chunk);
          }
        }
        run().then(
          () => subscriber.complete(),
          (thrown: unknown) => subscriber.error(toBuiltInError(thrown)),
        );
        return () => controller.abort();
      }),
  };
}

/** What a browser does not know, it cannot do. */
async function ask({ LanguageModel }: PromptApi, options: LanguageModelOptions): Promise<BuiltInAvailability> {
  try {
    const state = await LanguageModel.availability(options);
    return states.find((known) => known === state) ?? 'unavailable';
  } catch {
    return 'unavailable';
  }
}

const states = ['downloadable', 'downloading', 'available'] as const;
