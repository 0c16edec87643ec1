import { type Context, createContext, useContext, useMemo } from 'react';
import type { LabelOverrides, Overrides } from './english.ts';
import type { ListLabels } from './ListLabels.ts';

/** The texts of the parts within a `Chat`. */
export const LabelsContext: Context<LabelOverrides> = createContext<LabelOverrides>({});

/** Returns English texts with those of the `Chat` around the part, and with the part's own `labels`, in their place. */
export function useMerged<Texts extends object>(
  english: Texts,
  given: Partial<Texts> | undefined,
  own: Partial<Texts> | undefined,
): Texts {
  return useMemo(() => ({ ...english, ...given, ...own }), [english, given, own]);
}

/** Returns the texts of a part beside the chat, which brings its English ones: a page has the texts of the parts that it uses. */
export function useListLabels<Part extends keyof ListLabels>(
  part: Part,
  english: ListLabels[Part],
  own: Partial<ListLabels[Part]> | undefined,
): ListLabels[Part] {
  const given: Overrides<ListLabels> = useContext(LabelsContext);
  return useMerged<ListLabels[Part]>(english, given[part], own);
}
