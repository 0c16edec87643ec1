import { AgentError } from 'brooklet';
import { type Annotation, createAnnotations } from 'brooklet/review';
import { createMemoryStore, exportAll, exportSession, importSessions, readExport } from 'brooklet/storage';
import { describe, expect, test } from 'vitest';
import { untyped } from '../support/untyped.ts';
import { record } from './recorded.ts';

const codeOf = (thrown: unknown): string => (thrown instanceof AgentError ? thrown.code : String(thrown));
const note = (seq: number, text: string): Annotation => ({ id: `n${seq}`, seq, text, at: 5 });

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

describe('annotations of a stored session', () => {
  test('are kept beside the session in the order of its events, and the log stays as it is', async () => {
    const store = createMemoryStore();
    const writes: unknown[] = [];
    const session = { store, sessionId: 's' };
    store.changes$.subscribe((id) => writes.push(id));
    const annotations = createAnnotations(session, { id: () => `a${Math.random()}`, now: () => 7 });
    const late = await annotations.add({ seq: 9, text: 'Too late.', userName: 'Ada' });
    await annotations.add({ seq: 2, text: 'Fine so far.' });
    expect(late).toMatchObject({ seq: 9, at: 7, userName: 'Ada' });
    const other = createAnnotations(session);
    expect((await other.load()).map(({ text }) => text)).toEqual(['Fine so far.', 'Too late.']);
    await other.change(late.id, 'Much too late.');
    expect((await annotations.load()).map(({ text }) => text)).toEqual(['Fine so far.', 'Much too late.']);
    for (const { id } of other.getList()) await annotations.remove(id);
    await annotations.remove('unknown');
    expect(await other.load()).toEqual([]);
    expect(await store.meta?.get('annotations:s')).toBeUndefined();
    expect(writes).toEqual([]);
  });

  test('are emitted as they change, and read on subscription', async () => {
    const store = createMemoryStore();
    await createAnnotations({ store, sessionId: 's' }).add({ seq: 1, text: 'One' });
    const annotations = createAnnotations({ store, sessionId: 's' });
    const lists: string[] = [];
    const subscription = annotations.list$.subscribe((list) => lists.push(list.map(({ text }) => text).join()));
    await expect.poll(() => lists).toEqual(['', 'One']);
    await annotations.add({ seq: 2, text: 'Two' });
    expect(lists).toEqual(['', 'One', 'One,Two']);
    subscription.unsubscribe();
  });

  test.each([
    ['an empty text', { seq: 1, text: '' }],
    ['a very long text', { seq: 1, text: 'x'.repeat(10_001) }],
    ['no number', { seq: untyped('1'), text: 'x' }],
    ['a name that is no text', { seq: 1, text: 'x', userName: untyped(3) }],
  ])('with %s are refused with INVALID_INPUT', async (_what, draft) => {
    const store = createMemoryStore();
    const annotations = createAnnotations({ store, sessionId: 's' });
    expect(await annotations.add(draft).catch(codeOf)).toBe('INVALID_INPUT');
    expect(await annotations.load()).toEqual([]);
  });

  test('are 1,000 at most, and a changed one must exist', async () => {
    const annotations = createAnnotations(Array.from({ length: 1_000 }, (_none, index) => note(index, 'x')));
    expect(await annotations.add({ seq: 1, text: 'one too many' }).catch(codeOf)).toBe('INVALID_INPUT');
    expect(annotations.getList()).toHaveLength(1_000);
    expect(await annotations.change('unknown', 'x').catch(codeOf)).toBe('INVALID_INPUT');
    expect(await annotations.change('n1', '').catch(codeOf)).toBe('INVALID_INPUT');
  });

  test('that another program has damaged are left out', async () => {
    const store = createMemoryStore();
    await store.meta?.update('annotations:s', () => [{ ...note(1, 'Good') }, { seq: 'x' }, 7]);
    expect(await createAnnotations({ store, sessionId: 's' }).load()).toEqual([note(1, 'Good')]);
    await store.meta?.update('annotations:s', () => 'no list');
    expect(await createAnnotations({ store, sessionId: 's' }).load()).toEqual([]);
  });
});

describe('an exported session', () => {
  test('has the annotations, and an import keeps them, under another id, too', async () => {
    const { stored } = await record();
    const list = [note(3, 'Here.')];
    const file = exportSession(stored, { annotations: list });
    expect((await readExport(file)).sessions[0]?.annotations).toEqual(list);
    expect((await readExport(exportSession(stored))).sessions[0]).not.toHaveProperty('annotations');
    const masked = exportSession(stored, { annotations: list, mask: { patterns: [/secret/] } });
    expect((await readExport(masked)).sessions[0]).not.toHaveProperty('annotations');

    const store = createMemoryStore();
    await importSessions(store, file);
    await importSessions(store, file, { onConflict: 'copy', newId: () => 'copy' });
    for (const sessionId of [stored.summary.id, 'copy'])
      expect(await createAnnotations({ store, sessionId }).load()).toEqual(list);
    const again = await readExport(await textOf(exportAll(store)));
    expect(again.sessions.map(({ annotations }) => annotations)).toEqual([list, list]);

    await importSessions(store, exportSession(stored), { onConflict: 'replace' });
    expect(await createAnnotations({ store, sessionId: stored.summary.id }).load()).toEqual([]);
  });

  test('with a wrong annotation is refused with the field', async () => {
    const { stored } = await record();
    const forged = exportSession(stored, { annotations: [untyped({ ...note(1, 'x'), text: 7 })] });
    expect((await readExport(forged)).problem).toEqual({
      line: 1,
      field: 'annotations.0.text',
      reason: 'is not a text',
    });
    const many = exportSession(stored, { annotations: Array.from({ length: 1_001 }, () => note(1, 'x')) });
    expect((await readExport(many)).problem).toMatchObject({ field: 'annotations', line: 1 });
    const store = createMemoryStore();
    expect((await importSessions(store, forged)).problems).toHaveLength(1);
    expect(await store.read(stored.summary.id)).toBeUndefined();
  });
});

test('a file is annotated without a store', async () => {
  const annotations = createAnnotations([note(2, 'From the file.')]);
  await annotations.add({ seq: 1, text: 'Mine.' });
  expect(annotations.getList().map(({ text }) => text)).toEqual(['Mine.', 'From the file.']);
});
