import type { ReactElement } from 'react';
import { Lists } from '../Lists.tsx';
import { ReviewPage } from './ReviewPage.tsx';

/** The review with what its lists of sessions need. */
export function ReviewRoom({ path }: { readonly path: string }): ReactElement {
  return (
    <Lists>
      <ReviewPage path={path} />
    </Lists>
  );
}
