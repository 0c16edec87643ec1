import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { current, when } from '../../../src/core/log/current.ts';
import { settled } from '../../support/manual-client.ts';

test('a current value is emitted to each subscriber, and then each new value once', () => {
  const changes = new Subject<void>();
  let value = 1;
  const seen: number[] = [];
  current(changes, () => value).subscribe((one) => seen.push(one));
  changes.next();
  value = 2;
  changes.next();
  changes.next();
  expect(seen).toEqual([1, 2]);
});

test('a wait ends with the first value that fits, and listens no more', async () => {
  const values = new Subject<number>();
  const waiting = when(values, (value) => value > 1);
  values.next(1);
  expect(values.observed).toBe(true);
  values.next(2);
  expect(await waiting).toBe(true);
  await settled();
  expect(values.observed).toBe(false);
});

test('a wait for a value that never came ends with the stream', async () => {
  const values = new Subject<number>();
  const waiting = when(values, (value) => value > 1);
  values.next(1);
  values.complete();
  expect(await waiting).toBe(false);
});
