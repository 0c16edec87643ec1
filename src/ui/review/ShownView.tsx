import type { ReactElement } from 'react';
import type { Annotation, EventKind, Review, ReviewStep, ReviewView } from '../../review/index.ts';
import { CallsView } from './CallsView.tsx';
import { CompareView } from './CompareView.tsx';
import { ContextView } from './ContextView.tsx';
import { ErrorsView } from './ErrorsView.tsx';
import { MomentView } from './MomentView.tsx';
import { NotesView } from './NotesView.tsx';
import type { OnAnnotate, ReviewViewName, ReviewViewProps } from './props.ts';
import { StepsView } from './StepsView.tsx';
import { UsageView } from './UsageView.tsx';

interface ShownViewProps extends Pick<ReviewViewProps, 'costOf' | 'renderRequest' | 'renderCompare'> {
  readonly onAnnotate: OnAnnotate | undefined;
  readonly name: ReviewViewName;
  readonly review: Review;
  readonly view: ReviewView;
  readonly step: ReviewStep | undefined;
  readonly annotations: readonly Annotation[];
  readonly kinds: readonly EventKind[] | undefined;
  readonly onKinds: (kinds: readonly EventKind[] | undefined) => void;
  /** The event that was marked for a comparison. */
  readonly marked: number | undefined;
  readonly onMark: (seq: number | undefined) => void;
  readonly noteWishes: number;
  readonly onNotes: () => void;
}

/** The view that is chosen. */
export function ShownView(props: ShownViewProps): ReactElement {
  const { name, review, view, step, annotations, onAnnotate } = props;
  switch (name) {
    case 'moment':
      return (
        <MomentView
          review={review}
          view={view}
          step={step}
          kinds={props.kinds}
          onKinds={props.onKinds}
          notes={annotations}
          onNotes={props.onNotes}
          renderRequest={props.renderRequest}
        />
      );
    case 'steps':
      return <StepsView review={review} current={step} />;
    case 'calls':
      return <CallsView review={review} />;
    case 'usage':
      return <UsageView review={review} costOf={props.costOf} />;
    case 'context':
      return <ContextView review={review} />;
    case 'errors':
      return <ErrorsView review={review} />;
    case 'notes':
      return (
        <NotesView
          review={review}
          list={annotations}
          seq={view.seq}
          onAnnotate={onAnnotate}
          wishes={props.noteWishes}
        />
      );
    case 'compare':
      return (
        <CompareView
          review={review}
          view={view}
          marked={props.marked}
          onMark={props.onMark}
          renderCompare={props.renderCompare}
        />
      );
  }
}
