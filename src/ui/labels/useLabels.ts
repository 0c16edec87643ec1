import { useContext } from 'react';
import { type ChatLabels, chatEnglish, type Overrides } from './english.ts';
import { LabelsContext, useMerged } from './LabelsContext.ts';

export { LabelsContext } from './LabelsContext.ts';

/** Returns the texts of a part of a chat: its own `labels`, else those of the `Chat` around it, else English. */
export function useLabels<Part extends keyof ChatLabels>(
  part: Part,
  own: Partial<ChatLabels[Part]> | undefined,
): ChatLabels[Part] {
  const given: Overrides<ChatLabels> = useContext(LabelsContext);
  return useMerged<ChatLabels[Part]>(chatEnglish[part], given[part], own);
}
