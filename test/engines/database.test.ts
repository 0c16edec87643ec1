import { describe, expect, it } from 'vitest';
import type { EngineName } from '../../scripts/find-engines.mjs';
import { during } from '../e2e/support/stage.ts';
import { servePage } from './support/site.ts';
import { engines, startEngine } from './support/start-engine.ts';

const site = servePage('floor');

/** Where a write calls `commit()`: after its last request, in the callback of the request that may fail, or nowhere. */
type Commit = 'at once' | 'in the callback' | 'never';

/**
 * Writes a row beside an `add` that fails, since its key is taken. Resolves with how the transaction ended, and whether the other row is stored.
 *
 * @param isLast whether the `add` is the last request
 */
async function writeBesideFailure(commit: Commit, isLast: boolean): Promise<string> {
  const name = `refused ${crypto.randomUUID()}`;
  const opening = indexedDB.open(name, 1);
  opening.addEventListener('upgradeneeded', () => {
    opening.result.createObjectStore('fences').put('taken', 1);
    opening.result.createObjectStore('rows');
  });
  const database = await new Promise<IDBDatabase>((resolve) =>
    opening.addEventListener('success', () => resolve(opening.result)),
  );
  const transaction = database.transaction(['fences', 'rows'], 'readwrite');
  let failure = 'none';
  const add = (): IDBRequest => {
    const request = transaction.objectStore('fences').add('late', 1);
    request.addEventListener('error', () => (failure = request.error?.name ?? 'unnamed'));
    return request;
  };
  const put = (): IDBRequest => transaction.objectStore('rows').put('a row', 1);
  if (commit === 'in the callback') {
    add().addEventListener('success', () => {
      put();
      transaction.commit();
    });
  } else {
    for (const request of isLast ? [put, add] : [add, put]) request();
    if (commit === 'at once') transaction.commit();
  }
  const end = await new Promise<string>((resolve) => {
    transaction.addEventListener('complete', () => resolve('complete'));
    transaction.addEventListener('abort', () => resolve(`abort by ${transaction.error?.name}`));
  });
  const count = database.transaction('rows').objectStore('rows').count();
  await new Promise((resolve) => count.addEventListener('success', resolve));
  database.close();
  return `${end}, request ${failure}, ${count.result} rows`;
}

const aborted = 'abort by ConstraintError, request ConstraintError, 0 rows';

/** The same once `commit()` was called: [requests follow the one that fails, it is the last]. */
const committed: Readonly<Record<EngineName, readonly [string, string]>> = {
  chromium: [aborted, aborted],
  firefox: ['complete, request ConstraintError, 1 rows', 'abort by AbortError, request ConstraintError, 0 rows'],
  webkit: [withoutReason(), withoutReason()],
  'webkit-disk': [withoutReason(), withoutReason()],
};

function withoutReason(): string {
  return 'abort by undefined, request ConstraintError, 0 rows';
}

/**
 * What the engines do with a write one of whose requests fails. By the specification each of them aborts the transaction, with the error of the request.
 * Once `commit()` was called, Firefox 153 completes it, unless the request that fails is the last one: a compare-and-set by a failing `add` refuses
 * nothing where requests follow it. And only Chromium gives the transaction the error of the request.
 */
describe.each(engines)('the database of %s', (name) => {
  const engine = during(
    () => startEngine(name),
    (its) => its.close(),
  );

  it.each<[Commit, boolean, string]>([
    ['never', false, aborted],
    ['never', true, aborted],
    ['in the callback', false, aborted],
    ['at once', false, committed[name][0]],
    ['at once', true, committed[name][1]],
  ])('ends a write beside an add that fails (commit %s, the add is last: %s): %s', async (commit, isLast, end) => {
    const tab = await engine().open();
    await tab.goto(site());
    for (let time = 0; time < 10; time++) expect(await tab.run(writeBesideFailure, commit, isLast)).toBe(end);
    await tab.close();
  });
});
