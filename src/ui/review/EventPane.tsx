import { type ReactElement, useEffect, useMemo, useRef } from 'react';
import type { SessionEvent } from '../../core/model/index.ts';
import { type EventKind, eventKinds, kindOf, type Review, type ReviewView } from '../../review/index.ts';
import { CopyButton } from '../base/CopyButton.tsx';
import { eventSummary } from './eventSummary.ts';
import { JsonText } from './JsonText.tsx';
import { Pane } from './Pane.tsx';
import { reveal } from './reveal.ts';
import { useReviewTexts } from './reviewTexts.ts';

interface EventPaneProps {
  readonly review: Review;
  readonly view: ReviewView;
  /** The kinds of events that are listed; `undefined` for all. */
  readonly kinds: readonly EventKind[] | undefined;
  readonly onKinds: (kinds: readonly EventKind[] | undefined) => void;
}

/** Events that are listed before and after the position. */
const around = 12;

/** The events around the position, and the last one of them as it is in the log. */
export function EventPane({ review, view, kinds, onKinds }: EventPaneProps): ReactElement {
  const texts = useReviewTexts();
  const { logged: words } = texts;
  const list = useRef<HTMLOListElement>(null);
  const listed = useMemo(
    () => (kinds ? review.events.filter((event) => kinds.includes(kindOf(event))) : review.events),
    [review, kinds],
  );
  const index = listed.findLastIndex(({ seq }) => seq <= view.seq);
  const shown = listed.slice(Math.max(0, index - around), index + around + 1);
  const json = useMemo(() => (view.event === undefined ? '' : JSON.stringify(view.event, null, 2)), [view.event]);
  useEffect(() => reveal(list.current, '[aria-current]'), [view.seq, kinds]);

  return (
    <Pane
      name="event"
      title={words.title}
      shows={view}
      tools={json !== '' && <CopyButton label={words.copy} getText={() => json} />}
    >
      <label className="bk-picker">
        <span>{words.events}</span>
        <select
          value={kinds?.[0] ?? 'all'}
          onChange={({ target }) => {
            const chosen = eventKinds.filter((kind) => kind === target.value);
            onKinds(chosen.length > 0 ? chosen : undefined);
          }}
        >
          <option value="all">{words.allKinds}</option>
          {eventKinds.map((kind) => (
            <option key={kind} value={kind}>
              {texts.kinds[kind]}
            </option>
          ))}
        </select>
      </label>
      <ol ref={list} className="bk-events" aria-label={words.around}>
        {shown.map((event) => (
          <EventRow key={event.seq} event={event} isCurrent={event.seq === view.seq} review={review} />
        ))}
      </ol>
      {json !== '' && <JsonText label={words.event} text={json} />}
    </Pane>
  );
}

interface EventRowProps {
  readonly event: SessionEvent;
  readonly isCurrent: boolean;
  readonly review: Review;
}

function EventRow({ event, isCurrent, review }: EventRowProps): ReactElement {
  const texts = useReviewTexts();
  const kind = kindOf(event);
  return (
    <li>
      <button
        type="button"
        className="bk-event"
        aria-current={isCurrent ? 'true' : undefined}
        onClick={() => review.goTo({ seq: event.seq })}
      >
        <span className="bk-event-seq">{event.seq}</span>
        <span className="bk-event-dot" data-kind={kind} title={texts.kinds[kind]} />
        <span className="bk-event-type">{event.type}</span>
        <bdi className="bk-event-summary">{eventSummary(event, texts)}</bdi>
      </button>
    </li>
  );
}
