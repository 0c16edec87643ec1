import { render, screen } from '@testing-library/react';
import { type AgentSession, createAgent, type LLMChunk, type LLMClient } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { of } from 'rxjs';
import { expect, test } from 'vitest';
import { costOfAnswer } from '../../demo/src/model/costs.ts';
import { UsageSection } from '../../demo/src/settings/UsageSection.tsx';
import { around } from '../react/stage.tsx';

/** A model that reads 1,000,000 tokens and writes 500,000 for each answer. */
const clientOf = (model: string): LLMClient => ({
  sendRequest: () =>
    of<LLMChunk[]>(
      { type: 'text', text: 'Yes.' },
      { type: 'usage', usage: { input: 1_000_000, output: 500_000 } },
      { type: 'finish', reason: 'stop', model },
    ),
});

function create() {
  return createAgent({
    client: clientOf('gpt-5-mini'),
    store: createMemoryStore(),
    contextWindow: 10_000,
    context: { cost: costOfAnswer, countTokens: (text) => text.length },
    instructions: 'Be brief.',
  });
}

async function talk(session: AgentSession, client?: LLMClient): Promise<void> {
  await session.send('Hello?', client && { client });
  await session.flushed();
}

/** The figures below a heading, by name. */
const figures = (heading: HTMLElement): Readonly<Record<string, string>> => {
  const list = heading.nextElementSibling ?? expect.unreachable('the figures');
  return Object.fromEntries(
    [...list.querySelectorAll('div')].map((row) => [
      row.querySelector('dt')?.textContent ?? '',
      row.querySelector('dd')?.textContent ?? '',
    ]),
  );
};

test('shows the tokens and the cost of this conversation and of all, and where a price is unknown', async () => {
  const agent = create();
  const [here, there] = [agent.createSession(), agent.createSession()];
  await talk(await agent.openSession(here));
  await talk(await agent.openSession(there));
  render(<UsageSection sessionId={here} />, { wrapper: around(agent) });
  // $0.25 and $2 for a million tokens.
  const one = { 'Input tokens': '1M', 'Output tokens': '500K', Cost: '$1.25' };
  expect(figures(await screen.findByText('This conversation'))).toEqual(one);
  const all = await screen.findByText('All conversations');
  await expect
    .poll(() => figures(all))
    .toEqual({
      Conversations: '2',
      'Input tokens': '2M',
      'Output tokens': '1M',
      Cost: '$2.50',
    });
});

test('states a cost at least, and an unknown one, where a model has no known price', async () => {
  const agent = create();
  const [here, there] = [agent.createSession(), agent.createSession()];
  await talk(await agent.openSession(here), clientOf('of-my-own'));
  await talk(await agent.openSession(there));
  render(<UsageSection sessionId={here} />, { wrapper: around(agent) });
  expect(figures(await screen.findByText('This conversation')).Cost).toBe('unknown');
  await expect.poll(() => figures(screen.getByText('All conversations')).Cost).toBe('at least $1.25');
});
