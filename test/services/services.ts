import * as Providers from '../../src/llm/providers/index.ts';
import {
  emptyContent,
  idsOf40,
  inputIsJson,
  kimiIds,
  maxCompletionTokens,
  mistralOrder,
  noJsonSchema,
  noNullContent,
  noPrefill,
  noStreamOptions,
  openAIRules,
  ownDetails,
  reasoningBack,
  resultNames,
  resultsOfCalls,
  shortIds,
  signedCalls,
  strictMessages,
  textResults,
  toolNames,
} from './chat-rules.ts';
import { anthropicRules, responsesRules } from './other-rules.ts';
import { closedSchemaRule, strictSchemaRule } from './schema-rules.ts';
import type { Rule, ServiceSpec } from './service.ts';
import {
  anthropicTools,
  geminiTools,
  grammarTools,
  groqTools,
  lmstudioTools,
  mistralTools,
  moonshotTools,
  ollamaTools,
  openAITools,
} from './tool-rules.ts';

const compatible: readonly Rule[] = [resultsOfCalls, emptyContent, textResults, inputIsJson, toolNames];
const local: readonly Rule[] = [...compatible, noNullContent];
const chat = { wire: 'chat' } as const;
const openAIFields = 'OpenAI API reference, "Create chat completion", assistant message';

/** A strict service for each export of `brooklet/providers`. */
export const services: Readonly<Record<string, ServiceSpec>> = {
  openai: {
    provider: Providers.openai,
    style: { wire: 'responses' },
    rules: [...responsesRules, openAITools, strictSchemaRule],
  },
  openaiChat: {
    provider: Providers.openaiChat,
    style: chat,
    rules: [
      ...openAIRules,
      openAITools,
      strictSchemaRule,
      maxCompletionTokens,
      strictMessages(openAIFields, ['refusal', 'audio']),
    ],
  },
  azure: {
    provider: Providers.azure('r'),
    style: chat,
    rules: [
      ...openAIRules,
      openAITools,
      strictSchemaRule,
      maxCompletionTokens,
      strictMessages(openAIFields, ['refusal', 'audio']),
    ],
  },
  anthropic: {
    provider: Providers.anthropic,
    style: { wire: 'anthropic', ids: 'anthropic' },
    rules: [...anthropicRules, ...anthropicTools, closedSchemaRule],
  },
  deepseek: {
    provider: Providers.deepseek,
    style: { ...chat, reasoning: 'reasoning_content' },
    rules: [
      ...compatible,
      noJsonSchema,
      reasoningBack(
        'https://api-docs.deepseek.com/guides/thinking_mode, "Input and Output Parameters" and "Tool Calls"',
        true,
      ),
    ],
  },
  moonshot: {
    provider: Providers.moonshot,
    style: { ...chat, reasoning: 'reasoning_content', ids: 'kimi' },
    rules: [
      ...compatible,
      kimiIds,
      ...moonshotTools,
      reasoningBack(
        'Kimi: 400 "thinking is enabled but reasoning_content is missing in assistant tool call message" (Kilo-Org/kilocode#5544)',
        false,
      ),
    ],
  },
  gemini: {
    provider: Providers.gemini,
    style: { ...chat, signs: true },
    rules: [...compatible, resultNames, signedCalls, ...geminiTools],
  },
  mistral: {
    provider: Providers.mistral,
    style: { ...chat, ids: 'short' },
    rules: [
      ...compatible,
      mistralTools,
      shortIds,
      mistralOrder,
      noPrefill,
      noStreamOptions,
      strictMessages('Mistral: 422 "Extra inputs are not permitted" (charmbracelet/crush#1590, BerriAI/litellm#30835)'),
    ],
  },
  groq: {
    provider: Providers.groq,
    style: { ...chat, reasoning: 'reasoning' },
    rules: [
      ...compatible,
      groqTools,
      strictMessages('Groq: 400 "property \'reasoning_content\' is unsupported" (SimonSchubert/Kai#265)', [
        'reasoning',
      ]),
    ],
  },
  openrouter: {
    provider: Providers.openrouter,
    style: { ...chat, reasoning: 'details' },
    rules: [...compatible, idsOf40, ownDetails],
  },
  xai: { provider: Providers.xai, style: { ...chat, reasoning: 'reasoning_content' }, rules: compatible },
  zhipu: { provider: Providers.zhipu, style: { ...chat, reasoning: 'reasoning_content' }, rules: compatible },
  qwen: { provider: Providers.qwen, style: { ...chat, reasoning: 'reasoning_content' }, rules: compatible },
  together: { provider: Providers.together, style: chat, rules: compatible },
  ollama: {
    provider: Providers.ollama,
    style: { ...chat, reasoning: 'reasoning' },
    rules: [...compatible, grammarTools, ollamaTools],
  },
  llamacpp: {
    provider: Providers.llamacpp,
    style: { ...chat, reasoning: 'reasoning_content' },
    rules: [...local, grammarTools],
  },
  lmstudio: {
    provider: Providers.lmstudio,
    style: { ...chat, reasoning: 'reasoning' },
    rules: [...local, grammarTools, lmstudioTools],
  },
  vllm: { provider: Providers.vllm, style: { ...chat, reasoning: 'reasoning_content' }, rules: [...local, noPrefill] },
  compatible: { provider: Providers.compatible('https://service.test/v1'), style: chat, rules: compatible },
};
