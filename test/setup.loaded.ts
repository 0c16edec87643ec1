import { createMemoryStore } from 'brooklet/storage';
import { replicationFor } from '../src/core/session/replication.ts';

// Loads the code that a store brings, as a page has it by the time a person acts. test/behaviour/pending.test.ts tests the time before.
await replicationFor(createMemoryStore()).load();
