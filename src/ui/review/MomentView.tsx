import { type ReactElement, useState } from 'react';
import type { Annotation, EventKind, Review, ReviewStep, ReviewView } from '../../review/index.ts';
import { EventPane } from './EventPane.tsx';
import { type PaneName, PaneTabs } from './Pane.tsx';
import type { ReviewViewProps } from './props.ts';
import { RequestPane } from './RequestPane.tsx';
import { useReviewTexts } from './reviewTexts.ts';
import { SeenPane } from './SeenPane.tsx';

interface MomentViewProps extends Pick<ReviewViewProps, 'renderRequest'> {
  readonly review: Review;
  readonly view: ReviewView;
  readonly step: ReviewStep | undefined;
  readonly kinds: readonly EventKind[] | undefined;
  readonly onKinds: (kinds: readonly EventKind[] | undefined) => void;
  readonly notes: readonly Annotation[];
  readonly onNotes: () => void;
}

/** Three views of one moment: the person's, the model's, and the log's. */
export function MomentView(props: MomentViewProps): ReactElement {
  const { review, view, step, kinds, onKinds, notes, onNotes, renderRequest } = props;
  const words = useReviewTexts();
  const [pane, setPane] = useState<PaneName>('seen');
  const here = notes.filter(({ seq }) => seq === view.seq);
  return (
    <section className="bk-moment" data-pane={pane} aria-label={words.views.moment}>
      {here.length > 0 && (
        <div className="bk-notes-here">
          {here.map(({ id, text, userName }) => (
            <p key={id} dir="auto">
              {userName !== undefined && <strong>{userName}: </strong>}
              {text}
            </p>
          ))}
          <button type="button" className="bk-moment-link" onClick={onNotes}>
            {words.notes.all}
          </button>
        </div>
      )}
      <PaneTabs value={pane} onChange={setPane} />
      <div className="bk-panes">
        <SeenPane state={view.state} />
        <RequestPane step={step} renderRequest={renderRequest} />
        <EventPane review={review} view={view} kinds={kinds} onKinds={onKinds} />
      </div>
    </section>
  );
}
