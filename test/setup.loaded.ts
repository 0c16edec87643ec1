import { createMemoryStore } from 'brooklet/storage';
import { loadSteps } from '../src/core/session/engine.ts';
import { replicationFor } from '../src/core/session/replication.ts';

// Loads the code of runs, and the code that a store brings, as a page has them by the time a person acts. test/behaviour/pending.test.ts tests
// the time before.
await Promise.all([loadSteps(), replicationFor(createMemoryStore()).load()]);
