import { createAgent, defineTool, extractTextContent } from 'brooklet';
import { expect, vi } from 'vitest';
import { z } from 'zod';
import type * as Solution from '../solutions/test-client.ts';

export async function check({ createTestClient }: typeof Solution): Promise<void> {
  const execute = vi.fn(({ a, b }: { readonly a: number; readonly b: number }) => a + b);
  const input = z.object({ a: z.number(), b: z.number() });
  const add = defineTool({ name: 'add', description: 'Adds two numbers.', input, execute });
  const agent = createAgent({ client: createTestClient(), tools: [add] });
  const session = await agent.openSession(agent.createSession());
  const { outcome, message } = await session.send('What is 1 + 2?');
  expect(outcome).toBe('completed');
  expect(execute.mock.calls.map(([numbers]) => numbers)).toEqual([{ a: 1, b: 2 }]);
  expect(session.getMessages()).toHaveLength(3);
  expect(message && extractTextContent(message)).toBe('The sum is 3.');
}
