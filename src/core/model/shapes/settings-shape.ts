import type { OutputSpec, RunSettings } from '../settings.ts';
import { type Fields, word } from './fields.ts';
import { amount, flag, jsonObject, listOf, maybe, object, oneOf, type Shape } from './shape.ts';

const outputSpec = object({ name: word, schema: jsonObject, strict: flag } satisfies Fields<OutputSpec>);
export const settings: Shape = object({
  model: maybe(word),
  temperature: maybe(amount),
  maxTokens: maybe(amount),
  output: maybe(outputSpec),
  providerParams: maybe(jsonObject),
  contextWindow: maybe(amount),
  autoCompress: maybe(flag),
  maxSteps: maybe(amount),
  budget: maybe(object({ tokens: maybe(amount), time: maybe(amount) })),
  needs: maybe(listOf(oneOf('client', 'scratch'))),
} satisfies Fields<RunSettings>);
