import type { ReactElement } from 'react';
import { LabelsContext } from './labels/useLabels.ts';
import { PartsContext } from './parts.ts';
import type { Components, PartsProviderProps } from './props.ts';

const noParts: Components = {};
const noLabels = {};

/**
 * Gives all parts within it their texts, and the page's own parts in the place of others. `Chat` has one; a page that puts the parts together by
 * itself needs it once. Keep both values outside of the component: new ones render all parts again.
 *
 *     <PartsProvider labels={chinese} components={{ Markdown: MarkdownWithCode }}>
 *       <Thread chat={chat} />
 *     </PartsProvider>
 */
export function PartsProvider({ labels = noLabels, components = noParts, children }: PartsProviderProps): ReactElement {
  return (
    <LabelsContext.Provider value={labels}>
      <PartsContext.Provider value={components}>{children}</PartsContext.Provider>
    </LabelsContext.Provider>
  );
}
