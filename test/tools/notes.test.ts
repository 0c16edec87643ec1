import 'fake-indexeddb/auto';
import { forceCloseDatabase } from 'fake-indexeddb';
import type { JsonObject, Tool } from 'brooklet';
import { createMemoryNotes, createNotesStore, type NotesStore, notesTools } from 'brooklet/tools';
import { deleteDB, openDB } from 'idb';
import { describe, expect, it } from 'vitest';
import { asks, run } from './run.ts';

let clock = Date.UTC(2025, 0, 24);
const now = (): number => (clock += 1_000);
const newName = (): string => `notes-${crypto.randomUUID()}`;

const stores: readonly (readonly [string, () => NotesStore])[] = [
  ['in memory', () => createMemoryNotes({ now })],
  ['in IndexedDB', () => createNotesStore({ name: newName(), now })],
];

describe.each(stores)('a notes store %s', (_where, create) => {
  it('stores notes, oldest first, with ids that are never reused', async () => {
    const store = create();
    const one = await store.add('one');
    const two = await store.add('two');
    expect([one.id, two.id]).toEqual([1, 2]);
    expect(await store.list()).toEqual([one, two]);
    expect(await store.delete(2)).toBe(true);
    expect((await store.add('three')).id).toBe(3);
    expect((await store.list()).map(({ text }) => text)).toEqual(['one', 'three']);
  });

  it('reports whether a deleted note existed', async () => {
    const store = create();
    await store.add('one');
    expect([await store.delete(1), await store.delete(1), await store.delete(9)]).toEqual([true, false, false]);
    expect(await store.get(1)).toBeUndefined();
  });
});

describe('createNotesStore', () => {
  it('reads the stored notes again, and skips invalid ones', async () => {
    const name = newName();
    const note = await createNotesStore({ name, now }).add('kept');
    const db = await openDB(name);
    await db.add('notes', { id: 7, text: 3 });
    db.close();
    const again = createNotesStore({ name, now });
    expect(await again.list()).toEqual([note]);
    expect(await again.get(7)).toBeUndefined();
  });

  it('closes its connection when the database is deleted, and creates the database again', async () => {
    const name = newName();
    const store = createNotesStore({ name, now });
    await store.add('gone');
    await deleteDB(name);
    expect(await store.list()).toEqual([]);
  });

  it('reopens after the browser has closed the connection', async () => {
    const name = newName();
    const store = createNotesStore({ name, now });
    const databases: IDBDatabase[] = [];
    const { open } = indexedDB;
    indexedDB.open = (...parameters) => {
      const request = open.apply(indexedDB, parameters);
      request.addEventListener('success', () => databases.push(request.result));
      return request;
    };
    await store.add('kept');
    indexedDB.open = open;
    // The types of the event require the class.
    for (const db of databases) Reflect.apply(forceCloseDatabase, undefined, [db]);
    expect((await store.list()).map(({ text }) => text)).toEqual(['kept']);
  });

  it('reports a missing IndexedDB', async () => {
    const { indexedDB } = globalThis;
    Reflect.deleteProperty(globalThis, 'indexedDB');
    try {
      await expect(createNotesStore().list()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    } finally {
      globalThis.indexedDB = indexedDB;
    }
  });
});

describe('notesTools', () => {
  interface Notebook {
    readonly store: NotesStore;
    readonly tool: (name: string) => Tool;
    readonly use: (name: string, input: JsonObject) => ReturnType<typeof run>;
  }

  function notebook(options: Parameters<typeof notesTools>[0] = {}): Notebook {
    const store = createMemoryNotes({ now });
    const tools = new Map(notesTools({ store, ...options }).map((tool) => [tool.name, tool]));
    const tool = (name: string): Tool => tools.get(name)!;
    return { store, tool, use: (name, input) => run(tool(name), input) };
  }

  it('are four tools', () => {
    const names = notesTools({ store: createMemoryNotes() }).map(({ name }) => name);
    expect(names).toEqual(['add_note', 'list_notes', 'search_notes', 'delete_note']);
  });

  it('add and list notes, newest first', async () => {
    const { use } = notebook();
    const added = await use('add_note', { text: 'Milk' });
    expect(added.output).toMatchObject({ id: 1, text: 'Milk', createdAt: expect.stringMatching(/^2025-01-24T/) });
    expect(added.presentation).toEqual({ summary: 'Note 1 added', details: { type: 'text', text: 'Milk' } });
    await use('add_note', { text: 'Bread' });
    const listed = await use('list_notes', {});
    expect(listed.output).toMatchObject({ notes: [{ text: 'Bread' }, { text: 'Milk' }], total: 2 });
    expect(listed.presentation.summary).toBe('2 notes');
  });

  it('list at most one page, with the total', async () => {
    const { use } = notebook({ pageSize: 1 });
    await use('add_note', { text: 'old' });
    await use('add_note', { text: 'new' });
    expect((await use('list_notes', {})).output).toMatchObject({ notes: [{ text: 'new' }], total: 2 });
  });

  it('find the notes with all words, in any case and order', async () => {
    const { use } = notebook();
    for (const text of ['Buy Milk and bread', 'milk only', 'ＭＩＬＫ BREAD']) await use('add_note', { text });
    const found = await use('search_notes', { words: ' bread  MILK ' });
    expect(found.output).toMatchObject({ notes: [{ id: 3 }, { id: 1 }], total: 2 });
    expect(found.presentation.summary).toBe('2 notes with “ bread  MILK ”');
    expect((await use('search_notes', { words: 'only' })).presentation.summary).toBe('1 note with “only”');
  });

  it('need approval for deletions only, by default', async () => {
    const { tool } = notebook();
    const deletion = { id: 1, begins: 'x' };
    expect(await asks(tool('delete_note'), deletion)).toBe(true);
    expect(await asks(tool('add_note'), { text: 'x' })).toBe(false);
    const other = notebook({ needsApproval: { add: true, delete: false } });
    expect(await asks(other.tool('delete_note'), deletion)).toBe(false);
    expect(await asks(other.tool('add_note'), { text: 'x' })).toBe(true);
  });

  it('delete only the note whose text the person has read', async () => {
    const { store, use } = notebook();
    await use('add_note', { text: 'Password of the router' });
    await expect(use('delete_note', { id: 1, begins: 'Shopping' })).rejects.toThrow(
      'Nothing was deleted: note 1 begins with "Password of the router".',
    );
    expect(await store.list()).toHaveLength(1);
    const { output, presentation } = await use('delete_note', { id: 1, begins: 'Password' });
    expect(output).toMatchObject({ deleted: { id: 1, text: 'Password of the router' } });
    expect(presentation.summary).toBe('Note 1 deleted');
    expect(await store.list()).toEqual([]);
    await expect(use('delete_note', { id: 1, begins: 'Password' })).rejects.toThrow('There is no note 1.');
  });

  it('reject inputs that do not fit, by their schemas', async () => {
    const { use } = notebook();
    await expect(use('add_note', { text: '' })).rejects.toThrow('breaks minLength 1');
    await expect(use('add_note', { text: 'x'.repeat(10_001) })).rejects.toThrow('breaks maxLength 10000');
    await expect(use('delete_note', { id: 1.5, begins: 'x' })).rejects.toThrow('must be integer');
    await expect(use('delete_note', { id: 1 })).rejects.toThrow('input.begins is missing');
  });
});
