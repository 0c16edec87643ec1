import { createAgent } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';
import { client } from './client';
import { saveNote } from './tools';

// One agent for the page. It stores conversations in this browser. Delete `client`, a script, and the page asks for an OpenAI key.
export const agent = createAgent({ client, tools: [saveNote], store: createIndexedDBStore() });
