import { costOf } from 'brooklet/providers';
import type { CostOf } from '../costs.ts';
import { findKnownModel } from './providers.ts';

/** Prices an answer by the list price of its model, whichever provider has the model. */
export const costOfKnown: CostOf = (usage, model) => {
  const price = model === undefined ? undefined : findKnownModel(model)?.price;
  return price && costOf(usage, price);
};
