import type { JsonObject } from '../../../core/json.ts';
import { withValidNames } from '../anthropic/property-names.ts';
import { toPlain } from '../chat-completions/plain-tool-schema.ts';
import type { AISDKModel } from './model.ts';

/** Where provider packages differ in what they accept, beyond what their interface states. */
export interface Traits {
  /** Whether reasoning without metadata is left out: the package drops it with a warning, or sends it as a part of the answer. */
  readonly signedReasoning: boolean;
  /** Whether a reply that calls tools is refused without reasoning. */
  readonly needsReasoning: boolean;
  /** Whether a user message may follow only an assistant message. */
  readonly alternate: boolean;
  /** Whether call ids must be nine letters and digits. */
  readonly shortCallIds: boolean;
  /** Whether a function has to state that its schema is not strict: the service takes a missing statement for "strict". */
  readonly looseTools: boolean;
  /** Returns the input schema of a tool as the service accepts it. */
  readonly toSchema: (schema: JsonObject) => JsonObject;
  /** The key of the provider's options that has `strictJsonSchema`; missing where the provider has no such option. */
  readonly strictOption?: string;
  /** Whether a schema has to be stated in words, since the package would drop it. */
  readonly schemaInWords: boolean;
}

/** Returns what is known of a model's provider. */
export function traitsOf(model: AISDKModel): Traits {
  const [name = ''] = model.provider.split('.');
  /** Models of `@ai-sdk/openai-compatible` and of the packages on it have this field. */
  const structured: unknown = Reflect.get(model, 'supportsStructuredOutputs');
  const isMistral = name === 'mistral';
  const isOpenAI = /^(openai|azure)/.test(name);
  const isAnthropic = /anthropic|bedrock/.test(model.provider);
  const wantsPlain = /moonshot|kimi|llama|lm-?studio/.test(name);
  return {
    signedReasoning: isMistral || isOpenAI || isAnthropic,
    needsReasoning: /deepseek|moonshot|kimi/.test(name),
    alternate: isMistral,
    shortCallIds: isMistral,
    looseTools: isOpenAI,
    toSchema: isAnthropic ? withValidNames : wantsPlain ? toPlain : (schema) => schema,
    ...((isOpenAI || name === 'groq' || structured === true) && { strictOption: name }),
    schemaInWords: structured === false,
  };
}
