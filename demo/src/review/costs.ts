import { anthropic, costOf as costAt, findModel, gemini, moonshot, openai } from 'brooklet/providers';
import type { CostOf } from 'brooklet/review';

const tables = [openai, anthropic, gemini, moonshot].map(({ models }) => models);

/** Returns what tokens cost in US dollars, where the list price of the model is known. */
export const costOf: CostOf = (usage, model = '') => {
  const price = tables.map((table) => findModel(table, model)?.price).find((one) => one !== undefined);
  return price && costAt(usage, price);
};
