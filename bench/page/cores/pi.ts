import { run } from '../core.ts';
import { createPi } from '../pi.ts';

await run(({ api, history }) => {
  const agent = createPi(api, history);
  return (text) => agent.prompt(text);
});
