import { Announcer, PartsProvider } from 'brooklet/ui';
import type { ReactElement, ReactNode } from 'react';
import { useLabelsOfParts } from '../texts/labels.ts';

/** For the whole page: the texts of the parts of a chat, and the only live region. */
export function Parts({ children }: { readonly children: ReactNode }): ReactElement {
  return (
    <PartsProvider labels={useLabelsOfParts()}>
      <Announcer session={undefined}>{children}</Announcer>
    </PartsProvider>
  );
}
