import { defineTool, type Tool } from '../core/tools/tool.ts';
import { integerOf, labelOf, optionalTextOf, textOf } from './input.ts';
import { createNotesStore, type NotesStore } from './notes-store.ts';

/** Options of `memoryTools`. */
export interface MemoryToolsOptions {
  /** Whose memory it is: agents with different names do not see each other's. */
  readonly agent: string;
  /** Default: a database of the agent's own, in IndexedDB. */
  readonly store?: NotesStore;
  /** Characters that `read_memory` gives at once. Default 8,000. */
  readonly pageSize?: number;
}

const longest = 2_000;

/**
 * What an agent remembers beyond a session, as three tools: `remember`, `read_memory`, `forget`. It is the agent's own notebook, for all
 * of its sessions; what the person wants to keep belongs into `notesTools`.
 */
export function memoryTools({ agent, pageSize = 8_000, ...options }: MemoryToolsOptions): readonly Tool[] {
  const store = options.store ?? createNotesStore({ name: `brooklet-memory-${agent}` });

  const remember = defineTool({
    name: 'remember',
    description:
      'Keeps a fact that you will need in later conversations: a wish, a name, a decision. Say it so that it can be understood alone.',
    input: {
      type: 'object',
      properties: {
        text: { type: 'string', minLength: 1, maxLength: longest, description: 'The fact, in a sentence.' },
      },
      required: ['text'],
      additionalProperties: false,
    },
    execute: async (input) => ({ remembered: (await store.add(textOf(input, 'text'))).id }),
    present: (input) => ({ summary: `Remembered: ${textOf(input, 'text')}` }),
  });

  const readMemory = defineTool({
    name: 'read_memory',
    description: 'Gives what you have remembered, the newest first; with words, only what contains all of them.',
    input: {
      type: 'object',
      properties: { words: { type: 'string', maxLength: 200, description: 'Words, in any order.' } },
      additionalProperties: false,
    },
    async execute(input) {
      const words = (optionalTextOf(input, 'words') ?? '').toLowerCase().split(/\s+/u).filter(Boolean);
      const found = (await store.list())
        .filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)))
        .toReversed();
      let room = pageSize;
      const shown = found.filter(({ text }) => (room -= text.length) >= 0);
      return { memories: shown.map(({ id, text }) => ({ id, text })), total: found.length };
    },
    present: (_input, output) => ({ summary: `${labelOf(output, 'total')} remembered` }),
  });

  const forget = defineTool({
    name: 'forget',
    description: 'Forgets one thing that you have remembered and that is not true any more.',
    input: {
      type: 'object',
      properties: { id: { type: 'integer', minimum: 1 } },
      required: ['id'],
      additionalProperties: false,
    },
    async execute(input) {
      const id = integerOf(input, 'id');
      if (!(await store.delete(id))) throw new Error(`Nothing is remembered under ${id}.`);
      return { forgotten: id };
    },
    present: (input) => ({ summary: `Forgot ${integerOf(input, 'id')}` }),
  });

  return [remember, readMemory, forget];
}
