import { createAgent } from 'brooklet';
import { expect, vi } from 'vitest';
import type * as Solution from '../solutions/openai-client.ts';

export async function check({ createClient }: typeof Solution): Promise<void> {
  const requests: { readonly url: string; readonly key: string | null; readonly body: string }[] = [];
  const noCredit = '{"error":{"message":"No.","code":"insufficient_quota"}}';
  vi.stubGlobal('fetch', (url: string, { headers, body }: RequestInit) => {
    requests.push({ url, key: new Headers(headers).get('authorization'), body: typeof body === 'string' ? body : '' });
    return Promise.resolve(new Response(noCredit, { status: 400 }));
  });
  let key = 'sk-first';
  const getKey = vi.fn(() => key);
  const agent = createAgent({ client: createClient(getKey) });
  expect(getKey).not.toHaveBeenCalled();
  const session = await agent.openSession(agent.createSession());
  await session.send('Hello');
  key = 'sk-second';
  await session.send('Hello again');

  expect(requests.map((request) => request.key)).toEqual(['Bearer sk-first', 'Bearer sk-second']);
  expect(requests[0]?.url).toMatch(/^https:\/\/api\.openai\.com\/v1\//);
  expect(requests[0]?.body).toContain('"gpt-5-mini"');
}
