// The pages that the size gate weighs (scripts/check-sizes.mjs): what each imports, what each loads, and its limits in bytes, gzip.

/**
 * Modules behind an `import()` that a page loads until its first plain text answer is complete and stored, as paths in dist/
 * without their ending. test/e2e/first-answer.test.ts opens such a page and compares; a module that is not in a page's build, or not
 * deferred in it, makes the gate fail.
 *
 * @type {readonly string[]}
 */
export const loadedByFirstAnswer = ['storage/indexeddb/database-store', 'llm/wires/chat-completions/wire'];

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
