import { createAgent } from 'brooklet';
import { createMemoryStore, importSessions } from 'brooklet/storage';
import { createScriptedClient } from 'brooklet/testing';
import { describe, expect, it } from 'vitest';
import { pin, pinnedOnly, readMetadata, withMetadata } from '../../demo/src/model/metadata.ts';
import { exportFile, fileName } from '../../demo/src/base/transfer.ts';

describe('the metadata of a session', () => {
  it('are read whatever a file contains', () => {
    const none = { isPinned: false, model: '', instructions: '', answers: {} };
    expect(readMetadata(undefined)).toEqual(none);
    expect(readMetadata({ pinned: 'yes', model: 4, instructions: ['a'], answers: 'all' })).toEqual(none);
    expect(readMetadata({ instructions: 'a'.repeat(9_000) }).instructions).toHaveLength(2_000);
  });

  it('keep what others have stored, and store nothing that is empty', () => {
    const before = { owner: 'me', pinned: true, model: 'gpt' };
    expect(withMetadata(before, { model: '' })).toEqual({ owner: 'me', pinned: true });
    expect(withMetadata(before, { isPinned: false, instructions: 'Short.' })).toEqual({
      owner: 'me',
      model: 'gpt',
      instructions: 'Short.',
    });
  });

  it('let the store find the pinned sessions', async () => {
    const store = createMemoryStore();
    const agent = createAgent({ client: createScriptedClient([]), store });
    for (const id of ['a', 'b']) agent.createSession({ id, metadata: { owner: 'me' } });
    const found = async () => {
      await (await agent.openSession('a')).flushed();
      return (await store.list({ where: pinnedOnly })).sessions.map(({ id }) => id);
    };
    await pin(agent, { id: 'a' }, true);
    expect(await found()).toEqual(['a']);
    await pin(agent, { id: 'a' }, false);
    expect(await found()).toEqual([]);
    expect((await agent.openSession('a')).getState().metadata).toEqual({ owner: 'me' });
  });
});

describe('exportFile', () => {
  const date = new Date('2026-11-22T12:00:00Z');

  it('exports one session or all of them, for an import elsewhere', async () => {
    const store = createMemoryStore();
    const agent = createAgent({ client: createScriptedClient([]), store });
    for (const id of ['a', 'b']) {
      const session = await agent.openSession(agent.createSession({ id }));
      session.addMessage({ role: 'user', content: 'The header is {"format":"brooklet" here.' });
      await session.flushed();
    }
    const one = await exportFile(store, { sessionIds: ['b'], title: 'One', date });
    expect(one).toMatchObject({ sessions: 1, skipped: 0 });
    const all = await exportFile(store, { title: 'all', date });
    expect(all).toMatchObject({ sessions: 2, skipped: 0 });
    const report = await importSessions(createMemoryStore(), all.file);
    expect(new Map(report.imported.map(({ id, result }) => [id, result]))).toEqual(
      new Map([
        ['a', 'added'],
        ['b', 'added'],
      ]),
    );
    expect(await exportFile(store, { sessionIds: ['gone'], title: '', date })).toMatchObject({
      sessions: 0,
      skipped: 1,
    });
  });

  it.each([
    ['Plan: a walk / picnic?', 'brooklet-Plan-a-walk-picnic-2026-11-22.jsonl'],
    ['提醒我浇花', 'brooklet-提醒我浇花-2026-11-22.jsonl'],
    ['../..', 'brooklet-chat-2026-11-22.jsonl'],
  ])('names the file of %s so that every file system accepts it', (title, name) => {
    expect(fileName(title, date)).toBe(name);
  });
});
