import { type ReactElement, useContext } from 'react';
import { LabelsContext } from './labels/useLabels.ts';
import { PartsContext, useParts } from './parts.ts';
import type { PartsProviderProps } from './props.ts';

/**
 * Gives all parts within it their texts, and the page's own parts in the place of others; what it is not given is that of the provider around it.
 * `Chat` has one; a page that puts the parts together by itself needs it once. Keep both values outside of the component: new ones render all parts
 * again.
 *
 *     <PartsProvider labels={chinese} components={{ Markdown: MarkdownWithCode }}>
 *       <Thread chat={chat} />
 *     </PartsProvider>
 */
export function PartsProvider({ labels, components, children }: PartsProviderProps): ReactElement {
  const outerLabels = useContext(LabelsContext);
  const outerParts = useParts();
  return (
    <LabelsContext.Provider value={labels ?? outerLabels}>
      <PartsContext.Provider value={components ?? outerParts}>{children}</PartsContext.Provider>
    </LabelsContext.Provider>
  );
}
