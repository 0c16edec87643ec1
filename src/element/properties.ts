import type { BrookletChatProps } from './types.ts';

const names: { readonly [Name in keyof BrookletChatProps]-?: true } = {
  agent: true,
  provider: true,
  model: true,
  baseURL: true,
  apiKey: true,
  instructions: true,
  tools: true,
  sessionId: true,
  theme: true,
  labels: true,
  placeholder: true,
  welcome: true,
  launcher: true,
};

const isName = (name: string): name is keyof BrookletChatProps => Object.hasOwn(names, name);

export const propertyNames: readonly (keyof BrookletChatProps)[] = Object.keys(names).filter(isName);

/** The attributes, each with its property. A key has no attribute: an attribute is in the source of the page, and in what is copied of it. */
export const attributes: ReadonlyMap<string, keyof BrookletChatProps> = new Map([
  ['provider', 'provider'],
  ['model', 'model'],
  ['base-url', 'baseURL'],
  ['instructions', 'instructions'],
  ['session-id', 'sessionId'],
  ['theme', 'theme'],
  ['placeholder', 'placeholder'],
  ['welcome', 'welcome'],
  ['launcher', 'launcher'],
]);
