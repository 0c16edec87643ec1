import { chatCode } from '../src/core/session/load-chat.ts';
import { runSteps } from '../src/core/session/load-steps.ts';
import { replicationFor } from '../src/core/session/replication.ts';
// Not `brooklet/storage`: this file is loaded before every test file.
import { createMemoryStore } from '../src/storage/memory.ts';

// Loads the code of runs, and the code that a store brings, as a page has them by the time a person acts. test/behaviour/pending.test.ts tests
// the time before.
await Promise.all([runSteps.load(), chatCode.load(), replicationFor(createMemoryStore()).load()]);
