import { englishReview } from 'brooklet/ui';
import { lazy, type ReactElement, use } from 'react';
import { Lists } from '../base/Lists.tsx';
import { reviewEn } from '../texts/en/review.ts';
import { loadReviewLabels, loadReviewZh, ReviewLabelsContext, ReviewTextsContext } from '../texts/reviewTexts.ts';
import { useTexts } from '../texts/useTexts.ts';
import { ReviewPage } from './ReviewPage.tsx';

const SharedRoom = lazy(async () => ({ default: (await import('./shared/SharedRoom.tsx')).SharedRoom }));

/** The beginning of the path of a shared conversation. */
const shared = 'shared/';

/** The review with what its lists of sessions need, in the language of the page. Suspends while its texts are loaded. */
export function ReviewRoom({ path }: { readonly path: string }): ReactElement {
  const { locale } = useTexts();
  return (
    <ReviewTextsContext value={locale === 'en' ? reviewEn : use(loadReviewZh())}>
      <ReviewLabelsContext value={locale === 'en' ? englishReview : use(loadReviewLabels())}>
        <Lists>
          {path.startsWith(shared) ? <SharedRoom path={path.slice(shared.length)} /> : <ReviewPage path={path} />}
        </Lists>
      </ReviewLabelsContext>
    </ReviewTextsContext>
  );
}
