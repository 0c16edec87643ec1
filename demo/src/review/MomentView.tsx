import type { Annotation, EventKind, Review, ReviewStep, ReviewView } from 'brooklet/review';
import { type ReactElement, useState } from 'react';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { EventPane } from './EventPane.tsx';
import { PaneTabs, type PaneName } from './PaneTabs.tsx';
import { RequestPane } from './RequestPane.tsx';
import { SeenPane } from './SeenPane.tsx';

interface MomentViewProps {
  readonly review: Review;
  readonly view: ReviewView;
  readonly step: ReviewStep | undefined;
  readonly kinds: readonly EventKind[] | undefined;
  readonly onKinds: (kinds: readonly EventKind[] | undefined) => void;
  readonly notes: readonly Annotation[];
  readonly onNotes: () => void;
}

/** Three views of one moment: the person's, the model's, and the log's. */
export function MomentView({ review, view, step, kinds, onKinds, notes, onNotes }: MomentViewProps): ReactElement {
  const words = useReviewTexts();
  const [pane, setPane] = useState<PaneName>('seen');
  const here = notes.filter(({ seq }) => seq === view.seq);
  return (
    <main className="moment" data-pane={pane} aria-label={words.views.moment}>
      {here.length > 0 && (
        <div className="notes-here">
          {here.map(({ id, text, userName }) => (
            <p key={id}>
              {userName !== undefined && <strong>{userName}: </strong>}
              {text}
            </p>
          ))}
          <button type="button" className="link" onClick={onNotes}>
            {words.notes.all}
          </button>
        </div>
      )}
      <PaneTabs value={pane} onChange={setPane} />
      <div className="review-panes">
        <SeenPane state={view.state} />
        <RequestPane step={step} />
        <EventPane review={review} view={view} kinds={kinds} onKinds={onKinds} />
      </div>
    </main>
  );
}
