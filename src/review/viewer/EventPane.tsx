/** @jsxImportSource preact */
import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { SessionEvent } from '../../core/model/event.ts';
import type { Review } from '../create-review.ts';
import { type EventKind, kindOf } from '../kind.ts';
import type { ReviewView } from '../player.ts';
import { toJsonText } from './format.ts';
import { KindSelect } from './KindSelect.tsx';
import { Pane } from './Pane.tsx';
import { textFor } from './texts/text-for.ts';
import { useTexts } from './texts/use-texts.ts';

interface EventPaneProps {
  readonly review: Review;
  readonly view: ReviewView;
}

/** Events that are listed before and after the position. */
const around = 12;

/** The events around the position, and the last one of them as it is in the log. */
export function EventPane({ review, view }: EventPaneProps): VNode {
  const texts = useTexts();
  const [kind, setKind] = useState<EventKind>();
  const listed = useMemo(
    () => (kind ? review.events.filter((event) => kindOf(event) === kind) : review.events),
    [review, kind],
  );
  const index = listed.findLastIndex(({ seq }) => seq <= view.seq);
  const shown = listed.slice(Math.max(0, index - around), index + around + 1);
  return (
    <Pane name="raw" title={texts.logged}>
      <KindSelect kind={kind} onSelect={setKind} />
      <ol class="events" aria-label={texts.around}>
        {shown.map((event) => (
          <li key={event.seq}>
            <EventRow event={event} isCurrent={event.seq === view.seq} review={review} />
          </li>
        ))}
      </ol>
      {view.event && <pre>{toJsonText(texts, view.event)}</pre>}
    </Pane>
  );
}

interface EventRowProps {
  readonly event: SessionEvent;
  readonly isCurrent: boolean;
  readonly review: Review;
}

function EventRow({ event, isCurrent, review }: EventRowProps): VNode {
  const { kinds } = useTexts();
  const row = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    <button
      ref={row}
      type="button"
      {...(isCurrent && { 'aria-current': 'true' })}
      onClick={() => review.goTo({ seq: event.seq })}
    >
      <span>{event.seq}</span> <span>{event.type}</span> <span class="kind">{textFor(kinds, kindOf(event))}</span>
    </button>
  );
}
