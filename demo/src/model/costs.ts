import type { Usage } from 'brooklet';

/** Returns the cost of an answer in US dollars; `undefined` when the price of the model is unknown. */
export type CostOf = (usage: Usage, model: string | undefined) => number | undefined;

let loaded: CostOf | undefined;

/** The cost of an answer, once the prices are loaded. Without a model the answer came from this device. */
export const costOfAnswer: CostOf = (usage, model) => (model === undefined ? 0 : loaded?.(usage, model));

/** Loads the prices. Rejects where their code cannot be loaded. */
export async function loadCosts(): Promise<CostOf> {
  loaded ??= (await import('./prices.ts')).costOfKnown;
  return costOfAnswer;
}
