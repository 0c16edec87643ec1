// Loads the code that is changed before the first test: what runs while a module is loaded cannot be switched, and is no part of a test.

import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';
import { restoreAll } from '../../test/support/restore-all.ts';

const { MUTATE_SOURCES = '' } = process.env;
const sources: object = JSON.parse(readFileSync(MUTATE_SOURCES, 'utf8'));
await Promise.all(Object.keys(sources).map((file) => import(file)));

// A mutant may prevent a file from tidying up.
afterAll(restoreAll);
