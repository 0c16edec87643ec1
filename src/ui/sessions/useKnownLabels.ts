import { useEffect, useMemo, useState } from 'react';
import type { SessionSummary } from '../../index.ts';
import { allLabelsOf } from './labelsOf.ts';

const none: readonly string[] = [];

/**
 * Returns the labels that are offered: those of the page, or of the listed sessions. A filtered list has not all of them: those of the list
 * before stay.
 */
export function useKnownLabels(
  given: readonly string[] | undefined,
  listed: readonly SessionSummary[],
  isFiltered: boolean,
): readonly string[] {
  const here = useMemo(() => given ?? allLabelsOf(listed), [given, listed]);
  const [before, setBefore] = useState(none);
  const isWhole = !isFiltered && given === undefined;
  useEffect(() => {
    if (isWhole) setBefore(here);
  }, [isWhole, here]);
  return useMemo(
    () => (isFiltered && given === undefined ? [...new Set([...before, ...here])] : here),
    [isFiltered, given, before, here],
  );
}
