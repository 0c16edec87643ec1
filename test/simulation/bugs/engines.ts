import { type Bugs, swap } from './bug.ts';

const commit = 'src/storage/indexeddb/commit.ts';
const disk = 'src/storage/disk.ts';

/** What loses sessions in one engine and not in another. */
export const engineBugs: Bugs = {
  'a delete beside a put': swap(
    commit,
    'if (expected) unheard([fences.put(null, expected)]);',
    'if (expected) unheard([fences.delete(expected)]);',
  ),
  'a write without commit()': swap(
    disk,
    '        put(transaction);\n        transaction.commit();',
    '        put(transaction);',
  ),
  'a read that stays open in pagehide': swap(
    disk,
    '          wasLeft = true;\n          abort(transaction);',
    "          if (mode === 'readonly') return;\n          wasLeft = true;\n          abort(transaction);",
  ),
  'a fence that a sleeper can pass': swap(
    'src/storage/indexeddb/clean-up.ts',
    'fences.delete(IDBKeyRange.bound([sessionId], live, false, true)),',
    'fences.delete(IDBKeyRange.bound([sessionId], live)),',
  ),
  'a reader that demands what a settled row covers': ['gapless', 'lost-events'].flatMap((file) =>
    swap(`src/storage/rows/${file}.ts`, 'const { since = event.seq } = event;', 'const since = event.seq;'),
  ),
};
