import { HttpAgent } from '@ag-ui/client';
import { run } from '../core.ts';

await run(({ api, history }) => {
  const agent = new HttpAgent({
    url: `${api}/agui`,
    initialMessages: history.map(({ id, role, text }) => ({ id, role, content: text })),
  });
  return (text) => {
    agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: text });
    return agent.runAgent();
  };
});
