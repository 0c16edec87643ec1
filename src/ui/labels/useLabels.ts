import { type Context, createContext, useContext, useMemo } from 'react';
import { english, type LabelOverrides, type Labels } from './english.ts';

/** The texts of the parts within a `Chat`. */
export const LabelsContext: Context<LabelOverrides> = createContext<LabelOverrides>({});

/** Returns the texts of a part: its own `labels`, else those of the `Chat` around it, else English. */
export function useLabels<Part extends keyof Labels>(part: Part, own: Partial<Labels[Part]> | undefined): Labels[Part] {
  const given = useContext(LabelsContext)[part];
  return useMemo(() => ({ ...english[part], ...given, ...own }), [part, given, own]);
}
