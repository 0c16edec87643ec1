import { useObservable } from 'brooklet/react';
import { type ReactElement, Suspense } from 'react';
import { encryption } from './encryption/setting.ts';
import { getReviewPath, getSharedPath, route$ } from './route.ts';
import { Gate, ReviewRoom, SharedRoom } from './shell/rooms.ts';
import { Studio } from './shell/Studio.tsx';
import { useTexts } from './texts/useTexts.ts';
import { Toasts } from './toast/Toasts.tsx';
import { PageBoundary } from './ui/PageBoundary.tsx';

/** The page of the address: the conversations, or the review of one. */
export function App(): ReactElement {
  const { common } = useTexts();
  const path = useObservable(route$, getReviewPath);
  const shared = useObservable(route$, getSharedPath);
  const page =
    path === undefined && shared === undefined ? (
      <Studio />
    ) : (
      <PageBoundary shows={path ?? shared}>
        <Suspense fallback={<p className="hint loading">{common.opening}</p>}>
          {shared === undefined ? <ReviewRoom path={path ?? ''} /> : <SharedRoom path={shared} />}
        </Suspense>
      </PageBoundary>
    );
  return (
    <>
      {encryption === 'off' ? (
        page
      ) : (
        <Suspense fallback={null}>
          <Gate>{page}</Gate>
        </Suspense>
      )}
      <Toasts />
    </>
  );
}
