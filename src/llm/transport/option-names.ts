import { named, type OptionNames } from '../../core/model/shapes/named.ts';
import type { ExchangeOptions } from './exchange.ts';
import type { HttpOptions } from './http-options.ts';

export const exchangeNames: OptionNames<ExchangeOptions> = {
  maxRetries: true,
  onRetry: true,
  timeouts: true,
  limits: true,
  delay: true,
};

export const httpNames: OptionNames<HttpOptions> = {
  baseURL: true,
  apiKey: true,
  headers: true,
  fetch: true,
  allowLan: true,
  ...exchangeNames,
};

/** Marks options whose names `createProviderClient` has checked: they may have options of other wires. */
export const hasCheckedNames: unique symbol = Symbol('brooklet has checked the names of these options');

/** Checks the names of the options of a wire. @throws AgentError `INVALID_CONFIG` */
export function checkWireNames<Options extends object>(
  options: Options,
  names: OptionNames<NoInfer<Options>>,
  owner: string,
): void {
  // JavaScript may pass anything.
  const given: unknown = options;
  if (typeof given !== 'object' || given === null || !Object.hasOwn(given, hasCheckedNames))
    named(options, names, owner);
}
