import { fail } from '../../../core/error.ts';
import { defined, isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { LLMRequest } from '../../../core/model/llm.ts';
import { toList, toObject } from '../../../core/model/read-json.ts';
import type { OutputSpec, ToolChoice } from '../../../core/model/settings.ts';
import { isClosed } from '../../output/plain-schema.ts';
import { toToolName } from '../../transport/wire-name.ts';
import { withSchemaInWords } from '../chat-completions/structured-output.ts';
import { mergeMetadata, readMark } from './opaque.ts';
import { type PromptTarget, toPrompt } from './prompt.ts';

/** The options of one call of a model, without the signal. */
export type CallOptions = { readonly [option: string]: unknown };

/** The options of a call that `providerParams` may set. */
const ownOptions: ReadonlySet<string> = new Set([
  'maxOutputTokens',
  'temperature',
  'topP',
  'topK',
  'presencePenalty',
  'frequencyPenalty',
  'stopSequences',
  'seed',
  'reasoning',
  'responseFormat',
  'toolChoice',
  'tools',
  'headers',
  'providerOptions',
]);

/**
 * Maps a request to the options of `doStream`. `providerParams` are options of the call, merged last; their `tools` follow those of the
 * request, and their `providerOptions` are merged with those of this client.
 *
 * @throws AgentError `INVALID_REQUEST` for a field of `providerParams` that is not an option of a call: a model would ignore it
 */
export function toCallOptions(request: LLMRequest, target: PromptTarget): CallOptions {
  const { tools = [], output, providerParams = {} } = request;
  const unknown = Object.keys(providerParams).find((name) => !ownOptions.has(name));
  if (unknown !== undefined)
    fail(
      'INVALID_REQUEST',
      `\`providerParams.${unknown}\` is not an option of a model of the AI SDK. Parameters of one provider belong into \`providerParams: { providerOptions: { openai: { … } } }\`, by the name of the provider.`,
    );
  const { tools: ownTools, providerOptions: ownProviderOptions, ...own } = providerParams;
  const inWords = output !== undefined && (target.schemaInWords || isRefused(output, target));
  const messages = output !== undefined && inWords ? withSchemaInWords(request.messages, output) : request.messages;
  const allTools: readonly Json[] = [
    ...tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      description,
      inputSchema: target.toSchema(inputSchema),
      ...(target.looseTools && { strict: false }),
    })),
    // Tools that run at the provider, for example web search.
    ...toList(ownTools),
  ];
  const providerOptions = [
    containerOf(request, target),
    output === undefined || inWords || output.strict || target.strictOption === undefined
      ? {}
      : { [target.strictOption]: { strictJsonSchema: false } },
    toObject(ownProviderOptions),
  ].reduce(mergeMetadata, {});
  return defined({
    prompt: toPrompt(messages, target),
    maxOutputTokens: request.maxTokens,
    temperature: request.temperature,
    // Empty lists are refused.
    tools: allTools.length === 0 ? undefined : allTools,
    toolChoice: tools.length === 0 ? undefined : toToolChoice(request.toolChoice),
    responseFormat:
      output === undefined || inWords ? undefined : { type: 'json', schema: output.schema, name: output.name },
    ...own,
    providerOptions: Object.keys(providerOptions).length === 0 ? undefined : providerOptions,
  });
}

/** Anthropic refuses an object with unknown properties. */
function isRefused({ schema }: OutputSpec, { host }: PromptTarget): boolean {
  return host.startsWith('anthropic') && !isClosed(schema);
}

function toToolChoice(choice: ToolChoice | undefined): JsonObject | undefined {
  if (choice === undefined) return undefined;
  return typeof choice === 'object' ? { type: 'tool', toolName: toToolName(choice.name) } : { type: choice };
}

/** Returns the option that lets Anthropic continue a paused reply in the container in which its tools ran. */
function containerOf({ messages }: LLMRequest, { host }: PromptTarget): JsonObject {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return {};
  const mark = last.content.map((part) => readMark(part, host)).findLast((one) => one?.of === 'finish');
  const { id } = toObject(toObject(mark?.metadata.anthropic).container);
  return id === undefined || !isJsonObject(mark?.metadata.anthropic) ? {} : { anthropic: { container: { id } } };
}
