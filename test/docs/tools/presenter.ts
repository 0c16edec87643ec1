import { createAgent } from 'brooklet';
import { createPresenter } from 'brooklet/tools';

const present = createPresenter({ get_weather: (input) => ({ summary: `Weather in ${JSON.stringify(input.city)}` }) });
const agent = createAgent({ client, tools, present });

present('Edit', { file_path: 'a.ts', old_string: 'x', new_string: 'y' }, 'ok', false);
// { summary: 'Updated a.ts', details: { type: 'diff', filePath: 'a.ts', oldContent: 'x', newContent: 'y' } }

declare const client: LLMClient;
declare const tools: readonly Tool[];

// What the sample leaves to its page.
import type { LLMClient, Tool } from 'brooklet';

export { agent };
