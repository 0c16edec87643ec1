import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { root } from '../../scripts/manifest.mjs';
import { mutated } from '../../scripts/mutation.mjs';
import { bugs as ofReplica } from '../replica/bugs.ts';
import { bugs as ofHostile } from '../replica/hostile-bugs.ts';
import { bugs } from './bugs/index.ts';
import { bugs as ofTrees } from './tree/bugs.ts';

// A landing that reaches them plants them: without this test, a line that has changed since would be noticed there only.
test('each planted bug fits the sources', () => {
  const changes = [bugs, ofTrees, ofReplica, ofHostile].flatMap((list) => Object.values(list)).flat();
  expect(changes.length).toBeGreaterThan(80);
  for (const change of changes) expect(() => mutated(readFileSync(root + change.file, 'utf8'), change)).not.toThrow();
});
