import { strToU8, zipSync } from 'fflate';
import { createMemoryStore, importHistory, recognizeFile } from 'brooklet/storage';
import { describe, expect, test } from 'vitest';
import { branched, manyConversations, rich } from '../history/samples/chatgpt.ts';

type Files = Readonly<Record<string, string>>;

const zip = (files: Files, level: 0 | 6 = 6): Uint8Array<ArrayBuffer> => {
  const bytes = zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])), {
    level,
  });
  return new Uint8Array(bytes);
};

describe('an archive', () => {
  const one = JSON.stringify([branched]);
  const two = JSON.stringify([rich]);

  test.each<[string, Files, 0 | 6]>([
    [
      'that is compressed',
      { 'conversations.json': JSON.stringify([branched, rich]), 'user.json': '{}', 'chat.html': '<p>' },
      6,
    ],
    ['that is stored', { 'conversations.json': JSON.stringify([branched, rich]) }, 0],
    [
      'in pieces and a folder',
      { 'x/conversations-001.json': two, 'x/conversations-000.json': one, 'x/shared_conversations.json': '[]' },
      6,
    ],
    ['with other names', { 'a.json': one, 'b.json': two, '__MACOSX/a.json': 'x', '.hidden.json': 'x' }, 6],
  ])('%s is read', async (_what, files, level) => {
    const file = new Blob([zip(files, level)]);
    expect(await recognizeFile(file)).toBe('chatgpt');
    const { conversations } = await importHistory(createMemoryStore(), file);
    expect(conversations.map(({ id, result }) => [id, result])).toEqual([
      ['c-branched', 'added'],
      ['c-rich', 'added'],
    ]);
  });

  test('of several logs is a session each', async () => {
    const log = (id: string): string =>
      JSON.stringify({ type: 'user', sessionId: id, uuid: id, message: { role: 'user', content: id } });
    const file = new Blob([
      zip({ 'p/a.jsonl': log('a'), 'p/b.jsonl': log('b'), 'p/c.jsonl': '{"role":"user","content":"c"}' }),
    ]);
    const { conversations } = await importHistory(createMemoryStore(), file);
    expect(conversations.map(({ messages }) => messages)).toEqual([1, 1, 1]);
  });

  test('that is long reports its progress in bytes of its files', async () => {
    const text = JSON.stringify(manyConversations(300));
    const steps: number[] = [];
    await importHistory(createMemoryStore(), new Blob([zip({ 'conversations.json': text })]), {
      dryRun: true,
      onProgress: ({ done, total }) => steps.push(done / total),
    });
    expect(steps.length).toBeGreaterThan(3);
    expect(steps.at(-1)).toBe(1);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  });

  const whole = zip({ 'conversations.json': one });
  const changed = (change: (view: DataView, end: number) => void): Uint8Array<ArrayBuffer> => {
    const copy = whole.slice();
    change(new DataView(copy.buffer), copy.length - 22);
    return copy;
  };
  const directoryOf = (view: DataView, end: number): number => view.getUint32(end + 16, true);

  test.each<[string, Uint8Array<ArrayBuffer>, string]>([
    ['without conversations', zip({ 'a.txt': 'x' }), 'contains no conversations'],
    ['that is cut off', whole.slice(0, -40), 'damaged'],
    ['without its directory', changed((view, end) => view.setUint32(directoryOf(view, end), 0)), 'damaged'],
    ['whose content is damaged', changed((view) => view.setUint32(60, 0xffffffff)), 'damaged'],
    [
      'that unpacks to more than it states',
      changed((view, end) => view.setUint32(directoryOf(view, end) + 24, 10, true)),
      'damaged',
    ],
    ['that unpacks to less', changed((view, end) => view.setUint32(directoryOf(view, end) + 24, 1e6, true)), 'damaged'],
    ['that is encrypted', changed((view, end) => view.setUint16(directoryOf(view, end) + 8, 1, true)), 'encrypted'],
    [
      'with an unknown compression',
      changed((view, end) => view.setUint16(directoryOf(view, end) + 10, 99, true)),
      'damaged',
    ],
    ['beyond 4 GB', changed((view, end) => view.setUint32(end + 16, 0xffffffff, true)), 'larger than 4 GB'],
  ])('%s is refused', async (_what, bytes, reason) => {
    const store = createMemoryStore();
    await expect(importHistory(store, new Blob([bytes]))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(reason),
    });
    expect(await store.list()).toEqual({ sessions: [] });
  });

  test('beyond the limit of the size is refused', async () => {
    await expect(
      importHistory(createMemoryStore(), new Blob([whole]), { limits: { size: 500 } }),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
