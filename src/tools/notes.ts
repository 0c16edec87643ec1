import { named } from '../core/model/shapes/named.ts';
import type { Json } from '../core/json.ts';
import type { Part } from '../core/model/message.ts';
import { defineTool } from '../core/tools/define-tool.ts';
import { type Tool } from '../core/tools/tool.ts';
import { integerOf, labelOf, textOf } from './input.ts';
import { createNotesStore, type Note, type NotesStore } from './notes-store.ts';
import { mark } from './trust/mark.ts';

/** Options of `notesTools`. */
export interface NotesToolsOptions {
  /** Default: `createNotesStore()`, in IndexedDB. */
  readonly store?: NotesStore;
  /** Which calls need approval. Default: deletions only. */
  readonly needsApproval?: { readonly add?: boolean; readonly delete?: boolean };
  /** Maximum number of notes in one result of `list_notes` and `search_notes`. Default: 50. */
  readonly pageSize?: number;
}

/** Characters. */
const maxLength = 10_000;

/** Four tools for the user's notes in this browser: `add_note`, `list_notes`, `search_notes`, `delete_note`. */
export function notesTools(options: NotesToolsOptions = {}): readonly Tool[] {
  named(options, { store: true, needsApproval: true, pageSize: true }, 'notesTools');
  const { store = createNotesStore(), needsApproval = {}, pageSize = 50 } = options;

  const toPage = (notes: readonly Note[]): object => ({
    notes: notes.toReversed().slice(0, pageSize).map(show),
    total: notes.length,
  });

  const addNote = defineTool({
    name: 'add_note',
    description: 'Stores a note for the person in this browser.',
    input: {
      type: 'object',
      properties: {
        text: {
          type: 'string',
          minLength: 1,
          maxLength,
          description: 'The note, as the person would write it.',
        },
      },
      required: ['text'],
      additionalProperties: false,
    },
    needsApproval: needsApproval.add ?? false,
    execute: async (input) => show(await store.add(textOf(input, 'text'))),
    present: (input, output) => ({
      summary: `Note ${labelOf(output, 'id')} added`,
      details: { type: 'text', text: textOf(input, 'text') },
    }),
  });

  const listNotes = defineTool({
    name: 'list_notes',
    description: `Lists the person’s notes, the newest first, ${pageSize} at most.`,
    input: { type: 'object', properties: {}, additionalProperties: false },
    execute: async () => toPage(await store.list()),
    present: (_input, output) => ({ summary: countIn(output) }),
  });

  const searchNotes = defineTool({
    name: 'search_notes',
    description: `Finds the person’s notes that contain all the given words, the newest first, ${pageSize} at most.`,
    input: {
      type: 'object',
      properties: { words: { type: 'string', minLength: 1, maxLength: 200, description: 'Words, in any order.' } },
      required: ['words'],
      additionalProperties: false,
    },
    execute: async (input) => {
      const words = toComparable(textOf(input, 'words')).split(/\s+/u).filter(Boolean);
      const notes = await store.list();
      return toPage(notes.filter((note) => words.every((word) => toComparable(note.text).includes(word))));
    },
    present: (input, output) => ({ summary: `${countIn(output)} with “${textOf(input, 'words')}”` }),
  });

  const deleteNote = defineTool({
    name: 'delete_note',
    description: 'Deletes one of the person’s notes for good. List or search first to learn its id and how it begins.',
    input: {
      type: 'object',
      properties: {
        id: { type: 'integer', minimum: 1 },
        begins: {
          type: 'string',
          minLength: 1,
          maxLength: 200,
          description: 'How the note begins, word for word, so that the person sees what is going to be deleted.',
        },
      },
      required: ['id', 'begins'],
      additionalProperties: false,
    },
    needsApproval: needsApproval.delete ?? true,
    async execute(input) {
      const id = integerOf(input, 'id');
      const note = await store.get(id);
      if (note === undefined) throw new Error(`There is no note ${id}.`);
      // The user approved the text in `begins`, not the id: the note must start with that text.
      if (!note.text.startsWith(textOf(input, 'begins'))) {
        throw new Error(`Nothing was deleted: note ${id} begins with ${JSON.stringify(note.text.slice(0, 60))}.`);
      }
      await store.delete(id);
      return { deleted: show(note) };
    },
    present: (input) => ({ summary: `Note ${integerOf(input, 'id')} deleted` }),
  });

  const reading = { trusted: true, harmless: true };
  return [
    mark(addNote, { trusted: true }),
    mark(listNotes, reading),
    mark(searchNotes, reading),
    mark(deleteNote, { trusted: true }),
  ];
}

/** Returns a note in the form that the model receives. */
function show({ id, text, createdAt }: Note): {
  readonly id: number;
  readonly text: string;
  readonly createdAt: string;
} {
  return { id, text, createdAt: new Date(createdAt).toISOString() };
}

function toComparable(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function countIn(output: Json | readonly Part[]): string {
  const total = labelOf(output, 'total');
  return total === '1' ? '1 note' : `${total} notes`;
}
