import { type ReactElement, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { SessionEvent } from '../../core/model/event.ts';
import { type EventKind, eventKinds, kindOf } from '../../review/kind.ts';
import { eventSummary } from '../../ui/review/eventSummary.ts';
import { JsonText } from '../../ui/review/JsonText.tsx';
import { useReviewTexts } from '../../ui/review/reviewTexts.ts';
import { useDrawerTexts } from './texts/use-drawer-texts.ts';

/** Events that are listed: a longer list would block the page. */
const mostRows = 300;

/** The log as it grows, and one of its events as it is. */
export function LogTab({ events }: { readonly events: readonly SessionEvent[] }): ReactElement {
  const texts = useReviewTexts();
  const words = useDrawerTexts();
  const [kind, setKind] = useState<EventKind>();
  const [seq, setSeq] = useState<number>();
  const fitting = useMemo(() => (kind ? events.filter((one) => kindOf(one) === kind) : events), [events, kind]);
  const list = useScrolledToEnd(fitting);
  const selected = events.findLast((one) => one.seq === seq) ?? events.at(-1);
  return (
    <div className="split">
      <div className="side">
        <label className="bk-picker">
          <span>{texts.logged.events}</span>
          <select
            value={kind ?? 'all'}
            onChange={({ target }) => setKind(eventKinds.find((one) => one === target.value))}
          >
            <option value="all">{texts.logged.allKinds}</option>
            {eventKinds.map((one) => (
              <option key={one} value={one}>
                {texts.kinds[one]}
              </option>
            ))}
          </select>
        </label>
        {fitting.length > mostRows && <p className="bk-hint">{words.last(mostRows, fitting.length)}</p>}
        <ol className="bk-events" aria-label={texts.logged.events} ref={list}>
          {fitting.slice(-mostRows).map((event) => (
            <li key={event.seq}>
              <button
                type="button"
                className="bk-event"
                aria-current={event === selected ? 'true' : undefined}
                onClick={() => setSeq(event.seq)}
              >
                <span className="bk-event-seq">{event.seq}</span>
                <span className="bk-event-dot" data-kind={kindOf(event)} title={texts.kinds[kindOf(event)]} />
                <span className="bk-event-type">{event.type}</span>
                <bdi className="bk-event-summary">{eventSummary(event, texts)}</bdi>
                <span className="bk-time">{texts.formats.time(event.at)}</span>
              </button>
            </li>
          ))}
        </ol>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard */}
      <div className="main" tabIndex={0} role="group" aria-label={words.event}>
        {selected === undefined ? (
          <p className="bk-hint">{words.nothing}</p>
        ) : (
          <JsonText label={texts.logged.event} text={JSON.stringify(selected, null, 2)} />
        )}
      </div>
    </div>
  );
}

/** Keeps the end of a list in view, unless the person has scrolled up. */
function useScrolledToEnd(items: unknown): { readonly current: HTMLOListElement | null } {
  const list = useRef<HTMLOListElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    if (isAtEnd.current) element.scrollTop = element.scrollHeight;
    const note = (): void => {
      isAtEnd.current = element.scrollTop + element.clientHeight > element.scrollHeight - 32;
    };
    element.addEventListener('scroll', note);
    return () => element.removeEventListener('scroll', note);
  }, [items]);
  return list;
}
