import type { ReactElement } from 'react';
import { Lists } from '../Lists.tsx';
import { SharedRoom } from '../shell/laterRooms.ts';
import { ReviewPage } from './ReviewPage.tsx';

/** The beginning of the path of a shared conversation. */
const shared = 'shared/';

/** The review with what its lists of sessions need. */
export function ReviewRoom({ path }: { readonly path: string }): ReactElement {
  return (
    <Lists>
      {path.startsWith(shared) ? <SharedRoom path={path.slice(shared.length)} /> : <ReviewPage path={path} />}
    </Lists>
  );
}
