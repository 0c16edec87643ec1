import { act, fireEvent, render, screen } from '@testing-library/react';
import { AgentError, type AgentSession, createAgent, type SessionStore } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect, test } from 'vitest';
import { StorageNotice } from '../../demo/src/conversation/StorageNotice.tsx';
import { closeOverlay, getOverlay } from '../../demo/src/base/overlay.ts';
import { around } from '../react/stage.tsx';

/** A session whose writes fail with this error. */
async function showFailed(error: AgentError): Promise<AgentSession> {
  const memory = createMemoryStore();
  const write = async (): Promise<never> => {
    throw error;
  };
  const store: SessionStore = { ...memory, write };
  const agent = createAgent({ client: createScriptedClient(() => [reply.text('Yes.')]), store });
  const session = agent.getSession(agent.createSession()) ?? expect.unreachable('a session');
  render(<StorageNotice session={session} onCopy={() => {}} />, { wrapper: around(agent) });
  const sent = session.send('Hello?');
  await act(() => sent);
  return session;
}

test('says that the storage is full in the words of the page, and opens its settings', async () => {
  await showFailed(new AgentError('The storage is full: remove sessions.', { code: 'QUOTA_EXCEEDED' }));
  const strip = await screen.findByText(/the storage of this browser is full/u);
  expect(strip.textContent).toContain('Delete conversations');
  expect(strip.textContent).not.toContain('sessions');
  fireEvent.click(screen.getByText('Open the storage settings'));
  expect(getOverlay()).toEqual({ is: 'settings', section: 'storage' });
  closeOverlay();
});

test('says why else a conversation is not saved', async () => {
  await showFailed(new AgentError('The disk is away.', { code: 'STORAGE_FAILED' }));
  expect((await screen.findByText(/Not saved/u)).textContent).toContain('The disk is away.');
  expect(screen.queryByText('Open the storage settings')).toBeNull();
});
