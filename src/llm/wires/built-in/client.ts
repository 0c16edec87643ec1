import { named } from '../../../core/model/shapes/named.ts';
import { Observable } from 'rxjs';
import { AgentError, fail } from '../../../core/error.ts';
import { defined, isJsonObject } from '../../../core/json.ts';
import { toBuiltInError } from './error.ts';
import { expectedTypes, toolClasses, toPromptMessages } from './request.ts';
import type { LLMChunk, LLMClient, LLMRequest } from '../../../core/model/llm.ts';
import { type Expected, isPromptApi, type LanguageModelOptions, type PromptApi } from './prompt-api.ts';
import { toText } from '../../../core/model/read-json.ts';

/**
 * `missing`: the browser has no model. `unavailable`: the model does not run on this device, or not in these languages. `downloadable`: the
 * model needs a download of some gigabytes, which a person must agree to. `downloading`: the download is running. `available`: now.
 */
export type BuiltInAvailability = 'missing' | 'unavailable' | 'downloadable' | 'downloading' | 'available';

/** Options of `createBuiltInClient`. */
export interface BuiltInOptions {
  /** BCP 47 tags of the conversation's languages, for example `['en', 'de']`. Default: the model's own. */
  readonly languages?: readonly string[];
  /** Whether a request is sent without its tools where the browser supports none. Default no: the request errors with `INVALID_REQUEST`. */
  readonly omitTools?: boolean;
  /** The object with `LanguageModel` and the related classes. Default: the global scope. */
  readonly scope?: object;
}

/** A client of the browser's own model, which may have to be downloaded first. */
export interface BuiltInClient extends LLMClient {
  /** Whether the model can answer. Never rejects. */
  availability(): Promise<BuiltInAvailability>;
  /**
   * Downloads the model. Cold; subscribe in a click handler, since browsers download only after a click. Emits the progress, from 0 to 1,
   * and completes when the model can answer. Unsubscribing ends the notifications; the browser may continue the download.
   */
  download(): Observable<number>;
}

/**
 * Creates a client for the browser's own model (Prompt API: Chrome and Edge on desktops), which needs no key and sends no data away. The
 * model accepts text, images and audio, tools where the browser supports them, and schemas. `model`, `maxTokens` and `temperature` have no
 * effect; `toolChoice: 'none'` leaves the tools out; `providerParams` are options of `LanguageModel.create` (`samplingMode`, `thinking`). Only in windows, not in workers.
 *
 * A request errors with `MODEL_NOT_FOUND` where there is no model or the device cannot run it, `MODEL_NOT_READY` where the model must be
 * downloaded first (see `download`), `PERMISSION_DENIED` where the model is disabled, `CONTEXT_OVERFLOW` for a conversation that is too long.
 */
export function createBuiltInClient(options: BuiltInOptions = {}): BuiltInClient {
  const {
    languages,
    omitTools = false,
    scope = globalThis,
  } = named(options, { languages: true, omitTools: true, scope: true }, 'createBuiltInClient');
  const text: Expected = { type: 'text', ...defined({ languages }) };
  const plain: LanguageModelOptions = { expectedInputs: [text], expectedOutputs: [text] };

  async function availability(): Promise<BuiltInAvailability> {
    return isPromptApi(scope) ? queryAvailability(scope, plain) : 'missing';
  }

  async function* answer(request: LLMRequest, signal: AbortSignal): AsyncGenerator<LLMChunk, void> {
    const api = isPromptApi(scope)
      ? scope
      : fail(
          'MODEL_NOT_FOUND',
          'This browser has no model of its own. Use Chrome or Edge on a desktop, or a provider.',
        );
    const { messages, output, toolChoice = 'auto', providerParams } = request;
    if (toolChoice !== 'auto' && toolChoice !== 'none')
      fail(
        'INVALID_REQUEST',
        "The browser's model cannot be forced to call a tool: leave out `toolChoice`, or use a provider.",
      );
    const tools = toolChoice === 'none' ? [] : (request.tools ?? []);
    const found = tools.length > 0 ? toolClasses(api) : undefined;
    const withTools: LanguageModelOptions = {
      expectedInputs: [text, { type: 'tool-call' }, { type: 'tool-response' }],
      expectedOutputs: [text, { type: 'tool-call' }],
      tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    };
    const classes = found && (await queryAvailability(api, withTools)) !== 'unavailable' ? found : undefined;
    if (tools.length > 0 && !classes && !omitTools)
      fail(
        'INVALID_REQUEST',
        "The browser's model supports no tools here. Leave them out (omitTools), or use a provider.",
      );

    const prompts = toPromptMessages(messages, classes);
    const base = classes ? withTools : plain;
    const known = new Set(base.expectedInputs?.map(({ type }) => type));
    const more = expectedTypes(prompts).filter((type) => !known.has(type));
    const options = { ...base, expectedInputs: [...(base.expectedInputs ?? []), ...more.map((type) => ({ type }))] };
    const state = await queryAvailability(api, options);
    if (state === 'unavailable')
      fail(
        more.length > 0 ? 'INVALID_REQUEST' : 'MODEL_NOT_FOUND',
        `The browser's model cannot run here${more.length > 0 ? ` with ${more.join(' and ')}` : ': the device or the language is not supported'}. Use a provider.`,
      );
    if (state === 'downloadable')
      fail('MODEL_NOT_READY', "The browser's model is not downloaded yet. Call download() in the handler of a click.");

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
        // Synchronous, while the click that led here still counts as a user activation.
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

/** Returns the availability for these options; options that the browser does not know are `unavailable`. */
async function queryAvailability(
  { LanguageModel }: PromptApi,
  options: LanguageModelOptions,
): Promise<BuiltInAvailability> {
  try {
    const state = await LanguageModel.availability(options);
    return states.find((known) => known === state) ?? 'unavailable';
  } catch {
    return 'unavailable';
  }
}

const states = ['downloadable', 'downloading', 'available'] as const;

/**
 * Maps one piece of the Prompt API's stream to chunks: text, or `{type, value}` where there may be calls or reasoning, or a list of these.
 *
 * @param index number of calls before this piece
 */
function* toBuiltInChunks(piece: unknown, index: number): Generator<LLMChunk> {
  if (typeof piece === 'string') {
    if (piece !== '') yield { type: 'text', text: piece };
  } else if (Array.isArray(piece)) {
    let at = index;
    for (const one of piece)
      for (const chunk of toBuiltInChunks(one, at)) {
        if (chunk.type === 'call-end') at += 1;
        yield chunk;
      }
  } else if (isJsonObject(piece)) {
    const { type, value } = piece;
    if (type === 'text') yield* toBuiltInChunks(value, index);
    else if (type === 'thought' && toText(value) !== '') yield { type: 'reasoning', text: toText(value) };
    else if (type === 'tool-call' && isJsonObject(value)) {
      const name = toText(value.name);
      const inputText = JSON.stringify(value.arguments ?? {});
      yield { type: 'call', index, name, text: inputText };
      yield { type: 'call-end', index, name, inputText, id: toText(value.callId) };
    }
  }
}
