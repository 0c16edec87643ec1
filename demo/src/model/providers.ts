import {
  anthropic,
  azure,
  compatible,
  deepseek,
  findModel,
  gemini,
  groq,
  llamacpp,
  lmstudio,
  mistral,
  type Model,
  moonshot,
  ollama,
  openai,
  openaiChat,
  openrouter,
  type Provider,
  qwen,
  together,
  vllm,
  xai,
  zhipu,
} from 'brooklet/providers';

/** A provider of the package, as the settings offer it. */
export interface Choice {
  readonly id: string;
  readonly provider: Provider;
  readonly place: 'cloud' | 'local' | 'other';
  /** The suggested model. */
  readonly model: string;
}

/** Any other address that speaks chat completions. */
export const custom: Choice = { id: 'custom', provider: compatible('', 'Custom'), place: 'other', model: '' };

const cloud = {
  openai,
  anthropic,
  gemini,
  openrouter,
  xai,
  mistral,
  groq,
  deepseek,
  together,
  zhipu,
  moonshot,
  qwen,
  'openai-chat': openaiChat,
  // Behind a proxy of the user, whose address has no resource in it.
  azure: { ...azure('resource'), baseURL: '' },
};
const local = { ollama, lmstudio, llamacpp, vllm };

const toChoices = (place: Choice['place'], providers: Readonly<Record<string, Provider>>): readonly Choice[] =>
  Object.entries(providers).map(([id, provider]) => ({
    id,
    provider,
    place,
    model: Object.keys(provider.models ?? {})[0] ?? '',
  }));

/** Every provider of the package, then any other address. */
export const choices: readonly Choice[] = [...toChoices('cloud', cloud), ...toChoices('local', local), custom];

/** Returns the choice with this id, else `custom`. */
export function choiceOf(id: string): Choice {
  return choices.find((choice) => choice.id === id) ?? custom;
}

/** Providers that a proxy may stand for: those that refuse pages, and those with a wire that no other address speaks. */
const proxied = (id: string): boolean => id === 'anthropic' || choiceOf(id).provider.pages === 'refused';

/** Returns the choice for an address that the user has typed in the place of that of `id`. */
export function choiceAt(baseURL: string, id: string): Choice {
  const known = choices.find(({ provider }) => provider.baseURL === baseURL && baseURL !== '');
  return known ?? (proxied(id) ? choiceOf(id) : custom);
}

/** Returns what is known of a model, whichever provider has it. */
export function findKnownModel(id: string): Model | undefined {
  for (const { provider } of choices) {
    const model = findModel(provider.models, id);
    if (model) return model;
  }
  return undefined;
}
