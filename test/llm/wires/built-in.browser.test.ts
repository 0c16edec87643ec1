import type { AgentError } from 'brooklet';
import { createBuiltInClient } from 'brooklet/llm';
import { expect, test } from 'vitest';

const client = createBuiltInClient({ languages: ['en'] });

test('reports in a real browser whether its model can answer, and errors with a message where it cannot', async () => {
  const state = await client.availability();
  expect(['missing', 'unavailable', 'downloadable', 'downloading', 'available']).toContain(state);
  if (state === 'available' || state === 'downloading') return;
  const request = {
    sessionId: 's',
    messages: [{ id: 'm', role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }], timestamp: 0 }],
  };
  const error = await new Promise<AgentError>((resolve) => {
    client.sendRequest(request).subscribe({ error: resolve });
  });
  expect(error.code).toBe(state === 'downloadable' ? 'MODEL_NOT_READY' : 'MODEL_NOT_FOUND');
});
