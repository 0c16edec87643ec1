/** A note, kept in this browser only. */
export interface Note {
  readonly id: string;
  readonly text: string;
  /** ISO 8601 */
  readonly savedAt: string;
}

const key = 'brooklet-studio:notes';

export function listNotes(): readonly Note[] {
  const stored = localStorage.getItem(key);
  if (stored === null) return [];
  try {
    const value: unknown = JSON.parse(stored);
    return Array.isArray(value) ? value.filter(isNote) : [];
  } catch {
    return [];
  }
}

export function addNote(text: string): Note {
  const notes = listNotes();
  const number = 1 + Math.max(0, ...notes.map((note) => Number(note.id.slice('note-'.length)) || 0));
  const note = { id: `note-${number}`, text, savedAt: new Date().toISOString() };
  localStorage.setItem(key, JSON.stringify([...notes, note]));
  return note;
}

/** Gives the note that has gone, or `undefined` where there was none. */
export function deleteNote(id: string): Note | undefined {
  const notes = listNotes();
  const gone = notes.find((note) => note.id === id);
  if (gone) localStorage.setItem(key, JSON.stringify(notes.filter((note) => note !== gone)));
  return gone;
}

function isNote(value: unknown): value is Note {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    'text' in value &&
    typeof value.text === 'string' &&
    'savedAt' in value &&
    typeof value.savedAt === 'string'
  );
}
