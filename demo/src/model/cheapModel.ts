import { findModel } from 'brooklet/providers';
import type { Endpoint } from './endpoint.ts';
import { choiceOf } from './providers.ts';

/**
 * Returns the model of a service with the lowest price, for what needs no better one. `undefined` where that is not known: another address than
 * the service's own, or a chosen model without a known price, whose account may have no other.
 */
export function cheapModelOf({ providerId, baseURL, model }: Endpoint): string | undefined {
  const { provider } = choiceOf(providerId);
  const price = findModel(provider.models, model)?.price;
  if (!price || provider.baseURL !== baseURL) return undefined;
  const cheaper = Object.entries(provider.models ?? {})
    .flatMap(([id, known]) =>
      known.price && known.price.output < price.output ? [{ id, output: known.price.output }] : [],
    )
    .sort((a, b) => a.output - b.output);
  return cheaper[0]?.id;
}
