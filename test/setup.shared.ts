import { afterAll, vi } from 'vitest';
import { restoreAll } from './support/restore-all.ts';

/** What other files of the worker see: globals, variables of the environment, the folder, fake timers, handlers of errors. */
function look(): ReadonlyMap<string, unknown> {
  const globals = Object.entries(Object.getOwnPropertyDescriptors(globalThis))
    // The test runner's own, and those of libraries, which load once.
    .filter(([name]) => !/^(__?vi|__zod_|\$ark$)/u.test(name))
    .map(([name, { get, value }]) => [`globalThis.${name}`, get ?? value] as const);
  const variables = Object.entries(process.env).map(([name, value]) => [`process.env.${name}`, value] as const);
  return new Map<string, unknown>([
    ...globals,
    ...variables,
    ['process.cwd()', process.cwd()],
    ['fake timers', vi.isFakeTimers()],
    ['listeners of unhandledRejection', process.listenerCount('unhandledRejection')],
    ['listeners of uncaughtException', process.listenerCount('uncaughtException')],
  ]);
}

// Node replaces the getters of some globals by their values at the first use.
for (const name of Object.getOwnPropertyNames(globalThis)) {
  // A page's storage, which Node has only with an option.
  if (!name.endsWith('Storage')) Reflect.get(globalThis, name);
}

const before = look();

// The worker's other files must not see what this file did. A file that replaces modules runs alone: scripts/alone.mjs.
afterAll(async () => {
  restoreAll();
  // A module that is still being loaded fails when the environment ends, also for the next file, which shares it.
  await vi.dynamicImportSettled();
  const after = look();
  const names = new Set([...before.keys(), ...after.keys()]);
  const changed = [...names].filter((name) => !Object.is(before.get(name), after.get(name)));
  if (changed.length > 0) throw new Error(`This file leaves changed for the files after it: ${changed.join(', ')}`);
});
