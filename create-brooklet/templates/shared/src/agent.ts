import { createAgent } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';
import { client } from './client';
import { saveNote } from './tools';

/** Runs in the page; every conversation is stored in the browser. */
export const agent = createAgent({ client, tools: [saveNote], store: createIndexedDBStore() });
