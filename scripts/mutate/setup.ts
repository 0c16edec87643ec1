// Loads the code that is changed before the first test: what runs while a module is loaded cannot be switched, and is no part of a test.

import { readFileSync } from 'node:fs';

const { MUTATE_SOURCES = '' } = process.env;
const sources: object = JSON.parse(readFileSync(MUTATE_SOURCES, 'utf8'));
await Promise.all(Object.keys(sources).map((file) => import(file)));
