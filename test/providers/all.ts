import * as everything from 'brooklet/providers';
import type { Provider } from 'brooklet/providers';

function isProvider(value: unknown): value is Provider {
  return typeof value === 'object' && value !== null && 'baseURL' in value;
}

/** Every provider by the name of its export; factories are called with an example address. */
export const all: readonly (readonly [string, Provider])[] = [
  ...Object.entries(everything).flatMap(([name, value]) => (isProvider(value) ? [[name, value] as const] : [])),
  ['azure', everything.azure('acme')],
  ['compatible', everything.compatible('https://api.example.com/v1')],
];
