import fc from 'fast-check';
import { expect } from 'vitest';

/** What a property has met: how many times each of its subjects. */
export interface Subjects<Name extends string> {
  met(name: Name): void;
  /** Fails unless each subject was met at least so many times in each hundred cases. */
  expectIn(cases: number): void;
}

/**
 * Counts what a property is about. A property that never meets its subject holds for nothing.
 *
 * @param atLeast by subject: how many times in a hundred cases
 */
export function countSubjects<Name extends string>(atLeast: Readonly<Record<Name, number>>): Subjects<Name> {
  const counts = new Map<string, number>();
  return {
    met: (name) => void counts.set(name, (counts.get(name) ?? 0) + 1),
    expectIn(cases) {
      const short = Object.entries<number>(atLeast).filter(
        ([name, least]) => (counts.get(name) ?? 0) < Math.max(1, Math.floor((least * cases) / 100)),
      );
      expect(
        short.map(([name, least]) => `${name}: met ${counts.get(name) ?? 0} times, ${least} in a hundred`),
      ).toEqual([]);
    },
  };
}

/**
 * Asserts a property, and that its cases have met its subjects.
 *
 * @param atLeast by subject: how many times in a hundred cases
 * @param toProperty takes a function to call with each subject that a case meets
 */
export function assertMeeting<Name extends string, Values>(
  atLeast: Readonly<Record<Name, number>>,
  toProperty: (met: (name: Name) => void) => fc.IProperty<Values>,
  parameters: fc.Parameters<Values> & { readonly numRuns: number },
): void {
  const subjects = countSubjects(atLeast);
  fc.assert(toProperty(subjects.met), parameters);
  subjects.expectIn(parameters.numRuns);
}
