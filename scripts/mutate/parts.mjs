// What `npm run mutate` changes, and which tests must notice it.

/** @typedef {{ readonly code: readonly string[], readonly tests: readonly string[] }} Part */

/** @type {(folder: string, names: string) => string[]} */
const files = (folder, names) => names.split(' ').map((name) => `src/${folder}/${name}.ts`);

const behaviour = 'test/behaviour/*.test.ts';
// sync-model.test.ts takes a minute and finds little that the others do not.
const model = 'test/core/model/!(sync-model).test.ts';

/** @type {Readonly<Record<string, Part>>} */
const parts = {
  model: {
    code: files('core/model', 'next evolve parts status change call-status recover find-call'),
    tests: [model],
  },
  writes: {
    code: files('core/model', 'sync-writes rebase rewrite write-id coalesce alternatives'),
    tests: [model],
  },
  sync: {
    code: files('core/model', 'sync sync-reads sync-lease sync-state'),
    tests: ['test/core/model/sync{,-reads,-lease,-writes}.test.ts', 'test/core/log/*.test.ts'],
  },
  content: {
    code: files(
      'core/model',
      'call copy-json fingerprint hash message-text message partial-json read-json replay retell salvage snapshot tool-result upcast usage',
    ),
    tests: [model, behaviour],
  },
  shapes: {
    code: files(
      'core/model/shapes',
      'annotation-shape fields input-shape message-shape part-shape read-input settings-shape shape verb-shape',
    ),
    tests: ['test/behaviour/{door,tool-door,verbs}.test.ts', 'test/storage/{files,forged-imports,mask}.test.ts'],
  },
  log: {
    code: files('core/log', 'current frame-pacer lock-place log memory-replica pending-replica replica store-replica'),
    tests: ['test/core/log/*.test.ts', behaviour],
  },
  run: {
    code: files('core/session', 'run runs run-results run-settings perform reply decisions branching guard tabs'),
    tests: ['test/core/session/*.test.ts', behaviour],
  },
  commit: {
    code: files('storage/indexeddb', 'commit transaction-done gapless lost-events rows to-rows'),
    tests: [
      'test/storage/indexeddb/{commit,gapless,lost-events,rows,to-rows,storage-errors}.test.ts',
      'test/storage/odd-rows.test.ts',
    ],
  },
  packing: {
    code: files('storage/indexeddb', 'pack pack-rows unpack removal'),
    tests: ['test/storage/indexeddb/*.test.ts'],
  },
};

/**
 * The part with this name.
 *
 * @param {string} name
 */
export function chosenPart(name) {
  const part = parts[name];
  if (part === undefined) throw new Error(`The parts are ${Object.keys(parts).join(', ')}, and not ${name}.`);
  return part;
}
