import { fail } from '../../../core/error.ts';

/**
 * The part of a `LanguageModel` of the AI SDK that the client uses: the interfaces `LanguageModelV2` (AI SDK 5), `LanguageModelV3` (6) and
 * `LanguageModelV4` (7) of `@ai-sdk/provider`.
 */
export interface AISDKModel {
  /** `v2`, `v3` or `v4`. */
  readonly specificationVersion: string;
  /** Names the provider and its protocol: `openai.responses`, `amazon-bedrock`, `web-llm`. */
  readonly provider: string;
  readonly modelId: string;
  /** Addresses that the model reads by itself, as patterns by media type. */
  readonly supportedUrls?: UrlPatterns | PromiseLike<UrlPatterns>;
  doGenerate(options: object): PromiseLike<object>;
  doStream(options: object): PromiseLike<{ readonly stream: ReadableStream<unknown> }>;
}

type UrlPatterns = Readonly<Record<string, readonly RegExp[]>>;

/** What a model that runs in the page has beside its interface: `@browser-ai/web-llm`, `@browser-ai/transformers-js`, `@browser-ai/core`. */
export interface ModelInPage {
  availability(): PromiseLike<unknown>;
  /** Loads the model, unless it is loaded, and calls back with the progress. */
  createSessionWithProgress(onProgress?: (progress: unknown) => void): PromiseLike<unknown>;
}

/** Returns the functions of a model that runs in the page; `undefined` for a model of a service. */
export function toModelInPage(model: object): ModelInPage | undefined {
  return isModelInPage(model) ? model : undefined;
}

function isModelInPage(model: object): model is ModelInPage {
  return hasMethod(model, 'availability') && hasMethod(model, 'createSessionWithProgress');
}

const versions: ReadonlySet<unknown> = new Set(['v2', 'v3', 'v4']);

/** Values that are passed by mistake: how they are recognised, and what to do with them. */
const mistakes: readonly (readonly [is: (value: unknown) => boolean, what: string, cure: string])[] = [
  [
    (value) => typeof value === 'string',
    'It is the name of a model.',
    'Pass the model of a provider package, for example `openai("gpt-5")`.',
  ],
  [(value) => hasMethod(value, 'then'), 'It is a Promise.', 'Await it first.'],
  [(value) => hasMethod(value, 'sendRequest'), 'It is a client of Brooklet already.', 'Pass it to createAgent.'],
  [
    (value) => typeof value === 'function' || hasMethod(value, 'languageModel'),
    'It is a provider of the AI SDK, not a model.',
    'Call it with the name of a model: `openai("gpt-5")`.',
  ],
  [
    (value) => hasMethod(value, 'interruptGenerate'),
    'It is an engine of web-llm.',
    'Pass the model of `@browser-ai/web-llm`, or use createClientFromChunks of brooklet/llm.',
  ],
  [
    (value) => hasMethod(Reflect.get(Object(value), 'messages'), 'create'),
    'It is the SDK of Anthropic.',
    'Use createAnthropicClient of brooklet/anthropic.',
  ],
  [
    (value) => hasMethod(value, 'chat') || Reflect.get(Object(value), 'chat') !== undefined,
    'It is an SDK of a service.',
    'Use createOpenAIClient of brooklet/openai for that of OpenAI.',
  ],
  [
    (value) => hasMethod(value, 'doGenerate') || hasMethod(value, 'doEmbed'),
    'It is a model that writes no text.',
    'Pass a language model.',
  ],
];

/**
 * Checks that a value is a language model of the AI SDK, before anything is sent.
 *
 * @throws AgentError `INVALID_CONFIG` that names what the value is
 */
export function checkModel(model: unknown): asserts model is AISDKModel {
  const owner = 'createAISDKClient was given no language model of the AI SDK.';
  if (!hasMethod(model, 'doStream') || !hasMethod(model, 'doGenerate')) {
    const [, what, cure] = mistakes.find(([is]) => is(model)) ?? ['', '', 'Pass the model of a provider package.'];
    fail('INVALID_CONFIG', [owner, what, cure].filter(Boolean).join(' '));
  }
  const fields: { readonly [Field in keyof AISDKModel]?: unknown } = model;
  const { specificationVersion: version, provider, modelId } = fields;
  if (!versions.has(version))
    fail(
      'INVALID_CONFIG',
      `createAISDKClient knows models of the versions v2, v3 and v4 (AI SDK 5 to 7), and this one is ${JSON.stringify(version) ?? 'of none'}. Use a provider package of one of these.`,
    );
  if (typeof provider !== 'string' || typeof modelId !== 'string')
    fail('INVALID_CONFIG', `${owner} Its \`provider\` or \`modelId\` is not a text.`);
}

function hasMethod(value: unknown, name: string): value is object {
  return value !== null && value !== undefined && typeof Reflect.get(Object(value), name) === 'function';
}
