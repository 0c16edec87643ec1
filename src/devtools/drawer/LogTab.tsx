/** @jsxImportSource preact */
import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { SessionEvent } from '../../core/model/event.ts';
import { type EventKind, kindOf } from '../../review/kind.ts';
import { toJsonText } from '../../review/viewer/format.ts';
import { KindSelect } from '../../review/viewer/KindSelect.tsx';
import { textFor } from '../../review/viewer/texts/text-for.ts';
import { useTexts } from '../../review/viewer/texts/use-texts.ts';
import { useDrawerTexts } from './texts/use-drawer-texts.ts';

/** Events that are listed: a longer list would block the page. */
const mostRows = 300;

/** The log as it grows, and one of its events as it is. */
export function LogTab({ events }: { readonly events: readonly SessionEvent[] }): VNode {
  const texts = useTexts();
  const words = useDrawerTexts();
  const [kind, setKind] = useState<EventKind>();
  const [seq, setSeq] = useState<number>();
  const fitting = useMemo(() => (kind ? events.filter((one) => kindOf(one) === kind) : events), [events, kind]);
  const list = useScrolledToEnd(fitting);
  const selected = events.findLast((one) => one.seq === seq) ?? events.at(-1);
  return (
    <div class="split">
      <div class="side">
        <KindSelect kind={kind} onSelect={setKind} />
        {fitting.length > mostRows && <p class="hint">{words.last(mostRows, fitting.length)}</p>}
        <ol class="events" aria-label={texts.events} ref={list}>
          {fitting.slice(-mostRows).map((event) => (
            <li key={event.seq}>
              <button
                type="button"
                {...(event === selected && { 'aria-current': 'true' })}
                onClick={() => setSeq(event.seq)}
              >
                <span>{event.seq}</span> <span>{event.type}</span>{' '}
                <span class="kind">{textFor(texts.kinds, kindOf(event))}</span>
              </button>
            </li>
          ))}
        </ol>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard */}
      <div class="main" tabIndex={0} role="group" aria-label={words.event}>
        {selected === undefined ? <p class="hint">{words.nothing}</p> : <pre>{toJsonText(texts, selected)}</pre>}
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
    if (element === null) return;
    if (isAtEnd.current) element.lastElementChild?.scrollIntoView({ block: 'nearest' });
    const note = (): void => {
      isAtEnd.current = element.scrollTop + element.clientHeight > element.scrollHeight - 32;
    };
    element.addEventListener('scroll', note);
    return () => element.removeEventListener('scroll', note);
  }, [items]);
  return list;
}
