/**
 * A measured library.
 *
 * @typedef {object} Side
 * @property {string} id also the name of its page
 * @property {string} name
 * @property {readonly string[]} packages packages whose versions are listed
 */

/** @type {readonly Side[]} */
export const sides = [
  { id: 'floor', name: 'floor', packages: [] },
  { id: 'brooklet', name: 'Brooklet', packages: [] },
  { id: 'brooklet-stored', name: 'Brooklet, stored', packages: [] },
  { id: 'ai-sdk', name: 'AI SDK', packages: ['ai', '@ai-sdk/react', '@ai-sdk/openai-compatible'] },
  { id: 'ai-sdk-throttled', name: 'AI SDK, throttled', packages: [] },
  { id: 'tanstack', name: 'TanStack AI', packages: ['@tanstack/ai', '@tanstack/ai-client', '@tanstack/ai-react'] },
  { id: 'assistant-ui', name: 'assistant-ui', packages: ['@assistant-ui/react'] },
  { id: 'pi', name: 'pi', packages: ['@earendil-works/pi-agent-core', '@earendil-works/pi-ai'] },
  { id: 'ag-ui', name: 'AG-UI', packages: ['@ag-ui/client'] },
];

/** The sides that `--check` compares with their stored figures. */
export const ownSides = ['brooklet', 'brooklet-stored'];
/** The sides whose agent runs on a server: their page has the hooks only. */
export const remoteSides = ['tanstack', 'ag-ui'];
