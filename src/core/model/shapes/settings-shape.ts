import type { Budget, OutputSpec, RunSettings } from '../settings.ts';
import { isJsonObject } from '../../json.ts';
import { type Fields, word } from './fields.ts';
import { count, flag, having, jsonObject, listOf, maybe, object, oneOf, range, type Shape } from './shape.ts';

const outputSpec = object({ name: word, schema: jsonObject, strict: flag } satisfies Fields<OutputSpec>);

export const toolChoice: Shape = (value, field) =>
  (isJsonObject(value) ? object({ name: word }) : oneOf('auto', 'none', 'required'))(value, field);

/** Money: a finite number above 0. */
const amountOfMoney: Shape = (value, field) =>
  typeof value === 'number' && value > 0 && value < Infinity ? undefined : { field, reason: 'is not a number above 0' };

export const budgetFields: Fields<Budget> = {
  tokens: maybe(count(1)),
  steps: maybe(count(1)),
  money: maybe(amountOfMoney),
  time: maybe(range(1)),
};

/** The options that an agent and a run have in common. */
export const limits: Fields<Omit<RunSettings, 'output' | 'tools' | 'toolChoice' | 'needs' | 'origin'>> = {
  model: maybe(word),
  temperature: maybe(range(0)),
  maxTokens: maybe(count(1)),
  contextWindow: maybe(count(1)),
  autoCompress: maybe(flag),
  maxSteps: maybe(count(1)),
  budget: maybe(having(budgetFields)),
  providerParams: maybe(jsonObject),
};
export const settings: Shape = object({
  ...limits,
  output: maybe(outputSpec),
  tools: maybe(listOf(word)),
  toolChoice: maybe(toolChoice),
  origin: maybe(word),
  needs: maybe(listOf(oneOf('client', 'scratch'))),
} satisfies Fields<RunSettings>);
