import { createAgent } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';

// One agent for the page. It stores conversations in this browser, and gets its model when there is a key.
export const agent = createAgent({ store: createIndexedDBStore() });
