import { named } from '../core/model/shapes/named.ts';
import { defineTool } from '../core/tools/define-tool.ts';
import { type Tool } from '../core/tools/tool.ts';
import { integerOf, labelOf, optionalTextOf, textOf } from './input.ts';
import { createNotesStore, type NotesStore } from './notes-store.ts';
import { mark } from './trust/mark.ts';

/** Options of `memoryTools`. */
export interface MemoryToolsOptions {
  /** Name of the agent. Agents with different names have separate memories. */
  readonly agent: string;
  /** Default: one IndexedDB database for each agent name. */
  readonly store?: NotesStore;
  /** Maximum number of characters in one result of `read_memory`. Default: 8,000. */
  readonly pageSize?: number;
}

/** Characters. */
const maxLength = 2_000;

/**
 * Three tools for a memory that lasts longer than a session: `remember`, `read_memory`, `forget`. All sessions of one agent
 * share the memory. The user's own notes belong into `notesTools`.
 */
export function memoryTools(given: MemoryToolsOptions): readonly Tool[] {
  const {
    agent,
    pageSize = 8_000,
    ...options
  } = named(given, { agent: true, store: true, pageSize: true }, 'memoryTools');
  const store = options.store ?? createNotesStore({ name: `brooklet-memory-${agent}` });

  const remember = defineTool({
    name: 'remember',
    description:
      'Stores a fact that you will need in later conversations: a wish, a name, a decision. Write it so that it can be understood alone.',
    input: {
      type: 'object',
      properties: {
        text: { type: 'string', minLength: 1, maxLength, description: 'The fact, in a sentence.' },
      },
      required: ['text'],
      additionalProperties: false,
    },
    execute: async (input) => ({ remembered: (await store.add(textOf(input, 'text'))).id }),
    present: (input) => ({ summary: `Remembered: ${textOf(input, 'text')}` }),
  });

  const readMemory = defineTool({
    name: 'read_memory',
    description:
      'Returns what you have remembered, newest first; with `words`, only the entries that contain all of them.',
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
    description: 'Deletes one thing that you have remembered and that is no longer true.',
    input: {
      type: 'object',
      properties: { id: { type: 'integer', minimum: 1 } },
      required: ['id'],
      additionalProperties: false,
    },
    async execute(input) {
      const id = integerOf(input, 'id');
      if (!(await store.delete(id)))
        throw new Error(`There is no memory with the id ${id}: read_memory lists the ids.`);
      return { forgotten: id };
    },
    present: (input) => ({ summary: `Forgot ${integerOf(input, 'id')}` }),
  });

  return [
    mark(remember, { trusted: true }),
    mark(readMemory, { trusted: true, harmless: true }),
    mark(forget, { trusted: true }),
  ];
}
