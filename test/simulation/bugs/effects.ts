import { type Bugs, swap } from './bug.ts';

const execute = 'src/core/tools/execute.ts';
const decide = 'src/core/tools/decide.ts';
const commit = 'src/storage/indexeddb/commit.ts';

const toolBugs: Bugs = {
  'a tool runs before its start is stored': swap(execute, "await env.flush('strict');", ''),
  'the model’s own input is used although a person has edited it': swap(
    execute,
    'call.editedInput ?? call.input ?? {}',
    'call.input ?? {}',
  ),
  'a tool that needs approval runs without': swap(decide, '|| (await checked.needsApproval())', ''),
};

const storeBugs: Bugs = {
  'nobody looks what a write builds on': [
    {
      file: commit,
      swaps: [
        ['if (fence[1] !== expectedSeq || (expectedWriteId ?? fence[2]) !== fence[2]) throw conflict();', ''],
        [
          'if (expected) unheard([fences.put(null, expected)]);',
          'unheard([fences.delete(IDBKeyRange.bound([sessionId, 0], [sessionId, []]))]);',
        ],
        ['if (isSame) return fences.put(sessionId, expected);', ''],
      ],
    },
  ],
  'what a write replaces stays': swap(commit, 'if (ranges.length === 0) return;', 'if (ranges.length >= 0) return;'),
  'nobody looks what more of a text builds on': [
    {
      file: commit,
      swaps: [
        [
          '{ sessionId, summary, writeId }: RowsWrite,\n  expected: FenceKey | undefined,\n): Promise<unknown> {',
          "{ sessionId, summary, writeId, phase, expectedSeq }: RowsWrite,\n  expected: FenceKey | undefined,\n): Promise<unknown> {\n  if (phase === 'streaming' && expectedSeq > 0) return Promise.resolve();",
        ],
        [
          'if (expected) unheard([fences.put(null, expected)]);',
          'unheard([fences.delete(IDBKeyRange.bound([sessionId, 0], [sessionId, []]))]);',
        ],
      ],
    },
  ],
  'of events in one row those are told again that are known': swap(
    'src/storage/rows/to-log.ts',
    'else if (value.seq > after) events.push(value);',
    'else events.push(value);',
  ),
  'the memory store takes any write': swap(
    'src/storage/memory.ts',
    '(session?.summary.seq ?? 0) !== expectedSeq || !isExpected || hasDuplicate',
    'hasDuplicate',
  ),
};

export const effectBugs: Bugs = { ...toolBugs, ...storeBugs };
