import type { ToolPart } from 'brooklet';
import { isJsonObject } from 'brooklet/core';
import { textIn } from '../base/json.ts';
import type { OfflineWords } from './words.ts';

/** A note in the result of `list_notes`. */
export interface ListedNote {
  readonly id: number;
  readonly text: string;
}

/** Returns the notes in the result of a `list_notes` call. */
export function notesOf(call: ToolPart): readonly ListedNote[] {
  const notes = isJsonObject(call.output) ? call.output['notes'] : undefined;
  if (!Array.isArray(notes)) return [];
  return notes.filter(isJsonObject).map((note) => ({ id: Number(note['id']), text: textIn(note, 'text') }));
}

/** Returns the notes that match `all`, the number of a note, or words of a note. */
export function findNotes(notes: readonly ListedNote[], which: string): readonly ListedNote[] {
  if (which === 'all') return notes;
  const wanted = which.toLowerCase();
  const byId = notes.filter(({ id }) => String(id) === wanted);
  if (byId.length > 0) return byId;
  if (wanted === '') return notes.length === 1 ? notes : [];
  return notes.filter(({ text }) => text.toLowerCase().includes(wanted)).slice(0, 1);
}

/** Formats notes as a Markdown list. */
export function toList(notes: readonly ListedNote[], { calls }: OfflineWords): string {
  return notes.map(({ id, text }) => calls.note(text, id)).join('\n');
}
