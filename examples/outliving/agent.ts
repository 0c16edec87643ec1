import { createIndexedDBStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import type { CreateOptions } from 'brooklet/worker';

const words = Array.from({ length: 120 }, (_, index) => `word ${index + 1}, `).join('');

/** The agent, in the worker and in its pages. With a service: `apiKey: keyOf('openai')`, and `keys: { openai: … }` of `connectAgent`. */
export const create: CreateOptions = () => ({
  client: createScriptedClient(() => [reply.text(`${words}and that is all.`, { ms: 50 })]),
  store: createIndexedDBStore({ name: 'outliving' }),
});
