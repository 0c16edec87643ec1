import type { ErrorTexts } from './errors-english.ts';

const count = (value: number): string => value.toLocaleString('en');
const compact = (value: number): string =>
  value.toLocaleString('en', { notation: 'compact', maximumSignificantDigits: 3 });
const dollars = (value: number): string => `$${value.toLocaleString('en', { maximumFractionDigits: 4 })}`;

const listCauses: ErrorTexts = {
  AUTHENTICATION_FAILED: 'The key was refused, or there is none yet.',
  AUTHENTICATION_LOCKED: 'The key is locked. Unlock it first.',
  PERMISSION_DENIED: 'The key may not list models.',
  OFFLINE: 'You are offline.',
  REQUEST_TIMEOUT: 'The service took too long.',
  RATE_LIMIT_EXCEEDED: 'Too many requests. Wait a moment.',
  OVERLOADED: 'The service is overloaded. Wait a moment.',
};

const modelTexts = {
  button: (model: string): string => `Model: ${model}`,
  none: 'Choose a model',
  title: (provider: string): string => `Models of ${provider}`,
  search: 'Search, or type the name of a model',
  recent: 'Recent',
  all: 'Models',
  loading: 'Loading the list…',
  noMatch: 'No model of this name is listed.',
  empty: 'The service lists no models. Type the name of one.',
  use: (model: string): string => `Use “${model}”`,
  more: (models: number): string => `${count(models)} more: type to find them`,
  close: 'Close',
  window: (tokens: number): string => `${compact(tokens)} tokens`,
  windowTitle: (tokens: number): string => `Reads up to ${count(tokens)} tokens`,
  price: (input: number, output: number): string => `${dollars(input)} / ${dollars(output)}`,
  priceTitle: (input: number, output: number): string =>
    `${dollars(input)} for a million tokens read, ${dollars(output)} for a million tokens written`,
  free: 'free',
  failed: 'The list could not be loaded.',
  retry: 'Try again',
};

/** The texts of `ModelPicker`. */
export type ModelLabels = typeof modelTexts & {
  /** Why a list cannot be read, by the code of the error. Without a text here, the message of the error is shown. */
  readonly causes: ErrorTexts;
};

export const modelEnglish: ModelLabels = { ...modelTexts, causes: listCauses };
