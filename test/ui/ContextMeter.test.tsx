import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type AgentOptions, type AgentSession, createAgent } from 'brooklet';
import { createScriptedClient, reply } from 'brooklet/testing';
import { chinese, ContextMeter, type ContextMeterProps } from 'brooklet/ui';
import { StrictMode } from 'react';
import { describe, expect, it } from 'vitest';

const client = createScriptedClient(({ messages }) => {
  const isSummary = messages.some(({ content }) => JSON.stringify(content).includes('ummar'));
  return [reply.text(isSummary ? 'They spoke of a brook.' : 'A brook runs on and on. '.repeat(40))];
});

async function open(options: Partial<AgentOptions> = {}, turns = 2): Promise<AgentSession> {
  const agent = createAgent({ client, contextWindow: 2_000, maxTokens: 200, ...options });
  const session = await agent.openSession(agent.createSession());
  for (let turn = 0; turn < turns; turn++) await session.send(`Question ${turn}`);
  return session;
}

const show = (session: AgentSession | undefined, props: Partial<ContextMeterProps> = {}) =>
  render(
    <StrictMode>
      <ContextMeter session={session} {...props} />
    </StrictMode>,
  );

const meter = (): HTMLElement | null => screen.queryByRole('button', { name: /^Context/ });

describe('ContextMeter', () => {
  it('is shown above a share of the window only', async () => {
    const session = await open();
    const { rerender } = show(session, { showAbove: 0 });
    await waitFor(() => expect(meter()).toBeTruthy());
    const percent = Number(/\d+/.exec(meter()?.textContent ?? '')?.[0]);
    expect(percent).toBeGreaterThan(5);
    expect(percent).toBeLessThan(95);
    rerender(<ContextMeter session={session} showAbove={(percent + 1) / 100} />);
    expect(meter()).toBeNull();
    rerender(<ContextMeter session={session} showAbove={(percent - 1) / 100} />);
    expect(meter()?.textContent).toBe(`${percent} %`);
  });

  it('shows nothing without a session, and where no window is known', async () => {
    const agent = createAgent({ client });
    const session = await agent.openSession(agent.createSession());
    await session.send('Hello');
    const { container, rerender } = show(undefined, { showAbove: 0 });
    expect(container.innerHTML).toBe('');
    rerender(<ContextMeter session={session} showAbove={0} />);
    expect(container.innerHTML).toBe('');
  });

  it('grows with the conversation', async () => {
    const session = await open({}, 1);
    show(session, { showAbove: 0 });
    await waitFor(() => expect(meter()).toBeTruthy());
    const before = Number.parseInt(meter()?.textContent ?? '', 10);
    await act(async () => void (await session.send('And then?')));
    await waitFor(() => expect(Number.parseInt(meter()?.textContent ?? '', 10)).toBeGreaterThan(before));
  });

  it('shows of what the context consists and what happens next, and closes by Escape', async () => {
    const session = await open();
    show(session, { showAbove: 0 });
    await waitFor(() => expect(meter()).toBeTruthy());
    const person = userEvent.setup();
    await person.click(meter()!);
    const panel = within(screen.getByRole('dialog', { name: 'Context' }));
    expect(panel.getByText('Messages')).toBeTruthy();
    expect(panel.getByText(/What the model reads with your next message\. After .* more tokens/)).toBeTruthy();
    expect(panel.getByText('Tokens written')).toBeTruthy();
    await person.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(meter());
  });

  it('compacts now, lists what was compacted, and undoes it', async () => {
    const session = await open({}, 3);
    show(session, { showAbove: 0 });
    await waitFor(() => expect(meter()).toBeTruthy());
    const person = userEvent.setup();
    await person.click(meter()!);
    await person.click(screen.getByRole('button', { name: 'Sum up now' }));
    const undo = await screen.findByRole('button', { name: /^Undo: .* tokens$/ });
    expect(session.getContext()?.compactions).toHaveLength(1);
    await person.click(undo);
    await waitFor(() => expect(session.getContext()?.compactions).toHaveLength(0));
    expect(screen.queryByText('Summed up')).toBeNull();
  });

  it('says why nothing could be compacted', async () => {
    const session = await open({}, 0);
    show(session, { showAbove: -1 });
    await waitFor(() => expect(meter()).toBeTruthy());
    const person = userEvent.setup();
    await person.click(meter()!);
    await person.click(screen.getByRole('button', { name: 'Sum up now' }));
    expect((await screen.findByRole('alert')).textContent).toContain('The last summary failed.');
    expect(screen.getByRole('button', { name: 'Sum up now' }).getAttribute('aria-disabled')).toBe('false');
  });

  it('lists pinned messages, and unpins them', async () => {
    const session = await open();
    const [first] = session.getMessages();
    session.pin(first?.id ?? '');
    show(session, { showAbove: 0, compacts: false });
    await waitFor(() => expect(meter()).toBeTruthy());
    const person = userEvent.setup();
    await person.click(meter()!);
    expect(screen.getByText(/a message that does not fit is refused/)).toBeTruthy();
    await person.click(screen.getByRole('button', { name: 'Unpin “Question 0”' }));
    await waitFor(() => expect(screen.queryByText('Pinned messages')).toBeNull());
    expect(session.getContext()?.pinned).toEqual([]);
  });

  it('is in the language of its labels', async () => {
    show(await open(), { showAbove: 0, labels: chinese.context });
    expect(await screen.findByRole('button', { name: /^上下文：已用 \d+ %$/ })).toBeTruthy();
  });
});
