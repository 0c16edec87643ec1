import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { AgentError, createAgent, type SessionStore } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { Chat } from 'brooklet/ui';
import { filter, firstValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { heldOf } from '../../src/ui/thread/heldOf.ts';
import { pay, paying } from './paying.ts';
import { findMessage, untilChat } from './stage.tsx';

const card = (container: HTMLElement) => container.querySelector('[data-part=tool-call]');

/** Stores a conversation whose call waits for a decision, as a page leaves it behind. */
async function leave(store: SessionStore): Promise<string> {
  const agent = createAgent({ client: paying(), store, tools: [pay] });
  const session = await agent.openSession(agent.createSession());
  void session.send('Pay');
  await firstValueFrom(session.approvals$.pipe(filter((approvals) => approvals.length > 0)));
  await session.flushed();
  await agent.dispose();
  return session.id;
}

describe('a call that is approved while no key is set', () => {
  it('waits for the key, names what helps, and runs once the person resumes with one', async () => {
    const store = createMemoryStore();
    const sessionId = await leave(store);
    const agent = createAgent({ store, tools: [pay] });
    let opened = 0;
    const { container } = render(<Chat agent={agent} sessionId={sessionId} onSettings={() => opened++} />);
    const person = userEvent.setup();
    await person.click(await screen.findByRole('button', { name: 'Approve' }));
    await untilChat(container, 'failed');

    expect(card(container)?.querySelector('.bk-spinner')).toBeNull();
    expect(card(container)?.querySelector('.bk-tool-summary')?.textContent).toBe('Waiting for a key');
    const notice = container.querySelector('[data-part=run-notice]')?.textContent;
    expect(notice).toContain('Choose one, then resume.');
    expect(notice).toContain('When you resume, “Pay bill” runs.');
    await person.click(screen.getByRole('button', { name: 'Open settings' }));
    expect(opened).toBe(1);

    act(() => agent.setClient(paying()));
    expect(card(container)?.querySelector('.bk-tool-summary')?.textContent).toBe('Not run yet');
    expect(screen.queryByText('No model is chosen')).toBeNull();
    await person.click(screen.getByRole('button', { name: 'Resume' }));
    await findMessage('Thank you.');
    expect(card(container)?.getAttribute('data-state')).toBe('succeeded');
  });
});

describe('what a call that has not started waits for', () => {
  const chat = { status: 'failed', hasClient: true, isLoading: false } as const;
  const error = (code: 'MISSING_CLIENT' | 'AUTHENTICATION_LOCKED' | 'NETWORK_ERROR') =>
    new AgentError('It failed.', { code });

  it.each([
    ['the key, where it is locked', { ...chat, error: error('AUTHENTICATION_LOCKED') }, 'key'],
    ['the key, where there is no model', { ...chat, hasClient: false, error: error('MISSING_CLIENT') }, 'key'],
    ['that the person resumes, once there is a model', { ...chat, error: error('MISSING_CLIENT') }, 'resume'],
    ['that the person resumes, after another failure', { ...chat, error: error('NETWORK_ERROR') }, 'resume'],
    ['that the person resumes, after a stop', { ...chat, status: 'idle', error: undefined }, 'resume'],
    ['nothing, while a run is under way', { ...chat, status: 'running', error: undefined }, undefined],
    ['nothing, while another call waits', { ...chat, status: 'waiting', error: undefined }, undefined],
    ['nothing, while the session is being opened', { ...chat, isLoading: true, error: undefined }, undefined],
  ] as const)('%s', (_, of, held) => {
    expect(heldOf(of)).toBe(held);
  });
});
