import { type ReactElement, useMemo, useState } from 'react';
import { compareReviews, createReview, type Review, type ReviewView } from '../../review/index.ts';
import { messageOf } from '../base/messageOf.ts';
import { Segments } from '../base/Segments.tsx';
import { View } from './Listing.tsx';
import { MomentChangesList } from './MomentChangesList.tsx';
import { nameOfMoment } from './nameOfMoment.ts';
import type { ComparedLog, ReviewViewProps } from './props.ts';
import { useReviewTexts } from './reviewTexts.ts';
import { StepPairs } from './StepPairs.tsx';

interface MomentsProps {
  readonly review: Review;
  readonly view: ReviewView;
  /** The event that was marked for a comparison. */
  readonly marked: number | undefined;
  readonly onMark: (seq: number | undefined) => void;
}

type CompareViewProps = MomentsProps & Pick<ReviewViewProps, 'renderCompare'>;

/** What differs between two moments of the session, or between the session and another one. */
export function CompareView({ renderCompare, ...moments }: CompareViewProps): ReactElement {
  const { compare: words } = useReviewTexts();
  const [what, setWhat] = useState<'moments' | 'sessions'>('moments');
  const whats = [
    { value: 'moments', label: words.moments },
    { value: 'sessions', label: words.sessions },
  ] as const;
  return (
    <View name={words.legend}>
      {renderCompare && <Segments legend={words.legend} options={whats} value={what} onChange={setWhat} />}
      {what === 'sessions' && renderCompare ? (
        <Sessions review={moments.review} renderCompare={renderCompare} />
      ) : (
        <Moments {...moments} />
      )}
    </View>
  );
}

function Moments({ review, view, marked, onMark }: MomentsProps): ReactElement {
  const texts = useReviewTexts();
  const { compare: words } = texts;
  const here = nameOfMoment(review, view.seq, texts);
  const there = useMemo(
    () => (marked === undefined ? '' : nameOfMoment(review, marked, texts)),
    [review, marked, texts],
  );
  return (
    <>
      <p className="bk-hint">{words.hint}</p>
      <div className="bk-bar">
        <button type="button" className="bk-button" onClick={() => onMark(view.seq)} aria-keyshortcuts="m">
          {words.mark(here)}
        </button>
        {marked !== undefined && (
          <span>
            {words.from} <strong>{marked <= view.seq ? there : here}</strong> {words.to}{' '}
            <strong>{marked <= view.seq ? here : there}</strong>
          </span>
        )}
        {marked !== undefined && (
          <button type="button" className="bk-button" data-state="quiet" onClick={() => onMark(undefined)}>
            {words.clear}
          </button>
        )}
      </div>
      {marked !== undefined && <MomentChangesList review={review} from={marked} to={view.seq} />}
    </>
  );
}

interface SessionsProps {
  readonly review: Review;
  readonly renderCompare: NonNullable<ReviewViewProps['renderCompare']>;
}

function Sessions({ review, renderCompare }: SessionsProps): ReactElement {
  const [other, setOther] = useState<ComparedLog>();
  const [problem, setProblem] = useState<string>();
  const changes = useMemo(
    () => other && compareReviews(review, 'view$' in other.log ? other.log : createReview(other.log)),
    [review, other],
  );
  const compare = (loading: Promise<ComparedLog>): void => {
    setProblem(undefined);
    loading.then(setOther, (thrown: unknown) => setProblem(messageOf(thrown)));
  };
  return (
    <>
      <div className="bk-bar">{renderCompare(compare)}</div>
      {problem !== undefined && (
        <p className="bk-bad" role="alert">
          {problem}
        </p>
      )}
      {other && changes && <StepPairs changes={changes} title={other.title} />}
    </>
  );
}
