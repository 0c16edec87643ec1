/** @jsxImportSource preact */
import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { SessionEvent } from '../../core/model/event.ts';
import { EventPane } from '../../review/viewer/EventPane.tsx';
import { PaneButtons, type PaneName } from '../../review/viewer/Pane.tsx';
import { SearchBox } from '../../review/viewer/SearchBox.tsx';
import { SeenPane } from '../../review/viewer/SeenPane.tsx';
import { SentPane } from '../../review/viewer/SentPane.tsx';
import { Timeline } from '../../review/viewer/Timeline.tsx';
import { Transport } from '../../review/viewer/Transport.tsx';
import { useTexts } from '../../review/viewer/texts/use-texts.ts';
import { useKeys } from '../../review/viewer/use-keys.ts';
import { useView } from '../../review/viewer/use-view.ts';
import { useLogReview } from './use-log-review.ts';

/** The review of the session, as an exported file shows it. */
export function ReviewTab({ events }: { readonly events: readonly SessionEvent[] }): VNode {
  const { shown } = useTexts();
  const review = useLogReview(events);
  const view = useView(review);
  const board = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const [pane, setPane] = useState<PaneName>('seen');
  const [speed, setSpeed] = useState(1);
  useKeys({ review, search, speed, target: board });
  const step = review.stepAt(view.seq);
  return (
    <div class="review" data-pane={pane} ref={board}>
      <div class="time">
        <div class="top-row">
          <Transport review={review} view={view} speed={speed} onSpeed={setSpeed} />
          <SearchBox review={review} input={search} />
        </div>
        <Timeline review={review} view={view} current={step?.index} />
      </div>
      <div class="tabs" role="group" aria-label={shown}>
        <PaneButtons current={pane} onSelect={setPane} />
      </div>
      <div class="panes">
        <SeenPane state={view.state} />
        <SentPane step={step} />
        <EventPane review={review} view={view} />
      </div>
    </div>
  );
}
