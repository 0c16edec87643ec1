import { act, renderHook } from '@testing-library/react';
import { createAgent } from 'brooklet';
import { createMemoryStore, exportSession } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect, it } from 'vitest';
import { getRemoved, removeSession } from '../../demo/src/sessions/actions.ts';
import { useImport } from '../../demo/src/sessions/useImport.ts';

const choices = { conflict: 'skip', restoreRemoved: false } as const;

it('brings back a session that was removed a moment ago, before a list was read without it', async () => {
  const store = createMemoryStore();
  const agent = createAgent({ client: createScriptedClient([reply.text('Yes.')]), store });
  const id = agent.createSession();
  await agent.getSession(id)?.send('Is it there?');
  await agent.getSession(id)?.flushed();
  const stored = await store.read(id);
  if (!stored) throw new Error('The session was not stored.');
  const file = new Blob([exportSession(stored)]);
  removeSession(agent, { id, title: 'It' });
  await agent.removed(id);
  expect(getRemoved()).toContain(id);

  const { result } = renderHook(() => useImport(store));
  await act(() => result.current.check(file, choices));
  expect(getRemoved()).toContain(id);
  expect(await act(() => result.current.store(file, choices))).toBe(1);
  expect(getRemoved()).not.toContain(id);
});
