import { createScriptedClient, reply } from 'brooklet/testing';
import { expect, vi } from 'vitest';
import type * as Solution from '../solutions/weather-tool.ts';

export async function check({ createWeatherAgent }: typeof Solution): Promise<void> {
  const lookUp = vi.fn(async (city: string) => {
    if (city !== 'Lima') throw new Error('No such city.');
    return 19;
  });
  const client = createScriptedClient([
    [reply.call('get_weather', { city: 'Lima' })],
    [reply.call('get_weather', { city: '' }), reply.call('get_weather', { city: 7 })],
    [reply.call('get_weather', { city: 'Atlantis' })],
    [reply.text('19 °C.')],
  ]);
  const agent = createWeatherAgent(client, lookUp);
  const session = await agent.openSession(agent.createSession());
  const { outcome } = await session.send('How warm is it in Lima?');

  expect(outcome).toBe('completed');
  expect(client.requests[0]?.tools).toMatchObject([{ name: 'get_weather' }]);
  expect(lookUp.mock.calls).toEqual([['Lima'], ['Atlantis']]);
  const last = client.requests.at(-1)?.messages.flatMap(({ content }) => content) ?? [];
  expect(last.filter(({ type }) => type === 'tool')).toMatchObject([
    { status: 'succeeded', output: { celsius: 19 } },
    { status: 'invalid' },
    { status: 'invalid' },
    { status: 'failed', output: expect.stringMatching(/another city/i) },
  ]);
}
