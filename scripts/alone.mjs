// Which tests of Node and jsdom need a process of their own: those that change what another file would see. All others share the loaded
// modules of a worker; `test/setup.shared.ts` fails a file that changes a global all the same.

import { readFileSync } from 'node:fs';
import { root } from './manifest.mjs';
import { listTests } from './wants-browser.mjs';

/** Mocked modules, replaced or faked globals, and the database that is installed as one. */
const changes = [
  /\bvi\.(mock|doMock|resetModules|hoisted|stubGlobal|stubEnv|useFakeTimers|setSystemTime)\b/,
  /\bvi\.spyOn\((console|process|crypto|globalThis|indexedDB|navigator|\w+\.prototype)\b/,
  /\b(fake-indexeddb|faulty-indexeddb)\b/,
  /\bObject\.(assign|defineProperty)\(globalThis\b|\bglobalThis\.\w+ = |\bprocess\.env\.\w+ = /,
];

/** Files that see what the modules keep, or that change a global in a file that they import. */
const named = ['test/storage/planted-bugs.test.ts', 'test/storage/properties.test.ts'];

/** Live connections with time limits: work that an earlier file has left behind must not delay them. */
const connected = 'test/nats/';

/** Whether a test file, by its text, changes what other files see. @param {string} text */
export const changesGlobals = (text) => changes.some((change) => change.test(text));

/**
 * The test files of the project `node-alone` or `jsdom-alone`, as paths from the root.
 * @param {'ts' | 'tsx'} extension
 */
export const listAlone = (extension) =>
  listTests().filter(
    (file) =>
      file.endsWith(`.test.${extension}`) &&
      !file.includes('.browser.') &&
      !file.startsWith('test/e2e/') &&
      (named.includes(file) || file.startsWith(connected) || changesGlobals(readFileSync(`${root}${file}`, 'utf8'))),
  );
