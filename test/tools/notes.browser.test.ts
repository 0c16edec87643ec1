import { createNotesStore } from 'brooklet/tools';
import { deleteDB } from 'idb';
import { describe, expect, it } from 'vitest';

describe('notes in a browser', () => {
  it('are kept from one store to the next, and are deleted with their database', async () => {
    const name = `notes-${crypto.randomUUID()}`;
    const note = await createNotesStore({ name }).add('kept');
    const store = createNotesStore({ name });
    expect(await store.list()).toEqual([note]);
    expect((await store.add('second')).id).toBe(2);
    expect(await store.delete(1)).toBe(true);
    expect((await store.list()).map(({ text }) => text)).toEqual(['second']);
    await deleteDB(name);
    expect(await store.list()).toEqual([]);
    await deleteDB(name);
  });
});
