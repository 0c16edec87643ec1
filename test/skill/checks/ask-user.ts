import { waitFor } from '@testing-library/dom';
import { createAgent, toolParts } from 'brooklet';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect } from 'vitest';
import type * as Solution from '../solutions/ask-user.ts';

export async function check({ createSeatTool }: typeof Solution): Promise<void> {
  const client = createScriptedClient([[reply.call('pick_seat', { free: ['12A', '14C'] })], [reply.text('Booked.')]]);
  const agent = createAgent({ client, tools: [createSeatTool()] });
  const session = await agent.openSession(agent.createSession());
  const booked = session.send('Book a seat.');
  await waitFor(() => expect(session.getStatus()).toBe('waiting'));

  const [pending] = agent.getPending();
  const callId = pending?.call?.callId ?? '';
  expect(JSON.stringify(pending?.call?.approval?.elicitation)).toContain('14C');
  await expect(session.answer(callId, '99Z')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  await session.answer(callId, '14C');
  await expect(booked).resolves.toMatchObject({ outcome: 'completed' });
  expect(session.getMessages().flatMap(toolParts)).toMatchObject([{ status: 'succeeded', output: { seat: '14C' } }]);
}
