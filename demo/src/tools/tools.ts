import { defineTool, type Tool } from 'brooklet';
import { textIn } from '../json.ts';
import { calculate } from './expression.ts';
import { addNote, deleteNote, listNotes } from './notes.ts';

const currentTime = defineTool({
  name: 'current_time',
  description: 'Tells the date and time now, in a given time zone or in the one of this browser.',
  input: {
    type: 'object',
    properties: { timeZone: { type: 'string', description: 'IANA name, e.g. Asia/Tokyo. Default: this browser’s.' } },
    additionalProperties: false,
  },
  execute: ({ timeZone }) => {
    const zone = typeof timeZone === 'string' ? timeZone : Intl.DateTimeFormat().resolvedOptions().timeZone;
    const now = new Date();
    const show = (options: Intl.DateTimeFormatOptions): string =>
      new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options }).format(now);
    return {
      time: show({ timeStyle: 'short' }),
      date: show({ dateStyle: 'full' }),
      timeZone: zone,
      utc: now.toISOString(),
    };
  },
  present: (_input, output) => ({ summary: `${textIn(output, 'time')}, ${textIn(output, 'timeZone')}` }),
});

const arithmetic = defineTool({
  name: 'calculate',
  description:
    'Works out an arithmetic expression: + - * / % ^, brackets, sqrt, round, min, max, sin, cos, ln, log, pi, e.',
  input: {
    type: 'object',
    properties: { expression: { type: 'string', description: 'For example (2 + 3) * 4' } },
    required: ['expression'],
    additionalProperties: false,
  },
  execute: (input) => ({ result: calculate(textIn(input, 'expression')) }),
  present: (input, output) => ({ summary: `${textIn(input, 'expression')} = ${textIn(output, 'result')}` }),
});

const listNotesTool = defineTool({
  name: 'list_notes',
  description: 'Lists the notes that the person keeps in this browser.',
  input: { type: 'object', properties: {}, additionalProperties: false },
  execute: () => ({ notes: listNotes() }),
  present: () => ({ summary: counted(listNotes().length) }),
});

/** What changes the person's notes asks the person first; reading them does not. */
const saveNote = defineTool({
  name: 'save_note',
  description: 'Keeps a note for the person in this browser.',
  input: {
    type: 'object',
    properties: { text: { type: 'string', minLength: 1, description: 'The note, as the person would write it.' } },
    required: ['text'],
    additionalProperties: false,
  },
  needsApproval: true,
  execute: (input) => addNote(textIn(input, 'text')),
  present: (_input, output) => ({ summary: `Saved as ${textIn(output, 'id')}` }),
});

const deleteNoteTool = defineTool({
  name: 'delete_note',
  description: 'Deletes one of the person’s notes. List them first to learn its id.',
  input: {
    type: 'object',
    properties: { id: { type: 'string', description: 'As list_notes gives it, e.g. note-2' } },
    required: ['id'],
    additionalProperties: false,
  },
  needsApproval: true,
  execute: (input) => {
    const id = textIn(input, 'id');
    const gone = deleteNote(id);
    if (!gone) throw new Error(`There is no note ${id}.`);
    return { deleted: gone };
  },
  present: (input) => ({ summary: `${textIn(input, 'id')} is gone` }),
});

export const tools: readonly Tool[] = [currentTime, arithmetic, listNotesTool, saveNote, deleteNoteTool];

function counted(notes: number): string {
  return notes === 1 ? '1 note' : `${notes} notes`;
}
