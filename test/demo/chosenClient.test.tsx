import { createMemoryStore } from 'brooklet/storage';
import { BehaviorSubject } from 'rxjs';
import { expect, test } from 'vitest';
import { createChosenClient } from '../../demo/src/agent/chosen.ts';

test('the client of a worker is locked while the key that pages hand it is', () => {
  const locked$ = new BehaviorSubject(true);
  const { meta } = createMemoryStore();
  if (meta === undefined) return expect.unreachable();
  const release = Object.assign(async () => 'a-key', { locked$ });
  const said: boolean[] = [];
  createChosenClient(meta, release).locked$?.subscribe((isLocked) => said.push(isLocked));
  locked$.next(false);
  expect(said).toEqual([true, false]);
  // A page may hand over a key that is never locked.
  expect(createChosenClient(meta, async () => 'a-key').locked$).toBeUndefined();
});
