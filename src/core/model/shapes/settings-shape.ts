import type { OutputSpec, RunSettings } from '../settings.ts';
import { isJsonObject } from '../../json.ts';
import { type Fields, word } from './fields.ts';
import { amount, flag, jsonObject, listOf, maybe, object, oneOf, type Shape } from './shape.ts';

const outputSpec = object({ name: word, schema: jsonObject, strict: flag } satisfies Fields<OutputSpec>);

export const toolChoice: Shape = (value, field) =>
  (isJsonObject(value) ? object({ name: word }) : oneOf('auto', 'none', 'required'))(value, field);

export const settings = object({
  model: maybe(word),
  temperature: maybe(amount),
  maxTokens: maybe(amount),
  output: maybe(outputSpec),
  toolChoice: maybe(toolChoice),
  providerParams: maybe(jsonObject),
  contextWindow: maybe(amount),
  autoCompress: maybe(flag),
  maxSteps: maybe(amount),
  budget: maybe(object({ tokens: maybe(amount), time: maybe(amount) })),
  needs: maybe(listOf(oneOf('client', 'scratch'))),
} satisfies Fields<RunSettings>);
