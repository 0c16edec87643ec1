import { type AgentSession, createAgent } from 'brooklet';
import { useChat } from 'brooklet/react';
import { createScriptedClient, reply } from 'brooklet/testing';
import { act, fireEvent, render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import { ContextMeter } from '../../demo/src/conversation/ContextMeter.tsx';
import { Messages } from '../../demo/src/conversation/Messages.tsx';
import { Parts } from '../../demo/src/conversation/Parts.tsx';
import { around } from '../react/stage.tsx';

const words = (text: string): number => text.split(/\s+/).filter(Boolean).length;

function Shown({ session }: { readonly session: AgentSession }): ReactElement {
  const chat = useChat({ sessionId: session.id });
  return (
    <Parts>
      <Messages chat={chat} />
    </Parts>
  );
}

test('marks a compaction, undoes it on a click, and keeps showing all messages', { timeout: 60_000 }, async () => {
  const client = createScriptedClient(({ messages }) => [
    reply.text(JSON.stringify(messages[0]).includes('You write the summary') ? 'They talked about boats.' : 'Yes.'),
  ]);
  const agent = createAgent({ client, contextWindow: 1_000, context: { countTokens: words } });
  const session = agent.getSession(agent.createSession());
  if (session === undefined) throw new Error('no session');
  for (let n = 1; n <= 16; n++)
    session.addMessage({ role: n % 2 ? 'user' : 'assistant', content: `number ${n} ${'boat '.repeat(45)}` });
  render(
    <>
      <ContextMeter session={session} showAbove={0} />
      <Shown session={session} />
    </>,
    { wrapper: around(agent) },
  );
  await act(() => session.send('And now?'));

  const rows = screen.getAllByRole('listitem').length;
  expect(screen.getByText(/everything above is summed up/).textContent).toMatch(/8\d\d → \d{3} tokens/);
  expect(screen.getByText('They talked about boats.')).toBeTruthy();
  const inUse = (): number => Number.parseInt(screen.getByRole('button', { name: /^Context/ }).textContent, 10);
  const compacted = inUse();
  fireEvent.click(screen.getByText('Undo'));
  expect(screen.queryByText(/everything above is summed up/)).toBeNull();
  expect(screen.getAllByRole('listitem')).toHaveLength(rows);
  expect(inUse()).toBeGreaterThan(compacted);
});
