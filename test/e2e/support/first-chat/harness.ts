import { createIndexedDBStore } from 'brooklet/storage';

// The README's chat asks api.openai.com. Here a server of the test answers.
const { fetch } = globalThis;
const query = new URLSearchParams(location.search);
const server = query.get('server') ?? '';

globalThis.fetch = (input, init) =>
  fetch(typeof input === 'string' ? input.replace('https://api.openai.com', server) : input, init);

declare global {
  /** Removes a stored conversation, as a list of conversations in another tab does. */
  var removeStored: (sessionId: string) => Promise<boolean>;
}
globalThis.removeStored = (sessionId) => createIndexedDBStore().remove(sessionId);
