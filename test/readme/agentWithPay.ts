import { createAgent } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';
import { pay } from './pay';

export const agent = createAgent({ tools: [pay], store: createIndexedDBStore() });
