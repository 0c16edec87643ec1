import type { Usage } from 'brooklet';
import { costOf } from 'brooklet/providers';
import { findKnownModel } from './providers.ts';

/** Prices an answer by the list price of its model, whichever provider has the model. */
export const costOfKnown = (usage: Usage, model: string | undefined): number | undefined => {
  const price = model === undefined ? undefined : findKnownModel(model)?.price;
  return price && costOf(usage, price);
};
