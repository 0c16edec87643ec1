import type { EventKind, Review, ReviewView } from 'brooklet/review';
import { type ReactElement, useRef, useState } from 'react';
import { reviewHref, sessionHref } from '../route.ts';
import { Icon } from '../ui/Icon.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { EventPane } from './EventPane.tsx';
import { momentMarkdown } from './momentMarkdown.ts';
import { PaneTabs, type PaneName } from './PaneTabs.tsx';
import { RequestPane } from './RequestPane.tsx';
import { SearchBox } from './SearchBox.tsx';
import { SeenPane } from './SeenPane.tsx';
import { Timeline } from './Timeline.tsx';
import { Transport } from './Transport.tsx';
import { useReviewKeys } from './useReviewKeys.ts';

interface ReviewBoardProps {
  readonly review: Review;
  readonly view: ReviewView;
  /** Missing for a file. */
  readonly sessionId: string | undefined;
  /** Why the log could not be read to its end. */
  readonly problem: string | undefined;
}

/** The timeline of a session, and three views of one moment: the person's, the model's, and the log's. */
export function ReviewBoard({ review, view, sessionId, problem }: ReviewBoardProps): ReactElement {
  const [kinds, setKinds] = useState<readonly EventKind[]>();
  const [pane, setPane] = useState<PaneName>('seen');
  const [speed, setSpeed] = useState(1);
  const search = useRef<HTMLInputElement>(null);
  useReviewKeys({ review, kinds, speed, search });
  const step = review.stepAt(view.seq);
  const href = sessionId === undefined ? undefined : reviewHref({ sessionId, seq: view.seq });

  return (
    <div className="review" data-pane={pane}>
      <header className="review-top">
        <a
          className="review-link"
          href={sessionHref(sessionId)}
          aria-label="Back to the conversation"
          title="Back to the conversation"
        >
          <Icon name="stepBack" />
        </a>
        <h1>
          <bdi>{view.state.title || 'Untitled'}</bdi>
          <small>Review, read-only</small>
        </h1>
        <SearchBox review={review} input={search} />
        {sessionId !== undefined && (
          <a className="review-link" href={reviewHref({})} aria-label="Open a file" title="Open a file">
            <Icon name="file" />
          </a>
        )}
        <CopyButton label="Copy this moment as Markdown" getText={() => momentMarkdown(view, step)} />
        {href !== undefined && (
          <a className="review-link" href={href} title="The address of this moment">
            <Icon name="link" />
            <span>Link to #{view.seq}</span>
          </a>
        )}
      </header>
      {problem !== undefined && (
        <p className="strip" role="status">
          {problem}
        </p>
      )}
      <section className="review-time" aria-label="Time">
        <Transport review={review} view={view} kinds={kinds} speed={speed} onSpeed={setSpeed} />
        <Timeline review={review} view={view} step={step} />
      </section>
      <PaneTabs value={pane} onChange={setPane} />
      <main className="review-panes">
        <SeenPane state={view.state} />
        <RequestPane step={step} />
        <EventPane review={review} view={view} kinds={kinds} onKinds={setKinds} />
      </main>
    </div>
  );
}
