/** A service with an OpenAI-compatible API, and what a user needs to know to use it from a page. */
export interface Provider {
  readonly id: string;
  readonly name: string;
  readonly baseURL: string;
  /** The suggested model. */
  readonly model: string;
  readonly needsKey: boolean;
  readonly hint?: string;
}

/** Any other address. */
export const custom: Provider = { id: 'custom', name: 'Custom', baseURL: '', model: '', needsKey: false };

export const providers: readonly Provider[] = [
  { id: 'openai', name: 'OpenAI', baseURL: 'https://api.openai.com/v1', model: 'gpt-5-mini', needsKey: true },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    baseURL: 'https://openrouter.ai/api/v1',
    model: 'openai/gpt-5-mini',
    needsKey: true,
  },
  { id: 'groq', name: 'Groq', baseURL: 'https://api.groq.com/openai/v1', model: 'openai/gpt-oss-120b', needsKey: true },
  {
    id: 'mistral',
    name: 'Mistral',
    baseURL: 'https://api.mistral.ai/v1',
    model: 'mistral-medium-latest',
    needsKey: true,
  },
  { id: 'deepseek', name: 'DeepSeek', baseURL: 'https://api.deepseek.com/v1', model: 'deepseek-chat', needsKey: true },
  {
    id: 'gemini',
    name: 'Google Gemini',
    baseURL: 'https://generativelanguage.googleapis.com/v1beta/openai',
    model: 'gemini-2.5-flash',
    needsKey: true,
  },
  {
    id: 'ollama',
    name: 'Ollama (on this computer)',
    baseURL: 'http://localhost:11434/v1',
    model: 'qwen3',
    needsKey: false,
    hint: 'Start Ollama with OLLAMA_ORIGINS set to the address of this page.',
  },
  {
    id: 'lm-studio',
    name: 'LM Studio (on this computer)',
    baseURL: 'http://localhost:1234/v1',
    model: 'local-model',
    needsKey: false,
    hint: 'Start the server of LM Studio with “Enable CORS”.',
  },
  custom,
];

/** Returns the provider with this address, else `custom`. */
export function providerOf(baseURL: string): Provider {
  return providers.find((provider) => provider !== custom && provider.baseURL === baseURL) ?? custom;
}
