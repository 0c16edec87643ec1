import { configure, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Agent, createAgent } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect, test } from 'vitest';
import { newSession } from '../react/stage.tsx';
import { showConversation } from './showConversation.tsx';

// The machine may be busy, and lazily loaded chunks come over the network here.
configure({ asyncUtilTimeout: 15_000 });

const client = createScriptedClient(() => [reply.text('Hello to you.')]);

/** An agent whose store has lost two events of a session. */
async function stage(): Promise<{ readonly agent: Agent; readonly sessionId: string }> {
  const store = createMemoryStore();
  const stored = newSession(createAgent({ client, store }));
  await stored.send('Hello');
  await stored.flushed();
  const read: typeof store.read = async (id, ...rest) => {
    const found = await store.read(id, ...rest);
    return found && (id === stored.id ? { ...found, damage: '2 of its events' } : found);
  };
  return { agent: createAgent({ client, store: { ...store, read } }), sessionId: stored.id };
}

test('a damaged conversation says once what can be done, shows what is left, and continues in a copy', async () => {
  const { agent, sessionId } = await stage();
  showConversation(agent, sessionId);
  const note = await screen.findByText(/A part of this conversation is damaged/u);
  expect(note.textContent).not.toContain(sessionId);
  expect(screen.getAllByText(/damaged/u)).toHaveLength(1);
  expect(screen.queryByText(/fork/u)).toBeNull();
  await screen.findByText('Hello to you.');
  expect(screen.getByRole('button', { name: 'Send' }).hasAttribute('disabled')).toBe(true);
  expect(screen.getByRole('link', { name: 'New chat' }).getAttribute('href')).toBe('#/');

  await userEvent.click(screen.getByRole('button', { name: 'Continue in a copy' }));
  await waitFor(() => expect(location.hash).toMatch(/^#\/s\/.+/u));
  const copyId = location.hash.slice('#/s/'.length);
  expect(copyId).not.toBe(sessionId);
  const copy = await agent.openSession(copyId);
  expect(copy.getMessages()).toHaveLength(2);
  expect((await copy.send('Go on')).outcome).toBe('completed');
});

test('a conversation that is not here says so, and offers a new chat', async () => {
  showConversation(createAgent({ client, store: createMemoryStore() }), 'gone');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('This conversation is not in this browser');
  location.hash = '#/s/gone';
  within(alert).getByRole('button', { name: 'New chat' }).click();
  expect(location.hash).toBe('#/');
});
