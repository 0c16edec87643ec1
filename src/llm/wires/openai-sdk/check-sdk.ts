import { fail } from '../../../core/error.ts';

export const notOpenAI =
  'createOpenAIClient was given an object that is not a `new OpenAI({ … })` of the `openai` package.';
export const instead = 'Use createClientFromChunks of brooklet/llm for a model of another kind.';

/** Objects that are passed by mistake: how they are recognised, and what to do with them. */
const mistakes: readonly (readonly [methods: readonly string[], what: string, cure: string])[] = [
  [['then'], 'It is a Promise.', 'Await it first.'],
  [
    ['interruptGenerate', 'reload'],
    'It is an engine of web-llm, which answers in the page and sends no request.',
    'Use createClientFromChunks of brooklet/llm, or createAISDKClient with @browser-ai/web-llm.',
  ],
  [['doStream'], 'It is a model of the AI SDK.', 'Use createAISDKClient of brooklet/ai-sdk.'],
  [['messages.create'], 'It is the SDK of Anthropic.', 'Use createAnthropicClient of brooklet/anthropic.'],
  [['models.generateContentStream'], 'It is the SDK of Google.', 'Use createProviderClient with `gemini`.'],
  [['sendRequest'], 'It is a client of Brooklet already.', 'Pass it to createAgent.'],
];

/**
 * Checks that an object is an instance of the `openai` package, before anything is sent: other packages have a method of the same name that
 * does something else.
 *
 * @throws AgentError `INVALID_CONFIG` that names what the object is
 */
export function checkSdk(sdk: unknown): void {
  const found = mistakes.find(([methods]) => methods.every((path) => hasMethod(sdk, path)));
  if (found) fail('INVALID_CONFIG', `${notOpenAI} ${found[1]} ${found[2]}`);
  if (!hasMethod(sdk, 'chat.completions.create'))
    fail('INVALID_CONFIG', 'createOpenAIClient has no SDK: pass `new OpenAI({ … })` of the `openai` package.');
}

function hasMethod(value: unknown, path: string): boolean {
  let found = value;
  for (const key of path.split('.'))
    found = found === null || found === undefined ? undefined : Reflect.get(Object(found), key);
  return typeof found === 'function';
}
