import type { ToolPart } from 'brooklet';
import { isJsonObject, textIn } from '../json.ts';

/** A note as `list_notes` tells of it. */
export interface ListedNote {
  readonly id: number;
  readonly text: string;
}

export function notesOf(call: ToolPart): readonly ListedNote[] {
  const notes = isJsonObject(call.output) ? call.output['notes'] : undefined;
  if (!Array.isArray(notes)) return [];
  return notes.filter(isJsonObject).map((note) => ({ id: Number(note['id']), text: textIn(note, 'text') }));
}

/** The notes that somebody means by `all`, by a number, or by words of them. */
export function matching(notes: readonly ListedNote[], which: string): readonly ListedNote[] {
  if (which === 'all') return notes;
  const wanted = which.toLowerCase();
  const byId = notes.filter(({ id }) => String(id) === wanted);
  if (byId.length > 0) return byId;
  if (wanted === '') return notes.length === 1 ? notes : [];
  return notes.filter(({ text }) => text.toLowerCase().includes(wanted)).slice(0, 1);
}

export function bulleted(notes: readonly ListedNote[]): string {
  return notes.map(({ id, text }) => `- ${text} (note ${id})`).join('\n');
}
