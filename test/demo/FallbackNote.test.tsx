import { render, screen } from '@testing-library/react';
import { createAgent } from 'brooklet';
import { withFallback } from 'brooklet/llm';
import { useChat } from 'brooklet/react';
import { createScriptedClient, reply } from 'brooklet/testing';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import { Messages } from '../../demo/src/conversation/Messages.tsx';
import { around } from '../react/stage.tsx';

test('shows that the fallback model answered, and why', async () => {
  const client = withFallback([
    createScriptedClient(() => [reply.fail('OVERLOADED', 'The river is full.')]),
    createScriptedClient(() => [reply.text('I am the fallback.')]),
  ]);
  const agent = createAgent({ client });
  const session = await agent.openSession(agent.createSession());
  await session.send('Hi');
  function Page(): ReactElement {
    return <Messages chat={useChat({ sessionId: session.id })} />;
  }
  render(<Page />, { wrapper: around(agent) });
  expect(screen.getByText('Answered by the fallback model')).toBeTruthy();
  expect(screen.getByText(/The river is full\./)).toBeTruthy();
  expect(screen.getByText('I am the fallback.')).toBeTruthy();
});
