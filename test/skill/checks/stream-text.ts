import { waitFor } from '@testing-library/dom';
import { createAgent } from 'brooklet';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect } from 'vitest';
import { createGate } from '../../support/gate.ts';
import type * as Solution from '../solutions/stream-text.ts';

export async function check({ follow }: typeof Solution): Promise<void> {
  const rest = createGate();
  const agent = createAgent({
    client: createScriptedClient([
      [reply.text('A small '), reply.until(rest.opened), reply.text('stream.')],
      [reply.text('Not shown.')],
    ]),
  });
  const session = await agent.openSession(agent.createSession());
  const shown: string[] = [];
  const stop = follow(session, (text) => void shown.push(text));
  expect(shown).toEqual([]);

  const answered = session.send('What is a brooklet?');
  await waitFor(() => expect(shown.at(-1)).toBe('A small '));
  rest.open();
  await answered;
  await waitFor(() => expect(shown.at(-1)).toBe('A small stream.'));
  expect(shown[0]).toBe('What is a brooklet?');

  stop();
  const count = shown.length;
  await session.send('And a brook?');
  expect(shown).toHaveLength(count);
}
