/** Code for test/scripts/mutate.test.ts, which changes it. */
export const isSmall = (count: number): boolean => count < 3;
