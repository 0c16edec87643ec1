/** Code for test/scripts/mutate.test.ts, which changes its condition only. */
export function half(count: number): number {
  if (count < 0) throw new RangeError('A count is not negative.');
  return count / 2;
}
