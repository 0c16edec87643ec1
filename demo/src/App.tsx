import { useObservable } from 'brooklet/react';
import { type ReactElement, Suspense } from 'react';
import { Parts } from './conversation/Parts.tsx';
import { encryption } from './base/encryption.ts';
import { getReviewPath, route$ } from './base/route.ts';
import { Gate, ReviewRoom } from './shell/rooms.ts';
import { Studio } from './shell/Studio.tsx';
import { useTexts } from './texts/useTexts.ts';
import { Toasts } from './toast/Toasts.tsx';
import { PageBoundary } from './ui/PageBoundary.tsx';

/** The page of the address: the conversations, or the review of one. */
export function App(): ReactElement {
  const { common } = useTexts();
  const path = useObservable(route$, getReviewPath);
  const page =
    path === undefined ? (
      <Studio />
    ) : (
      <PageBoundary shows={path}>
        <Suspense fallback={<p className="hint loading">{common.opening}</p>}>
          <ReviewRoom path={path} />
        </Suspense>
      </PageBoundary>
    );
  return (
    <Parts>
      {encryption === 'off' ? (
        page
      ) : (
        <Suspense fallback={null}>
          <Gate>{page}</Gate>
        </Suspense>
      )}
      <Toasts />
    </Parts>
  );
}
