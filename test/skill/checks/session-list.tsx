import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createAgent } from 'brooklet';
import { AgentProvider } from 'brooklet/react';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect } from 'vitest';
import type * as Solution from '../solutions/session-list.tsx';

export async function check({ Sessions }: typeof Solution): Promise<void> {
  const client = createScriptedClient([[reply.text('With a can.')], [reply.text('With an otter.')]]);
  const agent = createAgent({ client, store: createMemoryStore() });
  const ids: string[] = [];
  for (const text of ['Water the plants', 'Play outside']) {
    const session = await agent.openSession(agent.createSession());
    await session.send(text);
    await session.flushed();
    ids.push(session.id);
  }
  const opened: string[] = [];
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AgentProvider agent={agent}>
        <Sessions onOpen={(id) => void opened.push(id)} />
      </AgentProvider>
    </QueryClientProvider>,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Water the plants' }));
  expect(opened).toEqual(ids.slice(0, 1));

  // A word of the answer, which is not in the title.
  await userEvent.type(screen.getByRole('textbox', { name: 'Search' }), 'otter');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Water the plants' })).toBeNull());
  const found = await screen.findByRole('button', { name: 'Play outside' });
  const row = found.parentElement ?? document.body;
  await userEvent.click(within(row).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Play outside' })).toBeNull());
  expect((await agent.store?.list())?.sessions.map(({ id }) => id)).toEqual(ids.slice(0, 1));
}
