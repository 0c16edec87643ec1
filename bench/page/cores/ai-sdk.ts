import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Chat } from '@ai-sdk/react';
import { DirectChatTransport, ToolLoopAgent } from 'ai';
import { run } from '../core.ts';

await run(({ api, history }) => {
  const provider = createOpenAICompatible({ name: 'bench', baseURL: `${api}/v1`, apiKey: 'key' });
  const chat = new Chat({
    transport: new DirectChatTransport({ agent: new ToolLoopAgent({ model: provider('m') }) }),
    messages: history.map(({ id, role, text }) => ({ id, role, parts: [{ type: 'text', text }] })),
  });
  return (text) => chat.sendMessage({ text });
});
