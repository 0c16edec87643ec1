import { createAgent } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';
import { client } from './client';
import { saveNote } from './tools';

/**
 * Stores conversations in this browser. `client` is a script. Connect a model instead:
 *
 *     import { createProviderClient, openai } from 'brooklet/providers';
 *
 *     let key = '';
 *     const client = createProviderClient(openai, {
 *       model: 'gpt-5-mini',
 *       apiKey: () => (key ||= prompt('Your OpenAI API key') ?? ''),
 *     });
 */
export const agent = createAgent({ client, tools: [saveNote], store: createIndexedDBStore() });
