import { type ReactElement, type ReactNode, useContext, useMemo, useRef, useState } from 'react';
import type { EventKind, Review, ReviewView } from '../../review/index.ts';
import type { ElementRef } from '../base/ElementRef.ts';
import { BoardTop } from './BoardTop.tsx';
import { GoTo } from './GoTo.ts';
import { KeyHelp } from './KeyHelp.tsx';
import type { OnAnnotate, ReviewViewName, ReviewViewProps, ShownProps } from './props.ts';
import { reviewPart } from './reviewPart.ts';
import { useReviewTexts } from './reviewTexts.ts';
import { type ScaleName, scaleOf } from './scale.ts';
import { ShownView } from './ShownView.tsx';
import { Timeline } from './Timeline.tsx';
import { Transport } from './Transport.tsx';
import { TreeContext, type TreeEnv } from './tree/TreeContext.ts';
import { useReviewKeys } from './useReviewKeys.ts';
import { viewsOf } from './views.ts';
import { ViewTabs } from './ViewTabs.tsx';

type BoardProps = Omit<ShownProps, 'openSession' | 'onSession' | 'onAnnotate'> & {
  readonly onAnnotate: OnAnnotate | undefined;
  /** The outermost element. */
  readonly frame: ElementRef<HTMLDivElement>;
  /** The path from the root of the tree; empty for a root. */
  readonly path: ReactNode;
  /** Shows the session above. */
  readonly onUp: (() => void) | undefined;
  /** The view that the person has chosen; missing for the first that is offered. */
  readonly chosen: ReviewViewName | undefined;
  /** Called with the view that the person chooses. */
  readonly onView: (view: ReviewViewName) => void;
  readonly review: Review;
  readonly view: ReviewView;
};

const noNotes: NonNullable<ReviewViewProps['annotations']> = [];

/** The timeline of a session, and below it a view of one moment, or of all steps, calls, errors … */
export function Board(props: BoardProps): ReactElement {
  const { review, view, views, annotations = noNotes, onAnnotate, keys, isLive, slots, className } = props;
  const words = useReviewTexts();
  const offered = viewsOf(review, { views, annotations, onAnnotate });
  const [kinds, setKinds] = useState<readonly EventKind[]>();
  const { frame: root, path, onUp, chosen, onView } = props;
  const tree = useContext(TreeContext);
  const shown = offered.find(({ name }) => name === chosen)?.name ?? offered[0]?.name ?? 'moment';
  const [speed, setSpeed] = useState(1);
  const [scaleName, setScaleName] = useState<ScaleName>('events');
  const [marked, setMarked] = useState<number>();
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  /** Rises with each wish for a new note: its field takes the focus. */
  const [noteWishes, setNoteWishes] = useState(0);
  const search = useRef<HTMLInputElement>(null);
  const scale = useMemo(() => scaleOf(scaleName, review), [scaleName, review]);
  const step = review.stepAt(view.seq);
  const has = (name: ReviewViewName): boolean => offered.some((one) => one.name === name);

  const goTo = useMemo(
    () =>
      (seq: number): void => {
        review.goTo({ seq });
        onView('moment');
      },
    [review, onView],
  );
  const mark = (seq: number | undefined): void => {
    setMarked(seq);
    onView('compare');
  };
  useReviewKeys({
    review,
    kinds,
    speed,
    search,
    target: keys === 'page' ? undefined : root,
    views: offered,
    onView,
    onMark: has('compare') ? () => mark(view.seq) : undefined,
    onNote:
      has('notes') && onAnnotate !== undefined
        ? () => {
            onView('notes');
            setNoteWishes(noteWishes + 1);
          }
        : undefined,
    onOpen: tree && (() => openLast(review, view.seq, tree)),
    onUp,
    onHelp: () => setIsHelpOpen(true),
  });

  const changeSpeed = (next: number): void => {
    setSpeed(next);
    if (view.isPlaying) review.play({ speed: next });
  };

  return (
    <GoTo.Provider value={goTo}>
      <div {...reviewPart(className, shown)} ref={root}>
        {path}
        <BoardTop
          review={review}
          view={view}
          step={step}
          isLive={isLive}
          annotations={annotations}
          slots={slots}
          search={search}
          onHelp={() => setIsHelpOpen(true)}
        />
        {slots?.note}
        <section className="bk-review-time" aria-label={words.time.label}>
          <Transport
            review={review}
            view={view}
            kinds={kinds}
            speed={speed}
            onSpeed={changeSpeed}
            scale={scaleName}
            onScale={setScaleName}
          />
          <Timeline review={review} view={view} step={step} notes={annotations} scaleName={scaleName} scale={scale} />
        </section>
        {offered.length > 1 && <ViewTabs views={offered} value={shown} onChange={onView} />}
        <ShownView
          {...props}
          name={shown}
          step={step}
          annotations={annotations}
          kinds={kinds}
          onKinds={setKinds}
          marked={marked}
          onMark={mark}
          noteWishes={noteWishes}
          onNotes={() => onView('notes')}
        />
        {isHelpOpen && <KeyHelp onClose={() => setIsHelpOpen(false)} />}
      </div>
    </GoTo.Provider>
  );
}

/** Opens the session of the last call up to a moment that has one. */
function openLast(review: Review, seq: number, { open }: TreeEnv): void {
  const call = review.calls.findLast((one) => one.session !== undefined && one.seq <= seq);
  if (call?.session !== undefined) open(call.session);
}
