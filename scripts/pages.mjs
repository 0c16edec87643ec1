// The pages that the size gate weighs (scripts/check-sizes.mjs): what each imports, what each loads, and its limits in bytes, gzip.

/**
 * Modules behind an `import()` that a page loads until its first plain text answer is complete and stored, as paths in dist/
 * without their ending. test/e2e/first-answer.test.ts opens such a page and compares; a module that is not in a page's build, or not
 * deferred in it, makes the gate fail.
 *
 * @type {readonly string[]}
 */
export const loadedByFirstAnswer = [
  'storage/indexeddb/database-store',
  'core/session/steps',
  'core/session/store-replication',
  'llm/wires/chat-completions/wire',
];

export const pages = [
  {
    name: 'chat, hooks and IndexedDB store',
    uses: {
      index: ['createAgent', 'createChatCompletionsClient'],
      'storage/index': ['createIndexedDBStore'],
      'react/index': ['AgentProvider', 'useChat', 'useSession'],
    },
    first: 25_000,
    untilAnswer: 31_000,
  },
  {
    name: 'agent and client alone',
    uses: { index: ['createAgent', 'createChatCompletionsClient'] },
    first: 20_000,
  },
];

/**
 * Rows that are above their limit, each with the weight in bytes that it may not pass: the row may only get lighter, and leaves this list
 * when it is within its limit. See decision 98.
 *
 * @type {Readonly<Record<string, number | undefined>>}
 */
export const owed = {
  'chat, hooks and IndexedDB store: transferred until the first stored answer (Vite)': 47_330,
  'chat, hooks and IndexedDB store: transferred until the first stored answer (esbuild)': 49_800,
};
