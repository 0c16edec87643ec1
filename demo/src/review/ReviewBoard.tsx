import type { EventKind, Review, ReviewView } from 'brooklet/review';
import { type ReactElement, useMemo, useRef, useState } from 'react';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { BoardTop } from './BoardTop.tsx';
import { CallsView } from './CallsView.tsx';
import { CompareView } from './CompareView.tsx';
import { ContextView } from './ContextView.tsx';
import { ErrorsView } from './ErrorsView.tsx';
import { GoTo } from './GoTo.ts';
import { KeyHelp } from './KeyHelp.tsx';
import { MomentView } from './MomentView.tsx';
import { NotesView } from './NotesView.tsx';
import { type ScaleName, scaleOf } from './scale.ts';
import { StepsView } from './StepsView.tsx';
import { Timeline } from './Timeline.tsx';
import { Transport } from './Transport.tsx';
import { UsageView } from './UsageView.tsx';
import type { Notes } from './useAnnotations.ts';
import { useReviewKeys } from './useReviewKeys.ts';
import { type ViewName, viewsOf } from './views.ts';
import { ViewTabs } from './ViewTabs.tsx';

interface ReviewBoardProps {
  readonly review: Review;
  readonly view: ReviewView;
  /** Missing for a file. */
  readonly sessionId: string | undefined;
  /** Why the log could not be read to its end. */
  readonly problem: string | undefined;
  readonly notes: Notes;
  /** Leaves the session for the choice of a file. */
  readonly onLeave: () => void;
}

/** The timeline of a session, and below it a view of one moment, or of all steps, calls, errors … */
export function ReviewBoard({ review, view, sessionId, problem, notes, onLeave }: ReviewBoardProps): ReactElement {
  const words = useReviewTexts();
  const [kinds, setKinds] = useState<readonly EventKind[]>();
  const [shown, setShown] = useState<ViewName>('moment');
  const [speed, setSpeed] = useState(1);
  const [scaleName, setScaleName] = useState<ScaleName>('events');
  const [marked, setMarked] = useState<number>();
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const scale = useMemo(() => scaleOf(scaleName, review), [scaleName, review]);
  const step = review.stepAt(view.seq);

  const goTo = useMemo(
    () =>
      (seq: number): void => {
        review.goTo({ seq });
        setShown('moment');
      },
    [review],
  );
  const mark = (seq: number | undefined): void => {
    setMarked(seq);
    setShown('compare');
  };
  useReviewKeys({
    review,
    kinds,
    speed,
    search,
    onView: setShown,
    onMark: () => mark(view.seq),
    onHelp: () => setIsHelpOpen(true),
  });

  const changeSpeed = (next: number): void => {
    setSpeed(next);
    if (view.isPlaying) review.play({ speed: next });
  };

  return (
    <GoTo value={goTo}>
      <div className="review">
        <BoardTop
          review={review}
          view={view}
          step={step}
          sessionId={sessionId}
          notes={notes}
          search={search}
          onHelp={() => setIsHelpOpen(true)}
          onLeave={onLeave}
        />
        {problem !== undefined && (
          <p className="strip" role="status">
            {problem}
          </p>
        )}
        <section className="review-time" aria-label={words.time}>
          <Transport
            review={review}
            view={view}
            kinds={kinds}
            speed={speed}
            onSpeed={changeSpeed}
            scale={scaleName}
            onScale={setScaleName}
          />
          <Timeline review={review} view={view} step={step} notes={notes.list} scaleName={scaleName} scale={scale} />
        </section>
        <ViewTabs views={viewsOf(review, notes.list.length)} value={shown} onChange={setShown} />
        {shown === 'moment' && (
          <MomentView
            review={review}
            view={view}
            step={step}
            kinds={kinds}
            onKinds={setKinds}
            notes={notes.list}
            onNotes={() => setShown('notes')}
          />
        )}
        {shown === 'steps' && <StepsView review={review} current={step} />}
        {shown === 'calls' && <CallsView review={review} />}
        {shown === 'usage' && <UsageView review={review} />}
        {shown === 'context' && <ContextView review={review} />}
        {shown === 'errors' && <ErrorsView review={review} />}
        {shown === 'notes' && <NotesView notes={notes} seq={view.seq} isFile={sessionId === undefined} />}
        {shown === 'compare' && (
          <CompareView review={review} view={view} sessionId={sessionId} marked={marked} onMark={mark} />
        )}
        {isHelpOpen && <KeyHelp onClose={() => setIsHelpOpen(false)} />}
      </div>
    </GoTo>
  );
}
